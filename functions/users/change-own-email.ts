import { normalizeEmail, validateEmail } from '../../lib/accounts/common/names.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { consume } from '../../lib/accounts/common/throttle.ts'
import { requireNoProvider } from '../../lib/accounts/sign-in/required-sign-in.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findSignInPolicy } from '../../lib/store/directory/sign-in-policy.ts'
import { editUser } from '../../lib/store/directory/users.ts'
import { buildOutboxStep } from '../../lib/store/mail/outbox.ts'

/**
 * Emails a link to the new address of the current user. The old address stays in use until the link is opened. The answer
 * does not show whether another account has the address. The present address withdraws an earlier request.
 */
export const changeOwnEmail: UseCase<typeof users.changeOwnEmail> = async (
  { body: { email }, principal: { user }, context },
  services,
) => {
  const { table, now } = services
  const message = validateEmail(email)
  if (message) throw invalidRequest([{ field: 'email', message }])
  await consume(services, 'emailConfirmationsPerAccount', String(user.id))
  const normalizedEmail = normalizeEmail(email)
  const isPresent = normalizedEmail === user.normalizedEmail
  if (!isPresent) await requireNoProvider(services, await findSignInPolicy(table), user, 'permission_denied')
  const extraSteps = [
    auditStep(context, 'email.change_requested', { user: user.id }),
    // The present address may wait for a confirmation. The mailer sends nothing if it does not.
    buildOutboxStep({ kind: 'email_confirmation', userId: user.id }, context, now()),
  ]
  const changes = {
    pendingEmail: isPresent ? undefined : { email, normalizedEmail, credentialEpoch: user.credentialEpoch },
    emailConfirmation: undefined,
  }
  await editUser(table, user, changes, { extraSteps })
  return { status: 204 }
}
