import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { findDataFile } from './engines.ts'

/** Thrown when another process uses the data folder. */
export class DataDirInUse extends Error {}

const engineFile = (dataDir: string): string => join(dataDir, 'engine')

/** Names the process that uses the folder. It remains if the process was killed. */
const pidFile = (dataDir: string): string => join(dataDir, 'pid')

const describeOwner = (dataDir: string): string => {
  try {
    return ` (process ${readFileSync(pidFile(dataDir), 'utf8').trim()})`
  } catch {
    return ''
  }
}

/**
 * Locks the data folder for this process, creating it if necessary. Returns a function that releases the lock. The
 * operating system holds the lock, so it ends with the process even if the process is killed.
 * Throws `DataDirInUse` if another process uses the folder, and `Error` if the folder is unusable or its data are damaged.
 */
export const lockDataDir = async (dataDir: string): Promise<() => void> => {
  try {
    // Only the owner may read it, because it contains password hashes.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const unlock = await lockFolder(dataDir)
    if (!unlock) throw new DataDirInUse()
    rmSync(engineFile(dataDir), { force: true })
    const pid = pidFile(dataDir)
    if (existsSync(pid)) requireSoundData(dataDir)
    writeFileSync(pid, `${process.pid}\n`)
    return () => {
      rmSync(pid, { force: true })
      unlock()
    }
  } catch (error) {
    if (error instanceof DataDirInUse)
      throw new DataDirInUse(
        `Latchkey already uses ${dataDir}${describeOwner(dataDir)}. Stop it or set another DATA_DIR.`,
      )
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${error instanceof Error ? error.message : error}.`)
  }
}

/** What commands need of the service that uses the folder. */
export interface RunningService {
  /** The endpoint of the engine. */
  readonly endpoint: string
  /** The address of the service, for links. */
  readonly publicUrl: string
}

/** Publishes the running service for commands such as the import. Only the owner of the lock may call it. */
export const publishService = (dataDir: string, { endpoint, publicUrl }: RunningService): void =>
  writeFileSync(engineFile(dataDir), `${endpoint}\n${publicUrl}\n`, { mode: 0o600 })

/** Reads the published service; undefined if none is published. */
export const readService = (dataDir: string): RunningService | undefined => {
  try {
    const [endpoint, publicUrl] = readFileSync(engineFile(dataDir), 'utf8').split('\n')
    return endpoint && publicUrl ? { endpoint, publicUrl } : undefined
  } catch {
    return undefined
  }
}

/** The results of SQLite that mean damage: `SQLITE_CORRUPT` and `SQLITE_NOTADB`. */
const damageCodes: readonly unknown[] = [11, 26]

/**
 * Checks the pages of the data after a process that was killed, as when the machine lost its power. The engines only notice
 * a damaged page when they read it. Versions of Node.js without SQLite check nothing.
 *
 * @throws Error if the data are damaged
 */
const requireSoundData = (dataDir: string): void => {
  const sqlite = process.getBuiltinModule('node:sqlite')
  const file = findDataFile(dataDir)
  if (!sqlite || file === undefined || isSound(sqlite, file)) return
  throw new Error(`its file ${basename(file)} is damaged. Restore a copy of the folder`)
}

const isSound = ({ DatabaseSync }: typeof import('node:sqlite'), file: string): boolean => {
  let database: InstanceType<typeof DatabaseSync> | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    // It compares no index with its table, so it takes one pass over the file.
    return database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok'
  } catch (error) {
    // The engine explains other failures when it starts.
    return !(error instanceof Error && 'errcode' in error && damageCodes.includes(error.errcode))
  } finally {
    database?.close()
  }
}

type Unlock = () => void

const busy = 5

/**
 * Locks a folder with two locks that the operating system ends with the process: one on a file in the folder, and on Linux
 * one on a name. Versions of Node.js without SQLite have only the second one, so newer ones take both. Undefined if another
 * process has the lock. Throws an `Error` if neither lock exists on this machine.
 */
const lockFolder = async (folder: string): Promise<Unlock | undefined> => {
  const sqlite = process.getBuiltinModule('node:sqlite')
  if (!sqlite && process.platform !== 'linux') throw new Error('local mode needs Node.js 24 on this system')
  const unlockName = process.platform === 'linux' ? await lockName(folder) : () => {}
  if (!unlockName) return undefined
  const unlockFile = sqlite ? lockFile(sqlite, folder) : () => {}
  if (!unlockFile) unlockName()
  return (
    unlockFile &&
    (() => {
      unlockFile()
      unlockName()
    })
  )
}

const lockFile = ({ DatabaseSync }: typeof import('node:sqlite'), folder: string): Unlock | undefined => {
  try {
    const lock = new DatabaseSync(join(folder, 'lock'))
    lock.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE')
    return () => lock.close()
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined
    throw error
  }
}

/** Listens on an abstract socket, which has a name but no file. Only one process can, until it ends. */
const lockName = async (folder: string): Promise<Unlock | undefined> => {
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex')
  const server = createServer((socket) => socket.destroy())
  server.listen(`\0latchkey-${name}`)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
  server.unref()
  return () => server.close()
}
