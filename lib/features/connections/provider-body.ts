import type { Config } from '../../kernel/settings/config.ts'
import { normalizeUsername } from '../directory/names.ts'
import { readConnectionRules, toRulesBody } from './connection-rules.ts'
import { getLoginUrl } from './retry-path.ts'
import type { ConnectionRules } from './rules.records.ts'
import { listFingerprints } from './saml/certificates.ts'
import type { SAMLProvider, SAMLProviderPartialUpdate, SAMLProviderUpdate } from './saml/models.ts'
import type { SamlProviderFields, SamlProviderRecord } from './saml/records.ts'
import { getServiceUrls } from './saml/service-provider.ts'

/** Replaces the stored key in every response. A client that sends it back keeps the key. */
export const maskedKey = '********'

/** The body of a provider for all callers. */
export const toProviderBody = ({ publicUrl }: Config, provider: SamlProviderRecord): SAMLProvider => {
  const urls = getServiceUrls(publicUrl, provider.id)
  return {
    id: provider.id,
    name: provider.name,
    disabled_in_client: provider.disabledInClient,
    login_url: getLoginUrl({ publicUrl }, provider),
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
  // Once an administrator chose an address, the proposal is of no interest.
  proposed_metadata_url: provider.metadataUrlSource === null ? (provider.proposedMetadataUrl ?? null) : null,
  certificate_fingerprints: listFingerprints(provider),
  domains: provider.domains.map(({ name }) => name),
  allowed_groups: provider.allowedGroups && [...provider.allowedGroups],
  ...toRulesBody(provider),
})

/** The fields of a provider that a body sets directly. Key pairs and fields from metadata are handled separately. */
export type PlainFields = Omit<
  SamlProviderFields,
  | 'spCertificate'
  | 'spCertificateKey'
  | 'nextSpPair'
  | 'previousSpPair'
  | 'isMetadataSigned'
  | 'sloResponseUrl'
  | 'domains'
  | 'setup'
  | 'proposedMetadataUrl'
>

const defaultFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

/**
 * The stored fields of a provider from a complete body. Omitted fields get their defaults. The metadata URL, the
 * attribute that identifies users, the allowed groups, and the rules of connections keep their values, because
 * older clients do not send them.
 */
export const readProviderFields = (
  body: SAMLProviderUpdate,
  before?: Pick<SamlProviderRecord, 'metadataUrlSource' | 'nameidAttribute' | 'allowedGroups'> &
    ConnectionRules,
): PlainFields => ({
  ...buildNameFields(body.name ?? body.entity_id),
  disabledInClient: body.disabled_in_client ?? false,
  entityId: body.entity_id,
  ssoUrl: body.sso_url,
  sloUrl: body.slo_url || null,
  certificate: body.certificate,
  nameidFormat: body.nameid_format ?? defaultFormat,
  autoCreateUsers: body.auto_create_users ?? false,
  autoCreateGroups: body.auto_create_groups ?? false,
  autoSyncGroups: body.auto_sync_groups ?? false,
  userTemplate: body.user_template ?? null,
  nameidAttribute: readOptionalText(body.nameid_attribute, before?.nameidAttribute ?? null),
  metadataUrlSource: readOptionalText(body.metadata_url_source, before?.metadataUrlSource ?? null),
  allowedGroups: body.allowed_groups === undefined ? (before?.allowedGroups ?? null) : body.allowed_groups,
  ...readConnectionRules(body, before),
})

/** The stored fields of a provider from a partial body. Omitted fields keep their values. */
export const patchProviderFields = (
  provider: SamlProviderRecord,
  body: SAMLProviderPartialUpdate,
): PlainFields => ({
  ...buildNameFields(body.name ?? provider.name),
  disabledInClient: body.disabled_in_client ?? provider.disabledInClient,
  entityId: body.entity_id ?? provider.entityId,
  ssoUrl: body.sso_url ?? provider.ssoUrl,
  sloUrl: body.slo_url === undefined ? provider.sloUrl : body.slo_url || null,
  certificate: body.certificate ?? provider.certificate,
  nameidFormat: body.nameid_format ?? provider.nameidFormat,
  autoCreateUsers: body.auto_create_users ?? provider.autoCreateUsers,
  autoCreateGroups: body.auto_create_groups ?? provider.autoCreateGroups,
  autoSyncGroups: body.auto_sync_groups ?? provider.autoSyncGroups,
  userTemplate: body.user_template === undefined ? provider.userTemplate : body.user_template,
  nameidAttribute: readOptionalText(body.nameid_attribute, provider.nameidAttribute),
  metadataUrlSource: readOptionalText(body.metadata_url_source, provider.metadataUrlSource),
  allowedGroups: body.allowed_groups === undefined ? provider.allowedGroups : body.allowed_groups,
  ...readConnectionRules(body, provider),
})

const buildNameFields = (name: string) => ({ name, normalizedName: normalizeUsername(name) })

const readOptionalText = (given: string | null | undefined, before: string | null): string | null =>
  given === undefined ? before : given || null
