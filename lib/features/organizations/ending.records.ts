import { idAtEnd, type Key } from '../../kernel/table/keys/keys.ts'
import { organizationEndingKey, organizationEndingPrefix } from '../../kernel/table/keys/organization-keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { type Listing, readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

/*
 * Owners can have their organization deleted after a grace period. The time is part of its record. An item in the order of time
 * leads to it, and is there as long as the time is.
 */

interface Ending {
  readonly id: number
  readonly endsAt?: number | null
}

/** Builds the steps that keep the item in line with a record. `after` is undefined for a deleted organization. */
export const buildEndingSteps = (before: Ending, after: Ending | undefined): readonly Step[] => {
  const [oldTime, newTime] = [before.endsAt ?? null, after?.endsAt ?? null]
  if (oldTime === newTime) return []
  return [
    ...(oldTime === null ? [] : [{ delete: organizationEndingKey(oldTime, before.id) }]),
    ...(newTime === null ? [] : [{ put: { ...organizationEndingKey(newTime, before.id) } }]),
  ]
}

/** The IDs of the organizations whose time has come, first those that wait longest. */
export async function* readDueEndings(table: Table, nowMs: number): AsyncGenerator<DueEnding> {
  const listing: Listing = {
    pk: partitions.organizationEndings,
    isListing: false,
    from: organizationEndingPrefix,
    to: organizationEndingKey(nowMs, Number.MAX_SAFE_INTEGER).sk,
  }
  for await (const entries of readEntryPages(table, listing, limit))
    for (const { key } of entries) yield { key, organizationId: idAtEnd(key.sk) }
}

const limit = 100

interface DueEnding {
  readonly key: Key
  readonly organizationId: number
}
