import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MetadataServer {
  /** The URL of the metadata. */
  readonly url: string
  readonly requests: readonly string[]
  readonly serve: (content: string | Uint8Array) => void
  readonly behave: (respond: (request: IncomingMessage, response: ServerResponse) => void) => void
  readonly close: () => Promise<void>
}

/** Starts a stub of the web server of an identity provider, on loopback and without TLS. */
export const startMetadataServer = async (): Promise<MetadataServer> => {
  const requests: string[] = []
  let respond = (_request: IncomingMessage, response: ServerResponse): void => {
    response.end()
  }
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    respond(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`,
    requests,
    serve: (content) => {
      respond = (_, response) =>
        void response.setHeader('content-type', 'application/samlmetadata+xml').end(content)
    },
    behave: (next) => {
      respond = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
