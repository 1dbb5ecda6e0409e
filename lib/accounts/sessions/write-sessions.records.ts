import { isPresent } from '../../kernel/table/expressions.ts'
import { sessionKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type OrElse, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import {
  type AuthenticationMethod,
  type FactorRule,
  type SessionAuthentication,
  type SessionRecord,
  sessionCodec,
} from './stored-session.records.ts'

/** Creates a session. @throws ConditionFailed if one of the extra steps fails without an error of its own. */
export const createSession = (
  table: Table,
  session: SessionRecord,
  extraSteps: readonly Step[] = [],
): Promise<void> => table.transact([buildSessionStep(session), ...extraSteps])

/** Builds the step that stores a session. */
export const buildSessionStep = (session: SessionRecord): Step => ({
  put: {
    ...sessionCodec.encode(session),
    // Last, because a session that was read has the key of its item.
    ...sessionKey(session.userId, session.hash),
    expires_at: Math.ceil(session.expiresAt / 1000),
  },
})

/** Builds the step that lets a transaction fail if a session has ended. */
export const buildPresentSessionStep = ({ userId, hash }: SessionRecord, orElse: OrElse): Step => ({
  check: sessionKey(userId, hash),
  condition: isPresent,
  orElse,
})

/** Sets the time when a session was last used, and whether it was idle before. A session that has ended stays ended. */
export const updateSessionLastSeen = async (
  table: Table,
  session: SessionRecord,
  { nowMs, wasIdle }: { readonly nowMs: number; readonly wasIdle: boolean },
): Promise<void> => {
  await wasCommitted(
    table.tryUpdate(sessionKey(session.userId, session.hash), (x) => ({
      set: [
        `${x.path('lastSeenAt')} = ${x.value(nowMs)}`,
        ...(wasIdle ? [`${x.path('wasIdle')} = ${x.value(true)}`] : []),
      ],
      condition: isPresent(x),
    })),
  )
}

/** A proof of identity in a session, with what the sign-in policy asks a second factor for at this time. */
export interface SessionProof {
  readonly authentication: SessionAuthentication
  readonly factorRule?: FactorRule | undefined
}

/** Builds the step that stores a proof of identity with a session. It fails if the session has ended. */
export const buildAuthenticationStep = (
  session: SessionRecord,
  { authentication, factorRule }: SessionProof,
  orElse: OrElse,
): Step => ({
  update: sessionKey(session.userId, session.hash),
  changes: (x) => ({
    set: [
      `${x.path('authentication')} = ${x.value(authentication)}`,
      ...(factorRule ? [`${x.path('factorRule')} = ${x.value(factorRule)}`] : []),
    ],
    ...(factorRule ? {} : { remove: [x.path('factorRule')] }),
    condition: isPresent(x),
  }),
  orElse,
})

/** What a review changes about a session. */
export type SessionRules = Partial<
  Pick<SessionRecord, 'factorRule' | 'secondFactorRequiredFrom' | 'expiresAt'>
>

/** Changes what the rules of the sign-in say about a session. One that has ended, or has a newer proof, stays as it is. */
export const updateSessionRules = async (
  table: Table,
  { userId, hash, authentication }: SessionRecord,
  { factorRule, ...limits }: SessionRules,
): Promise<void> => {
  await wasCommitted(
    table.tryUpdate(sessionKey(userId, hash), (x) => ({
      set: [
        ...Object.entries(omitUndefined({ factorRule, ...limits })).map(
          ([name, value]) => `${x.path(name)} = ${x.value(value)}`,
        ),
        ...(limits.expiresAt === undefined
          ? []
          : [`${x.path('expires_at')} = ${x.value(Math.ceil(limits.expiresAt / 1000))}`]),
      ],
      ...(factorRule ? {} : { remove: [x.path('factorRule')] }),
      condition: `${isPresent(x)} AND ${x.path('authentication', 'at')} = ${x.value(authentication.at)}`,
    })),
  )
}

/** DynamoDB's limit. */
export const stepsPerTransaction = 100

/** Deletes sessions that are revoked already, so that they no longer appear in lists. */
export const deleteSessions = async (table: Table, sessions: readonly SessionRecord[]): Promise<void> => {
  for (let at = 0; at < sessions.length; at += stepsPerTransaction) {
    const some = sessions.slice(at, at + stepsPerTransaction)
    await table.transact(some.map(({ userId, hash }) => ({ delete: sessionKey(userId, hash) })))
  }
}

/** Moves a session to a new credential epoch of its user, and adds what was proved in it. The other sessions end with the old epoch. */
export const buildKeepSessionStep = (
  { userId, hash, authentication }: SessionRecord,
  credentialEpoch: number,
  orElse?: OrElse,
  proven: readonly AuthenticationMethod[] = [],
): Step => ({
  update: sessionKey(userId, hash),
  changes: (x) => ({
    set: [
      `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`,
      ...(proven.length > 0
        ? [`${x.path('authentication', 'methods')} = ${x.value([...authentication.methods, ...proven])}`]
        : []),
    ],
    condition: isPresent(x),
  }),
  orElse,
})
