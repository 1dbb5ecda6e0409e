import { idAtEnd, type Key } from './keys/keys.ts'
import { readEntryPages } from './listing.ts'
import type { Table } from './table.ts'
import type { Step } from './transaction.ts'

/*
 * What a job does at a time is part of a record. An item in the order of time leads to it. The key of the item ends with the ID of the
 * record.
 */

export type DueKey = (atMs: number, id: number) => Key

export interface DueItem {
  readonly key: Key
  readonly id: number
}

/** Builds the steps that move the item of a record from one time to another. Null is no time. */
export const buildDueSteps = (
  toKey: DueKey,
  id: number,
  before: number | null,
  after: number | null,
): readonly Step[] =>
  before === after
    ? []
    : [
        ...(before === null ? [] : [{ delete: toKey(before, id) }]),
        ...(after === null ? [] : [{ put: { ...toKey(after, id) } }]),
      ]

/** The items whose time has come, first those that wait longest. All sort keys of the partition begin with `prefix`. */
export async function* readDueItems(
  table: Table,
  toKey: DueKey,
  prefix: string,
  nowMs: number,
): AsyncGenerator<DueItem> {
  const { pk, sk: to } = toKey(nowMs, Number.MAX_SAFE_INTEGER)
  for await (const entries of readEntryPages(table, { pk, from: prefix, to }, entriesPerPage))
    for (const { key } of entries) yield { key, id: idAtEnd(key.sk) }
}

const entriesPerPage = 100
