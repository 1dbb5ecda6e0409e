import type { AuthenticationMethod } from '../store/sign-in/session-record.ts'

/** Values of RFC 8176 where it has one. Relying parties must not mistake an emailed code for a second factor. */
const names: Readonly<Record<AuthenticationMethod, string>> = {
  pwd: 'pwd',
  otp: 'otp',
  recovery_code: 'otp',
  passkey: 'hwk',
  saml: 'saml',
  oidc: 'oidc',
  mfa: 'mfa',
  email_code: 'email_code',
  link: 'link',
}

/** The claim `amr`: how a user proved who they are. */
export const nameMethods = (methods: readonly AuthenticationMethod[]): readonly string[] => [
  ...new Set(methods.map((method) => names[method])),
]
