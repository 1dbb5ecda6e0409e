import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { type Problem, problemResult } from './problem.ts'

/** The gateway's to say: they belong to the connection and not to the answer. */
const ownHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** How long a refused client has for reading why. */
const lingerMs = 1000

/**
 * Sends a function's answer. Throws, with nothing sent, when it is none: no status, or a header that HTTP can't
 * carry.
 */
export const respond = (
  res: ServerResponse,
  result: APIGatewayProxyStructuredResultV2,
  extraHeaders: Readonly<Record<string, string>>,
): void => {
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result
  if (!Number.isInteger(statusCode) || statusCode === undefined || statusCode < 200 || statusCode > 599) {
    throw new Error(`A function answered without a usable status: ${statusCode}`)
  }
  const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  for (const [name, value] of Object.entries(headers)) {
    if (!ownHeaders.has(name.toLowerCase())) res.setHeader(name, String(value))
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

/** Sends a problem over a bare connection, on which no request could be read, and ends it. */
export const refuse = (socket: Duplex, problem: Problem, requestId: string): void => {
  const { headers, body = '' } = problemResult(problem, requestId)
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // The other side may go on sending for ever.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
