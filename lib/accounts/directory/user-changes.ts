import { isDeepStrictEqual } from 'node:util'
import type { ServiceUserDetailPartialUpdate, ServiceUserDetailUpdate } from '../../contract/models/users.ts'
import type { UserChanges, UserRecord } from '../../store/directory/user-record.ts'
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

/** The defaults of fields that a body may omit. No body sets the password or the second factor. */
const defaults: UserChanges = (() => {
  const fresh = buildUser({ username: '' })
  return Object.fromEntries(settable.map((name) => [name, fresh[name]]))
})()

/** The changes by a complete body. Omitted fields return to their defaults. */
export const replaceUserFields = ({
  username,
  email = null,
  ...rest
}: ServiceUserDetailUpdate): UserChanges => ({
  ...defaults,
  ...readUserFields(rest),
  ...buildNameFields(username),
  ...buildEmailFields(email),
})

/** The changes by a partial body. Omitted fields keep their values. */
export const patchUserFields = (
  user: UserRecord,
  { username, email, ...rest }: ServiceUserDetailPartialUpdate,
): UserChanges => ({
  ...readUserFields(rest, user.hostFields),
  ...(username === undefined ? {} : buildNameFields(username)),
  ...(email === undefined ? {} : buildEmailFields(email)),
})

const buildNameFields = (username: string) => ({ username, normalizedUsername: normalizeUsername(username) })
const buildEmailFields = (email: string | null) => ({
  email: email || null,
  normalizedEmail: email ? normalizeEmail(email) : null,
})

/** Returns the changes whose values differ from those of the record. */
export const diffFields = <Fields extends object>(
  record: Fields,
  changes: Partial<Fields>,
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => !isDeepStrictEqual(record[name as keyof Fields], value),
    ),
  ) as Partial<Fields>

/** Lists the wire names of the changed fields, for an audit event. */
export const listFieldNames = (changes: object): string =>
  Object.keys(changes)
    .filter((name) => !name.startsWith('normalized'))
    // On the wire, durations are in seconds.
    .map((name) => name.replace(/Ms$/, ''))
    .map((name) => wireNames.get(name) ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join(' ')

const wireNames = new Map<string, string>(
  Object.entries({
    expiresAt: 'expiry',
    bookmarks: 'fm_bookmarks',
    hostFields: 'host_fields',
  }),
)
