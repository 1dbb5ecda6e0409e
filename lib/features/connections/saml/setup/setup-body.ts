import { buildScimAudience } from '../../../../kernel/settings/jwt-audiences.ts'
import { formatTime } from '../../../../kernel/util/time.ts'
import type { Services } from '../../../../services.ts'
import { isAwaitingApproval } from '../../approval.ts'
import { toDomainBody } from '../../domains.use-cases.ts'
import type { SetupLink } from '../../records.ts'
import { parseStoredCertificates } from '../certificates.ts'
import type { SamlConnection } from '../records.ts'
import { getServiceUrls } from '../service-provider.ts'
import type { SAMLSetup } from '../setup.models.ts'
import { hasMetadata, isComplete, nameSetup } from './set-up-provider.ts'

/** The connection as the holder of its link sees it. */
export const toSetupBody = ({ config }: Services, provider: SamlConnection, link: SetupLink): SAMLSetup => {
  const urls = getServiceUrls(config.publicUrl, provider.id)
  return {
    name: provider.name,
    expires_at: formatTime(link.expiresAt),
    service_entity_id: urls.metadata,
    assertion_url: urls.assertion,
    metadata_url: urls.metadata,
    idp: hasMetadata(provider)
      ? {
          entity_id: provider.entity_id,
          sso_url: provider.sso_url,
          slo_url: provider.slo_url,
          metadata_url: provider.proposedMetadataUrl ?? null,
          certificates: parseStoredCertificates(provider.certificate).map(({ endsAt, x509 }) => ({
            expires_at: formatTime(endsAt),
            fingerprint: x509.fingerprint256,
          })),
        }
      : null,
    domains: provider.domains.map(toDomainBody),
    can_finish: isComplete(provider),
    is_finished: !provider.setup || isAwaitingApproval(provider),
    awaits_approval: isAwaitingApproval(provider),
    directory: link.allowsDirectory
      ? { enabled: provider.scim?.isOn === true, base_url: buildScimAudience(config.publicUrl, provider.id) }
      : null,
    shown: nameSetup(provider),
  }
}
