const neverReached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

interface Facts {
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly code?: string
}

/** Mail isn't set up: nobody is there to send it as. */
export class NoSender extends Error {
  constructor() {
    super('there is no sender for mail')
    this.name = 'NoSender'
  }
}

/** Whether an error says for certain that no mail went out: SES refused it, or was never reached. */
export const isUnsent = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof NoSender) return true
  const { $metadata, code = '' } = error as Error & Facts
  // An answer that could not be read is an error too, and its status a good one.
  return ($metadata?.httpStatusCode ?? 0) >= 400 || neverReached.includes(code) || wasNeverConnected(error)
}

const wasNeverConnected = ({ name, message }: Error): boolean =>
  name === 'TimeoutError' && message.includes('did not establish a connection')

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^MessageRejected/, 'The mail service rejected the mail: it does not take this recipient or our sender.'],
  [/^MailFromDomainNotVerified/, 'The mail service does not know our sender: its domain is not verified.'],
  [/^InvalidParameterValue/, 'The mail service does not take this address.'],
  [/^(AccountSending|ConfigurationSetSending)Paused/, 'The mail service sends nothing for us: it is paused.'],
  [/^ConfigurationSetDoesNotExist/, 'The mail service is not set up: its configuration set is missing.'],
  [/^AccessDenied|^InvalidClientTokenId|^SignatureDoesNotMatch/, 'The mail service does not let us send.'],
  [/^Throttling|^TooManyRequests|^LimitExceeded/, 'The mail service takes no more mail at the moment.'],
]

/** Why a mail could not be sent, for whoever wanted it sent; never the words of the mail service itself. */
export const describeFailure = (error: unknown): string => {
  if (!isUnsent(error)) return 'The mail service did not answer: the mail may have been sent, or not.'
  if (error instanceof NoSender) return 'This service sends no mail: it was set up without a sender.'
  const { name, $metadata } = error as Error & Facts
  if ($metadata?.httpStatusCode === undefined) return 'The mail service could not be reached.'
  return reasons.find(([pattern]) => pattern.test(name))?.[1] ?? 'The mail service failed to take the mail.'
}
