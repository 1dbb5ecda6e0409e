import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { buildLogoutResponseUrl, signOut } from '../../lib/accounts/saml/sign-out.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import { logoutMessageMaxAgeMs, samlClockSkewMs } from '../../lib/core/limits.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findTrustedCertificates } from '../../lib/saml/certificates.ts'
import { type LogoutMessage, readLogoutMessage } from '../../lib/saml/logout/message.ts'
import { readOutcome } from '../../lib/saml/logout/read.ts'
import { RedirectRefused } from '../../lib/saml/redirect/faults.ts'
import { readMessage } from '../../lib/saml/redirect/inflate.ts'
import { readSignedQuery, type SignedQuery } from '../../lib/saml/redirect/query.ts'
import { requireSignature } from '../../lib/saml/redirect/verify.ts'
import { getServiceUrls } from '../../lib/saml/service-provider.ts'
import type { Services } from '../../lib/services.ts'
import type { SamlProviderRecord } from '../../lib/store/records/saml-provider-record.ts'
import {
  findLogoutRequest,
  takeLogoutRequest,
  takeLogoutResponse,
} from '../../lib/store/saml/saml-logouts.ts'

/**
 * Takes a signed logout request, or the answer to ours, from the query as it came (SAML Profiles 4.4.3). Nothing but its
 * signature says who sent it, so nothing is done before that was verified and the message found to be new and for us.
 */
export const returnFromSamlLogout: UseCase<typeof samlFlow.returnFromSamlLogout> = async (
  { params, target, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const { query, message } = authentic(services, provider, target.rawQuery)
  const address =
    query.kind === 'SAMLRequest'
      ? await answered(services, provider, message, query.relayState, context)
      : await finished(services, provider, message, context)
  return { status: 303, headers: { location: address ?? services.config.signInUrl } }
}

interface Authentic {
  readonly query: SignedQuery
  readonly message: LogoutMessage
}

/** @throws AppError `invalid_request` that says what of the message isn't taken. */
const authentic = (services: Services, provider: SamlProviderRecord, rawQuery: string): Authentic => {
  const expected = {
    nowMs: services.now(),
    providerEntityId: provider.entityId,
    address: getServiceUrls(services.config.publicUrl, provider.id).logoutReturn,
  }
  try {
    const query = readSignedQuery(rawQuery)
    requireSignature(query, findTrustedCertificates(provider.certificate))
    return { query, message: readLogoutMessage(query.kind, readMessage(query), expected) }
  } catch (error) {
    throw error instanceof RedirectRefused ? refused(services, provider, error) : error
  }
}

/** Each request counts once; then its sender hears how it went, whatever that is (SAML Core 3.7.3.2). */
const answered = async (
  services: Services,
  provider: SamlProviderRecord,
  message: LogoutMessage,
  relayState: string | undefined,
  context: RequestContext,
): Promise<string | undefined> => {
  const staleAt = message.issuedAt + logoutMessageMaxAgeMs + 2 * samlClockSkewMs
  const record = auditStep(context, 'saml_logout.received', { target: `saml:${provider.id}` })
  if (!(await takeLogoutRequest(services.table, provider.id, message.id, staleAt, [record])))
    throw refused(services, provider, new RedirectRefused('SAMLRequest', 'was taken before'))
  const saml = { services, provider, context }
  const outcome = await signOut(saml, message)
  return buildLogoutResponseUrl(saml, { message, outcome, relayState })
}

/** The session here has ended long ago: all that is left is to tell our own request from one that never was. */
const finished = async (
  services: Services,
  provider: SamlProviderRecord,
  message: LogoutMessage,
  context: RequestContext,
): Promise<undefined> => {
  const { table, now } = services
  const { inResponseTo = '', isSuccess } = readOutcome(message)
  const request = await findLogoutRequest(table, provider.id, inResponseTo)
  const record = auditStep(context, 'saml_logout.answered', {
    user: request?.userId ?? null,
    target: `saml:${provider.id}`,
    outcome: isSuccess ? 'succeeded' : 'partial',
  })
  const isOurs = request && (await takeLogoutResponse(table, provider.id, inResponseTo, now(), [record]))
  if (!isOurs)
    throw refused(
      services,
      provider,
      new RedirectRefused('SAMLResponse', 'answers no request of this service that waits for an answer'),
    )
}

const refused = ({ log }: Services, { id }: SamlProviderRecord, { parameter, message }: RedirectRefused) => {
  log.warn('saml_logout.refused', { provider: id, parameter, why: message })
  return invalidRequest([{ field: parameter, message }])
}
