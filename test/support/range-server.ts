import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLoopback } from './listen-on-loopback.ts'

type Responder = (request: IncomingMessage, response: ServerResponse) => void

/** Returns the last 35 hex digits of a password's SHA-1, which are never sent. */
export const suffixOf = (password: string): string => sha1(password).slice(5)
export const prefixOf = (password: string): string => sha1(password).slice(0, 5)
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase()

/** Creates lines of padding like the real service: unused suffixes with a count of zero. */
export const padding = (lines = 800): string[] =>
  Array.from({ length: lines }, (_, at) => `${at.toString(16).toUpperCase().padStart(35, '0')}:0`)

/** Starts a stub of the Have I Been Pwned range API on loopback. A test sets its behavior. */
export const startRangeServer = async () => {
  const requests: { url: string; headers: IncomingMessage['headers'] }[] = []
  let respond: Responder = (_, response) => response.end(padding().join('\r\n'))
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers })
    respond(request, response)
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    url: `${url}/range/`,
    requests,
    behave: (next: Responder) => {
      respond = next
    },
    answer: (lines: readonly string[]) => {
      respond = (_, response) => response.end([...padding(400), ...lines, ...padding(400)].join('\r\n'))
    },
    close,
  }
}
