import { validateStartPage } from '../../lib/accounts/common/destinations.ts'
import { buildSkeletonField } from '../../lib/accounts/common/lookalikes.ts'
import { parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { hasAdminAccess } from '../../lib/accounts/common/permissions.ts'
import type { Principal } from '../../lib/accounts/common/principal.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { consume } from '../../lib/accounts/common/throttle.ts'
import {
  getJoinGuard,
  readCallerRights,
  requireControl,
  requireProofForRights,
} from '../../lib/accounts/directory/account-rights.ts'
import { buildAdminAccessSteps, buildJoinNotice } from '../../lib/accounts/directory/admin-access-steps.ts'
import { buildUser } from '../../lib/accounts/directory/new-user.ts'
import { limitRights } from '../../lib/accounts/directory/rights-limit.ts'
import { changeAttributes, showAttributes } from '../../lib/accounts/directory/user-attributes.ts'
import { toUserDetailWith } from '../../lib/accounts/directory/user-body.ts'
import { readUserFields } from '../../lib/accounts/directory/user-fields.ts'
import { validateNewUsername, validateUser } from '../../lib/accounts/directory/user-validation.ts'
import { buildEmailState, vouchesForAddresses } from '../../lib/accounts/emails/email-state.ts'
import { endOtherClaims, requireUnclaimed } from '../../lib/accounts/emails/other-claims.ts'
import { describeJoining } from '../../lib/accounts/invitations/invitation-state.ts'
import { buildInvitation, buildInvitationSteps } from '../../lib/accounts/invitations/invite.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { noAttributes } from '../../lib/contract/stored-attributes.ts'
import { AppError, invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
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
    ...validateNewUsername(config, body.username),
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
