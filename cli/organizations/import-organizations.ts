import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { RequestContext } from '../../lib/accounts/callers/request-context.ts'
import { auditStep } from '../../lib/accounts/events/write-event.ts'
import { normalizeEmail, normalizeUsername } from '../../lib/accounts/names/names.ts'
import {
  findUserIdByEmail,
  findUserIdByExternalId,
  findUserIdByUsername,
  findUsers,
} from '../../lib/accounts/users/find-users.records.ts'
import { isGuestUser } from '../../lib/accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { auditMembership } from '../../lib/features/organizations/audit-membership.ts'
import { hasLimitedRoles } from '../../lib/features/organizations/effective-roles.ts'
import {
  beginMembership,
  buildJoinAllSteps,
  type Membership,
  readMemberships,
} from '../../lib/features/organizations/memberships.records.ts'
import { givenRoles, NewOrganization, newOrganization } from '../../lib/features/organizations/models.ts'
import { findNameErrors } from '../../lib/features/organizations/name-rules.ts'
import {
  createOrganization,
  findIdByExternalId,
  findIdBySlug,
  isSlugReserved,
  type OrganizationRecord,
  readOrganizations,
} from '../../lib/features/organizations/records.ts'
import { findRights, type RoleRights } from '../../lib/features/organizations/roles.records.ts'
import { describeUnknownRoles } from '../../lib/features/organizations/roles.ts'
import { batch } from '../../lib/features/user-files/batches.ts'
import type { Entry } from '../../lib/features/user-files/import-file.ts'
import { ConflictError, type FieldError } from '../../lib/kernel/errors/errors.ts'
import { limitFieldErrors, toFieldErrors } from '../../lib/kernel/errors/field-error.ts'
import { EditConflict, type Step } from '../../lib/kernel/table/transaction.ts'
import { groupBy } from '../../lib/kernel/util/group-by.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import type { Services } from '../../lib/services.ts'
import { retryThrottled, startPool } from '../pool.ts'
import type { Report } from '../report.ts'
import { createImportContext } from '../users/import-users.ts'

/** The results of the lines so far. In a dry run: what could be imported. */
export interface ImportCounts {
  /** The last line that was processed. */
  line: number
  organizations: number
  memberships: number
  /** Lines that an earlier run imported. */
  known: number
  refused: number
}

interface ImportOptions {
  readonly services: Services
  readonly report: Report
  readonly isDryRun: boolean
  /** Ends the import after the lines in progress. */
  readonly signal: AbortSignal
}

const text = z.string().check(z.minLength(1), z.maxLength(255))
const MembershipLine = z.strictObject({
  organization_slug: z.optional(text),
  organization_external_id: z.optional(text),
  user_id: z.optional(z.int().check(z.positive())),
  username: z.optional(text),
  email: z.optional(text),
  external_id: z.optional(z.strictObject({ source: text, id: text })),
  roles: givenRoles,
})
type MembershipLine = z.output<typeof MembershipLine>
const organizationNames = ['organization_slug', 'organization_external_id'] as const
const userNames = ['user_id', 'username', 'email', 'external_id'] as const

/** Lines that are grouped together, so that most transactions are full, also if the file does not list members by organization. */
const linesPerBatch = 1000
const readsAtOnce = 100
/** Transactions at the same time. */
const parallelWrites = 6
/** What DynamoDB takes in a transaction. */
const stepsPerTransaction = 100
/** The membership, its user and its audit event. */
const stepsPerMembership = 3
/** The organization and its counts. */
const stepsPerOrganization = 2
const fullTransaction = Math.floor((stepsPerTransaction - stepsPerOrganization) / stepsPerMembership)

const refuse = (field: string, message: string): readonly FieldError[] => [{ field, message }]

type Result = 'organization' | 'membership' | 'known' | readonly FieldError[]

/** A membership that can be written. */
interface Joining {
  readonly line: number
  readonly organization: OrganizationRecord
  readonly membership: Membership
}

interface Run {
  readonly services: Services
  readonly isDryRun: boolean
  readonly context: RequestContext
  readonly declared: readonly RoleRights[]
  /** Organizations by `slug …` and `external …`. A dry run adds those that it would create. */
  readonly found: Map<string, OrganizationRecord>
}

/** Imports all valid lines and reports the others. Skips lines that an earlier run has imported. */
export const importOrganizations = async (
  entries: AsyncIterable<Entry>,
  { services, report, isDryRun, signal }: ImportOptions,
): Promise<ImportCounts> => {
  const counts: ImportCounts = { line: 0, organizations: 0, memberships: 0, known: 0, refused: 0 }
  const run: Run = {
    services,
    isDryRun,
    context: createImportContext(services, `import-${randomUUID()}`),
    declared: await retryThrottled(() => findRights(services.table)),
    found: new Map(),
  }
  const note = async (line: number, result: Result): Promise<void> => {
    if (result === 'organization') counts.organizations += 1
    else if (result === 'membership') counts.memberships += 1
    else if (result === 'known') counts.known += 1
    else {
      counts.refused += 1
      await report.add(line, limitFieldErrors(result))
    }
  }
  const pool = startPool(parallelWrites)
  try {
    for await (const lines of batch(entries, { most: linesPerBatch })) {
      if (signal.aborted) break
      // Memberships may name organizations of lines above them.
      for (const entry of lines)
        if (entry.fields && 'name' in entry.fields)
          await note(entry.line, await importOrganization(run, entry.fields))
      const others = lines.filter(({ fields }) => !(fields && 'name' in fields))
      const joining = new Map<number, Joining[]>()
      for (const [line, result] of await decideLines(run, others))
        if (typeof result === 'object' && 'membership' in result) {
          const { id } = result.organization
          joining.set(id, [...(joining.get(id) ?? []), { ...result, line }])
        } else await note(line, result)
      for (const groups of toJobs([...joining.values()]))
        await pool.add(async () => {
          for (const [line, result] of await writeMemberships(run, groups)) await note(line, result)
        })
      // Lines of the next batch may name the same members again.
      await pool.drain()
      counts.line = lines.at(-1)?.line ?? counts.line
    }
  } finally {
    await pool.drain()
  }
  return counts
}

const keysOf = ({
  slug,
  external_id,
}: Pick<OrganizationRecord, 'slug' | 'external_id'>): readonly string[] => [
  `slug ${slug}`,
  ...(external_id === null ? [] : [`external ${external_id}`]),
]

const remember = ({ found }: Run, organization: OrganizationRecord): OrganizationRecord => {
  for (const key of keysOf(organization)) found.set(key, organization)
  return organization
}

/** Finds an organization by its present slug or its ID in another system. */
const find = async (
  run: Run,
  by: 'slug' | 'external',
  value: string,
): Promise<OrganizationRecord | undefined> => {
  const { table } = run.services
  const known = run.found.get(`${by} ${value}`)
  if (known) return known
  const id = await retryThrottled(() =>
    by === 'slug' ? findIdBySlug(table, value) : findIdByExternalId(table, value),
  )
  const [organization] = id === undefined ? [] : await retryThrottled(() => readOrganizations(table, [id]))
  const isMeant = organization && (by === 'slug' ? organization.slug : organization.external_id) === value
  return isMeant ? remember(run, organization) : undefined
}

const importOrganization = async (run: Run, fields: Readonly<Record<string, unknown>>): Promise<Result> => {
  const { services, context, isDryRun } = run
  const parsed = z.safeParse(NewOrganization, fields)
  if (!parsed.success) return toFieldErrors(parsed.error, fields, 'line')
  const errors = await findNameErrors(services, { isForService: true }, parsed.data)
  if (errors.length > 0) return errors
  const record = {
    ...newOrganization,
    ...omitUndefined(parsed.data),
    createdBy: null,
    createdAt: services.now(),
  }
  const known = await find(run, 'slug', record.slug)
  if (known)
    return known.external_id === record.external_id
      ? 'known'
      : refuse('slug', 'is that of an organization with another external_id')
  if (record.external_id !== null && (await find(run, 'external', record.external_id)))
    return refuse('external_id', 'is that of an organization with another slug')
  if (isDryRun) {
    // Former slugs and those that look alike stay reserved.
    const isTaken = await retryThrottled(() => isSlugReserved(services.table, record.slug, services.now()))
    if (isTaken) return refuse('slug', slugTaken)
    remember(run, { ...record, id: -run.found.size - 1, version: 1 })
    return 'organization'
  }
  try {
    const created = await retryThrottled(() =>
      createOrganization(
        services.table,
        record,
        (id) => [auditStep({ ...context, organization: id }, 'organization.created', { target: String(id) })],
        services.now(),
      ),
    )
    remember(run, created)
    return 'organization'
  } catch (error) {
    if (error instanceof ConflictError)
      return error.kind === 'slug_taken'
        ? refuse('slug', slugTaken)
        : refuse('external_id', 'is that of another organization')
    throw error
  }
}

const slugTaken = 'is reserved: another organization has or had one that looks like it'

const requireOne = (line: object, names: readonly string[], field: string): readonly FieldError[] =>
  names.filter((name) => Object.hasOwn(line, name)).length === 1
    ? []
    : refuse(field, `needs exactly one of ${names.join(', ')}`)

/** A user of another system may be here with their ID, or with nothing but their address. */
const isWithAddress = (line: object): boolean => {
  const names = userNames.filter((name) => Object.hasOwn(line, name))
  return names.length === 2 && names.every((name) => name === 'email' || name === 'external_id')
}

const findUserId = async (
  { table }: Services,
  { user_id, username, email, external_id }: MembershipLine,
): Promise<number | undefined> => {
  if (username !== undefined) return findUserIdByUsername(table, normalizeUsername(username))
  const known = external_id && (await findUserIdByExternalId(table, external_id))
  if (known !== undefined || email === undefined) return known ?? user_id
  return findUserIdByEmail(table, normalizeEmail(email))
}

/** What the line of a membership names. */
interface Named {
  readonly organization: OrganizationRecord | undefined
  readonly userId: number | undefined
  readonly roles: readonly string[]
}

/** Reads the line of a membership. */
const readLine = async (run: Run, { fields, errors }: Entry): Promise<readonly FieldError[] | Named> => {
  if (!fields) return errors
  const { services } = run
  const parsed = z.safeParse(MembershipLine, fields)
  const named = [
    ...requireOne(fields, organizationNames, 'organization'),
    ...(isWithAddress(fields) ? [] : requireOne(fields, userNames, 'user')),
  ]
  if (!parsed.success) return [...toFieldErrors(parsed.error, fields, 'line'), ...named]
  if (named.length > 0) return named
  const line = parsed.data
  const roles = [...new Set(line.roles)]
  const slug = line.organization_slug
  const [organization, userId] = await Promise.all([
    slug === undefined ? find(run, 'external', line.organization_external_id ?? '') : find(run, 'slug', slug),
    retryThrottled(() => findUserId(services, line)),
  ])
  return { organization, userId, roles }
}

const noEffect =
  'would have no effect: somebody without organizations:manage decided how the user signs in. Set a new password for the account first'

/** Decides about a membership with the user whom it names. */
const decide = (
  run: Run,
  { organization, roles }: Named,
  user: UserRecord | undefined,
): Result | Omit<Joining, 'line'> => {
  const unknownRoles = describeUnknownRoles(run.declared, roles)
  const found = [
    ...(organization ? [] : refuse('organization', 'does not exist. Its line has to be above this one')),
    ...(user ? [] : refuse('user', 'does not exist, or has not confirmed this address')),
    ...(user && isGuestUser(user)
      ? refuse('user', 'is a guest of access links, who cannot be a member')
      : []),
    ...(user && hasLimitedRoles(user, { source: 'import' }) ? refuse('roles', noEffect) : []),
    ...(unknownRoles === undefined ? [] : refuse('roles', unknownRoles)),
  ]
  if (!organization || !user || found.length > 0) return found
  const membership = beginMembership({
    userId: user.id,
    organizationId: organization.id,
    roles,
    source: 'import',
    joinedAt: run.services.now(),
    rolesGivenBy: null,
  })
  return { organization, membership }
}

/** Decides about lines of memberships, whose users are read together. */
const decideLines = async (
  run: Run,
  entries: readonly Entry[],
): Promise<readonly (readonly [line: number, result: Result | Omit<Joining, 'line'>])[]> => {
  const read = await mapInBatches(entries, readsAtOnce, (entry) => readLine(run, entry))
  const ids = read.flatMap((one) => ('roles' in one && one.userId !== undefined ? [one.userId] : []))
  const users = await retryThrottled(() => findUsers(run.services.table, ids))
  const byId = new Map(users.flatMap((user) => (user ? [[user.id, user] as const] : [])))
  return entries.map(({ line }, at) => {
    const one = read[at] ?? []
    return [line, 'roles' in one ? decide(run, one, byId.get(one.userId ?? 0)) : one]
  })
}

/** Divides organizations into jobs, each with about as many memberships as fit into a transaction, or with more of one organization. */
const toJobs = (groups: readonly Joining[][]): readonly Joining[][][] => {
  const jobs: Joining[][][] = []
  let memberships = fullTransaction
  for (const group of groups) {
    if (memberships + group.length > fullTransaction) {
      jobs.push([])
      memberships = 0
    }
    jobs.at(-1)?.push(group)
    memberships += group.length
  }
  return jobs
}

/** Writes memberships of some organizations, many in a transaction. No other job writes those of the same organization. */
const writeMemberships = async (
  run: Run,
  groups: readonly (readonly Joining[])[],
): Promise<readonly [number, Result][]> => {
  const sorted = await Promise.all(groups.map((group) => findFresh(run, group)))
  const results = sorted.flatMap(({ decided }) => decided)
  for (const part of toTransactions(sorted.flatMap(({ fresh }) => fresh)))
    results.push(...(await joinTogether(run, part)))
  return results
}

/** Decides about the users of one organization who are members already. */
const findFresh = async (run: Run, group: readonly Joining[]) => {
  const id = group[0]?.organization.id ?? 0
  const ids = group.map(({ membership }) => membership.userId)
  const { table } = run.services
  const existing = id < 0 ? [] : await retryThrottled(() => readMemberships(table, id, ids))
  const decided: [number, Result][] = []
  const fresh: Joining[] = []
  for (const [at, joining] of group.entries()) {
    const { roles, userId } = joining.membership
    const earlier = existing[at] ?? fresh.find(({ membership }) => membership.userId === userId)?.membership
    if (!earlier) fresh.push(joining)
    else if (earlier.roles.length === roles.length && roles.every((role) => earlier.roles.includes(role)))
      decided.push([joining.line, 'known'])
    else decided.push([joining.line, refuse('roles', 'differ from those that the member has')])
  }
  return { decided, fresh }
}

/** Divides memberships into parts that fit into a transaction. */
const toTransactions = (joining: readonly Joining[]): readonly Joining[][] => {
  const parts: Joining[][] = []
  let steps = stepsPerTransaction
  let last: number | undefined
  for (const one of joining) {
    const { id } = one.organization
    steps += stepsPerMembership + (id === last ? 0 : stepsPerOrganization)
    if (steps > stepsPerTransaction) {
      parts.push([])
      steps = stepsPerMembership + stepsPerOrganization
    }
    parts.at(-1)?.push(one)
    last = id
  }
  return parts
}

/** The steps by which users join some organizations. A user who joins several is checked once: a transaction names no item twice. */
const buildSteps = (group: readonly Joining[]): readonly Step[] => {
  const checked = new Set<string>()
  return [...groupBy(group, ({ organization }) => organization.id).values()]
    .flatMap(([first, ...others]) =>
      first
        ? buildJoinAllSteps(
            first.organization,
            [first, ...others].map(({ membership }) => membership),
          )
        : [],
    )
    .filter((step) => {
      if (!('check' in step)) return true
      const key = `${step.check.pk} ${step.check.sk}`
      return !checked.has(key) && checked.add(key)
    })
}

/** Writes all memberships, or each of them alone if one of them cannot be written. */
const joinTogether = async (run: Run, group: readonly Joining[]): Promise<[number, Result][]> => {
  const [first] = group
  if (!first || run.isDryRun) return group.map(({ line }) => [line, 'membership'])
  const { context, services } = run
  try {
    await retryThrottled(() =>
      services.table.transact([
        ...buildSteps(group),
        ...group.map(({ membership }) => auditMembership(context, { after: membership })),
      ]),
    )
    return group.map(({ line }) => [line, 'membership'])
  } catch (error) {
    if (!(error instanceof ConflictError || error instanceof EditConflict)) throw error
    if (group.length === 1) return [[first.line, refuse('line', describeConflict(error))]]
    const alone: [number, Result][] = []
    for (const one of group) alone.push(...(await joinTogether(run, [one])))
    return alone
  }
}

const describeConflict = (error: ConflictError | EditConflict): string => {
  if (!(error instanceof ConflictError))
    return 'names a user or an organization that has just changed. Run the import again'
  return error.kind === 'member_limit_reached'
    ? 'is one member more than the organization can have'
    : 'was written by somebody else at the same time. Run the import again'
}
