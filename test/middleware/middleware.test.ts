import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMiddleware } from '../../lib/middleware/identify-user.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addSignedIn, trySignIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { frameworks, type Product, startProducts } from './products.ts'

const service = await useService()
const reader = await addSignedIn(service)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const products = closeAfterTests(
  await startProducts(createMiddleware({ baseUrl: service.url, acceptsCookie: true })),
)

/** One with the prefix of API tokens, and one that its owner chose. */
const apiTokens: readonly string[] = await Promise.all(
  [{}, { token: randomUUID().repeat(2) }].map(async (fields) => {
    const body = { name: randomUUID(), ...fields }
    return (await service.client('POST', '/api/2/api-tokens', { bearer: reader.bearer, body })).body.token
  }),
)

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

describe.each(frameworks)('a product with %s', (framework) => {
  const call: Product = (sent) => products.call(framework)(sent)

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
      ...apiTokens.map((token) => ({ cookie: `latchkey=${token}` })),
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
})

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

  it.each([
    ['GET', true],
    ['HEAD', true],
    ['OPTIONS', true],
    ['PUT', false],
    ['PATCH', false],
    ['DELETE', false],
    ['QUERY', false],
    ['', false],
  ])('reads the cookie of a %s request from another site: %s', async (method, isRead) => {
    const { identifyUser } = createMiddleware({ baseUrl: service.url, acceptsCookie: true })
    const sent = new Map([
      ['cookie', `latchkey=${reader.bearer}`],
      ['sec-fetch-site', 'cross-site'],
    ])
    const status = await identifyUser({ method, getHeader: (name) => sent.get(name) }).then(
      () => 200,
      (error) => error.status,
    )
    expect(status).toBe(isRead ? 200 : 403)
  })

  it('refuses a session that can only set up a second factor', async () => {
    await storeSignInPolicy(service, { second_factor_for_everybody: true })
    const { body } = await trySignIn(service, reader, { second_factor_setup: true })
    await storeSignInPolicy(service, {})
    expect(body.session_key).toMatch(/^lks_/)
    const error = await ask(body.session_key).catch((thrown) => thrown)
    expect(JSON.parse(error.body)).toMatchObject({ status: 403, reason: 'second_factor_setup_required' })
  })

  it('gives an API token only the permissions of its scopes', async () => {
    const { body } = await service.client('POST', '/api/2/api-tokens', {
      bearer: admin.bearer,
      body: { name: 'narrow', scopes: ['profile:view'] },
    })
    expect((await ask(body.token)).permissions).toEqual([])
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
    ['a busy service', async () => Response.json({ code: 'temporarily_unavailable' }, { status: 503 }), 503],
  ])('gives no access after %s', async (_, answer, status) => {
    await expect(ask(reader.bearer, { fetch: answer })).rejects.toMatchObject({ status })
  })
})
