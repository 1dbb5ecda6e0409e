import type { ParsedSAMLIDPMetadata } from '../../contract/models/saml.ts'
import { AppError, invalidRequest } from '../../errors/errors.ts'
import { joinCertificates, parseStoredCertificates } from '../../saml/certificates.ts'
import { FetchError } from '../../saml/fetch-error.ts'
import type { IdentityProvider } from '../../saml/metadata/identity-provider.ts'
import { MetadataError } from '../../saml/metadata/metadata-error.ts'
import { readMetadataAddress } from '../../saml/web-address.ts'
import type { Services } from '../../services.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import { omitUndefined } from '../../util/object-fields.ts'
import { getAddressRules, getFetchRules } from './provider-validation.ts'

export interface ImportOptions {
  /** The entity ID to select from an aggregate, unless the URL contains one. */
  readonly preferred?: string
  /** Finds the stored provider that the metadata describes. */
  readonly findStored: (entityId: string) => Promise<SamlProviderRecord | undefined>
}

/**
 * Fetches the metadata of an identity provider. Signed metadata of a stored provider must be signed with one of its
 * stored certificates. Once its metadata was signed, it must stay signed.
 *
 * @throws AppError `invalid_request` when the URL is not allowed or the metadata is not usable
 * @throws AppError `upstream_failed` when it cannot be fetched
 */
export const importMetadata = async (
  { config, now }: Services,
  urlText: string,
  { preferred, findStored }: ImportOptions,
): Promise<IdentityProvider> => {
  const address = readMetadataAddress(urlText, getFetchRules(config))
  if (typeof address === 'string') throw invalidUrl(address)
  const { ssrfSafeFetch } = await import('../../saml/ssrf-safe-fetch.ts')
  const bytes = await ssrfSafeFetch(address.url, getFetchRules(config)).catch(throwAppError)
  const { readIdentityProvider } = await import('../../saml/metadata/identity-provider.ts')
  let stored: SamlProviderRecord | undefined
  const found = await readIdentityProvider(bytes, {
    ...getAddressRules(config),
    nowMs: now(),
    entityId: address.entityId,
    preferred,
    findTrustedCertificates: async (entityId) => {
      stored = await findStored(entityId)
      return stored && parseStoredCertificates(stored.certificate)
    },
  }).catch(throwAppError)
  if (stored?.isMetadataSigned && !found.isSigned) throw invalidUrl(missingSignature)
  return found
}

/** Converts the errors of the fetch and of the metadata to problems of the API. */
const throwAppError = (error: unknown): never => {
  if (error instanceof MetadataError) throw invalidUrl(error.message)
  if (!(error instanceof FetchError)) throw error
  if (error.reason === 'address') throw invalidUrl(error.message)
  throw new AppError('upstream_failed', { reason: error.reason, detail: error.message })
}

const invalidUrl = (message: string): AppError => invalidRequest([{ field: 'url', message }])

const missingSignature =
  'leads to metadata without a signature, but it was signed before. To accept that, set `metadata_url_source` to null first.'

export const toMetadataBody = (found: IdentityProvider): ParsedSAMLIDPMetadata => ({
  entity_id: found.entityId,
  sso_url: found.ssoUrl,
  certificate: joinCertificates(found.certificates),
  ...omitUndefined({ slo_url: found.sloUrl }),
})
