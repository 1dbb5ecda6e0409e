import type { ParsedSAMLIDPMetadata } from '../../contract/models/saml-metadata.ts'
import { invalidRequest } from '../../core/errors.ts'
import { findTrustedCertificates, joinCertificates } from '../../saml/certificates.ts'
import type { IdentityProvider } from '../../saml/metadata/identity-provider.ts'
import { readMetadataAddress } from '../../saml/web-address.ts'
import type { Services } from '../../services.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { addressRules, fetchRules } from './provider-validation.ts'

export interface ImportOptions {
  /** The entity id to take out of an aggregate where the URL names none. */
  readonly preferred?: string
  /** What is stored of the provider that the metadata is about; undefined for a new one. */
  readonly findStored: (entityId: string) => Promise<SamlProviderRecord | undefined>
}

/**
 * Reads what the metadata behind a URL says of an identity provider. Of one that is stored, a signature has to be by a
 * certificate of it, and has to be there once one was.
 *
 * @throws AppError `invalid_request` when the URL may not be fetched, or what is there can't be used.
 * @throws AppError `upstream_failed` when it can't be fetched.
 */
export const importMetadata = async (
  { config, now }: Services,
  urlText: string,
  { preferred, findStored }: ImportOptions,
): Promise<IdentityProvider> => {
  const address = readMetadataAddress(urlText, fetchRules(config))
  if (typeof address === 'string') throw invalidRequest([{ field: 'url', message: address }])
  const { ssrfSafeFetch } = await import('../../saml/ssrf-safe-fetch.ts')
  const bytes = await ssrfSafeFetch(address.url, fetchRules(config))
  const { readIdentityProvider } = await import('../../saml/metadata/identity-provider.ts')
  let stored: SamlProviderRecord | undefined
  const found = await readIdentityProvider(bytes, {
    ...addressRules(config),
    nowMs: now(),
    entityId: address.entityId,
    preferred,
    trusted: async (entityId) => {
      stored = await findStored(entityId)
      return stored && findTrustedCertificates(stored.certificate)
    },
  })
  if (stored?.isMetadataSigned && !found.isSigned) throw invalidRequest([unsigned])
  return found
}

const unsigned = {
  field: 'url',
  message:
    'leads to metadata without a signature, though it had one before: set metadata_url_source to null to begin anew',
}

export const toMetadataBody = (found: IdentityProvider): ParsedSAMLIDPMetadata => ({
  entity_id: found.entityId,
  sso_url: found.ssoUrl,
  certificate: joinCertificates(found.certificates),
  ...(found.sloUrl === undefined ? {} : { slo_url: found.sloUrl }),
})
