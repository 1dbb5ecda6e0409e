import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeAudit } from '../../lib/accounts/common/request-context.ts'
import { getTotpKeyContext } from '../../lib/accounts/common/second-factors.ts'
import { listAttributes } from '../../lib/accounts/directory/user-attributes.ts'
import { describeOrigin } from '../../lib/accounts/invitations/invitation-state.ts'
import { userClientFields } from '../../lib/contract/published-clients/stored-fields.ts'
import type { Services } from '../../lib/services.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import { findUserAttributes } from '../../lib/store/directory/user-attributes.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import { CommandFailure, codeOf, endInterrupted, exitCodes } from '../command-failure.ts'
import { createExistsFailure, writeNewFile } from '../input.ts'
import { retryThrottled } from '../pool.ts'
import { formatNumber } from '../progress.ts'
import type { UsersCommand } from './command.ts'
import { openTarget } from './import-target.ts'
import { readAllUsers } from './read-all-users.ts'
import type { UserLine } from './validate-line.ts'

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
  const groupNames = new Map<number, string>()
  const definitions = await retryThrottled(() => findUserAttributes(services.table))
  for await (const users of readAllUsers(services)) {
    const unknown = [...new Set(users.flatMap(({ groups }) => groups))].filter((id) => !groupNames.has(id))
    for (const { id, name } of await retryThrottled(() => findGroups(services.table, unknown)))
      groupNames.set(id, name)
    const secrets = await Promise.all(
      users.map((user) => (withSecrets ? retryThrottled(() => readSecrets(services, user)) : {})),
    )
    for (const [at, user] of users.entries())
      yield `${JSON.stringify({
        ...toExportLine(user, groupNames),
        attributes: listAttributes(definitions, user, 'manager'),
        ...secrets[at],
      })}\n`
  }
}

/** Another import takes the present names for those in the old system. */
const isImportableMark = ({ legacySignIn, passwordHash, username, email }: UserRecord): boolean =>
  passwordHash === null && legacySignIn?.username === username && legacySignIn.email === email

/** A user as a line that an import accepts. Groups without a name in `groupNames` no longer exist. */
const toExportLine = (user: UserRecord, groupNames: ReadonlyMap<number, string>): UserLine => ({
  username: user.username,
  email: user.email,
  ...(user.emailVerified === false ? { email_verified: false } : {}),
  ...describeOrigin(user),
  full_name: user.fullName,
  groups: user.groups.map((id) => groupNames.get(id)).filter((name) => name !== undefined),
  permissions: [...user.permissions],
  ...(isImportableMark(user) ? { password_check: 'legacy' as const } : {}),
  is_enabled: user.isEnabled,
  is_external: user.isExternal,
  expiry: formatTime(user.expiresAt),
  password_change_required: user.passwordChangeRequired,
  allow_changing_password: user.allowChangingPassword,
  default_page: user.defaultPage,
  language: user.language as UserLine['language'],
  ...userClientFields.read(user.attributes),
})

/** The password hash and the decrypted authenticator key of a user. */
const readSecrets = async (
  { vault }: Services,
  user: UserRecord,
): Promise<Pick<UserLine, 'password_hash' | 'totp_seed'>> => ({
  password_hash: user.passwordHash,
  totp_seed: user.totp ? await vault.decrypt(user.totp.encryptedKey, getTotpKeyContext(user.id)) : null,
})
