import { suppressionMs } from '../../core/limits.ts'
import { createCodec } from '../engine/codec.ts'
import { isAbsent } from '../engine/expressions.ts'
import { suppressionKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'

/** Why an address gets no mail. */
export interface Suppression {
  readonly reason: 'bounce' | 'complaint'
  /** Epoch milliseconds. */
  readonly since: number
  /** Which report of the mail service it was. */
  readonly feedbackId: string
}

const suppressionCodec = createCodec<Suppression>('suppressed address', {
  reason: 'string',
  since: 'number',
  feedbackId: 'string',
})

/** Why an address gets no mail, or undefined when it may have some. */
export const findSuppression = async (
  table: Table,
  normalizedEmail: string,
  nowMs: number,
): Promise<Suppression | undefined> => {
  const item = await table.get(suppressionKey(normalizedEmail))
  // The table deletes late.
  return item && Number(item['expires_at']) * 1000 > nowMs ? suppressionCodec.decode(item) : undefined
}

/**
 * Keeps mail from an address from now on, together with the steps in `along`. False, and nothing is written, when
 * this very report was taken before: it may be brought more than once.
 */
export const suppressAddress = async (
  table: Table,
  normalizedEmail: string,
  { reason, since, feedbackId }: Suppression,
  along: readonly Step[],
): Promise<boolean> => {
  const expires_at = Math.ceil((since + suppressionMs) / 1000)
  return wasCommitted(
    table.transact([
      {
        put: { ...suppressionKey(normalizedEmail), reason, since, feedbackId, expires_at },
        condition: (x) => `${isAbsent(x)} OR ${x.path('feedbackId')} <> ${x.value(feedbackId)}`,
      },
      ...along,
    ]),
  )
}
