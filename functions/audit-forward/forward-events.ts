import type { DynamoDBRecord } from 'aws-lambda'
import type { Services } from '../../lib/services.ts'
import { readAll } from '../../lib/store/engine/listing.ts'
import type { WriteToBus } from '../../lib/util/bus-writer.ts'
import { buildBusEntry, splitEntries } from './bus-entry.ts'
import { readStreamKey } from './stream-keys.ts'

/**
 * Reads the audit events with the keys in these stream records, and puts them on the bus in the order of the stream. An
 * event that no longer exists is skipped. Returns the sequence number of the first event that the bus did not confirm.
 *
 * @throws an error of the table if the events cannot be read
 */
export const forwardEvents = async (
  { table, log }: Services,
  writeToBus: WriteToBus,
  records: readonly DynamoDBRecord[],
): Promise<string | undefined> => {
  const positions = records.flatMap((record) => {
    const key = readStreamKey(record)
    return key ? [{ sequenceNumber: record.dynamodb?.SequenceNumber ?? '', key }] : []
  })
  const items = await readAll(
    table,
    positions.map(({ key }) => key),
  )
  const entries = positions.flatMap(({ sequenceNumber }, at) => {
    const item = items[at]
    return item ? [buildBusEntry(sequenceNumber, item)] : []
  })
  for (const batch of splitEntries(entries)) {
    const refusal = await writeToBus(batch).catch((error: unknown) => ({ at: 0, error }))
    if (!refusal) continue
    log.error('audit.not_forwarded', { error: refusal.error })
    return batch[refusal.at]?.sequenceNumber
  }
  return undefined
}
