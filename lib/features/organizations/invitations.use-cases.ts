import { randomBytes } from 'node:crypto'
import { requireOwnSession } from '../../accounts/callers/own-session.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume } from '../../accounts/callers/throttle.ts'
import { normalizeEmail } from '../../accounts/names/names.ts'
import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import { organizationInvitationDays } from '../../kernel/limits/limits.ts'
import { getIds, type ListEntry, readPage } from '../../kernel/table/listing.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { day, formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { buildMadeSteps } from '../leaked-credentials/made.records.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { type OrganizationAccess, requireControlOfRoles } from './access.ts'
import { auditInvitation } from './audit-invitation.ts'
import type { OrganizationInvitation } from './invitations.models.ts'
import type { organizationInvitations } from './invitations.operations.ts'
import {
  buildEndInvitationSteps,
  findOrganizationInvitation,
  getInvitationsListing,
  getInvitationsOfAddressListing,
  type OrganizationInvitationRecord,
  readInvitedEntry,
  readOrganizationInvitations,
  sendInvitation,
} from './invitations.records.ts'
import { requireActiveOrganization, requireOrganizationInvitation } from './join.ts'
import { findOwnAddress, requireOwnInvitation, requiresLink } from './own-invitations.ts'
import { readOrganizations } from './records.ts'
import { requireKnownRoles } from './roles.ts'

type Operations = typeof organizationInvitations

const keepsChanging = 'The invitations of the organization kept changing. Try again.'

const toBody = (
  { id, email, roles, invitedBy, createdAt, expiresAt, hash, delayedUntil }: OrganizationInvitationRecord,
  nowMs: number,
): OrganizationInvitation => ({
  id,
  email,
  roles: [...roles],
  state: nowMs < expiresAt ? 'open' : 'expired',
  email_state: delayedUntil !== undefined ? 'delayed' : hash === undefined ? 'pending' : 'sent',
  invited_by: invitedBy,
  created_at: formatTime(createdAt),
  expires_at: formatTime(expiresAt),
})

/** Lists the invitations of an organization in order of ID. */
export const getOrganizationInvitations: UseCase<Operations['getOrganizationInvitations']> = async (
  request,
  { table, config, now },
) => {
  const { id } = request.organization.organization
  const read = async (entries: readonly ListEntry[]) =>
    (await readOrganizationInvitations(table, getIds(entries))).map((one) => one && toBody(one, now()))
  const page = await readPage(table, getInvitationsListing(id), readPageRequest(request), read)
  return { status: 200, ...toListReply(request, config, page) }
}

/** Invites an address. Nothing here depends on whether it has an account, so the inviter cannot learn it. */
export const createOrganizationInvitation: UseCase<Operations['createOrganizationInvitation']> = async (
  { body, organization: access, principal, context },
  services,
) => {
  const address = parseMailAddress(body.email)
  if (!address)
    throw invalidRequest([{ field: 'email', message: 'must be an address that can receive the link' }])
  const { id } = access.organization
  const roles = [...new Set(body.roles)]
  await requireSendable(services, access, principal.user, roles)
  const createdAt = services.now()
  const fields = {
    organizationId: id,
    email: address.address,
    normalizedEmail: normalizeEmail(address.address),
    roles,
    createdAt,
    expiresAt: createdAt + (body.valid_days ?? organizationInvitationDays.initial) * day,
  }
  const invitation = await send(services, context, access, {
    before: undefined,
    fields,
    user: principal.user,
  })
  const location = `/api/2/organizations/${id}/invitations/${invitation.id}`
  return { status: 201, headers: { location }, body: toBody(invitation, services.now()) }
}

/** Sends an invitation again. The caller answers for it from now on. */
export const resendOrganizationInvitation: UseCase<Operations['resendOrganizationInvitation']> = async (
  { params, organization: access, principal, context },
  services,
) => {
  const before = await requireInvitation(services.table, access, params.invitation_id)
  await consume(services, 'invitationResends', String(before.id))
  await requireSendable(services, access, principal.user, before.roles)
  const { organizationId, email, normalizedEmail, roles, createdAt, validMs } = before
  const expiresAt = services.now() + validMs
  const fields = { organizationId, email, normalizedEmail, roles, createdAt, expiresAt }
  const invitation = await send(services, context, access, { before, fields, user: principal.user })
  return { status: 200, body: toBody(invitation, services.now()) }
}

/** @throws AppError if the caller may not give the roles, the organization is suspended, or too much was sent */
const requireSendable = async (
  services: Services,
  access: OrganizationAccess,
  { id }: UserRecord,
  roles: readonly string[],
): Promise<void> => {
  requireKnownRoles(access.declaredRoles, roles)
  requireControlOfRoles(access, roles)
  requireActiveOrganization(access.organization)
  await consume(services, 'invitationsPerInviter', String(id))
  await consume(services, 'invitationsPerOrganization', String(access.organization.id))
}

interface Sending {
  readonly before: OrganizationInvitationRecord | undefined
  readonly fields: Omit<
    OrganizationInvitationRecord,
    'id' | 'hash' | 'delayedUntil' | 'mailId' | 'invitedBy' | 'joining' | 'validMs'
  >
  readonly user: UserRecord
}

const send = (
  { table, now }: Services,
  context: RequestContext,
  { organization, membership }: OrganizationAccess,
  { before, fields, user }: Sending,
): Promise<OrganizationInvitationRecord> => {
  const nowMs = now()
  const mailId = randomBytes(12).toString('base64url')
  const sent = {
    ...fields,
    ...omitUndefined({ joining: membership?.joining }),
    mailId,
    invitedBy: user.id,
    validMs: fields.expiresAt - nowMs,
  }
  return retryConflicts(
    () =>
      sendInvitation(table, organization, { before, fields: sent, nowMs }, (invitation) => [
        buildOutboxStep(
          { kind: 'organization_invitation', invitationId: invitation.id, mailId },
          context,
          nowMs,
        ),
        ...buildMadeSteps(user, { kind: 'organization_invitation', invitationId: invitation.id }, nowMs),
        auditInvitation(
          context,
          before ? 'organization.invitation_resent' : 'organization.invited',
          invitation,
        ),
      ]),
    keepsChanging,
  )
}

const requireInvitation = async (
  table: Table,
  { organization }: OrganizationAccess,
  id: number,
): Promise<OrganizationInvitationRecord> => {
  const invitation = await findOrganizationInvitation(table, id)
  const isOwn = invitation?.organizationId === organization.id
  return requireFound(isOwn ? invitation : undefined, 'invitation')
}

/** Ends an invitation, so that its link stops working. Managers of members may take back any role that nobody has yet. */
export const revokeOrganizationInvitation: UseCase<Operations['revokeOrganizationInvitation']> = async (
  { params, organization: access, context },
  { table },
) => {
  await retryConflicts(async () => {
    const invitation = await requireInvitation(table, access, params.invitation_id)
    await table.transact([
      ...buildEndInvitationSteps(invitation),
      auditInvitation(context, 'organization.invitation_revoked', invitation),
    ])
  }, keepsChanging)
  return { status: 204 }
}

/** Lists the open invitations for the verified address of the caller. */
export const getOwnOrganizationInvitations: UseCase<Operations['getOwnOrganizationInvitations']> = async (
  request,
  { table, config, now },
) => {
  const { user, session } = request.principal
  const address = session?.accessLink ? undefined : findOwnAddress(user)
  const read = async (entries: readonly ListEntry[]) => {
    const invitations = await readOrganizationInvitations(table, entries.map(readInvitedEntry))
    const known = invitations.filter((one) => one !== undefined)
    const [organizations, inviters] = await Promise.all([
      readOrganizations(
        table,
        known.map(({ organizationId }) => organizationId),
      ),
      findUsers(
        table,
        known.map(({ invitedBy }) => invitedBy),
      ),
    ])
    return invitations.map((one) => {
      const at = one ? known.indexOf(one) : -1
      const [organization, inviter] = [organizations[at], inviters[at]]
      if (!one || organization?.state !== 'active' || one.expiresAt <= now()) return undefined
      return {
        id: one.id,
        organization_name: organization.name,
        roles: [...one.roles],
        invited_by: inviter ? getDisplayName(inviter) : null,
        expires_at: formatTime(one.expiresAt),
        requires_link: requiresLink(one),
      }
    })
  }
  const page = readPageRequest(request)
  const found =
    address === undefined
      ? { rows: [] }
      : await readPage(table, getInvitationsOfAddressListing(address), page, read)
  return { status: 200, ...toListReply(request, config, found) }
}

/** Ends an invitation for the verified address of the caller. */
export const declineOrganizationInvitation: UseCase<Operations['declineOrganizationInvitation']> = async (
  { params, principal, context },
  { table },
) => {
  requireOwnSession(principal)
  const { user } = principal
  await retryConflicts(async () => {
    const own = await requireOwnInvitation(table, user, params.id)
    await table.transact([
      ...buildEndInvitationSteps(own),
      auditInvitation(context, 'organization.invitation_declined', own, { user: user.id }),
    ])
  }, keepsChanging)
  return { status: 204 }
}

/** Accepts an invitation with its link. */
export const acceptOrganizationInvitation: UseCase<Operations['acceptOrganizationInvitation']> = async (
  { body: { token, shown }, principal, context },
  services,
) => {
  requireOwnSession(principal)
  const body = await acceptInvitation(services, context, {
    principal,
    shown,
    proof: 'link',
    proofSteps: [],
    find: async () => {
      const found = await requireOrganizationInvitation(services, context, token)
      if (findOwnAddress(principal.user) !== found.invitation.normalizedEmail)
        throw new AppError('permission_denied', {
          reason: 'other_address',
          detail: 'The invitation is for another address. Sign in with the account that has it.',
        })
      return found
    },
  })
  return { status: 200, body }
}
