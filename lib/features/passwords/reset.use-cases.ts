import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { buildUnlockStep, countFailedLookup } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { isApiTokenRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { editUserEndingSessions } from '../../accounts/users/write-users.records.ts'
import { buildDeviceCookies } from '../../http/device-cookie.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { parseCredential } from '../../kernel/secrets/credentials.ts'
import { hashPassword } from '../../kernel/secrets/passwords.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { ConditionFailed, EditConflict, wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { buildRemoveApiTokenSteps, findApiTokens } from '../api-tokens/records.ts'
import { reportChange as reportStoredChange } from '../leaked-credentials/report-change.ts'
import { consumeWithProof } from '../network-limits/rules.ts'
import { recognizeDevice } from '../sign-in/known-devices.ts'
import { buildForgetPlaceSteps } from '../sign-in/login-guard.ts'
import { requireNoProvider } from '../sign-in/required-sign-in.ts'
import type { passwords } from './operations.ts'
import { requireGoodPassword } from './password-policy.ts'
import { buildUseResetTokenStep } from './reset-tokens.records.ts'
import { findResetToken } from './reset-tokens.ts'

/**
 * Queues the email with a reset link. The mailer looks up the account later, so neither the response nor its duration
 * reveals whether the account exists.
 */
export const requestPasswordReset: UseCase<typeof passwords.requestPasswordReset> = async (
  { body, context },
  services,
) => {
  await consumeWithProof(services, 'request_password_reset', context, body.proof)
  const { username, email = '' } = body
  const job = { kind: 'password_reset' as const, ...(username === undefined ? { email } : { username }) }
  await services.table.transact([buildOutboxStep(job, context, services.now())])
  return { status: 204 }
}

/** Sets a new password with a reset token. A rejected password leaves the token valid. The second factor stays on. */
export const resetPassword: UseCase<typeof passwords.resetPassword> = async (
  { body, context, isFromOwnOrigin },
  services,
) => {
  // Rejected without reading the table, so callers do not pay for mistyped values.
  if (parseCredential(body.token)?.kind !== 'reset_token') throw new AppError('invalid_token')
  const found = await findResetToken(services, body.token)
  if (!found) throw await countUnknownToken(services, context)
  await requireNoProvider(services, found.policy, found.user, 'permission_denied')
  await requireGoodPassword(services, body.password, found.user, 'password')
  const passwordHash = await hashPassword(body.password, services.config.passwordCost)
  const changed = await retryConflicts(async () => {
    const { token, user, policy } = (await findResetToken(services, body.token)) ?? {}
    if (!token || !user) throw await countUnknownToken(services, context)
    await requireNoProvider(services, policy, user, 'permission_denied')
    const passwordChangedAt = services.now()
    const changes = {
      passwordHash,
      passwordChangedAt,
      password_change_required: false,
      // One field ends all tokens at this moment. Their items are deleted afterwards.
      ...(body.end_api_tokens ? { apiTokensEndedAt: passwordChangedAt } : {}),
    }
    try {
      return await editUserEndingSessions(services.table, user, changes, {
        // Only the owner reads the email, so strangers cannot shut them out from here.
        updates: recognizeDevice(services, context, user).updates,
        extraSteps: [
          ...buildForgetPlaceSteps(user, context),
          buildUseResetTokenStep(token),
          auditStep(context, 'password.reset', { user: user.id, actor: user.id }),
          buildUnlockStep(services, user),
          ...buildSecurityNoticeStep(services, context, user, { kind: 'password_reset' }),
        ],
      })
    } catch (error) {
      // Another request used the token.
      throw error instanceof ConditionFailed ? new EditConflict() : error
    }
  }, 'The account kept changing while its password was reset. Try again.')
  if (body.end_api_tokens) await removeApiTokens(services, changed, context)
  const cookies = isFromOwnOrigin ? buildDeviceCookies(services.config, context.device) : []
  return { status: 204, cookies }
}

const countUnknownToken = async (services: Services, context: RequestContext): Promise<AppError> => {
  await auditRefusal(services, context, 'password.reset_refused', { outcome: 'invalid_token' })
  await countFailedLookup(services, context)
  return new AppError('invalid_token')
}

/**
 * Deletes the API tokens that ended with a reset. They do not work any more, so a failure is only logged: the password
 * is set already.
 */
const removeApiTokens = async (
  { table, log }: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<void> => {
  try {
    const tokens = await findApiTokens(table, user.id)
    for (const token of tokens.filter((one) => isApiTokenRevoked(user, one))) {
      const details = { user: user.id, actor: user.id, target: String(token.id) }
      const audit = auditStep(context, 'api_token.deleted', details)
      await wasCommitted(table.transact([...buildRemoveApiTokenSteps(token), audit]))
    }
  } catch (error) {
    log.error('api_tokens.not_deleted', { user: user.id, error })
  }
}

/** Undoes what happened since a change that its user did not make. The token comes from the email about the change. */
export const reportChange: UseCase<typeof passwords.reportChange> = async ({ body, context }, services) => {
  const result = await reportStoredChange(services, body.token, context)
  return {
    status: 200,
    body: {
      email_restored: result.isEmailRestored,
      password_invalidated: result.isPasswordInvalidated,
      reset_email_sent: result.isResetEmailSent,
    },
  }
}
