import type { Expected } from '../../saml/assertion/validation-context.ts'
import { findTrustedCertificates } from '../../saml/certificates.ts'
import { getServiceUrls } from '../../saml/service-provider.ts'
import type { Services } from '../../services.ts'
import type { SamlFlow } from '../../store/records/saml-flow-record.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { openDecryptionKeys } from './sp-keys.ts'

/** What a response of a provider has to be about, to the sign-in that was begun here if that is known. */
export const buildExpectations = (
  services: Services,
  provider: SamlProviderRecord,
  flow: SamlFlow | undefined,
): Expected => {
  const urls = getServiceUrls(services.config.publicUrl, provider.id)
  return {
    nowMs: services.now(),
    serviceEntityId: urls.metadata,
    assertionUrl: urls.assertion,
    providerEntityId: provider.entityId,
    nameIdAttribute: provider.nameidAttribute || null,
    certificates: findTrustedCertificates(provider.certificate),
    decryptionKeys: () => openDecryptionKeys(services, provider),
    request: flow && { id: flow.requestId, forceAuthn: flow.forceAuthn, sentAt: flow.startedAt },
  }
}
