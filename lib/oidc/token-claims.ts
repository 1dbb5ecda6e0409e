import { grants, limitToScopes, sortPermissions } from '../accounts/common/permissions.ts'
import type { OidcClient } from '../store/oidc/clients.ts'
import type { ApiRights } from '../store/oidc/protected-apis.ts'
import type { UserClaims } from '../tokens/claims.ts'

/** What a client may do with one of its tokens. */
export interface ClientRights {
  readonly client: Pick<OidcClient, 'permissions'>
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

/**
 * Decides what tokens and responses state about a user to a client: the permissions that the user has, the scopes allow
 * and the API knows, and groups for their scope.
 */
export const limitToClient = (claims: UserClaims, rights: ClientRights): UserClaims => ({
  ...claims,
  groups: rights.scopes.includes('groups') ? claims.groups : [],
  permissions: listStated(rights).filter((permission) => grants(claims.permissions, permission)),
})

/**
 * The present claims of a user, limited to those of a token: it allows what it states, as far as its user, its client and
 * its API still may. `rights` are undefined for tokens of `create_jwt`.
 */
export const limitToToken = (
  present: UserClaims,
  stated: Pick<UserClaims, 'groups' | 'permissions'>,
  rights: ClientRights | undefined,
): UserClaims => {
  const limited = {
    ...present,
    permissions: limitToScopes(present.permissions, stated.permissions),
    groups: present.groups.filter((name) => stated.groups.includes(name)),
  }
  return rights ? limitToClient(limited, rights) : limited
}

/**
 * The permissions of a client in a token for itself: those that it and its groups have, and that the API knows. If the token
 * has scopes of the API, they limit it further.
 */
export const limitMachine = (
  { scopes: ofIdentity }: Pick<OidcClient, 'scopes'>,
  present: readonly string[],
  api: ApiRights,
  scopes: readonly string[],
): readonly string[] => {
  const named = scopes.filter((name) => name !== '' && !ofIdentity.includes(name))
  const carried = named.length > 0 ? listCarried(api, named) : api.permissions
  return present.filter((name) => api.permissions.includes(name) && carried.includes(name))
}
