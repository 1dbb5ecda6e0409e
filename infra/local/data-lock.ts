import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const busy = 5

/** Another process has the folder. */
export class DataDirInUse extends Error {}

const engineFile = (dataDir: string): string => join(dataDir, 'engine')

const pidIn = (dataDir: string): string => {
  try {
    return ` (process ${readFileSync(join(dataDir, 'pid'), 'utf8').trim()})`
  } catch {
    return ''
  }
}

/**
 * Takes the folder for this process, making it when it is missing, and returns what gives it back. The lock is one
 * that the system holds for us, so it can't outlive us, and a number left behind by a killed process means nothing.
 * Throws a `DataDirInUse` of one sentence when another process has the folder, an `Error` when nobody can.
 */
export const lockDataDir = (dataDir: string): (() => void) => {
  try {
    // Nobody else's: it holds password hashes.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const lock = new DatabaseSync(join(dataDir, 'lock'))
    lock.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE')
    rmSync(engineFile(dataDir), { force: true })
    writeFileSync(join(dataDir, 'pid'), `${process.pid}\n`)
    return () => lock.close()
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new DataDirInUse(
        `Latchkey runs on ${dataDir} already${pidIn(dataDir)}: stop it, or set another DATA_DIR.`,
      )
    }
    throw new Error(`DATA_DIR ${dataDir} can't be used: ${error instanceof Error ? error.message : error}.`)
  }
}

/** Says where the engine on this folder is served, for tools. To be called by who has the folder, and true that long. */
export const tellEngine = (dataDir: string, endpoint: string): void =>
  writeFileSync(engineFile(dataDir), `${endpoint}\n`, { mode: 0o600 })

/** Where the process that has the folder serves its engine; undefined as long as it hasn't said. */
export const engineOf = (dataDir: string): string | undefined => {
  try {
    return readFileSync(engineFile(dataDir), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
