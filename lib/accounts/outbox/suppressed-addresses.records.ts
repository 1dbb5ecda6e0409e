import { suppressionMs } from '../../kernel/limits/limits.ts'
import { isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { suppressionKey } from '../../kernel/table/keys/keys.ts'
import { timedListing, timedListPartitions } from '../../kernel/table/keys/listing-keys.ts'
import { type Page, type PageRequest, readAll, readPage } from '../../kernel/table/listing.ts'
import { mergeSources } from '../../kernel/table/merge-lists.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Item, type OrElse, type Step, wasCommitted } from '../../kernel/table/transaction.ts'

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
  return item && getItemEnd(item) > nowMs ? suppressionCodec.decode(item) : undefined
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
        put: {
          ...suppressionKey(normalizedEmail),
          ...timedListing('suppressed', normalizedEmail, since),
          reason,
          since,
          feedbackId,
          expires_at,
        },
        condition: (x) => `${isAbsent(x)} OR ${x.path('feedbackId')} <> ${x.value(feedbackId)}`,
      },
      ...extraSteps,
    ]),
  )
}

/** A suppressed address in its normalized form. */
export interface SuppressedAddress extends Suppression {
  readonly normalizedEmail: string
}

/** Until when an address receives no email, in epoch milliseconds. */
export const getSuppressionEnd = ({ since }: Suppression): number =>
  Math.ceil((since + suppressionMs) / 1000) * 1000

/** Reads a page of the suppressed addresses in order of time. */
export const readSuppressedPage = (
  table: Table,
  request: PageRequest,
  nowMs: number,
): Promise<Page<SuppressedAddress>> => {
  const lists = timedListPartitions('suppressed').map((pk) => ({ pk, index: 'listing' as const }))
  return readPage(table, mergeSources(table, lists), request, async (entries) => {
    const items = await readAll(
      table,
      entries.map(({ key }) => key),
    )
    return items.map((item) => (item && getItemEnd(item) > nowMs ? listAddress(table, item) : undefined))
  })
}

const getItemEnd = (item: Item): number => Number(item['expires_at']) * 1000

const listAddress = (table: Table, item: Item): SuppressedAddress | undefined => {
  const [suppression] = decodeListed(table, suppressionCodec, [item])
  return suppression && { ...suppression, normalizedEmail: item.pk.slice(suppressionKey('').pk.length) }
}

/** Builds the step that lets an address receive email again. It fails if the address is not suppressed. */
export const buildLiftSuppressionStep = (normalizedEmail: string, orElse: OrElse): Step => ({
  delete: suppressionKey(normalizedEmail),
  condition: isPresent,
  orElse,
})
