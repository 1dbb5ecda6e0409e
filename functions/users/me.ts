import { withScopes } from '../../lib/accounts/common/permissions.ts'
import type { Principal } from '../../lib/accounts/common/principal.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { hasSecondFactor } from '../../lib/accounts/common/second-factors.ts'
import { toUserMini, toUserProfile } from '../../lib/accounts/directory/user-body.ts'
import { listFieldNames } from '../../lib/accounts/directory/user-changes.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError } from '../../lib/core/errors.ts'
import { formatTime } from '../../lib/core/format-time.ts'
import { omitUndefined } from '../../lib/core/omit-undefined.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { editUser } from '../../lib/store/directory/users.ts'
import type { UserChanges } from '../../lib/store/records/user-record.ts'

export const getCurrentUser: UseCase<typeof users.getCurrentUser> = async ({ principal }, { table }) => ({
  status: 200,
  body: {
    ...(await toUserProfile(table, await withScopes(table, principal.user, principal.scopes))),
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
export const updateCurrentUser: UseCase<typeof users.updateCurrentUser> = async (
  { principal, body, context },
  { table },
) => {
  if (principal.session?.accessToken)
    throw new AppError('permission_denied', {
      detail: 'Not allowed in a session that an access link opened. Sign in instead.',
    })
  const changes: UserChanges = omitUndefined({
    fullName: body.full_name,
    language: body.language,
    defaultPage: body.default_page,
    bookmarks: body.fm_bookmarks,
  })
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
  const shown = await withScopes(table, user, principal.scopes)
  return { status: 200, body: await toUserProfile(table, shown) }
}
