import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { createGatewayResult, type GatewayAnswer } from './gateway-answers.ts'

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
