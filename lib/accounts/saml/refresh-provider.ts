import { conflict } from '../../core/errors.ts'
import { certificatesPerField } from '../../core/limits.ts'
import {
  type Certificate,
  findTrustedCertificates,
  joinCertificates,
  removeDuplicateCertificates,
} from '../../saml/certificates.ts'
import type { IdentityProvider } from '../../saml/metadata/identity-provider.ts'
import type { Services } from '../../services.ts'
import type { SamlProviderFields, SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { editSamlProvider } from '../../store/saml/saml-providers.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { diffFields, listFieldNames } from '../directory/user-changes.ts'
import { importMetadata } from './import-metadata.ts'

export interface RefreshOptions {
  readonly url: string
  /**
   * Whether certificates stay that the metadata no longer names, until they end. They do where nobody is watching: one
   * that is missing for a day must not lock everybody out.
   */
  readonly keepsOldCertificates: boolean
}

/**
 * Reads the metadata of a stored provider again and saves what it says, and where it was. An address to sign out that
 * the metadata doesn't name stays.
 *
 * @throws AppError as `importMetadata` does; `conflict` when it is another provider's by now.
 * @throws EditConflict when the provider was changed meanwhile.
 */
export const refreshProvider = async (
  services: Services,
  provider: SamlProviderRecord,
  context: RequestContext,
  { url, keepsOldCertificates }: RefreshOptions,
): Promise<{ readonly found: IdentityProvider; readonly provider: SamlProviderRecord }> => {
  const known = findTrustedCertificates(provider.certificate)
  const found = await importMetadata(services, url, {
    preferred: provider.entityId,
    findStored: async (entityId) => (entityId === provider.entityId ? provider : undefined),
  })
  if (found.entityId !== provider.entityId)
    throw conflict('The metadata is that of another provider: its entity id is not the stored one.')
  const old = keepsOldCertificates ? known.filter(({ endsAt }) => endsAt > services.now()) : []
  const changes = diffFields<SamlProviderFields>(provider, {
    ssoUrl: found.ssoUrl,
    ...(found.sloUrl === undefined
      ? {}
      : { sloUrl: found.sloUrl, sloResponseUrl: found.sloResponseUrl ?? null }),
    ...certificateChange(known, [...found.certificates, ...old]),
    metadataUrlSource: url,
    isMetadataSigned: found.isSigned,
  })
  if (Object.keys(changes).length === 0) return { found, provider }
  const target = `${provider.id} ${listFieldNames(changes)}`
  const along = [auditStep(context, 'saml_provider.refreshed', { target })]
  return { found, provider: await editSamlProvider(services.table, provider, changes, along) }
}

/** The certificates as text, unless they are the same in whatever way they are written. */
const certificateChange = (
  known: readonly Certificate[],
  wanted: readonly Certificate[],
): Partial<SamlProviderFields> => {
  const next = removeDuplicateCertificates(wanted).slice(0, certificatesPerField)
  const names = (certificates: readonly Certificate[]) =>
    certificates
      .map(({ fingerprint }) => fingerprint)
      .sort()
      .join()
  return names(next) === names(removeDuplicateCertificates(known))
    ? {}
    : { certificate: joinCertificates(next) }
}
