import { withAws } from '../../infra/local/aws-environment.ts'
import { startEngine } from '../../infra/local/dynamodb.ts'
import type { EngineName } from '../../infra/local/engines.ts'

/**
 * One engine in memory for the whole run, inherited by the tests as `DYNAMODB_ENDPOINT`; each test file makes a table
 * of its own in it. `ENGINE` chooses which; with `DYNAMODB_ENDPOINT` set already, that one is used.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const { ENGINE, DYNAMODB_ENDPOINT } = process.env
  const engine = await startEngine({
    dataDir: ':memory:',
    engine: ENGINE as EngineName | undefined,
    endpoint: DYNAMODB_ENDPOINT,
  })
  process.env = { ...withAws(process.env, !DYNAMODB_ENDPOINT), DYNAMODB_ENDPOINT: engine.endpoint }
  return engine.close
}
