import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRequestHandler, type HandlerOptions } from './handle-request.ts'
import { maxHeadBytes } from './request-head.ts'
import { type GatewayAnswer, gatewayAnswers, reject } from './respond.ts'

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

/** The most requests that a connection may send before the first of them is answered. */
export const maxWaitingRequests = 32

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
  /** Per connection with a running request: the requests that were sent after it. */
  const waiting = new WeakMap<Socket, ServerResponse[]>()
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
  const begin = (socket: Socket, res: ServerResponse) => {
    running.add(res)
    res.once('close', () => {
      running.delete(res)
      // No one would read the answers on a closed connection.
      const next = socket.writable ? waiting.get(socket)?.shift() : undefined
      if (next) begin(socket, next)
      else waiting.delete(socket)
    })
    // From here on, only the connection can fail.
    handle(res.req, res, () => isClosing).catch(() => res.destroy())
  }
  // Node.js reports pipelined requests at once. Their answers have to wait for each other, so their work does as well.
  server.on('request', (req, res) => {
    const { socket } = req
    if (!socket.writable) return
    const others = waiting.get(socket)
    if (!others) {
      waiting.set(socket, [])
      begin(socket, res)
    } else if (others.length < maxWaitingRequests) others.push(res)
    else socket.destroy()
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
