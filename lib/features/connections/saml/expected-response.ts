import type { Services } from '../../../services.ts'
import { isAuthnContextEnough } from '../connection-rules.ts'
import type { SignInFlow } from '../flows.records.ts'
import { isSuccess } from './assertion/envelope.ts'
import type { Expectations } from './assertion/validation-context.ts'
import { parseStoredCertificates } from './certificates.ts'
import type { SamlConnection } from './records.ts'
import { getServiceUrls } from './service-provider.ts'
import { loadDecryptionKeys } from './sp-keys.ts'
import { decodeXml } from './xml/decode.ts'
import { isElement, namespaces, type XmlElement } from './xml/element.ts'
import { readXml } from './xml/read.ts'
import { XmlError } from './xml/xml-error.ts'

/** What a valid response of a provider must contain. `flow` is the sign-in that it answers, if that is known. */
export const buildExpectations = (
  services: Services,
  provider: SamlConnection,
  flow: SignInFlow | undefined,
): Expectations => {
  const urls = getServiceUrls(services.config.publicUrl, provider.id)
  return {
    nowMs: services.now(),
    serviceEntityId: urls.metadata,
    assertionUrl: urls.assertion,
    providerEntityId: provider.entity_id,
    nameIdAttribute: provider.nameid_attribute || null,
    isAuthnContextEnough: (stated) => isAuthnContextEnough(provider, stated),
    certificates: parseStoredCertificates(provider.certificate),
    decryptionKeys: () => loadDecryptionKeys(services, provider),
    request: flow && { id: flow.id, forceAuthn: flow.forceAuthn, sentAt: flow.startedAt },
  }
}

/** A response as the browser posted it. */
export interface PostedResponse {
  readonly response: string
  readonly relayState: string
}

/**
 * Names the sign-in that a response claims to answer, whether it is still pending or not. RelayState names it. Some
 * identity providers lose RelayState; then InResponseTo names it. The claim is not trusted: the response and the browser
 * are verified against the sign-in afterwards. An unknown RelayState names nothing.
 */
export const nameFlow = ({ response, relayState }: PostedResponse): string | undefined =>
  relayState === '' ? readInResponseTo(response) : relayState

/**
 * Reads which request a posted response claims to answer. Nothing is verified yet, so the ID may only be used to find the
 * pending sign-in that the response is then checked against. Undefined if there is no ID or the XML cannot be read.
 */
const readInResponseTo = (posted: string): string | undefined =>
  readResponse(posted)?.attributes.get('InResponseTo') || undefined

/** Whether a response says that no one asked for it (SAML Profiles 4.1.5), and that its user is signed in there. */
export const isUnsolicited = ({ response }: PostedResponse): boolean => {
  const root = readResponse(response)
  return root !== undefined && !root.attributes.has('InResponseTo') && isSuccess(root)
}

const readResponse = (posted: string): XmlElement | undefined => {
  try {
    const root = readXml(decodeXml(Buffer.from(posted, 'base64')))
    return isElement(root, namespaces.protocol, 'Response') ? root : undefined
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}
