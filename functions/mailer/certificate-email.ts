import { isSuppressed, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { hasAdminAccess } from '../../lib/accounts/common/permissions.ts'
import { renderCertificateEmail } from '../../lib/mail/certificate-email.ts'
import type { Services } from '../../lib/services.ts'
import { hasVerifiedEmail } from '../../lib/store/directory/guest-state.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import type { MailJob } from '../../lib/store/records/mail-job.ts'
import type { OutboxEntry } from '../../lib/store/records/outbox.ts'
import { findSamlProvider } from '../../lib/store/saml/saml-providers.ts'
import type { PreparedEmail } from './prepared-email.ts'
import { writeEmail } from './write-email.ts'

/**
 * Prepares the warning of an expiring certificate. Returns undefined if the recipient is no longer an administrator or
 * cannot receive email, or if the provider was deleted.
 */
export const prepareCertificateEmail = async (
  services: Services,
  entry: OutboxEntry,
  job: Extract<MailJob, { kind: 'saml_certificate_ending' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, config, now } = services
  const user = await findUser(table, job.userId)
  const provider = await findSamlProvider(table, job.providerId)
  const to = parseMailAddress(user && hasVerifiedEmail(user) ? user.email : '')
  if (!provider || !user?.isEnabled || !hasAdminAccess(user.permissions) || !to) return undefined
  if (await isSuppressed(services, to)) return undefined
  const email = await writeEmail(services, entry, { to: to.address, user }, (envelope) =>
    renderCertificateEmail(envelope, {
      providerUrl: `${config.publicUrl}/admin#/saml-providers/${provider.id}`,
      providerId: provider.id,
      providerName: provider.name,
      side: job.side,
      endsAt: job.endsAt,
      nowMs: now(),
    }),
  )
  return { email }
}
