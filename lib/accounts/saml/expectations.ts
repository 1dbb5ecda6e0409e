import type { Expectations } from '../../saml/assertion/validation-context.ts'
import { parseStoredCertificates } from '../../saml/certificates.ts'
import { getServiceUrls } from '../../saml/service-provider.ts'
import type { Services } from '../../services.ts'
import type { SamlFlow } from '../../store/saml/saml-flows.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import { isAuthnContextEnough } from '../connections/connection-rules.ts'
import { loadDecryptionKeys } from './sp-keys.ts'

/** What a valid response of a provider must contain. `flow` is the sign-in that it answers, if that is known. */
export const buildExpectations = (
  services: Services,
  provider: SamlProviderRecord,
  flow: SamlFlow | undefined,
): Expectations => {
  const urls = getServiceUrls(services.config.publicUrl, provider.id)
  return {
    nowMs: services.now(),
    serviceEntityId: urls.metadata,
    assertionUrl: urls.assertion,
    providerEntityId: provider.entityId,
    nameIdAttribute: provider.nameidAttribute || null,
    isAuthnContextEnough: (stated) => isAuthnContextEnough(provider, stated),
    certificates: parseStoredCertificates(provider.certificate),
    decryptionKeys: () => loadDecryptionKeys(services, provider),
    request: flow && { id: flow.requestId, forceAuthn: flow.forceAuthn, sentAt: flow.startedAt },
  }
}
