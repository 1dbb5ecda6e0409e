import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { getTotpKeyContext } from '../../lib/accounts/common/second-factors.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { requireOwnId } from '../../lib/accounts/directory/account-rights.ts'
import type { EnableTOTPRequest } from '../../lib/contract/models/sign-in.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { conflict, invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { mintRecoveryCodes } from '../../lib/secrets/recovery-codes.ts'
import { allDrifts, matchCode, readTotpCode, readTotpKey } from '../../lib/secrets/totp.ts'
import { editUserEndingOtherSessions } from '../../lib/store/sign-in/end-sessions.ts'

/**
 * Turns on the caller's second factor after a code proves that their authenticator app has the key. Their other
 * sessions end, because they started without a second factor. Only this response contains the recovery codes.
 */
export const enableTotp: UseCase<typeof users.enableTotp> = async (
  { params, body, principal: { user, session }, context },
  services,
) => {
  const { table, vault, now } = services
  requireOwnId(user, params.id)
  if (user.totp) throw conflict('The second factor is already on. Turn it off before you set up another one.')
  const { key, step, driftSteps } = await requireProvenKey(body, now())
  const { values, stored: recoveryCodes } = await mintRecoveryCodes()
  const encryptedKey = await vault.encrypt(key, getTotpKeyContext(user.id))
  const totp = { encryptedKey, driftSteps, lastStep: step, recoveryCodes, enabledAt: now() }
  await editUserEndingOtherSessions(table, { user, session }, { totp }, [
    auditStep(context, 'totp.enabled', { user: user.id }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'second_factor_enabled' }),
  ])
  return { status: 200, body: { recovery_codes: [...values] } }
}

/** @throws AppError `invalid_request` if the key or the code is malformed, or if the code does not match the key. */
const requireProvenKey = async (body: EnableTOTPRequest, nowMs: number) => {
  const key = readTotpKey(body.key)
  const code = readTotpCode(body.otp)
  const match = key && code && (await matchCode(key, code, { nowMs, drifts: allDrifts, lastStep: -1 }))
  if (match) return { key, ...match }
  throw invalidRequest([
    ...(key ? [] : [{ field: 'key', message: 'must be base32 (A-Z, 2-7) of 80 to 512 bits' }]),
    ...(code ? [] : [{ field: 'otp', message: 'must be six digits' }]),
    ...(key && code
      ? [{ field: 'otp', message: 'must be the code that an authenticator app with this key shows now' }]
      : []),
  ])
}
