import { join } from 'node:path'
import { bundleFunctions } from '../../build/bundle/bundle.ts'
import { startService } from '../../test/support/local-service.ts'
import { type ChildServer, startNodeServer } from './child-server.ts'
import { createLatchkeyJobs } from './latchkey-jobs.ts'
import type { LatchkeyWorld } from './latchkey-world.ts'
import type { Target } from './scenarios.ts'

/** The functions that the scenarios call. */
const groups = ['api-tokens', 'connection-flow', 'connections', 'sessions', 'tickets', 'users']

const server = 'bench/load/serve-latchkey.ts'

/** Serves the handlers in a folder behind the bare gateway in one process. */
export const startHandlers = async (
  name: string,
  folder: string,
  entry: string,
  world: LatchkeyWorld,
): Promise<Target & { readonly server: ChildServer }> => {
  const child = await startNodeServer(server, (url) => ({
    ...world.env,
    PUBLIC_URL: url,
    HANDLERS: folder,
    ENTRY: entry,
    LOG_LEVEL: 'error',
    VALIDATE_RESPONSES: 'false',
  }))
  return {
    name,
    server: child,
    roots: [child.pid, ...world.enginePids],
    jobs: await createLatchkeyJobs(child.url),
    seed: world.seed,
    close: child.close,
  }
}

/** Starts the bundles that a deployment uploads, behind the bare gateway in one process. */
export const startBundles = async (world: LatchkeyWorld): Promise<Target> => {
  const outDir = join(world.dataDir, 'bundles')
  await bundleFunctions({ outDir, groups })
  return startHandlers('Latchkey bundles', outDir, 'index.mjs', world)
}

/** Starts the sources of the handlers, whose functions have names in a profile. */
export const startSources = (world: LatchkeyWorld) =>
  startHandlers('Latchkey sources', join(process.cwd(), 'functions'), 'index.ts', world)

/** Starts local mode as `npm start` does, with the engine of the world. */
export const startLocalMode = async (world: LatchkeyWorld): Promise<Target> => {
  const service = await startService({
    DATA_DIR: world.dataDir,
    DYNAMODB_ENDPOINT: world.env['DYNAMODB_ENDPOINT'] ?? '',
    PASSWORD_COST: world.env['PASSWORD_COST'] ?? '',
    RATE_LIMITS: world.env['RATE_LIMITS'] ?? '',
  })
  return {
    name: 'Latchkey npm start',
    roots: [service.pid, ...world.enginePids],
    jobs: await createLatchkeyJobs(service.url),
    seed: world.seed,
    close: async () => {
      service.process.kill('SIGTERM')
      await service.exited
    },
  }
}
