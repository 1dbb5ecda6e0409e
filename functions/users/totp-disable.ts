import { hasPermission } from '../../lib/accounts/common/permissions.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { type Proof, proveSecondFactor } from '../../lib/accounts/sign-in/second-factor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { EditConflict } from '../../lib/store/engine/transaction-errors.ts'
import { removeTotp } from '../../lib/store/sign-in/totp.ts'

/**
 * Turns a second factor off: the caller's own with a code of it, or that of somebody who lost it, by whoever
 * manages users. What is off stays off.
 */
export const disableTotp: UseCase<typeof users.disableTotp> = async (
  { params, query, principal, context },
  services,
) => {
  const { table } = services
  const isOwn = params.id === principal.user.id
  if (!isOwn && !(await hasPermission(table, principal.user, 'users:manage')))
    throw new AppError('permission_denied', {
      detail: 'This takes the permission users:manage, or to be that user.',
    })
  let user = isOwn ? principal.user : await findUser(table, params.id)
  if (!user) throw notFound()
  if (!isOwn) await requireRightToChange(services, principal.user, user)
  const step = auditStep(context, 'totp.disabled', { user: user.id })
  for (let tries = isOwn ? 5 : 1; tries > 0 && user?.totp; tries--) {
    // Goes with what it turns off: whatever goes wrong before, the code stays good.
    const { use, along }: Proof = isOwn
      ? await proveSecondFactor(services, user, query.otp, context)
      : { along: [] }
    if (await removeTotp(table, user, user.totp, [step, ...along], use?.isUnused)) return { status: 204 }
    user = await findUser(table, params.id)
  }
  if (user?.totp) throw new EditConflict()
  return { status: 204 }
}
