import { withScopes } from '../../lib/accounts/common/permissions.ts'
import type { Principal } from '../../lib/accounts/common/principal.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { hasSecondFactor } from '../../lib/accounts/common/second-factors.ts'
import { toUserMini, toUserProfile } from '../../lib/accounts/directory/user-body.ts'
import { diffFields, listFieldNames } from '../../lib/accounts/directory/user-changes.ts'
import { isLimitedToSetup } from '../../lib/accounts/sign-in/setup-session.ts'
import type { ServiceUserProfile, ServiceUserProfileUpdate } from '../../lib/contract/models/profile.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError } from '../../lib/core/errors.ts'
import { formatTime } from '../../lib/core/format-time.ts'
import { omitUndefined } from '../../lib/core/omit-undefined.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { editUser } from '../../lib/store/directory/users.ts'
import type { UserChanges } from '../../lib/store/records/user-record.ts'

export const getCurrentUser: UseCase<typeof users.getCurrentUser> = async ({ principal }, { table }) => ({
  status: 200,
  body: {
    ...(await toUserProfile(table, await withScopes(table, principal.user, principal.scopes))),
    // Products decide by this list. A password alone must not be enough for them where the policy asks for more.
    ...(isLimitedToSetup(principal) ? { effective_permissions: [] } : {}),
    ...omitUndefined({
      impersonated_by: principal.actor && toUserMini(principal.actor),
      second_factor_required_from: findSecondFactorTime(principal),
      recovery_codes_left: countRecoveryCodes(principal),
    }),
  },
})

/** The deadline from the sign-in, until the user has a second factor. */
const findSecondFactorTime = ({ session, actor, user }: Principal): string | undefined => {
  const from = session?.secondFactorRequiredFrom
  return from === undefined || actor || hasSecondFactor(user) ? undefined : formatTime(from)
}

/** Only users themselves see it. It would show others how the account can be attacked. */
const countRecoveryCodes = ({ user, actor, session }: Principal): number | undefined =>
  user.totp && session && !session.accessToken && !actor
    ? Object.keys(user.totp.recoveryCodes).length
    : undefined

/** Updates the current user's profile. Users can change how they are shown, but none of their rights. */
export const updateCurrentUser: UseCase<typeof users.updateCurrentUser> = async (request, services) => ({
  status: 200,
  body: await changeProfile(request, services, readProfileFields(request.body)),
})

/** Replaces the same fields. Fields that the body omits return to their defaults. */
export const updateProfile: UseCase<typeof users.updateProfile> = async (request, services) => ({
  status: 200,
  body: await changeProfile(request, services, { ...profileDefaults, ...readProfileFields(request.body) }),
})

const readProfileFields = (body: ServiceUserProfileUpdate): UserChanges =>
  omitUndefined({
    fullName: body.full_name,
    language: body.language,
    defaultPage: body.default_page,
    bookmarks: body.fm_bookmarks,
  })

const profileDefaults = { fullName: null, language: null, defaultPage: '/', bookmarks: [] }

const changeProfile = async (
  { principal, context }: Pick<UseCaseRequest<typeof users.updateProfile>, 'principal' | 'context'>,
  { table }: Services,
  wanted: UserChanges,
): Promise<ServiceUserProfile> => {
  if (principal.session?.accessToken)
    throw new AppError('permission_denied', {
      detail: 'Not allowed in a session that an access link opened. Sign in instead.',
    })
  const changes = diffFields<UserChanges>(principal.user, wanted)
  const user =
    Object.keys(changes).length === 0
      ? principal.user
      : await editUser(table, principal.user, changes, {
          extraSteps: [
            auditStep(context, 'user.changed', {
              user: principal.user.id,
              target: listFieldNames(changes),
            }),
          ],
        })
  return toUserProfile(table, await withScopes(table, user, principal.scopes))
}
