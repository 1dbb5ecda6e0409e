import { validateStartPage } from '../../lib/accounts/common/destinations.ts'
import { buildSkeletonField } from '../../lib/accounts/common/lookalikes.ts'
import { parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { normalizeEmail } from '../../lib/accounts/common/names.ts'
import {
  getJoinGuard,
  readCallerRights,
  requireControl,
  requireControlOfUsers,
  requireProofForRights,
  requireRightToChange,
} from '../../lib/accounts/directory/account-rights.ts'
import { buildAdminAccessSteps, buildJoinNotice } from '../../lib/accounts/directory/admin-access-steps.ts'
import { buildUser } from '../../lib/accounts/directory/new-user.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { describeRightsLimit, limitRights } from '../../lib/accounts/directory/rights-limit.ts'
import { changeAttributes, showAttributes } from '../../lib/accounts/directory/user-attributes.ts'
import { readUserFields, toUserDetailWith } from '../../lib/accounts/directory/user-body.ts'
import { validateNewUsername, validateUser } from '../../lib/accounts/directory/user-validation.ts'
import { buildEmailState, vouchesForAddresses } from '../../lib/accounts/emails/email-confirmations.ts'
import { endOtherClaims, requireUnclaimed } from '../../lib/accounts/emails/other-claims.ts'
import {
  describeInvitation,
  describeJoining,
  getOpenInvitation,
} from '../../lib/accounts/invitations/invitation-state.ts'
import {
  buildInvitation,
  buildInvitationSteps,
  requireInvitable,
} from '../../lib/accounts/invitations/invite.ts'
import { canResetPassword } from '../../lib/accounts/passwords/reset-tokens.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { hasAdminAccess } from '../../lib/features/access/permissions.ts'
import type { Principal } from '../../lib/features/access/principal.ts'
import { auditStep } from '../../lib/features/access/request-context.ts'
import { retryConflicts } from '../../lib/features/access/retry-conflicts.ts'
import { consume, tryRefund } from '../../lib/features/access/throttle.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { noAttributes } from '../../lib/kernel/contract/stored-attributes.ts'
import { AppError, conflict, invalidRequest, notFound } from '../../lib/kernel/errors/errors.ts'
import { EditConflict } from '../../lib/kernel/table/transaction.ts'
import type { Services } from '../../lib/services.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import { buildInviteStep, buildRevokeInvitationStep } from '../../lib/store/directory/invitation-steps.ts'
import { firstCredentialEpoch } from '../../lib/store/directory/plan-new-user.ts'
import type { NewUser } from '../../lib/store/directory/user-record.ts'
import { createUser as createStoredUser } from '../../lib/store/directory/users.ts'
import { buildOutboxStep } from '../../lib/store/mail/outbox.ts'

/**
 * Creates a user without a password. An administrator or user manager can set one or send a reset link. An address that
 * no administrator vouches for gets an email with a link that confirms it.
 */
export const createUser: UseCase<typeof users.createUser> = async (
  { body, principal, context },
  services,
) => {
  const { table, config, now } = services
  const rights = await readCallerRights(table, principal)
  const groups = await findGroups(table, body.groups)
  requireControl(rights, body.permissions, groups)
  await requireProofForRights(services, principal, [body])
  const attributes = await changeAttributes(table, noAttributes, body.attributes, 'manager')
  const errors = [
    ...attributes.errors,
    ...(await validateUser(body, async () => groups)),
    ...validateNewUsername(config, body.username, {
      normalizedEmail: body.email ? normalizeEmail(body.email) : null,
      isVerified: vouchesForAddresses(rights),
    }),
    ...validateStartPage(config, body.default_page),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  const { username, email = null, invite = false, ...rest } = body
  const isVerified = vouchesForAddresses(rights) || !email
  const named = buildUser({
    ...readUserFields(rest, { attributes: attributes.stored }),
    username,
    ...(await buildSkeletonField(config, username)),
    email,
    ...buildEmailState(isVerified),
    ...(email ? { rightsLimit: limitRights(undefined, rights, { nowMs: now(), setsEmail: true }) } : {}),
  })
  if (invite) await requireInvitation(services, principal, named)
  if (!isVerified && named.normalizedEmail !== null) await requireUnclaimed(services, named.normalizedEmail)
  const invitation =
    invite && named.normalizedEmail !== null
      ? buildInvitation(services, { principal, rights }, named.normalizedEmail, firstCredentialEpoch)
      : undefined
  const fields = invitation ? { ...named, invitation } : named
  const extraSteps = (id: number) => [
    auditStep(context, 'user.created', { user: id }),
    ...buildAdminAccessSteps(context, [], body.permissions, { user: id, name: username }),
    ...(hasAdminAccess(body.permissions) ? [] : buildJoinNotice(context, username, groups)),
    // The link of an invitation also confirms the address.
    ...(invitation ? buildInvitationSteps(services, context, id, invitation) : []),
    ...(isVerified || invitation
      ? []
      : [buildOutboxStep({ kind: 'email_confirmation', userId: id }, context, now())]),
  ]
  const user = await createStoredUser(table, fields, now(), {
    extraSteps,
    guard: getJoinGuard(rights, groups),
  })
  await endOtherClaims(services, context, user)
  const location = `/api/2/users/${user.id}`
  const detail = toUserDetailWith(user, groups)
  return {
    status: 201,
    headers: { location },
    body: {
      ...detail,
      ...describeJoining(user, now()),
      ...describeRightsLimit(user),
      attributes: [...(await showAttributes(table, user))],
    },
  }
}

/** Rejects an invitation that would not work, and counts it otherwise. */
const requireInvitation = async (services: Services, { user, actor }: Principal, invited: NewUser) => {
  if (actor)
    throw new AppError('permission_denied', { detail: 'Not allowed while impersonating another user.' })
  const { email, isEnabled, expiresAt } = invited
  const isActive = isEnabled && (expiresAt === null || services.now() < expiresAt)
  const errors = [
    ...(email !== null && parseMailAddress(email)
      ? []
      : [{ field: 'email', message: 'must be an address that can receive the invitation' }]),
    ...(isActive ? [] : [{ field: 'invite', message: 'must be false for a user who is not active' }]),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  await consume(services, 'invitationsPerInviter', String(user.id))
}

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

/** Emails a user a password reset link. It also serves to invite a new user. */
export const sendPasswordReset: UseCase<typeof users.sendPasswordReset> = async (
  { params, principal, context },
  services,
) => {
  const { table, now } = services
  const user = await requireUser(table, params.id)
  await requireRightToChange(services, principal, user)
  if (!canResetPassword(user, now()))
    throw conflict(
      'The user is disabled, is a guest, has no verified email address, or is not allowed to choose a password.',
    )
  await table.transact([
    buildOutboxStep({ kind: 'password_reset', userId: user.id }, context, now()),
    auditStep(context, 'password.reset_requested', { user: user.id }),
  ])
  return { status: 204 }
}
