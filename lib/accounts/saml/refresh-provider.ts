import { conflict } from '../../errors/errors.ts'
import { certificatesPerField } from '../../limits/saml-limits.ts'
import {
  type Certificate,
  joinCertificates,
  parseStoredCertificates,
  removeDuplicateCertificates,
} from '../../saml/certificates.ts'
import type { IdentityProvider } from '../../saml/metadata/identity-provider.ts'
import {
  editSamlProvider,
  type SamlProviderFields,
  type SamlProviderRecord,
} from '../../store/saml/saml-providers.ts'
import { auditStep } from '../common/request-context.ts'
import { diffFields, listFieldNames } from '../directory/user-changes.ts'
import { importMetadata } from './import-metadata.ts'
import type { SamlContext } from './saml-context.ts'

export interface RefreshOptions {
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
): Promise<{ readonly found: IdentityProvider; readonly provider: SamlProviderRecord }> => {
  const known = parseStoredCertificates(provider.certificate)
  const found = await importMetadata(services, url, {
    preferred: provider.entityId,
    findStored: async (entityId) => (entityId === provider.entityId ? provider : undefined),
  })
  if (found.entityId !== provider.entityId)
    throw conflict('The metadata describes another provider. Its entity ID differs from the stored one.')
  const old = keepsOldCertificates ? known.filter(({ endsAt }) => endsAt > services.now()) : []
  const changes = diffFields<SamlProviderFields>(provider, {
    ssoUrl: found.ssoUrl,
    ...(found.sloUrl === undefined
      ? {}
      : { sloUrl: found.sloUrl, sloResponseUrl: found.sloResponseUrl ?? null }),
    ...buildCertificateChange(known, [...found.certificates, ...old]),
    metadataUrlSource: url,
    isMetadataSigned: found.isSigned,
  })
  if (Object.keys(changes).length === 0) return { found, provider }
  const target = `${provider.id} ${listFieldNames(changes)}`
  const audit = auditStep(context, 'saml_provider.refreshed', { target })
  return { found, provider: await editSamlProvider(services.table, provider, changes, [audit]) }
}

/** The change of the certificates. Empty when they are the same certificates in another notation. */
const buildCertificateChange = (
  known: readonly Certificate[],
  wanted: readonly Certificate[],
): Partial<SamlProviderFields> => {
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
