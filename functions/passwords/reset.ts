import { countFailedLookup, requireLookupAllowed } from '../../lib/accounts/common/lookup-throttle.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { requireGoodPassword } from '../../lib/accounts/passwords/password-policy.ts'
import { findResetToken } from '../../lib/accounts/passwords/reset-tokens.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import { AppError } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { editUserEndingSessions } from '../../lib/store/directory/users.ts'
import { ConditionFailed, EditConflict } from '../../lib/store/engine/transaction-errors.ts'
import { buildUseResetTokenStep } from '../../lib/store/sign-in/reset-tokens.ts'

/** Sets a new password with a reset token. A password that is refused burns nothing; the second factor stays on. */
export const resetPassword: UseCase<typeof passwords.resetPassword> = async ({ body, context }, services) => {
  requireLookupAllowed(services, context)
  const found = await findResetToken(services, body.token)
  if (!found) throw await unknownToken(services, context)
  await requireGoodPassword(services, body.password, found.user, 'password')
  const passwordHash = await hashPassword(body.password, services.config.passwordCost)
  for (let tries = 0; tries < 5; tries++) {
    const { token, user } = (await findResetToken(services, body.token)) ?? {}
    if (!token || !user) break
    try {
      await editUserEndingSessions(services.table, user, { passwordHash, passwordChangeRequired: false }, [
        buildUseResetTokenStep(token),
        auditStep(context, 'password.reset', { user: user.id, actor: user.id }),
      ])
      return { status: 204 }
    } catch (error) {
      // Either another edit of the user came in between, and the token still works, or another use of the token.
      if (!(error instanceof EditConflict || error instanceof ConditionFailed)) throw error
    }
  }
  throw await unknownToken(services, context)
}

const unknownToken = async (services: Services, context: RequestContext): Promise<AppError> => {
  await countFailedLookup(services, context)
  return new AppError('invalid_token')
}
