import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const busy = 5

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
 * Throws an `Error` of one sentence when another process has the folder, or nobody can.
 */
export const lockDataDir = (dataDir: string): (() => void) => {
  try {
    // Nobody else's: it holds password hashes.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const lock = new DatabaseSync(join(dataDir, 'lock'))
    lock.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE')
    writeFileSync(join(dataDir, 'pid'), `${process.pid}\n`)
    return () => lock.close()
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new Error(
        `Latchkey runs on ${dataDir} already${pidIn(dataDir)}: stop it, or set another DATA_DIR.`,
      )
    }
    throw new Error(`DATA_DIR ${dataDir} can't be used: ${error instanceof Error ? error.message : error}.`)
  }
}
