/** The stable codes of errors, as clients see them. `lib/http/problem.ts` has the status of each. */
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
  | 'temporarily_unavailable'

/** One invalid field of a request. `field` is its path (`rules.0.min_count`), `message` what is wrong with it. */
export interface FieldError extends Partial<FieldErrorKind> {
  readonly field: string
  readonly message: string
}

/** What a client needs to explain an error in another language. Only errors about new passwords and taken values have it. */
export interface FieldErrorKind {
  /** The kind of error. It is stable. */
  readonly code: string
  /** The number that the value must reach, or must not exceed. */
  readonly limit?: number
  /** The rule that the value does not meet, as an administrator named it. */
  readonly rule?: string
}

/** What an error says beyond its code. The caller sees all of it, so it must not contain a secret of anyone else. */
export interface ErrorDetails {
  readonly detail?: string
  readonly reason?: string
  readonly errors?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>
  /** A path of this service where a browser can try again, for an error page. Null if there is none. */
  readonly tryAgain?: string | null
  /** What only the error page of a feature shows, by names that the feature chooses. */
  readonly page?: Readonly<Record<string, string>>
  /** More members of the problem body, by their names on the wire (RFC 9457 3.2). */
  readonly members?: Readonly<Record<string, unknown>>
}

/** A refusal that the caller sees. Any other error is an internal error with a fixed text. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.detail ?? code)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** Why the stored data does not allow a change. `lib/http/problem.ts` has the sentence for each. */
export type ConflictKind =
  | 'record_changed'
  | 'username_taken'
  | 'username_lookalike'
  | 'email_taken'
  | 'name_taken'
  | 'entity_id_taken'
  | 'domain_taken'
  | 'public_provider_taken'
  | 'api_token_taken'
  | 'too_many_api_tokens'
  | 'too_many_organization_tokens'
  | 'too_many_organizations'
  | 'too_many_scim_tokens'
  | 'passkey_taken'
  | 'account_taken'
  | 'too_many_passkeys'
  | 'too_many_oidc_clients'
  | 'client_id_taken'
  | 'audience_taken'
  | 'too_many_protected_apis'
  | 'last_admin'
  | 'slug_taken'
  | 'too_many_slug_changes'
  | 'too_many_former_slugs'
  | 'external_id_taken'
  | 'already_member'
  | 'member_limit_reached'
  | 'last_owner'
  | 'already_invited'
  | 'too_many_invitations'

/** A change that the stored data does not allow. The store throws it, and the caller sees it as `conflict`. */
export class ConflictError extends Error {
  readonly kind: ConflictKind
  /** The fields of the request that the conflict is about, if its kind does not say it. */
  readonly fields: readonly string[] | undefined

  constructor(kind: ConflictKind, message: string, fields?: readonly string[]) {
    super(message)
    this.name = 'ConflictError'
    this.kind = kind
    this.fields = fields
  }
}

/**
 * The service has more work than it does in time. Nothing was changed. The caller sees it as `temporarily_unavailable`,
 * because no limit of their own is the cause.
 */
export class BusyError extends Error {
  readonly reason: string | undefined

  constructor(
    message: string,
    { reason, cause }: { readonly reason?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'BusyError'
    this.reason = reason
  }
}

/**
 * Other requests kept changing the same records. The store throws it after all retries. Anyone can cause it with parallel
 * requests about one account, so it is no failure of the service: the caller sees it as `too_many_requests`.
 */
export class ContentionError extends BusyError {
  constructor(message: string, cause?: unknown) {
    super(message, { reason: 'record_busy', cause })
    this.name = 'ContentionError'
  }
}

/** The table has more requests than it serves. The store throws it after all retries. */
export class TableBusyError extends BusyError {
  constructor(message: string, cause?: unknown) {
    super(message, { reason: 'table_busy', cause })
  }
}

/** The disk of the embedded engine is full, so a write failed. Only local mode has it. */
export class StorageFullError extends Error {
  constructor(cause?: unknown) {
    super('the disk of the table is full', { cause })
    this.name = 'StorageFullError'
  }
}

export const invalidRequest = (errors: readonly FieldError[]): AppError =>
  new AppError('invalid_request', { errors })

/** Reads a part of a request. Adds what is wrong with it to the errors, under this path, and returns undefined then. */
export const collectErrors = <Value>(
  errors: FieldError[],
  path: string,
  read: () => Value,
): Value | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors) throw error
    errors.push(...error.details.errors.map(({ field, message }) => ({ field: `${path}${field}`, message })))
    return undefined
  }
}

/**
 * Refuses a request about something that does not exist, or that the caller may not know about: both get the same answer. `what` is
 * what the operation is about, and never what was found. `remedy` is a sentence about what to do.
 */
export const notFound = (what: string, remedy = 'Check its ID.'): AppError =>
  new AppError('not_found', {
    detail: `The ${what} does not exist, or you do not have access to it. ${remedy}`,
  })

export const conflict = (detail: string): AppError => new AppError('conflict', { detail })

/** @throws AppError `not_found` when there is no value */
export const requireFound = <T>(value: T | undefined, what: string, remedy?: string): T => {
  if (value === undefined) throw notFound(what, remedy)
  return value
}
