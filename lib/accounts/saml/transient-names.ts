import type { Services } from '../../services.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'

const transientFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/**
 * Logs a warning for a provider that is configured to send a new name at each sign-in, without an attribute that
 * identifies its users. No user can sign in through such a provider.
 */
export const reportTransientNames = (
  { log }: Services,
  { id, nameidFormat, nameidAttribute }: SamlProviderRecord,
): void => {
  if (nameidFormat === transientFormat && !nameidAttribute)
    log.warn('saml_provider.transient_names', { provider: id, missing: 'nameid_attribute' })
}
