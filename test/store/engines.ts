import { randomUUID } from 'node:crypto'
import { openTable } from '../../lib/store/engine/open-table.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import { createTable, startEngine } from '../../local/dynamodb.ts'
import type { EngineName } from '../../local/engines.ts'

export interface EngineTable {
  readonly table: Table
  readonly endpoint: string
  readonly tableName: string
  readonly close: () => Promise<void>
}

/** Creates an empty table in its own engine. */
export const tableIn = async (engine: EngineName): Promise<EngineTable> => {
  const { endpoint, close } = await startEngine({ dataDir: ':memory:', engine })
  const tableName = `store-${randomUUID()}`
  await createTable(endpoint, tableName)
  return { table: openTable({ tableName, endpoint }), endpoint, tableName, close }
}
