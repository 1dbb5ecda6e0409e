import { requireNoImpersonation } from '../../../accounts/callers/own-session.ts'
import { hasAdminAccess } from '../../../accounts/callers/permissions.ts'
import type { Principal } from '../../../accounts/callers/principal.ts'
import { consume, tryRefund } from '../../../accounts/callers/throttle.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { findGroups } from '../../../accounts/groups/groups.records.ts'
import { buildEmailState, noEmailState } from '../../../accounts/names/email-confirmations.ts'
import { normalizeEmail } from '../../../accounts/names/names.ts'
import { parseMailAddress } from '../../../accounts/outbox/mail-addresses.ts'
import { buildOutboxStep } from '../../../accounts/outbox/outbox.records.ts'
import { describeNewUser } from '../../../accounts/users/describe-new-user.ts'
import {
  describeInvitation,
  describeJoining,
  getOpenInvitation,
} from '../../../accounts/users/invitation-state.ts'
import { buildUser } from '../../../accounts/users/new-user.ts'
import { firstCredentialEpoch } from '../../../accounts/users/plan-new-user.records.ts'
import { requireUser } from '../../../accounts/users/require-records.ts'
import type { NewUser } from '../../../accounts/users/stored-user.records.ts'
import { describeVerifier, readUserFields, toUserDetailWith } from '../../../accounts/users/user-body.ts'
import { createUser as createStoredUser } from '../../../accounts/users/write-users.records.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { noAttributes } from '../../../kernel/contract/stored-attributes.ts'
import { conflict, invalidRequest, notFound } from '../../../kernel/errors/errors.ts'
import { retryConflicts } from '../../../kernel/table/retry-conflicts.ts'
import { EditConflict } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'
import { buildInvitation, buildInvitationSteps, requireInvitable } from '../../invitations/invite.ts'
import { buildInviteStep, buildRevokeInvitationStep } from '../../invitations/steps.records.ts'
import { findResetObstacle, type ResetObstacle } from '../../passwords/reset-tokens.ts'
import { validateStartPage } from '../../sign-in/destinations.ts'
import { endOtherClaims, requireUnclaimed } from '../addresses/other-claims.ts'
import { changeAttributes, showAttributes } from '../attributes/attributes.ts'
import { buildSkeletonField } from '../names/lookalikes.ts'
import { validateNewUsername, validateUser } from '../names/user-validation.ts'
import {
  getJoinGuard,
  readCallerRights,
  requireControl,
  requireControlOfAccount,
  requireProofForRights,
  requireRightToChange,
  vouchesForAddresses,
} from '../rights/account-rights.ts'
import { buildAdminAccessSteps, buildJoinNotice } from '../rights/admin-access-steps.ts'
import { describeRightsLimit, limitRights } from '../rights/rights-limit.ts'
import type { users } from './users.operations.ts'

/**
 * Creates a user without a password. An administrator or user manager can set one or send a reset link. An address that
 * no administrator vouches for gets an email with a link that confirms it.
 */
export const createUser: UseCase<typeof users.createUser> = (request, services) =>
  createAccount(request, services, {})

/** Creates a service account. Only documents do. */
export const createServiceAccount: UseCase<typeof users.createUser> = (request, services) =>
  createAccount(request, services, { isProgram: true })

const createAccount = async (
  { body, principal, context }: UseCaseRequest<typeof users.createUser>,
  services: Services,
  mark: Pick<NewUser, 'isProgram'>,
): ReturnType<UseCase<typeof users.createUser>> => {
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
    ...mark,
    username,
    ...(await buildSkeletonField(config, username)),
    email,
    ...(email ? buildEmailState(isVerified ? 'administrator' : undefined) : noEmailState),
    ...(email
      ? {
          rightsLimit: limitRights(undefined, rights, {
            nowMs: now(),
            setsEmail: true,
            isMailedOnly: true,
          }),
        }
      : {}),
  })
  if (invite) await requireInvitation(services, principal, named)
  if (!isVerified && named.normalizedEmail !== null) await requireUnclaimed(services, named.normalizedEmail)
  const invitation =
    invite && named.normalizedEmail !== null
      ? buildInvitation(services, { principal, rights }, named.normalizedEmail, firstCredentialEpoch)
      : undefined
  const fields = invitation ? { ...named, invitation } : named
  const extraSteps = (id: number) => [
    auditStep(context, 'user.created', { user: id, ...describeNewUser(fields) }),
    ...(context.alongside?.(id) ?? []),
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
      ...describeVerifier(user),
      attributes: [...(await showAttributes(table, user))],
    },
  }
}

/** Rejects an invitation that would not work, and counts it otherwise. */
const requireInvitation = async (services: Services, principal: Principal, invited: NewUser) => {
  requireNoImpersonation(principal)
  const { user } = principal
  const { email, is_enabled: isEnabled, expiresAt } = invited
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
    await requireControlOfAccount(table, rights, user)
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
  if (!invitation) throw notFound('invitation', 'It may have been accepted or withdrawn.')
  await services.table.transact([
    buildRevokeInvitationStep(user.id, invitation, () =>
      conflict('The invitation was accepted or replaced in the meantime.'),
    ),
    auditStep(context, 'invitation.revoked', { user: user.id }),
  ])
  return { status: 204 }
}

const resetObstacles: Readonly<Record<ResetObstacle, string>> = {
  guest: 'The user is a guest of an access link, who has no password.',
  inactive: 'The user is disabled or expired. Enable the user first.',
  noEmail: 'The user has no verified email address. Set one first.',
  noPassword: 'The user is not allowed to choose a password. Set `allow_changing_password` first.',
}

/** Emails a user a password reset link. It also serves to invite a new user. */
export const sendPasswordReset: UseCase<typeof users.sendPasswordReset> = async (
  { params, principal, context },
  services,
) => {
  const { table, now } = services
  const user = await requireUser(table, params.id)
  await requireRightToChange(services, principal, user)
  const obstacle = findResetObstacle(user, now())
  if (obstacle) throw conflict(resetObstacles[obstacle])
  await table.transact([
    buildOutboxStep({ kind: 'password_reset', userId: user.id }, context, now()),
    auditStep(context, 'password.reset_requested', { user: user.id }),
  ])
  return { status: 204 }
}
