import { selectGroupPermissions, sortPermissions, withScopes } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import { findGroups, type GroupRecord } from '../../accounts/groups/groups.records.ts'
import { isLimitedToSetup } from '../../accounts/sessions/session-rules.ts'
import { hasSecondFactor } from '../../accounts/users/account-state.ts'
import { withRestingRights } from '../../accounts/users/resting-rights.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { identifyUser, isEmailVerified, showLanguage, toUserMini } from '../../accounts/users/user-body.ts'
import { project } from '../../kernel/contract/projection.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { profileClientFields } from '../../published-clients/stored-fields.ts'
import { describeKept } from '../connections/describe-kept.ts'
import { profileNames } from '../directory/field-names.models.prebuilt.ts'
import type { ServiceUserProfile } from '../directory/users/profile.models.ts'
import type { ActingPrincipal } from '../organizations/acting-principal.ts'
import { toCurrentBody } from '../organizations/body.ts'
import { nameAuthenticationClass } from './authentication-class.ts'
import { isLimitedToOrganizations } from './organization-sessions.ts'
import { getStatedTime } from './proof-time.ts'

/** Builds the profile of the caller, with what only they may see. Takes a table call if they have groups. */
export const buildOwnProfile = async (
  table: Table,
  principal: ActingPrincipal,
): Promise<ServiceUserProfile> => ({
  ...(await buildProfile(table, principal)),
  ...(await describeKept(table, principal.user)),
  ...(isLimitedToOrganizations(principal) ? privateFields : {}),
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

/** What the identity provider of an organization, which can open such a session for anyone of its members, does not learn about them. */
const privateFields = { pending_email: null, has_password: false, totp_enabled: false } as const

/** The profile with the rights that have an effect now, and the names of those that rest in the session. */
const buildProfile = async (table: Table, { user, scopes }: Principal): Promise<ServiceUserProfile> => {
  const { restingRights: resting } = user
  if (!resting) return toUserProfile(table, await withScopes(table, user, scopes))
  const groups = await findGroups(table, [...user.groups, ...resting.groups])
  const kept = groups.filter(({ id }) => user.groups.includes(id))
  const profile = toUserProfileWith(user, kept)
  const held = withRestingRights(user)
  const rests = sortPermissions([...held.permissions, ...selectGroupPermissions(held, groups)]).filter(
    (permission) => !profile.effective_permissions.includes(permission),
  )
  return { ...profile, ...(rests.length > 0 && { resting_permissions: rests }) }
}

/** The profile of a user, for the user. */
const toUserProfile = async (table: Table, user: UserRecord): Promise<ServiceUserProfile> =>
  toUserProfileWith(user, await findGroups(table, user.groups))

/** The profile of a user with these groups. */
const toUserProfileWith = (user: UserRecord, groups: readonly GroupRecord[]): ServiceUserProfile => ({
  ...identifyUser(user),
  ...project(profileNames, user),
  email_verified: isEmailVerified(user),
  pending_email: user.pendingEmail?.credentialEpoch === user.credentialEpoch ? user.pendingEmail.email : null,
  ...showLanguage(user.language),
  effective_permissions: [...sortPermissions([...user.permissions, ...selectGroupPermissions(user, groups)])],
  has_password: user.passwordHash !== null,
  totp_enabled: Boolean(user.totp),
  ...profileClientFields(user.attributes),
})

/** How and when the user of a session proved who they are. API tokens do not sign in. */
const describeSignIn = ({ session }: Principal) =>
  session && {
    authenticated_at: formatTime(getStatedTime(session.authentication)),
    acr: nameAuthenticationClass(session.authentication.methods),
  }

/** The deadline from the sign-in, until the user has a second factor. */
const findSecondFactorTime = (principal: Principal): string | undefined => {
  const { session, actor, user } = principal
  const from = session?.secondFactorRequiredFrom
  return from === undefined || actor || isLimitedToOrganizations(principal) || hasSecondFactor(user)
    ? undefined
    : formatTime(from)
}

/** Only users themselves see it. It would show others how the account can be attacked. */
const countRecoveryCodes = ({ user, actor, session }: Principal): number | undefined =>
  user.totp && session && !session.accessLink && !actor && !isLimitedToOrganizations({ session })
    ? Object.keys(user.totp.recoveryCodes).length
    : undefined
