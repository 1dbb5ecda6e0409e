import type { OneTimeAccessToken, RestrictedOneTimeAccessToken } from '../../contract/models/access-tokens.ts'
import type { ServiceUserMini } from '../../contract/models/user-mini.ts'
import { formatTime } from '../../core/format-time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Services } from '../../services.ts'
import { findUsers } from '../../store/directory/users.ts'
import { hasExpired } from '../../store/links/access-tokens.ts'
import type { AccessTokenRecord } from '../../store/records/access-token-record.ts'
import type { ActivityRecord } from '../../store/records/activity-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { findSharers } from '../common/sharing-rights.ts'
import { toUserMini } from '../directory/user-body.ts'
import { needsOwnLogin } from '../sign-in/link-session.ts'
import { buildLink, buildPageUrl, decryptValue } from './links.ts'

/** The bodies of access tokens, with their values. The users of all tokens are read together. */
export const toAccessTokenBodies = async (
  services: Services,
  tokens: readonly AccessTokenRecord[],
): Promise<readonly OneTimeAccessToken[]> => {
  const ids = [...new Set(tokens.flatMap(({ user, createdBy }) => [user, createdBy]))]
  const users = await findUsers(services.table, ids)
  const byId = new Map(users.flatMap((user) => (user ? [[user.id, user] as const] : [])))
  const creators = [...new Set(tokens.flatMap(({ createdBy }) => byId.get(createdBy) ?? []))]
  const sharers = await findSharers(services, creators)
  const values = await Promise.all(tokens.map((token) => decryptValue(services, token)))
  return tokens.map((token, at) =>
    buildBody(services, token, values[at] ?? '', {
      user: byId.get(token.user),
      creator: byId.get(token.createdBy),
      canShare: sharers.has(token.createdBy),
    }),
  )
}

/** The body of an access token that was just created, from its known value and users. */
export const toNewAccessTokenBody = (
  services: Services,
  token: AccessTokenRecord,
  value: string,
  users: { readonly user: UserRecord; readonly creator: UserRecord },
): OneTimeAccessToken => buildBody(services, token, value, { ...users, canShare: true })

/** The body of an access token, with its activities. */
export const toAccessTokenBody = async (
  services: Services,
  token: AccessTokenRecord,
  activities: readonly ActivityRecord[],
): Promise<OneTimeAccessToken> => {
  const [body] = await toAccessTokenBodies(services, [token])
  if (!body) throw new Error('An access token has no body.')
  return { ...body, activity: activities.map(toActivityBody) }
}

/** An access token as shown to anyone who has its value. */
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

interface TokenUsers {
  readonly user: UserRecord | undefined
  readonly creator: UserRecord | undefined
  /** Whether the creator is still allowed to create links. */
  readonly canShare: boolean
}

const buildBody = (
  { config, now }: Services,
  token: AccessTokenRecord,
  value: string,
  { user, creator, canShare }: TokenUsers,
): OneTimeAccessToken => {
  const { easySharing } = token
  const hasEnded = !user || !canShare || hasExpired(token, now())
  return {
    id: token.id,
    // A list would need one query per token. `toAccessTokenBody` adds the activities.
    activity: [],
    user: user ? toUserMini(user) : buildDeletedUser(token.user),
    media_root_permissions: hasEnded ? [] : token.roots.map(({ id }) => id),
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
    ...omitUndefined({ created_by: creator && toUserMini(creator) }),
    is_easy_sharing_for_bundle: easySharing?.kind === 'bundle' ? easySharing.id : null,
    is_easy_sharing_for_directory: easySharing?.kind === 'directory' ? easySharing.id : null,
  }
}

const toActivityBody = ({ id, tokenId, at, address }: ActivityRecord) => ({
  id,
  date: formatTime(at),
  ip: address,
  token: tokenId,
})

/** Replaces a deleted recipient. The link no longer works, but it can still be listed and deleted. */
const buildDeletedUser = (id: number): ServiceUserMini => ({
  id,
  username: `deleted-${id}`,
  display_name: 'Deleted user',
  full_name: null,
  email: null,
  is_external: false,
  is_cloud: false,
})
