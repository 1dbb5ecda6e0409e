import { adminAccess, isPrivileged } from '../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { describeFacts } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findGroups } from '../../accounts/groups/groups.records.ts'
import { listUsers } from '../../accounts/users/find-users.records.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import { apiTokensPerUser } from '../../kernel/limits/limits.ts'
import { replaceSecrets } from '../../kernel/secrets/rotation.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { apiTokenAuditFields, describeNewToken } from '../api-tokens/audit-fields.ts'
import { createApiToken, deleteExpired, requireKnownScopes } from '../api-tokens/create.use-cases.ts'
import {
  type ApiTokenRecord,
  buildTokenExpiryStep,
  createApiToken as createStoredToken,
  deleteApiToken,
  findApiTokens,
  hasApiTokenExpired,
  setApiTokenScopes,
} from '../api-tokens/records.ts'
import { createServiceAccount } from '../directory/users/create-user.use-cases.ts'
import { patchUser } from '../directory/users/update-user.use-cases.ts'
import { asBody, type KindOfThing, type Outputs, type Runner, type Thing, type Values } from './kind.part.ts'
import { listManaged } from './managed.records.ts'

/** The tokens of an account that work, the newest first. */
export const listValidTokens = async (
  { table, now }: Pick<Services, 'table' | 'now'>,
  userId: number,
): Promise<readonly ApiTokenRecord[]> =>
  (await findApiTokens(table, userId))
    .filter((token) => !hasApiTokenExpired(token, now()))
    .toSorted((a, b) => b.id - a.id)

const toThing = async (services: Services, user: UserRecord): Promise<Thing> => {
  // An account that a person disabled, or took the token of, is not what the document says.
  const tokens = user.is_enabled ? await listValidTokens(services, user.id) : []
  return {
    id: user.id,
    name: user.username,
    values: {
      name: user.full_name,
      permissions: user.permissions,
      groups: user.groups,
      scopes: unite(tokens.map(({ scopes }) => scopes)),
    },
    outputs: { username: user.username },
  }
}

const readThings: KindOfThing['read'] = async (services, ids) => {
  const users = await listUsers(services.table, ids)
  return Promise.all(users.map((user) => user && toThing(services, user)))
}

/** What any of several tokens allows. Null if one is not limited, and undefined without tokens. */
const unite = (scopes: readonly (readonly string[] | null)[]): readonly string[] | null | undefined => {
  if (scopes.length === 0) return undefined
  return scopes.includes(null) ? null : [...new Set(scopes.flatMap((one) => one ?? []))].sort()
}

/**
 * Refuses what would make an administrator of a leaked token. Groups get rights later as well: see `takesFromGroups`.
 *
 * @throws AppError `invalid_request`
 */
const requireNoAdminAccess = async ({ table }: Services, values: Values): Promise<void> => {
  const ids = values['groups'] as readonly number[]
  const groups = await findGroups(table, ids)
  const errors = [
    ...['permissions', 'scopes'].flatMap((field) => {
      const given = values[field]
      return Array.isArray(given) && given.includes(adminAccess)
        ? [{ field, message: `must not contain ${adminAccess}` }]
        : []
    }),
    ...ids.flatMap((id, at) => {
      const privileged = groups.find((group) => group.id === id)?.permissions.find(isPrivileged)
      return privileged === undefined
        ? []
        : [
            {
              field: `groups.${at}`,
              message: `must not be a group with ${privileged}, which has no effect here`,
            },
          ]
    }),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
}

const toUserFields = ({ name, permissions, groups }: Values) =>
  asBody({ full_name: name, permissions, groups, is_enabled: true })

/** Gives the token of an account these scopes, or the account a token. Returns the value of a new one, which is shown once. */
const ensureToken = async (runner: Runner, id: number, { scopes }: Values): Promise<Outputs> => {
  const { services, context } = runner
  const user = await requireUser(services.table, id)
  const tokens = await listValidTokens(services, id)
  const wanted = await requireKnownScopes(services, user, scopes as readonly string[])
  if (tokens.length > 0) {
    for (const token of tokens) await changeScopes(services, context, token, wanted)
    return {}
  }
  if (context.keepsSecretElsewhere) return {}
  const { body } = await runner.runAs({ kind: 'configuration', hash: '', user })(createApiToken, {
    body: asBody({ name: user.username, scopes }),
  })
  return { token: body.token ?? '' }
}

const changeScopes = async (
  { table }: Services,
  context: RequestContext,
  token: ApiTokenRecord,
  scopes: readonly string[] | null,
): Promise<void> => {
  if (JSON.stringify(token.scopes) === JSON.stringify(scopes)) return
  const { userId: user, id } = token
  await setApiTokenScopes(table, token, scopes, [
    auditStep(context, 'api_token.changed', {
      user,
      target: String(id),
      ...describeFacts({ fields: apiTokenAuditFields, before: token, after: { scopes } }),
    }),
  ])
}

interface Renewal {
  readonly id: number
  /** Those that work, the newest first. */
  readonly tokens: readonly ApiTokenRecord[]
  readonly hash: string
  /** Notes the hash in the same transaction. */
  readonly note?: Step | undefined
  readonly keepMs: number | null
  readonly scopes: readonly string[]
}

/** Makes a token the newest one of an account. The one before works for `keepMs`, and older ones as `replaceSecrets` says. */
export const renewToken = async (
  services: Services,
  context: RequestContext,
  { id, tokens, hash, note, keepMs, scopes: given }: Renewal,
): Promise<void> => {
  const { table } = services
  await deleteExpired(services, id, context)
  const user = await requireUser(table, id)
  const known = tokens.find((token) => token.hash === hash)
  const former = tokens.filter((token) => token !== known)
  const { kept } = replaceSecrets(former, { nowMs: context.at, keepMs })
  const keptUntil = new Map(kept.map(({ secret, expiresAt }) => [secret, expiresAt]))
  const endOf = (token: ApiTokenRecord) =>
    keptUntil.has(token) ? (keptUntil.get(token) ?? undefined) : context.at
  const changed = former.filter((token) => endOf(token) !== token.expiresAt)
  const auditEnd = (token: ApiTokenRecord, expiresAt: number | undefined) =>
    auditStep(context, 'api_token.changed', {
      user: id,
      target: String(token.id),
      ...describeFacts({ fields: apiTokenAuditFields, before: token, after: { expiresAt } }),
    })
  const steps = [
    ...(note ? [note] : []),
    ...changed.flatMap((token) => [buildTokenExpiryStep(token, endOf(token)), auditEnd(token, endOf(token))]),
  ]
  if (known) {
    await table.transact([buildTokenExpiryStep(known, undefined), auditEnd(known, undefined), ...steps])
    return
  }
  const scopes = await requireKnownScopes(services, user, given)
  await createStoredToken(
    table,
    { hash, userId: id, name: user.username, isChosen: false, createdAt: context.at, scopes },
    {
      ...{ limit: apiTokensPerUser, credentialEpoch: user.credentialEpoch },
      extraSteps: (token) => [
        auditStep(context, 'api_token.created', {
          user: id,
          target: String(token),
          ...describeNewToken({ scopes }),
        }),
        ...steps,
      ],
    },
  )
}

export const serviceAccountKind: KindOfThing = {
  fields: ['name', 'permissions', 'groups', 'scopes'],
  identity: 'username',
  defaults: { name: null, permissions: [], groups: [] },
  references: { groups: 'group' },
  rights: ['permissions', 'groups', 'scopes'],
  read: readThings,
  // An account that a person made stays theirs: its name is taken.
  find: async () => undefined,
  list: async function* (services) {
    const managed = (await listManaged(services.table)).filter(
      ({ kind, deletedAt }) => kind === 'service_account' && deletedAt === undefined,
    )
    const found = await readThings(
      services,
      managed.map(({ id }) => id),
    )
    for (const thing of found)
      if (thing) yield { ...thing, values: { ...thing.values, scopes: thing.values['scopes'] ?? [] } }
  },
  create: async (runner, values, key) => {
    await requireNoAdminAccess(runner.services, values)
    const { id } = (
      await runner.run(createServiceAccount, {
        body: asBody({ ...(toUserFields(values) as object), username: key }),
      })
    ).body
    return { id, outputs: {} }
  },
  update: async (runner, id, values) => {
    await requireNoAdminAccess(runner.services, values)
    await runner.run(patchUser, { params: { id }, body: toUserFields(values) })
  },
  complete: ensureToken,
  // What it made, such as access links, can stay. So the account is disabled, and a person can delete it.
  remove: async (runner, id) => {
    const { services, context } = runner
    const { table } = services
    const body = asBody({ permissions: [], groups: [], is_enabled: false })
    await runner.run(patchUser, { params: { id }, body })
    for (const token of await findApiTokens(table, id))
      await deleteApiToken(table, token, [
        auditStep(context, 'api_token.deleted', { user: id, target: String(token.id) }),
      ])
    const noted = context.alongside?.(id) ?? []
    if (noted.length > 0) await table.transact(noted)
  },
}
