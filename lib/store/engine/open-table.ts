import type { Table } from './table.ts'
import { createTableCalls, type TableOptions } from './table-calls.ts'
import { createTableReads } from './table-reads.ts'
import { createTableWrites } from './table-writes.ts'

export const openTable = (options: TableOptions): Table => {
  const calls = createTableCalls(options)
  const reads = createTableReads(calls)
  return { ...reads, ...createTableWrites(calls, reads) }
}
