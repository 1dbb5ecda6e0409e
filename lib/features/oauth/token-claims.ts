import { grants, limitToScopes, sortPermissions } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import { listExternalIds, type UserRecord } from '../../accounts/users/stored-user.records.ts'
import { ownSubjectPrefix } from '../../kernel/contract/text-rules.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { StatedPermissions } from '../organizations/organization-claims.ts'
import type { ClientRecord } from './clients.records.ts'
import type { ApiRights } from './protected-apis.records.ts'
import { isSubject, type UserClaims } from './tokens/claims.ts'

/**
 * Where clients and their APIs learn about a user. Introspection and authorizers say of an access token what it states itself. A
 * token for userinfo alone states nothing but who the user is.
 */
type ClaimPlace = 'id_token' | 'userinfo' | 'api'

/** The scopes that state something about a user, and the line of the pages which says so to the user. */
export const scopeLines = {
  openid: 'deviceGetsId',
  profile: 'deviceGetsProfile',
  email: 'deviceGetsEmail',
  phone: 'deviceGetsPhone',
  address: 'deviceGetsAddress',
  groups: 'deviceGetsGroups',
  permissions: 'deviceGetsPermissions',
  attributes: 'deviceGetsAttributes',
  organization: 'deviceGetsOrganization',
} as const
export type ClaimScope = keyof typeof scopeLines

/** The scope of each claim, and where it is. What belongs to `openid` needs no scope in a token for an API. */
const claimRules = {
  sub: { scope: 'openid', places: ['id_token', 'userinfo', 'api'] },
  act: { scope: 'openid', places: ['id_token', 'userinfo', 'api'] },
  // An API decides with these two whether a sign-in is strong and new enough (RFC 9068 2.2.1, RFC 9470).
  acr: { scope: 'openid', places: ['id_token', 'api'] },
  auth_time: { scope: 'openid', places: ['id_token', 'api'] },
  amr: { scope: 'openid', places: ['id_token'] },
  sid: { scope: 'openid', places: ['id_token'] },
  // They belong to the grant, which has an organization or none, so they need no scope.
  org_id: { scope: 'openid', places: ['id_token', 'userinfo', 'api'] },
  org_slug: { scope: 'openid', places: ['id_token', 'userinfo', 'api'] },
  org_name: { scope: 'openid', places: ['id_token', 'userinfo', 'api'] },
  org_roles: { scope: 'openid', places: ['id_token', 'userinfo', 'api'] },
  preferred_username: { scope: 'profile', places: ['id_token', 'userinfo', 'api'] },
  name: { scope: 'profile', places: ['id_token', 'userinfo'] },
  locale: { scope: 'profile', places: ['id_token', 'userinfo'] },
  email: { scope: 'email', places: ['id_token', 'userinfo'] },
  email_verified: { scope: 'email', places: ['id_token', 'userinfo'] },
  groups: { scope: 'groups', places: ['id_token', 'userinfo', 'api'] },
  permissions: { scope: 'permissions', places: ['id_token', 'userinfo', 'api'] },
  org_permissions: { scope: 'permissions', places: ['id_token', 'userinfo', 'api'] },
  attributes: { scope: 'attributes', places: ['id_token', 'userinfo'] },
} as const satisfies Readonly<
  Record<string, { readonly scope: ClaimScope; readonly places: readonly ClaimPlace[] }>
>
type ClaimName = keyof typeof claimRules

const isIn = (name: ClaimName, place: ClaimPlace): boolean =>
  claimRules[name].places.some((known) => known === place)

const claimNames = Object.keys(claimRules) as readonly ClaimName[]

/** The claims of each scope in ID tokens and userinfo responses (OpenID Connect Core 5.4). */
export const scopeClaims: Readonly<Record<string, readonly ClaimName[]>> = Object.fromEntries(
  Object.keys(scopeLines).map((scope) => [
    scope,
    claimNames.filter(
      (name) => claimRules[name].scope === scope && (isIn(name, 'id_token') || isIn(name, 'userinfo')),
    ),
  ]),
)

/** Selects what a token or response may state. A claim without a value is left out (OpenID Connect Core 5.3.2). */
export const selectClaims = <Known extends { readonly [Name in ClaimName]?: unknown }>(
  place: ClaimPlace,
  scopes: readonly string[],
  known: Known,
): Partial<Known> => {
  const stated = claimNames.filter((name) => {
    const { scope } = claimRules[name]
    return isIn(name, place) && (scope === 'openid' || scopes.includes(scope))
  })
  const entries = Object.entries(known).filter(
    ([name, value]) => value !== null && value !== undefined && stated.some((one) => one === name),
  )
  return Object.fromEntries(entries) as Partial<Known>
}

/** The ID of the user in the system that the client came from. Undefined if they have none, or if the client names no system. */
const findExternalSubject = (
  user: UserRecord,
  { subject_source: subjectSource }: Pick<ClientRecord, 'subject_source'>,
): string | undefined => listExternalIds(user).find(({ source }) => source === subjectSource)?.id

/**
 * The claim `sub` for a client, wherever it learns about the user. A client that came from another system gets the ID that its user
 * had there. So that no other user can be taken for them, others have a prefix that no import accepts.
 */
export const nameSubject = (user: UserRecord, client: Pick<ClientRecord, 'subject_source'>): string => {
  if (!client.subject_source) return String(user.id)
  const id = findExternalSubject(user, client)
  return id !== undefined && isSubject(id) ? id : `${ownSubjectPrefix}${user.id}`
}

/** How an access token of a client names a user: by the subject for the client, and by the ID here if that is another one. */
const identify = (user: UserRecord, client: Pick<ClientRecord, 'subject_source'>) => {
  const sub = nameSubject(user, client)
  return { sub, ...(sub === String(user.id) ? {} : { user_id: String(user.id) }) }
}

/** What a client may do with one of its tokens. */
export interface ClientRights {
  readonly client: Pick<ClientRecord, 'permissions' | 'subject_source'>
  readonly scopes: readonly string[]
  /** The API that an access token is for. Undefined for userinfo and ID tokens. */
  readonly api?: ApiRights | undefined
}

/** The permissions that these scopes of an API carry. */
const listCarried = ({ scopes }: ApiRights, names: readonly string[]): readonly string[] =>
  scopes.flatMap(({ name, permissions }) => (names.includes(name) ? permissions : []))

/** What a token may state of the permissions of its user. A token for an API states only what the API knows. */
const listStated = ({ client, scopes, api }: ClientRights): readonly string[] => {
  const visible = scopes.includes('permissions') ? client.permissions : []
  if (!api) return visible
  return sortPermissions(
    [...visible, ...listCarried(api, scopes)].filter((permission) => api.permissions.includes(permission)),
  )
}

/** What a user may do, as tokens state it. */
type StatedRights = StatedPermissions & Pick<UserClaims, 'groups'>

/** Groups and permissions that a client may know: those that the user has, the scopes allow and the API knows. */
export const limitRights = (
  { groups, permissions, org_permissions: inOrganization }: StatedRights,
  rights: ClientRights,
): StatedRights => {
  const limit = (held: readonly string[]) => listStated(rights).filter((name) => grants(held, name))
  return {
    groups: rights.scopes.includes('groups') ? groups : [],
    permissions: limit(permissions),
    ...(inOrganization && { org_permissions: limit(inOrganization) }),
  }
}

/** What an access token states about its user. */
export interface StatedClaims
  extends Pick<UserClaims, 'sub' | 'groups' | 'permissions'>,
    Partial<Omit<UserClaims, 'sub' | 'groups' | 'permissions' | 'act'>> {
  /** The ID of the user here, if `sub` is another one. */
  readonly user_id?: string
  /** Who impersonates the user. Clients do not learn the name. */
  readonly act?: Pick<StatedClaims, 'sub' | 'user_id' | 'preferred_username'>
}

/** Decides what an access token of a client states. One for userinfo opens nothing that would need to know more. */
export const describeToClient = (
  { user, actor }: Pick<Principal, 'user' | 'actor'>,
  claims: UserClaims,
  rights: ClientRights,
): StatedClaims => {
  const { client, scopes, api } = rights
  const { preferred_username, acr, auth_time, org_id, org_slug, org_name, org_roles } = claims
  const act = actor && identify(actor, client)
  const stated = selectClaims('api', scopes, {
    ...{ preferred_username, acr, auth_time, act },
    ...{ org_id, org_slug, org_name, org_roles },
  })
  const { org_permissions: inOrganization, ...limited } = limitRights(claims, rights)
  return {
    ...identify(user, client),
    ...limited,
    ...(api ? omitUndefined({ ...stated, org_permissions: inOrganization }) : {}),
  }
}

/**
 * The present claims of a user, limited to those of a token: it allows what it states, as far as its user, its client and
 * its API still may. `rights` are undefined for tokens of `create_jwt`.
 */
export const limitToToken = (
  principal: Pick<Principal, 'user' | 'actor'>,
  present: UserClaims,
  { stated, rights }: LimitingToken,
): StatedClaims => {
  const { org_permissions: inOrganization } = present
  const limited = {
    ...present,
    permissions: limitToScopes(present.permissions, stated.permissions),
    ...(inOrganization && {
      org_permissions: limitToScopes(inOrganization, stated.org_permissions ?? []),
    }),
    groups: present.groups.filter((name) => stated.groups.includes(name)),
  }
  return rights ? describeToClient(principal, limited, rights) : limited
}

/** What introspection says about the user of a refresh token: the claims of access tokens that identify them. */
export const describeRefreshing = (
  user: UserRecord,
  { client, scopes }: Pick<ClientRights, 'client' | 'scopes'>,
) => {
  const { preferred_username: username } = selectClaims('api', scopes, { preferred_username: user.username })
  return { ...identify(user, client), ...omitUndefined({ username }) }
}

/** A token, with what its client may do. */
interface LimitingToken {
  readonly stated: StatedRights
  readonly rights: ClientRights | undefined
}

/**
 * The permissions of a client in a token for itself: those that it and its groups have, and that the API knows. If the token
 * has scopes of the API, they limit it further.
 */
export const limitMachine = (
  { scopes: ofIdentity }: Pick<ClientRecord, 'scopes'>,
  present: readonly string[],
  api: ApiRights,
  scopes: readonly string[],
): readonly string[] => {
  const named = scopes.filter((name) => name !== '' && !ofIdentity.includes(name))
  const carried = named.length > 0 ? listCarried(api, named) : api.permissions
  return present.filter((name) => api.permissions.includes(name) && carried.includes(name))
}
