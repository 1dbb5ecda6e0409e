import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { getTotpKeyContext } from '../../lib/accounts/common/account-state.ts'
import { writeAudit } from '../../lib/accounts/common/request-context.ts'
import { createNameFinder, toExportLines } from '../../lib/accounts/user-import/export-lines.ts'
import type { Services } from '../../lib/services.ts'
import { findUserAttributes } from '../../lib/store/directory/user-attributes.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import type { UserLine } from '../../lib/user-files/user-line.ts'
import { CommandFailure, codeOf, endInterrupted, exitCodes } from '../command-failure.ts'
import { createExistsFailure, writeNewFile } from '../input.ts'
import { retryThrottled } from '../pool.ts'
import { formatNumber } from '../progress.ts'
import type { UsersCommand } from './command.ts'
import { openTarget } from './import-target.ts'
import { readAllUsers } from './read-all-users.ts'

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
      : writeNewFile(lines, file, signal))
    process.stderr.write(`${formatNumber(count)} ${count === 1 ? 'user' : 'users'} exported.\n`)
    return exitCodes.done
  } catch (error) {
    // The reader has closed the pipe and needs no message.
    if (file === undefined && codeOf(error) === 'EPIPE') return exitCodes.failed
    return endInterrupted(error, signal, 'The export is incomplete.')
  } finally {
    await close()
  }
}

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

/**
 * All users in the order of their IDs, each as a line of JSON. It holds one page in memory. Users created in the
 * last moments may be missing, because the list index lags behind the table.
 */
async function* exportUsers(services: Services, withSecrets: boolean): AsyncGenerator<string> {
  const finder = createNameFinder(services.table)
  const definitions = await retryThrottled(() => findUserAttributes(services.table))
  for await (const users of readAllUsers(services)) {
    const lines = await retryThrottled(() => toExportLines(users, finder, definitions))
    const secrets = await Promise.all(
      users.map((user) => (withSecrets ? retryThrottled(() => readSecrets(services, user)) : {})),
    )
    for (const [at, line] of lines.entries()) yield `${JSON.stringify({ ...line, ...secrets[at] })}\n`
  }
}

/** The password hash and the decrypted authenticator key of a user. */
const readSecrets = async (
  { vault }: Services,
  user: UserRecord,
): Promise<Pick<UserLine, 'password_hash' | 'totp_seed'>> => ({
  password_hash: user.passwordHash,
  totp_seed: user.totp ? await vault.decrypt(user.totp.encryptedKey, getTotpKeyContext(user.id)) : null,
})
