import { isSuppressed, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { tryRefund } from '../../lib/accounts/common/throttle.ts'
import { getDomain, isListedDomain } from '../../lib/accounts/sign-up/sign-up-rules.ts'
import { signUpLinkLifetimeMs } from '../../lib/limits/limits.ts'
import {
  renderSignUpEmail,
  renderSignUpKnownEmail,
  renderSignUpWaitingEmail,
} from '../../lib/mail/sign-up-email.ts'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import { buildSignUpLinkStep, findSignUpPolicy } from '../../lib/store/directory/sign-up.ts'
import { findUser, findUserIdByEmail } from '../../lib/store/directory/users.ts'
import type { MailJob } from '../../lib/store/mail/mail-job.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../lib/store/mail/outbox.ts'
import type { PreparedEmail } from './prepared-email.ts'
import { tryConsume } from './try-consume.ts'
import { writeEmail } from './write-email.ts'

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
  const isWithheld = policy.refusedDomains.includes(domain) || (await isSuppressed(services, to))
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
      const email = await writeEmail(services, entry, { to: to.address, user }, (envelope) =>
        renderSignUpKnownEmail(envelope, { signInUrl: config.signInUrl }),
      )
      return { email, refund }
    }
    const { value, hash } = mintCredential('sign_up')
    const email = await writeEmail(services, entry, { to: to.address, user: stranger }, (envelope) =>
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
