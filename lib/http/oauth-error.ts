import type { ErrorCode } from '../errors/errors.ts'
import type { HttpResult } from './http-types.ts'
import type { Problem } from './problem.ts'

/** The codes of RFC 6749 5.2 and 4.1.2.1 for errors of the steps before a use case. Others are invalid requests. */
const oauthCodes: Partial<Readonly<Record<ErrorCode, string>>> = {
  not_authenticated: 'invalid_client',
  too_many_requests: 'temporarily_unavailable',
  internal_error: 'server_error',
}

/** Builds the response of a problem as clients of OAuth expect it. */
export const buildOAuthErrorResponse = ({
  code,
  detail,
  status,
  headers,
  errors = [],
}: Problem): HttpResult => {
  const [first] = errors
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      error: oauthCodes[code] ?? 'invalid_request',
      error_description: first ? `${first.field} ${first.message}` : detail,
    }),
  }
}
