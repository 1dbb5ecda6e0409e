import { suppressionMs } from '../../core/limits.ts'
import { createCodec } from '../engine/codec.ts'
import { isAbsent } from '../engine/expressions.ts'
import { suppressionKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'

/** Why an address receives no email. */
export interface Suppression {
  readonly reason: 'bounce' | 'complaint'
  /** Epoch milliseconds. */
  readonly since: number
  /** The ID of the email service's report. */
  readonly feedbackId: string
}

const suppressionCodec = createCodec<Suppression>('suppressed address', {
  reason: 'string',
  since: 'number',
  feedbackId: 'string',
})

/** Why an address receives no email. Undefined if it may receive email. */
export const findSuppression = async (
  table: Table,
  normalizedEmail: string,
  nowMs: number,
): Promise<Suppression | undefined> => {
  const item = await table.get(suppressionKey(normalizedEmail))
  // DynamoDB deletes expired items late.
  return item && Number(item['expires_at']) * 1000 > nowMs ? suppressionCodec.decode(item) : undefined
}

/**
 * Suppresses emails to an address. Returns false and writes nothing if the same report was processed before, because a
 * report can be delivered more than once.
 */
export const suppressAddress = async (
  table: Table,
  normalizedEmail: string,
  { reason, since, feedbackId }: Suppression,
  extraSteps: readonly Step[],
): Promise<boolean> => {
  const expires_at = Math.ceil((since + suppressionMs) / 1000)
  return wasCommitted(
    table.transact([
      {
        put: { ...suppressionKey(normalizedEmail), reason, since, feedbackId, expires_at },
        condition: (x) => `${isAbsent(x)} OR ${x.path('feedbackId')} <> ${x.value(feedbackId)}`,
      },
      ...extraSteps,
    ]),
  )
}
