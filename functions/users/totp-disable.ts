import { buildSignInSetSteps } from '../../lib/accounts/common/administrator-notices.ts'
import { hasPermission } from '../../lib/accounts/common/permissions.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { type Proof, proveSecondFactor } from '../../lib/accounts/sign-in/second-factor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, conflict, notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { EditConflict } from '../../lib/store/engine/transaction.ts'
import { removeTotp } from '../../lib/store/sign-in/totp.ts'

/**
 * Turns off the caller's own second factor, which requires a code, or, for a caller who manages users, that of another
 * user. Succeeds when it is off already.
 */
export const disableTotp: UseCase<typeof users.disableTotp> = async (
  { params, query, principal, context },
  services,
) => {
  const { table } = services
  const isOwn = params.id === principal.user.id
  if (!isOwn && !(await hasPermission(table, principal.user, 'users:manage')))
    throw new AppError('permission_denied', {
      detail: 'Requires the `users:manage` permission or your own account.',
    })
  const user = isOwn ? principal.user : await findUser(table, params.id)
  if (!user) throw notFound()
  if (!isOwn) await requireRightToChange(services, principal, user)
  const steps = [
    auditStep(context, 'totp.disabled', { user: user.id }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'second_factor_disabled' }),
    ...(isOwn ? [] : await buildSignInSetSteps(services, context, user)),
  ]
  return retryConflicts(async (attempt) => {
    const current = attempt === 1 ? user : await findUser(table, user.id)
    if (!current?.totp) return { status: 204 }
    // An administrator decided about the second factor as it was before. The user may just have set up a new one.
    if (!isOwn && attempt > 1) throw conflict(changedConcurrently)
    // The code is used in the same transaction, so that it stays valid when anything fails before.
    const { use, extraSteps }: Proof = isOwn
      ? await proveSecondFactor(services, current, query.otp, context)
      : { methods: [], extraSteps: [] }
    if (!(await removeTotp(table, current, { totp: current.totp, use }, [...steps, ...extraSteps])))
      throw new EditConflict()
    return { status: 204 }
  }, changedConcurrently)
}

const changedConcurrently = 'The second factor was modified concurrently. Try again.'
