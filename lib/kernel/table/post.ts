import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export interface PostTimeouts {
  /** The longest time to a new connection. */
  readonly connectMs: number
  /** The longest time from the request to the end of the response. */
  readonly totalMs: number
}

export interface PostResponse {
  readonly status: number
  readonly text: string
  /** The time of the server, as its header says it. */
  readonly date?: string | undefined
}

/** Sends a body to one server. @throws ConnectionError if there is no complete response in time */
export type Post = (headers: Readonly<Record<string, string>>, body: string) => Promise<PostResponse>

/** A request whose response did not arrive. The server may have done the work all the same. */
export class ConnectionError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ConnectionError'
  }
}

/**
 * Returns a function that posts to one URL over connections that stay open. It uses `node:http` without anything above it,
 * because a request of the service makes several calls, and each layer costs CPU time.
 */
export const createPost = (url: URL, { connectMs, totalMs }: PostTimeouts): Post => {
  const isSecure = url.protocol === 'https:'
  const options = { keepAlive: true, maxSockets: 50 }
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options)
  const open = isSecure ? httpsRequest : httpRequest
  const target = { method: 'POST', host: url.hostname, port: url.port, path: url.pathname, agent }
  return (headers, body) =>
    new Promise((resolve, reject) => {
      const request = open({ ...target, headers })
      const fail = (message: string, cause?: unknown) => {
        clearTimeout(deadline)
        request.destroy()
        reject(new ConnectionError(message, cause))
      }
      const deadline = setTimeout(() => fail(`no response within ${totalMs} ms`), totalMs)
      request.on('socket', (socket) => {
        if (!socket.connecting) return
        const timer = setTimeout(() => fail(`no connection within ${connectMs} ms`), connectMs)
        const stop = () => clearTimeout(timer)
        socket.once('connect', stop).once('close', stop)
      })
      request.on('error', (error) => fail('the connection failed', error))
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => fail('the response broke off', error))
        response.on('end', () => {
          clearTimeout(deadline)
          const [first] = chunks
          const bytes = first && chunks.length === 1 ? first : Buffer.concat(chunks)
          resolve({
            status: response.statusCode ?? 0,
            text: bytes.toString(),
            date: response.headers.date,
          })
        })
      })
      request.end(body)
    })
}
