import { marshall } from '@aws-sdk/util-dynamodb'
import type { Item } from '../../lib/store/engine/transaction.ts'
import type { BusEvent } from '../../lib/util/bus-writer.ts'

/** The source and detail type of events on the bus. Rules match them, so they never change. */
const source = 'latchkey'
const detailType = 'Audit record'

/** An audit event on its way to the bus. */
export interface BusEntry extends BusEvent {
  /** The position in the stream. */
  readonly sequenceNumber: string
}

/** The detail is the item as the table stores it: `{"record": {"event": {"S": "login.failed"}, …}}`. */
export const buildBusEntry = (sequenceNumber: string, item: Item): BusEntry => ({
  sequenceNumber,
  source,
  detailType,
  detail: JSON.stringify({ record: marshall(item) }),
})

/** The limits of EventBridge for one call of PutEvents. */
const maxEntries = 10
const maxBytes = 256 * 1024

/** EventBridge counts the UTF-8 bytes of these fields. */
const countBytes = (entry: BusEntry): number =>
  Buffer.byteLength(entry.source) + Buffer.byteLength(entry.detailType) + Buffer.byteLength(entry.detail)

/** Splits entries into batches within the limits of one call, in order. An entry that is too large stands alone. */
export const splitEntries = (entries: readonly BusEntry[]): readonly (readonly BusEntry[])[] => {
  const batches: BusEntry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const batch = batches.at(-1)
    const size = countBytes(entry)
    bytes += size
    if (batch && batch.length < maxEntries && bytes <= maxBytes) batch.push(entry)
    else {
      batches.push([entry])
      bytes = size
    }
  }
  return batches
}
