import { availableParallelism } from 'node:os'
import { writeClient } from '../../build/client/write-client.ts'
import { withAws } from '../../local/aws-environment.ts'
import { startEngine } from '../../local/dynamodb.ts'
import type { EngineName } from '../../local/engines.ts'
import { createSharedFolder } from './shared-folder.ts'

/** As many as most projects have workers, which `fresh-state.ts` shares out: an engine serves one call after the other. */
const engineCount = Math.max(2, availableParallelism()) + 1

/**
 * Writes the typed client, and starts engines in memory for the whole run. Tests find theirs in `DYNAMODB_ENDPOINT`, and each
 * test file creates its own table. `ENGINE` selects the engine. If `DYNAMODB_ENDPOINT` is already set, that engine is used.
 * `TEST_ENGINE` names the one that was started.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  await writeClient()
  const { ENGINE, DYNAMODB_ENDPOINT } = process.env
  const start = () =>
    startEngine({
      dataDir: ':memory:',
      engine: ENGINE as EngineName | undefined,
      endpoint: DYNAMODB_ENDPOINT,
      onExit: (reason) => process.stderr.write(`${reason}\n`),
    })
  const engine = await start()
  // Another one of the other engine takes hundreds of megabytes.
  const others = engine.name === 'dynoxide' ? engineCount - 1 : 0
  const engines = [engine, ...(await Promise.all(Array.from({ length: others }, start)))]
  process.env = {
    ...withAws(process.env, !DYNAMODB_ENDPOINT),
    DYNAMODB_ENDPOINT: engine.endpoint,
    // Each project of a run calls this; the first call decides.
    TEST_ENGINE: process.env['TEST_ENGINE'] ?? engine.name,
    TEST_ENDPOINTS: process.env['TEST_ENDPOINTS'] ?? engines.map(({ endpoint }) => endpoint).join(' '),
  }
  const removeSharedFolder = createSharedFolder()
  return async () => {
    removeSharedFolder()
    await Promise.all(engines.map((one) => one.close()))
  }
}
