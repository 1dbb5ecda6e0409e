import { AppError, conflict, type ErrorCode, type FieldError } from '../core/errors.ts'
import { LastAdmin } from '../store/directory/admins.ts'
import { NotUnique } from '../store/directory/users.ts'
import { EditConflict } from '../store/engine/transaction-errors.ts'
import { NameTaken } from '../store/engine/unique-name-records.ts'
import { EntityIdTaken } from '../store/saml/saml-providers.ts'
import type { HttpResult } from './http-types.ts'

interface Kind {
  readonly status: number
  readonly title: string
  readonly detail: string
}

/** The status, title and default detail of every error code. */
export const problemKinds: Readonly<Record<ErrorCode, Kind>> = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    detail: 'Fix the fields listed in `errors` and resend the request.',
  },
  password_rejected: {
    status: 400,
    title: 'Password rejected',
    detail: 'Choose a different password. See `errors` for the requirements it does not meet.',
  },
  invalid_token: {
    status: 400,
    title: 'Invalid token',
    detail: 'The token is unknown, used, or expired. Request a new one.',
  },
  not_authenticated: {
    status: 401,
    title: 'Not authenticated',
    detail: 'Sign in and send a valid bearer credential.',
  },
  login_failed: { status: 401, title: 'Login failed', detail: 'Username or password is wrong.' },
  permission_denied: { status: 403, title: 'Permission denied', detail: 'You are not allowed to do this.' },
  login_incomplete: {
    status: 403,
    title: 'Login incomplete',
    detail: 'The password is correct, but the sign-in is not complete. See `reason` for what is missing.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    detail: 'The resource does not exist or you do not have access to it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This method is not allowed here. See the Allow header.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    detail: 'None of the media types in the Accept header is supported by this operation.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    detail: 'The resource was changed by another request. Read it again, then retry.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    detail: 'The request body is too large for this operation.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send the body as application/json.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    detail: 'Wait the number of seconds in the Retry-After header, then try again.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'An unexpected error occurred. The log contains details under the request ID.',
  },
  upstream_failed: {
    status: 502,
    title: 'Upstream failed',
    detail: 'A service that this operation depends on did not respond.',
  },
}

/** The refusal behind whatever was thrown; undefined for a fault of our own. */
export const refusalOf = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error
  if (error instanceof EditConflict) return new AppError('conflict')
  if (error instanceof NotUnique) return conflict(takenSentence(error))
  if (error instanceof NameTaken) return conflict('This name is already taken.')
  if (error instanceof EntityIdTaken) return conflict('Another provider already uses this entity ID.')
  return error instanceof LastAdmin ? conflict(lastAdminSentence) : undefined
}

const takenSentence = ({ taken }: NotUnique): string =>
  taken.includes('username') ? 'This username is already taken.' : 'This email address is already taken.'
const lastAdminSentence =
  'There must always be at least one administrator. Grant `system:admin-access` directly to another enabled user without an expiry first.'

/** What is told of an error, in whatever form. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: ErrorCode
  readonly requestId: string
  readonly reason: string | undefined
  readonly errors: readonly FieldError[] | undefined
  /** For a page alone: undefined where nobody said, null for nowhere. */
  readonly tryAgain: string | null | undefined
  readonly headers: Readonly<Record<string, string>>
}

export const toProblem = (error: unknown, requestId: string): Problem => {
  const { code, facts } = refusalOf(error) ?? new AppError('internal_error')
  const { status, title, detail } = problemKinds[code]
  return {
    ...{ status, title, code, requestId },
    detail: facts.detail ?? detail,
    reason: facts.reason,
    errors: facts.errors,
    tryAgain: facts.tryAgain,
    headers: facts.headers ?? {},
  }
}

/** The answer to an error: `application/problem+json`, RFC 9457. */
export const buildProblemResponse = ({ status, requestId, headers, code, ...told }: Problem): HttpResult => ({
  statusCode: status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({
    type: `urn:latchkey:problem:${code}`,
    title: told.title,
    status,
    detail: told.detail,
    code,
    request_id: requestId,
    ...(told.reason === undefined ? {} : { reason: told.reason }),
    ...(told.errors === undefined ? {} : { errors: told.errors }),
  }),
})
