import type { ServiceUserDetailPartialUpdate } from '../../contract/models/users.ts'
import { userClientFields } from '../../contract/published-clients/stored-fields.ts'
import { isLanguage, isPublishedLanguage } from '../../i18n/languages.ts'
import type { UserChanges, UserRecord } from '../../store/directory/user-record.ts'
import { omitUndefined } from '../../util/object-fields.ts'
import { sortPermissions } from '../common/permissions.ts'

type GivenFields = Omit<ServiceUserDetailPartialUpdate, 'username' | 'email'>

/**
 * The stored fields of a user from a body. Omitted fields of published clients keep their values in `user`. The username
 * and the email address are not included, because each has its own rules and uniqueness record.
 */
export const readUserFields = (
  body: GivenFields,
  user?: Partial<Pick<UserRecord, 'attributes' | 'language'>>,
): UserChanges =>
  omitUndefined({
    fullName: body.full_name,
    isEnabled: body.is_enabled,
    isExternal: body.is_external,
    expiresAt: body.expiry === undefined || body.expiry === null ? body.expiry : Date.parse(body.expiry),
    passwordChangeRequired: body.password_change_required,
    allowChangingPassword: body.allow_changing_password,
    permissions: body.permissions && sortPermissions(body.permissions),
    groups: body.groups && [...new Set(body.groups)],
    defaultPage: body.default_page,
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
