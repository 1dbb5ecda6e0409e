import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { createProblemResult, type Problem } from './problem.ts'

/** Headers that the gateway sets, because they belong to the connection instead of the response. */
const connectionHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** How long a rejected client has to read the response. */
const lingerMs = 1000

/**
 * Sends the result of a function. Throws before sending anything if the result is invalid: no status, or a header that
 * HTTP does not allow.
 */
export const respond = (
  res: ServerResponse,
  result: APIGatewayProxyStructuredResultV2,
  extraHeaders: Readonly<Record<string, string>>,
): void => {
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result
  if (!Number.isInteger(statusCode) || statusCode === undefined || statusCode < 200 || statusCode > 599) {
    throw new Error(`A function returned an invalid status: ${statusCode}`)
  }
  const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  for (const [name, value] of Object.entries(headers)) {
    if (!connectionHeaders.has(name.toLowerCase())) res.setHeader(name, String(value))
  }
  for (const [name, value] of Object.entries(extraHeaders)) {
    if (name === 'vary') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  if (cookies.length > 0) res.setHeader('set-cookie', cookies)
  if (content.length > 0 && !res.hasHeader('content-type')) {
    res.setHeader('content-type', 'text/plain;charset=utf-8')
  }
  if (statusCode !== 204 && statusCode !== 304) res.setHeader('content-length', content.length)
  res.writeHead(statusCode)
  res.end(content)
}

/** Sends a problem over a connection without a readable request, and closes it. */
export const reject = (socket: Duplex, problem: Problem, requestId: string): void => {
  const { headers, body = '' } = createProblemResult(problem, requestId)
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // The client may never stop sending.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
