import type { Config } from '../../core/config.ts'
import type { FieldError } from '../../core/errors.ts'
import { readCertificates } from '../../saml/certificates.ts'
import { type AddressRules, readMetadataAddress, validateWebAddress } from '../../saml/web-address.ts'
import { findUserTemplate } from '../../store/directory/user-templates.ts'
import type { Table } from '../../store/engine/table.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { validateNameField } from '../common/names.ts'
import type { PlainFields } from './provider-fields.ts'

/** Browsers are led by https alone, but to this machine where the service itself is on plain http. */
export const addressRules = ({ publicUrl }: Config): AddressRules => ({
  allowsLoopback: publicUrl.startsWith('http:'),
})

/** The same for what we fetch ourselves: from this machine only where that was asked for. */
export const fetchRules = ({ allowPrivateMetadata }: Config): AddressRules => ({
  allowsLoopback: allowPrivateMetadata,
})

/** Everything that is wrong with what a provider is to become. */
export const validateProvider = async (
  config: Config,
  table: Table,
  fields: PlainFields,
  before: SamlProviderRecord | undefined,
): Promise<readonly FieldError[]> => {
  const { metadataUrlSource: source } = fields
  const address = source === null ? undefined : readMetadataAddress(source, fetchRules(config))
  return [
    ...sentence('entity_id', plainTextFault(fields.entityId)),
    // Without a name, it is called by its entity id, of which the faults are told already.
    ...(fields.name === fields.entityId ? [] : validateNameField(fields.name)),
    ...sentence('sso_url', validateWebAddress(fields.ssoUrl, addressRules(config))),
    ...(fields.sloUrl === null
      ? []
      : sentence('slo_url', validateWebAddress(fields.sloUrl, addressRules(config)))),
    ...(fields.nameidAttribute === null
      ? []
      : sentence('nameid_attribute', plainTextFault(fields.nameidAttribute))),
    ...readCertificates(fields.certificate).faults.map((message) => ({ field: 'certificate', message })),
    ...(await templateFaults(table, fields.userTemplate, before?.userTemplate ?? null)),
    ...(typeof address === 'string' ? [{ field: 'metadata_url_source', message: address }] : []),
  ]
}

/** What is compared letter by letter with what an identity provider writes. */
const plainTextFault = (text: string): string | undefined => {
  if (/\p{C}/u.test(text)) return 'must not contain control or invisible characters'
  return text === text.trim() && text !== '' ? undefined : 'must not start or end with whitespace'
}

/** One that was deleted since may stay, so that a body which was read can be sent back. */
const templateFaults = async (
  table: Table,
  id: number | null,
  before: number | null,
): Promise<readonly FieldError[]> => {
  if (id === null || id === before || (await findUserTemplate(table, id))) return []
  return [{ field: 'user_template', message: 'there is no user template of this id' }]
}

const sentence = (field: string, message: string | undefined): readonly FieldError[] =>
  message === undefined ? [] : [{ field, message }]
