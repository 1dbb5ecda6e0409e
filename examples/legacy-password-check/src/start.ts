import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Question } from './question.ts'

/* Runs a function on this machine, for local mode. `CHECK` is the name of its file. */

const { CHECK = 'http-endpoint', PORT = '4000' } = process.env
const { handler } = await import(CHECK === 'cognito' ? './cognito.ts' : './http-endpoint.ts')

const server = createServer(async (request, response) => {
  try {
    const question = (await json(request)) as Question
    const answer = JSON.stringify(await handler(question))
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${PORT}/`)
})
