import { request as sendRequest } from 'node:http'
import type { JWTPayload } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import { createResourceMetadata } from '../../lib/middleware/resource-metadata.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { createIdentify, statusOf } from './identify.ts'
import { audience, type Issuer, startIssuer } from './issuer.ts'
import { frameworks, startProducts } from './products.ts'

const service = await useService({ JWT_AUDIENCES: audience })
const reader = await addSignedIn(service)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const products = closeAfterTests(await startProducts(createJwtMiddleware({ baseUrl: service.url, audience })))
let issuer: Issuer
beforeEach(async () => {
  issuer = await startIssuer()
})
afterEach(async () => {
  vi.useRealTimers()
  await issuer.close()
})

const createToken = async (bearer: string): Promise<string> => {
  const { body } = await service.client('POST', '/api/2/auth/jwt', { bearer, body: { audience } })
  return body.token
}
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

describe.each(frameworks)('a product with %s that verifies JWTs', (framework) => {
  it('knows who calls', async () => {
    const headers = bearer(await createToken(reader.bearer))
    const answer = await products.call(framework)({ method: 'POST', headers })
    expect([answer.status, answer.body]).toEqual([200, { caller: reader.user.username }])
  })

  it('says how to authenticate, and why not', async () => {
    const call = products.call(framework)
    const token = await createToken(reader.bearer)
    for (const [headers, challenge] of [
      [{}, 'Bearer'],
      [{ cookie: `latchkey=${reader.bearer}` }, 'Bearer'],
      [{ authorization: `Basic ${token}` }, 'Bearer'],
      [bearer(reader.bearer), 'Bearer error="invalid_token"'],
      [bearer(`${token}x`), 'Bearer error="invalid_token"'],
    ] as const) {
      const answer = await call({ headers })
      expect([answer.status, answer.body.code]).toEqual([401, 'not_authenticated'])
      expect(answer.headers.get('www-authenticate')).toBe(challenge)
    }
  })

  it('lets through only callers with the permission', async () => {
    const call = products.call(framework)
    const refused = await call({ path: '/viewers', headers: bearer(await createToken(reader.bearer)) })
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied'])
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"')
    const allowed = await call({ path: '/viewers', headers: bearer(await createToken(admin.bearer)) })
    expect(allowed.status).toBe(200)
  })
})

describe('a token that a client got for itself', () => {
  const machine = {
    ...{ sub: 'client:7-abc', client_id: '7-abc', permissions: ['films:view'] },
    ...{ sid: undefined, auth_time: undefined, preferred_username: undefined, groups: undefined },
  }

  it('is refused, unless the API accepts machines', async () => {
    const token = await issuer.sign(machine)
    expect(await statusOf(createIdentify(issuer)(token))).toBe(401)
    const identify = createIdentify(issuer, { acceptsMachines: true })
    expect(await identify(token, { permission: 'films:view' })).toMatchObject({
      ...{ id: 0, username: '7-abc', kind: 'machine', permissions: ['films:view'], groups: [] },
    })
    expect(await statusOf(identify(token, { permission: 'films:edit' }))).toBe(403)
    expect(await statusOf(identify(token, { maxAgeSeconds: 300 }))).toBe(401)
  })

  it.each([
    { sub: 'client:8-abc' },
    { sub: 'client:' },
    { sub: '7-abc' },
    { sid: 'a session' },
    { act: { sub: '7', preferred_username: 'ada' } },
    { preferred_username: 'ada' },
    { auth_time: 1 },
    { permissions: undefined },
    { client_id: undefined },
    { client_id: 7, sub: 'client:7' },
  ])('is refused with %j', async (changes) => {
    const identify = createIdentify(issuer, { acceptsMachines: true })
    expect(await statusOf(identify(await issuer.sign({ ...machine, ...changes })))).toBe(401)
  })
})

describe('a route that needs a stronger or newer sign-in', () => {
  const acr = 'urn:latchkey:acr:multi-factor'
  const challengeOf = (identified: Promise<unknown>): Promise<unknown> =>
    identified.then(
      () => 'accepted',
      ({ status, headers }) => [status, headers['www-authenticate']],
    )
  const refusal = 'Bearer error="insufficient_user_authentication"'

  it('says which one', async () => {
    const identify = createIdentify(issuer)
    const weak = await issuer.sign({ acr: 'urn:latchkey:acr:single-factor' })
    expect(await challengeOf(identify(weak, { acr }))).toEqual([401, `${refusal}, acr_values="${acr}"`])
    const { iat = 0 } = issuer.claims()
    const old = await issuer.sign({ acr, auth_time: iat - 400 })
    expect(await challengeOf(identify(old, { acr, maxAgeSeconds: 300 }))).toEqual([
      401,
      `${refusal}, acr_values="${acr}", max_age="300"`,
    ])
  })

  it.each([
    [{ acr: undefined }, { acr }],
    [{ acr: 7 }, { acr }],
    [{ acr: [acr] }, { acr }],
    [{ acr: `${acr} ` }, { acr }],
    [{ auth_time: undefined }, { maxAgeSeconds: 300 }],
  ])('refuses %j', async (claims, requirement) => {
    const identify = createIdentify(issuer)
    expect(await statusOf(identify(await issuer.sign(claims), requirement))).toBe(401)
  })

  it('accepts what is strong and new enough', async () => {
    const identify = createIdentify(issuer)
    const token = await issuer.sign({ acr })
    const single = { acr: 'urn:latchkey:acr:single-factor', maxAgeSeconds: 300 }
    expect(await statusOf(identify(token, { acr, maxAgeSeconds: 300 }))).toBe(200)
    expect(await statusOf(identify(token, single))).toBe(200)
  })
})

describe('repeated headers', () => {
  it('are refused by Express, where Node.js shows only the first', async () => {
    const token = await createToken(reader.bearer)
    const values = [`Bearer ${token}`, `Bearer ${await createToken(admin.bearer)}`]
    const status = await new Promise((resolve, reject) => {
      const { host } = new URL(products.expressUrl)
      const headers = ['host', host, ...values.flatMap((value) => ['authorization', value])]
      const request = sendRequest(`${products.expressUrl}/anyone`, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.on('error', reject).end()
    })
    expect(status).toBe(401)
  })

  it('are refused by Lambda behind a REST API, which shows only the last one in headers', async () => {
    const token = await createToken(reader.bearer)
    const guard = createJwtMiddleware({ baseUrl: service.url, audience })
    const handler = guard.lambda(async () => ({ statusCode: 200 }))
    const event = { headers: bearer(token), httpMethod: 'GET' }
    expect(
      await handler({ ...event, multiValueHeaders: { Authorization: [`Bearer ${token}`] } }, {}),
    ).toEqual({
      statusCode: 200,
    })
    const twice = { Authorization: ['Bearer other', `Bearer ${token}`] }
    expect(await handler({ ...event, multiValueHeaders: twice }, {})).toMatchObject({ statusCode: 401 })
  })
})

describe('the user of a JWT', () => {
  it('has the permissions, the groups, the administrator who impersonates, and the kind', async () => {
    const identify = createIdentify(issuer)
    expect(await identify(await issuer.sign())).toMatchObject({
      id: 7,
      username: 'ada',
      permissions: ['films:view'],
      groups: ['Editors'],
      actor: undefined,
      kind: 'session',
      accessLink: undefined,
      claims: { sid: 'a session' },
    })
    const act = { sub: '1', preferred_username: 'admin' }
    expect((await identify(await issuer.sign({ act }))).actor).toEqual({ id: 1, username: 'admin' })
    const identifyGuest = createIdentify(issuer, { acceptsGuests: true })
    expect(await identifyGuest(await issuer.sign({ access_link: 9 }))).toMatchObject({
      accessLink: 9,
      kind: 'access_link',
    })
    expect((await identify(await issuer.sign({ auth_time: undefined }))).kind).toBe('api_token')
  })

  it('of a client has the ID here, also if the client has another subject, and a name for the scope profile', async () => {
    const identify = createIdentify(issuer)
    const ofClient = { client_id: 'a client', sid: undefined, preferred_username: undefined }
    const act = { sub: 'old-1', user_id: '1' }
    const moved = await issuer.sign({ ...ofClient, sub: '121', user_id: '122', act })
    expect(await identify(moved)).toMatchObject({
      ...{ id: 122, username: undefined, kind: 'session', actor: { id: 1 } },
      claims: { sub: '121' },
    })
    expect(await identify(await issuer.sign(ofClient))).toMatchObject({ id: 7, username: undefined })
    expect((await identify(await issuer.sign({ ...ofClient, preferred_username: 'ada' }))).username).toBe(
      'ada',
    )
    for (const claims of [{ sub: 'old-7' }, { sub: 'client:a client' }, { sid: 'a session' }])
      expect(await statusOf(issuer.sign({ ...ofClient, ...claims }).then(identify))).toBe(401)
  })

  it('is refused if a claim has another form', async () => {
    const identify = createIdentify(issuer)
    for (const claims of [
      { sub: 'ada' },
      { sub: '0' },
      { sub: '7.5' },
      { sub: '9'.repeat(30) },
      { permissions: 'films:view' },
      { permissions: [7] },
      { permissions: undefined },
      { groups: undefined },
      { preferred_username: '' },
      { act: 'admin' },
      { act: null },
      { act: { sub: 'x' } },
      { act: { sub: '1', preferred_username: 7 } },
      { user_id: 'x' },
      { user_id: 7 },
      { access_link: '9' },
    ])
      expect([
        claims,
        await statusOf(issuer.sign(claims as JWTPayload).then((token) => identify(token))),
      ]).toEqual([claims, 401])
  })
})

describe('a refusal', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const refusals: readonly { claim: string; claims: () => JWTPayload; header?: { typ: string } }[] = [
    { claim: 'aud', claims: () => ({ aud: 'https://other.example.com' }) },
    { claim: 'iss', claims: () => ({ iss: 'http://127.0.0.1:1' }) },
    { claim: 'exp', claims: () => ({ iat: now() - 1200, exp: now() - 600 }) },
    { claim: 'iat', claims: () => ({ iat: now() + 120, exp: now() + 600 }) },
    { claim: 'nbf', claims: () => ({ nbf: now() + 120 }) },
    { claim: 'client_id', claims: () => ({ client_id: 'another client', sid: undefined }) },
    { claim: 'sid', claims: () => ({ sid: '' }) },
    { claim: 'permissions', claims: () => ({ permissions: 'films:view' }) },
    { claim: 'typ', claims: () => ({}), header: { typ: 'JWT' } },
  ]

  it.each(refusals)('names the claim $claim', async ({ claim, claims, header }) => {
    const identify = createIdentify(issuer, { clients: ['latchkey'] })
    await expect(identify(await issuer.sign(claims(), header))).rejects.toMatchObject({
      status: 401,
      claim,
      message: expect.stringMatching(claim === 'exp' ? /has expired/ : new RegExp(`claim \`${claim}\``)),
      body: expect.stringContaining(claim === 'exp' ? 'has expired' : `claim \`${claim}\``),
    })
  })

  it('of a token that the service did not sign names no claim', async () => {
    const other = await startIssuer()
    const token = await other.sign({ iss: issuer.url, aud: 'https://other.example.com' })
    await other.close()
    await expect(createIdentify(issuer)(token)).rejects.toMatchObject({ status: 401, claim: undefined })
  })
})

describe('the keys', () => {
  it('are read once for many tokens, and again for a new key', async () => {
    const identify = createIdentify(issuer)
    await Promise.all(Array.from({ length: 5 }, async () => identify(await issuer.sign())))
    expect(issuer.reads()).toBe(1)
    await issuer.addKey('second')
    vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ['Date'] })
    await identify(await issuer.sign({}, { kid: 'second' }))
    expect(issuer.reads()).toBe(2)
  })

  it('are not read for each token with an unknown key', async () => {
    const identify = createIdentify(issuer)
    await identify(await issuer.sign())
    for (let count = 0; count < 5; count++)
      expect(await statusOf(identify(await issuer.sign({}, { kid: `unknown ${count}` })))).toBe(401)
    expect(issuer.reads()).toBe(1)
  })

  it.each([
    [500, '{}'],
    [200, '<html>'],
    [200, '{"keys":7}'],
    [302, '{}'],
  ])('give no access and blame no caller if the service answers %i %s', async (status, body) => {
    const identify = createIdentify(issuer)
    issuer.answer(status, body)
    const token = await issuer.sign()
    await expect(identify(token)).rejects.toMatchObject({ status: 503, code: 'upstream_failed' })
    issuer.answer(200)
    expect(await statusOf(identify(token))).toBe(200)
  })

  it('give no access if the service does not answer', async () => {
    const token = await issuer.sign()
    const refuse = () => Promise.reject(new TypeError('fetch failed'))
    expect(await statusOf(createIdentify(issuer, { fetch: refuse })(token))).toBe(503)
    const late = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    expect(await statusOf(createIdentify(issuer, { fetch: late, timeoutMs: 20 })(token))).toBe(503)
  })
})

describe('a route that asks the service', () => {
  const introspection = { clientId: 'films:api', clientSecret: 'a secret+' }

  it('lets a token through only while the service says that it is active', async () => {
    const identify = createIdentify(issuer, { introspection })
    const token = await issuer.sign()
    expect(await statusOf(identify(token, { asksService: true }))).toBe(200)
    expect(issuer.introspection.last).toMatchObject({
      authorization: `Basic ${btoa('films%3Aapi:a%20secret%2B')}`,
      token,
    })
    issuer.introspection.body = { active: false }
    expect(await statusOf(identify(token))).toBe(200)
    expect(await statusOf(identify(token, { asksService: true }))).toBe(401)
  })

  it.each([
    [200, {}, 503],
    [200, null, 503],
    [200, { active: 'true' }, 503],
    [200, [], 503],
    [401, { error: 'invalid_client' }, 503],
    [500, {}, 503],
    [429, {}, 429],
    [503, { error: 'temporarily_unavailable' }, 503],
  ])('answers %i %j of the service with a refusal', async (status, body, expected) => {
    Object.assign(issuer.introspection, { status, body })
    const identify = createIdentify(issuer, { introspection })
    expect(await statusOf(identify(await issuer.sign(), { asksService: true }))).toBe(expected)
  })

  it('fails if the product has no client', async () => {
    const token = await issuer.sign()
    await expect(createIdentify(issuer)(token, { asksService: true })).rejects.toThrow('introspection')
  })
})

describe('options', () => {
  it.each([
    { audience: '' },
    { audience: [] },
    { audience: undefined as unknown as string },
    { clockToleranceSeconds: 3_600 },
    { clockToleranceSeconds: Number.NaN },
    { resourceMetadata: 'films.example.com' },
    { resourceMetadata: 'https://films.example.com/" realm="x' },
    { baseUrl: 'http://auth.example.com' },
    { baseUrl: 'auth.example.com' },
  ])('are refused if they accept too much: %j', (options) => {
    expect(() => createJwtMiddleware({ baseUrl: 'https://auth.example.com', audience, ...options })).toThrow(
      TypeError,
    )
  })
})

describe('the metadata of an API', () => {
  const baseUrl = 'https://auth.example.com'

  it('has its name and documentation if it has some', () => {
    const resource = 'https://films.example.com'
    const given = { name: 'Films', documentation: 'https://films.example.com/docs' }
    expect(createResourceMetadata({ baseUrl, resource, ...given }).document).toMatchObject({
      resource_name: given.name,
      resource_documentation: given.documentation,
    })
    const { document } = createResourceMetadata({ baseUrl, resource })
    expect(Object.keys(document)).toEqual(['resource', 'authorization_servers', 'bearer_methods_supported'])
  })

  it.each([
    ['https://films.example.com/mcp', '/.well-known/oauth-protected-resource/mcp'],
    ['https://films.example.com', '/.well-known/oauth-protected-resource'],
    ['http://127.0.0.1:4100/a/b', '/.well-known/oauth-protected-resource/a/b'],
  ])('of %s is where RFC 9728 says', (resource, path) => {
    const { document, ...found } = createResourceMetadata({ baseUrl, resource, scopes: ['films.read'] })
    expect(found).toEqual({ path, url: `${new URL(resource).origin}${path}` })
    expect(document).toEqual({
      ...{ resource, authorization_servers: [baseUrl], bearer_methods_supported: ['header'] },
      scopes_supported: ['films.read'],
    })
  })

  it.each([
    'http://films.example.com',
    'https://films.example.com/?a=b',
    'https://films.example.com/#a',
    'https://ada:secret@films.example.com/',
    'films',
  ])('is refused for %s', (resource) => {
    expect(() => createResourceMetadata({ baseUrl, resource })).toThrow(TypeError)
  })

  it('is named by each refusal', async () => {
    const resourceMetadata = 'https://films.example.com/.well-known/oauth-protected-resource'
    const { identifyUser } = createJwtMiddleware({ baseUrl: issuer.url, audience, resourceMetadata })
    const challengeOf = (token: string | undefined): Promise<unknown> =>
      identifyUser(
        { method: 'GET', getHeader: (name) => (name === 'authorization' ? token : undefined) },
        { scope: 'films.read' },
      ).catch(({ headers }) => headers['www-authenticate'])
    const named = `scope="films.read", resource_metadata="${resourceMetadata}"`
    expect(await challengeOf(undefined)).toBe(`Bearer ${named}`)
    expect(await challengeOf('Bearer x')).toBe(`Bearer error="invalid_token", ${named}`)
    const weak = await issuer.sign({ scope: 'films.readers' })
    expect(await challengeOf(`Bearer ${weak}`)).toBe(`Bearer error="insufficient_scope", ${named}`)
  })
})
