import { project, readGiven } from '../../kernel/contract/projection.ts'
import { isLanguage, isPublishedLanguage } from '../../kernel/i18n/languages.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import {
  listUserClientFields,
  referUserClientFields,
  showUserClientFields,
  userClientFields,
} from '../../published-clients/stored-fields.ts'
import { selectGroupPermissions, sortPermissions } from '../callers/permissions.ts'
import { findGroups, type GroupRecord } from '../groups/groups.records.ts'
import { hasVerifiedEmail, isGuestUser } from './guest-state.records.ts'
import type { EmailState } from './search-users.records.ts'
import type { FieldChanges, UserRecord } from './stored-user.records.ts'
import { givenUserNames, userNames, userReferenceNames } from './user-field-names.models.prebuilt.ts'
import type { ServiceUserMini } from './user-fields.models.ts'
import type { ServiceUser, ServiceUserDetail, ServiceUserDetailPartialUpdate } from './users.models.ts'

/** The detail of a user, for the user, for callers who manage users, and for servers that check a ticket. */
export const toUserDetail = async (table: Table, user: UserRecord): Promise<ServiceUserDetail> =>
  toUserDetailWith(user, await findGroups(table, user.groups))

/** Users as rows of a list. Their groups are read together. */
export const toUserRows = async (
  table: Table,
  users: readonly UserRecord[],
): Promise<readonly ServiceUserDetail[]> => {
  const groups = await findGroups(
    table,
    users.flatMap((user) => user.groups),
  )
  return mapWithGroups(users, groups, (user, own) => ({
    ...toUserDetailWith(user, own),
    ...listUserClientFields(user.attributes),
  }))
}

/** Leaves out what the caller does not want. The field stays, because clients require it. */
export const selectParts = (
  user: ServiceUserDetail,
  { include_effective_permissions = true }: { readonly include_effective_permissions?: boolean | undefined },
): ServiceUserDetail => (include_effective_permissions ? user : { ...user, effective_permissions: [] })

/** Users as members of a group. `groups` are all groups of the users. */
export const toServiceUsersWith = (
  users: readonly UserRecord[],
  groups: readonly GroupRecord[],
): readonly ServiceUser[] =>
  mapWithGroups(users, groups, (user, own) => ({
    ...buildFields(user, own),
    ...listUserClientFields(user.attributes),
  }))

const mapWithGroups = <Body>(
  users: readonly UserRecord[],
  found: readonly GroupRecord[],
  bodyOf: (user: UserRecord, groups: readonly GroupRecord[]) => Body,
): readonly Body[] => {
  const byId = new Map(found.map((group) => [group.id, group]))
  return users.map((user) =>
    bodyOf(
      user,
      user.groups.flatMap((id) => byId.get(id) ?? []),
    ),
  )
}

/** The detail of a user with these groups. */
export const toUserDetailWith = (user: UserRecord, groups: readonly GroupRecord[]): ServiceUserDetail => {
  const found = new Set(groups.map(({ id }) => id))
  return {
    ...buildFields(user, groups),
    // The record may still contain a group that was just deleted.
    groups: user.groups.filter((id) => found.has(id)),
    ...showUserClientFields(user.attributes),
  }
}

const buildFields = (user: UserRecord, groups: readonly GroupRecord[]) => {
  const fromGroups = selectGroupPermissions(user, groups)
  return {
    ...identifyUser(user),
    ...project(userNames, user),
    email_verified: isEmailVerified(user),
    expiry: formatTime(user.expiresAt),
    last_seen: formatTime(user.lastSeenAt),
    has_password: user.passwordHash !== null,
    totp_enabled: Boolean(user.totp),
    group_permissions: [...fromGroups],
    effective_permissions: [...sortPermissions([...user.permissions, ...fromGroups])],
    ...showLanguage(user.language),
  }
}

/** What people look for first in a body, so it comes first. */
export const identifyUser = (user: UserRecord) => ({
  id: user.id,
  username: user.username,
  display_name: getDisplayName(user),
})

/** No one proved the address of a guest. It is only where a link was sent. */
export const getEmailState = (user: UserRecord): EmailState => {
  if (user.email === null) return 'none'
  return hasVerifiedEmail(user) && !isGuestUser(user) ? 'verified' : 'unverified'
}

export const isEmailVerified = (user: UserRecord): boolean => getEmailState(user) === 'verified'

/** Who vouched for the address, as those who manage users see it. */
export const describeVerifier = (user: UserRecord): Pick<ServiceUserDetail, 'verified_by'> =>
  user.verifiedBy && isEmailVerified(user) ? { verified_by: user.verifiedBy } : {}

/** Guests are shown by the address that their link was sent to, because their username is random. */
export const getDisplayName = ({
  full_name: fullName,
  email,
  username,
  hasGuestNames,
}: Pick<UserRecord, 'full_name' | 'email' | 'username' | 'hasGuestNames'>): string =>
  fullName?.trim() || (hasGuestNames && email) || username

/** A user as shown where another object refers to them. */
export const toUserMini = (user: UserRecord): ServiceUserMini => ({
  ...identifyUser(user),
  ...project(userReferenceNames, user),
  ...referUserClientFields(user.attributes),
})

type GivenFields = Omit<ServiceUserDetailPartialUpdate, 'username' | 'email'>

/**
 * The stored fields of a user from a body. Omitted fields of published clients keep their values in `user`. The username
 * and the email address are not included, because each has its own rules and uniqueness record.
 */
export const readUserFields = (
  body: GivenFields,
  user?: Partial<Pick<UserRecord, 'attributes' | 'language'>>,
): FieldChanges =>
  omitUndefined({
    ...readGiven(givenUserNames, body),
    expiresAt: body.expiry === undefined || body.expiry === null ? body.expiry : Date.parse(body.expiry),
    permissions: body.permissions && sortPermissions(body.permissions),
    groups: body.groups && [...new Set(body.groups)],
    language: readLanguage(body, user?.language),
    attributes: userClientFields.write(body, user?.attributes),
  })

/** How responses show the language. Published clients know only some, and read null for all others. */
export const showLanguage = (stored: string | null) => ({
  language: isPublishedLanguage(stored) ? stored : null,
  page_language: isLanguage(stored) ? stored : null,
})

/** The language to store. Clients may write back what they read, so the field that differs from that is the change. */
export const readLanguage = (
  { language, page_language: pageLanguage }: Pick<GivenFields, 'language' | 'page_language'>,
  stored: string | null = null,
): string | null | undefined => {
  const shown = showLanguage(stored)
  if (pageLanguage !== undefined && pageLanguage !== shown.page_language) return pageLanguage
  return language === shown.language ? stored : language
}
