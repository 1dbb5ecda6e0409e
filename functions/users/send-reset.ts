import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { canResetPassword } from '../../lib/accounts/passwords/reset-tokens.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { conflict } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildOutboxStep } from '../../lib/store/mail/outbox.ts'

/** Emails a user a password reset link. It also serves to invite a new user. */
export const sendPasswordReset: UseCase<typeof users.sendPasswordReset> = async (
  { params, principal, context },
  services,
) => {
  const { table, now } = services
  const user = await requireUser(table, params.id)
  await requireRightToChange(services, principal, user)
  if (!canResetPassword(user, now()))
    throw conflict(
      'The user is disabled, is a guest, has no verified email address, or is not allowed to choose a password.',
    )
  await table.transact([
    buildOutboxStep({ kind: 'password_reset', userId: user.id }, context, now()),
    auditStep(context, 'password.reset_requested', { user: user.id }),
  ])
  return { status: 204 }
}
