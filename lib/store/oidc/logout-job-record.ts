import { randomBytes } from 'node:crypto'
import type { UserRecord } from '../directory/user-record.ts'
import { createCodec } from '../engine/codec.ts'
import type { Condition } from '../engine/expressions.ts'
import type { Step } from '../engine/transaction.ts'
import { logoutJobKey } from '../keys/job-keys.ts'
import type { Key } from '../keys/keys.ts'
import { partitions } from '../keys/partitions.ts'
import type { SessionRecord } from '../sign-in/session-record.ts'

/**
 * OpenID Connect clients that have to learn that a session ended. The transaction that ends the session stores it, so a
 * function that stops cannot lose it.
 */
export interface LogoutJobRecord extends Key {
  readonly userId: number
  /** The hash of the ended session. Missing if all sessions of the user ended: then they are looked up. */
  readonly sessionHash?: string
  /** Those of the ended session: see `SessionRecord`. */
  readonly switches?: number
  /** Those that were not informed yet: see `session-client.ts`. */
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
  oidcClients,
}: Pick<SessionRecord, 'userId' | 'hash' | 'switches' | 'oidcClients'>): readonly Step[] =>
  oidcClients ? [{ put: { ...createKey(), userId, sessionHash: hash, switches, clients: oidcClients } }] : []

/** Builds the step that adds a job for all sessions of a user, which end, if any of them could have clients. */
export const buildUserLogoutSteps = ({
  id,
  hasOidcSessions,
}: Pick<UserRecord, 'id' | 'hasOidcSessions'>): readonly Step[] =>
  hasOidcSessions ? [{ put: { ...createKey(), userId: id } }] : []

const createKey = (): Key => logoutJobKey(randomBytes(12).toString('base64url'))

/** Whether a session has the clients that it had when it was read. Their number only grows. */
export const hasClientsAsRead =
  ({ oidcClients }: Pick<SessionRecord, 'oidcClients'>): Condition =>
  (x) => {
    const path = x.path('oidcClients')
    return oidcClients ? `size(${path}) = ${x.value(oidcClients.size)}` : `attribute_not_exists(${path})`
  }

/** Whether a user has had no session with clients since they were read without one. */
export const hasNoNewOidcSessions =
  ({ hasOidcSessions }: Pick<UserRecord, 'hasOidcSessions'>): Condition =>
  (x) =>
    hasOidcSessions
      ? `attribute_exists(${x.path('hasOidcSessions')})`
      : `attribute_not_exists(${x.path('hasOidcSessions')})`
