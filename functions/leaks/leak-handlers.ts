import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import type { Credential, CredentialKind } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import { buildRevokeInvitationStep } from '../../lib/store/directory/invitation-steps.ts'
import { buildEndConfirmationStep } from '../../lib/store/directory/user-step.ts'
import { findUsers } from '../../lib/store/directory/users.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import { ConditionFailed, wasCommitted } from '../../lib/store/engine/transaction-errors.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { endSession } from '../../lib/store/sign-in/end-sessions.ts'
import {
  buildUseResetTokenStep,
  findResetTokenAndUser,
  isResetTokenRevoked,
} from '../../lib/store/sign-in/reset-tokens.ts'
import {
  buildUseSecondFactorTokenStep,
  findSecondFactorTokenAndUser,
} from '../../lib/store/sign-in/second-factor-tokens.ts'
import {
  buildEndSecurityReportStep,
  findSecurityReportAndUser,
} from '../../lib/store/sign-in/security-reports.ts'
import { findSessionAndUser } from '../../lib/store/sign-in/sessions.ts'
import { buildEndTicketStep, findTicketAndUser } from '../../lib/store/sign-in/tickets.ts'
import { endLeakedApiToken } from './api-tokens.ts'
import { endLeakedClientSecret } from './client-secrets.ts'
import { buildLeakSteps } from './leak-steps.ts'
import { endLeakedLink } from './links.ts'

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
  if (!report || !user || report.result || report.expiresAt <= services.now()) return
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
export const leakHandlers: Readonly<Record<CredentialKind, LeakHandler>> = {
  session: endLeakedSession,
  api_token: endLeakedApiToken,
  auth_ticket: endLeakedTicket,
  reset_token: endLeakedResetToken,
  access_token: endLeakedLink,
  second_factor_token: endLeakedSecondFactorToken,
  security_report: endLeakedSecurityReport,
  email_confirmation: endLeakedConfirmation,
  oidc_client_secret: endLeakedClientSecret,
  invitation: endLeakedInvitation,
}
