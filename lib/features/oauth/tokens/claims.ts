import { createHash } from 'node:crypto'
import {
  limitToScopes,
  selectGroupPermissions,
  sortPermissions,
} from '../../../accounts/callers/permissions.ts'
import type { Principal } from '../../../accounts/callers/principal.ts'
import { findGroups } from '../../../accounts/groups/groups.records.ts'
import { getSessionLifetime } from '../../../accounts/sessions/session-rules.ts'
import type { AuthenticationMethod } from '../../../accounts/sessions/stored-session.records.ts'
import { type ConnectionKindName, connectionKinds } from '../../../kernel/contract/connection-kinds.ts'
import { organizationTokenSubject } from '../../../kernel/contract/text-rules.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import type { Services } from '../../../services.ts'
import type { ActingPrincipal } from '../../organizations/acting-principal.ts'
import {
  type StatedPermissions,
  statePermissions,
  toOrganizationClaims,
} from '../../organizations/organization-claims.ts'
import { nameAuthenticationClass } from '../../sign-in/authentication-class.ts'
import { getStatedTime } from '../../sign-in/proof-time.ts'

/** What every token states about its user. */
export interface UserClaims extends StatedPermissions {
  /** The ID of the user. Usernames can change. */
  readonly sub: string
  readonly preferred_username: string
  /** The names of the user's groups. */
  readonly groups: readonly string[]
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
  /** The organization that the user acts in. The ID is the only one of these to compare: the others can change. */
  readonly org_id?: string
  readonly org_slug?: string
  readonly org_name?: string
  /** The roles of the user in it, by their keys. */
  readonly org_roles?: readonly string[]
}

/**
 * Builds the claims about a caller. They never grant more than the credential: scopes of an API token limit them, and a
 * session of an access link has no permissions and groups. In an organization, only the roles there give permissions: those that the
 * user has elsewhere would be worth something in every organization. They are claims of their own, because a user chooses the
 * organization, and may have made it. Makes one table call if the user has groups.
 */
export const buildUserClaims = async (
  { table }: Pick<Services, 'table'>,
  principal: ActingPrincipal,
): Promise<UserClaims> => {
  const { user, actor, session, scopes, organization } = principal
  const groups = organization ? [] : await findGroups(table, user.groups)
  const permissions = organization?.permissions ?? [
    ...user.permissions,
    ...selectGroupPermissions(user, groups),
  ]
  const stated = limitToScopes(sortPermissions(permissions), scopes)
  const { methods = [] } = session?.authentication ?? {}
  return {
    sub: String(user.id),
    preferred_username: user.username,
    // Products may derive rights from groups, which scopes would not limit.
    groups: scopes ? [] : groups.map(({ name }) => name).sort(),
    ...statePermissions(stated, { isInOrganization: organization !== undefined }),
    sid: getSessionId(principal),
    amr: nameMethods(methods),
    ...(organization && {
      ...toOrganizationClaims(organization.organization),
      org_roles: organization.membership.roles,
    }),
    ...omitUndefined({
      acr: session && nameAuthenticationClass(methods),
      auth_time: session && Math.floor(getStatedTime(session.authentication) / 1000),
      act: actor && { sub: String(actor.id), preferred_username: actor.username },
      access_link: session?.accessLink?.id,
    }),
  }
}

/** What a token states that a client got for itself. */
export interface MachineClaims extends StatedPermissions {
  readonly sub: string
  readonly aud: string
  readonly client_id: string
  readonly jti: string
  /** Separated by spaces. Missing if the client named none. */
  readonly scope?: string
  /** The organization that the token is for. */
  readonly org_id?: string
}

const machinePrefix = 'client:'
/** The claim `sub` of a client without a user. Code that reads the leading digits finds no user in it. */
export const nameMachine = (clientId: string): string => `${machinePrefix}${clientId}`

/** Whether a text can be the `sub` of a user: at most 255 ASCII characters (OpenID Connect Core 2), and never that of a caller without a user. */
export const isSubject = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^[\x21-\x7e]{1,255}$/.test(value) &&
  ![machinePrefix, organizationTokenSubject].some((prefix) => value.startsWith(prefix))

/** Values of RFC 8176 where it has one. Relying parties must not mistake an emailed code for a second factor. */
const names: Readonly<Record<Exclude<AuthenticationMethod, ConnectionKindName>, string>> = {
  pwd: 'pwd',
  otp: 'otp',
  recovery_code: 'otp',
  passkey: 'hwk',
  mfa: 'mfa',
  email_code: 'email_code',
  link: 'link',
}

const isConnectionKind = (method: AuthenticationMethod): method is ConnectionKindName =>
  connectionKinds.some((kind) => kind === method)

/** The claim `amr`: how a user proved who they are. */
export const nameMethods = (methods: readonly AuthenticationMethod[]): readonly string[] => [
  ...new Set(methods.map((method) => (isConnectionKind(method) ? method : names[method]))),
]

interface SessionParts {
  readonly hash: string
  /** See `SessionRecord`. */
  readonly switches?: number | undefined
  /** The ID of the user whom the session impersonates. */
  readonly impersonated?: number | undefined
}

/**
 * Builds the ID of a session or an API token in tokens. It reveals neither the credential nor its stored hash. A session
 * has one ID for each user that it acts as, and a new one when an impersonation starts or stops.
 */
export const buildSessionId = ({ hash, switches = 0, impersonated = 0 }: SessionParts): string =>
  createHash('sha256')
    .update(`sid ${hash} ${switches} ${impersonated}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')

/** The ID of the session or API token of a caller. */
export const getSessionId = ({
  hash,
  session,
  user,
  actor,
}: Pick<Principal, 'hash' | 'session' | 'user' | 'actor'>): string =>
  buildSessionId({ hash, switches: session?.switches, impersonated: actor && user.id })

/** When the credential of a caller ends at the latest, in epoch milliseconds. No token of the caller may outlive it. */
export const getCredentialEnd = (
  { config }: Pick<Services, 'config'>,
  { user, actor, session, apiToken }: Principal,
): number => {
  const ends = [user.expiresAt, actor?.expiresAt, apiToken?.expiresAt]
  if (session) {
    const { lifetimeMs } = getSessionLifetime(config, session, actor ?? user)
    ends.push(session.expiresAt, session.createdAt + lifetimeMs)
    if (actor) ends.push(session.impersonation?.until ?? 0)
  }
  return Math.min(...ends.map((end) => end ?? Number.POSITIVE_INFINITY))
}
