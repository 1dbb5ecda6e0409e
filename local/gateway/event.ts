import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { headerValues } from './request-head.ts'
import type { RouteMatch } from './routes.ts'

/*
 * Events have the form of the API Gateway Developer Guide, "Create AWS Lambda proxy integrations for HTTP APIs", and of those
 * that `hotsock/voker` recorded on AWS (`vokerhttp/testdata/apigwv2-request.json`). Which bodies are text was recorded for
 * `ministackorg/ministack` pull request 766 and `dherault/serverless-offline` pull request 1776. That an encoded body is
 * base64 of any type is assumed.
 */

/** Headers of a single connection never reach a function, and cookies have their own field. */
const unforwarded = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'cookie',
])

/** Joins the values of each name with a comma, as API Gateway does with headers and query parameters. */
const joinValues = (pairs: Iterable<readonly [string, string]>): Record<string, string> => {
  const values = new Map<string, string>()
  for (const [name, value] of pairs) {
    const earlier = values.get(name)
    values.set(name, earlier === undefined ? value : `${earlier},${value}`)
  }
  return Object.fromEntries(values)
}

/** API Gateway states the length of every body, and a type for an empty body whose length the client states. */
const describeBody = (req: IncomingMessage, length: number): Record<string, string> => ({
  ...(req.headers['content-length'] === '0' ? { 'content-type': 'text/plain; charset=utf-8' } : {}),
  'content-length': String(length),
})

const readHeaders = (req: IncomingMessage, sourceIp: string, length: number): Record<string, string> => {
  const names = req.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
  const sent = names.map((name, i) => [name, req.rawHeaders[2 * i + 1] ?? ''] as const)
  const headers = joinValues(sent.filter(([name]) => !unforwarded.has(name)))
  const forwardedFor = headers['x-forwarded-for']
  return {
    ...describeBody(req, length),
    ...headers,
    'x-forwarded-for': forwardedFor ? `${forwardedFor}, ${sourceIp}` : sourceIp,
    'x-forwarded-port': String(req.socket.localPort),
    'x-forwarded-proto': 'http',
    'x-amzn-trace-id': `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomUUID().replaceAll('-', '').slice(0, 24)}`,
  }
}

const readCookies = (req: IncomingMessage): string[] =>
  headerValues(req, 'cookie')
    .flatMap((value) => value.split(';'))
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '')

const textTypes = /^(text\/.*|application\/(json|xml|javascript))$/

/** A body is text only for few types. An encoded one, such as gzip, is base64 of any type and stays compressed. */
const encodeBody = (req: IncomingMessage, body: Buffer) => {
  if (body.length === 0) return { isBase64Encoded: false }
  const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isText = textTypes.test(type) && !req.headers['content-encoding'] && isUtf8(body)
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `20/Nov/2026:05:06:07 +0000` */
const logTime = (time: Date): string => {
  const iso = time.toISOString()
  return `${iso.slice(8, 10)}/${months[time.getUTCMonth()]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`
}

const mappedIpv4 = /^::ffff:(?=\d+\.)/i

export interface ReceivedRequest {
  readonly req: IncomingMessage
  readonly body: Buffer
  readonly rawPath: string
  readonly match: RouteMatch
  readonly requestId: string
}

/** Creates the event that API Gateway sends for the request, in payload format 2.0. */
export const createEvent = (request: ReceivedRequest): APIGatewayProxyEventV2 => {
  const { req, body, rawPath, match, requestId } = request
  const rawQueryString = (req.url ?? '').split('?').slice(1).join('?')
  const queryStringParameters = joinValues(new URLSearchParams(rawQueryString))
  const cookies = readCookies(req)
  const method = req.method ?? 'GET'
  // The address of the connection, which no header can change.
  const sourceIp = (req.socket.remoteAddress ?? '').replace(mappedIpv4, '')
  const now = new Date()
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers: readHeaders(req, sourceIp, body.length),
    ...(rawQueryString === '' ? {} : { queryStringParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: req.headers.host ?? '',
      domainPrefix: 'local',
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${req.httpVersion}`,
        sourceIp,
        userAgent: req.headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: match.routeKey,
      stage: '$default',
      time: logTime(now),
      timeEpoch: now.getTime(),
    },
    ...(Object.keys(match.pathParameters).length > 0 ? { pathParameters: match.pathParameters } : {}),
    ...encodeBody(req, body),
  }
}
