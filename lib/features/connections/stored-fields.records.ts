import type { OIDCConnectionCreate } from './oidc/models.ts'
import type { SAMLProviderUpdate } from './saml/models.ts'

/** Values of a body as they are stored: all of them, and unchangeable. */
export type Stored<Value> = Value extends readonly (infer Entry)[]
  ? readonly Stored<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]-?: Stored<Exclude<Value[Name], undefined>> }
    : Value

/** The fields that requests set, as they are declared. Secrets are stored encrypted, under names of their own. */
export type SamlSettings = Stored<Omit<SAMLProviderUpdate, 'sp_certificate_key'>>
export type OidcSettings = Stored<Omit<OIDCConnectionCreate, 'client_secret'>>

/** Those that connections of every kind have. */
export type ConnectionSettings = Pick<SamlSettings, keyof SamlSettings & keyof OidcSettings>

/** What a connection decides about sign-ins and the answers of its identity provider. */
export type ConnectionRules = Pick<
  ConnectionSettings,
  | 'attribute_mapping'
  | 'required_authn_contexts'
  | 'multi_factor_authn_contexts'
  | 'required_for_domains'
  | 'exempt_users'
>
