import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'

/** An event for a bus. */
export interface BusEvent {
  readonly source: string
  readonly detailType: string
  /** JSON. */
  readonly detail: string
}

/** What the bus answered for an entry that it did not take. */
export interface Refusal {
  /** The position of the entry in the batch. */
  readonly at: number
  /** The code of the refusal, or the error of the whole call. */
  readonly error: unknown
}

/** Puts a batch on the bus. Returns the first entry that was not taken. @throws the error of a failed call */
export type WriteToBus = (batch: readonly BusEvent[]) => Promise<Refusal | undefined>

/**
 * Creates the function that puts entries on a bus. A call without an answer is repeated, because an event may arrive
 * twice but must not be lost.
 */
export const createBusWriter = (busName: string | undefined): WriteToBus => {
  const client = new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  return async (batch) => {
    // Without a name, EventBridge would use the default bus of the account, whose rules belong to others.
    if (!busName) throw new Error('The name of the bus is missing.')
    const input = batch.map(({ source, detailType, detail }) => ({
      EventBusName: busName,
      Source: source,
      DetailType: detailType,
      Detail: detail,
    }))
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: input }))
    const at = batch.findIndex((_, place) => Entries[place]?.EventId === undefined)
    return at < 0 ? undefined : { at, error: Entries[at]?.ErrorCode }
  }
}
