import { buildUnlockStep } from '../../accounts/callers/throttle.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import {
  buildEndReportsChange,
  buildSecurityNoticeStep,
  buildSignInSetSteps,
} from '../../accounts/outbox/security-notices.ts'
import { buildUserLogoutSteps } from '../../accounts/sessions/logout-jobs.records.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { buildKeepSessionStep } from '../../accounts/sessions/write-sessions.records.ts'
import { buildNewPasswordChange, buildUserStep } from '../../accounts/users/build-user-step.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { editUserEndingSessions } from '../../accounts/users/write-users.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, conflict } from '../../kernel/errors/errors.ts'
import { hashPassword } from '../../kernel/secrets/passwords.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { EditConflict, wasCommitted } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { readCallerRights, requireControlOfAccount } from '../directory/rights/account-rights.ts'
import { buildSignInDecision } from '../directory/rights/rights-limit.ts'
import { tryRemoveRevokedCredentials } from '../leaked-credentials/remove-revoked.ts'
import { type Proof, proveSecondFactor } from '../second-factor/rules.ts'
import { createConfirmationError } from '../sign-in/confirmation-error.ts'
import { findMissingProofs, type GivenProof } from '../sign-in/missing-proofs.ts'
import { findSignInPolicy } from '../sign-in/policy.records.ts'
import { readProofRules } from '../sign-in/proof-rules.ts'
import { changedConcurrently, requireCurrentPassword } from '../sign-in/reauthentication.ts'
import { createReauthenticationError, isRecentlyAuthenticated } from '../sign-in/recent-authentication.ts'
import { lookUpAtSignIn, requireOwnerOfBreached } from './breach-at-sign-in.ts'
import type { passwords } from './operations.ts'
import { requireGoodPassword } from './password-policy.ts'

/** Changes the caller's password and ends all of their other sessions and tickets. */
export const changeOwnPassword: UseCase<typeof passwords.changeOwnPassword> = async (
  { body, principal: { user, session }, context },
  services,
) => {
  const mayBeForced = user.password_change_required || user.breachLookup?.isFound === true
  if (!user.allow_changing_password && !mayBeForced) throw createUnchangeableError()
  await requireNothingMissing(services, user, toProof(services, session))
  const given = { password: body.current_password, field: 'current_password' }
  await requireCurrentPassword(services, user, given, context)
  const { isBreached } = await lookUpAtSignIn(services, user, body.current_password)
  if (!user.allow_changing_password && !user.password_change_required && !isBreached)
    throw createUnchangeableError()
  const firstProof = await proveSecondFactor(services, user, body.current_otp, context)
  if (isBreached && firstProof.methods.length === 0) await requireOwnerOfBreached(services, context, user)
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

const createUnchangeableError = (): AppError =>
  new AppError('permission_denied', { detail: 'Users cannot change the password of this account.' })

/** What proves the identity besides the code: the current password, and what the session proved lately. */
const toProof = (services: Services, session: SessionRecord): GivenProof => {
  const { methods, connection, isPublicProvider } = session.authentication
  if (!isRecentlyAuthenticated(services, session)) return { methods: ['pwd'] }
  return {
    methods: methods.includes('passkey') ? ['pwd', 'passkey'] : ['pwd'],
    ...(isPublicProvider ? {} : omitUndefined({ connection })),
  }
}

/**
 * The current password proves no more here than at the sign-in. What else a sign-in takes, users prove in the session first. A new
 * password is what they send, and the code is checked with it.
 *
 * @throws AppError `permission_denied` with the reason `reauthentication_required`
 * @throws AppError `login_incomplete` with `second_factor_setup_required`
 */
const requireNothingMissing = async (
  services: Services,
  user: UserRecord,
  proof: GivenProof,
): Promise<void> => {
  const policy = await findSignInPolicy(services.table)
  const missing = findMissingProofs(await readProofRules(services, { user, policy }, proof), proof)
  for (const one of missing) {
    if (one.kind === 'setup') throw createConfirmationError(services, one)
    if (one.kind === 'required_connection' || one.kind === 'passkey') throw createReauthenticationError()
  }
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
