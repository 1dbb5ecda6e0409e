import { hasPermission } from '../../lib/accounts/common/permissions.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { consume } from '../../lib/accounts/common/throttle.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { canConfirmEmail } from '../../lib/accounts/emails/confirmations.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { conflict, notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildOutboxStep } from '../../lib/store/mail/outbox.ts'

/** Emails the link that confirms an address again, for users themselves and for those who manage users. */
export const sendEmailConfirmation: UseCase<typeof users.sendEmailConfirmation> = async (
  { params, principal, context },
  services,
) => {
  const { table, now } = services
  const isOwn = params.id === principal.user.id
  if (!isOwn && !(await hasPermission(table, principal.user, 'users:manage'))) throw notFound()
  const user = await requireUser(table, params.id)
  if (!isOwn) await requireRightToChange(services, principal, user)
  if (!canConfirmEmail(user, now()))
    throw conflict('The user is disabled, or has no email address that waits for a confirmation.')
  await consume(services, 'emailConfirmationsPerAccount', String(user.id))
  await table.transact([
    buildOutboxStep({ kind: 'email_confirmation', userId: user.id }, context, now()),
    auditStep(context, 'email.confirmation_requested', { user: user.id }),
  ])
  return { status: 204 }
}
