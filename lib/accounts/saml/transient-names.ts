import type { Services } from '../../services.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'

const transientFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/**
 * Tells the log of a provider that is asked for names that are other ones each time, while nothing says by what else its
 * users are known: if it does as it is asked, nobody signs in through it.
 */
export const reportTransientNames = (
  { log }: Services,
  { id, nameidFormat, nameidAttribute }: SamlProviderRecord,
): void => {
  if (nameidFormat === transientFormat && !nameidAttribute)
    log.warn('saml_provider.transient_names', { provider: id, missing: 'nameid_attribute' })
}
