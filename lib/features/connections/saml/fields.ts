import { validateNameField } from '../../../accounts/names/names.ts'
import { toBodyFor } from '../../../kernel/contract/model.ts'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { getAddressRules, getFetchRules } from '../address-rules.ts'
import { needsApproval } from '../approval.ts'
import {
  applyBody,
  connectionDefaults,
  maskedSecret,
  toFieldErrors,
  validateSettings,
} from '../connection-fields.ts'
import { validateSentText } from '../connection-rules.ts'
import { getLoginUrl } from '../retry-path.ts'
import { readMetadataAddress, validateWebAddress } from '../web-address.ts'
import { listFingerprints, readCertificates } from './certificates.ts'
import { type SAMLProvider, type SAMLProviderPartialUpdate, samlFields } from './models.ts'
import type { SamlSettings } from './records.ts'
import { isUnknownEntityId, type SamlConnection } from './records.ts'
import { getServiceUrls } from './service-provider.ts'

/** The fields that a complete body resets if it omits them. It keeps all others, because older clients do not send them. */
export const resetFields = {
  disabled_in_client: false,
  slo_url: null,
  nameid_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  auto_create_users: false,
  auto_create_groups: false,
  auto_sync_groups: false,
  user_template: null,
} as const satisfies Partial<SamlSettings>

/** What a new connection has if a request says nothing else. */
export const samlDefaults = {
  ...connectionDefaults,
  ...resetFields,
  sp_certificate: null,
  nameid_attribute: null,
  metadata_url_source: null,
} as const satisfies Partial<SamlSettings>

/** What a new connection has besides the fields that requests set. */
export const buildNewFields = (id: number) =>
  ({
    id,
    kind: 'saml',
    version: 1,
    domains: [],
    warnedOf: {},
    spCertificateKey: null,
    nextSpPair: null,
    previousSpPair: null,
    sloResponseUrl: null,
    proposedMetadataUrl: null,
    isMetadataSigned: false,
  }) as const

/** A connection with the fields of a body. What the body omits stays. Key pairs are handled separately. */
export const applySamlBody = (
  connection: SamlConnection,
  { sp_certificate: _, sp_certificate_key: __, ...body }: SAMLProviderPartialUpdate,
): SamlConnection => {
  const next = applyBody(connection, body)
  // Clients with forms send an empty text for null.
  return {
    ...next,
    slo_url: next.slo_url || null,
    nameid_attribute: next.nameid_attribute || null,
    metadata_url_source: next.metadata_url_source || null,
  }
}

/** Returns all that is wrong with the fields of a connection. */
export const validateSamlConnection = async (
  config: Config,
  table: Table,
  connection: SamlConnection,
  before: SamlConnection | undefined,
): Promise<readonly FieldError[]> => {
  const { name, entity_id, sso_url, slo_url, nameid_attribute, metadata_url_source: source } = connection
  const address = source === null ? undefined : readMetadataAddress(source, getFetchRules(config))
  return [
    ...toFieldErrors('entity_id', validateSentText(entity_id)),
    ...(isUnknownEntityId(entity_id) && entity_id !== before?.entity_id
      ? toFieldErrors('entity_id', 'belongs to a connection that is being set up')
      : []),
    // The entity ID is the default name, and is validated above.
    ...(name === entity_id ? [] : validateNameField(name)),
    ...toFieldErrors('sso_url', validateWebAddress(sso_url, getAddressRules(config))),
    ...(slo_url === null
      ? []
      : toFieldErrors('slo_url', validateWebAddress(slo_url, getAddressRules(config)))),
    ...(nameid_attribute === null
      ? []
      : toFieldErrors('nameid_attribute', validateSentText(nameid_attribute))),
    ...(await validateSettings(table, connection, before)),
    ...readCertificates(connection.certificate).errors.map((message) => ({ field: 'certificate', message })),
    ...(typeof address === 'string' ? [{ field: 'metadata_url_source', message: address }] : []),
  ]
}

/** The body of a connection for all callers. */
export const toProviderBody = (config: Config, connection: SamlConnection): SAMLProvider =>
  toBodyFor(['everyone'], samlFields, buildValues(config, connection))

/** The body of a connection for administrators. It adds what only they see. */
export const toAdminProviderBody = (config: Config, connection: SamlConnection): SAMLProvider =>
  toBodyFor(['service'], samlFields, {
    ...buildValues(config, connection),
    certificate_fingerprints: listFingerprints(connection),
  })

const buildValues = ({ publicUrl }: Config, connection: SamlConnection) => {
  const urls = getServiceUrls(publicUrl, connection.id)
  return {
    ...connection,
    login_url: getLoginUrl({ publicUrl }, connection),
    logout_url: urls.logout,
    metadata_url: urls.metadata,
    assertion_url: urls.assertion,
    sp_certificate_key: connection.spCertificateKey ? maskedSecret : null,
    domains: connection.domains.map(({ name }) => name),
    // Once an administrator chose an address, the proposal is of no interest.
    proposed_metadata_url: connection.metadata_url_source === null ? connection.proposedMetadataUrl : null,
    certificate_fingerprints: [],
    awaits_approval: needsApproval(connection),
  }
}
