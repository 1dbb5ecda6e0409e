import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { consume, tryRefund } from '../../lib/accounts/common/throttle.ts'
import {
  readCallerRights,
  requireControlOfUsers,
  requireRightToChange,
} from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { describeInvitation, getOpenInvitation } from '../../lib/accounts/invitations/invitation-state.ts'
import {
  buildInvitation,
  buildInvitationSteps,
  requireInvitable,
} from '../../lib/accounts/invitations/invite.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { conflict, notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildInviteStep, buildRevokeInvitationStep } from '../../lib/store/directory/invitation-steps.ts'
import { EditConflict } from '../../lib/store/engine/transaction.ts'

/** Emails a user a link with which they sign in for the first time. Calling it again ends the earlier link. */
export const inviteUser: UseCase<typeof users.inviteUser> = async (
  { params, principal, context },
  services,
) => {
  const { table, now } = services
  const rights = await readCallerRights(table, principal)
  const find = async () => {
    const user = await requireUser(table, params.id)
    await requireControlOfUsers(table, rights, [user])
    return { user, normalizedEmail: requireInvitable(user, now()) }
  }
  const first = await find()
  const refund = await consume(services, 'invitationsPerInviter', String(principal.user.id))
  try {
    await consume(services, 'invitationsPerAccount', String(params.id))
  } catch (error) {
    await tryRefund(services, refund)
    throw error
  }
  return retryConflicts(async (attempt) => {
    const { user, normalizedEmail } = attempt === 1 ? first : await find()
    const inviter = { principal, rights }
    const invitation = buildInvitation(services, inviter, normalizedEmail, user.credentialEpoch)
    await table.transact([
      buildInviteStep(user, invitation, () => new EditConflict()),
      ...buildInvitationSteps(services, context, user.id, invitation),
    ])
    const state = describeInvitation({ ...user, invitation }, now())
    if (!state) throw new EditConflict()
    return { status: 200, body: state }
  }, 'The user kept changing while they were invited. Try again.')
}

/** Ends the link of an invitation that was not accepted. */
export const revokeInvitation: UseCase<typeof users.revokeInvitation> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  const invitation = getOpenInvitation(user)
  if (!invitation) throw notFound()
  await services.table.transact([
    buildRevokeInvitationStep(user.id, invitation, () =>
      conflict('The invitation was accepted or replaced in the meantime.'),
    ),
    auditStep(context, 'invitation.revoked', { user: user.id }),
  ])
  return { status: 204 }
}
