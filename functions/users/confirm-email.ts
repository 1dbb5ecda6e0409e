import { countFailedLookup } from '../../lib/accounts/common/lookup-throttle.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { findConfirmation } from '../../lib/accounts/emails/confirmations.ts'
import { buildEmailState } from '../../lib/accounts/emails/email-state.ts'
import { endOtherClaims } from '../../lib/accounts/emails/other-claims.ts'
import { requireNoProvider } from '../../lib/accounts/sign-in/required-sign-in.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { parseCredential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import { hasVerifiedEmail } from '../../lib/store/directory/guest-state.ts'
import { findSignInPolicy } from '../../lib/store/directory/sign-in-policy.ts'
import { editUser } from '../../lib/store/directory/users.ts'

/**
 * Confirms an email address with the link that was sent to it. It needs no session, because the link proves the address
 * and gives no access. If another account has the address, the link works again once that account releases it.
 */
export const confirmEmail: UseCase<typeof users.confirmEmail> = async ({ body, context }, services) => {
  if (parseCredential(body.token)?.kind !== 'email_confirmation') throw new AppError('invalid_token')
  const confirmed = await retryConflicts(async () => {
    const found = await findConfirmation(services, body.token)
    if (!found) throw await countUnknownToken(services, context)
    const { user, address } = found
    const isReplaced = hasVerifiedEmail(user) && user.normalizedEmail !== address.normalizedEmail
    if (isReplaced)
      await requireNoProvider(services, await findSignInPolicy(services.table), user, 'permission_denied')
    const changes = {
      ...address,
      ...buildEmailState(true),
      isEmailFromProvider: undefined,
      pendingEmail: undefined,
      emailConfirmation: undefined,
      // Anyone who knew the password could choose the address.
      ...(user.rightsLimit ? { rightsLimit: { ...user.rightsLimit, hasSetEmail: true } } : {}),
    }
    const extraSteps = [
      auditStep(context, 'email.confirmed', { user: user.id, actor: user.id }),
      ...(isReplaced ? buildSecurityNoticeStep(services, context, user, { kind: 'email_changed' }) : []),
    ]
    return editUser(services.table, user, changes, { extraSteps })
  }, 'The account kept changing while its address was confirmed. Try again.')
  await endOtherClaims(services, context, confirmed)
  return { status: 204 }
}

const countUnknownToken = async (services: Services, context: RequestContext): Promise<AppError> => {
  await countFailedLookup(services, context)
  return new AppError('invalid_token')
}
