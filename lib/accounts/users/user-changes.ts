import { isDeepStrictEqual } from 'node:util'
import { project } from '../../kernel/contract/projection.ts'
import { selectDefined } from '../../kernel/contract/stored-attributes.ts'
import { normalizeEmail, normalizeUsername } from '../names/names.ts'
import { buildUser } from './new-user.ts'
import type { FieldChanges, UserRecord } from './stored-user.records.ts'
import { readUserFields } from './user-body.ts'
import { givenUserNames } from './user-field-names.models.prebuilt.ts'
import type { ServiceUserDetailPartialUpdate, ServiceUserDetailUpdate } from './users.models.ts'

/** The defaults of fields that a body may omit. No body sets the password or the second factor. */
const defaults: FieldChanges = (() => {
  const fresh = buildUser({ username: '' })
  return { ...project(givenUserNames, fresh), expiresAt: fresh.expiresAt, language: fresh.language }
})()

/**
 * The changes by a complete body. Omitted fields return to their defaults. Attributes that the service defines stay, because
 * published clients do not know them.
 */
export const replaceUserFields = (
  { language, attributes }: Pick<UserRecord, 'language' | 'attributes'>,
  { username, email = null, ...rest }: ServiceUserDetailUpdate,
): FieldChanges => ({
  ...defaults,
  ...readUserFields({ language: null, ...rest }, { language, attributes: selectDefined(attributes) }),
  ...buildNameFields(username),
  ...buildEmailFields(email),
})

/** The changes by a partial body. Omitted fields keep their values. */
export const patchUserFields = (
  user: UserRecord,
  { username, email, ...rest }: ServiceUserDetailPartialUpdate,
): FieldChanges => ({
  ...readUserFields(rest, user),
  ...(username !== undefined && buildNameFields(username)),
  ...(email !== undefined && buildEmailFields(email)),
})

const buildNameFields = (username: string) => ({ username, normalizedUsername: normalizeUsername(username) })
const buildEmailFields = (email: string | null) => ({
  email: email || null,
  normalizedEmail: email ? normalizeEmail(email) : null,
})

/** Returns the changes whose values differ from those of the record. */
export const diffFields = <Fields extends object>(
  record: Readonly<Partial<Record<keyof Fields, unknown>>>,
  changes: Partial<Fields>,
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => !isDeepStrictEqual(record[name as keyof Fields], value),
    ),
  ) as Partial<Fields>
