import { randomUUID } from 'node:crypto'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { createTable, type RunningEngine, startEngine } from '../../local/dynamodb.ts'
import type { EngineName } from '../../local/engines.ts'

declare global {
  /** Outlives a test file, because files that share a process evaluate all modules anew. Ends with the process. */
  var testEngines: Map<EngineName, Promise<Pick<RunningEngine, 'endpoint'>>> | undefined
}

/** The engine of the run, or one that all test files of this process share. A Java engine takes seconds to start. */
const findEngine = (engine: EngineName): Promise<Pick<RunningEngine, 'endpoint'>> => {
  globalThis.testEngines ??= new Map()
  const { TEST_ENGINE, DYNAMODB_ENDPOINT: endpoint } = process.env
  const found =
    globalThis.testEngines.get(engine) ??
    (TEST_ENGINE === engine && endpoint
      ? Promise.resolve({ endpoint })
      : startEngine({ dataDir: ':memory:', engine }))
  globalThis.testEngines.set(engine, found)
  return found
}

/** Creates an empty table in an engine. */
export const tableIn = async (engine: EngineName): Promise<Table> => {
  const { endpoint } = await findEngine(engine)
  const tableName = `store-${randomUUID()}`
  await createTable(endpoint, tableName)
  return openTable({ tableName, endpoint, isEmbeddedEngine: true })
}
