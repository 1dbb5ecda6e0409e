import { moveSession } from '../../accounts/sessions/end-sessions.records.ts'
import { buildSessionLogoutSteps, hasClientsAsRead } from '../../accounts/sessions/logout-jobs.records.ts'
import { hasSwitchesAsRead, type SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { type Condition, isPresent, type Update } from '../../kernel/table/expressions.ts'
import { sessionKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

/** Whether a session can start to impersonate a user now. */
const canStartImpersonation =
  (nowMs: number): Condition =>
  (x) =>
    [
      isPresent(x),
      `(attribute_not_exists(${x.path('impersonation')}) OR ${x.path('impersonation', 'until')} <= ${x.value(nowMs)})`,
    ].join(' AND ')

/** Whether a session impersonates a user. */
const hasImpersonation: Condition = (x) => `attribute_exists(${x.path('impersonation')})`

/**
 * Lets the administrator of a session impersonate another user until a time. The credential of the session stays.
 *
 * @throws ConditionFailed if the session has ended, got another client, or impersonates a user already.
 */
export const startImpersonation = (
  table: Table,
  session: SessionRecord,
  { nowMs, ...impersonation }: NonNullable<SessionRecord['impersonation']> & { readonly nowMs: number },
  extraSteps: readonly Step[],
): Promise<void> =>
  switchSession(table, session, extraSteps, (x) => ({
    set: [`${x.path('impersonation')} = ${x.value(impersonation)}`],
    condition: canStartImpersonation(nowMs)(x),
  }))

/** Stops impersonating. @throws ConditionFailed if the session does not impersonate a user, or got another client. */
export const endImpersonation = (
  table: Table,
  session: SessionRecord,
  extraSteps: readonly Step[],
): Promise<void> =>
  switchSession(table, session, extraSteps, (x) => ({
    remove: [x.path('impersonation')],
    condition: hasImpersonation(x),
  }))

/** Changes whom a session acts as. For the clients that got tokens, the session ends: they are informed. */
const switchSession = (
  table: Table,
  session: SessionRecord,
  extraSteps: readonly Step[],
  change: Update,
): Promise<void> => {
  const changes: Update = (x) => {
    const { set = [], remove = [], condition } = change(x)
    return {
      set: [...set, `${x.path('switches')} = ${x.value((session.switches ?? 0) + 1)}`],
      remove: [...remove, x.path('clients'), x.path('clientAccess')],
      condition: [condition, hasSwitchesAsRead(session)(x), hasClientsAsRead(session)(x)].join(' AND '),
    }
  }
  return table.transact([
    { update: sessionKey(session.userId, session.hash), changes },
    ...buildSessionLogoutSteps(session),
    ...extraSteps,
  ])
}

export interface Switch {
  /** The user to impersonate. Without one, the impersonation stops. */
  readonly impersonation?: NonNullable<SessionRecord['impersonation']>
  /** The hash of the new credential of the session. */
  readonly hash: string
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/**
 * Starts or stops impersonating and gives the session a new credential: see `moveSession`.
 *
 * @throws ConditionFailed if the session has ended, impersonates a user already, or does not impersonate one.
 */
export const moveImpersonatingSession = (
  table: Table,
  session: SessionRecord,
  { nowMs, ...change }: Switch,
  extraSteps: readonly Step[],
): Promise<void> => {
  const { impersonation: _, ...rest } = session
  return moveSession(table, session, {
    to: { ...rest, ...change },
    condition: change.impersonation ? canStartImpersonation(nowMs) : hasImpersonation,
    extraSteps,
  })
}
