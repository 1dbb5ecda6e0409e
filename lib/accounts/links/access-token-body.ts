import type { OneTimeAccessToken, RestrictedOneTimeAccessToken } from '../../contract/models/access-tokens.ts'
import type { ServiceUserMini } from '../../contract/models/user-mini.ts'
import { formatTime } from '../../core/format-time.ts'
import type { Services } from '../../services.ts'
import { findUsers } from '../../store/directory/users.ts'
import { hasExpired } from '../../store/links/access-tokens.ts'
import type { AccessTokenRecord } from '../../store/records/access-token-record.ts'
import type { ActivityRecord } from '../../store/records/activity-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { toUserMini } from '../directory/user-body.ts'
import { needsOwnLogin } from '../sign-in/link-session.ts'
import { buildLink, buildPageUrl, decryptValue } from './links.ts'

/** Tokens as shown to those who may read their values: their users are read together, their values decrypted. */
export const toAccessTokenBodies = async (
  services: Services,
  tokens: readonly AccessTokenRecord[],
): Promise<readonly OneTimeAccessToken[]> => {
  const ids = [...new Set(tokens.flatMap(({ user, createdBy }) => [user, createdBy]))]
  const users = await findUsers(services.table, ids)
  const byId = new Map(users.flatMap((user) => (user ? [[user.id, user] as const] : [])))
  const values = await Promise.all(tokens.map((token) => decryptValue(services, token)))
  return tokens.map((token, at) =>
    bodyOf(services, token, values[at] ?? '', {
      user: byId.get(token.user),
      creator: byId.get(token.createdBy),
    }),
  )
}

/** One that was made just now, by who knows its value and its users. */
export const toNewAccessTokenBody = (
  services: Services,
  token: AccessTokenRecord,
  value: string,
  users: { readonly user: UserRecord; readonly creator: UserRecord },
): OneTimeAccessToken => bodyOf(services, token, value, users)

/** One of them, with its uses. */
export const toAccessTokenBody = async (
  services: Services,
  token: AccessTokenRecord,
  activities: readonly ActivityRecord[],
): Promise<OneTimeAccessToken> => {
  const [body] = await toAccessTokenBodies(services, [token])
  if (!body) throw new Error('a token was not shown')
  return { ...body, activity: activities.map(activityBody) }
}

/** A token as shown to anyone who has its value. */
export const toRestrictedBody = (
  { config }: Services,
  token: AccessTokenRecord,
  user: UserRecord,
  value: string,
): RestrictedOneTimeAccessToken => ({
  id: token.id,
  has_password: token.passwordHash !== null,
  user: toUserMini(user),
  url: buildPageUrl(config, token),
  full_url: buildLink(config, token, value),
})

const bodyOf = (
  { config, now }: Services,
  token: AccessTokenRecord,
  value: string,
  { user, creator }: { readonly user: UserRecord | undefined; readonly creator: UserRecord | undefined },
): OneTimeAccessToken => {
  const { easySharing } = token
  const isDead = !user || !creator || hasExpired(token, now())
  return {
    id: token.id,
    // A list would have to ask for each token's; `accessTokenBody` adds them.
    activity: [],
    user: user ? toUserMini(user) : somebodyGone(token.user),
    media_root_permissions: isDead ? [] : token.roots.map(({ id }) => id),
    shared_bundles: token.bundles.map(({ id, name }) => ({ id, name })),
    shared_directories: token.directories.map(({ id, name }) => ({ id, name })),
    url: buildPageUrl(config, token),
    full_url: buildLink(config, token, value),
    token: value,
    has_password: token.passwordHash !== null,
    created_at: formatTime(token.createdAt),
    expires: formatTime(token.expiresAt),
    view_limit_enabled: token.isViewLimited,
    view_limit_left: token.viewsLeft,
    require_login: token.requireLogin || (user !== undefined && needsOwnLogin(user)),
    ...(creator ? { created_by: toUserMini(creator) } : {}),
    is_easy_sharing_for_bundle: easySharing?.kind === 'bundle' ? easySharing.id : null,
    is_easy_sharing_for_directory: easySharing?.kind === 'directory' ? easySharing.id : null,
  }
}

const activityBody = ({ id, tokenId, at, address }: ActivityRecord) => ({
  id,
  date: formatTime(at),
  ip: address,
  token: tokenId,
})

/** Stands for a recipient that was deleted: its link is dead, but still there to be deleted. */
const somebodyGone = (id: number): ServiceUserMini => ({
  id,
  username: `deleted-${id}`,
  display_name: 'Deleted user',
  full_name: null,
  email: null,
  is_external: false,
  is_cloud: false,
})
