import { nameDecision } from '../../accounts/callers/decisions.ts'
import { requireOwnSession } from '../../accounts/callers/own-session.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume, countFailedLookup } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, requireFound } from '../../kernel/errors/errors.ts'
import { emailCodeLifetimeMs } from '../../kernel/limits/limits.ts'
import { mintEmailCodeRequest } from '../../kernel/secrets/email-codes.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import {
  buildCodeRequestStep,
  buildUseCodeStep,
  type EmailCodePurpose,
} from '../sign-in/email-codes.records.ts'
import { createCodeError, guessCode, isUnchangedSinceCode, type RightCode } from '../sign-in/email-codes.ts'
import { acceptInvitation } from './accept-invitation.ts'
import type { organizationInvitations } from './invitations.operations.ts'
import type { OrganizationInvitationRecord } from './invitations.records.ts'
import { type OpenOrganizationInvitation, readOpenInvitation, toJoinDecision } from './join.ts'
import { requireOwnInvitation, requiresLink } from './own-invitations.ts'

/*
 * A person accepts an invitation without its link. Their account has the invited address, but somebody else may read its mailbox since it
 * was confirmed. So an emailed code proves it anew, also right after a sign-in with such a code.
 */

type Operations = typeof organizationInvitations

/** An invitation that was sent again needs a new code. */
const toPurpose = ({ id, mailId }: OrganizationInvitationRecord): EmailCodePurpose =>
  `organization_invitation ${id} ${mailId}`

/**
 * Finds an invitation that the user can accept with a code.
 *
 * @throws AppError `not_found`, alike for an unknown, ended or expired one, and one for another address
 * @throws AppError `permission_denied` with the reason `link_required`
 * @throws AppError `conflict` with the reason `organization_suspended` or `inviter_changed`
 */
const requireAcceptable = async (
  services: Services,
  { user }: Principal,
  id: number,
): Promise<OpenOrganizationInvitation> => {
  const invitation = await requireOwnInvitation(services.table, user, id)
  if (requiresLink(invitation))
    throw new AppError('permission_denied', {
      reason: 'link_required',
      detail: 'The invitation makes you an owner. To accept it, open the link in its email.',
    })
  return requireFound(await readOpenInvitation(services, invitation), 'invitation')
}

/** Shows the invitation, and emails a code to its address. The mailer creates the code. */
export const requestOrganizationJoinCode: UseCase<Operations['requestOrganizationJoinCode']> = async (
  { params, principal, context },
  services,
) => {
  requireOwnSession(principal)
  const found = await requireAcceptable(services, principal, params.id)
  const { user } = principal
  const { invitation, organization, inviter } = found
  await consume(services, 'joinCodesPerAccount', String(user.id))
  const { table, now } = services
  const { value, hash, salt } = mintEmailCodeRequest()
  const expiresAt = now() + emailCodeLifetimeMs
  const { id: invitationId, mailId } = invitation
  await table.transact([
    buildCodeRequestStep({ hash, purpose: toPurpose(invitation), attempts: 0, expiresAt }),
    buildOutboxStep(
      { kind: 'organization_join_code', userId: user.id, invitationId, mailId, requestHash: hash, salt },
      context,
      now(),
    ),
  ])
  return {
    status: 200,
    body: {
      request_id: value,
      expires: formatTime(expiresAt),
      organization_name: organization.name,
      email: invitation.email,
      roles: [...invitation.roles],
      invited_by: getDisplayName(inviter),
      shown: nameDecision(toJoinDecision(found)),
    },
  }
}

/** Accepts an invitation with an emailed code. The guess is counted before the code is compared. */
export const joinOrganizationWithCode: UseCase<Operations['joinOrganizationWithCode']> = async (
  { params, body: given, principal, context },
  services,
) => {
  requireOwnSession(principal)
  const read = await requireAcceptable(services, principal, params.id)
  const { invitation } = read
  const { hash, code } = await requireRightCode(services, context, { principal, invitation, given })
  const body = await acceptInvitation(services, context, {
    principal,
    shown: given.shown,
    proof: 'code',
    proofSteps: [buildUseCodeStep(hash, code, () => createCodeError('invalid_token'))],
    find: async (attempt) => {
      const found = attempt === 1 ? read : await requireAcceptable(services, principal, params.id)
      if (found.invitation.mailId !== invitation.mailId) throw createCodeError('invalid_token')
      return found
    },
  })
  return { status: 200, body }
}

interface Guess {
  readonly principal: Principal
  readonly invitation: OrganizationInvitationRecord
  readonly given: { readonly request_id: string; readonly code: string }
}

/** @throws AppError `invalid_token` with the reason `email_code_invalid` */
const requireRightCode = async (
  services: Services,
  context: RequestContext,
  { principal: { user }, invitation, given }: Guess,
): Promise<RightCode> => {
  const { record, right } = await guessCode(services, toPurpose(invitation), given)
  if (right && isUnchangedSinceCode(user, right.code)) return right
  // Values of requests cannot be guessed. Only a flood of them is limited.
  if (!record) await countFailedLookup(services, context)
  const { id, organizationId: organization } = invitation
  await auditRefusal(services, { ...context, organization }, 'email_code.refused', {
    user: user.id,
    target: `organization_invitation ${id}`,
    outcome: 'email_code_invalid',
  })
  throw createCodeError('invalid_token')
}
