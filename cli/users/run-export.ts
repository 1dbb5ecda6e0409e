import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buildCommandContext } from '../../lib/accounts/callers/request-context.ts'
import { writeAudit } from '../../lib/accounts/events/write-event.ts'
import { getTotpKeyContext } from '../../lib/accounts/users/account-state.ts'
import { findUserAttributes } from '../../lib/accounts/users/attributes.records.ts'
import { findUsers } from '../../lib/accounts/users/find-users.records.ts'
import { isGuestUser } from '../../lib/accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { createNameFinder, toExportLines } from '../../lib/features/user-files/export-lines.ts'
import type { UserLine } from '../../lib/features/user-files/user-line.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { getListing, readEntries } from '../../lib/kernel/table/listing.ts'
import { credentialPattern } from '../../lib/kernel/util/credential-prefixes.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure, codeOf } from '../../local/command-failure.ts'
import { endInterrupted, exitCodes } from '../exit-codes.ts'
import { createExistsFailure, writeNewFile } from '../input.ts'
import { retryThrottled } from '../pool.ts'
import { formatNumber } from '../progress.ts'
import type { UsersCommand } from './command.ts'
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
  writeAudit(services, buildCommandContext(services.now(), `export-${randomUUID()}`), 'users.exported', {})

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

/** One batch read returns at most this many users. */
const pageSize = 100

/** All users in the order of their IDs, page by page. */
export async function* readAllUsers({ table }: Services): AsyncGenerator<readonly UserRecord[]> {
  let after: string | undefined
  for (;;) {
    const page = { after, limit: pageSize, isDescending: false }
    const entries = await retryThrottled(() => readEntries(table, getListing('user', 'id'), page))
    const ids = entries.map(({ indexKey }) => Number(indexKey))
    const users = await retryThrottled(() => findUsers(table, ids))
    // Guests belong to access links, which are not exported.
    yield users.flatMap((user) => (user && !isGuestUser(user) ? [user] : []))
    if (entries.length < pageSize) return
    after = entries.at(-1)?.indexKey
  }
}

export interface FoundCredential {
  readonly value: string
  readonly kind: string
}

const form = new RegExp(`${credentialPattern}(?![0-9A-Za-z])`, 'g')
/** Longer texts are no credentials that the service knows. */
const longestValue = 1023

/**
 * Finds the credentials in a file, each once. With `hasValues`, each line is one. Other texts that only look like a
 * credential have a wrong checksum.
 *
 * @throws CommandFailure if the file cannot be read.
 */
export const findCredentials = async (
  file: string,
  hasValues: boolean,
): Promise<readonly FoundCredential[]> => {
  const found = new Map<string, FoundCredential>()
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const texts = hasValues ? [line.trim()] : (line.match(form) ?? [])
      for (const value of texts) {
        const kind = parseCredential(value)?.kind ?? (hasValues ? 'other value' : undefined)
        if (kind && value !== '' && value.length <= longestValue) found.set(value, { value, kind })
      }
    }
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${codeOf(error)}).`)
  }
  return [...found.values()]
}
