import { buildSignInSetSteps } from '../../lib/accounts/common/administrator-notices.ts'
import { buildEndReportsChange } from '../../lib/accounts/common/end-reports.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { buildUnlockStep } from '../../lib/accounts/common/unlock.ts'
import { readCallerRights, requireControlOfUsers } from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { buildNewStart, exceedsLimit, limitRights } from '../../lib/accounts/directory/rights-limit.ts'
import { requireGoodPassword } from '../../lib/accounts/passwords/password-policy.ts'
import { tryRemoveRevokedCredentials } from '../../lib/accounts/security-reports/remove-revoked.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import { AppError, conflict } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword } from '../../lib/secrets/passwords.ts'
import { isGuestUser } from '../../lib/store/directory/guest-state.ts'
import { editUserEndingSessions } from '../../lib/store/directory/users.ts'
import { omitUndefined } from '../../lib/util/omit-undefined.ts'

/**
 * Sets the password of another user and ends their sessions, so that the old password gives no access any more. The user
 * can be required to replace it at the next sign-in, because the caller knows it.
 */
export const setUserPassword: UseCase<typeof passwords.setUserPassword> = async (
  { params, body, principal, context },
  services,
) => {
  if (params.id === principal.user.id)
    throw new AppError('permission_denied', {
      detail:
        'To change your own password, use /api/2/users/me/password, which requires the current password.',
    })
  const user = await requireUser(services.table, params.id)
  const rights = await readCallerRights(services.table, principal)
  await requireControlOfUsers(services.table, rights, [user])
  if (isGuestUser(user))
    throw conflict(
      'A guest of an access link has no password. Create a user with the email address of the guest instead.',
    )
  await requireGoodPassword(services, body.password, user, 'password')
  const passwordHash = await hashPassword(body.password, services.config.passwordCost)
  const limit = user.rightsLimit
  const isNewStart = limit !== undefined && (await exceedsLimit(services.table, user))
  const setAt = { nowMs: services.now(), setsEmail: false }
  const edited = await editUserEndingSessions(
    services.table,
    user,
    {
      ...(isNewStart ? buildNewStart(services, user, limit) : {}),
      rightsLimit: limitRights(isNewStart ? undefined : limit, rights, setAt),
      passwordHash,
      passwordChangedAt: setAt.nowMs,
      ...buildEndReportsChange(services),
      ...omitUndefined({ passwordChangeRequired: body.password_change_required }),
    },
    {
      extraSteps: [
        auditStep(context, 'password.set', { user: user.id }),
        buildUnlockStep(services, user),
        ...(isNewStart ? [auditStep(context, 'user.started_anew', { user: user.id })] : []),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'password_set' }),
        ...(await buildSignInSetSteps(services, context, user)),
      ],
    },
  )
  if (isNewStart) await tryRemoveRevokedCredentials(services, edited, context)
  return { status: 204 }
}
