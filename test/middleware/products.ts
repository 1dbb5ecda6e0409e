import { createServer } from 'node:http'
import middy from '@middy/core'
import express from 'express'
import { Hono } from 'hono'
import type { Middleware, WithUser } from '../../lib/middleware/connect-frameworks.ts'
import { createLambdaContext } from '../support/lambda-context.ts'
import { type LoopbackServer, listenOnLoopback } from '../support/listen-on-loopback.ts'

/** What a product sends back: the name of the caller, or the code of a problem. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly caller?: string; readonly code?: string; readonly reason?: string }
}
interface Sent {
  readonly method?: string
  readonly path?: '/anyone' | '/viewers'
  readonly headers?: Readonly<Record<string, string>>
}
export type Product = (sent: Sent) => Promise<Answer>

/** Products that use the same middleware with different frameworks. `/viewers` requires the permission `users:view`. */
export interface Products {
  readonly call: (framework: Framework) => Product
  /** The address of the product with Express. */
  readonly expressUrl: string
  readonly close: () => Promise<void>
}

export const frameworks = [
  'hono',
  'express',
  'lambda behind an HTTP API',
  'lambda behind a REST API',
  'middy',
  'web',
] as const
export type Framework = (typeof frameworks)[number]

const toAnswer = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  body: (await response.json()) as Answer['body'],
})

/** What both kinds of middleware know of a user. */
interface Caller {
  readonly username: string | undefined
}
type Guard = Middleware<Caller>

const createHonoProduct = (guard: Guard): Product => {
  const app = new Hono<{ Variables: { user: Caller } }>()
  app.use('/viewers', guard.hono({ permission: 'users:view' }))
  app.use('/anyone', guard.hono())
  app.all('*', (c) => c.json({ caller: c.get('user').username }))
  return async ({ path = '/anyone', ...init }) => toAnswer(await app.request(path, init))
}

const startExpressProduct = (guard: Guard): Promise<LoopbackServer> => {
  const app = express()
  app.use('/viewers', guard.express({ permission: 'users:view' }))
  app.use('/anyone', guard.express())
  app.use((_, response) => {
    response.json({ caller: response.locals['user'].username })
  })
  return listenOnLoopback(createServer(app))
}

interface Event {
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  readonly httpMethod?: string
  readonly requestContext: object
}
type Handler = (event: Event) => Promise<{ statusCode: number; headers?: object; body: string }>

/** The events of an HTTP API and of a REST API, as API Gateway documents them. */
const toHttpApiEvent = ({ method = 'GET', headers: { cookie, ...headers } = {} }: Sent): Event => ({
  headers,
  ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
  requestContext: { http: { method } },
})
const toRestApiEvent = ({ method = 'GET', headers = {} }: Sent): Event => ({
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase()),
      value,
    ]),
  ),
  httpMethod: method,
  requestContext: {},
})

const callLambda = async (handler: Handler, event: Event): Promise<Answer> => {
  const { statusCode, headers, body } = await handler(event)
  return { status: statusCode, headers: new Headers({ ...headers }), body: JSON.parse(body) }
}

const createLambdaProduct = (guard: Guard, toEvent: (sent: Sent) => Event): Product => {
  const show = async (_: Event, __: unknown, user: Caller) => ({
    statusCode: 200,
    body: JSON.stringify({ caller: user.username }),
  })
  const handlers = {
    '/anyone': guard.lambda(show),
    '/viewers': guard.lambda(show, { permission: 'users:view' }),
  }
  return (sent) => callLambda((event) => handlers[sent.path ?? '/anyone'](event, {}), toEvent(sent))
}

/** What Lambda passes. The middleware adds the user. */
const withoutUser = createLambdaContext() as ReturnType<typeof createLambdaContext> & WithUser<Caller>

const createMiddyProduct = (guard: Guard): Product => {
  const show = async (_: Event, { user }: WithUser<Caller>) => ({
    statusCode: 200,
    body: JSON.stringify({ caller: user.username }),
  })
  const handlers = {
    '/anyone': middy(show).use(guard.middy()),
    '/viewers': middy(show).use(guard.middy({ permission: 'users:view' })),
  }
  return (sent) =>
    callLambda((event) => handlers[sent.path ?? '/anyone'](event, withoutUser), toHttpApiEvent(sent))
}

const createWebProduct = (guard: Guard): Product => {
  const show = (_: Request, { username }: Caller) => Response.json({ caller: username })
  const handlers = {
    '/anyone': guard.web(show),
    '/viewers': guard.web(show, { permission: 'users:view' }),
  }
  return async ({ path = '/anyone', ...init }) =>
    toAnswer(await handlers[path](new Request(`https://product.example.com${path}`, init)))
}

export const startProducts = async (guard: Guard): Promise<Products> => {
  const server = await startExpressProduct(guard)
  const products: Record<Framework, Product> = {
    hono: createHonoProduct(guard),
    express: async ({ path = '/anyone', ...init }) => toAnswer(await fetch(server.url + path, init)),
    'lambda behind an HTTP API': createLambdaProduct(guard, toHttpApiEvent),
    'lambda behind a REST API': createLambdaProduct(guard, toRestApiEvent),
    middy: createMiddyProduct(guard),
    web: createWebProduct(guard),
  }
  return { call: (framework) => products[framework], expressUrl: server.url, close: server.close }
}
