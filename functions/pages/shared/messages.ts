import { describeWait } from '../../../lib/core/describe-wait.ts'
import type { ApiFailure, ApiFieldError } from './call-api.ts'

export const unreachableMessage = 'The service cannot be reached. Try again in a moment.'

export const usedLinkMessage = 'This link has expired or was already used.'

const fieldLabels: Readonly<Record<string, string>> = {
  username: 'The username',
  email: 'The email address',
  password: 'The password',
  new_password: 'The new password',
  otp: 'The code',
}

/** Messages by the reason or code of an API error. */
const messages: Readonly<Record<string, string>> = {
  otp_required: 'Enter the code from your authenticator app.',
  passkey_required: 'Your password also requires a passkey. Choose yours to continue.',
  passkey_invalid: 'The passkey was not accepted. Try again.',
  passkey_unknown: 'This passkey was removed from your account. Use another one, or your password.',
  passkey_taken: 'This passkey is already registered.',
  too_many_passkeys: 'You have too many passkeys. Remove one that you no longer use.',
  spare_factor_required:
    'Add a second passkey first. Otherwise you could not sign in when you lose the only one.',
  user_verification_required: 'The passkey did not check who you are. Sign in with your password.',
  otp_invalid: 'The code is wrong or was already used. Wait for the next code, then enter it.',
  password_change_required: 'Choose a new password to continue.',
  password_required: 'Enter the password for this link.',
  invalid_token: usedLinkMessage,
  not_authenticated: 'You are no longer signed in. Sign in, then try again.',
  payload_too_large: 'Your input is too long.',
  conflict: 'Someone else made a change at the same time. Try again.',
}

/**
 * Translates an API error for the person in front of the page, one message per problem. The texts of the API address
 * developers, so field names and codes never appear in the messages.
 */
export const describeFailure = ({ status, problem, retryAfterSeconds }: ApiFailure): readonly string[] => {
  if (status === 429) return [`Too many attempts. Wait ${describeWait(retryAfterSeconds)}, then try again.`]
  if (status >= 500) return ['Something went wrong on our side. Try again in a moment.']
  if (problem.errors?.length) return problem.errors.map(describeFieldError)
  const message = messages[problem.reason ?? ''] ?? messages[problem.code ?? '']
  return [message ?? problem.detail ?? 'That did not work. Try again.']
}

/** Most messages of the API continue a sentence about the field. Some are whole sentences. */
const describeFieldError = ({ field, message }: ApiFieldError): string =>
  /^[A-Z]/.test(message) ? message : `${fieldLabels[field] ?? 'One of your entries'} ${message}.`
