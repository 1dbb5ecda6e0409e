import { changeSteps } from '../../../accounts/events/change-event.ts'
import { diffFields } from '../../../accounts/users/user-changes.ts'
import { AppError, conflict, invalidRequest } from '../../../kernel/errors/errors.ts'
import { certificatesPerField } from '../../../kernel/limits/saml-limits.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import type { Services } from '../../../services.ts'
import { getAddressRules, getFetchRules } from '../address-rules.ts'
import { FetchError } from '../fetch-error.ts'
import { editConnectionOf } from '../records.ts'
import { readMetadataAddress } from '../web-address.ts'
import { samlAuditFields } from './audit-fields.models.prebuilt.ts'
import {
  type Certificate,
  joinCertificates,
  parseStoredCertificates,
  removeDuplicateCertificates,
} from './certificates.ts'
import type { ParsedSAMLIDPMetadata } from './messages.models.ts'
import type { IdentityProvider } from './metadata/identity-provider.ts'
import { MetadataError } from './metadata/metadata-error.ts'
import { type SamlChanges, type SamlConnection, samlKind } from './records.ts'
import type { SamlContext } from './saml-context.ts'

interface ImportOptions {
  /** The entity ID to select from an aggregate, unless the URL contains one. */
  readonly preferred?: string
  /** Finds the stored provider that the metadata describes. */
  readonly findStored: (entityId: string) => Promise<SamlConnection | undefined>
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
  const { ssrfSafeFetch } = await import('./ssrf-safe-fetch.ts')
  const bytes = await ssrfSafeFetch(address.url, getFetchRules(config)).catch(throwAppError)
  const { readIdentityProvider } = await import('./metadata/identity-provider.ts')
  let stored: SamlConnection | undefined
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

interface RefreshOptions {
  readonly url: string
  /**
   * Whether certificates that the metadata no longer contains stay until they expire. Scheduled refreshes keep them,
   * because a certificate that is missing for a day must not lock all users out.
   */
  readonly keepsOldCertificates: boolean
}

/**
 * Fetches the metadata of a stored provider again and stores its content and URL. A logout URL that the metadata does
 * not contain stays.
 *
 * @throws AppError like `importMetadata`, and `conflict` when the metadata describes another provider
 * @throws EditConflict when the provider was changed concurrently
 */
export const refreshProvider = async (
  { services, provider, context }: SamlContext,
  { url, keepsOldCertificates }: RefreshOptions,
): Promise<{ readonly found: IdentityProvider; readonly provider: SamlConnection }> => {
  const known = parseStoredCertificates(provider.certificate)
  const found = await importMetadata(services, url, {
    preferred: provider.entity_id,
    findStored: async (entityId) => (entityId === provider.entity_id ? provider : undefined),
  })
  if (found.entityId !== provider.entity_id)
    throw conflict('The metadata describes another provider. Its entity ID differs from the stored one.')
  const old = keepsOldCertificates ? known.filter(({ endsAt }) => endsAt > services.now()) : []
  const changes = diffFields<SamlChanges>(provider, {
    sso_url: found.ssoUrl,
    ...(found.sloUrl === undefined
      ? {}
      : { slo_url: found.sloUrl, sloResponseUrl: found.sloResponseUrl ?? null }),
    ...buildCertificateChange(known, [...found.certificates, ...old]),
    metadata_url_source: url,
    isMetadataSigned: found.isSigned,
  })
  if (Object.keys(changes).length === 0) return { found, provider }
  const change = { fields: samlAuditFields, before: provider, after: changes }
  const steps = changeSteps(context, 'saml_provider.refreshed', { of: provider.id, change })
  return { found, provider: await editConnectionOf(services.table, samlKind, provider, changes, steps) }
}

/** The change of the certificates. Empty when they are the same certificates in another notation. */
const buildCertificateChange = (
  known: readonly Certificate[],
  wanted: readonly Certificate[],
): SamlChanges => {
  const next = removeDuplicateCertificates(wanted).slice(0, certificatesPerField)
  const toSet = (certificates: readonly Certificate[]) =>
    certificates
      .map(({ fingerprint }) => fingerprint)
      .sort()
      .join()
  return toSet(next) === toSet(removeDuplicateCertificates(known))
    ? {}
    : { certificate: joinCertificates(next) }
}
