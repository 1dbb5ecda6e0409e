import { type TotalKind, totalsKey } from './keys/keys.ts'
import type { Table } from './table.ts'
import type { Step } from './transaction.ts'

/*
 * How many records of a kind there are. The transaction that creates or deletes a record counts it, so a total stays exact when
 * work is interrupted or repeated. Counters are in many items: two transactions that count in the same one at the same time
 * are in each other's way, and one of them is repeated. All items are read with one call, which takes at most 100.
 */

const shards = 96

/** Records of each kind that are created, or deleted if the number is negative. */
export type TotalChanges = Partial<Record<TotalKind, number>>

/**
 * Builds the step that counts records. `block` chooses the item: users whom one transaction creates together should share it.
 */
export const buildTotalSteps = (
  changes: TotalChanges,
  block = Math.floor(Math.random() * shards),
): readonly Step[] => {
  const amounts = Object.fromEntries(Object.entries(changes).filter(([, change]) => change !== 0))
  return Object.keys(amounts).length === 0 ? [] : [{ addTo: totalsKey(block % shards), amounts }]
}

/** Reads how many records of a kind there are, with one call for all kinds. */
export const readTotals = async (table: Table): Promise<(kind: TotalKind) => number> => {
  const items = await table.getMany(Array.from({ length: shards }, (_, shard) => totalsKey(shard)))
  return (kind) => items.reduce((sum, item) => sum + (Number(item?.[kind]) || 0), 0)
}
