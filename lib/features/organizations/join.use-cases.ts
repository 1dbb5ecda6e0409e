import { nameDecision } from '../../accounts/callers/decisions.ts'
import { findUser, findUserIdByEmail } from '../../accounts/users/find-users.records.ts'
import { getOpenInvitation } from '../../accounts/users/invitation-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, ConflictError, invalidRequest } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { createAccount, renewInvitation } from '../invitations/create-account.ts'
import { findSignUpPolicy } from '../invitations/sign-up.records.ts'
import { defaultSignUpPolicy, getDomain } from '../invitations/sign-up-rules.ts'
import { toDeclaredRoles } from './body.ts'
import { buildOpenInvitationStep } from './invitations.records.ts'
import type { joining } from './join.operations.ts'
import { requireOrganizationInvitation, toJoinDecision } from './join.ts'
import { findStoredRoles } from './roles.records.ts'

/** Shows an invitation to the holder of its link. It uses nothing, so mail scanners that open links use nothing. */
export const findOrganizationInvitation: UseCase<typeof joining.findOrganizationInvitation> = async (
  { body, context },
  services,
) => {
  const found = await requireOrganizationInvitation(services, context, body.token)
  const { invitation, organization, inviter } = found
  const { email, normalizedEmail, roles, expiresAt } = invitation
  const [owner, stored, declared] = await Promise.all([
    findOwner(services.table, normalizedEmail),
    findSignUpPolicy(services.table),
    findStoredRoles(services.table),
  ])
  const { terms_version, terms_url } = stored?.policy ?? defaultSignUpPolicy
  return {
    status: 200,
    body: {
      organization_name: organization.name,
      email,
      roles: [...roles],
      declared_roles: toDeclaredRoles(declared?.roles.filter(({ key }) => roles.includes(key)) ?? []).roles,
      invited_by: getDisplayName(inviter),
      has_account: owner !== undefined && !isUnfinished(owner),
      terms_version,
      terms_url,
      expires_at: formatTime(expiresAt),
      shown: nameDecision(toJoinDecision(found)),
    },
  }
}

const findOwner = async (table: Table, normalizedEmail: string): Promise<UserRecord | undefined> => {
  const id = await findUserIdByEmail(table, normalizedEmail)
  return id === undefined ? undefined : findUser(table, id)
}

/**
 * Whether a person began to create this account with a link to its address, and chose no way to sign in yet. Any link to the address
 * may go on with it.
 */
const isUnfinished = (user: UserRecord): boolean => getOpenInvitation(user)?.invitedBy === user.id

/**
 * Creates the account of a person without one. The link proves their address, and the organization answers for them, so it takes no
 * approval, and works while signing up is off. The rest of the sign-up policy holds: template, terms and refused domains.
 */
export const completeInvitedSignUp: UseCase<typeof joining.completeInvitedSignUp> = async (
  { body, context },
  services,
) => {
  const { invitation, organization } = await requireOrganizationInvitation(services, context, body.token)
  const { table } = services
  const policy = (await findSignUpPolicy(table))?.policy ?? defaultSignUpPolicy
  if (policy.terms_version !== null && body.terms_version !== policy.terms_version)
    throw invalidRequest([{ field: 'terms_version', message: 'must be the current version of the terms' }])
  if (policy.refused_domains.includes(getDomain(invitation.email)))
    throw new AppError('permission_denied', { detail: 'Addresses of this domain cannot have an account.' })
  const owner = await findOwner(table, invitation.normalizedEmail)
  if (owner) {
    const renewed = isUnfinished(owner) ? await renewInvitation(services, owner.id) : null
    if (renewed === null) throw accountExists()
    return { status: 200, body: { invitation_token: renewed } }
  }
  const newcomer = { email: invitation.email, full_name: body.full_name }
  try {
    const token = await createAccount(services, context, {
      newcomer,
      policy,
      organization,
      buildSteps: () => [buildOpenInvitationStep(invitation)],
    })
    return { status: 200, body: { invitation_token: token } }
  } catch (error) {
    // Another request with the same link made the account at the same time.
    if (error instanceof ConflictError && error.kind === 'email_taken') throw accountExists()
    throw error
  }
}

const accountExists = (): AppError =>
  new AppError('conflict', {
    reason: 'account_exists',
    detail: 'There is already an account with this address. Sign in instead.',
  })
