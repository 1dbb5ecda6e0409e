import { tryRefund } from '../../accounts/callers/throttle.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { isSuppressed, parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser, findUserIdByEmail } from '../../accounts/users/find-users.records.ts'
import { getOpenInvitation } from '../../accounts/users/invitation-state.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import { invitationLifetimeMs, signUpLinkLifetimeMs } from '../../kernel/limits/limits.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { buildSignUpLinkStep, findSignUpPolicy } from '../invitations/sign-up.records.ts'
import { getDomain, isListedDomain } from '../invitations/sign-up-rules.ts'
import { buildInvitationLinkStep, buildInvitationSentStep } from '../invitations/steps.records.ts'
import { renderInvitationEmail } from './invitation-email.ts'
import { renderSignUpEmail, renderSignUpKnownEmail, renderSignUpWaitingEmail } from './sign-up-email.ts'
import { type PreparedEmail, tryConsume, writeEmail } from './write-email.ts'

/**
 * Creates the link of an invitation and its email. Returns undefined if the invitation ended or a newer one replaced it,
 * or if the address is suppressed or got too many of these emails. The limit counts the recipient, so that no one can
 * flood an address by inviting it for several accounts.
 *
 * @throws EntryLost
 */
export const prepareInvitationEmail = async (
  services: Services,
  entry: OutboxEntry,
  { userId, invitationId }: Extract<MailJob, { kind: 'invitation' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, log, now } = services
  const user = await findUser(table, userId)
  const invitation = user && getOpenInvitation(user)
  if (!user || invitation?.id !== invitationId || !isActive(user, now())) return undefined
  const address = parseMailAddress(user.email ?? '')
  const isWithheld = !address || (await isSuppressed(services, address))
  const refund = isWithheld
    ? undefined
    : await tryConsume(services, 'invitationsPerRecipient', address.normalized)
  if (!refund || !address) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind: 'invitation', user: userId })
    return undefined
  }
  const inviter = invitation.invitedBy === null ? undefined : await findUser(table, invitation.invitedBy)
  const { value, hash } = mintCredential('invitation', userId)
  const madeAt = now()
  const link = { hash, madeAt, expiresAt: madeAt + invitationLifetimeMs }
  const context = { ...entry, userAgent: '', at: madeAt }
  try {
    const recipient = { to: address.address, user, emailText: 'invitation' } as const
    const email = await writeEmail(services, entry, recipient, (envelope) =>
      renderInvitationEmail(envelope, {
        username: user.username,
        inviter: inviter && { name: getDisplayName(inviter), account: inviter.email ?? inviter.username },
        token: value,
        lifetimeMs: invitationLifetimeMs,
      }),
    )
    await table.transact([
      buildHeldEntryStep(entry),
      buildInvitationLinkStep(userId, invitation, link, () => new EditConflict()),
      auditStep(context, 'invitation.link_made', { user: userId }),
    ])
    const sent = buildInvitationSentStep(userId, hash, madeAt, () => new EditConflict())
    return { email, audit: { event: 'invitation.sent', user: userId }, sent: [sent], refund }
  } catch (error) {
    await tryRefund(services, refund)
    if (error instanceof EditConflict) return undefined
    throw error
  }
}

const stranger = { language: null }

/**
 * Creates the link of someone who signs up and its email, or an email to the owner of the account that has the address. Returns
 * undefined if the policy changed, the domain is refused, the address is suppressed, or got too many of these emails. The
 * requester does not learn this.
 *
 * @throws EntryLost
 */
export const prepareSignUpEmail = async (
  services: Services,
  entry: OutboxEntry,
  { email: given }: Extract<MailJob, { kind: 'sign_up' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, config, log, now } = services
  const policy = (await findSignUpPolicy(table))?.policy
  const to = parseMailAddress(given)
  if (!to || !policy || policy.mode === 'off' || !isListedDomain(policy, to.address)) return undefined
  const domain = getDomain(to.address)
  const isWithheld = policy.refused_domains.includes(domain) || (await isSuppressed(services, to))
  const refund = isWithheld ? undefined : await tryConsume(services, 'signUpsPerRecipient', to.normalized)
  const isBelowLimits = refund && (await tryConsume(services, 'signUpsPerDomain', domain))
  if (!refund || !isBelowLimits) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind: 'sign_up' })
    return undefined
  }
  try {
    const userId = await findUserIdByEmail(table, to.normalized)
    const user = userId === undefined ? undefined : await findUser(table, userId)
    if (user) {
      const known = { to: to.address, user, emailText: 'sign_up_known' } as const
      const email = await writeEmail(services, entry, known, (envelope) =>
        renderSignUpKnownEmail(envelope, { signInUrl: config.signInUrl }),
      )
      return { email, refund }
    }
    const { value, hash } = mintCredential('sign_up')
    const newcomer = { to: to.address, user: stranger, emailText: 'sign_up' } as const
    const email = await writeEmail(services, entry, newcomer, (envelope) =>
      renderSignUpEmail(envelope, { token: value, lifetimeMs: signUpLinkLifetimeMs }),
    )
    const link = { hash, email: to.address, expiresAt: now() + signUpLinkLifetimeMs }
    await table.transact([buildHeldEntryStep(entry), buildSignUpLinkStep(link)])
    return { email, refund }
  } catch (error) {
    await tryRefund(services, refund)
    throw error
  }
}

/** Prepares the email to an approver. Undefined if the policy names them no more, or if they got too many. */
export const prepareSignUpWaitingEmail = async (
  services: Services,
  entry: OutboxEntry,
  { to: given, person }: Extract<MailJob, { kind: 'sign_up_waiting' }>,
): Promise<PreparedEmail | undefined> => {
  const policy = (await findSignUpPolicy(services.table))?.policy
  const to = parseMailAddress(given)
  if (!to || !policy?.approvers.includes(given) || (await isSuppressed(services, to))) return undefined
  const refund = await tryConsume(services, 'signUpNoticesPerApprover', to.normalized)
  if (!refund) return undefined
  const email = await writeEmail(services, entry, { to: to.address, user: stranger }, (envelope) =>
    renderSignUpWaitingEmail(envelope, { person }),
  )
  return { email, refund }
}
