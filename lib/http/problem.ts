import { AppError, conflict, type ErrorCode, type Fault } from '../core/errors.ts'
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

/** Every code with its status and its words for a caller who gets no closer detail. */
export const problemKinds: Readonly<Record<ErrorCode, Kind>> = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    detail: 'Mend what errors lists and send the request again.',
  },
  password_rejected: {
    status: 400,
    title: 'Password rejected',
    detail: 'Choose another password; errors says what it lacks.',
  },
  invalid_token: {
    status: 400,
    title: 'Invalid token',
    detail: 'The token is unknown, used or expired. Ask for a new one.',
  },
  not_authenticated: {
    status: 401,
    title: 'Not authenticated',
    detail: 'Sign in and send a valid bearer credential.',
  },
  login_failed: { status: 401, title: 'Login failed', detail: 'Username or password is wrong.' },
  permission_denied: { status: 403, title: 'Permission denied', detail: 'The caller may not do this.' },
  login_incomplete: {
    status: 403,
    title: 'Login incomplete',
    detail: 'The password is right, but reason names what is still missing.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    detail: 'There is no such thing, or it is not the caller’s to see.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'The path takes the methods in Allow.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    detail: 'Accept names no type that this operation answers with.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    detail: 'It was changed in between. Read it again, then decide.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    detail: 'The body is larger than this operation takes.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send the body as application/json.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    detail: 'Wait for the seconds in Retry-After, then try again.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'Something went wrong on our side. The log has it under the request id.',
  },
  not_implemented: {
    status: 501,
    title: 'Not implemented',
    detail: 'This operation is declared but not built yet.',
  },
  upstream_failed: {
    status: 502,
    title: 'Upstream failed',
    detail: 'A service that this operation depends on did not answer.',
  },
}

/** The refusal behind whatever was thrown; undefined for a fault of our own. */
export const refusalOf = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error
  if (error instanceof EditConflict) return new AppError('conflict')
  if (error instanceof NotUnique) return conflict(takenSentence(error))
  if (error instanceof NameTaken) return conflict('Another one has this name.')
  if (error instanceof EntityIdTaken) return conflict('Another provider has this entity id.')
  return error instanceof LastAdmin ? conflict(lastAdminSentence) : undefined
}

const takenSentence = ({ taken }: NotUnique): string =>
  taken.includes('username') ? 'Another user has this username.' : 'Another user has this e-mail address.'
const lastAdminSentence =
  'Nobody would be left to administer: at least one user must hold system:admin-access itself, enabled and without expiry.'

/** What is told of an error, in whatever form. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: ErrorCode
  readonly requestId: string
  readonly reason: string | undefined
  readonly errors: readonly Fault[] | undefined
  /** For a page alone: undefined where nobody said, null for nowhere. */
  readonly tryAgain: string | null | undefined
  readonly headers: Readonly<Record<string, string>>
}

export const problemOf = (error: unknown, requestId: string): Problem => {
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
export const problemResponse = ({ status, requestId, headers, code, ...told }: Problem): HttpResult => ({
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
