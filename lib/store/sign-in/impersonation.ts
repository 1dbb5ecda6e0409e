import { isPresent, type Update } from '../engine/expressions.ts'
import { sessionKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import type { SessionRecord } from '../records/session-record.ts'

/**
 * Lets the administrator of a session impersonate another user until a time.
 *
 * @throws ConditionFailed if the session has ended or impersonates a user already.
 */
export const startImpersonation = (
  table: Table,
  session: SessionRecord,
  { nowMs, ...impersonation }: NonNullable<SessionRecord['impersonation']> & { readonly nowMs: number },
  extraSteps: readonly Step[],
): Promise<void> => {
  const changes: Update = (x) => ({
    set: [`${x.path('impersonation')} = ${x.value(impersonation)}`],
    condition: [
      isPresent(x),
      `(attribute_not_exists(${x.path('impersonation')}) OR ${x.path('impersonation', 'until')} <= ${x.value(nowMs)})`,
    ].join(' AND '),
  })
  return table.transact([{ update: sessionKey(session.userId, session.hash), changes }, ...extraSteps])
}

/** Stops impersonating. @throws ConditionFailed if the session does not impersonate a user. */
export const endImpersonation = (
  table: Table,
  session: SessionRecord,
  extraSteps: readonly Step[],
): Promise<void> => {
  const changes: Update = (x) => ({
    remove: [x.path('impersonation')],
    condition: `attribute_exists(${x.path('impersonation')})`,
  })
  return table.transact([{ update: sessionKey(session.userId, session.hash), changes }, ...extraSteps])
}
