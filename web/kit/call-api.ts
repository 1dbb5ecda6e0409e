import { isLatchkeyError } from '../../lib/client/latchkey-error.ts'
import { pageData } from './start-path.ts'
import { watchRequest } from './waiting.ts'

/** An error response of the API (RFC 9457). */
interface ApiProblem {
  readonly code?: string
  readonly reason?: string
  readonly detail?: string
  readonly second_factor_token?: string
  /** For how many days the browser can be remembered. Missing if it cannot. */
  readonly remember_device_days?: number
  readonly refusal?: string
  /** The identity provider that the person must sign in with. */
  readonly saml_provider?: RequiredProvider
  readonly is_password_breached?: boolean
  /** `PasswordPolicy` of the API. */
  readonly password_policy?: object
  readonly errors?: readonly ApiFieldError[]
  /** What to solve for a proof of work. */
  readonly challenge?: object
}

export interface RequiredProvider {
  readonly name: string
  /** The address that starts a sign-in. */
  readonly login_url: string
}

export interface ApiFieldError {
  readonly field: string
  readonly message: string
  /** The kind of error. Only errors about new passwords and taken values have it. */
  readonly code?: string
  /** The number that the value must reach, or must not exceed. */
  readonly limit?: number
  /** The rule that the value does not meet, as an administrator named it. */
  readonly rule?: string
}

export interface ApiFailure {
  readonly isOk: false
  /** 0 if the service did not answer. */
  readonly status: number
  /** 0 if the response does not say how long to wait. */
  readonly retryAfterSeconds: number
  readonly problem: ApiProblem
}

export type ApiResponse<Body> = { readonly isOk: true; readonly body: Body } | ApiFailure

interface ApiRequest {
  readonly body?: Readonly<Record<string, unknown>>
  readonly bearer?: string
  /** Whether the request goes on when the person leaves the page. */
  readonly keepalive?: boolean
}

const unreachable: ApiFailure = { isOk: false, status: 0, retryAfterSeconds: 0, problem: {} }

/**
 * Calls the API of this service with the session cookie of the browser, in the language of the page. `Body` is the declared
 * response body. An answer that is missing or not JSON is a failure with the status 0.
 */
export const callApi = async <Body = unknown>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { body, bearer, keepalive = false }: ApiRequest = {},
): Promise<ApiResponse<Body>> => {
  try {
    const response = await watchRequest(
      fetch(path, {
        method,
        keepalive,
        headers: {
          'Accept-Language': pageData.language,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
          ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    )
    const text = await response.text()
    const content = text ? JSON.parse(text) : {}
    if (response.ok) return { isOk: true, body: content }
    const retryAfterSeconds = Number(response.headers.get('retry-after'))
    return { isOk: false, status: response.status, retryAfterSeconds, problem: content }
  } catch {
    return unreachable
  }
}

/** Returns the failure of a call by the typed client. Throws any other error again, because it is a bug of the page. */
export const toFailure = (error: unknown): ApiFailure => {
  if (!isLatchkeyError(error)) throw error
  if (error.code === 'network_error' || error.code === 'timeout') return unreachable
  const { status, code, reason, detail, errors, retryAfterSeconds = 0 } = error
  return {
    isOk: false,
    status,
    retryAfterSeconds,
    problem: { code, detail, errors, ...(reason === undefined ? {} : { reason }) },
  }
}
