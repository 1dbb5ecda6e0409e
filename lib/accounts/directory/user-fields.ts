import type { ServiceUserDetailPartialUpdate } from '../../contract/models/users.ts'
import type { HostFields, UserChanges } from '../../store/directory/user-record.ts'
import { omitUndefined } from '../../util/omit-undefined.ts'
import { sortPermissions } from '../common/permissions.ts'
import { emptyHostFields } from './new-user.ts'

type GivenFields = Omit<ServiceUserDetailPartialUpdate, 'username' | 'email'>

/**
 * The stored fields of a user from a body. Omitted host fields keep the values in `host`. The username and the email
 * address are not included, because each has its own rules and uniqueness record.
 */
export const readUserFields = (body: GivenFields, host: HostFields = emptyHostFields): UserChanges =>
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
    language: body.language,
    bookmarks: body.fm_bookmarks,
    hostFields: {
      ...host,
      ...omitUndefined({
        allowWanLogin: body.allow_wan_login,
        gid: body.gid,
        home: body.home,
        isCloud: body.is_cloud,
        ldap: body.ldap === undefined ? undefined : JSON.stringify(body.ldap),
        ldapDn: body.ldap_dn,
        shaperCeiling: body.shaper_ceiling,
        shaperRate: body.shaper_rate,
        uid: body.uid,
        unixUsername: body.unix_username,
      }),
    },
  })
