import { limitToScopes } from '../accounts/common/permissions.ts'
import type { UserClaims } from './claims.ts'

/** The present claims of a user, limited to those of a token: it allows what it states, as far as its user still may. */
export const limitClaims = (
  present: UserClaims,
  stated: Pick<UserClaims, 'groups' | 'permissions'>,
): UserClaims => ({
  ...present,
  permissions: limitToScopes(present.permissions, stated.permissions),
  groups: present.groups.filter((name) => stated.groups.includes(name)),
})
