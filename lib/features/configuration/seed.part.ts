import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { normalizeUsername } from '../../accounts/names/names.ts'
import { findUser, findUserIdByUsername } from '../../accounts/users/find-users.records.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { createAccessToken } from '../access-links/create.use-cases.ts'
import { deleteAccessToken } from '../access-links/one-link.use-cases.ts'
import { findAccessLink } from '../access-links/records.ts'
import { createApiToken } from '../api-tokens/create.use-cases.ts'
import { findApiTokens } from '../api-tokens/records.ts'
import { deleteApiToken } from '../api-tokens/use-cases.ts'
import { createUser } from '../directory/users/create-user.use-cases.ts'
import { patchUser } from '../directory/users/update-user.use-cases.ts'
import { setUserPassword } from '../passwords/set-password.use-cases.ts'
import { withPaths } from './apply.part.ts'
import { asBody, type Outputs, type Values } from './kind.part.ts'
import { createRunner } from './kinds.part.ts'
import { listManaged } from './managed.records.ts'
import { hashValues } from './plan.part.ts'
import type { Seed, SeedKind } from './seed.models.ts'
import { listSeeded, noteSeeded, type SeedRecord } from './seeds.records.ts'

/** What applying a seed did with one of its entries. */
export interface Seeded {
  readonly change: {
    readonly kind: SeedKind
    readonly key: string
    readonly action: 'create' | 'update' | 'none'
  }
  /** With the values of new API tokens and access links, which only this run knows. */
  readonly outputs: Outputs
}

interface Run {
  readonly services: Services
  readonly context: RequestContext
  readonly records: readonly SeedRecord[]
  readonly users: Map<string, UserRecord>
}

/**
 * Makes the people of a seed and what they own, one after the other, so that an empty service always gives them the same IDs. An
 * entry that was applied already changes nothing. Only local mode may call this: passwords are in plain text, and people
 * can get every permission.
 *
 * @throws AppError `invalid_request` with the path of the entry that was refused
 */
export async function* applySeed(
  services: Services,
  context: RequestContext,
  { users = {}, api_tokens: apiTokens = {}, access_links: links = {} }: Seed,
): AsyncGenerator<Seeded> {
  const records = await listSeeded(services.table)
  const groups = await listGroupIds(services)
  const run: Run = { services, context, records, users: new Map() }
  for (const [key, entry] of Object.entries(users))
    yield await withPaths(`seed.users.${key}`, () => seedUser(run, key, entry, groups))
  for (const [key, entry] of Object.entries(apiTokens))
    yield await withPaths(`seed.api_tokens.${key}`, () => seedToken(run, key, entry))
  for (const [key, entry] of Object.entries(links))
    yield await withPaths(`seed.access_links.${key}`, () => seedLink(run, key, entry))
}

const listGroupIds = async ({ table }: Services): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (await listManaged(table))
      .filter(({ kind, deletedAt }) => kind === 'group' && deletedAt === undefined)
      .map(({ key, id }) => [key, id]),
  )

type Entry<List extends keyof Seed> = NonNullable<Seed[List]>[string]

const findRecord = ({ records }: Run, kind: SeedKind, key: string): SeedRecord | undefined =>
  records.find((one) => one.kind === kind && one.key === key)

const seedUser = async (
  run: Run,
  key: string,
  entry: Entry<'users'>,
  groupIds: ReadonlyMap<string, number>,
): Promise<Seeded> => {
  const { services, context, users } = run
  const { table } = services
  const { username = key, password, groups = [], ...rest } = entry
  const unknown = groups.flatMap((group, at) =>
    groupIds.has(group) ? [] : [{ field: `groups.${at}`, message: 'must be the key of a group of a file' }],
  )
  if (unknown.length > 0) throw invalidRequest(unknown)
  const values = { ...rest, username, groups: groups.map((group) => groupIds.get(group)) }
  const given = hashValues({ ...entry, groups: values.groups })
  const record = findRecord(run, 'user', key)
  const known =
    (record && (await findUser(table, record.id))) ??
    (await findUserByName(services, normalizeUsername(username)))
  const isApplied = known !== undefined && record?.id === known.id && record.given === given
  const { run: call } = createRunner(services, context)
  const id = known?.id ?? (await call(createUser, { body: asBody({ permissions: [], ...values }) })).body.id
  if (!isApplied) {
    if (known) await call(patchUser, { params: { id }, body: asBody(values) })
    if (password !== undefined) await call(setUserPassword, { params: { id }, body: { password } })
    await noteSeeded(table, { kind: 'user', key, id, given })
  }
  users.set(key, isApplied ? known : await requireUser(table, id))
  const action = isApplied ? 'none' : known ? 'update' : 'create'
  return { change: { kind: 'user', key, action }, outputs: { id, username } }
}

const findUserByName = async ({ table }: Services, normalized: string): Promise<UserRecord | undefined> => {
  const id = await findUserIdByUsername(table, normalized)
  return id === undefined ? undefined : findUser(table, id)
}

/** What a seed replaces when its entry changes, because it cannot be changed. */
interface Replaceable {
  readonly kind: Exclude<SeedKind, 'user'>
  readonly key: string
  readonly entry: Values
  readonly exists: (id: number) => Promise<boolean>
  readonly remove: (id: number) => Promise<unknown>
  readonly create: () => Promise<{ readonly id: number; readonly outputs: Outputs }>
}

const replace = async (
  run: Run,
  { kind, key, entry, exists, remove, create }: Replaceable,
): Promise<Seeded> => {
  const record = findRecord(run, kind, key)
  const given = hashValues(entry)
  const isThere = record !== undefined && (await exists(record.id))
  if (isThere && record.given === given) return { change: { kind, key, action: 'none' }, outputs: {} }
  if (isThere) await remove(record.id)
  const { id, outputs } = await create()
  await noteSeeded(run.services.table, { kind, key, id, given })
  return { change: { kind, key, action: isThere ? 'update' : 'create' }, outputs: { id, ...outputs } }
}

/** The user behind a key, who acts. @throws AppError `invalid_request` if the seed has none */
const actAs = (
  { services, context, users }: Run,
  field: string,
  key: string,
): { readonly user: UserRecord; readonly call: ReturnType<typeof createRunner>['run'] } => {
  const user = users.get(key)
  if (!user) throw invalidRequest([{ field, message: 'must be the key of one of the users of the seed' }])
  return { user, call: createRunner(services, context, { kind: 'configuration', hash: '', user }).run }
}

const seedToken = async (run: Run, key: string, entry: Entry<'api_tokens'>): Promise<Seeded> => {
  const { owner, name = key, ...rest } = entry
  const { user, call } = actAs(run, 'owner', owner)
  return replace(run, {
    ...{ kind: 'api_token', key, entry: { ...entry, owner: user.id } },
    exists: async (id) => (await findApiTokens(run.services.table, user.id)).some((token) => token.id === id),
    remove: (id) => call(deleteApiToken, { params: { id }, query: {} }),
    create: async () => {
      const { id, token } = (await call(createApiToken, { body: { name, ...rest } })).body
      return { id, outputs: { token } }
    },
  })
}

const seedLink = async (run: Run, key: string, entry: Entry<'access_links'>): Promise<Seeded> => {
  const { creator, user: recipientKey, ...rest } = entry
  const { user: owner, call } = actAs(run, 'creator', creator)
  const recipient = recipientKey == null ? undefined : actAs(run, 'user', recipientKey).user.id
  const body = omitUndefined({ ...rest, user: recipient })
  return replace(run, {
    ...{ kind: 'access_link', key, entry: { ...entry, creator: owner.id, user: recipient } },
    exists: async (id) => (await findAccessLink(run.services.table, id)) !== undefined,
    remove: (id) => call(deleteAccessToken, { params: { id } }),
    create: async () => {
      const { id, token, full_url: url } = (await call(createAccessToken, { body })).body
      return { id, outputs: { token, full_url: url } }
    },
  })
}
