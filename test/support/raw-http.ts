import { once } from 'node:events'
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ExactAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type ExactRequest = RequestOptions & { readonly body?: string | Buffer }

/** Sends a request to this machine with `node:http`, which sends the path exactly as given. `fetch` normalizes it. */
export const sendExactly = async (
  port: number,
  path: string,
  { body, ...options }: ExactRequest = {},
): Promise<ExactAnswer> => {
  const req = request({ host: '127.0.0.1', port, path, agent: false, ...options })
  req.end(body)
  const [res] = await once(req, 'response')
  return { status: res.statusCode, headers: res.headers, body: await text(res) }
}

/** Writes bytes to a connection and returns all received bytes until it is closed. */
export const sendBytes = async (port: number, bytes: string | Buffer): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(bytes)
  return text(socket)
}
