import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServices, type Services } from '../../lib/services.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { DataDirInUse, lockDataDir, type RunningService, readService } from '../../local/data-lock.ts'
import { createTable, startEngine } from '../../local/dynamodb.ts'
import { createKeyPaths } from '../../local/key-path.ts'
import { functionEnvironment, readSettings, type Settings, tableName } from '../../local/settings.ts'

/** The open table that a command works on. */
export interface ImportTarget {
  readonly services: Services
  readonly close: () => Promise<void>
}

export interface TargetOptions {
  /** The name of a deployed table. Undefined for local mode. */
  readonly table: string | undefined
  /** The address of the service with that table. Only a command that prints links needs it. */
  readonly publicUrl?: string | undefined
  /** What to do when the data folder does not exist: create it, use an empty table in memory, or fail. */
  readonly whenNew: 'create' | 'simulate' | 'fail'
}

/** @throws CommandFailure, or an `Error` with one sentence, when the table cannot be opened. */
export const openTarget = ({ table, publicUrl, whenNew }: TargetOptions): Promise<ImportTarget> =>
  table === undefined ? openLocal(whenNew) : openDeployed(table, publicUrl)

const openDeployed = async (table: string, publicUrl: string | undefined): Promise<ImportTarget> => {
  // Commands that create no links do not need the URL of the service.
  const PUBLIC_URL = publicUrl ?? process.env['PUBLIC_URL'] ?? 'http://127.0.0.1'
  const services = createServices({ ...process.env, TABLE_NAME: table, PUBLIC_URL, LOG_LEVEL: 'warn' })
  return { services, close: async () => {} }
}

interface Engine {
  readonly endpoint: string
  /** The address of the service that runs on the folder. Undefined if none runs. */
  readonly publicUrl?: string
  readonly close: () => Promise<void>
}

const openLocal = async (whenNew: TargetOptions['whenNew']): Promise<ImportTarget> => {
  const settings = readSettings(process.env)
  const { dataDir } = settings
  const isNew = !existsSync(dataDir)
  const engine = await engineFor(settings, whenNew)
  try {
    // Links lead to the service that runs on the folder, whatever port it has.
    const { publicUrl = settings.publicUrl } = engine
    const opened = { ...settings, publicUrl }
    process.env = functionEnvironment(process.env, opened, engine.endpoint, createKeyPaths(dataDir))
    await createTable(engine.endpoint, tableName)
    // The folder of another project looks the same as the first start of a new one.
    if (isNew && existsSync(dataDir))
      process.stderr.write(
        `A new service was made in ${dataDir}. If you meant another one, run the command in its folder, or set DATA_DIR.\n`,
      )
    return { services: createServices(process.env), close: engine.close }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The engine of the service that runs on the data folder. Without a service, an engine of this command. */
const engineFor = async (
  { dataDir, dynamodbEndpoint }: Settings,
  whenNew: TargetOptions['whenNew'],
): Promise<Engine> => {
  if (dynamodbEndpoint) return startEngine({ dataDir, endpoint: dynamodbEndpoint })
  if (dataDir === ':memory:')
    throw new CommandFailure('DATA_DIR is :memory:, which only the service can reach. Set it to a folder.')
  if (!existsSync(dataDir) && whenNew === 'fail') throw new CommandFailure(`There is no data in ${dataDir}.`)
  if (!existsSync(dataDir) && whenNew === 'simulate') return startEngine({ dataDir: ':memory:' })
  try {
    const unlock = await lockDataDir(dataDir)
    const engine = await startEngine({ dataDir })
    return {
      endpoint: engine.endpoint,
      close: async () => {
        await engine.close()
        unlock()
      },
    }
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    return { ...(await waitForService(dataDir, error)), close: async () => {} }
  }
}

const startTimeMs = 5000
const pollMs = 100

/** The service that locks the folder. It may be starting. Another import publishes none. */
const waitForService = async (dataDir: string, inUse: DataDirInUse): Promise<RunningService> => {
  for (let waited = 0; waited < startTimeMs; waited += pollMs) {
    const service = readService(dataDir)
    if (service) return service
    await sleep(pollMs)
  }
  throw inUse
}
