/** The stable codes of errors, as clients see them; `http/problem.ts` says which status each has. */
export type ErrorCode =
  | 'invalid_request'
  | 'password_rejected'
  | 'invalid_token'
  | 'not_authenticated'
  | 'login_failed'
  | 'permission_denied'
  | 'login_incomplete'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'internal_error'
  | 'upstream_failed'

/** One fault of a request: the path of the field (`rules.0.min_count`) and a sentence that says what to mend. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** What an error may tell beyond its code; all of it is shown to the caller, so none of it may hold a secret. */
export interface ErrorDetails {
  readonly detail?: string
  readonly reason?: string
  readonly errors?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>
  /** A path of ours where a browser can try again, as a page for it says; null for nowhere. */
  readonly tryAgain?: string | null
}

/** A refusal that the caller is told of. Anything else that is thrown is our own fault: a 500 of fixed text. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly facts: ErrorDetails

  constructor(code: ErrorCode, facts: ErrorDetails = {}) {
    super(facts.detail ?? code)
    this.name = 'AppError'
    this.code = code
    this.facts = facts
  }
}

export const invalidRequest = (errors: readonly FieldError[]): AppError =>
  new AppError('invalid_request', { errors })
export const notFound = (): AppError => new AppError('not_found')
export const conflict = (detail: string): AppError => new AppError('conflict', { detail })
