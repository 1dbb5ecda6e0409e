import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { type SentEmails, serveMailViewer, type ViewerAnswer } from './mail-viewer.ts'

const { port, serviceUrl } = workerData as { readonly port: number; readonly serviceUrl: string }

/** Loads the endpoint for emails. It is a web framework, which would delay the start. */
const loadEndpoint = async (): Promise<RequestListener> => {
  const { default: ses } = await import('aws-ses-v2-local')
  const server = await ses.default({ host: '127.0.0.1', port: 0 })
  const [listener] = server.listeners('request') as RequestListener[]
  // The requests come from the server below.
  server.close()
  if (!listener) throw new Error('The mail endpoint has no listener.')
  return listener
}

let endpoint: Promise<RequestListener> | undefined
const getEndpoint = (): Promise<RequestListener> => {
  endpoint ??= loadEndpoint()
  return endpoint
}

/** What the library keeps, from its own endpoint. */
const sent: SentEmails = {
  list: async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/store`)
    return ((await answer.json()) as { readonly emails: Awaited<ReturnType<SentEmails['list']>> }).emails
  },
  readSource: async (messageId) => {
    const query = new URLSearchParams({ messageId })
    const answer = await fetch(`http://127.0.0.1:${port}/get-emlContent?${query}`)
    const { body } = (await answer.json()) as { readonly body: { readonly data: readonly number[] } }
    return Buffer.from(body.data).toString()
  },
}

const answerPage = async (target: string): Promise<ViewerAnswer | undefined> => {
  if (!target.startsWith('/previews')) return serveMailViewer(target, sent)
  const { servePreview } = await import('./previews/serve.ts')
  const preview = await servePreview(target, serviceUrl)
  return preview && { ...preview, status: 200, headers: {} }
}

const isPage = (target: string): boolean => /^\/(?:$|[?]|emails\/|previews)/.test(target)

/** Emails have links that sign people in. A name of another site that leads here must not let its scripts read them. */
const isLocal = (host: string | undefined): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host ?? '')

/**
 * Whether a page of another site or another port sends the request. Browsers let any page post a form to this machine, and an email that it
 * sends looks like one of the service. Programs send neither header.
 */
const isFromOtherPage = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'] ?? 'none'
  const origin = headers.origin ?? `http://${headers.host}`
  return !['same-origin', 'none'].includes(String(site)) || origin !== `http://${headers.host}`
}

const server = createServer(async (request, response) => {
  const target = request.url ?? '/'
  try {
    if (!isLocal(request.headers.host)) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end('Use localhost to see emails.')
      return
    }
    const answer = request.method === 'GET' && isPage(target) ? await answerPage(target) : undefined
    if (answer)
      response
        .writeHead(answer.status, {
          'content-type': answer.contentType,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          ...answer.headers,
        })
        .end(answer.body)
    else if (isFromOtherPage(request))
      response
        .writeHead(403, { 'content-type': 'text/plain' })
        .end('Pages of other origins cannot use this endpoint.')
    else (await getEndpoint())(request, response)
  } catch (error) {
    response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error))
  }
})
server.listen(port, '127.0.0.1')
await once(server, 'listening')
parentPort?.postMessage('ready')
