import { importMetadata, toMetadataBody } from '../../lib/accounts/saml/import-metadata.ts'
import { refreshProvider } from '../../lib/accounts/saml/refresh-provider.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findSamlProvider, findSamlProviderId } from '../../lib/store/saml/saml-providers.ts'

/** Reads metadata without storing it. If the same provider is stored, its settings decide which signatures count. */
export const parseSamlidpMetadata: UseCase<typeof samlProviders.parseSamlidpMetadata> = async (
  { body },
  services,
) => {
  const findStored = async (entityId: string) => {
    const id = await findSamlProviderId(services.table, entityId)
    return id === undefined ? undefined : findSamlProvider(services.table, id)
  }
  return { status: 200, body: toMetadataBody(await importMetadata(services, body.url, { findStored })) }
}

/** Refreshes a stored provider from its metadata. From then on, the metadata is read from the same URL every day. */
export const refreshSamlidpMetadata: UseCase<typeof samlProviders.refreshSamlidpMetadata> = async (
  { params, body, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const options = { url: body.url, keepsOldCertificates: false }
  const { found } = await refreshProvider({ services, provider, context }, options)
  return { status: 200, body: toMetadataBody(found) }
}
