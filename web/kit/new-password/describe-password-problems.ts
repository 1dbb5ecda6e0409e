import type { ApiFailure, ApiFieldError } from '../call-api.ts'
import { messagesOf } from '../messages.ts'

const t = messagesOf('newPassword')

type Describe = (error: ApiFieldError) => string

const descriptions = new Map<string, Describe>(
  Object.entries({
    max_length: ({ limit = 0 }) => t('tooLong', { count: limit }),
    min_length: ({ limit = 0 }) => t('tooShort', { count: limit }),
    contains_own_name: () => t('containsOwnName'),
    contains_service_name: () => t('containsServiceName'),
    rule_not_met: ({ limit = 1, rule = '' }) => t('ruleNotMet', { count: limit, what: rule }),
    expression_not_met: () => t('formNotMet'),
    too_costly_to_check: () => t('tooCostlyToCheck'),
    too_easy_to_guess: () => t('tooEasyToGuess'),
    common_password: () => t('commonPassword'),
    breached_password: () => t('breachedPassword'),
    same_password: () => t('samePassword'),
  }),
)

/** Explains why the service refused a new password. Returns undefined if it failed for another reason. */
export const describePasswordProblems = ({ problem }: ApiFailure): string | undefined => {
  if (problem.code !== 'password_rejected') return undefined
  const texts = (problem.errors ?? []).map(
    (error) => descriptions.get(error.code ?? '')?.(error) ?? t('notAccepted'),
  )
  return [...new Set(texts)].join(' ') || t('notAccepted')
}
