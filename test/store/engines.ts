import { randomUUID } from 'node:crypto'
import { createTable, startEngine } from '../../infra/local/dynamodb.ts'
import { openTable, type Table } from '../../lib/store/table.ts'

/** The engines that the store's suite runs on: the one that local mode prefers and AWS's own. */
export const engineNames = ['dynoxide', 'dynamodb-local'] as const

export interface EngineTable {
  readonly table: Table
  readonly endpoint: string
  readonly tableName: string
  readonly close: () => Promise<void>
}

/** An empty table in an engine of its own. */
export const tableIn = async (engine: (typeof engineNames)[number]): Promise<EngineTable> => {
  const { endpoint, close } = await startEngine({ dataDir: ':memory:', engine })
  const tableName = `store-${randomUUID()}`
  await createTable(endpoint, tableName)
  return { table: openTable({ tableName, endpoint }), endpoint, tableName, close }
}
