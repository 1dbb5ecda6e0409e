import { isDeepStrictEqual } from 'node:util'
import type {
  ServiceUserDetailPartialUpdate,
  ServiceUserDetailUpdate,
} from '../../contract/models/user-update.ts'
import type { UserChanges, UserRecord } from '../../store/records/user-record.ts'
import { foldEmail, foldUsername } from '../common/names.ts'
import { newUser } from './new-user.ts'
import { userFieldsOf } from './user-fields.ts'

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
  const fresh = newUser({ username: '' })
  return Object.fromEntries(settable.map((name) => [name, fresh[name]]))
})()

/** What a user becomes by a body that replaces it: what the body leaves out returns to its default. */
export const replacement = ({ username, email = null, ...rest }: ServiceUserDetailUpdate): UserChanges => ({
  ...defaults,
  ...userFieldsOf(rest),
  ...nameFields(username),
  ...emailFields(email),
})

/** What a user becomes by a body that changes some of it. */
export const partialChange = (
  user: UserRecord,
  { username, email, ...rest }: ServiceUserDetailPartialUpdate,
): UserChanges => ({
  ...userFieldsOf(rest, user.hostFields),
  ...(username === undefined ? {} : nameFields(username)),
  ...(email === undefined ? {} : emailFields(email)),
})

const nameFields = (username: string) => ({ username, foldedUsername: foldUsername(username) })
const emailFields = (email: string | null) => ({
  email: email || null,
  foldedEmail: email ? foldEmail(email) : null,
})

/** Those of the changes that change something. */
export const realChanges = <Fields extends object>(
  record: Fields,
  changes: Partial<Fields>,
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => !isDeepStrictEqual(record[name as keyof Fields], value),
    ),
  ) as Partial<Fields>

/** The names of changed fields as the interface has them, for a record of the change. */
export const fieldNames = (changes: object): string =>
  Object.keys(changes)
    .filter((name) => !name.startsWith('folded'))
    .map((name) => wireNames[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join(' ')

const wireNames: Readonly<Record<string, string>> = {
  expiresAt: 'expiry',
  bookmarks: 'fm_bookmarks',
  hostFields: 'host_fields',
}
