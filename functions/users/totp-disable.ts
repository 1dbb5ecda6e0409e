import { requireRightToChange } from '../../lib/accounts/account-rights.ts'
import { mayUse } from '../../lib/accounts/permissions.ts'
import { requireSecondFactor } from '../../lib/accounts/second-factor.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { EditConflict } from '../../lib/store/outcomes.ts'
import { removeTotp } from '../../lib/store/totp.ts'
import { findUser } from '../../lib/store/users.ts'

/**
 * Turns a second factor off: the caller's own with a code of it, or that of somebody who lost it, by whoever
 * manages users. What is off stays off.
 */
export const disableTotp: UseCase<typeof users.disableTotp> = async (
  { params, query, principal, visitor },
  services,
) => {
  const { table } = services
  const isOwn = params.id === principal.user.id
  if (!isOwn && !(await mayUse(table, principal.user, 'users:manage')))
    throw new AppError('permission_denied', {
      detail: 'This takes the permission users:manage, or to be that user.',
    })
  const found = isOwn ? principal.user : await findUser(table, params.id)
  if (!found) throw notFound()
  if (!isOwn) await requireRightToChange(services, principal.user, found)
  const user = isOwn ? await requireSecondFactor(services, found, query.otp, visitor) : found
  const step = recorded(visitor, 'totp.disabled', { user: user.id })
  if (user.totp && !(await removeTotp(table, user, user.totp, [step]))) throw new EditConflict()
  return { status: 204 }
}
