import { noteRecord } from '../../lib/accounts/common/request-context.ts'
import { spend } from '../../lib/accounts/common/throttle.ts'
import { userOfAssertion } from '../../lib/accounts/saml/accounts.ts'
import { samlRefusal, samlSentence } from '../../lib/accounts/saml/errors.ts'
import { expectedOf } from '../../lib/accounts/saml/expectations.ts'
import { linkAccount } from '../../lib/accounts/saml/link.ts'
import type { Posted } from '../../lib/accounts/saml/named-flow.ts'
import { openSamlSession } from '../../lib/accounts/saml/sign-in.ts'
import { startPath, withTryAgain } from '../../lib/accounts/saml/try-again.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { AppError, notFound } from '../../lib/core/errors.ts'
import { samlClockSkewMs } from '../../lib/core/limits.ts'
import { networkOf } from '../../lib/core/network.ts'
import { sessionCookie } from '../../lib/http/cookies.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Assertion } from '../../lib/saml/assertion/reading.ts'
import { receive } from '../../lib/saml/assertion/receive.ts'
import type { Services } from '../../lib/services.ts'
import { reserveAssertion, type SamlFlow } from '../../lib/store/saml/saml-flows.ts'
import { findSamlProvider, type SamlProviderRecord } from '../../lib/store/saml/saml-providers.ts'
import { flowOfResponse } from './flow-of-response.ts'

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
    const flow = await flowOfResponse(services, provider, postedOf(request), request.cookies)
    return await answered(request, services, provider, flow)
  } catch (error) {
    if (error instanceof AppError)
      await noteRecord(services, request.visitor, 'login.failed', {
        target: `saml:${provider.id}`,
        outcome: error.facts.reason ?? error.code,
      })
    throw error
  }
}

const postedOf = ({ body }: Request): Posted => ({
  response: body.SAMLResponse,
  relayState: body.RelayState ?? '',
})

/** From here on, whoever is refused can try again as it began. */
const answered = async (
  request: Request,
  services: Services,
  provider: SamlProviderRecord,
  flow: SamlFlow,
) => {
  try {
    const assertion = await assertionOf(request, services, provider, flow)
    return await finished(request, services, provider, flow, assertion)
  } catch (error) {
    throw withTryAgain(error, startPath(provider.id, flow))
  }
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
    if (isBlind)
      await spend(services, 'samlDecryptionFailures', networkOf(visitor.address), {
        reason,
        detail: samlSentence(provider, undecipherable),
      })
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

/** Whoever reads this may be one of many who come from one network, and the first to be told of it. */
const undecipherable =
  'Too many responses from this network could not be decrypted. Most likely the identity provider encrypts for an old ' +
  'key or certificate of this service: an administrator has to give it the one that the metadata here shows. A response ' +
  'that can be decrypted is taken at once.'

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
