/** What can be many in a configuration document, each under a key. None refers to a later one, so they are created in this order. */
export const thingKinds = [
  'api',
  'group',
  'user_template',
  'client',
  'saml_provider',
  'oidc_connection',
  'service_account',
] as const
export type ThingKind = (typeof thingKinds)[number]

/** What a service has once, or once for each product that access links lead to, or both. */
export const settingsKinds = [
  'user_attributes',
  'password_policy',
  'sign_in_policy',
  'sign_up_policy',
  'agent_policy',
  'organization_policy',
  'organization_roles',
  'branding',
  'product_branding',
  'email_texts',
] as const
export type SettingsKind = (typeof settingsKinds)[number]

export const managedKinds = [...thingKinds, ...settingsKinds] as const
export type ManagedKind = (typeof managedKinds)[number]

/** The kinds that an operation changes, of what configuration documents manage. */
export interface Seal {
  readonly kinds: readonly ManagedKind[]
  /** The fields of the body that no document has. A request with these alone may change what a document manages. */
  readonly leaves?: readonly string[]
}
