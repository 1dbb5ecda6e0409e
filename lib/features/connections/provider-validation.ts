import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Table } from '../../kernel/table/table.ts'
import { validateNameField } from '../directory/names.ts'
import { findUserTemplate } from '../directory/templates.records.ts'
import { validateConnectionRules, validateSentText } from './connection-rules.ts'
import { validateAllowedGroups } from './groups.ts'
import type { PlainFields } from './provider-body.ts'
import { readCertificates } from './saml/certificates.ts'
import { isUnknownEntityId, type SamlProviderRecord } from './saml/records.ts'
import { type AddressRules, readMetadataAddress, validateWebAddress } from './saml/web-address.ts'

/** Rules for URLs that browsers are sent to: https, or loopback addresses if the service itself runs on plain http. */
export const getAddressRules = ({ publicUrl }: Config): AddressRules => ({
  allowsLoopback: publicUrl.startsWith('http:'),
})

/** Rules for URLs that the service fetches: https, or loopback addresses if the configuration allows it. */
export const getFetchRules = ({ allowPrivateMetadata }: Config): AddressRules => ({
  allowsLoopback: allowPrivateMetadata,
})

/** Returns all that is wrong with the fields of a provider. */
export const validateProvider = async (
  config: Config,
  table: Table,
  fields: PlainFields,
  before: SamlProviderRecord | undefined,
): Promise<readonly FieldError[]> => {
  const { metadataUrlSource: source } = fields
  const address = source === null ? undefined : readMetadataAddress(source, getFetchRules(config))
  return [
    ...toFieldErrors('entity_id', validateSentText(fields.entityId)),
    ...(isUnknownEntityId(fields.entityId) && fields.entityId !== before?.entityId
      ? toFieldErrors('entity_id', 'belongs to a connection that is being set up')
      : []),
    // The entity ID is the default name, and is validated above.
    ...(fields.name === fields.entityId ? [] : validateNameField(fields.name)),
    ...toFieldErrors('sso_url', validateWebAddress(fields.ssoUrl, getAddressRules(config))),
    ...(fields.sloUrl === null
      ? []
      : toFieldErrors('slo_url', validateWebAddress(fields.sloUrl, getAddressRules(config)))),
    ...(fields.nameidAttribute === null
      ? []
      : toFieldErrors('nameid_attribute', validateSentText(fields.nameidAttribute))),
    ...(fields.allowedGroups
      ? toFieldErrors('allowed_groups', validateAllowedGroups(fields.allowedGroups))
      : []),
    ...(await validateConnectionRules(table, fields, before)),
    ...readCertificates(fields.certificate).errors.map((message) => ({ field: 'certificate', message })),
    ...(await validateTemplateId(table, fields.userTemplate, before?.userTemplate ?? null)),
    ...(typeof address === 'string' ? [{ field: 'metadata_url_source', message: address }] : []),
  ]
}

/** The stored template may have been deleted. It stays valid, so that clients can send back a body that they read. */
export const validateTemplateId = async (
  table: Table,
  id: number | null,
  before: number | null,
): Promise<readonly FieldError[]> => {
  if (id === null || id === before || (await findUserTemplate(table, id))) return []
  return [{ field: 'user_template', message: 'is not the ID of a user template' }]
}

export const toFieldErrors = (field: string, message: string | undefined): readonly FieldError[] =>
  message === undefined ? [] : [{ field, message }]
