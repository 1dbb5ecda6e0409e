import type { UseCase } from '../../http/use-case.ts'
import { AppError, conflict } from '../../kernel/errors/errors.ts'
import { hashPassword } from '../../kernel/secrets/passwords.ts'
import { EditConflict, wasCommitted } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { createReauthenticationError, isRecentlyAuthenticated } from '../access/recent-authentication.ts'
import { retryConflicts } from '../access/retry-conflicts.ts'
import { buildUnlockStep } from '../access/throttle.ts'
import { auditStep } from '../audit/write-event.ts'
import { readCallerRights, requireControlOfAccount } from '../directory/account-rights.ts'
import { requiresPasskey } from '../directory/account-state.ts'
import { isGuestUser } from '../directory/guest-state.records.ts'
import { requireUser } from '../directory/require-records.ts'
import { buildSignInDecision } from '../directory/rights-limit.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { buildNewPasswordChange, buildUserStep } from '../directory/user-step.records.ts'
import { editUserEndingSessions, findUser } from '../directory/users.records.ts'
import { tryRemoveRevokedCredentials } from '../leaked-credentials/remove-revoked.ts'
import {
  buildEndReportsChange,
  buildSecurityNoticeStep,
  buildSignInSetSteps,
} from '../mail/security-notices.ts'
import { buildUserLogoutSteps } from '../oauth/logout-jobs.records.ts'
import { type Proof, proveSecondFactor } from '../second-factor/rules.ts'
import { changedConcurrently, requireCurrentPassword } from '../sign-in/reauthentication.ts'
import type { SessionRecord } from '../sign-in/session.records.ts'
import { buildKeepSessionStep } from '../sign-in/sessions.records.ts'
import type { passwords } from './operations.ts'
import { requireGoodPassword } from './password-policy.ts'

/** Changes the caller's password and ends all of their other sessions and tickets. */
export const changeOwnPassword: UseCase<typeof passwords.changeOwnPassword> = async (
  { body, principal: { user, session }, context },
  services,
) => {
  if (!user.allow_changing_password)
    throw new AppError('permission_denied', {
      detail: 'Users cannot change the password of this account.',
    })
  requirePasskeyProof(services, user, session)
  const given = { password: body.current_password, field: 'current_password' }
  await requireCurrentPassword(services, user, given, context)
  const firstProof = await proveSecondFactor(services, user, body.current_otp, context)
  await requireGoodPassword(services, body.password, user, 'password')
  const fields = buildNewPasswordChange(
    user,
    await hashPassword(body.password, services.config.passwordCost),
    services.now(),
  )
  const proveAgain = async (): Promise<Proof> => {
    const current = await findUser(services.table, user.id)
    // The password was changed, or all sessions were ended, by another request.
    if (current?.credentialEpoch !== user.credentialEpoch) throw conflict(changedConcurrently)
    return proveSecondFactor(services, current, body.current_otp, context)
  }
  return retryConflicts(async (attempt) => {
    const proof = attempt === 1 ? firstProof : await proveAgain()
    const steps = [
      buildUserStep(user, fields, proof.use ? [proof.use.change] : []),
      buildKeepSessionStep(session, fields.credentialEpoch),
      ...buildUserLogoutSteps(user),
      auditStep(context, 'password.changed', { user: user.id }),
      ...buildSecurityNoticeStep(services, context, user, { kind: 'password_changed' }),
      ...proof.extraSteps,
    ]
    if (!(await wasCommitted(services.table.transact(steps)))) throw new EditConflict()
    return { status: 204 }
  }, changedConcurrently)
}

/**
 * The current password proves no more here than at the sign-in. A user who requires a passkey with it proves that in the
 * session first.
 *
 * @throws AppError `permission_denied` with the reason `reauthentication_required`
 */
const requirePasskeyProof = (services: Services, user: UserRecord, session: SessionRecord): void => {
  if (!requiresPasskey(user) || user.totp) return
  const hasPasskeyProof = session.authentication.methods.includes('passkey') === true
  if (!hasPasskeyProof || !isRecentlyAuthenticated(services, session)) throw createReauthenticationError()
}

/**
 * Sets the password of another user and ends their sessions, so that the old password gives no access any more. The user
 * can be required to replace it at the next sign-in, because the caller knows it.
 */
export const setUserPassword: UseCase<typeof passwords.setUserPassword> = async (
  { params, body, principal, context },
  services,
) => {
  if (params.id === principal.user.id)
    throw new AppError('permission_denied', {
      detail:
        'To change your own password, use /api/2/users/me/password, which requires the current password.',
    })
  const user = await requireUser(services.table, params.id)
  const rights = await readCallerRights(services.table, principal)
  await requireControlOfAccount(services.table, rights, user)
  if (isGuestUser(user))
    throw conflict(
      'A guest of an access link has no password. Create a user with the email address of the guest instead.',
    )
  await requireGoodPassword(services, body.password, user, 'password')
  const passwordHash = await hashPassword(body.password, services.config.passwordCost)
  const decision = await buildSignInDecision(services, user, rights)
  const edited = await editUserEndingSessions(
    services.table,
    user,
    {
      ...decision.changes,
      passwordHash,
      passwordChangedAt: services.now(),
      ...buildEndReportsChange(services),
      ...omitUndefined({ password_change_required: body.password_change_required }),
    },
    {
      extraSteps: [
        auditStep(context, 'password.set', { user: user.id }),
        buildUnlockStep(services, user),
        ...(decision.isNewStart ? [auditStep(context, 'user.started_anew', { user: user.id })] : []),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'password_set' }),
        ...(await buildSignInSetSteps(services, context, user)),
      ],
    },
  )
  if (decision.isNewStart) await tryRemoveRevokedCredentials(services, edited, context)
  return { status: 204 }
}
