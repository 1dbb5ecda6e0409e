import { type Refund, tryRefund } from '../../accounts/callers/throttle.ts'
import { findUserByName } from '../../accounts/names/names.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { isSuppressed, parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { emailCodeLifetimeMs } from '../../kernel/limits/limits.ts'
import { hashEmailCode, mintEmailCode } from '../../kernel/secrets/email-codes.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { findOrganizationInvitation } from '../organizations/invitations.records.ts'
import { findOwnAddress } from '../organizations/own-invitations.ts'
import { readOrganizations } from '../organizations/records.ts'
import { acceptsOnlyPasskey } from '../second-factor/policy.ts'
import { buildSetCodeStep } from '../sign-in/email-codes.records.ts'
import { canUseEmailCode } from '../sign-in/email-codes.ts'
import { findSignInPolicy } from '../sign-in/policy.records.ts'
import { type CodeEmailDetails, renderJoinCodeEmail, renderSignInCodeEmail } from './code-email.ts'
import type { Email, Envelope } from './email.ts'
import type { EmailTextKind } from './own-texts/kinds.models.ts'
import { consumeRequested, type PreparedEmail, tryConsume, writeEmail } from './write-email.ts'

/**
 * Creates the code of a request to sign in and its email. Returns undefined without a recipient: no such account, an exhausted
 * rate limit, a suppressed address, or a request that has expired. The requester does not learn this.
 *
 * @throws EntryLost
 */
export const prepareSignInCodeEmail = async (
  services: Services,
  entry: OutboxEntry,
  job: Extract<MailJob, { kind: 'sign_in_code' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, now } = services
  const user = await findUserByName(table, job.name)
  if (!user || !canUseEmailCode(user, now())) return undefined
  if (acceptsOnlyPasskey(await findSignInPolicy(table), user)) return undefined
  return prepareCode(services, entry, job, {
    ...{ user, email: user.email, normalizedEmail: user.normalizedEmail },
    consume: () =>
      consumeRequested(services, user, entry, {
        perRequester: 'emailCodesPerRequester',
        perAccount: 'emailCodesPerAccount',
      }),
    emailText: 'sign_in_code',
    render: renderSignInCodeEmail,
  })
}

/**
 * Creates the code of a request to join an organization and its email, which goes to the invited address. Returns undefined if the
 * invitation ended or was sent again, or the account is disabled or has another address now, and for the reasons of a sign-in code.
 *
 * @throws EntryLost
 */
export const prepareJoinCodeEmail = async (
  services: Services,
  entry: OutboxEntry,
  job: Extract<MailJob, { kind: 'organization_join_code' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, now } = services
  const [user, invitation] = await Promise.all([
    findUser(table, job.userId),
    findOrganizationInvitation(table, job.invitationId),
  ])
  if (invitation?.mailId !== job.mailId || invitation.expiresAt <= now()) return undefined
  const { email, normalizedEmail } = invitation
  if (!user || !isActive(user, now()) || findOwnAddress(user) !== normalizedEmail) return undefined
  const [organization] = await readOrganizations(table, [invitation.organizationId])
  if (organization?.state !== 'active') return undefined
  return prepareCode(services, entry, job, {
    ...{ user, email, normalizedEmail },
    emailText: 'organization_join_code',
    consume: (address) => tryConsume(services, 'joinCodesPerRecipient', address),
    render: (envelope, details) =>
      renderJoinCodeEmail(envelope, { ...details, organization: organization.name }),
  })
}

interface CodeRecipient {
  readonly user: UserRecord
  readonly email: string
  readonly normalizedEmail: string
  /** Counts the email to this address. */
  readonly consume: (normalizedAddress: string) => Promise<Refund | undefined>
  readonly render: (envelope: Envelope, details: CodeEmailDetails) => Email
  readonly emailText: EmailTextKind
}

const prepareCode = async (
  services: Services,
  entry: OutboxEntry,
  { kind, requestHash, salt }: { readonly kind: string; readonly requestHash: string; readonly salt: string },
  { user, email, normalizedEmail, consume, render, emailText }: CodeRecipient,
): Promise<PreparedEmail | undefined> => {
  const { table, now, log } = services
  const to = parseMailAddress(email)
  const isWithheld = !to || (await isSuppressed(services, to))
  const refund = isWithheld ? undefined : await consume(to.normalized)
  if (!refund || !to) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind, user: user.id })
    return undefined
  }
  const value = mintEmailCode()
  const { id: userId, credentialEpoch } = user
  const code = { codeHash: hashEmailCode(salt, value) ?? '', userId, credentialEpoch, normalizedEmail }
  try {
    const written = await writeEmail(services, entry, { to: to.address, user, emailText }, (envelope) =>
      render(envelope, {
        username: user.username,
        code: value,
        address: entry.address,
        lifetimeMs: emailCodeLifetimeMs,
      }),
    )
    await table.transact([
      buildHeldEntryStep(entry),
      buildSetCodeStep(requestHash, code, now(), () => new EditConflict()),
    ])
    return { email: written, audit: { event: 'email_code.sent', user: userId }, refund }
  } catch (error) {
    await tryRefund(services, refund)
    if (error instanceof EditConflict) return undefined
    throw error
  }
}
