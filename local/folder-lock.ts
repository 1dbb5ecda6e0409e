import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

type Unlock = () => void

const busy = 5

/**
 * Locks a folder with two locks that the operating system ends with the process: one on a file in the folder, and on Linux
 * one on a name. Versions of Node.js without SQLite have only the second one, so newer ones take both. Undefined if another
 * process has the lock. Throws an `Error` if neither lock exists on this machine.
 */
export const lockFolder = async (folder: string): Promise<Unlock | undefined> => {
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
