import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { corsHeaders, isPreflight } from './cors.ts'
import { eventOf, headerValues } from './event.ts'
import { type Problem, problemResult, problems } from './problem.ts'
import { readBody } from './request-body.ts'
import { refuse, respond } from './respond.ts'
import { type Route, routeChooser } from './routes.ts'

/** What may be told of a request: its route but not its path, which can hold a secret. */
export interface RequestRecord {
  readonly routeKey: string
  readonly method: string
  /** 499 when the client went away before it was answered. */
  readonly status: number
  readonly durationMs: number
  /** That of the answer’s `X-Request-Id`. */
  readonly requestId: string
}

export interface GatewayOptions {
  /** 0 for any free one. */
  readonly port: number
  readonly host?: string
  readonly routes: readonly Route[]
  readonly invoke: (
    target: string,
    event: APIGatewayProxyEventV2,
  ) => Promise<APIGatewayProxyStructuredResultV2>
  /** The origins whose pages may call the API from a browser. */
  readonly corsOrigins?: readonly string[]
  readonly onRequest?: (record: RequestRecord) => void
  /** How long a client may take over its headers, and over the whole request. */
  readonly headersTimeoutMs?: number
  readonly requestTimeoutMs?: number
}

export interface Gateway {
  readonly url: string
  readonly port: number
  /** Takes no more requests, lets the running ones finish for up to `graceMs` (none), and ends every connection. */
  readonly close: (graceMs?: number) => Promise<void>
}

const maxHeaderBytes = 16 * 1024
const keepAliveMs = 30_000
const clientGone = 499

const problemOf = (error: NodeJS.ErrnoException): Problem => {
  if (error.code === 'HPE_HEADER_OVERFLOW') return problems.headersTooLarge
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? problems.tooSlow : problems.malformed
}

/** RFC 9112 3.2: one `Host`, which HTTP/1.0 may leave out. */
const hasUsableHost = (req: IncomingMessage): boolean => {
  const hosts = headerValues(req, 'host').length
  return hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')
}

/**
 * Serves HTTP as an API Gateway HTTP API does, with payload format 2.0. Rejects when the port can't be listened on.
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const {
    host = '127.0.0.1',
    corsOrigins = [],
    headersTimeoutMs = 10_000,
    requestTimeoutMs = 30_000,
  } = options
  const choose = routeChooser(options.routes)
  const running = new Set<ServerResponse>()
  let isClosing = false

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const method = req.method ?? 'GET'
    const match = choose(method, (req.url ?? '').split('?', 1)[0] ?? '')
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : clientGone
      options.onRequest?.({
        routeKey: match.routeKey,
        method,
        status,
        durationMs: performance.now() - startedAt,
        requestId,
      })
    })
    if (!hasUsableHost(req)) {
      res.setHeader('connection', 'close')
      return respond(res, problemResult(problems.malformed, requestId), {})
    }
    const body = await readBody(req)
    const extraHeaders = { 'apigw-requestid': requestId, ...corsHeaders(req, corsOrigins) }
    const result =
      corsOrigins.length > 0 && isPreflight(req)
        ? { statusCode: 204 }
        : await options
            .invoke(match.target, eventOf(req, body.bytes, match, requestId))
            .catch(() => undefined)
    await body.rest
    if (body.rest || isClosing) res.setHeader('connection', 'close')
    try {
      respond(res, result ?? problemResult(problems.failed, requestId), extraHeaders)
    } catch {
      for (const name of res.getHeaderNames()) res.removeHeader(name)
      respond(res, problemResult(problems.failed, requestId), extraHeaders)
    }
  }

  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs),
    keepAliveTimeout: keepAliveMs,
    requireHostHeader: false,
  })
  server.on('request', (req, res) => {
    running.add(res)
    res.once('close', () => running.delete(res))
    // All that can fail from here on is the connection.
    answer(req, res).catch(() => res.destroy())
  })
  server.on('clientError', (error, socket) => {
    const isAnswering = [...running].some((res) => res.req.socket === socket && res.headersSent)
    if (socket.writable && !isAnswering) refuse(socket, problemOf(error), randomUUID())
    else socket.destroy()
  })

  server.listen(options.port, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  const close = async (graceMs = 0): Promise<void> => {
    isClosing = true
    server.close()
    const deadline = performance.now() + graceMs
    while (running.size > 0 && performance.now() < deadline) await sleep(10)
    server.closeAllConnections()
    await closed
  }
  return { url: `http://${host}:${port}`, port, close }
}
