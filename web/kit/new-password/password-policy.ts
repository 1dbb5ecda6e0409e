import { useEffect, useState } from 'preact/hooks'
import { callApi } from '../call-api.ts'

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
