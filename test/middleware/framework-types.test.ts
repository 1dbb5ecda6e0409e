import { createServer } from 'node:http'
import middy from '@middy/core'
import express from 'express'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { LatchkeyError } from '../../lib/client/latchkey-error.ts'
import type { WithUser } from '../../lib/middleware/connect-frameworks.ts'
import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import { createMiddleware, type ProfileUser } from '../../lib/middleware/identify-user.ts'
import { listenOnLoopback } from '../support/listen-on-loopback.ts'

/*
 * The types of frameworks know the user that the middleware puts into a request. `npm run types` fails without them: under a
 * line with `@ts-expect-error` something has to be wrong.
 */

const profile = { id: 7, username: 'ada', effective_permissions: ['films:view'] }
const fetchProfile = async () => Response.json(profile)
const latchkey = createMiddleware({ baseUrl: 'https://auth.example.com', fetch: fetchProfile })
const credential = { headers: { authorization: 'Bearer lks_example' } }

describe('the user in a handler', () => {
  it('has a type in Express, without an annotation', async () => {
    const app = express()
    app.get('/hello', latchkey.express(), (_, response) => {
      response.send(response.locals.user.username.toUpperCase())
    })
    app.get('/wrong', latchkey.express(), (_, response) => {
      // @ts-expect-error The user has no such field.
      response.send(String(response.locals.user.userName))
    })
    app.use(latchkey.express({ permission: 'films:view' }))
    app.get('/later', (_, response) => {
      response.send(response.locals['user'].username)
    })
    const { url, close } = await listenOnLoopback(createServer(app))
    const answers = ['/hello', '/wrong', '/later'].map(async (path) =>
      (await fetch(url + path, credential)).text(),
    )
    expect(await Promise.all(answers)).toEqual(['ADA', 'undefined', 'ada'])
    await close()
  })

  it('has a type in Hono with the variables of the middleware', async () => {
    const app = new Hono<{ Variables: WithUser<ProfileUser> }>()
    app.use(latchkey.hono())
    app.get('/hello', (c) => c.text(c.get('user').profile.username))
    app.get('/wrong', (c) => {
      // @ts-expect-error The user has no such field.
      return c.text(String(c.get('user').userName))
    })
    expect(await (await app.request('/hello', credential)).text()).toBe('ada')
    expect(await (await app.request('/wrong', credential)).text()).toBe('undefined')
  })

  it('has a type in middy, without an annotation', async () => {
    const handler = middy()
      .use(latchkey.middy())
      .handler(async (_, { user }) => user.username.toUpperCase())
    const context = {} as Parameters<typeof handler>[1]
    expect(await handler(credential, context)).toBe('ADA')
    middy()
      .use(latchkey.middy())
      // @ts-expect-error The user has no such field.
      .handler(async (_, { user }) => user.userName)
  })
})

describe('identifyUser', () => {
  const { identifyUser } = latchkey

  it('takes a web request', async () => {
    const user = await identifyUser(new Request('https://films.example.com/', credential))
    expect(user).toMatchObject({ id: 7, kind: 'session' })
    await expect(identifyUser(new Request('https://films.example.com/'))).rejects.toMatchObject({
      status: 401,
    })
  })

  it('refuses a request of another framework with a sentence', async () => {
    const ofNode = { method: 'GET', url: '/', headers: { authorization: 'Bearer lks_example' } }
    // @ts-expect-error Node.js has its headers in an object.
    await expect(identifyUser(ofNode)).rejects.toThrow(
      'identifyUser needs a web Request, or an object with method, url and getHeader.',
    )
  })
})

it.each([
  createMiddleware,
  ({ baseUrl }: { readonly baseUrl: string }) =>
    createJwtMiddleware({ baseUrl, audience: 'films', introspection: { clientId: 'a', clientSecret: 'b' } }),
])('an origin with a path is refused at once', (create) => {
  expect(() => create({ baseUrl: 'https://example.com/auth' })).toThrow(
    'baseUrl must be an origin without a path, such as https://example.com.',
  )
})

it('names what a caller lacks for a route', async () => {
  const { identifyUser } = latchkey
  const request = new Request('https://films.example.com/', credential)
  await expect(identifyUser(request, { permission: 'films:edit' })).rejects.toMatchObject({
    status: 403,
    message: 'This requires the permission films:edit.',
  })
  await expect(identifyUser(request, { scope: 'films.read' })).rejects.toMatchObject({
    status: 403,
    message:
      'This requires an access token with the scope films.read. Clients get one with `scope=films.read` in their request for a token.',
  })
})

it('puts the invalid fields into the message of an error of the client', () => {
  const errors = Array.from({ length: 12 }, (_, at) => ({ field: `rules.${at}`, message: 'is required' }))
  const { message } = new LatchkeyError({ code: 'invalid_request', detail: 'Fix the fields.', errors })
  expect(message).toMatch(/^invalid_request: Fix the fields\. rules\.0 is required; rules\.1 is required; /)
  expect(message).toMatch(/rules\.9 is required; and 2 more$/)
})
