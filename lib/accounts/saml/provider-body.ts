import type { SAMLProvider } from '../../contract/models/saml-providers.ts'
import type { Config } from '../../core/config.ts'
import { getServiceUrls } from '../../saml/service-provider.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'

/** Stands for a key that there is and that nobody gets to see; sent back, it says that the key stays. */
export const maskedKey = '********'

/** A provider as everybody may see it. */
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

/**
 * The same for administrators: the address of metadata may lead to where strangers have no business, and what accounts
 * are told apart by is none of theirs.
 */
export const toAdminProviderBody = (config: Config, provider: SamlProviderRecord): SAMLProvider => ({
  ...toProviderBody(config, provider),
  nameid_attribute: provider.nameidAttribute,
  metadata_url_source: provider.metadataUrlSource,
})
