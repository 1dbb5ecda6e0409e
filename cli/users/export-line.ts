import { getTotpKeyContext } from '../../lib/accounts/common/second-factors.ts'
import type { Services } from '../../lib/services.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import type { UserLine } from './validate-line.ts'

/** A user as a line that an import accepts. Groups without a name in `groupNames` no longer exist. */
export const toExportLine = (user: UserRecord, groupNames: ReadonlyMap<number, string>): UserLine => {
  const host = user.hostFields
  return {
    username: user.username,
    email: user.email,
    ...(user.emailVerified === false ? { email_verified: false } : {}),
    full_name: user.fullName,
    groups: user.groups.map((id) => groupNames.get(id)).filter((name) => name !== undefined),
    permissions: [...user.permissions],
    is_enabled: user.isEnabled,
    is_external: user.isExternal,
    expiry: formatTime(user.expiresAt),
    password_change_required: user.passwordChangeRequired,
    allow_changing_password: user.allowChangingPassword,
    default_page: user.defaultPage,
    language: user.language as UserLine['language'],
    fm_bookmarks: [...user.bookmarks],
    allow_wan_login: host.allowWanLogin,
    gid: host.gid,
    home: host.home,
    is_cloud: host.isCloud,
    ldap: JSON.parse(host.ldap),
    ldap_dn: host.ldapDn,
    shaper_ceiling: host.shaperCeiling,
    shaper_rate: host.shaperRate,
    uid: host.uid,
    unix_username: host.unixUsername,
  }
}

/** The password hash and the decrypted authenticator key of a user. */
export const readSecrets = async (
  { vault }: Services,
  user: UserRecord,
): Promise<Pick<UserLine, 'password_hash' | 'totp_seed'>> => ({
  password_hash: user.passwordHash,
  totp_seed: user.totp ? await vault.decrypt(user.totp.encryptedKey, getTotpKeyContext(user.id)) : null,
})
