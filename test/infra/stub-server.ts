import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface StubRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface StubAnswer {
  readonly status: number
  readonly body?: string
}

/** Starts a small HTTP server that replaces an AWS service. It breaks the connection if there is no answer. */
export const startStub = async (answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>) => {
  const server = createServer(async (req, res) => {
    const body = await text(req).catch(() => undefined)
    if (body === undefined) return // The client disconnected.
    const request = { method: req.method ?? '', headers: req.headers, body }
    const answered = await Promise.resolve(answer(request)).catch(() => undefined)
    if (answered) res.writeHead(answered.status).end(answered.body ?? '')
    else res.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
