import { randomBytes, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeAudit } from '../../lib/accounts/common/request-context.ts'
import type { Services } from '../../lib/services.ts'
import type { Command } from './arguments.ts'
import { exportUsers } from './export-users.ts'
import { CommandFailure, codeOf, exitCodes } from './failure.ts'
import { openPlace } from './place.ts'
import { number } from './progress.ts'

type ExportCommand = Extract<Command, { name: 'export' }>

/** Exports all users, and says how many. Returns the exit code. */
export const runExport = async (
  { file, table, withSecrets }: ExportCommand,
  signal: AbortSignal,
): Promise<number> => {
  if (withSecrets && file === undefined && process.stdout.isTTY)
    throw new CommandFailure('Name a FILE: secrets are not for the screen.')
  if (file !== undefined && existsSync(file)) throw isThere(file)
  const { services, close } = await openPlace({ table, whenNew: 'refuse' })
  let count = 0
  async function* counted(lines: AsyncIterable<string>) {
    for await (const line of lines) {
      count += 1
      yield line
    }
  }
  try {
    if (withSecrets) await noteExport(services)
    const lines = Readable.from(counted(exportUsers(services, withSecrets)))
    await (file === undefined
      ? pipeline(lines, process.stdout, { signal, end: false })
      : writeFile(lines, file, signal))
    process.stderr.write(`${number(count)} ${count === 1 ? 'user' : 'users'} exported.\n`)
    return exitCodes.done
  } catch (error) {
    // Whoever read it has seen enough, and needs no word of it.
    if (file === undefined && codeOf(error) === 'EPIPE') return exitCodes.failed
    if (!signal.aborted) throw error
    process.stderr.write('Interrupted: the export is not complete.\n')
    return exitCodes.interrupted
  } finally {
    await close()
  }
}

const isThere = (file: string): CommandFailure =>
  new CommandFailure(`${file} is there already: name another file.`)

/** Whoever has the hashes and keys of all users can try at them for years: that they went out is to be found later. */
const noteExport = (services: Services): Promise<void> =>
  writeAudit(
    services,
    {
      address: 'command line',
      userAgent: '',
      requestId: `export-${randomUUID()}`,
      actor: null,
      at: services.now(),
    },
    'users.exported',
    {},
  )

/** Writes a file that is either whole or not there, for nobody else to read, and in place of none. */
const writeFile = async (lines: Readable, file: string, signal: AbortSignal): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    await pipeline(lines, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { signal })
    await link(draft, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw isThere(file)
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(codeOf(error)))
      throw new CommandFailure(`${file} can't be written (${codeOf(error)}).`)
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}
