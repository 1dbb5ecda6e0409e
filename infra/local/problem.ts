import { STATUS_CODES } from 'node:http'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { protectiveHeaders } from '../../lib/http/headers.ts'

/** The responses of the gateway itself, for requests that no handler could answer. */
export const problems = {
  malformed: { status: 400, code: 'invalid_request', detail: 'The request is not well-formed HTTP.' },
  tooSlow: { status: 408, code: 'request_timeout', detail: 'The request took too long to arrive.' },
  headersTooLarge: { status: 431, code: 'headers_too_large', detail: 'The headers are larger than 16 KB.' },
  failed: { status: 500, code: 'internal_error', detail: 'The request could not be processed.' },
  busy: { status: 503, code: 'unavailable', detail: 'Too many requests are waiting. Try again shortly.' },
  timedOut: { status: 503, code: 'unavailable', detail: 'The request took too long and was canceled.' },
} as const

export type Problem = (typeof problems)[keyof typeof problems]

/** Creates the problem response (RFC 9457) with the request id. */
export const createProblemResult = (
  problem: Problem,
  requestId: string,
): APIGatewayProxyStructuredResultV2 => {
  const { status, code, detail } = problem
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...protectiveHeaders,
      'x-request-id': requestId,
      ...(problem === problems.busy ? { 'retry-after': '1' } : {}),
    },
    body: JSON.stringify({
      type: `urn:latchkey:problem:${code}`,
      title: STATUS_CODES[status],
      status,
      detail,
      code,
      request_id: requestId,
    }),
  }
}
