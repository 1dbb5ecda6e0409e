import type { ErrorCode, ReasonsByCode } from './generated/errors.ts'
import type { PasswordPolicy } from './generated/models.ts'

/**
 * Codes of failures that are no problem body of the service.
 *
 * - `network_error`: No response arrived. The service may have carried out the request.
 * - `timeout`: No complete response arrived within `timeoutMs`. The service may have carried out the request.
 * - `gateway_error`: API Gateway, a proxy or a load balancer refused the request. Only `status` is certain.
 * - `unexpected_response`: The response is not one that the operation has, such as a page or a redirect.
 *
 * @example
 * ```ts
 * import type { ClientErrorCode } from '@latchkey/client'
 *
 * export const mayHaveChanged: readonly ClientErrorCode[] = ['network_error', 'timeout']
 * ```
 */
export type ClientErrorCode = 'network_error' | 'timeout' | 'gateway_error' | 'unexpected_response'

/**
 * Every code that a `LatchkeyError` can have.
 *
 * @example
 * ```ts
 * import type { LatchkeyErrorCode } from '@latchkey/client'
 *
 * export const texts: Partial<Record<LatchkeyErrorCode, string>> = { timeout: 'Try again later.' }
 * ```
 */
export type LatchkeyErrorCode = ErrorCode | ClientErrorCode

/**
 * The reasons that refine a code. The codes of the client have none.
 *
 * @example
 * ```ts
 * import type { ReasonOf } from '@latchkey/client'
 *
 * export const needsCode: ReasonOf<'login_incomplete'> = 'otp_required'
 * ```
 */
export type ReasonOf<Code extends LatchkeyErrorCode> = Code extends ErrorCode ? ReasonsByCode[Code] : never

/**
 * One invalid field of a request: its path, such as `rules.0.min_count`, and what is wrong with it.
 *
 * @example
 * ```ts
 * import type { InvalidField } from '@latchkey/client'
 *
 * export const toText = ({ field, message }: InvalidField) => `${field} ${message}`
 * ```
 */
export interface InvalidField {
  readonly field: string
  readonly message: string
  /** The kind of error, such as `min_length`. Only errors about new passwords and taken values have it. */
  readonly code?: string
  /** The number that the value must reach, or must not exceed. */
  readonly limit?: number
  /** The rule of the password policy that the value does not meet. */
  readonly rule?: string
}

export interface ErrorContent<Code extends LatchkeyErrorCode = LatchkeyErrorCode> {
  readonly code: Code
  readonly status?: number | undefined
  readonly detail?: string | undefined
  readonly reason?: string | undefined
  readonly errors?: readonly InvalidField[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly secondFactorToken?: string | undefined
  readonly passwordPolicy?: PasswordPolicy | undefined
  readonly challenge?: object | undefined
  readonly cause?: unknown
}

const listedFields = 10

/** The invalid fields as text, because logs have the message alone. */
const listFields = (errors: readonly InvalidField[]): string => {
  const listed = errors.slice(0, listedFields).map(({ field, message }) => `${field} ${message}`)
  const others = errors.length - listed.length
  return listed.length === 0 ? '' : ` ${listed.join('; ')}${others > 0 ? `; and ${others} more` : ''}`
}

/**
 * A call that failed. It contains no credential of the caller, so it can be logged.
 *
 * @example
 * ```ts
 * import { createClient, LatchkeyError } from '@latchkey/client'
 *
 * const latchkey = createClient({ baseUrl: 'https://auth.example.com' })
 * await latchkey.users.getUser(7).catch((error: unknown) => {
 *   if (error instanceof LatchkeyError) console.log(error.code, error.status, error.requestId)
 * })
 * ```
 */
export class LatchkeyError<Code extends LatchkeyErrorCode = LatchkeyErrorCode> extends Error {
  /** The kind of error. It is stable, so branch on it. A newer service can have codes that this version does not list. */
  readonly code: Code
  /** The HTTP status. 0 if there was no response. */
  readonly status: number
  /** Refines the code. It is stable. A newer service can have reasons that this version does not list. */
  readonly reason: ReasonOf<Code> | undefined
  /** What went wrong and what to do, for people. The text may change. */
  readonly detail: string
  /** Every invalid field. Empty for most codes. */
  readonly errors: readonly InvalidField[]
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** How long to wait before the next attempt. */
  readonly retryAfterSeconds: number | undefined
  /** What the new password of this user must meet. Only some errors about passwords have it. */
  readonly passwordPolicy: PasswordPolicy | undefined
  /** The challenge of ALTCHA to solve for `proof`, with the reason `proof_required`. */
  readonly challenge: object | undefined
  readonly #secondFactorToken: string | undefined

  constructor(content: ErrorContent<Code>) {
    const { code, status = 0, reason, detail = code, errors = [], cause } = content
    super(`${code}${reason === undefined ? '' : ` (${reason})`}: ${detail}${listFields(errors)}`, { cause })
    this.name = 'LatchkeyError'
    this.code = code
    this.status = status
    this.reason = reason as ReasonOf<Code> | undefined
    this.detail = detail
    this.errors = errors
    this.requestId = content.requestId
    this.retryAfterSeconds = content.retryAfterSeconds
    this.passwordPolicy = content.passwordPolicy
    this.challenge = content.challenge
    this.#secondFactorToken = content.secondFactorToken
  }

  /** Continues a sign-in with a passkey: see `startPasskeyLogin`. Secret, so printing the error does not show it. */
  get secondFactorToken(): string | undefined {
    return this.#secondFactorToken
  }
}

/**
 * Whether a call failed with this code and reason, or with any if they are left out:
 * `isLatchkeyError(error, 'login_incomplete', 'otp_required')`.
 *
 * @example
 * ```ts
 * import { createClient, isLatchkeyError } from '@latchkey/client'
 *
 * const latchkey = createClient({ baseUrl: 'https://auth.example.com' })
 * await latchkey.signIn({ username: 'ada', password: 'silent films' }).catch((error: unknown) => {
 *   if (!isLatchkeyError(error, 'login_incomplete', 'otp_required')) throw error
 * })
 * ```
 */
export const isLatchkeyError = <Code extends LatchkeyErrorCode = LatchkeyErrorCode>(
  error: unknown,
  code?: Code,
  reason?: ReasonOf<NoInfer<Code>>,
): error is LatchkeyError<Code> =>
  error instanceof LatchkeyError &&
  (code === undefined || error.code === code) &&
  (reason === undefined || error.reason === reason)
