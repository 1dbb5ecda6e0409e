import { limitToScopes, selectGroupPermissions, sortPermissions } from '../accounts/common/permissions.ts'
import type { Principal } from '../accounts/common/principal.ts'
import { nameAuthenticationClass } from '../accounts/sign-in/authentication-class.ts'
import type { Services } from '../services.ts'
import { findGroups } from '../store/directory/groups.ts'
import { omitUndefined } from '../util/omit-undefined.ts'
import { nameMethods } from './authentication-methods.ts'
import { getSessionId } from './session-id.ts'

/** What every token states about its user. */
export interface UserClaims {
  /** The ID of the user. Usernames can change. */
  readonly sub: string
  readonly preferred_username: string
  /** The names of the user's groups. */
  readonly groups: readonly string[]
  /** Effective permissions: those of the user and of their groups. */
  readonly permissions: readonly string[]
  /** The ID of the session or API token. */
  readonly sid: string
  readonly amr: readonly string[]
  /** How strong the sign-in was: see `authentication-class.ts`. Missing for API tokens. */
  readonly acr?: string
  /** Epoch seconds. Missing for API tokens. */
  readonly auth_time?: number
  /** The administrator who impersonates the user (RFC 8693 4.1). */
  readonly act?: { readonly sub: string; readonly preferred_username: string }
  /** The ID of the access link that opened the session. */
  readonly access_link?: number
}

/**
 * Builds the claims about a caller. They never grant more than the credential: scopes of an API token limit them, and a
 * session of an access link has no permissions and groups. Makes one table call if the user has groups.
 */
export const buildUserClaims = async (
  { table }: Pick<Services, 'table'>,
  principal: Principal,
): Promise<UserClaims> => {
  const { user, actor, session, scopes } = principal
  const groups = await findGroups(table, user.groups)
  const fromGroups = selectGroupPermissions(user, groups)
  const { at, methods } = session?.authentication ?? { at: undefined, methods: [] }
  return {
    sub: String(user.id),
    preferred_username: user.username,
    // Products may derive rights from groups, which scopes would not limit.
    groups: scopes ? [] : groups.map(({ name }) => name).sort(),
    permissions: limitToScopes(sortPermissions([...user.permissions, ...fromGroups]), scopes),
    sid: getSessionId(principal),
    amr: nameMethods(methods),
    ...omitUndefined({
      acr: session && nameAuthenticationClass(methods),
      auth_time: at === undefined ? undefined : Math.floor(at / 1000),
      act: actor && { sub: String(actor.id), preferred_username: actor.username },
      access_link: session?.accessToken?.id,
    }),
  }
}

/** What a token states that a client got for itself. */
export interface MachineClaims {
  readonly sub: string
  readonly aud: string
  readonly client_id: string
  readonly jti: string
  /** Separated by spaces. Missing if the client named none. */
  readonly scope?: string
  readonly permissions: readonly string[]
}

/** The claim `sub` of a client without a user. Code that reads the leading digits finds no user in it. */
export const nameMachine = (clientId: string): string => `client:${clientId}`
