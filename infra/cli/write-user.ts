import { createHash } from 'node:crypto'
import { type ImportedUser, importUser } from '../../lib/accounts/directory/import-user.ts'
import { buildUser } from '../../lib/accounts/directory/new-user.ts'
import { readUserFields } from '../../lib/accounts/directory/user-fields.ts'
import type { FieldError } from '../../lib/core/errors.ts'
import { readTotpKey } from '../../lib/secrets/totp.ts'
import type { Services } from '../../lib/services.ts'
import { NotUnique } from '../../lib/store/directory/not-unique.ts'
import { findClaims } from '../../lib/store/directory/user-claims.ts'
import { EditConflict } from '../../lib/store/engine/transaction-errors.ts'
import { retryThrottled } from './retry-throttled.ts'
import type { JudgedLine, UserLine } from './user-line.ts'
import { noClaims, verdictOf } from './verdict.ts'

/** Writes a user; should another have taken name or address in between, says so. */
export const writeUser = async (
  services: Services,
  line: JudgedLine,
  user: ImportedUser,
  id: number,
  requestId: string,
): Promise<'imported' | 'known' | readonly FieldError[]> => {
  const context = { address: 'command line', userAgent: '', requestId, actor: null, at: services.now() }
  try {
    await retryThrottled(() => importUser(services, id, user, context))
    return 'imported'
  } catch (error) {
    if (error instanceof EditConflict)
      return [{ field: 'groups', message: 'names a group that was deleted just now' }]
    if (!(error instanceof NotUnique)) throw error
    const [claims = noClaims] = await retryThrottled(() => findClaims(services.table, [line]))
    const verdict = verdictOf(line, claims, user.origin)
    return verdict === 'free'
      ? error.taken.map((field) => ({ field, message: 'was taken just now' }))
      : verdict
  }
}

/** The user of a line, as it is stored. */
export const importedUser = (line: UserLine, groups: readonly number[]): ImportedUser => {
  const { username, email = null, password_hash, totp_seed, groups: _, ...rest } = line
  const fields = readUserFields({ ...rest, groups: [...groups] })
  return {
    user: buildUser({ ...fields, username, email, passwordHash: password_hash || null }),
    totpKey: totp_seed ? readTotpKey(totp_seed) : undefined,
    origin: originOf(line),
  }
}

/** Says what a line says, whatever the format and the order of its fields. */
const originOf = (line: UserLine): string => {
  const fields = Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
}
