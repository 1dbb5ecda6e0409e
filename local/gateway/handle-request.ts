import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createEvent } from './event.ts'
import {
  countHeadBytes,
  hasValidHost,
  integrationTimeoutMs,
  maxBodyBytes,
  maxHeadBytes,
  readRequestPath,
} from './request-head.ts'
import { createGatewayResult, type GatewayAnswer, gatewayAnswers, respond } from './respond.ts'
import { createRouter, type Invoke, invokeFunction, type Route } from './routes.ts'

/** What may be printed about a request: its route but not its path, which can contain a secret. */
export interface RequestRecord {
  readonly routeKey: string
  readonly method: string
  /** 499 if the client disconnected before the response. */
  readonly status: number
  readonly durationMs: number
  /** The origin of pages that asked whether they may call the service, and may not. */
  readonly blockedOrigin?: string | undefined
  /** The value of `Apigw-Requestid` in the response, and of the `X-Request-Id` of a function. */
  readonly requestId: string
}

export interface HandlerOptions {
  readonly routes: readonly Route[]
  /** Names requests in records by the path of an operation, where a route is greedy. */
  readonly nameRoute?: (method: string, routePath: string) => string
  readonly invoke: Invoke
  readonly onRequest?: (record: RequestRecord) => void
  /** How long a function may take. */
  readonly functionTimeoutMs?: number
  /** The throttling of the stage. Local mode has none. */
  readonly throttle?: ThrottleLimits
}

const clientClosedRequest = 499

/** Creates the function that answers a request. Its promise rejects if only the connection is left to fail. */
export const createRequestHandler = (options: HandlerOptions) => {
  const { functionTimeoutMs = integrationTimeoutMs } = options
  const findRoute = createRouter(options.routes)
  const takeToken = options.throttle ? createThrottle(options.throttle) : () => true

  /** Returns why no function is called, in the order in which the gateway checks it. */
  const findRefusal = (
    req: IncomingMessage,
    { isReadable }: { readonly isReadable: boolean },
  ): GatewayAnswer | undefined => {
    if (countHeadBytes(req) > maxHeadBytes) return gatewayAnswers.headTooLarge
    if (!hasValidHost(req) || !isReadable) return gatewayAnswers.malformed
    return takeToken() ? undefined : gatewayAnswers.throttled
  }

  return async (req: IncomingMessage, res: ServerResponse, isClosing: () => boolean): Promise<void> => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const method = req.method ?? 'GET'
    const path = readRequestPath(req.url ?? '')
    const match = findRoute(method, path?.routePath ?? '')
    const routeKey = options.nameRoute?.(method, path?.routePath ?? '') ?? match.routeKey
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : clientClosedRequest
      const durationMs = performance.now() - startedAt
      const blockedOrigin = findBlockedOrigin(req, res)
      options.onRequest?.({ routeKey, method, status, durationMs, requestId, blockedOrigin })
    })
    const body = await readBody(req)
    const refusal = findRefusal(req, { isReadable: path !== undefined })
    const answer = async () => {
      if (refusal) return createGatewayResult(refusal)
      if ('rest' in body) return createGatewayResult(gatewayAnswers.bodyTooLarge)
      const event = createEvent({ req, body, rawPath: path?.rawPath ?? '', match, requestId })
      return invokeFunction(() => options.invoke(match.target, event), event, functionTimeoutMs)
    }
    const result = await answer()
    if ('rest' in body) await body.rest
    if (refusal || 'rest' in body || isClosing()) res.setHeader('connection', 'close')
    const extraHeaders = { 'apigw-requestid': requestId }
    try {
      respond(res, result, extraHeaders)
    } catch {
      for (const name of res.getHeaderNames()) res.removeHeader(name)
      respond(res, createGatewayResult(gatewayAnswers.failed), extraHeaders)
    }
  }
}

/** Any page can send the header, so only what is an origin is returned. */
const findBlockedOrigin = ({ method, headers }: IncomingMessage, res: ServerResponse): string | undefined => {
  const { origin, 'access-control-request-method': asked } = headers
  const isPreflight = method === 'OPTIONS' && origin !== undefined && asked !== undefined
  if (!isPreflight || res.hasHeader('access-control-allow-origin')) return undefined
  return URL.parse(origin)?.origin === origin ? origin : undefined
}

interface ThrottleLimits {
  /** Requests per second in the long run. */
  readonly rateLimit: number
  /** Requests that may arrive at once. */
  readonly burstLimit: number
}

/**
 * Creates the token bucket with which API Gateway throttles a stage. The function that it returns takes a token for a
 * request, and returns false if there is none.
 */
const createThrottle = ({ rateLimit, burstLimit }: ThrottleLimits): (() => boolean) => {
  let tokens = burstLimit
  let filledAt = performance.now()
  return () => {
    const now = performance.now()
    tokens = Math.min(burstLimit, tokens + ((now - filledAt) / 1000) * rateLimit)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

const drainTimeoutMs = 2000
const maxDrainedBytes = 16 * 1024 * 1024

/** The body exceeds the limit of the gateway. */
interface OversizedBody {
  /**
   * Resolves when the client has sent the rest or far too much of it. A client that gets the response before it has
   * sent everything may never read the response.
   */
  readonly rest: Promise<void>
}

/** Reads the body up to the limit. Rejects if the client disconnects first. */
const readBody = (req: IncomingMessage): Promise<Buffer | OversizedBody> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= maxBodyBytes) return
      req.off('data', onData)
      resolve({ rest: drain(req) })
    }
    req.on('data', onData)
    req.once('end', () => resolve(Buffer.concat(chunks)))
    req.once('error', reject)
    // Each request closes, also after its end. An error that no one receives would cost more than the rest of this function.
    req.once('close', () => {
      if (!req.complete) reject(new Error('The client disconnected.'))
    })
  })

const drain = (req: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let length = 0
    const timer = setTimeout(resolve, drainTimeoutMs)
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxDrainedBytes) resolve()
    })
    req.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
