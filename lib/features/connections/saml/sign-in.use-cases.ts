import type { UseCase } from '../../../http/use-case.ts'
import { receiveAnswer } from '../receive-answer.part.ts'
import { returnToStart } from '../return.part.ts'
import { startSignIn } from '../start.part.ts'
import type { samlAnswer, samlStart } from './flow.operations.ts'
import { requireProvider } from './saml-context.ts'
import { buildServiceMetadata, getServiceUrls } from './service-provider.ts'
import { samlSignIn } from './sign-in.part.ts'
import { getSpCertificates } from './sp-keys.ts'

export const startSamlAuth: UseCase<typeof samlStart.startSamlAuth> = (request, services) =>
  startSignIn(samlSignIn, request, services)

/** Receives the SAML response of an identity provider. */
export const receiveSamlAuthAssertion: UseCase<typeof samlAnswer.receiveSamlAuthAssertion> = (
  request,
  services,
) => {
  const { SAMLResponse: response, RelayState: relayState = '' } = request.body
  return receiveAnswer(samlSignIn, request, services, { response, relayState })
}

export const returnFromSamlAuth: UseCase<typeof samlAnswer.returnFromSamlAuth> = (request, services) =>
  returnToStart(request, services, samlSignIn.stored.kind)

/** Describes this service to an identity provider: the URLs for messages and the current and next certificates. */
export const getSamlServiceProviderMetadata: UseCase<
  typeof samlStart.getSamlServiceProviderMetadata
> = async ({ params }, { table, config }) => {
  const provider = await requireProvider(table, params.id)
  const urls = getServiceUrls(config.publicUrl, provider.id)
  const facts = { urls, ...getSpCertificates(provider), nameIdFormat: provider.nameid_format }
  return { status: 200, body: buildServiceMetadata(facts) }
}
