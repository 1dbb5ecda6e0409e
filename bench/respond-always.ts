import { createServer } from 'node:http'
import { listenOnLoopback } from '../test/support/listen-on-loopback.ts'

/* A process that responds to all requests with the body that it receives first, and reports its URL to its parent. */

process.once('message', async (body: string) => {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(body) }
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, headers).end(body))
  })
  process.send?.((await listenOnLoopback(server)).url)
})
process.once('disconnect', () => process.exit())
