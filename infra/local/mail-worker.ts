import type { RequestListener } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import ses from 'aws-ses-v2-local'
import { servePreview } from './previews/serve.ts'

const { port, serviceUrl } = workerData as { readonly port: number; readonly serviceUrl: string }

const server = await ses.default({ host: '127.0.0.1', port })
const [showEmails] = server.listeners('request') as RequestListener[]

/** The page of the library, with a link to the previews. This header asks for it as it is. */
const originalHeader = 'x-original-page'
const readPage = async (): Promise<string> => {
  const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { [originalHeader]: '1' } })).text()
  return page.replace('</h1>', '</h1>\n<a href="/previews">Previews of all emails</a>&nbsp;')
}

const answerPage = async (target: string) =>
  target === '/'
    ? { contentType: 'text/html; charset=utf-8', body: await readPage() }
    : servePreview(target, serviceUrl)

server.removeAllListeners('request')
server.on('request', (request, response) => {
  const target = request.url ?? '/'
  const isPage = request.method === 'GET' && (target === '/' || target.startsWith('/previews'))
  if (!isPage || request.headers[originalHeader]) return showEmails?.(request, response)
  answerPage(target).then(
    (answer) => {
      if (!answer) return showEmails?.(request, response)
      response.writeHead(200, { 'content-type': answer.contentType }).end(answer.body)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
parentPort?.postMessage('ready')
