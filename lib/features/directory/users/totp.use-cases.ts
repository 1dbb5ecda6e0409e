import { hasPermission } from '../../../accounts/callers/permissions.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep, buildSignInSetSteps } from '../../../accounts/outbox/security-notices.ts'
import { editUserEndingOtherSessions } from '../../../accounts/sessions/end-sessions.records.ts'
import { getTotpKeyContext } from '../../../accounts/users/account-state.ts'
import { findUser } from '../../../accounts/users/find-users.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { AppError, conflict, invalidRequest, notFound } from '../../../kernel/errors/errors.ts'
import { mintRecoveryCodes } from '../../../kernel/secrets/recovery-codes.ts'
import {
  allDrifts,
  matchCode,
  readTotpCode,
  readTotpKey,
  totpKeyError,
} from '../../../kernel/secrets/totp.ts'
import { retryConflicts } from '../../../kernel/table/retry-conflicts.ts'
import { EditConflict } from '../../../kernel/table/transaction.ts'
import { learnDrift, type Proof, proveSecondFactor } from '../../second-factor/rules.ts'
import { removeTotp, replaceRecoveryCodes } from '../../second-factor/totp.records.ts'
import type { EnableTOTPRequest } from '../../sign-in/models.ts'
import { requireWaysKept } from '../../sign-in/ways-to-sign-in.ts'
import { requireOwnId, requireRightToChange } from '../rights/account-rights.ts'
import type { users } from './users.operations.ts'

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
  const steps = [
    auditStep(context, 'totp.enabled', { user: user.id }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'second_factor_enabled' }),
  ]
  // The code is a proof of the factor in this session, too.
  await editUserEndingOtherSessions(table, { user, session }, { totp }, steps, ['otp'])
  return { status: 200, body: { recovery_codes: [...values] } }
}

/** @throws AppError `invalid_request` if the key or the code is malformed, or if the code does not match the key. */
const requireProvenKey = async (body: EnableTOTPRequest, nowMs: number) => {
  const key = readTotpKey(body.key)
  const code = readTotpCode(body.otp)
  const match = key && code && (await matchCode(key, code, { nowMs, drifts: allDrifts, lastStep: -1 }))
  if (match) return { key, ...match }
  throw invalidRequest([
    ...(key ? [] : [{ field: 'key', message: totpKeyError }]),
    ...(code ? [] : [{ field: 'otp', message: 'must be six digits' }]),
    ...(key && code
      ? [{ field: 'otp', message: 'must be the code that an authenticator app with this key shows now' }]
      : []),
  ])
}

/**
 * Turns off the caller's own second factor, which requires a code, or, for a caller who manages users, that of another
 * user. Succeeds when it is off already.
 */
export const disableTotp: UseCase<typeof users.disableTotp> = async (
  { params, query, principal, context },
  services,
) => {
  const { table } = services
  const isOwn = params.id === principal.user.id
  if (!isOwn && !(await hasPermission(table, principal.user, 'users:manage')))
    throw new AppError('permission_denied', {
      detail: 'Requires the `users:manage` permission or your own account.',
    })
  const user = isOwn ? principal.user : await findUser(table, params.id)
  if (!user) throw notFound('user')
  if (!isOwn) await requireRightToChange(services, principal, user)
  const steps = [
    auditStep(context, 'totp.disabled', { user: user.id }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'second_factor_disabled' }),
    ...(isOwn ? [] : await buildSignInSetSteps(services, context, user)),
  ]
  return retryConflicts(async (attempt) => {
    const current = attempt === 1 ? user : await findUser(table, user.id)
    if (!current?.totp) return { status: 204 }
    // An administrator decided about the second factor as it was before. The user may just have set up a new one.
    if (!isOwn && attempt > 1 && current.totp.encryptedKey !== user.totp?.encryptedKey)
      throw conflict(changedConcurrently)
    // A public provider needs it for someone who decides about others.
    if (isOwn) await requireWaysKept(services, current, { user: { totp: null } })
    // The code is used in the same transaction, so that it stays valid when anything fails before.
    const { use, extraSteps }: Proof = isOwn
      ? await proveSecondFactor(services, current, query.otp, context)
      : { methods: [], extraSteps: [] }
    if (!(await removeTotp(table, current, { totp: current.totp, use }, [...steps, ...extraSteps])))
      throw new EditConflict()
    return { status: 204 }
  }, changedConcurrently)
}

const changedConcurrently = 'The second factor was modified concurrently. Try again.'

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
