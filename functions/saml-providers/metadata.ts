import { importMetadata, metadataBody } from '../../lib/accounts/saml/import-metadata.ts'
import { refreshProvider } from '../../lib/accounts/saml/refresh-provider.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers.ts'
import { notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findSamlProvider } from '../../lib/store/saml-providers.ts'

/** Reads metadata to look at, and stores nothing. */
export const parseSamlidpMetadata: UseCase<typeof samlProviders.parseSamlidpMetadata> = async (
  { body },
  services,
) => ({ status: 200, body: metadataBody(await importMetadata(services, body.url)) })

/** Reads the metadata of a stored provider, which becomes what that says, and is read from there every day from now on. */
export const refreshSamlidpMetadata: UseCase<typeof samlProviders.refreshSamlidpMetadata> = async (
  { params, body, visitor },
  services,
) => {
  const provider = await findSamlProvider(services.table, params.id)
  if (!provider) throw notFound()
  const options = { url: body.url, keepsOldCertificates: false }
  const { found } = await refreshProvider(services, provider, visitor, options)
  return { status: 200, body: metadataBody(found) }
}
