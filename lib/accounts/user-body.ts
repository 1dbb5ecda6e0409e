import type { ServiceUserProfile } from '../contract/models/profile.ts'
import type { ServiceUserDetail } from '../contract/models/user-detail.ts'
import { timeText } from '../core/clock.ts'
import type { Table } from '../store/table.ts'
import type { UserRecord } from '../store/users.ts'
import { distinct, groupPermissions } from './permissions.ts'

/** A user as shown to itself, to those who manage users and to whoever exchanged its ticket. */
export const userDetail = async (table: Table, user: UserRecord): Promise<ServiceUserDetail> => {
  const fromGroups = await groupPermissions(table, user)
  const host = user.hostFields
  return {
    id: user.id,
    username: user.username,
    display_name: displayName(user),
    full_name: user.fullName,
    email: user.email,
    is_enabled: user.isEnabled,
    is_external: user.isExternal,
    expiry: timeText(user.expiresAt),
    last_seen: timeText(user.lastSeenAt),
    has_password: user.passwordHash !== null,
    password_change_required: user.passwordChangeRequired,
    allow_changing_password: user.allowChangingPassword,
    totp_enabled: Boolean(user.totp),
    permissions: [...user.permissions],
    group_permissions: [...fromGroups],
    effective_permissions: [...distinct([...user.permissions, ...fromGroups])],
    groups: [...user.groups],
    default_page: user.defaultPage,
    language: user.language as ServiceUserDetail['language'],
    fm_bookmarks: [...user.bookmarks],
    sync_id: user.syncId,
    avatar: null,
    allowed_fs_paths: null,
    allowed_fs_write_paths: null,
    is_cloud: host.isCloud,
    is_cloud_default: false,
    allow_wan_login: host.allowWanLogin,
    gid: host.gid,
    uid: host.uid,
    home: host.home,
    ldap: JSON.parse(host.ldap),
    ldap_dn: host.ldapDn,
    ldap_guid: null,
    shaper_ceiling: host.shaperCeiling,
    shaper_rate: host.shaperRate,
    unix_username: host.unixUsername,
  }
}

/** A user as shown to itself on its profile page. */
export const userProfile = async (table: Table, user: UserRecord): Promise<ServiceUserProfile> => ({
  id: user.id,
  username: user.username,
  display_name: displayName(user),
  full_name: user.fullName,
  email: user.email,
  avatar: null,
  default_page: user.defaultPage,
  language: user.language as ServiceUserProfile['language'],
  fm_bookmarks: [...user.bookmarks],
  effective_permissions: [...distinct([...user.permissions, ...(await groupPermissions(table, user))])],
  has_password: user.passwordHash !== null,
  allow_changing_password: user.allowChangingPassword,
  totp_enabled: Boolean(user.totp),
  // The profile knows no empty one, the detail does.
  unix_username: user.hostFields.unixUsername || null,
  shaper_rate: user.hostFields.shaperRate,
  shaper_ceiling: user.hostFields.shaperCeiling,
})

export const displayName = (user: Pick<UserRecord, 'fullName' | 'username'>): string =>
  user.fullName || user.username
