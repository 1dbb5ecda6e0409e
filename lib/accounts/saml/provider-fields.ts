import type { SAMLProviderPartialUpdate, SAMLProviderUpdate } from '../../contract/models/saml-providers.ts'
import type { SamlProviderFields, SamlProviderRecord } from '../../store/saml-providers.ts'
import { foldUsername } from '../names.ts'

/** What bodies set of a provider; its keys and what it was refreshed from are looked at by themselves. */
export type PlainFields = Omit<
  SamlProviderFields,
  'spCertificate' | 'spCertificateKey' | 'nextSpPair' | 'previousSpPair' | 'isMetadataSigned'
>

const defaultFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

/**
 * The fields from a body that tells all of them: what it leaves out is at its default, but where the metadata came from,
 * which clients don't know of.
 */
export const providerFieldsOf = (
  body: SAMLProviderUpdate,
  before?: Pick<SamlProviderRecord, 'metadataUrlSource'>,
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
  metadataUrlSource: sourceOf(body.metadata_url_source, before?.metadataUrlSource ?? null),
})

/** The same from a body that tells some of them: what it leaves out stays as it was. */
export const patchedProviderFields = (
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
  metadataUrlSource: sourceOf(body.metadata_url_source, provider.metadataUrlSource),
})

const nameFields = (name: string) => ({ name, foldedName: foldUsername(name) })

const sourceOf = (given: string | null | undefined, before: string | null): string | null =>
  given === undefined ? before : given || null
