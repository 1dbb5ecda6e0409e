import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'

/** The settings of the stack that limit all requests together. */
const limits = [
  'requestsPerSecond',
  'requestsInBurst',
] as const satisfies readonly (keyof typeof stackSettings)[]

type Result = APIGatewayProxyStructuredResultV2

/** Headers that the gateway sets, because they belong to the connection instead of the response. */
const connectionHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** How long a rejected client has to read the response. */
const lingerMs = 1000

/** API Gateway answers 200 with the whole result as JSON for a function whose result has no status. */
const inferResponse = (result: Result | null | undefined): Result =>
  result?.statusCode === undefined
    ? {
        statusCode: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(result ?? null),
      }
    : result

/** A function answers HEAD without a body, and states the length of the body that GET would have. */
const readLength = (headers: NonNullable<Result['headers']>): string | undefined => {
  const [, length] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length') ?? []
  return length === undefined ? undefined : String(length)
}

/**
 * Sends the result of a function. Throws before sending anything if the result is invalid: a status that does not
 * exist, or a header that HTTP does not allow.
 */
export const respond = (
  res: ServerResponse,
  result: Result | null | undefined,
  extraHeaders: Readonly<Record<string, string>>,
): void => {
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = inferResponse(result)
  if (!Number.isInteger(statusCode) || statusCode === undefined || statusCode < 200 || statusCode > 599) {
    throw new Error(`A function returned an invalid status: ${statusCode}`)
  }
  // Node.js sends a text together with the head, but a buffer apart from it.
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : String(body)
  const contentLength = Buffer.byteLength(content)
  for (const [name, value] of Object.entries(headers)) {
    if (!connectionHeaders.has(name.toLowerCase())) res.setHeader(name, String(value))
  }
  for (const [name, value] of Object.entries(extraHeaders)) {
    if (name === 'vary') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  if (cookies.length > 0) res.setHeader('set-cookie', cookies)
  if (contentLength > 0 && !res.hasHeader('content-type')) {
    res.setHeader('content-type', 'text/plain;charset=utf-8')
  }
  const length = res.req.method === 'HEAD' ? readLength(headers) : contentLength
  if (statusCode !== 204 && statusCode !== 304 && length !== undefined)
    res.setHeader('content-length', length)
  res.writeHead(statusCode)
  res.end(content)
}

/** Answers over a connection without a readable request, and closes it. */
export const reject = (socket: Duplex, answer: GatewayAnswer, requestId: string): void => {
  const { headers, body = '' } = createGatewayResult(answer)
  const lines = Object.entries({ ...headers, 'apigw-requestid': requestId }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // The client may never stop sending.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/**
 * The answers that API Gateway gives itself, for requests that no function answers. They are not problems (RFC 9457):
 * clients of the deployed service get this form as well.
 *
 * Sources: API Gateway Developer Guide, "Throttle requests to your HTTP APIs" (429); `LargePayloadTests.cs` and
 * `InvokeResponseExtensions.cs` in the test tool of `aws/aws-lambda-dotnet` (413, 500); `denoland/deno_registry2` issue 87
 * (500); `anomalyco/sst` issue 2232 and `serverless/serverless` issue 11222 (503). The statuses 408 and 431 are assumed.
 */
export const gatewayAnswers = {
  malformed: {
    status: 400,
    message: 'Bad Request',
    when: 'The request is not well-formed HTTP, or the path has a malformed escape such as `%zz`.',
  },
  tooSlow: { status: 408, message: 'Request Timeout', when: 'The request took too long to arrive.' },
  bodyTooLarge: {
    status: 413,
    message: 'Request Entity Too Large',
    when: 'The body has more than about 6 MB. A binary body may have about 4.5 MB.',
  },
  throttled: {
    status: 429,
    message: 'Too Many Requests',
    when: `The service gets more requests than its settings \`${limits.join('` and `')}\` allow. Retry with increasing delays.`,
  },
  headTooLarge: {
    status: 431,
    message: 'Request Header Fields Too Large',
    when: 'The request line and the headers have more than 10,240 bytes together.',
  },
  failed: {
    status: 500,
    message: 'Internal Server Error',
    when: 'A function failed or took longer than its timeout.',
  },
  unavailable: {
    status: 503,
    message: 'Service Unavailable',
    when: 'No function was free, or it took 30 seconds. Retry with increasing delays.',
  },
} as const

export type GatewayAnswer = (typeof gatewayAnswers)[keyof typeof gatewayAnswers]

/** Creates the response for an answer, in the form that a function returns. */
export const createGatewayResult = ({
  status,
  message,
}: GatewayAnswer): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
})
