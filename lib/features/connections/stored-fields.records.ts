import type { Stored } from '../../kernel/util/object-fields.ts'
import type { OIDCConnectionCreate } from './oidc/models.ts'
import type { SAMLProviderUpdate } from './saml/models.ts'

/** What a body can leave out has a value in a record, also in the names of attributes. */
type Settings<Body extends { readonly attribute_mapping?: object | undefined }> = Stored<
  Required<Omit<Body, 'attribute_mapping'>> & {
    attribute_mapping: Required<Exclude<Body['attribute_mapping'], undefined>>
  }
>

/** The fields that requests set, as they are declared. Secrets are stored encrypted, under names of their own. */
export type SamlSettings = Settings<Omit<SAMLProviderUpdate, 'sp_certificate_key'>>
export type OidcSettings = Settings<Omit<OIDCConnectionCreate, 'client_secret'>>

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
