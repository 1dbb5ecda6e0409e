import { writeClient } from '../../build/client/write-client.ts'
import { withAws } from '../../local/aws-environment.ts'
import { startEngine } from '../../local/dynamodb.ts'
import type { EngineName } from '../../local/engines.ts'
import { createSharedFolder } from './shared-folder.ts'

/**
 * Writes the typed client, and starts one engine in memory for the whole run. Tests find it in `DYNAMODB_ENDPOINT`, and each
 * test file creates its own table. `ENGINE` selects the engine. If `DYNAMODB_ENDPOINT` is already set, that engine is used.
 * `TEST_ENGINE` names the one that was started.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  await writeClient()
  const { ENGINE, DYNAMODB_ENDPOINT } = process.env
  const engine = await startEngine({
    dataDir: ':memory:',
    engine: ENGINE as EngineName | undefined,
    endpoint: DYNAMODB_ENDPOINT,
    onExit: (reason) => process.stderr.write(`${reason}\n`),
  })
  process.env = {
    ...withAws(process.env, { isOwnEngine: !DYNAMODB_ENDPOINT }),
    DYNAMODB_ENDPOINT: engine.endpoint,
    // Each project of a run calls this; the first call decides.
    TEST_ENGINE: process.env['TEST_ENGINE'] ?? engine.name,
  }
  const removeSharedFolder = createSharedFolder()
  return async () => {
    removeSharedFolder()
    await engine.close()
  }
}
