import type { Services } from '../../../services.ts'
import { chooseAuthnContexts } from '../connection-rules.ts'
import { type SignInOptions, storeStart } from '../start-sign-in.ts'
import { buildAuthnRequest, createMessageId } from './authn-request.ts'
import type { SamlConnection } from './records.ts'
import { buildSignedRedirect, buildUnsignedRedirect } from './redirect/send.ts'
import { getServiceUrls } from './service-provider.ts'
import { loadSigningKey } from './sp-keys.ts'

/**
 * Starts a sign-in and returns the URL for the browser (SAML Profiles 4.1.3.3). The flow is stored under the random
 * request ID. That is also the RelayState, so that a response names its sign-in twice.
 */
export const startSamlSignIn = async (
  services: Services,
  provider: SamlConnection,
  browserSecret: string,
  options: SignInOptions,
): Promise<string> => {
  const flow = await storeStart(services, provider, { id: createMessageId(), browserSecret }, options)
  const urls = getServiceUrls(services.config.publicUrl, provider.id)
  const xml = buildAuthnRequest(flow.id, {
    serviceEntityId: urls.metadata,
    assertionUrl: urls.assertion,
    forceAuthn: flow.forceAuthn,
    nowMs: flow.startedAt,
    ssoUrl: provider.sso_url,
    nameIdFormat: provider.nameid_format,
    authnContexts: chooseAuthnContexts(provider, options),
  })
  const message = { kind: 'SAMLRequest', xml, relayState: flow.id } as const
  const key = await loadSigningKey(services, provider)
  // An administrator removed the key, and the metadata says that requests are not signed.
  return key
    ? buildSignedRedirect(provider.sso_url, message, key)
    : buildUnsignedRedirect(provider.sso_url, message)
}
