import { createHash } from 'node:crypto'
import { AppError, notFound } from '../../core/errors.ts'
import { samlLinkSessionMs, samlRequestMs } from '../../core/limits.ts'
import { buildAuthnRequest, createMessageId } from '../../saml/authn-request.ts'
import { buildSignedRedirect, buildUnsignedRedirect } from '../../saml/redirect/send.ts'
import { getServiceUrls } from '../../saml/service-provider.ts'
import type { Services } from '../../services.ts'
import type { SamlFlow } from '../../store/records/saml-flow-record.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { storeFlow } from '../../store/saml/saml-flows.ts'
import type { SessionPrincipal } from '../common/principal.ts'
import { openSigningKey } from './sp-keys.ts'

/** What proves a browser to be the one that began: it keeps the value, we its hash. */
export const hashBrowserSecret = (value: string): string =>
  createHash('sha256').update(value).digest('base64url')

export interface SignInOptions {
  /** A whole address that people may be sent to; null for where they go anyway. */
  readonly returnTo: string | null
  readonly forceAuthn: boolean
  /** Whose account the one at the provider is to be linked to. */
  readonly linkTo: SessionPrincipal | undefined
}

/**
 * Begins a sign-in and returns where to lead the browser (SAML Profiles 4.1.3.3). What the response will be held against
 * is kept here, under the ID of the request: that is random, says nothing, and goes along as RelayState as well, so that
 * a response names its sign-in twice.
 */
export const startSignIn = async (
  services: Services,
  provider: SamlProviderRecord,
  browser: string,
  { returnTo, forceAuthn, linkTo }: SignInOptions,
): Promise<string> => {
  const { table, config, now } = services
  const startedAt = now()
  const requestId = createMessageId()
  const flow: SamlFlow = {
    ...{ requestId, forceAuthn, startedAt, returnTo, browser: hashBrowserSecret(browser) },
    link: linkTo ? { userId: linkTo.user.id, session: linkTo.hash } : null,
  }
  if (!(await storeFlow(table, provider.id, flow, startedAt + samlRequestMs))) throw notFound()
  const urls = getServiceUrls(config.publicUrl, provider.id)
  const xml = buildAuthnRequest(requestId, {
    ...{ serviceEntityId: urls.metadata, assertionUrl: urls.assertion, forceAuthn, nowMs: startedAt },
    ...{ ssoUrl: provider.ssoUrl, nameIdFormat: provider.nameidFormat },
  })
  const message = { kind: 'SAMLRequest', xml, relayState: requestId } as const
  const key = await openSigningKey(services, provider)
  // Whoever took the key away has said that requests aren't signed, and our metadata says the same.
  return key
    ? buildSignedRedirect(provider.ssoUrl, message, key)
    : buildUnsignedRedirect(provider.ssoUrl, message)
}

/**
 * The caller, if it may have an account at a provider linked to its own: by that account it can sign in from then on, so
 * this takes its own session, begun a short while ago, and a request that nobody else's page made. A page that refuses
 * it offers no way to try again: that would be a page of ours, whoever led here.
 *
 * @throws AppError `not_authenticated` or `permission_denied`.
 */
export const requireRightToLink = (
  { now }: Services,
  principal: SessionPrincipal | undefined,
  origin: 'own' | 'foreign' | 'unknown',
): SessionPrincipal => {
  const refuse = (detail: string) => new AppError('permission_denied', { detail, tryAgain: null })
  if (!principal)
    throw new AppError('not_authenticated', {
      detail: 'Sign in here first; then link your account at the identity provider to the one you have here.',
      tryAgain: null,
    })
  if (principal.actor || principal.session.accessToken)
    throw refuse('An account can be linked by its own user alone, who signed in for it.')
  if (origin !== 'own') throw refuse('Linking an account must be begun on a page of this service.')
  if (now() - principal.session.createdAt > samlLinkSessionMs)
    throw refuse('Sign in once more before you link an account: this session was begun a while ago.')
  return principal
}
