import type { SAMLProvider } from '../../contract/models/saml-providers.ts'
import { getServiceUrls } from '../../saml/service-provider.ts'
import type { Config } from '../../settings/config.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import { toRulesBody } from '../connections/connection-rules.ts'

/** Replaces the stored key in every response. A client that sends it back keeps the key. */
export const maskedKey = '********'

/** The body of a provider for all callers. */
export const toProviderBody = ({ publicUrl }: Config, provider: SamlProviderRecord): SAMLProvider => {
  const urls = getServiceUrls(publicUrl, provider.id)
  return {
    id: provider.id,
    name: provider.name,
    disabled_in_client: provider.disabledInClient,
    login_url: urls.login,
    logout_url: urls.logout,
    metadata_url: urls.metadata,
    assertion_url: urls.assertion,
    entity_id: provider.entityId,
    sso_url: provider.ssoUrl,
    slo_url: provider.sloUrl,
    certificate: provider.certificate,
    sp_certificate: provider.spCertificate,
    sp_certificate_key: provider.spCertificateKey ? maskedKey : null,
    nameid_format: provider.nameidFormat as SAMLProvider['nameid_format'],
    auto_create_users: provider.autoCreateUsers,
    auto_create_groups: provider.autoCreateGroups,
    auto_sync_groups: provider.autoSyncGroups,
    user_template: provider.userTemplate,
  }
}

/** The body of a provider for administrators. It adds what only they see. */
export const toAdminProviderBody = (config: Config, provider: SamlProviderRecord): SAMLProvider => ({
  ...toProviderBody(config, provider),
  nameid_attribute: provider.nameidAttribute,
  metadata_url_source: provider.metadataUrlSource,
  domains: provider.domains.map(({ name }) => name),
  allowed_groups: provider.allowedGroups && [...provider.allowedGroups],
  ...toRulesBody(provider),
})
