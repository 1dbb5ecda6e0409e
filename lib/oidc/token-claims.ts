import { grants, limitToScopes } from '../accounts/common/permissions.ts'
import type { OidcClient } from '../store/oidc/clients.ts'
import type { UserClaims } from '../tokens/claims.ts'

/** What a client may do with one of its tokens. */
export interface ClientRights {
  readonly client: Pick<OidcClient, 'permissions'>
  readonly scopes: readonly string[]
}

/**
 * Decides what tokens and responses state about a user to a client: the permissions that the user has and that the client
 * may ask for, and groups. Each needs its scope.
 */
export const limitToClient = (claims: UserClaims, { client, scopes }: ClientRights): UserClaims => ({
  ...claims,
  groups: scopes.includes('groups') ? claims.groups : [],
  permissions: scopes.includes('permissions')
    ? client.permissions.filter((permission) => grants(claims.permissions, permission))
    : [],
})

/**
 * The present claims of a user, limited to those of a token: it allows what it states, as far as its user and its client
 * still may. `rights` are undefined for tokens of `create_jwt`.
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
