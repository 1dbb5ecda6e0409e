import type { ParsedSAMLIDPMetadata } from '../../contract/models/saml-metadata.ts'
import { invalidRequest } from '../../core/errors.ts'
import { type Certificate, joinCertificates } from '../../saml/certificates.ts'
import type { IdentityProvider } from '../../saml/metadata/identity-provider.ts'
import { readMetadataAddress } from '../../saml/web-address.ts'
import type { Services } from '../../services.ts'
import { addressRules, fetchRules } from './provider-faults.ts'

/** What is known of the provider already, where it isn't new. */
export interface KnownProvider {
  /** The one to take out of an aggregate. */
  readonly entityId: string
  /** What its signature is held against. */
  readonly certificates: readonly Certificate[]
}

/**
 * Reads what the metadata behind a URL says of an identity provider.
 *
 * @throws AppError `invalid_request` when the URL may not be fetched, or what is there can't be used.
 * @throws AppError `upstream_failed` when it can't be fetched.
 */
export const importMetadata = async (
  { config, now }: Services,
  urlText: string,
  known?: KnownProvider,
): Promise<IdentityProvider> => {
  const address = readMetadataAddress(urlText, fetchRules(config))
  if (typeof address === 'string') throw invalidRequest([{ field: 'url', message: address }])
  const { guardedFetch } = await import('../../saml/guarded-fetch.ts')
  const bytes = await guardedFetch(address.url, fetchRules(config))
  const { readIdentityProvider } = await import('../../saml/metadata/identity-provider.ts')
  return readIdentityProvider(bytes, {
    ...addressRules(config),
    nowMs: now(),
    entityId: address.entityId,
    ...(known ? { preferred: known.entityId, trusted: known.certificates } : {}),
  })
}

export const metadataBody = (found: IdentityProvider): ParsedSAMLIDPMetadata => ({
  entity_id: found.entityId,
  sso_url: found.ssoUrl,
  certificate: joinCertificates(found.certificates),
  ...(found.sloUrl === undefined ? {} : { slo_url: found.sloUrl }),
})
