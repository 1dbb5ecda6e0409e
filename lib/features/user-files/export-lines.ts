import { findGroups } from '../../accounts/groups/groups.records.ts'
import type { UserAttribute } from '../../accounts/users/attributes.records.ts'
import { describeOrigin } from '../../accounts/users/invitation-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { showLanguage } from '../../accounts/users/user-body.ts'
import { givenUserNames } from '../../accounts/users/user-field-names.models.prebuilt.ts'
import { project } from '../../kernel/contract/projection.ts'
import { isPublishedLanguage } from '../../kernel/i18n/languages.ts'
import type { Table } from '../../kernel/table/table.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { userClientFields } from '../../published-clients/stored-fields.ts'
import { listAttributes } from '../directory/attributes/attributes.ts'

/** Finds the names of groups by their IDs. Groups that no longer exist are left out. */
export type NameFinder = (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>

/** Reads each group once, because users share the same few groups. */
export const createNameFinder = (table: Table): NameFinder => {
  const names = new Map<number, string>()
  return async (ids) => {
    const unknown = [...new Set(ids)].filter((id) => !names.has(id))
    for (const { id, name } of await findGroups(table, unknown)) names.set(id, name)
    return names
  }
}

/** Users as lines that an import accepts, without secrets. */
export const toExportLines = async (
  users: readonly UserRecord[],
  findNames: NameFinder,
  definitions: readonly UserAttribute[],
) => {
  const names = await findNames(users.flatMap(({ groups }) => groups))
  return users.map((user) => ({
    ...toLine(user, names),
    attributes: [...listAttributes(definitions, user, 'manager')],
  }))
}

/** Another import takes the present names for those in the old system. */
const isImportableMark = ({ legacySignIn, passwordHash, username, email }: UserRecord): boolean =>
  passwordHash === null && legacySignIn?.username === username && legacySignIn.email === email

/** A second field has the languages that published clients do not know. */
const showExportedLanguage = ({ language }: UserRecord) => {
  const { language: published, page_language } = showLanguage(language)
  return { language: published, ...(isPublishedLanguage(language) ? {} : { page_language }) }
}

/** A user as a line that an import accepts. Groups without a name in `groupNames` no longer exist. */
const toLine = (user: UserRecord, groupNames: ReadonlyMap<number, string>) => ({
  username: user.username,
  email: user.email,
  ...(user.emailVerified === false ? { email_verified: false } : {}),
  ...describeOrigin(user),
  groups: user.groups.map((id) => groupNames.get(id)).filter((name) => name !== undefined),
  permissions: [...user.permissions],
  ...(isImportableMark(user) ? { password_check: 'legacy' as const } : {}),
  ...project(givenUserNames, user),
  expiry: formatTime(user.expiresAt),
  ...showExportedLanguage(user),
  ...userClientFields.read(user.attributes),
})
