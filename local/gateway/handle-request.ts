import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { corsHeaders } from './cors.ts'
import { createEvent } from './event.ts'
import { createGatewayResult, type GatewayAnswer, gatewayAnswers } from './gateway-answers.ts'
import { type Invoke, invokeFunction } from './invoke-function.ts'
import { integrationTimeoutMs, maxHeadBytes } from './quotas.ts'
import { readBody } from './request-body.ts'
import { countHeadBytes, hasValidHost } from './request-head.ts'
import { readRequestPath } from './request-path.ts'
import { respond } from './respond.ts'
import { createRouter, type Route } from './routes.ts'
import { createThrottle, type ThrottleLimits } from './throttle.ts'

/** What may be printed about a request: its route but not its path, which can contain a secret. */
export interface RequestRecord {
  readonly routeKey: string
  readonly method: string
  /** 499 if the client disconnected before the response. */
  readonly status: number
  readonly durationMs: number
  /** The value of `Apigw-Requestid` in the response, and of the `X-Request-Id` of a function. */
  readonly requestId: string
}

export interface HandlerOptions {
  readonly routes: readonly Route[]
  readonly invoke: Invoke
  /** The origins whose pages may call the API from a browser. */
  readonly corsOrigins?: readonly string[]
  readonly onRequest?: (record: RequestRecord) => void
  /** How long a function may take. */
  readonly functionTimeoutMs?: number
  /** The throttling of the stage. Local mode has none. */
  readonly throttle?: ThrottleLimits
}

const clientClosedRequest = 499

/** Creates the function that answers a request. Its promise rejects if only the connection is left to fail. */
export const createRequestHandler = (options: HandlerOptions) => {
  const { corsOrigins = [], functionTimeoutMs = integrationTimeoutMs } = options
  const findRoute = createRouter(options.routes)
  const takeToken = options.throttle ? createThrottle(options.throttle) : () => true

  /** Returns why no function is called, in the order in which the gateway checks it. */
  const findRefusal = (req: IncomingMessage, isReadable: boolean): GatewayAnswer | undefined => {
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
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : clientClosedRequest
      const durationMs = performance.now() - startedAt
      options.onRequest?.({ routeKey: match.routeKey, method, status, durationMs, requestId })
    })
    const body = await readBody(req)
    const refusal = findRefusal(req, path !== undefined)
    const answer = async () => {
      if (refusal) return createGatewayResult(refusal)
      if ('rest' in body) return createGatewayResult(gatewayAnswers.bodyTooLarge)
      const event = createEvent({ req, body, rawPath: path?.rawPath ?? '', match, requestId })
      return invokeFunction(() => options.invoke(match.target, event), event, functionTimeoutMs)
    }
    const result = await answer()
    if ('rest' in body) await body.rest
    if (refusal || 'rest' in body || isClosing()) res.setHeader('connection', 'close')
    const extraHeaders = { 'apigw-requestid': requestId, ...corsHeaders(req, corsOrigins) }
    try {
      respond(res, result, extraHeaders)
    } catch {
      for (const name of res.getHeaderNames()) res.removeHeader(name)
      respond(res, createGatewayResult(gatewayAnswers.failed), extraHeaders)
    }
  }
}
