import { setTimeout as delay } from 'node:timers/promises'
import type { UseCase, UseCaseRequest } from '../../http/use-case.ts'
import { leakReportDurationMs, leaksAtOnce } from '../../kernel/limits/limits.ts'
import {
  type Credential,
  hashCredential,
  isSameHash,
  parseCredential,
} from '../../kernel/secrets/credentials.ts'
import { ConditionFailed, EditConflict, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { mapInBatches } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../access/request-context.ts'
import { retryConflicts } from '../access/retry-conflicts.ts'
import { consume } from '../access/throttle.ts'
import { deleteLink } from '../access-links/delete-link.ts'
import { findAccessLink, isUsable } from '../access-links/records.ts'
import { deleteApiToken, findApiTokenAndUser, findChosenOwner } from '../api-tokens/records.ts'
import { auditStep } from '../audit/write-event.ts'
import { findSamlConnection } from '../connections/saml/records.ts'
import { endSetupLink, findOpenLink } from '../connections/saml/setup/setup-links.ts'
import { resolveSuccessors } from '../directory/successors.records.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { buildEndConfirmationStep } from '../directory/user-step.records.ts'
import { findUsers } from '../directory/users.records.ts'
import { buildEndSignUpLinkStep } from '../invitations/sign-up.records.ts'
import { buildRevokeInvitationStep } from '../invitations/steps.records.ts'
import { buildSecurityNoticeStep } from '../mail/security-notices.ts'
import { findClientById, listValidSecrets, removeClientSecret } from '../oauth/clients.records.ts'
import { buildEndInvitationSteps, findOrganizationInvitation } from '../organizations/invitations.records.ts'
import { readMemberships } from '../organizations/memberships.records.ts'
import { deleteOrganizationToken, findTokenAndOrganization } from '../organizations/tokens.records.ts'
import {
  buildUseResetTokenStep,
  findResetTokenAndUser,
  isResetTokenRevoked,
} from '../passwords/reset-tokens.records.ts'
import { buildEndRememberedDeviceStep, findRememberedDevices } from '../remembered-devices/records.ts'
import {
  buildUseSecondFactorTokenStep,
  findSecondFactorTokenAndUser,
} from '../second-factor/tokens.records.ts'
import { detectCredentialKind } from '../sign-in/authentication.ts'
import { endSession } from '../sign-in/end-sessions.records.ts'
import { findSessionAndUser } from '../sign-in/sessions.records.ts'
import { buildEndTicketStep, findTicketAndUser } from '../tickets/records.ts'
import type { HoldingsWith } from './holdings.records.ts'
import type { leaks } from './operations.ts'
import { buildEndSecurityReportStep, findSecurityReportAndUser, isReportKept } from './reports.records.ts'

/** Deletes an API token and revokes the tickets that it created. */
const endLeakedApiToken = async (
  services: Services,
  context: RequestContext,
  owner: { readonly subject: number; readonly hash: string },
): Promise<void> => {
  const { token, user } = await findApiTokenAndUser(services.table, owner.subject, owner.hash)
  if (!token || !user) return
  const steps = buildLeakSteps(services, context, user, `api_token:${token.id}`)
  await deleteApiToken(services.table, token, steps)
}

/** Deletes an API token whose value its owner chose, if the text is one. */
const endLeakedCustomToken = async (
  services: Services,
  context: RequestContext,
  value: string,
): Promise<void> => {
  const hash = hashCredential(value)
  const subject = await findChosenOwner(services.table, hash)
  if (subject !== undefined) await endLeakedApiToken(services, context, { subject, hash })
}

/**
 * Ends credentials that were found in public. The possession of a credential is the only proof that the report needs.
 * The response is the same for known, unknown and malformed values.
 */
export const reportLeakedCredentials: UseCase<typeof leaks.reportLeakedCredentials> = async (
  { body, context },
  services,
) => {
  const startedAt = performance.now()
  await consume(services, 'leakReports', getNetwork(context.address))
  const values = [...new Set(readValues(body))]
  // One credential that cannot be ended now must not protect the others.
  const results = await mapInBatches(values, leaksAtOnce, (value) =>
    Promise.allSettled([endLeaked(services, context, value)]),
  )
  const failed = results.flat().find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  // Ending a credential takes longer than finding none. The same least duration hides the difference.
  await delay(Math.max(0, leakReportDurationMs - (performance.now() - startedAt)))
  return { status: 204 }
}

const readValues = (body: UseCaseRequest<typeof leaks.reportLeakedCredentials>['body']): readonly string[] =>
  Array.isArray(body)
    ? body.map(({ token }) => token)
    : [...(body.credentials ?? []), ...(body.token === undefined ? [] : [body.token])]

const endLeaked = async (services: Services, context: RequestContext, value: string): Promise<void> => {
  const credential = parseCredential(value)
  if (credential) return leakHandlers[credential.kind](services, context, credential)
  if (detectCredentialKind(value) === 'api_token') await endLeakedCustomToken(services, context, value)
}

const keepsChanging = 'The record of the credential kept changing. Try again.'

/**
 * Removes a secret of an OpenID Connect client. The administrator who registered the client is informed. The client
 * stays, and works again with another secret.
 */
const endLeakedClientSecret = async (
  services: Services,
  context: RequestContext,
  { subject, hash }: Credential,
): Promise<void> => {
  // A conflict means that another report ended the secret, or an administrator changed something else of the client.
  await retryConflicts(async () => {
    const client = await findClientById(services.table, subject)
    const secret = client && listValidSecrets(client, services.now()).find((one) => one.hash === hash)
    if (!secret) return
    const [owner] = await resolveSuccessors(
      services.table,
      client.createdBy === null ? [] : await findUsers(services.table, [client.createdBy]),
    )
    const target = `oidc_client_secret:${client.id}`
    const steps = owner
      ? buildLeakSteps(services, context, owner, target)
      : [auditStep(context, 'credential.leaked', { target })]
    await removeClientSecret(services.table, client, secret.id, steps)
  }, keepsChanging)
}

/** Deletes an access link with its sessions. Its creator is informed, because the link is theirs. */
const endLeakedLink = (
  services: Services,
  context: RequestContext,
  { subject, hash }: Credential,
): Promise<void> =>
  retryConflicts(async () => {
    const token = await findAccessLink(services.table, subject)
    if (!token || !isSameHash(token.hash, hash) || !isUsable(token, services.now())) return
    const [creator] = await findUsers(services.table, [token.createdBy])
    const steps = creator ? buildLeakSteps(services, context, creator, `access_token:${token.id}`) : []
    if (!(await deleteLink(services, token, context, steps))) throw new EditConflict()
  }, keepsChanging)

/** Ends one credential, if it exists and did not expire, and informs its owner. Does nothing for any other value. */
type LeakHandler = (services: Services, context: RequestContext, credential: Credential) => Promise<void>

const endLeakedSession: LeakHandler = async (services, context, { subject, hash }) => {
  const { session, user } = await findSessionAndUser(services.table, subject, hash)
  // The session of a disabled user ends, too. It would work again after the user is enabled.
  if (!session || !user || session.expiresAt <= services.now()) return
  const steps = buildLeakSteps(services, context, user, `session:${session.id}`)
  await endSession(services.table, session, steps)
}

const endLeakedTicket: LeakHandler = async (services, context, { subject, hash }) => {
  const { ticket, user } = await findTicketAndUser(services.table, subject, hash)
  if (!user || !ticket || ticket.takenAt !== undefined || ticket.expiresAt <= services.now()) return
  await endOnce(services, context, { owner: user, target: 'auth_ticket', end: buildEndTicketStep(ticket) })
}

const endLeakedResetToken: LeakHandler = async (services, context, { subject, hash }) => {
  const { token, user } = await findResetTokenAndUser(services.table, subject, hash)
  if (!token || !user || token.expiresAt <= services.now() || isResetTokenRevoked(token, user)) return
  await endOnce(services, context, { owner: user, target: 'reset_token', end: buildUseResetTokenStep(token) })
}

const endLeakedSecondFactorToken: LeakHandler = async (services, context, { subject, hash }) => {
  const { token, user } = await findSecondFactorTokenAndUser(services.table, subject, hash)
  if (!token || !user || token.expiresAt <= services.now()) return
  const end = buildUseSecondFactorTokenStep(token, () => new ConditionFailed())
  await endOnce(services, context, { owner: user, target: 'second_factor_token', end })
}

const endLeakedSecurityReport: LeakHandler = async (services, context, { subject, hash }) => {
  const { report, user } = await findSecurityReportAndUser(services.table, subject, hash)
  if (!report || !user || report.result) return
  if (report.expiresAt <= services.now() && !isReportKept(report)) return
  const end = buildEndSecurityReportStep(report)
  await endOnce(services, context, { owner: user, target: 'security_report', end })
}

const endLeakedConfirmation: LeakHandler = async (services, context, { subject, hash }) => {
  const [user] = await findUsers(services.table, [subject])
  const link = user?.emailConfirmation
  if (!user || link?.hash !== hash || link.expiresAt <= services.now()) return
  const end = buildEndConfirmationStep(user.id, hash)
  await endOnce(services, context, { owner: user, target: 'email_confirmation', end })
}

const endLeakedInvitation: LeakHandler = async (services, context, { subject, hash }) => {
  const [user] = await findUsers(services.table, [subject])
  const invitation = user?.invitation
  if (!user || invitation?.hash !== hash || invitation.acceptedAt !== undefined) return
  if (invitation.expiresAt <= services.now()) return
  const end = buildRevokeInvitationStep(user.id, invitation)
  await endOnce(services, context, { owner: user, target: 'invitation', end })
}

/** Informs the member who created the token, unless they have left. The token belongs to the organization. */
const endLeakedOrganizationToken: LeakHandler = async (services, context, { subject, hash }) => {
  const { table } = services
  const { token, organization } = await findTokenAndOrganization(table, subject, hash)
  if (!token || !organization) return
  const [membership] = await readMemberships(table, subject, [token.createdBy])
  const [maker] = membership ? await findUsers(table, [token.createdBy]) : []
  const target = `organization_token:${token.id}`
  const ofOrganization = { ...context, organization: subject }
  const steps = maker
    ? buildLeakSteps(services, ofOrganization, maker, target)
    : [auditStep(ofOrganization, 'credential.leaked', { target })]
  await deleteOrganizationToken(table, token, steps)
}

/** The person who asked for the link has no account yet, so there is no owner to inform. */
const endLeakedSignUp: LeakHandler = async ({ table, now }, context, { hash }) => {
  await wasCommitted(
    table.transact([
      buildEndSignUpLinkStep(hash, now()),
      auditStep(context, 'credential.leaked', { target: 'sign_up' }),
    ]),
  )
}

/** The invited person may have no account, so the audit event informs the administrators. */
const endLeakedOrganizationInvitation: LeakHandler = async ({ table }, context, { subject, hash }) => {
  const invitation = await findOrganizationInvitation(table, subject)
  if (invitation?.hash !== hash) return
  await wasCommitted(
    table.transact([
      ...buildEndInvitationSteps(invitation),
      auditStep({ ...context, organization: invitation.organizationId }, 'credential.leaked', {
        target: `organization_invitation:${invitation.id}`,
      }),
    ]),
  )
}

/** Its holder has no account, so the audit event informs the administrators. */
const endLeakedSetupLink: LeakHandler = async (services, context, { subject, hash }) => {
  await retryConflicts(async () => {
    const provider = await findSamlConnection(services.table, subject)
    const link = provider && findOpenLink(provider, services.now())
    if (!provider || link?.hash !== hash) return
    const target = `saml_setup:${provider.id} ${link.id}`
    await endSetupLink(services, provider, [auditStep(context, 'credential.leaked', { target })])
  }, keepsChanging)
}

const endLeakedDevice: LeakHandler = async (services, context, { subject, hash }) => {
  const [user] = await findUsers(services.table, [subject])
  const devices = user ? await findRememberedDevices(services.table, subject) : []
  const device = devices.find((one) => isSameHash(one.hash, hash))
  if (!user || !device || device.endsAt <= services.now()) return
  const end = buildEndRememberedDeviceStep(device)
  await endOnce(services, context, { owner: user, target: `remembered_device:${device.id}`, end })
}

interface OneTimeItem {
  readonly owner: UserRecord
  readonly target: string
  /** The step that ends the item. It fails if the item was used or ended. */
  readonly end: Step
}

const endOnce = async (
  services: Services,
  context: RequestContext,
  { owner, target, end }: OneTimeItem,
): Promise<void> => {
  await wasCommitted(services.table.transact([end, ...buildLeakSteps(services, context, owner, target)]))
}

/** What ends a leaked credential of each kind. A new kind does not compile without its handler. */
const leakHandlers: Readonly<Record<HoldingsWith<'leak', 'ends'>, LeakHandler>> = {
  session: endLeakedSession,
  api_token: endLeakedApiToken,
  auth_ticket: endLeakedTicket,
  organization_token: endLeakedOrganizationToken,
  reset_token: endLeakedResetToken,
  access_token: endLeakedLink,
  second_factor_token: endLeakedSecondFactorToken,
  security_report: endLeakedSecurityReport,
  email_confirmation: endLeakedConfirmation,
  oidc_client_secret: endLeakedClientSecret,
  invitation: endLeakedInvitation,
  sign_up: endLeakedSignUp,
  organization_invitation: endLeakedOrganizationInvitation,
  saml_setup: endLeakedSetupLink,
  remembered_device: endLeakedDevice,
}

/**
 * The audit event and the security email about a leaked credential, for the transaction that ends it. So of any number of
 * reports, one informs the owner. `target` is the kind of the credential, and its ID if it has one.
 */
const buildLeakSteps = (
  services: Services,
  context: RequestContext,
  owner: UserRecord,
  target: string,
): readonly Step[] => [
  auditStep(context, 'credential.leaked', { user: owner.id, target }),
  ...buildSecurityNoticeStep(services, context, owner, { kind: 'credential_leaked' }),
]
