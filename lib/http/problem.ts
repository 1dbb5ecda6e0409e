import {
  AppError,
  BusyError,
  ConflictError,
  type ConflictKind,
  ContentionError,
  type ErrorCode,
  type FieldError,
  StorageFullError,
} from '../kernel/errors/errors.ts'
import { scimTokensPerConnection } from '../kernel/limits/connection-limits.ts'
import {
  apiTokensPerUser,
  clientsMax,
  formerSlugsMax,
  organizationApiTokensMax,
  passkeysPerUser,
  protectedApisMax,
  slugChangesMax,
} from '../kernel/limits/limits.ts'
import { omitUndefined } from '../kernel/util/object-fields.ts'
import type { HttpResult } from './http-types.ts'

interface ProblemKind {
  readonly status: number
  readonly detail: string
}

/** The status and the default detail of every error code. */
export const problemKinds: Readonly<Record<ErrorCode, ProblemKind>> = {
  invalid_request: {
    status: 400,
    detail: 'Fix the fields listed in `errors` and resend the request.',
  },
  password_rejected: {
    status: 400,
    detail: 'Choose a different password. See `errors` for the requirements it does not meet.',
  },
  invalid_token: {
    status: 400,
    detail: 'The token is unknown, used, or expired. Request a new one.',
  },
  not_authenticated: {
    status: 401,
    detail: 'Sign in, and send a valid session key or API token in the header `Authorization: Bearer …`.',
  },
  login_failed: { status: 401, detail: 'Username or password is wrong.' },
  permission_denied: { status: 403, detail: 'You are not allowed to do this.' },
  login_incomplete: {
    status: 403,
    detail: 'The password is correct, but the sign-in is not complete. See `reason` for what is missing.',
  },
  not_found: {
    status: 404,
    detail: 'The resource does not exist or you do not have access to it.',
  },
  method_not_allowed: {
    status: 405,
    detail: 'This method is not allowed here. See the Allow header.',
  },
  not_acceptable: {
    status: 406,
    detail: 'None of the media types in the Accept header is supported by this operation.',
  },
  conflict: {
    status: 409,
    detail: 'The resource was changed by another request. Read it again, then retry.',
  },
  payload_too_large: {
    status: 413,
    detail: 'The request body is too large for this operation.',
  },
  unsupported_media_type: {
    status: 415,
    detail: 'Send the body as application/json.',
  },
  too_many_requests: {
    status: 429,
    detail: 'Wait the number of seconds in the Retry-After header, then try again.',
  },
  internal_error: {
    status: 500,
    detail: 'An unexpected error occurred. The log contains details under the request ID.',
  },
  upstream_failed: {
    status: 502,
    detail: 'A service that this operation depends on did not respond. Try again later.',
  },
  temporarily_unavailable: {
    status: 503,
    detail:
      'The service has too much to do. Nothing was changed. Wait the number of seconds in the Retry-After header, then try again.',
  },
}

const conflictDetails: Readonly<Record<ConflictKind, string>> = {
  record_changed: problemKinds.conflict.detail,
  username_taken: 'This username is already taken.',
  username_lookalike: 'This username looks like the name of another user. Choose another one.',
  email_taken: 'This email address is already taken.',
  name_taken: 'This name is already taken.',
  domain_taken:
    'Another connection has proven this domain already, or an administrator vouches for it there.',
  entity_id_taken: 'Another provider already uses this entity ID.',
  public_provider_taken: 'There is a connection to this public provider already. Change that one.',
  api_token_taken: 'This value cannot be used. Choose another one or omit `token`.',
  too_many_api_tokens: `A user can have ${apiTokensPerUser} API tokens. Delete one that is no longer used.`,
  too_many_organization_tokens: `An organization can have ${organizationApiTokensMax} API tokens. Delete one that is no longer used.`,
  too_many_scim_tokens: `A connection can have ${scimTokensPerConnection} tokens of its directory. Delete one that is no longer used.`,
  too_many_organizations: 'You have created as many organizations as you can.',
  passkey_taken: 'This passkey is already registered.',
  account_taken: 'This account at the identity provider belongs to another user.',
  too_many_passkeys: `A user can have ${passkeysPerUser} passkeys. Remove one that is no longer used.`,
  too_many_oidc_clients: `There can be ${clientsMax} OpenID Connect clients. Delete one that is no longer used.`,
  client_id_taken: 'A client has or had this `client_id`. Choose another one.',
  audience_taken: 'Another API already has this audience.',
  too_many_protected_apis: `There can be ${protectedApisMax} APIs. Delete one that is no longer used.`,
  slug_taken: 'Another organization has or had this slug, or one that looks like it. Choose another one.',
  too_many_slug_changes: `The slug was changed ${slugChangesMax} times in the last 30 days. Change it later.`,
  too_many_former_slugs: `The organization keeps ${formerSlugsMax} former slugs. Wait until one is free for others, or take one of them again.`,
  external_id_taken: 'Another organization already has this external ID.',
  already_member: 'This user is a member of the organization already.',
  member_limit_reached:
    'The organization has as many members as it can have. Remove one first, or raise its limit.',
  too_many_invitations:
    'The organization has as many open invitations as it can have. Revoke one, or wait until one is accepted.',
  already_invited:
    'The organization invites this address already. Send the invitation again, or revoke it first.',
  last_owner: 'The organization must keep an owner. Make another member an owner first.',
  last_admin:
    'There must always be at least one administrator. Grant `system:admin-access` directly to another enabled user without an expiry first.',
}

/** The requests that were in the way end within milliseconds, so a client need not wait longer. */
const busyRetrySeconds = 1

/** A person has to free space first. */
const storageFullRetrySeconds = 30

/** Returns the refusal that an error stands for, or undefined if the error is internal. */
export const toAppError = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error
  if (error instanceof BusyError)
    return new AppError(error instanceof ContentionError ? 'too_many_requests' : 'temporarily_unavailable', {
      ...omitUndefined({ reason: error.reason }),
      headers: { 'retry-after': String(busyRetrySeconds) },
    })
  if (error instanceof StorageFullError)
    return new AppError('temporarily_unavailable', {
      reason: 'storage_full',
      detail:
        'The disk of the service is full. Nothing was changed. Try again after an operator has freed space.',
      headers: { 'retry-after': String(storageFullRetrySeconds) },
    })
  if (!(error instanceof ConflictError)) return undefined
  const taken = error.fields ?? [takenFields.get(error.kind)].filter((field) => field !== undefined)
  return new AppError('conflict', {
    detail: conflictDetails[error.kind],
    ...(isReason(error.kind) ? { reason: error.kind } : {}),
    ...(taken.length > 0
      ? { errors: taken.map((field) => ({ field, message: 'is already taken', code: 'taken' })) }
      : {}),
  })
}

/** The field of the request whose value something else has. */
const takenFields: ReadonlyMap<ConflictKind, string> = new Map([
  ['name_taken', 'name'],
  ['client_id_taken', 'client_id'],
  ['audience_taken', 'audience'],
  ['entity_id_taken', 'entity_id'],
  ['slug_taken', 'slug'],
  ['external_id_taken', 'external_id'],
])

/** Whether an error refuses a request, in contrast to a failure of the service or of another one. */
export const isRefusal = (error: unknown): boolean => {
  const refusal = toAppError(error)
  return refusal !== undefined && problemKinds[refusal.code].status < 500
}

/** Pages and products show a message of their own for these conflicts, so they have a reason. */
const isReason = (kind: ConflictKind): boolean =>
  [
    'passkey_taken',
    'account_taken',
    'too_many_passkeys',
    'too_many_organization_tokens',
    'too_many_organizations',
    'slug_taken',
    'too_many_slug_changes',
    'too_many_former_slugs',
    'external_id_taken',
    'already_invited',
    'already_member',
    'too_many_invitations',
    'member_limit_reached',
    'last_owner',
  ].includes(kind)

/** Returns the refusal of a busy table for a request of which a part or all was committed. Other errors stay as they are. */
export const toPartlyChanged = (error: unknown): unknown =>
  error instanceof BusyError
    ? new AppError('temporarily_unavailable', {
        reason: 'partly_changed',
        detail:
          'The change was made, or a part of it, before the records that it needs were busy. Read what was changed, and do what is left.',
        headers: { 'retry-after': String(busyRetrySeconds) },
      })
    : error

/** Everything that a response or an error page shows of an error. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: ErrorCode
  readonly requestId: string
  readonly reason: string | undefined
  readonly errors: readonly FieldError[] | undefined
  /** For error pages: where to try again. Null for nowhere, undefined if the error does not say. */
  readonly tryAgain: string | null | undefined
  readonly page: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Describes an error for the caller. Nothing of an internal error is shown. */
export const toProblem = (error: unknown, requestId: string): Problem => {
  const { code, details } = toAppError(error) ?? new AppError('internal_error')
  const { status, detail } = problemKinds[code]
  return {
    status,
    title: buildTitle(code),
    detail: details.detail ?? detail,
    code,
    requestId,
    reason: details.reason,
    errors: details.errors,
    tryAgain: details.tryAgain,
    page: details.page ?? {},
    members: details.members,
    headers: details.headers ?? {},
  }
}

/** The code in words: `login_failed` becomes `Login failed`. */
const buildTitle = (code: ErrorCode): string =>
  code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ')

/** Builds the `application/problem+json` response of a problem (RFC 9457). */
export const buildProblemResponse = (problem: Problem): HttpResult => ({
  statusCode: problem.status,
  headers: { 'content-type': 'application/problem+json', ...problem.headers },
  body: JSON.stringify(toProblemBody(problem)),
})

/** The body of a problem. JSON omits fields that are undefined. */
export const toProblemBody = (problem: Problem) => ({
  type: `urn:latchkey:problem:${problem.code}`,
  title: problem.title,
  status: problem.status,
  detail: problem.detail,
  code: problem.code,
  request_id: problem.requestId,
  reason: problem.reason,
  errors: problem.errors,
  ...problem.members,
})
