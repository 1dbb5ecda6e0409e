import type { FieldRule, OptionalField } from './provider-row.ts'

const forCompanies: FieldRule = { refusal: 'is only for the identity provider of a company' }
const forApple: FieldRule = { refusal: 'is only for Apple' }

/** The fields that only Apple has, which no other provider can set. */
export const withoutApple = {
  apple_team_id: forApple,
  apple_key_id: forApple,
  apple_app_id: forApple,
} as const satisfies Partial<Record<OptionalField, FieldRule>>

/** What the connection to a public provider can set. A company decides about its own people, and nobody does about everybody. */
export const fieldsOfPublic = {
  disabled_in_client: 'settable',
  token_endpoint_auth_method: 'settable',
  scopes: 'settable',
  public_provider: 'settable',
  first_sign_in: 'settable',
  user_template: 'settable',
  hosted_domain: forCompanies,
  auto_create_users: forCompanies,
  auto_create_groups: forCompanies,
  auto_sync_groups: forCompanies,
  allowed_groups: forCompanies,
  attribute_mapping: forCompanies,
  required_authn_contexts: forCompanies,
  multi_factor_authn_contexts: forCompanies,
  required_for_domains: forCompanies,
  exempt_users: forCompanies,
  organization_id: forCompanies,
  default_organization_roles: forCompanies,
} as const satisfies Omit<Record<OptionalField, FieldRule>, keyof typeof withoutApple>
