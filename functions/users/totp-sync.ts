import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { requireOwnId } from '../../lib/accounts/directory/account-rights.ts'
import { learnDrift } from '../../lib/accounts/sign-in/second-factor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Measures the clock drift of the caller's authenticator app with one of its codes. */
export const syncTotp: UseCase<typeof users.syncTotp> = async (
  { params, body, principal: { user }, context },
  services,
) => {
  requireOwnId(user, params.id)
  if (!user.totp) throw new AppError('not_found', { detail: 'The second factor is off.' })
  const { driftSteps } = await learnDrift(services, {
    user,
    totp: user.totp,
    otp: body.otp,
    context,
    extraSteps: [auditStep(context, 'totp.synced', { user: user.id })],
  })
  return { status: 200, body: { drift: driftSteps } }
}
