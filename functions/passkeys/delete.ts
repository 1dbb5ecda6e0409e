import { buildSignInSetSteps } from '../../lib/accounts/common/administrator-notices.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import type { passkeys } from '../../lib/contract/operations/passkeys.ts'
import { notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import type { PasskeyState, UserRecord } from '../../lib/store/directory/user-record.ts'
import { editUserEndingSessions } from '../../lib/store/directory/users.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import { editUserEndingOtherSessions } from '../../lib/store/sign-in/end-sessions.ts'
import {
  buildDeletePasskeySteps,
  countRemovedPasskey,
  type PasskeyRecord,
} from '../../lib/store/sign-in/passkeys.ts'
import { requirePasskey } from './require-passkey.ts'

/**
 * Removes one of the caller's passkeys. All other sessions end, because the device with the passkey may be lost, and may
 * be signed in.
 */
export const deletePasskey: UseCase<typeof passkeys.deletePasskey> = async (
  { params, principal: { user, session }, context },
  services,
) => {
  const passkey = await requirePasskey(services, user.id, params.id)
  const { changes, steps } = buildRemoval(services, context, user, passkey)
  await editUserEndingOtherSessions(services.table, { user, session }, changes, steps)
  return { status: 204 }
}

/** Removes a passkey of another user and ends all of their sessions. */
export const deleteUserPasskey: UseCase<typeof passkeys.deleteUserPasskey> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  const passkey = await requirePasskey(services, user.id, params.passkey_id)
  const { changes, steps } = buildRemoval(services, context, user, passkey)
  const extraSteps = [...steps, ...(await buildSignInSetSteps(services, context, user))]
  await editUserEndingSessions(services.table, user, changes, { extraSteps })
  return { status: 204 }
}

interface Removal {
  readonly changes: { readonly passkeys: PasskeyState }
  readonly steps: readonly Step[]
}

const buildRemoval = (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  passkey: PasskeyRecord,
): Removal => ({
  changes: { passkeys: countRemovedPasskey(user) },
  steps: [
    ...buildDeletePasskeySteps(passkey, notFound),
    auditStep(context, 'passkey.removed', { user: user.id, target: String(passkey.id) }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'passkey_removed' }),
  ],
})
