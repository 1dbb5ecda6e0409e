import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const variable = 'LATCHKEY_SHARED_FOLDER'
const compileCacheVariable = 'NODE_COMPILE_CACHE'

/** The setting that lets a started process use the modules that other processes of the run compiled. */
export const compileCacheSetting = (): Readonly<Record<string, string>> => {
  const folder = process.env[compileCacheVariable]
  return folder ? { [compileCacheVariable]: folder } : {}
}

const memoryFolder = '/dev/shm'
const leastFreeBytes = 4 * 1024 ** 3

/** Returns a folder in memory if this machine has one with enough space, because tests often wait for the disk. */
const findParentFolder = (): string => {
  if (process.env['TMPDIR'] || !existsSync(memoryFolder)) return tmpdir()
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize >= leastFreeBytes ? memoryFolder : tmpdir()
}

const prefix = 'latchkey-shared-'

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user runs as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes the folders of runs that were killed. Each takes up to several gigabytes of memory. */
const removeLeftFolders = (parent: string): void => {
  for (const name of readdirSync(parent)) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)-/.exec(name.slice(prefix.length)) ?? []) : []
    if (pid && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/**
 * Creates the folder that all test files of a run share, and returns a function that removes it. The temporary files of
 * the run are in it as well. `TMPDIR` selects another place.
 */
export const createSharedFolder = (): (() => void) => {
  // Each project of a run calls this; the first call decides.
  if (process.env[variable]) return () => {}
  const parent = findParentFolder()
  removeLeftFolders(parent)
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  process.env[variable] = folder
  process.env['TMPDIR'] = join(folder, 'tmp')
  mkdirSync(process.env['TMPDIR'])
  // Node.js compiles each module once per run instead of once per process.
  process.env[compileCacheVariable] ??= join(folder, 'compiled')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

const createLock = (path: string): boolean => {
  try {
    mkdirSync(path)
    return true
  } catch {
    return false
  }
}

/**
 * Returns a folder that `fill` fills once per run, in whichever test file asks first. Other test files wait for it.
 * Throws in every test file when `fill` fails.
 */
export const shareFolder = async (name: string, fill: (folder: string) => Promise<void>): Promise<string> => {
  const root = process.env[variable]
  if (!root) throw new Error('The global setup did not run.')
  const folder = join(root, name)
  const failure = `${folder}.failure`
  if (createLock(`${folder}.lock`)) {
    const unfinished = `${folder}.unfinished`
    try {
      mkdirSync(unfinished)
      await fill(unfinished)
      renameSync(unfinished, folder)
    } catch (error) {
      writeFileSync(failure, error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }
  while (!existsSync(folder) && !existsSync(failure)) await sleep(50)
  if (existsSync(failure))
    throw new Error(`The shared folder ${name} failed. ${readFileSync(failure, 'utf8')}`)
  return folder
}
