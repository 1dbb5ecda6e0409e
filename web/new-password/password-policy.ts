import { useEffect, useState } from 'preact/hooks'
import { type ApiFailure, type ApiFieldError, callApi } from '../kit/call-api.ts'
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

let loading: Promise<PasswordPolicy | undefined> | undefined

const loadPolicy = async (): Promise<PasswordPolicy | undefined> => {
  const response = await callApi<PasswordPolicy>('GET', '/api/2/system/password-policy')
  if (response.isOk) return response.body
  // The service checks the password in any case. The next field asks again.
  loading = undefined
  return undefined
}

/** Returns the policy that the page knows, or loads that of the service. Undefined until it is there. */
export const usePasswordPolicy = (known: PasswordPolicy | undefined): PasswordPolicy | undefined => {
  const [loaded, setLoaded] = useState<PasswordPolicy | undefined>()
  useEffect(() => {
    if (known) return
    loading ??= loadPolicy()
    void loading.then(setLoaded)
  }, [known])
  return known ?? loaded
}

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
