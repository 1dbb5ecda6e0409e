import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StubRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface StubAnswer {
  readonly status: number
  readonly body?: string
}

/** A small HTTP server that stands for a service of AWS. */
export const startStub = async (answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>) => {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const { status, body = '' } = await answer({
      method: req.method ?? '',
      headers: req.headers,
      body: Buffer.concat(chunks).toString(),
    })
    res.writeHead(status).end(body)
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
