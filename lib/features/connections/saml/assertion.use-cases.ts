import { createDeviceCookie } from '../../../http/device-cookie.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { notFound } from '../../../kernel/errors/errors.ts'
import { getNetwork } from '../../../kernel/util/network.ts'
import type { Services } from '../../../services.ts'
import type { DeviceCookie } from '../../access/request-context.ts'
import { consume } from '../../access/throttle.ts'
import { auditRefusedAnswer } from '../../audit/refusals.ts'
import { findNameOwner } from '../accounts.records.ts'
import { type Completion, completeAnswer, toRedirect } from '../complete-answer.step.ts'
import { createConnectionError, getConnectionErrorText } from '../errors.ts'
import type { connectionFlow } from '../flow.operations.ts'
import { requireSameBrowser } from '../flow-browser.step.ts'
import { type SignInFlow, takeFlow } from '../flows.records.ts'
import { toAccountName } from '../profile.ts'
import type { ProvenIdentity } from '../proven-identity.records.ts'
import { addRetryPath, buildStartPath } from '../retry-path.ts'
import { restartSignIn } from '../return.use-cases.ts'
import { validateResponse } from './assertion/validate-response.ts'
import { createAssertionUse } from './assertion-use.ts'
import {
  buildExpectations,
  findProviderAndNamedFlow,
  type NamedFlow,
  type PostedResponse,
} from './expected-response.ts'
import type { SamlConnection } from './records.ts'
import type { SamlContext } from './saml-context.ts'

type Request = UseCaseRequest<typeof connectionFlow.receiveSamlAuthAssertion>

/**
 * Receives the SAML response of an identity provider. It opens a session or links an account. The browser is then
 * redirected to `sso/return`, where it sends the new session cookie.
 */
export const receiveSamlAuthAssertion: UseCase<typeof connectionFlow.receiveSamlAuthAssertion> = async (
  request,
  services,
) => {
  const { params, body, context, cookies } = request
  const posted = getPostedResponse(body)
  const { provider, named } = await findProviderAndNamedFlow(services.table, params.id, posted)
  const restarted = named ? undefined : restartSignIn(services, provider.id, posted, cookies)
  if (restarted) return restarted
  const saml = { services, provider, context }
  return auditRefusedAnswer(services, context, { target: `saml:${provider.id}` }, async (noteProof) => {
    const { flow, browser } = await findFlowOfResponse(services, provider, { posted, named }, cookies)
    // Until a link was used up, the holder of the link alone decides about the identity provider.
    if (provider.setup && !flow.isTest) throw notFound('connection')
    const result = flow.isTest
      ? { location: await endTest(saml, body.SAMLResponse, flow), cookies: [] }
      : await processResponse(
          { ...saml, context: { ...context, device: getDevice(flow) } },
          { ...request, noteProof },
          flow,
        )
    return toRedirect(services.config, result, { cookies, browser })
  })
}

/** Loaded on demand, because only administrators test a provider. */
const endTest = async (saml: SamlContext, response: string, flow: SignInFlow): Promise<string> => {
  const { completeTest } = await import('../test-sign-in.use-cases.ts')
  return completeTest(saml, response, flow)
}

const getPostedResponse = (body: Request['body']): PostedResponse => ({
  response: body.SAMLResponse,
  relayState: body.RelayState ?? '',
})

/**
 * Browsers send their device cookie to the start of a sign-in, but not with a response that another site makes them post. The
 * flow cookie proves that it is the same browser.
 */
const getDevice = ({ device }: SignInFlow): DeviceCookie =>
  device === undefined ? createDeviceCookie() : { hash: device }

/** Processes the response of a known flow. From here on, errors contain the path to try the same sign-in again. */
const processResponse = async (
  saml: SamlContext,
  { body, cookies, noteProof }: Pick<Request, 'body' | 'cookies'> & { readonly noteProof: () => void },
  flow: SignInFlow,
): Promise<Completion> => {
  try {
    const { assertion, owner } = await acceptAssertion(saml, body, flow)
    noteProof()
    const use = createAssertionUse(saml, assertion)
    return await completeAnswer({ ...saml, use }, { identity: assertion, flow }, cookies, owner)
  } catch (error) {
    throw addRetryPath(error, buildStartPath(saml.provider, flow))
  }
}

/** An assertion that both verifiers accepted, and the read of who has its name, which began before. */
interface Accepted {
  readonly assertion: ProvenIdentity
  readonly owner: Promise<number | undefined> | undefined
}

/** Validates the response. The assertion can be used once, which the caller has to do. */
const acceptAssertion = async (
  { services, provider, context }: SamlContext,
  body: Request['body'],
  flow: SignInFlow,
): Promise<Accepted> => {
  let owner: Accepted['owner']
  const expectations = buildExpectations(services, provider, flow)
  const received = await validateResponse(body.SAMLResponse, expectations, (assertion) => {
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
  return { assertion: received.assertion, owner }
}

/** The reader may share the network with those whose responses failed, and may see the problem for the first time. */
const undecryptableMessage =
  'Too many responses from this network could not be decrypted. The identity provider probably encrypts with an old ' +
  'certificate of this service. An administrator must give it the certificate in the metadata of this service. ' +
  'Responses that can be decrypted are accepted at once.'

/** The sign-in that a response belongs to, and the cookie value by which its browser was recognized. */
interface FoundFlow {
  readonly flow: SignInFlow
  readonly browser: string
}

/**
 * Finds the sign-in that a response belongs to. The same browser must have started it (SAML Profiles 4.1.5), so that an
 * attacker cannot sign a user in to another account. The sign-in is then used, whether the response is valid or not.
 *
 * @throws AppError `login_failed` with the reason if there is no such sign-in.
 */
const findFlowOfResponse = async (
  services: Services,
  provider: SamlConnection,
  { posted, named }: { readonly posted: PostedResponse; readonly named: NamedFlow | undefined },
  cookies: readonly string[],
): Promise<FoundFlow> => {
  const refuse = (reason: string, sentence: string) =>
    createConnectionError('login_failed', provider, reason, sentence)
  if (!named) throw refuse('unsolicited', explainUnsolicited(posted))
  const browser = requireSameBrowser(services, provider, cookies, named.flow)
  const taken = await takeFlow(services.table, provider.id, named.name, services.now())
  if (taken) return { flow: taken, browser }
  const tooLate = refuse('used_or_late', 'The sign-in has already ended or took too long. Sign in again.')
  throw addRetryPath(tooLate, buildStartPath(provider, named.flow))
}

const explainUnsolicited = ({ relayState }: PostedResponse): string =>
  'The sign-in did not start at this service, or started too long ago. Start it here, not at the identity provider. If ' +
  `you did, the identity provider does not return what this service sent: ${
    relayState === ''
      ? 'RelayState is missing, and InResponseTo names no sign-in of this service.'
      : 'RelayState is not from this service.'
  }`
