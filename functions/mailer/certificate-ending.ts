import { findMailAddress, isSuppressed } from '../../lib/accounts/common/mail-addresses.ts'
import { isAdmin } from '../../lib/accounts/common/permissions.ts'
import { renderCertificateEmail } from '../../lib/mail/certificate-email.ts'
import type { Services } from '../../lib/services.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import type { MailJob } from '../../lib/store/records/outbox.ts'
import { findSamlProvider } from '../../lib/store/saml/saml-providers.ts'
import type { EmailBuilder } from './letter.ts'

/** The warning to an administrator; undefined when it is none any more, can't be written to, or the provider is gone. */
export const buildCertificateEmail = async (
  services: Services,
  errand: Extract<MailJob, { kind: 'saml_certificate_ending' }>,
): Promise<EmailBuilder | undefined> => {
  const { table, config, now } = services
  const user = await findUser(table, errand.userId)
  const provider = await findSamlProvider(table, errand.providerId)
  const to = findMailAddress(user?.email ?? '')
  if (!provider || !user?.isEnabled || !isAdmin(user.permissions) || !to) return undefined
  if (await isSuppressed(services, to)) return undefined
  const mail = renderCertificateEmail({
    to: to.address,
    publicUrl: config.publicUrl,
    signInUrl: config.signInUrl,
    providerId: provider.id,
    providerName: provider.name,
    side: errand.side,
    endsAt: errand.endsAt,
    nowMs: now(),
  })
  return { mail }
}
