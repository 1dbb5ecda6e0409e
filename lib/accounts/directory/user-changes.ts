import { isDeepStrictEqual } from 'node:util'
import type {
  ServiceUserDetailPartialUpdate,
  ServiceUserDetailUpdate,
} from '../../contract/models/user-update.ts'
import type { UserChanges, UserRecord } from '../../store/records/user-record.ts'
import { normalizeEmail, normalizeUsername } from '../common/names.ts'
import { buildUser } from './new-user.ts'
import { readUserFields } from './user-fields.ts'

const settable = [
  'fullName',
  'isEnabled',
  'isExternal',
  'expiresAt',
  'passwordChangeRequired',
  'allowChangingPassword',
  'defaultPage',
  'language',
  'bookmarks',
] as const

/**
 * What a body can leave out, at its default. The password and the second factor aren't among it: no body sets
 * them.
 */
const defaults: UserChanges = (() => {
  const fresh = buildUser({ username: '' })
  return Object.fromEntries(settable.map((name) => [name, fresh[name]]))
})()

/** What a user becomes by a body that replaces it: what the body leaves out returns to its default. */
export const toReplacement = ({ username, email = null, ...rest }: ServiceUserDetailUpdate): UserChanges => ({
  ...defaults,
  ...readUserFields(rest),
  ...nameFields(username),
  ...emailFields(email),
})

/** What a user becomes by a body that changes some of it. */
export const toPartialChange = (
  user: UserRecord,
  { username, email, ...rest }: ServiceUserDetailPartialUpdate,
): UserChanges => ({
  ...readUserFields(rest, user.hostFields),
  ...(username === undefined ? {} : nameFields(username)),
  ...(email === undefined ? {} : emailFields(email)),
})

const nameFields = (username: string) => ({ username, normalizedUsername: normalizeUsername(username) })
const emailFields = (email: string | null) => ({
  email: email || null,
  normalizedEmail: email ? normalizeEmail(email) : null,
})

/** Those of the changes that change something. */
export const diffUser = <Fields extends object>(record: Fields, changes: Partial<Fields>): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => !isDeepStrictEqual(record[name as keyof Fields], value),
    ),
  ) as Partial<Fields>

/** The names of changed fields as the interface has them, for a record of the change. */
export const listFieldNames = (changes: object): string =>
  Object.keys(changes)
    .filter((name) => !name.startsWith('normalized'))
    .map((name) => wireNames[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join(' ')

const wireNames: Readonly<Record<string, string>> = {
  expiresAt: 'expiry',
  bookmarks: 'fm_bookmarks',
  hostFields: 'host_fields',
}
