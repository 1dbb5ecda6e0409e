import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFolder } from './folder-lock.ts'

/** Thrown when another process uses the data folder. */
export class DataDirInUse extends Error {}

const engineFile = (dataDir: string): string => join(dataDir, 'engine')

const describeOwner = (dataDir: string): string => {
  try {
    return ` (process ${readFileSync(join(dataDir, 'pid'), 'utf8').trim()})`
  } catch {
    return ''
  }
}

/**
 * Locks the data folder for this process, creating it if necessary. Returns a function that releases the lock. The
 * operating system holds the lock, so it ends with the process even if the process is killed.
 * Throws `DataDirInUse` if another process uses the folder, and `Error` if the folder is unusable.
 */
export const lockDataDir = async (dataDir: string): Promise<() => void> => {
  try {
    // Only the owner may read it, because it contains password hashes.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const unlock = await lockFolder(dataDir)
    if (!unlock) throw new DataDirInUse()
    rmSync(engineFile(dataDir), { force: true })
    writeFileSync(join(dataDir, 'pid'), `${process.pid}\n`)
    return unlock
  } catch (error) {
    if (error instanceof DataDirInUse)
      throw new DataDirInUse(
        `Latchkey already uses ${dataDir}${describeOwner(dataDir)}. Stop it or set another DATA_DIR.`,
      )
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${error instanceof Error ? error.message : error}.`)
  }
}

/** Publishes the engine's endpoint for tools such as the import. Only the owner of the lock may call it. */
export const publishEngine = (dataDir: string, endpoint: string): void =>
  writeFileSync(engineFile(dataDir), `${endpoint}\n`, { mode: 0o600 })

/** Reads the published endpoint of the engine; undefined if none is published. */
export const readEngine = (dataDir: string): string | undefined => {
  try {
    return readFileSync(engineFile(dataDir), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
