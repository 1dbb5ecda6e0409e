import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { withScopes } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { hasSecondFactor } from '../directory/account-state.ts'
import type { ServiceUserProfile } from '../directory/profile.models.ts'
import { toUserMini, toUserProfile } from '../directory/user-body.ts'
import { toCurrentBody } from '../organizations/body.ts'
import { nameAuthenticationClass } from './authentication-class.ts'
import { getStatedTime } from './proof-time.ts'
import { isLimitedToSetup } from './sessions.ts'

/** Builds the profile of the caller, with what only they may see. Takes a table call if they have groups. */
export const buildOwnProfile = async (table: Table, principal: Principal): Promise<ServiceUserProfile> => ({
  ...(await toUserProfile(table, await withScopes(table, principal.user, principal.scopes))),
  // Products decide by this list. A password alone must not be enough for them where the policy asks for more.
  ...(isLimitedToSetup(principal) ? { effective_permissions: [] } : {}),
  ...omitUndefined({
    impersonated_by: principal.actor && toUserMini(principal.actor),
    access_link: principal.session?.accessLink?.id,
    second_factor_required_from: findSecondFactorTime(principal),
    recovery_codes_left: countRecoveryCodes(principal),
    organization:
      principal.organization &&
      toCurrentBody(principal.organization, isLimitedToSetup(principal) ? [] : principal.scopes),
    ...describeSignIn(principal),
  }),
})

/** How and when the user of a session proved who they are. API tokens do not sign in. */
const describeSignIn = ({ session }: Principal) =>
  session && {
    authenticated_at: formatTime(getStatedTime(session.authentication)),
    acr: nameAuthenticationClass(session.authentication.methods),
  }

/** The deadline from the sign-in, until the user has a second factor. */
const findSecondFactorTime = ({ session, actor, user }: Principal): string | undefined => {
  const from = session?.secondFactorRequiredFrom
  return from === undefined || actor || hasSecondFactor(user) ? undefined : formatTime(from)
}

/** Only users themselves see it. It would show others how the account can be attacked. */
const countRecoveryCodes = ({ user, actor, session }: Principal): number | undefined =>
  user.totp && session && !session.accessLink && !actor
    ? Object.keys(user.totp.recoveryCodes).length
    : undefined
