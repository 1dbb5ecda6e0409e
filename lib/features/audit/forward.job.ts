import { marshall } from '@aws-sdk/util-dynamodb'
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { isLogoutJobKey, type LogoutJobKey } from '../../accounts/sessions/logout-jobs.records.ts'
import { jobEvent } from '../../kernel/contract/job-event.ts'
import { readAll } from '../../kernel/table/listing.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { type BusEvent, createBusWriter, type WriteToBus } from '../../kernel/util/bus-writer.ts'
import { memoize } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'

/** Records without a key are left to `forwardEvents`, which ignores them. */
const noKey = { pk: '', sk: '' }

/**
 * Forwards the audit events whose keys the stream of the table delivers to the bus. The first event that the bus did not
 * confirm is reported to Lambda, which delivers it and all later events again. So each event arrives at least once.
 *
 * It also starts new logout jobs, because DynamoDB allows a stream only two readers.
 *
 * @throws an error if the events cannot be read, so that Lambda delivers all of them again
 */
export const createForwardJob = (
  services: Services,
  { AUDIT_BUS_NAME, JOB_BUS_NAME }: Readonly<Record<string, string | undefined>>,
) => {
  const openBus = memoize(createBusWriter)
  const writeToBus = openBus(AUDIT_BUS_NAME)
  // The bus of jobs is opened with the first logout job. Most deliveries contain none, and creating a client takes a part of a cold start.
  const writeToJobBus: WriteToBus = (batch) => openBus(JOB_BUS_NAME)(batch)
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const keys = Records.flatMap((record) => readStreamKey(record) ?? [])
    await startLogoutJobs(services, writeToJobBus, keys.filter(isLogoutJobKey))
    const events = Records.filter((record) => !isLogoutJobKey(readStreamKey(record) ?? noKey))
    const unconfirmed = await forwardEvents(services, writeToBus, events)
    return { batchItemFailures: unconfirmed === undefined ? [] : [{ itemIdentifier: unconfirmed }] }
  }
}

/**
 * Starts the function that informs OpenID Connect clients of ended sessions. A failure is only logged, because a schedule
 * starts the function as well, and audit events must not wait.
 */
const startLogoutJobs = async (
  { log }: Services,
  writeToBus: WriteToBus,
  keys: readonly LogoutJobKey[],
): Promise<void> => {
  if (keys.length === 0) return
  const entry = {
    source: jobEvent.source,
    detailType: jobEvent.logoutJobs,
    detail: JSON.stringify({ keys }),
  }
  const refusal = await writeToBus([entry]).catch((error: unknown) => ({ error }))
  if (refusal) log.error('oidc.logout_jobs_not_started', { error: refusal.error })
}

/**
 * Reads the audit events with the keys in these stream records, and puts them on the bus in the order of the stream. An
 * event that no longer exists is skipped. Returns the sequence number of the first event that the bus did not confirm.
 *
 * @throws an error of the table if the events cannot be read
 */
const forwardEvents = async (
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

/** The source and detail type of events on the bus. Rules match them, so they never change. */
const source = 'latchkey'
const detailType = 'Audit record'

/** An audit event on its way to the bus. */
interface BusEntry extends BusEvent {
  /** The position in the stream. */
  readonly sequenceNumber: string
}

/** The detail is the item as the table stores it: `{"record": {"event": {"S": "login.failed"}, …}}`. */
const buildBusEntry = (sequenceNumber: string, item: Item): BusEntry => ({
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
const splitEntries = (entries: readonly BusEntry[]): readonly (readonly BusEntry[])[] => {
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

/** The key of the item of a stream record. */
const readStreamKey = ({
  dynamodb,
}: DynamoDBRecord): { readonly pk: string; readonly sk: string } | undefined => {
  const [pk, sk] = [dynamodb?.Keys?.['pk']?.S, dynamodb?.Keys?.['sk']?.S]
  return pk && sk ? { pk, sk } : undefined
}
