import { randomBytes, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeAudit } from '../../lib/accounts/common/request-context.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure, codeOf, exitCodes } from '../command-failure.ts'
import { formatNumber } from '../progress.ts'
import type { UsersCommand } from './command.ts'
import { exportUsers } from './export-users.ts'
import { openTarget } from './import-target.ts'

type ExportCommand = Extract<UsersCommand, { name: 'export' }>

/** Exports all users and prints their number. Returns the exit code. */
export const runExport = async (
  { file, table, withSecrets }: ExportCommand,
  signal: AbortSignal,
): Promise<number> => {
  if (withSecrets && file === undefined && process.stdout.isTTY)
    throw new CommandFailure('Secrets are not shown on the screen. Pass a FILE.')
  if (file !== undefined && existsSync(file)) throw createExistsFailure(file)
  const { services, close } = await openTarget({ table, whenNew: 'fail' })
  let count = 0
  async function* countLines(lines: AsyncIterable<string>) {
    for await (const line of lines) {
      count += 1
      yield line
    }
  }
  try {
    if (withSecrets) await auditExport(services)
    const lines = Readable.from(countLines(exportUsers(services, withSecrets)))
    await (file === undefined
      ? pipeline(lines, process.stdout, { signal, end: false })
      : writeFile(lines, file, signal))
    process.stderr.write(`${formatNumber(count)} ${count === 1 ? 'user' : 'users'} exported.\n`)
    return exitCodes.done
  } catch (error) {
    // The reader has closed the pipe and needs no message.
    if (file === undefined && codeOf(error) === 'EPIPE') return exitCodes.failed
    if (!signal.aborted) throw error
    process.stderr.write('Interrupted. The export is incomplete.\n')
    return exitCodes.interrupted
  } finally {
    await close()
  }
}

const createExistsFailure = (file: string): CommandFailure =>
  new CommandFailure(`${file} already exists. Choose another file.`)

/** Hashes and keys can be attacked for years, so the audit log records that they were exported. */
const auditExport = (services: Services): Promise<void> =>
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

/** Writes a complete file or none. Other users cannot read it, and it never replaces a file. */
const writeFile = async (lines: Readable, file: string, signal: AbortSignal): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    await pipeline(lines, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { signal })
    await link(draft, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw createExistsFailure(file)
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(codeOf(error)))
      throw new CommandFailure(`${file} cannot be written (${codeOf(error)}).`)
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}
