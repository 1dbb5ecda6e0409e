import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

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

/** The page of the library, with a link to the previews. This header asks for it as it is. */
const originalHeader = 'x-original-page'
const readPage = async (): Promise<string> => {
  const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { [originalHeader]: '1' } })).text()
  return page.replace('</h1>', '</h1>\n<a href="/previews">Previews of all emails</a>&nbsp;')
}

const answerPage = async (target: string) => {
  if (target === '/') return { contentType: 'text/html; charset=utf-8', body: await readPage() }
  const { servePreview } = await import('./previews/serve.ts')
  return servePreview(target, serviceUrl)
}

const server = createServer(async (request, response) => {
  const target = request.url ?? '/'
  const isPage = request.method === 'GET' && (target === '/' || target.startsWith('/previews'))
  try {
    const answer = isPage && !request.headers[originalHeader] ? await answerPage(target) : undefined
    if (answer) response.writeHead(200, { 'content-type': answer.contentType }).end(answer.body)
    else (await getEndpoint())(request, response)
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
})
server.listen(port, '127.0.0.1')
await once(server, 'listening')
parentPort?.postMessage('ready')
