import type { SAMLProviderPartialUpdate, SAMLProviderUpdate } from '../../contract/models/saml-providers.ts'
import type { SamlProviderFields, SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { normalizeUsername } from '../common/names.ts'

/** What bodies set of a provider; its keys, and what metadata alone says, are looked at by themselves. */
export type PlainFields = Omit<
  SamlProviderFields,
  | 'spCertificate'
  | 'spCertificateKey'
  | 'nextSpPair'
  | 'previousSpPair'
  | 'isMetadataSigned'
  | 'sloResponseUrl'
>

const defaultFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

/**
 * The fields from a body that tells all of them: what it leaves out is at its default, but for where the metadata came
 * from and which attribute says who a user is: clients don't know of these.
 */
export const readProviderFields = (
  body: SAMLProviderUpdate,
  before?: Pick<SamlProviderRecord, 'metadataUrlSource' | 'nameidAttribute'>,
): PlainFields => ({
  ...nameFields(body.name ?? body.entity_id),
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
  nameidAttribute: ownTextOf(body.nameid_attribute, before?.nameidAttribute ?? null),
  metadataUrlSource: ownTextOf(body.metadata_url_source, before?.metadataUrlSource ?? null),
})

/** The same from a body that tells some of them: what it leaves out stays as it was. */
export const patchProviderFields = (
  provider: SamlProviderRecord,
  body: SAMLProviderPartialUpdate,
): PlainFields => ({
  ...nameFields(body.name ?? provider.name),
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
  nameidAttribute: ownTextOf(body.nameid_attribute, provider.nameidAttribute),
  metadataUrlSource: ownTextOf(body.metadata_url_source, provider.metadataUrlSource),
})

const nameFields = (name: string) => ({ name, normalizedName: normalizeUsername(name) })

const ownTextOf = (given: string | null | undefined, before: string | null): string | null =>
  given === undefined ? before : given || null
