import { randomBytes } from 'node:crypto'
import { scimCallKey, scimCallPrefix, scimPartition } from '../../kernel/table/keys/scim-keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { day } from '../../kernel/util/time.ts'

/*
 * The last calls of a directory, to show people what it sends and what is wrong with it. Each call is an item of its own, which expires, so
 * that no two calls write the same one. An item has no value of the request but the name of the resource.
 */

export interface ScimCallRecord {
  /** Epoch milliseconds. */
  readonly at: number
  readonly method: string
  /** The kind of resources, or the document: `Users`. */
  readonly resource: string
  readonly status: number
  readonly scimType?: string
  /** What the response said is wrong. It repeats no value. */
  readonly detail?: string
  readonly resourceId?: string
  /** The `userName` or the `displayName` that the request or its response had. */
  readonly name?: string
  /** Whether the directory wanted somebody active whom something here ended. */
  readonly isEndedHere?: true
}

const codec = createCodec<ScimCallRecord>('call of a directory', {
  at: 'number',
  method: 'string',
  resource: 'string',
  status: 'number',
})

export const scimCallsShown = 200
const keptMs = 7 * day

export const storeScimCall = (table: Table, connectionId: number, call: ScimCallRecord): Promise<void> =>
  table.put({
    ...omitUndefined(codec.encode(call)),
    ...scimCallKey(connectionId, call.at, randomBytes(6).toString('base64url')),
    expires_at: Math.ceil((call.at + keptMs) / 1000),
  })

/** Reads the last calls, the newest first. */
export const readScimCalls = async (
  table: Table,
  connectionId: number,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly ScimCallRecord[]> => {
  const items = await table.page({
    pk: scimPartition(connectionId),
    from: scimCallPrefix,
    to: `${scimCallPrefix}~`,
    isDescending: true,
    limit,
  })
  return decodeListed(table, codec, items).filter(({ at }) => at + keptMs > nowMs)
}
