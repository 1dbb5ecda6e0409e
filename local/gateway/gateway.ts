import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatewayAnswer, gatewayAnswers } from './gateway-answers.ts'
import { createRequestHandler, type HandlerOptions } from './handle-request.ts'
import { maxHeadBytes } from './quotas.ts'
import { reject } from './respond.ts'

export interface GatewayOptions extends HandlerOptions {
  /** 0 selects a free port. */
  readonly port: number
  readonly host?: string
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

/** Node stops reading here. It is above the quota, so that most clients can read why they are rejected. */
const maxParsedHeadBytes = 2 * maxHeadBytes
const keepAliveMs = 30_000

const mapClientError = (error: NodeJS.ErrnoException): GatewayAnswer => {
  if (error.code === 'HPE_HEADER_OVERFLOW') return gatewayAnswers.headTooLarge
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? gatewayAnswers.tooSlow : gatewayAnswers.malformed
}

/**
 * Serves HTTP like an API Gateway HTTP API with payload format 2.0, with its path decoding, limits and own answers.
 * Rejects if it cannot listen on the port.
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { host = '127.0.0.1', headersTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = options
  const handle = createRequestHandler(options)
  const running = new Set<ServerResponse>()
  let isClosing = false

  const server = createServer({
    maxHeaderSize: maxParsedHeadBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs),
    keepAliveTimeout: keepAliveMs,
    requireHostHeader: false,
  })
  // The size of the headers is limited. Node would silently drop headers beyond 2,000.
  server.maxHeadersCount = 0
  server.on('request', (req, res) => {
    running.add(res)
    res.once('close', () => running.delete(res))
    // From here on, only the connection can fail.
    handle(req, res, () => isClosing).catch(() => res.destroy())
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
