import { consume } from '../../../accounts/callers/throttle.ts'
import { toSetupRequest } from '../../../http/setup-cookie.ts'
import { buildScimAudience } from '../../../kernel/settings/jwt-audiences.ts'
import { formatTime } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import { isAwaitingApproval } from '../approval.ts'
import { toDomainBody } from '../domains.use-cases.ts'
import type { SetupLink } from '../records.ts'
import { parseStoredCertificates } from './certificates.ts'
import type { SamlConnection } from './records.ts'
import { getServiceUrls } from './service-provider.ts'
import { hasMetadata, isComplete, nameSetup, type SetupChange } from './setup/set-up-provider.ts'
import { requireSetup } from './setup/setup-links.ts'
import type { SAMLSetup } from './setup.models.ts'

/** Finds the connection of a link that is about to change it, and counts the change. */
export const startSetupChange = async (
  services: Services,
  request: Parameters<typeof toSetupRequest>[1],
): Promise<SetupChange> => {
  const found = await requireSetup(services, toSetupRequest(services, request))
  await consume(services, 'samlSetupChanges', String(found.provider.id))
  return { ...found, services, context: request.context }
}

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
