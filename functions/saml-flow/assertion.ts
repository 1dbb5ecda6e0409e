import { timingSafeEqual } from 'node:crypto'
import { userOfAssertion } from '../../lib/accounts/saml/accounts.ts'
import { hashOfBrowser } from '../../lib/accounts/saml/begin.ts'
import { expectedOf } from '../../lib/accounts/saml/expected.ts'
import { linkAccount } from '../../lib/accounts/saml/link.ts'
import { samlRefusal } from '../../lib/accounts/saml/refusals.ts'
import { openSamlSession } from '../../lib/accounts/saml/sign-in.ts'
import { spend } from '../../lib/accounts/throttle.ts'
import { noteRecord } from '../../lib/accounts/visitor.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { AppError, notFound } from '../../lib/core/errors.ts'
import { samlClockSkewMs } from '../../lib/core/limits.ts'
import { networkOf } from '../../lib/core/network.ts'
import { sessionCookie } from '../../lib/http/cookies.ts'
import { readFlowCookie } from '../../lib/http/flow-cookie.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Assertion } from '../../lib/saml/assertion/reading.ts'
import { receive } from '../../lib/saml/assertion/receive.ts'
import type { Services } from '../../lib/services.ts'
import { findFlow, reserveAssertion, type SamlFlow, takeFlow } from '../../lib/store/saml-flows.ts'
import { findSamlProvider, type SamlProviderRecord } from '../../lib/store/saml-providers.ts'

type Request = UseCaseRequest<typeof samlFlow.receiveSamlAuthAssertion>

/**
 * Takes the answer of an identity provider to a sign-in, by which a session is opened, or an account linked; then the
 * browser goes on to `sso/return`, where the session's cookie comes along.
 */
export const receiveSamlAuthAssertion: UseCase<typeof samlFlow.receiveSamlAuthAssertion> = async (
  request,
  services,
) => {
  const provider = await findSamlProvider(services.table, request.params.id)
  if (!provider) throw notFound()
  try {
    const flow = await flowOfResponse(request, services, provider)
    const assertion = await assertionOf(request, services, provider, flow)
    return await finished(request, services, provider, flow, assertion)
  } catch (error) {
    if (error instanceof AppError)
      await noteRecord(services, request.visitor, 'login.failed', {
        target: `saml:${provider.id}`,
        outcome: error.facts.reason ?? error.code,
      })
    throw error
  }
}

/**
 * The sign-in that the response answers, begun by this very browser (SAML Profiles 4.1.5): nobody is signed in to an
 * account that somebody else chose. It is used up by this, whatever comes of it.
 */
const flowOfResponse = async (
  { body, cookies }: Request,
  { table, config, now }: Services,
  provider: SamlProviderRecord,
): Promise<SamlFlow> => {
  const { RelayState: relayState = '' } = body
  const flow = relayState === '' ? undefined : await findFlow(table, provider.id, relayState)
  if (!flow)
    throw samlRefusal(
      'login_failed',
      provider,
      'unsolicited',
      'It was not begun here, or long ago: begin at this service, not at the identity provider.',
    )
  const browser = readFlowCookie(config, cookies)
  if (browser === undefined)
    throw samlRefusal(
      'login_failed',
      provider,
      'no_cookie',
      `Your browser did not send the cookie that it got at the start: allow cookies for ${config.publicUrl}`,
    )
  if (!timingSafeEqual(Buffer.from(hashOfBrowser(browser)), Buffer.from(flow.browser)))
    throw samlRefusal('login_failed', provider, 'other_browser', 'It was begun in another browser.')
  const taken = await takeFlow(table, provider.id, relayState, now())
  if (!taken)
    throw samlRefusal(
      'login_failed',
      provider,
      'used_or_late',
      'It was finished already, or took too long: begin again.',
    )
  return taken
}

/** What the response says, every step of which holds; it counts once. */
const assertionOf = async (
  { body, visitor }: Request,
  services: Services,
  provider: SamlProviderRecord,
  flow: SamlFlow,
): Promise<Assertion> => {
  const received = await receive(body.SAMLResponse, expectedOf(services, provider, flow))
  if ('refusal' in received) {
    const { reason, finding, isBlind } = received.refusal
    services.log.warn('saml.response_refused', { provider: provider.id, reason })
    if (isBlind) await spend(services, 'samlDecryptionFailures', networkOf(visitor.address))
    throw samlRefusal('login_failed', provider, reason, finding.sentence)
  }
  const { assertion } = received
  const isFirst = await reserveAssertion(
    services.table,
    provider.id,
    assertion.id,
    assertion.usableUntil + samlClockSkewMs,
  )
  if (!isFirst)
    throw samlRefusal('login_failed', provider, 'replay', 'The response was used already: sign in again.')
  return assertion
}

const finished = async (
  { visitor }: Request,
  services: Services,
  provider: SamlProviderRecord,
  flow: SamlFlow,
  assertion: Assertion,
) => {
  const onward = (wayBack: string) => ({
    location: `${services.config.publicUrl}/api/2/auth/saml/${provider.id}/sso/return?flow=${wayBack}`,
  })
  const { link } = flow
  if (link) {
    const wayBack = await linkAccount(services, provider, assertion, { ...flow, link }, visitor)
    return { status: 303, headers: onward(wayBack) } as const
  }
  const user = await userOfAssertion(services, provider, assertion, visitor)
  const { session, wayBack } = await openSamlSession(services, provider, assertion, user, flow, visitor)
  return {
    status: 303,
    headers: onward(wayBack),
    cookies: [sessionCookie(services.config, session)],
  } as const
}
