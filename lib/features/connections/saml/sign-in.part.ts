import { consume } from '../../../accounts/callers/throttle.ts'
import { buildRestartCookie, hasRestartCookie } from '../../../http/flow-cookie.ts'
import { queryText } from '../../../kernel/contract/query.ts'
import { getNetwork } from '../../../kernel/util/network.ts'
import type { Services } from '../../../services.ts'
import { resolveDestination } from '../../sign-in/destinations.ts'
import { findNameOwner } from '../accounts.records.ts'
import { createConnectionError, getConnectionErrorText } from '../errors.ts'
import { toAccountName } from '../profile.ts'
import { buildStartPath } from '../retry-path.ts'
import type { CheckedIdentity, Received, Restart, SignInProtocol } from '../sign-in-protocol.ts'
import { validateResponse } from './assertion/validate-response.ts'
import { createAssertionUse } from './assertion-use.ts'
import { buildExpectations, isUnsolicited, nameFlow, type PostedResponse } from './expected-response.ts'
import { type SamlConnection, samlKind } from './records.ts'
import type { SamlContext } from './saml-context.ts'
import { startSamlSignIn } from './start-sign-in.ts'

/** Validates the response. Its assertion can be used once. */
const acceptAssertion = async (
  saml: SamlContext,
  { answer, flow }: Received<PostedResponse>,
): Promise<CheckedIdentity> => {
  const { services, provider, context } = saml
  let owner: CheckedIdentity['owner']
  const expectations = buildExpectations(services, provider, flow)
  const received = await validateResponse(answer.response, expectations, (assertion) => {
    owner = findNameOwner(services.table, toAccountName(services, provider, assertion))
    // If the response is rejected, no one waits for it.
    owner.catch(() => {})
  })
  if ('refusal' in received) {
    const { reason, finding, hidesCause } = received.refusal
    services.log.warn('saml.response_refused', { provider: provider.id, reason })
    if (hidesCause)
      await consume(services, 'samlDecryptionFailures', getNetwork(context.address), {
        reason,
        detail: getConnectionErrorText(provider, undecryptableMessage),
      })
    throw createConnectionError('login_failed', provider, reason, finding.problem)
  }
  const { assertion } = received
  return { identity: assertion, use: createAssertionUse(saml, assertion), owner }
}

/** The reader may share the network with those whose responses failed, and may see the problem for the first time. */
const undecryptableMessage =
  'Too many responses from this network could not be decrypted. The identity provider probably encrypts with an old ' +
  'certificate of this service. An administrator must give it the certificate in the metadata of this service. ' +
  'Responses that can be decrypted are accepted at once.'

const explainUnsolicited = ({ relayState }: PostedResponse): string =>
  'The sign-in did not start at this service, or started too long ago. Start it here, not at the identity provider. If ' +
  `you did, the identity provider does not return what this service sent: ${
    relayState === ''
      ? 'RelayState is missing, and InResponseTo names no sign-in of this service.'
      : 'RelayState is not from this service.'
  }`

/**
 * Answers a response to no request, such as after a click on a tile in the portal of a company. It proves nothing: another
 * site may have had the browser post it. The browser is sent to start a sign-in of its own, which the session at the identity
 * provider completes at once. RelayState can name the page to return to, if browsers may be sent there.
 *
 * Returns undefined if the response is no such one, or if this browser was just sent. An identity provider that also loses
 * what a request contains would send it around without end.
 */
const restartSignIn = (
  { config, log }: Pick<Services, 'config' | 'log'>,
  { id }: SamlConnection,
  posted: PostedResponse,
  cookies: readonly string[],
): Restart | undefined => {
  if (!isUnsolicited(posted) || hasRestartCookie(config, cookies)) return undefined
  const { relayState } = posted
  const isPage = queryText.safeParse(relayState).success && resolveDestination(config, relayState)
  log.info('saml.sign_in_restarted', { provider: id })
  const start = { returnTo: isPage ? relayState : null, forceAuthn: false, link: null }
  return {
    status: 303,
    headers: { location: buildStartPath({ id, kind: samlKind.kind }, start) },
    cookies: [buildRestartCookie(config)],
  }
}

/** The sign-in over SAML (SAML Profiles 4.1). */
export const samlSignIn: SignInProtocol<SamlConnection, PostedResponse> = {
  stored: samlKind,
  start: startSamlSignIn,
  nameFlow,
  explainUnsolicited,
  restart: restartSignIn,
  check: acceptAssertion,
  diagnose: async (services, provider, { answer, flow }) => {
    // Loaded on demand, because only administrators test a provider.
    const { diagnose } = await import('./diagnosis.use-cases.ts')
    return diagnose(services, provider, answer.response, flow)
  },
}
