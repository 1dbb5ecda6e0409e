import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLoopback } from './listen-on-loopback.ts'

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
  const { url, close } = await listenOnLoopback(server)
  return {
    url: `${url}/metadata`,
    requests,
    serve: (content) => {
      respond = (_, response) =>
        void response.setHeader('content-type', 'application/samlmetadata+xml').end(content)
    },
    behave: (next) => {
      respond = next
    },
    close,
  }
}
