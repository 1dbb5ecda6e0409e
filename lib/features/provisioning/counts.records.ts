import { randomInt } from 'node:crypto'
import { type ScimKind, scimCountKey } from '../../kernel/table/keys/scim-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

/*
 * How many people and groups a connection has. The transaction that creates or deletes one counts it, in one of several items, so that two
 * people seldom meet in one.
 */

const shards = 16

/** Builds the step that counts. A negative number takes away. */
export const buildCountSteps = (
  connectionId: number,
  amounts: Readonly<Partial<Record<ScimKind, number>>>,
): readonly Step[] => [{ addTo: scimCountKey(connectionId, randomInt(shards)), amounts }]

/** Reads how many there are, in one call. */
export const readScimCount = async (table: Table, connectionId: number, kind: ScimKind): Promise<number> => {
  const items = await table.getMany(
    Array.from({ length: shards }, (_, shard) => scimCountKey(connectionId, shard)),
  )
  return items.reduce((sum, item) => sum + (Number(item?.[kind]) || 0), 0)
}
