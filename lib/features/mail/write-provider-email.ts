import { hasAdminAccess } from '../../accounts/callers/permissions.ts'
import { tryRefund } from '../../accounts/callers/throttle.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { isSuppressed, parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import type { OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import type { Services } from '../../services.ts'
import { findSamlConnection } from '../connections/saml/records.ts'
import { toConsolePage } from '../pages/addresses.models.ts'
import { type CertificateEmailDetails, renderCertificateEmail } from './certificate-email.ts'
import type { Email, Envelope } from './email.ts'
import { renderSetupEmail } from './setup-email.ts'
import { type PreparedEmail, tryConsume, writeEmail } from './write-email.ts'

/** Prepares a warning of an expiring certificate. */
export const prepareCertificateEmail = (
  services: Services,
  entry: OutboxEntry,
  { side, endsAt, ...recipient }: Extract<MailJob, { kind: 'saml_certificate_ending' }>,
): Promise<PreparedEmail | undefined> =>
  prepareProviderEmail(services, entry, recipient, (envelope, provider) =>
    renderCertificateEmail(envelope, { ...provider, side, endsAt, nowMs: services.now() }),
  )

/** Prepares the email about what the holder of a set-up link sent. Its limit keeps that person from flooding the creator. */
export const prepareSetupEmail = async (
  services: Services,
  entry: OutboxEntry,
  { kind, ...job }: Extract<MailJob, { kind: 'saml_setup' }>,
): Promise<PreparedEmail | undefined> => {
  const subject = `${job.userId}#${kind}#${job.step}#${job.providerId}`
  const refund = await tryConsume(services, 'securityNotices', subject)
  if (!refund) {
    services.log.warn('mail.withheld', { request_id: entry.requestId, kind, user: job.userId })
    return undefined
  }
  const prepared = await prepareProviderEmail(services, entry, job, (envelope, provider) =>
    renderSetupEmail(envelope, { ...job, ...provider, address: entry.address }),
  ).catch(async (error: unknown) => {
    await tryRefund(services, refund)
    throw error
  })
  return prepared && { ...prepared, refund }
}

type ShownProvider = Pick<CertificateEmailDetails, 'providerUrl' | 'providerId' | 'providerName'>

/**
 * Prepares an email to an administrator about a provider. Returns undefined if the recipient is no longer an administrator or
 * cannot receive email, or if the provider was deleted.
 */
const prepareProviderEmail = async (
  services: Services,
  entry: OutboxEntry,
  { userId, providerId }: { readonly userId: number; readonly providerId: number },
  render: (envelope: Envelope, provider: ShownProvider) => Email,
): Promise<PreparedEmail | undefined> => {
  const { table, config } = services
  const user = await findUser(table, userId)
  const provider = await findSamlConnection(table, providerId)
  const to = parseMailAddress(user && hasVerifiedEmail(user) ? user.email : '')
  if (!provider || !user?.is_enabled || !hasAdminAccess(user.permissions) || !to) return undefined
  if (await isSuppressed(services, to)) return undefined
  const email = await writeEmail(services, entry, { to: to.address, user }, (envelope) =>
    render(envelope, {
      providerUrl: toConsolePage(config.publicUrl, 'connections', provider.kind, provider.id),
      providerId: provider.id,
      providerName: provider.name,
    }),
  )
  return { email }
}
