import type { ApiFailure } from './call-api.ts'
import { t } from './messages.ts'

/** The messages by the reason or code of an API error. */
const messages = {
  conflict: 'problemConflict',
  decision_changed: 'problemDecisionChanged',
  login_failed: 'problemLoginFailed',
  not_authenticated: 'problemSignedOut',
  not_found: 'problemNotFound',
  payload_too_large: 'problemTooLong',
  permission_denied: 'problemNotAllowed',
  sign_in_refused: 'problemNotAllowed',
  sign_up_refused: 'problemNoAccount',
  recent_authentication_required: 'problemConfirmIdentity',
} as const

const isKnown = (key: string): key is keyof typeof messages => Object.hasOwn(messages, key)

/**
 * Explains an API error to the person in front of the page. The texts of the API address developers and are English, so
 * codes, field names and details never appear. `own` has messages of the page by reason or code, which take precedence.
 */
export const describeFailure = (
  { status, problem, retryAfterSeconds }: ApiFailure,
  own: Readonly<Record<string, string>> = {},
): string => {
  if (status === 0) return t(navigator.onLine ? 'problemUnreachable' : 'problemOffline')
  // The words of the product are for the person.
  if (problem.refusal) return problem.refusal
  // The service answers this after it has tried a few times. It says nothing about the person.
  if (problem.reason === 'record_busy') return t('problemBusy')
  if (status === 429) return t('problemTooManyAttempts', { wait: describeWait(retryAfterSeconds) })
  const keys = [problem.reason, problem.code].filter((key) => key !== undefined)
  const ownKey = keys.find((key) => Object.hasOwn(own, key))
  const ownText = ownKey && own[ownKey]
  if (ownText) return ownText
  if (status >= 500) return t('problemOnOurSide')
  const knownKey = keys.find(isKnown)
  return t(knownKey ? messages[knownKey] : 'problemUnknown')
}

/** Describes a waiting time: in seconds up to 90, then in minutes. An unknown time counts as a minute. */
export const describeWait = (seconds: number): string => {
  if (!(seconds > 0)) return t('minutes', { count: 1 })
  return seconds <= 90 ? t('seconds', { count: seconds }) : t('minutes', { count: Math.ceil(seconds / 60) })
}
