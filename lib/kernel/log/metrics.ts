/** The CloudWatch metrics of the service, each with its meaning. The log redacts fields whose names sound like secrets. */
export const metrics = {
  AuthorizerFailed: 'The authorizer could not find out who called an API of a product',
  BreachLookUpUnanswered: 'The breached-password lookup failed, so a new password was accepted without it',
  HookFailed: 'A hook gave no usable answer, so a sign-in was refused, or a token lacks its claims',
  ItemUnreadable: 'A list left out a stored item that this version cannot read',
  LoginFailed: 'A sign-in was refused',
  MailBounced: 'An email bounced permanently, so its address no longer receives email',
  MailGivenUp: 'An email could not be made, or was rejected, in every attempt, and was given up',
  MailUnknown:
    'The email service did not answer, or the mailer stopped while it sent, so an email may be lost',
  MailComplained: 'A recipient reported an email as spam and no longer receives email',
  OldSystemUnanswered: 'The old system did not answer whether a password is right, so a sign-in was refused',
  SigningKeyMissing: 'A JWT was requested but no key could sign it',
  SamlCertificateEnding: 'A certificate of a SAML provider or of this service for it expires in a few days',
  SamlRefreshFailed: 'The metadata of a SAML provider could not be refreshed',
} as const

export const metricNamespace = 'Latchkey'
/** The table name distinguishes this service from others in the same AWS account. */
export const metricDimension = 'Table'

export type MetricName = keyof typeof metrics
