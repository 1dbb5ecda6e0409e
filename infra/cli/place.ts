import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createServices, type Services } from '../../lib/services.ts'
import { DataDirInUse, engineOf, lockDataDir } from '../local/data-lock.ts'
import { createTable, startEngine } from '../local/dynamodb.ts'
import { placeOfKey } from '../local/key-place.ts'
import { functionEnvironment, readSettings, type Settings, tableName } from '../local/settings.ts'
import { CommandFailure } from './failure.ts'

/** Where users are: a table that is open, and what to do when nobody needs it any more. */
export interface Place {
  readonly services: Services
  readonly close: () => Promise<void>
}

export interface PlaceOptions {
  /** A deployed table; local mode without it. */
  readonly table: string | undefined
  /** What to do where there is no data yet: begin with it, do as if, or say so. */
  readonly whenNew: 'make' | 'pretend' | 'refuse'
}

/** @throws CommandFailure, or an `Error` of one sentence, when it can't be opened. */
export const openPlace = ({ table, whenNew }: PlaceOptions): Promise<Place> =>
  table === undefined ? openLocal(whenNew) : openDeployed(table)

const openDeployed = async (table: string): Promise<Place> => {
  // No link is made here, so it doesn't matter where the service is reached.
  const { PUBLIC_URL = 'http://127.0.0.1' } = process.env
  const services = createServices({ ...process.env, TABLE_NAME: table, PUBLIC_URL, LOG_LEVEL: 'warn' })
  return { services, close: async () => {} }
}

interface Engine {
  readonly endpoint: string
  readonly close: () => Promise<void>
}

const openLocal = async (whenNew: PlaceOptions['whenNew']): Promise<Place> => {
  const settings = readSettings(process.env)
  const engine = await engineFor(settings, whenNew)
  try {
    await createTable(engine.endpoint, tableName)
    process.env = functionEnvironment(process.env, settings, engine.endpoint, placeOfKey(settings.dataDir))
    return { services: createServices(process.env), close: engine.close }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The engine of the service that runs on the folder, or else one of our own for as long as we need it. */
const engineFor = async (
  { dataDir, dynamodbEndpoint }: Settings,
  whenNew: PlaceOptions['whenNew'],
): Promise<Engine> => {
  if (dynamodbEndpoint) return startEngine({ dataDir, endpoint: dynamodbEndpoint })
  if (dataDir === ':memory:')
    throw new CommandFailure('DATA_DIR is :memory:, which only the service itself can reach: name a folder.')
  if (!existsSync(dataDir) && whenNew === 'refuse')
    throw new CommandFailure(`There is no data in ${dataDir}.`)
  if (!existsSync(dataDir) && whenNew === 'pretend') return startEngine({ dataDir: ':memory:' })
  try {
    const unlock = lockDataDir(dataDir)
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
    return { endpoint: await runningEngine(dataDir, error), close: async () => {} }
  }
}

const startTimeMs = 5000
const pollMs = 100

/** The engine of the process that has the folder, which may be starting just now; another import never tells. */
const runningEngine = async (dataDir: string, inUse: DataDirInUse): Promise<string> => {
  for (let waited = 0; waited < startTimeMs; waited += pollMs) {
    const endpoint = engineOf(dataDir)
    if (endpoint) return endpoint
    await pause(pollMs)
  }
  throw inUse
}
