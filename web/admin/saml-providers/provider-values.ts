import type { SAMLProvider, SAMLProviderPartialUpdate } from '../../../lib/client/generated/models.ts'
import { omitUndefined } from '../../../lib/util/object-fields.ts'

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

export const emptyRules = {
  username_from: '',
  email_from: '',
  full_name_from: '',
  groups_from: '',
  required_authn_contexts: '',
  multi_factor_authn_contexts: '',
  required_for_domains: false,
  exempt_users: '',
}

type RulesBody = Pick<
  SAMLProvider,
  | 'attribute_mapping'
  | 'required_authn_contexts'
  | 'multi_factor_authn_contexts'
  | 'required_for_domains'
  | 'exempt_users'
>

/** What a connection of either kind decides about the answers of its identity provider. */
export const toRulesValues = ({ attribute_mapping: mapping, ...body }: RulesBody): typeof emptyRules => ({
  username_from: mapping?.username_from ?? '',
  email_from: mapping?.email_from ?? '',
  full_name_from: mapping?.full_name_from ?? '',
  groups_from: mapping?.groups_from ?? '',
  required_authn_contexts: (body.required_authn_contexts ?? []).join('\n'),
  multi_factor_authn_contexts: (body.multi_factor_authn_contexts ?? []).join('\n'),
  required_for_domains: body.required_for_domains ?? false,
  exempt_users: (body.exempt_users ?? []).join('\n'),
})

/** Separates the changes of these rules, as a body has them, from all others. */
export const splitRules = <Changes extends Partial<typeof emptyRules>>({
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
  const rules: RulesBody = omitUndefined({
    attribute_mapping: Object.keys(mapping).length === 0 ? undefined : mapping,
    required_authn_contexts: required === undefined ? undefined : toLines(required),
    multi_factor_authn_contexts: multiFactor === undefined ? undefined : toLines(multiFactor),
    required_for_domains: isRequired,
    exempt_users: exemptUsers === undefined ? undefined : toLines(exemptUsers).map(Number),
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
  auto_create_users: false,
  user_template: '',
  auto_sync_groups: false,
  auto_create_groups: false,
  allowed_groups: '',
  // The names of customers are no one else's business, and a new provider has not been tested yet.
  disabled_in_client: true,
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
  auto_create_users: provider.auto_create_users,
  user_template: String(provider.user_template ?? ''),
  auto_sync_groups: provider.auto_sync_groups,
  auto_create_groups: provider.auto_create_groups,
  allowed_groups: (provider.allowed_groups ?? []).join('\n'),
  disabled_in_client: provider.disabled_in_client,
})

/** The request body of these changes. */
export const toProviderChanges = (changes: Partial<ProviderValues>): SAMLProviderPartialUpdate => {
  const { rules, others } = splitRules(changes)
  const {
    allowed_groups: allowedGroups,
    user_template: template,
    slo_url: sloUrl,
    nameid_attribute: attribute,
    metadata_url_source: source,
    ...same
  } = others
  return {
    ...rules,
    ...same,
    ...(sloUrl === undefined ? {} : { slo_url: sloUrl || null }),
    ...(attribute === undefined ? {} : { nameid_attribute: attribute || null }),
    ...(source === undefined ? {} : { metadata_url_source: source || null }),
    ...(template === undefined ? {} : { user_template: template ? Number(template) : null }),
    ...(allowedGroups === undefined ? {} : { allowed_groups: toLines(allowedGroups) }),
  }
}

export const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
