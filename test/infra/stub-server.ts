import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '../support/listen-on-loopback.ts'

export interface StubRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface StubAnswer {
  readonly status: number
  readonly body?: string
  /** Breaks the connection after half of the body. */
  readonly isCutOff?: boolean
}

/**
 * Starts a small HTTP server that replaces an AWS service. It breaks the connection if there is no answer. Its answers have the time
 * of a clock, which tests can move.
 */
export const startStub = async (
  answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>,
  readTime: () => number = () => Date.now(),
) => {
  const server = createServer(async (req, res) => {
    const body = await text(req).catch(() => undefined)
    if (body === undefined) return // The client disconnected.
    const request = { method: req.method ?? '', path: req.url ?? '', headers: req.headers, body }
    const answered = await Promise.resolve(answer(request)).catch(() => undefined)
    if (answered?.isCutOff) sendHalf(res, answered)
    else if (answered)
      res.writeHead(answered.status, { date: new Date(readTime()).toUTCString() }).end(answered.body ?? '')
    else res.destroy()
  })
  return listenOnLoopback(server)
}

const sendHalf = (res: ServerResponse, { status, body = '' }: StubAnswer): void => {
  res.writeHead(status, { 'content-length': Buffer.byteLength(body) })
  res.write(body.slice(0, Math.floor(body.length / 2)), () => res.destroy())
}
