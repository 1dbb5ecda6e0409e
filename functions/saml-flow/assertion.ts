import { writeAudit } from '../../lib/accounts/common/request-context.ts'
import { consume } from '../../lib/accounts/common/throttle.ts'
import { createSamlError, getSamlErrorText } from '../../lib/accounts/saml/errors.ts'
import { buildExpectations } from '../../lib/accounts/saml/expectations.ts'
import { linkAccount } from '../../lib/accounts/saml/link-account.ts'
import type { PostedResponse } from '../../lib/accounts/saml/named-flow.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { resolveUser } from '../../lib/accounts/saml/resolve-user.ts'
import { addRetryPath, buildStartPath } from '../../lib/accounts/saml/retry-path.ts'
import { openSamlSession } from '../../lib/accounts/saml/sign-in.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { AppError } from '../../lib/core/errors.ts'
import { samlClockSkewMs } from '../../lib/core/limits.ts'
import { getNetwork } from '../../lib/core/network.ts'
import { buildSessionCookie } from '../../lib/http/session-cookie.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Assertion } from '../../lib/saml/assertion/reading.ts'
import { receive } from '../../lib/saml/assertion/receive.ts'
import type { Services } from '../../lib/services.ts'
import type { SamlFlow } from '../../lib/store/records/saml-flow-record.ts'
import type { SamlProviderRecord } from '../../lib/store/records/saml-provider-record.ts'
import { reserveAssertion } from '../../lib/store/saml/saml-flows.ts'
import { findFlowOfResponse } from './flow-of-response.ts'

type Request = UseCaseRequest<typeof samlFlow.receiveSamlAuthAssertion>

/**
 * Takes the answer of an identity provider to a sign-in, by which a session is opened, or an account linked; then the
 * browser goes on to `sso/return`, where the session's cookie comes along.
 */
export const receiveSamlAuthAssertion: UseCase<typeof samlFlow.receiveSamlAuthAssertion> = async (
  request,
  services,
) => {
  const provider = await requireProvider(services.table, request.params.id)
  try {
    const flow = await findFlowOfResponse(services, provider, postedOf(request), request.cookies)
    return await answered(request, services, provider, flow)
  } catch (error) {
    if (error instanceof AppError)
      await writeAudit(services, request.context, 'login.failed', {
        target: `saml:${provider.id}`,
        outcome: error.details.reason ?? error.code,
      })
    throw error
  }
}

const postedOf = ({ body }: Request): PostedResponse => ({
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
    throw addRetryPath(error, buildStartPath(provider.id, flow))
  }
}

/** What the response says, every step of which holds; it counts once. */
const assertionOf = async (
  { body, context }: Request,
  services: Services,
  provider: SamlProviderRecord,
  flow: SamlFlow,
): Promise<Assertion> => {
  const received = await receive(body.SAMLResponse, buildExpectations(services, provider, flow))
  if ('refusal' in received) {
    const { reason, finding, isBlind } = received.refusal
    services.log.warn('saml.response_refused', { provider: provider.id, reason })
    if (isBlind)
      await consume(services, 'samlDecryptionFailures', getNetwork(context.address), {
        reason,
        detail: getSamlErrorText(provider, undecipherable),
      })
    throw createSamlError('login_failed', provider, reason, finding.sentence)
  }
  const { assertion } = received
  const isFirst = await reserveAssertion(
    services.table,
    provider.id,
    assertion.id,
    assertion.usableUntil + samlClockSkewMs,
  )
  if (!isFirst)
    throw createSamlError('login_failed', provider, 'replay', 'The response was used already: sign in again.')
  return assertion
}

/** Whoever reads this may be one of many who come from one network, and the first to be told of it. */
const undecipherable =
  'Too many responses from this network could not be decrypted. Most likely the identity provider encrypts for an old ' +
  'key or certificate of this service: an administrator has to give it the one that the metadata here shows. A response ' +
  'that can be decrypted is taken at once.'

const finished = async (
  { context }: Request,
  services: Services,
  provider: SamlProviderRecord,
  flow: SamlFlow,
  assertion: Assertion,
) => {
  const onward = (returnToken: string) => ({
    location: `${services.config.publicUrl}/api/2/auth/saml/${provider.id}/sso/return?flow=${returnToken}`,
  })
  const { link } = flow
  const saml = { services, provider, context }
  if (link) {
    const returnToken = await linkAccount(saml, assertion, { ...flow, link })
    return { status: 303, headers: onward(returnToken) } as const
  }
  const user = await resolveUser(saml, assertion)
  const { sessionKey, returnToken } = await openSamlSession(saml, { assertion, user, flow })
  return {
    status: 303,
    headers: onward(returnToken),
    cookies: [buildSessionCookie(services.config, sessionKey)],
  } as const
}
