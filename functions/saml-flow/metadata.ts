import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { getSpCertificates } from '../../lib/accounts/saml/sp-keys.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildServiceMetadata } from '../../lib/saml/service-metadata.ts'
import { getServiceUrls } from '../../lib/saml/service-provider.ts'

/** Describes this service to an identity provider: the URLs for messages and the current and next certificates. */
export const getSamlServiceProviderMetadata: UseCase<typeof samlFlow.getSamlServiceProviderMetadata> = async (
  { params },
  { table, config },
) => {
  const provider = await requireProvider(table, params.id)
  const urls = getServiceUrls(config.publicUrl, provider.id)
  const facts = { urls, ...getSpCertificates(provider), nameIdFormat: provider.nameidFormat }
  return { status: 200, body: buildServiceMetadata(facts) }
}
