const unreachableCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

interface SesErrorFields {
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly code?: string
}

/** The service has no sender address, so it sends no email. */
export class NoSender extends Error {
  constructor() {
    super('No sender for emails is configured.')
    this.name = 'NoSender'
  }
}

/** Whether an error proves that no email was sent: SES rejected it or was never reached. */
export const isUnsent = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof NoSender) return true
  const { $metadata, code = '' } = error as Error & SesErrorFields
  // A response that cannot be parsed is also an error, but its status says that SES accepted the email.
  return (
    ($metadata?.httpStatusCode ?? 0) >= 400 || unreachableCodes.includes(code) || wasNeverConnected(error)
  )
}

/** Whether the email service rejected this email alone, because of its address or content. */
export const isRejected = (error: unknown): boolean =>
  error instanceof Error &&
  (error as Error & SesErrorFields).$metadata?.httpStatusCode === 400 &&
  /^(?:MessageRejected|InvalidParameterValue)/.test(error.name)

const wasNeverConnected = ({ name, message }: Error): boolean =>
  name === 'TimeoutError' && message.includes('did not establish a connection')

const explanations: readonly (readonly [RegExp, string])[] = [
  [
    /^MessageRejected/,
    'The email service rejected the email. It does not accept the recipient or the sender address.',
  ],
  [
    /^MailFromDomainNotVerified/,
    'The email service does not accept the sender address. Its domain is not verified.',
  ],
  [/^InvalidParameterValue/, 'The email service does not accept this address.'],
  [/^(AccountSending|ConfigurationSetSending)Paused/, 'Sending is paused at the email service.'],
  [
    /^ConfigurationSetDoesNotExist/,
    'The email service is not set up completely. The configuration set is missing.',
  ],
  [
    /^AccessDenied|^InvalidClientTokenId|^SignatureDoesNotMatch/,
    'The email service does not allow this service to send email.',
  ],
  [
    /^Throttling|^TooManyRequests|^LimitExceeded/,
    'The email service does not accept more email at the moment. Try again later.',
  ],
]

/** Explains to the sender why an email was not sent. It never contains the text of the email service. */
export const describeFailure = (error: unknown): string => {
  if (!isUnsent(error)) return 'The email service did not respond. The email may or may not have been sent.'
  if (error instanceof NoSender) return 'This service sends no email because no sender address is configured.'
  const { name, $metadata } = error as Error & SesErrorFields
  if ($metadata?.httpStatusCode === undefined) return 'The email service could not be reached.'
  return explanations.find(([pattern]) => pattern.test(name))?.[1] ?? 'The email service failed.'
}
