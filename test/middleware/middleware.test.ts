import { createServer } from 'node:http'
import middy from '@middy/core'
import express from 'express'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMiddleware } from '../../lib/middleware/create-middleware.ts'
import type { User } from '../../lib/middleware/identify-user.ts'
import { createLambdaContext } from '../support/lambda-context.ts'
import { type LoopbackServer, listenOnLoopback } from '../support/listen-on-loopback.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/** What a product sends back: the name of the caller, or the code of a problem. */
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly caller?: string; readonly code?: string; readonly reason?: string }
}
interface Sent {
  readonly method?: string
  readonly path?: '/anyone' | '/viewers'
  readonly headers?: Readonly<Record<string, string>>
}
type Product = (sent: Sent) => Promise<Answer>

let service: TestService
let reader: SignedInPerson
let admin: SignedInPerson
let server: LoopbackServer
const products: Record<string, Product> = {}

const toAnswer = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  body: (await response.json()) as Answer['body'],
})

const createHonoProduct = (): Product => {
  const guard = createMiddleware({ baseUrl: service.url, acceptsCookie: true })
  const app = new Hono<{ Variables: { user: User } }>()
  app.use('/viewers', guard.hono({ permission: 'users:view' }))
  app.use('/anyone', guard.hono())
  app.all('*', (c) => c.json({ caller: c.get('user').username }))
  return async ({ path = '/anyone', ...init }) => toAnswer(await app.request(path, init))
}

const createExpressProduct = async (): Promise<Product> => {
  const guard = createMiddleware({ baseUrl: service.url, acceptsCookie: true })
  const app = express()
  app.use('/viewers', guard.express({ permission: 'users:view' }))
  app.use('/anyone', guard.express())
  app.use((_, response) => {
    response.json({ caller: response.locals['user'].username })
  })
  server = await listenOnLoopback(createServer(app))
  return async ({ path = '/anyone', ...init }) => toAnswer(await fetch(server.url + path, init))
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

const createLambdaProduct = (toEvent: (sent: Sent) => Event): Product => {
  const guard = createMiddleware({ baseUrl: service.url, acceptsCookie: true })
  const show = async (_: Event, __: unknown, user: User) => ({
    statusCode: 200,
    body: JSON.stringify({ caller: user.username }),
  })
  const handlers = {
    '/anyone': guard.lambda(show),
    '/viewers': guard.lambda(show, { permission: 'users:view' }),
  }
  return (sent) => callLambda((event) => handlers[sent.path ?? '/anyone'](event, {}), toEvent(sent))
}

const createMiddyProduct = (): Product => {
  const guard = createMiddleware({ baseUrl: service.url, acceptsCookie: true })
  const show = async (_: Event, context: object) => {
    const { user } = context as { readonly user: User }
    return { statusCode: 200, body: JSON.stringify({ caller: user.username }) }
  }
  const handlers = {
    '/anyone': middy(show).use(guard.middy()),
    '/viewers': middy(show).use(guard.middy({ permission: 'users:view' })),
  }
  return (sent) =>
    callLambda(
      (event) => handlers[sent.path ?? '/anyone'](event, createLambdaContext()),
      toHttpApiEvent(sent),
    )
}

beforeAll(async () => {
  service = await startService()
  reader = await addSignedIn(service)
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  Object.assign(products, {
    hono: createHonoProduct(),
    express: await createExpressProduct(),
    'lambda behind an HTTP API': createLambdaProduct(toHttpApiEvent),
    'lambda behind a REST API': createLambdaProduct(toRestApiEvent),
    middy: createMiddyProduct(),
  })
})
afterAll(async () => {
  await server.close()
  await service.close()
})

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

describe.each(['hono', 'express', 'lambda behind an HTTP API', 'lambda behind a REST API', 'middy'])(
  'a product with %s',
  (name) => {
    let call: Product
    beforeEach(() => {
      call = products[name] ?? expect.unreachable('the product exists')
    })

    it('knows who calls, by session and cookie', async () => {
      const caller = { caller: reader.user.username }
      expect((await call({ method: 'POST', headers: bearer(reader.bearer) })).body).toEqual(caller)
      expect((await call({ headers: { cookie: `a=b; latchkey=${reader.bearer}` } })).body).toEqual(caller)
    })

    it('answers a missing or wrong credential with 401', async () => {
      for (const headers of [
        {},
        bearer('lks_unknown'),
        { authorization: 'Basic YTpi' },
        { authorization: `Bearer ${reader.bearer}, Bearer ${admin.bearer}` },
        { ...bearer('lks_unknown'), cookie: `latchkey=${reader.bearer}` },
        { cookie: `latchkey=${reader.bearer}; latchkey=${admin.bearer}` },
        { cookie: 'latchkey=' },
      ]) {
        const { status, headers: sent, body } = await call({ headers })
        expect([status, body.code]).toEqual([401, 'not_authenticated'])
        expect(sent.get('www-authenticate')).toBe('Bearer')
        expect(sent.get('content-type')).toBe('application/problem+json')
      }
    })

    it('lets through only callers with the permission', async () => {
      const refused = await call({ path: '/viewers', headers: bearer(reader.bearer) })
      expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied'])
      expect((await call({ path: '/viewers', headers: bearer(admin.bearer) })).status).toBe(200)
    })

    it('refuses changes by cookie from other sites', async () => {
      const cookie = `latchkey=${reader.bearer}`
      for (const site of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
        expect((await call({ method: 'POST', headers: { cookie, ...site } })).status).toBe(403)
      const own = await call({ method: 'POST', headers: { cookie, 'sec-fetch-site': 'same-origin' } })
      expect(own.status).toBe(200)
    })
  },
)

describe('the middleware', () => {
  const ask = (credential: string, options: object = {}) =>
    createMiddleware({ baseUrl: service.url, ...options }).identifyUser({
      method: 'GET',
      getHeader: (name) => (name === 'authorization' ? `Bearer ${credential}` : undefined),
    })

  it('ignores cookies unless the product accepts them', async () => {
    const { identifyUser } = createMiddleware({ baseUrl: service.url })
    const getHeader = (name: string) => (name === 'cookie' ? `latchkey=${reader.bearer}` : undefined)
    await expect(identifyUser({ method: 'GET', getHeader })).rejects.toMatchObject({ status: 401 })
  })

  it('refuses a session that can only set up a second factor', async () => {
    const policy = '/api/2/system/sign-in-policy'
    const required = { second_factor_for_everybody: true }
    await service.client('PUT', policy, { bearer: admin.bearer, body: required })
    const { body } = await service.client('POST', '/api/2/auth/login', {
      body: { username: reader.user.username, password: reader.password, second_factor_setup: true },
    })
    await service.client('PUT', policy, { bearer: admin.bearer, body: {} })
    expect(body.session_key).toMatch(/^lks_/)
    const error = await ask(body.session_key).catch((thrown) => thrown)
    expect(JSON.parse(error.body)).toMatchObject({ status: 403, reason: 'second_factor_setup_required' })
  })

  it('gives an API token only the permissions of its scopes', async () => {
    const { body } = await service.client('POST', '/api/2/api-tokens', {
      bearer: admin.bearer,
      body: { name: 'narrow', scopes: ['profile:view'] },
    })
    expect((await ask(body.token)).effective_permissions).toEqual([])
    const { body: other } = await service.client('POST', '/api/2/api-tokens', {
      bearer: admin.bearer,
      body: { name: 'other', scopes: ['users:view'] },
    })
    const error = await ask(other.token).catch((thrown) => thrown)
    expect(JSON.parse(error.body)).toMatchObject({ status: 403, reason: 'insufficient_scope' })
  })

  it('notices the end of a session at once, or after the cache time', async () => {
    const person = await addSignedIn(service)
    let asked = 0
    const count = (url: string, init: RequestInit) => {
      asked++
      return fetch(url, init)
    }
    const { identifyUser } = createMiddleware({ baseUrl: service.url, cacheMs: 60_000, fetch: count })
    const getHeader = (name: string) => (name === 'authorization' ? `Bearer ${person.bearer}` : undefined)
    await identifyUser({ method: 'GET', getHeader })
    await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    await identifyUser({ method: 'GET', getHeader })
    expect(asked).toBe(1)
    await expect(ask(person.bearer)).rejects.toMatchObject({ status: 401 })
    await expect(
      identifyUser({ method: 'GET', getHeader }, { permission: 'users:view' }),
    ).rejects.toMatchObject({
      status: 403,
    })
  })

  it.each([
    ['no response', () => Promise.reject(new TypeError('fetch failed')), 502],
    ['a page', async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 502],
    ['a user without permissions', async () => Response.json({ id: 1 }), 502],
    [
      'permissions that are a text',
      async () => Response.json({ id: 1, effective_permissions: 'users:view' }),
      502,
    ],
    ['an error of the gateway', async () => Response.json({ message: 'Error' }, { status: 500 }), 502],
    ['too many requests', async () => Response.json({ code: 'too_many_requests' }, { status: 429 }), 429],
  ])('gives no access after %s', async (_, answer, status) => {
    await expect(ask(reader.bearer, { fetch: answer })).rejects.toMatchObject({ status })
  })
})
