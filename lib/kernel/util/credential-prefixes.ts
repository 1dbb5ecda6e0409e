/**
 * The prefix of each kind of credential. It identifies the kind to people, secret scanners, and this service, so that
 * no kind of credential works in place of another.
 */
export const credentialPrefixes = {
  session: 'lks',
  api_token: 'lkp',
  organization_token: 'lkg',
  auth_ticket: 'lkt',
  reset_token: 'lkr',
  access_token: 'lka',
  second_factor_token: 'lkf',
  security_report: 'lkn',
  email_confirmation: 'lkc',
  oidc_client_secret: 'lko',
  invitation: 'lki',
  sign_up: 'lku',
  saml_setup: 'lkx',
  organization_invitation: 'lkj',
  remembered_device: 'lkd',
  scim_token: 'lkm',
} as const
export type CredentialKind = keyof typeof credentialPrefixes

/** The kinds whose owner administrators find by a value. The others work for a short time. */
export const foundKinds = [
  'api_token',
  'access_token',
  'session',
  'auth_ticket',
  'oidc_client_secret',
] as const satisfies readonly CredentialKind[]

/** Matches each prefix, as the source of an expression. */
export const prefixPattern = `(?:${Object.values(credentialPrefixes).join('|')})`

export const subjectLength = 6
/** 192 random bits in base 62. */
export const randomLength = 33
export const checksumLength = 6

/** Matches a whole credential in a text, as the source of an expression. */
export const credentialPattern = `${prefixPattern}_[0-9A-Za-z]{${subjectLength + randomLength + checksumLength}}`
