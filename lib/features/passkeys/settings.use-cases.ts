import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { editUserEndingOtherSessions } from '../../accounts/sessions/end-sessions.records.ts'
import { countProvenPasskeys, requiresPasskey } from '../../accounts/users/account-state.ts'
import type { PasskeyState, UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, requireFound } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { requireWaysKept } from '../sign-in/ways-to-sign-in.ts'
import type { passkeys } from './operations.ts'
import { buildPasskeyStateStep, findPasskeys, listPasskeys, type PasskeyRecord } from './records.ts'

/** Returns a passkey of a user. @throws AppError `not_found` if the user has no passkey with this ID. */
export const requirePasskey = async (
  { table }: Services,
  userId: number,
  id: number,
): Promise<PasskeyRecord> =>
  requireFound(
    (await findPasskeys(table, userId)).find((passkey) => passkey.id === id),
    'passkey',
  )

export const getPasskeySettings: UseCase<typeof passkeys.getPasskeySettings> = async (
  { principal: { user } },
  { table, config },
) => {
  const stored = user.passkeys ? await listPasskeys(table, user.id) : []
  // Password managers forget what is not in the list, so one that lacks passkeys of a later version names no user.
  const isComplete = stored.length === user.passkeys?.count
  return {
    status: 200,
    body: {
      required_with_password: requiresPasskey(user),
      rp_id: config.passkeys.rpId,
      user_handle: (isComplete && user.passkeys?.userHandle) || null,
      credential_ids: stored.map(({ credentialId }) => credentialId),
    },
  }
}

/**
 * Sets whether the caller's password also requires a passkey. Turning it on ends their other sessions, because they may
 * have started with the password alone.
 */
export const updatePasskeySettings: UseCase<typeof passkeys.updatePasskeySettings> = async (
  { body, principal: { user, session }, context },
  services,
) => {
  const { required_with_password: isRequired } = body
  if (isRequired === requiresPasskey(user)) return { status: 200, body }
  const passkeys = { ...requireSpareFactor(user, isRequired), isSecondFactor: isRequired }
  // A public provider and an emailed code do not do where a passkey must follow.
  if (isRequired) await requireWaysKept(services, user, { user: { passkeys } })
  const target = isRequired ? 'required' : 'optional'
  const steps = [
    auditStep(context, 'passkey.second_factor_changed', {
      user: user.id,
      target,
      changes: [{ field: 'required_with_password', from: !isRequired, to: isRequired }],
    }),
    ...buildSecurityNoticeStep(services, context, user, { kind: `passkey_${target}` }),
  ]
  if (isRequired) await editUserEndingOtherSessions(services.table, { user, session }, { passkeys }, steps)
  else await services.table.transact([buildPasskeyStateStep(user, passkeys), ...steps])
  return { status: 200, body }
}

/** Losing a single passkey would lock the user out, so the requirement takes another factor besides it. */
const requireSpareFactor = (user: UserRecord, isRequired: boolean): PasskeyState => {
  const { passkeys, totp } = user
  const count = countProvenPasskeys(user)
  if (passkeys && (!isRequired || count > 1 || (count === 1 && totp))) return passkeys
  throw new AppError('conflict', {
    reason: 'spare_factor_required',
    detail: 'Add two passkeys, or a passkey and an authenticator app. Losing one must not lock you out.',
  })
}
