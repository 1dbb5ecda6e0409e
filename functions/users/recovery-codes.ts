import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { requireOwnId } from '../../lib/accounts/directory/account-rights.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, conflict } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { mintRecoveryCodes } from '../../lib/secrets/recovery-codes.ts'
import { replaceRecoveryCodes } from '../../lib/store/sign-in/totp.ts'

/** Replaces the caller's recovery codes. The old ones end, and only this response contains the new ones. */
export const renewRecoveryCodes: UseCase<typeof users.renewRecoveryCodes> = async (
  { params, principal: { user }, context },
  services,
) => {
  requireOwnId(user, params.id)
  if (!user.totp) throw new AppError('not_found', { detail: 'The second factor is off.' })
  const { values, stored } = await mintRecoveryCodes()
  const isReplaced = await replaceRecoveryCodes(
    services.table,
    user,
    { totp: user.totp, stored, nowMs: services.now() },
    [
      auditStep(context, 'totp.recovery_codes_renewed', { user: user.id }),
      ...buildSecurityNoticeStep(services, context, user, { kind: 'recovery_codes_renewed' }),
    ],
  )
  // Otherwise two requests would each show codes, and only those of one would work.
  if (!isReplaced) throw conflict('The second factor was modified concurrently. Try again.')
  return { status: 200, body: { recovery_codes: [...values] } }
}
