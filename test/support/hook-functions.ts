import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { GivenHooks, HookName } from '../../lib/kernel/settings/hooks.ts'
import type { JsonValue } from './client.ts'
import { listenOnLoopback } from './listen-on-loopback.ts'

export type HookResponder = (question: JsonValue, response: ServerResponse) => unknown

const sendJson = (response: ServerResponse, answer: unknown) =>
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))

/** What functions do that do not behave. Each is a promised outcome of the documentation. */
export const misbehaviors: Readonly<Record<string, HookResponder>> = {
  'does not answer in time': () => {},
  'breaks the connection': (_, response) => response.destroy(),
  throws: (_, response) => {
    response.setHeader('x-amz-function-error', 'Unhandled')
    sendJson(response, { errorType: 'Error', errorMessage: 'no database' })
  },
  'answers garbage': (_, response) => sendJson(response, '<html>'),
  'answers nothing': (_, response) => sendJson(response, 'null'),
  'answers a list': (_, response) => sendJson(response, []),
  'answers 6 MB': (_, response) => sendJson(response, JSON.stringify({ claims: { plan: 'x'.repeat(6e6) } })),
  'answers 1,000 claims': (_, response) =>
    sendJson(response, {
      claims: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`c${at}`, at])),
    }),
  'answers __proto__': (_, response) =>
    sendJson(response, '{"__proto__": {"decision": "continue"}, "claims": {"__proto__": {"plan": "pro"}}}'),
  'was deleted': (_, response) => {
    response.statusCode = 404
    sendJson(response, { decision: 'continue', claims: { plan: 'pro' } })
  },
  'lost its permission': (_, response) => {
    response.statusCode = 403
    sendJson(response, { decision: 'continue', claims: { plan: 'pro' } })
  },
  'is throttled': (_, response) => {
    response.statusCode = 429
    sendJson(response, { decision: 'continue', claims: { plan: 'pro' } })
  },
}

/** Starts the functions of a product on loopback. A test says what they answer. */
export const startHookFunctions = async () => {
  const questions: JsonValue[] = []
  let respond: HookResponder = (_, response) => sendJson(response, {})
  const server = createServer(async (request: IncomingMessage, response) => {
    const question = await json(request)
    questions.push(question as JsonValue)
    await respond(question as JsonValue, response)
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    /** All questions so far, in their order. */
    questions,
    behave: (next: HookResponder) => {
      respond = next
    },
    answer: (answer: unknown) => {
      respond = (_, response) => sendJson(response, answer)
    },
    /** The settings of a service that asks them. */
    settingsFor: (hooks: { readonly [Name in HookName]?: Partial<NonNullable<GivenHooks[Name]>> }) => ({
      HOOKS: JSON.stringify(
        Object.fromEntries(
          Object.entries(hooks).map(([name, hook]) => [name, { function: `${url}/${name}`, ...hook }]),
        ),
      ),
    }),
    close: () => {
      server.closeAllConnections()
      return close()
    },
  }
}
