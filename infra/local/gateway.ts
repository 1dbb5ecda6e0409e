import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { corsHeaders, isPreflight } from './cors.ts'
import { createEvent, headerValues } from './event.ts'
import { createProblemResult, type Problem, problems } from './problem.ts'
import { readBody } from './request-body.ts'
import { reject, respond } from './respond.ts'
import { createRouter, type Route } from './routes.ts'

/** What may be printed about a request: its route but not its path, which can contain a secret. */
export interface RequestRecord {
  readonly routeKey: string
  readonly method: string
  /** 499 if the client disconnected before the response. */
  readonly status: number
  readonly durationMs: number
  /** The value of `X-Request-Id` in the response. */
  readonly requestId: string
}

export interface GatewayOptions {
  /** 0 selects a free port. */
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
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMs?: number
  /** How long a client may take to send the whole request. */
  readonly requestTimeoutMs?: number
}

export interface Gateway {
  readonly url: string
  readonly port: number
  /** Stops accepting requests, waits up to `graceMs` (default 0) for running ones, and closes all connections. */
  readonly close: (graceMs?: number) => Promise<void>
}

const maxHeaderBytes = 16 * 1024
const keepAliveMs = 30_000
const clientClosedRequest = 499

const mapClientError = (error: NodeJS.ErrnoException): Problem => {
  if (error.code === 'HPE_HEADER_OVERFLOW') return problems.headersTooLarge
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? problems.tooSlow : problems.malformed
}

/** Exactly one `Host` header is required, except in HTTP/1.0 (RFC 9112, section 3.2). */
const hasValidHost = (req: IncomingMessage): boolean => {
  const hosts = headerValues(req, 'host').length
  return hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')
}

/**
 * Serves HTTP like an API Gateway HTTP API with payload format 2.0. Rejects if it cannot listen on the port.
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const {
    host = '127.0.0.1',
    corsOrigins = [],
    headersTimeoutMs = 10_000,
    requestTimeoutMs = 30_000,
  } = options
  const findRoute = createRouter(options.routes)
  const running = new Set<ServerResponse>()
  let isClosing = false

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const method = req.method ?? 'GET'
    const match = findRoute(method, (req.url ?? '').split('?', 1)[0] ?? '')
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : clientClosedRequest
      options.onRequest?.({
        routeKey: match.routeKey,
        method,
        status,
        durationMs: performance.now() - startedAt,
        requestId,
      })
    })
    if (!hasValidHost(req)) {
      res.setHeader('connection', 'close')
      return respond(res, createProblemResult(problems.malformed, requestId), {})
    }
    const body = await readBody(req)
    const extraHeaders = { 'apigw-requestid': requestId, ...corsHeaders(req, corsOrigins) }
    const result =
      corsOrigins.length > 0 && isPreflight(req)
        ? { statusCode: 204 }
        : await options
            .invoke(match.target, createEvent({ req, body: body.bytes, match, requestId }))
            .catch(() => undefined)
    await body.rest
    if (body.rest || isClosing) res.setHeader('connection', 'close')
    try {
      respond(res, result ?? createProblemResult(problems.failed, requestId), extraHeaders)
    } catch {
      for (const name of res.getHeaderNames()) res.removeHeader(name)
      respond(res, createProblemResult(problems.failed, requestId), extraHeaders)
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
    // From here on, only the connection can fail.
    handle(req, res).catch(() => res.destroy())
  })
  server.on('clientError', (error, socket) => {
    const isResponding = [...running].some((res) => res.req.socket === socket && res.headersSent)
    if (socket.writable && !isResponding) reject(socket, mapClientError(error), randomUUID())
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
