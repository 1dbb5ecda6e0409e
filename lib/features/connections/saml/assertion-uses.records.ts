import { isAbsent } from '../../../kernel/table/expressions.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { type OrElse, type Step, wasCommitted } from '../../../kernel/table/transaction.ts'
import { toSeconds } from '../../../kernel/util/time.ts'
import { getFlowKey } from '../flows.records.ts'

/** Accepts an assertion once, until it expires. Returns false if it was accepted before. */
export const reserveAssertion = (
  table: Table,
  providerId: number,
  assertionId: string,
  untilMs: number,
): Promise<boolean> =>
  wasCommitted(
    table.reserve({
      ...getFlowKey(providerId, 'assertion', assertionId),
      expires_at: toSeconds(untilMs) + 1,
    }),
  )

/** Builds the step that accepts an assertion once, for the transaction that its sign-in ends with. */
export const buildAssertionStep = (
  providerId: number,
  assertionId: string,
  { untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number },
  orElse: OrElse,
): Step => ({
  put: { ...getFlowKey(providerId, 'assertion', assertionId), expires_at: toSeconds(untilMs) + 1 },
  // DynamoDB deletes expired items late.
  condition: (x) => `${isAbsent(x)} OR ${x.path('expires_at')} <= ${x.value(Math.floor(nowMs / 1000))}`,
  orElse,
})

/** Whether an assertion was accepted before. */
export const isAssertionReserved = async (
  table: Table,
  providerId: number,
  assertionId: string,
): Promise<boolean> => (await table.get(getFlowKey(providerId, 'assertion', assertionId))) !== undefined
