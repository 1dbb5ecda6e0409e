/**
 * Words that only people know who build such services. Pages for everybody contain none. Their English forms are also used
 * in the other languages.
 */
export const technicalTerms =
  /\b(SAML|HTTPS?|OIDC|OpenID|OAuth|JSON|XML|UUID|URI|URL|SSO|IdP|JWT|TOTP|WebAuthn|bearer|assertion|metadata|entity ID|redirect|session key|null|undefined|NaN|[45]\d\d|(?<!رموز )API(?![ -]Tokens?\b|[ -]?トークン))\b/i
