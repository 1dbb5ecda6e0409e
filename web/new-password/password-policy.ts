import { type ApiFailure, type ApiFieldError, type ApiResponse, callApi } from '../kit/call-api.ts'
import { messagesOf } from '../kit/messages.ts'

const t = messagesOf('newPassword')

/** What a new password must meet, as the service declares it: `PasswordPolicy` of the API. */
export interface PasswordPolicy {
  readonly rules?: readonly PasswordRule[] | undefined
  readonly min_length?: number | null | undefined
  readonly min_entropy_bits?: number | null | undefined
  readonly regex?: string | null | undefined
  readonly no_pwned?: boolean | null | undefined
}

export interface PasswordRule {
  readonly group_name: string
  readonly group_regex: string
  readonly min_count: number
}

/** The account whose password is chosen, and what it must meet. */
export interface PasswordAccount {
  readonly username?: string
  readonly policy?: PasswordPolicy
}

/** Asks what a new password must meet: of the caller, or of the account of a reset token. */
export const fetchPasswordAccount = (bearer?: string): Promise<ApiResponse<PasswordAccount>> =>
  callApi('POST', '/api/2/auth/evaluate-password', { ...(bearer ? { bearer } : {}), body: { password: '-' } })

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
