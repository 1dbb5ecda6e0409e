import { readCertificates } from '../../saml/certificates.ts'
import type { Services } from '../../services.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'

/** Logs expired certificates. They are still accepted, because an expiry alone must not break sign-ins. */
export const reportExpiredCertificates = (
  { log, now }: Services,
  { id, certificate, spCertificate }: SamlProviderRecord,
): void => {
  for (const [field, text] of Object.entries({ certificate, sp_certificate: spCertificate ?? '' }))
    for (const { endsAt } of text === '' ? [] : readCertificates(text).certificates)
      if (endsAt <= now())
        log.warn('saml_provider.certificate_expired', {
          provider: id,
          field,
          ended: new Date(endsAt).toISOString(),
        })
}
