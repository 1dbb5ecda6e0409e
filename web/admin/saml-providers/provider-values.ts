import type { SAMLProvider, SAMLProviderPartialUpdate } from '../../../lib/client/generated/models.ts'
import { omitUndefined } from '../../../lib/kernel/util/object-fields.ts'
import { readLines } from '../../kit/field.tsx'

/** Who may sign in through a company connection, as forms have it. */
export interface UserValues {
  readonly auto_create_users: boolean
  /** The ID of a template. */
  readonly user_template: string
  readonly auto_sync_groups: boolean
  readonly auto_create_groups: boolean
  readonly allowed_groups: string
  readonly username_from: string
  readonly email_from: string
  readonly full_name_from: string
  readonly groups_from: string
  /** One in each line, like `multi_factor_authn_contexts`. */
  readonly required_authn_contexts: string
  readonly multi_factor_authn_contexts: string
  readonly required_for_domains: boolean
  /** User IDs, one in each line. */
  readonly exempt_users: string
  readonly disabled_in_client: boolean
}

/** A provider as its form has it: empty texts stand for null, and lists have one entry per line. */
export interface ProviderValues extends UserValues {
  readonly name: string
  readonly entity_id: string
  readonly sso_url: string
  readonly slo_url: string
  readonly certificate: string
  readonly metadata_url_source: string
  readonly nameid_format: SAMLProvider['nameid_format']
  readonly nameid_attribute: string
}

export const emptyRules: UserValues = {
  auto_create_users: false,
  user_template: '',
  auto_sync_groups: false,
  auto_create_groups: false,
  allowed_groups: '',
  username_from: '',
  email_from: '',
  full_name_from: '',
  groups_from: '',
  required_authn_contexts: '',
  multi_factor_authn_contexts: '',
  required_for_domains: false,
  exempt_users: '',
  // The names of customers are no one else's business, and a new connection has not been tested yet.
  disabled_in_client: true,
}

type RuleName =
  | 'auto_create_users'
  | 'user_template'
  | 'auto_sync_groups'
  | 'auto_create_groups'
  | 'allowed_groups'
  | 'attribute_mapping'
  | 'required_authn_contexts'
  | 'multi_factor_authn_contexts'
  | 'required_for_domains'
  | 'exempt_users'
  | 'disabled_in_client'

/** What a connection of either kind decides about its users and the answers of its identity provider. */
export const toRulesValues = ({
  attribute_mapping: mapping,
  ...body
}: Pick<SAMLProvider, RuleName>): UserValues => ({
  auto_create_users: body.auto_create_users,
  user_template: String(body.user_template ?? ''),
  auto_sync_groups: body.auto_sync_groups,
  auto_create_groups: body.auto_create_groups,
  allowed_groups: (body.allowed_groups ?? []).join('\n'),
  username_from: mapping?.username_from ?? '',
  email_from: mapping?.email_from ?? '',
  full_name_from: mapping?.full_name_from ?? '',
  groups_from: mapping?.groups_from ?? '',
  required_authn_contexts: (body.required_authn_contexts ?? []).join('\n'),
  multi_factor_authn_contexts: (body.multi_factor_authn_contexts ?? []).join('\n'),
  required_for_domains: body.required_for_domains ?? false,
  exempt_users: (body.exempt_users ?? []).join('\n'),
  disabled_in_client: body.disabled_in_client,
})

/** Separates the changes of these rules, as a body has them, from what a body has as the form does. */
export const splitRules = <Changes extends Partial<UserValues>>({
  user_template: template,
  allowed_groups: allowedGroups,
  username_from: username,
  email_from: email,
  full_name_from: fullName,
  groups_from: groups,
  required_authn_contexts: required,
  multi_factor_authn_contexts: multiFactor,
  required_for_domains: isRequired,
  exempt_users: exemptUsers,
  ...others
}: Changes) => {
  const toName = (text: string | undefined) => (text === undefined ? undefined : text.trim() || null)
  const mapping = omitUndefined({
    username_from: toName(username),
    email_from: toName(email),
    full_name_from: toName(fullName),
    groups_from: toName(groups),
  })
  const rules: Pick<SAMLProviderPartialUpdate, RuleName> = omitUndefined({
    user_template: template === undefined ? undefined : template ? Number(template) : null,
    allowed_groups: allowedGroups === undefined ? undefined : readLines(allowedGroups),
    attribute_mapping: Object.keys(mapping).length === 0 ? undefined : mapping,
    required_authn_contexts: required === undefined ? undefined : readLines(required),
    multi_factor_authn_contexts: multiFactor === undefined ? undefined : readLines(multiFactor),
    required_for_domains: isRequired,
    exempt_users: exemptUsers === undefined ? undefined : readLines(exemptUsers).map(Number),
  })
  return { rules, others }
}

export const emptyProvider: ProviderValues = {
  ...emptyRules,
  name: '',
  entity_id: '',
  sso_url: '',
  slo_url: '',
  certificate: '',
  metadata_url_source: '',
  nameid_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  nameid_attribute: '',
}

export const toProviderValues = (provider: SAMLProvider): ProviderValues => ({
  ...toRulesValues(provider),
  name: provider.name,
  entity_id: provider.entity_id,
  sso_url: provider.sso_url,
  slo_url: provider.slo_url ?? '',
  certificate: provider.certificate,
  metadata_url_source: provider.metadata_url_source ?? '',
  nameid_format: provider.nameid_format,
  nameid_attribute: provider.nameid_attribute ?? '',
})

/** The request body of these changes. */
export const toProviderChanges = (changes: Partial<ProviderValues>): SAMLProviderPartialUpdate => {
  const { rules, others } = splitRules(changes)
  const { slo_url: sloUrl, nameid_attribute: attribute, metadata_url_source: source, ...same } = others
  return {
    ...rules,
    ...same,
    ...(sloUrl === undefined ? {} : { slo_url: sloUrl || null }),
    ...(attribute === undefined ? {} : { nameid_attribute: attribute || null }),
    ...(source === undefined ? {} : { metadata_url_source: source || null }),
  }
}
