import { randomBytes } from 'node:crypto'
import { logoutJobLifetimeMs, logoutRetryMs } from '../../kernel/limits/limits.ts'
import { type Condition, isPresent } from '../../kernel/table/expressions.ts'
import { logoutJobKey, logoutJobPartitions, logoutJobPrefix } from '../../kernel/table/keys/job-keys.ts'
import { type Key, sessionKey } from '../../kernel/table/keys/keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { readEntries } from '../../kernel/table/listing.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { ConditionFailed, type Item, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { getRemainingMs, toSeconds } from '../../kernel/util/time.ts'
import type { UserRecord } from '../users/stored-user.records.ts'
import type { SessionRecord } from './stored-session.records.ts'

/** How long a job belongs to the function that took it. Longer than the function runs. */
const leaseMs = 90_000

/** A job that a function has taken. */
export type TakenLogoutJob = LogoutJobRecord &
  Required<Pick<LogoutJobRecord, 'tries' | 'firstTriedAt' | 'nextTryAt'>>

/** Takes a job. Returns undefined if it is done, belongs to another function, or waits for its next attempt. */
export const takeLogoutJob = async (
  table: Table,
  { pk, sk }: LogoutJobKey,
  nowMs: number,
): Promise<TakenLogoutJob | undefined> => {
  try {
    const item = await table.update({ pk, sk }, (x) => {
      const [tries, first, next] = [x.path('tries'), x.path('firstTriedAt'), x.path('nextTryAt')]
      return {
        set: [
          `${tries} = if_not_exists(${tries}, ${x.value(0)}) + ${x.value(1)}`,
          `${first} = if_not_exists(${first}, ${x.value(nowMs)})`,
          `${next} = ${x.value(nowMs + leaseMs)}`,
          `${x.path('expires_at')} = ${x.value(toSeconds(nowMs + logoutJobLifetimeMs))}`,
        ],
        condition: `${isPresent(x)} AND (attribute_not_exists(${next}) OR ${next} <= ${x.value(nowMs)} OR ${next} > ${x.value(nowMs + logoutRetryMs.longest)})`,
      }
    })
    const job = logoutJobCodec.decode(item)
    const { tries = 1, firstTriedAt = nowMs, nextTryAt = nowMs } = job
    return { ...job, tries, firstTriedAt, nextTryAt }
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

/**
 * Deletes a session that ended with all others of its user, with a new job to inform its clients. Does nothing if another
 * function did.
 */
export const replaceByLogoutJob = async (table: Table, session: SessionRecord): Promise<void> => {
  await wasCommitted(
    table.transact([
      { delete: sessionKey(session.userId, session.hash), condition: isPresent },
      ...buildSessionLogoutSteps(session),
    ]),
  )
}

/** Builds the step that deletes a job. It may have been done by another function as well. */
export const buildLogoutJobDeletion = ({ pk, sk }: LogoutJobKey): Step => ({ delete: { pk, sk } })

/** Returns a job for another attempt at a time in epoch milliseconds, without the clients that were informed. */
export const postponeLogoutJob = async (
  table: Table,
  { pk, sk, nextTryAt: leasedUntil }: TakenLogoutJob,
  { informed, nextTryAt }: { readonly informed: readonly string[]; readonly nextTryAt: number },
): Promise<void> => {
  // A function that held the job for longer than its lease changes nothing.
  await wasCommitted(
    table.update({ pk, sk }, (x) => ({
      set: [`${x.path('nextTryAt')} = ${x.value(nextTryAt)}`],
      ...(informed.length > 0 ? { exclude: `${x.path('clients')} ${x.value(new Set(informed))}` } : {}),
      condition: `${x.path('nextTryAt')} = ${x.value(leasedUntil)}`,
    })),
  )
}

/** Reads the keys of all jobs whose time has come, in pages. */
export async function* readDueLogoutJobs(
  table: Table,
  nowMs: number,
): AsyncGenerator<readonly LogoutJobKey[]> {
  for (const pk of logoutJobPartitions) {
    const list = { pk, from: logoutJobPrefix, to: `${logoutJobPrefix}~` }
    let after: string | undefined
    do {
      const entries = await readEntries(table, list, { after, limit: pageSize, isDescending: false })
      const isDue = ({ nextTryAt = 0 }: LogoutJobRecord) =>
        getRemainingMs(nextTryAt, nowMs, logoutRetryMs.longest) === 0
      const isDueItem = (item: Item) => decodeListed(table, logoutJobCodec, [item]).some(isDue)
      yield entries.filter(({ item }) => isDueItem(item)).map(({ key }) => key)
      after = entries.length < pageSize ? undefined : entries.at(-1)?.indexKey
    } while (after !== undefined)
  }
}

const pageSize = 500

/** A token of a provider that has to be revoked there, because its account is no longer connected. See `connections/oidc/refresh-tokens.ts`. */
export interface TokenRevocation {
  readonly providerId: number
  /** The hash of the name of the account. */
  readonly account: string
  readonly cipher: string
}

/**
 * OpenID Connect clients that have to learn that a session ended, or a token to revoke at a provider. The transaction that ends the session stores it, so a
 * function that stops cannot lose it.
 */
export interface LogoutJobRecord extends Key {
  readonly userId: number
  readonly revocation?: TokenRevocation
  /** The hash of the ended session. Missing if all sessions of the user ended: then they are looked up. */
  readonly sessionHash?: string
  /** Those of the ended session: see `SessionRecord`. */
  readonly switches?: number
  /** Those that were not informed yet: see `session-clients.records.ts`. */
  readonly clients?: ReadonlySet<string>
  /** How often a function worked on it. */
  readonly tries?: number
  /** Epoch milliseconds. */
  readonly firstTriedAt?: number
  /** Epoch milliseconds. No function works on it before. */
  readonly nextTryAt?: number
}

/** Identifies a job. */
export type LogoutJobKey = Key

/** Whether an item of this key is a job. */
export const isLogoutJobKey = ({ pk }: Key): boolean => pk.startsWith(partitions.logoutJobs)

export const logoutJobCodec = createCodec<LogoutJobRecord>('logout job', {
  pk: 'string',
  sk: 'string',
  userId: 'number',
})

/** Builds the step that adds a job for a session that ends, if the session has clients. */
export const buildSessionLogoutSteps = ({
  userId,
  hash,
  switches = 0,
  clients,
}: Pick<SessionRecord, 'userId' | 'hash' | 'switches' | 'clients'>): readonly Step[] =>
  clients ? [{ put: { ...createKey(), userId, sessionHash: hash, switches, clients } }] : []

/** Builds the step that adds a job for all sessions of a user, which end, if any of them could have clients. */
export const buildUserLogoutSteps = ({
  id,
  hasClientSessions,
}: Pick<UserRecord, 'id' | 'hasClientSessions'>): readonly Step[] =>
  hasClientSessions ? [{ put: { ...createKey(), userId: id } }] : []

/** Builds the step that adds a job to revoke a token. */
export const buildRevocationStep = (userId: number, revocation: TokenRevocation): Step => ({
  put: { ...createKey(), userId, revocation },
})

const createKey = (): Key => logoutJobKey(randomBytes(12).toString('base64url'))

/** Whether a session has the clients that it had when it was read. Their number only grows. */
export const hasClientsAsRead =
  ({ clients }: Pick<SessionRecord, 'clients'>): Condition =>
  (x) => {
    const path = x.path('clients')
    return clients ? `size(${path}) = ${x.value(clients.size)}` : `attribute_not_exists(${path})`
  }

/** Whether a user has had no session with clients since they were read without one. */
export const hasNoNewClientSessions =
  ({ hasClientSessions }: Pick<UserRecord, 'hasClientSessions'>): Condition =>
  (x) =>
    hasClientSessions
      ? `attribute_exists(${x.path('hasClientSessions')})`
      : `attribute_not_exists(${x.path('hasClientSessions')})`
