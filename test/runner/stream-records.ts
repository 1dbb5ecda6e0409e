import { randomUUID } from 'node:crypto'
import type { TableCall } from '../infra/dynamodb-proxy.ts'
import { listChanges, type WireKey } from './changed-keys.ts'

/** A record of a stream with the view KEYS_ONLY. */
export interface StreamRecord {
  readonly eventID: string
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  readonly eventSource: 'aws:dynamodb'
  readonly eventSourceARN: string
  readonly dynamodb: {
    readonly Keys: WireKey
    readonly SequenceNumber: string
    readonly StreamViewType: 'KEYS_ONLY'
  }
}

/**
 * Creates the records of a table's stream from its successful writes. All writes must pass, from the empty table on:
 * only then it is known whether an item is new.
 */
export const createStreamRecords = (streamArn: string) => {
  const existing = new Set<string>()
  let sequence = 0
  return (call: TableCall): readonly StreamRecord[] =>
    listChanges(call).flatMap(({ key, isDeleted }) => {
      const name = JSON.stringify(key)
      const existed = existing.has(name)
      if (isDeleted) existing.delete(name)
      else existing.add(name)
      if (isDeleted && !existed) return []
      const eventName = isDeleted ? 'REMOVE' : existed ? 'MODIFY' : 'INSERT'
      const SequenceNumber = String(++sequence).padStart(21, '0')
      return [
        {
          eventID: randomUUID(),
          eventName,
          eventSource: 'aws:dynamodb',
          eventSourceARN: streamArn,
          dynamodb: { Keys: key, SequenceNumber, StreamViewType: 'KEYS_ONLY' },
        } as const,
      ]
    })
}
