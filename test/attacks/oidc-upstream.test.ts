import { beforeEach, describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import {
  addConnection,
  type Behavior,
  clientSecret,
  openCallback,
  signInByUpstream,
  signWith,
  startUpstream,
} from '../support/oidc-upstream.ts'
import { addSignedIn } from '../support/people.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import { countSessions, sessionOf, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * What an identity provider, a person in the browser, or someone between them can send instead of an honest answer. The
 * names in brackets are those of the modules of the OpenID Foundation for relying parties.
 */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60',
})
const upstream = closeAfterTests(await startUpstream())
const bearer: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
beforeEach(() => upstream.behave({}))

/** Expects a plain refusal and no session. */
const expectRefused = async (name: string, behavior: Behavior, claims: object = {}): Promise<void> => {
  const before = await countSessions(service)
  upstream.behave(behavior)
  const { answer, browser } = await signInByUpstream(connection, upstream, { ...claims })
  upstream.behave({})
  expectPlainRefusal(answer, name)
  expect([name, browser.cookie('latchkey')]).toEqual([name, undefined])
  expect([name, await countSessions(service)]).toEqual([name, before])
}

describe('an honest answer', () => {
  it('signs the user in [oidcc-client-test], with PKCE, state and nonce [oidcc-client-test-idtoken-sig-rs256]', async () => {
    const { answer, browser, location } = await signInByUpstream(connection, upstream, { sub: 'honest' })
    expect(answer.status, answer.text).toBe(303)
    const query = new URL(location).searchParams
    expect(query.get('code_challenge_method')).toBe('S256')
    expect(query.get('response_type')).toBe('code')
    expect(query.get('scope')).toBe('openid email profile')
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(query.get(name)?.length).toBeGreaterThan(30)
    const session = sessionOf(answer) ?? ''
    const me = await service.client('GET', '/api/2/users/me', { bearer: session })
    expect(me.body).toMatchObject({ username: 'ada', full_name: 'Ada', email: 'ada@example.com' })
    const back = await browser.get(answer.headers.get('location') ?? '', 'cross-site')
    expect(back.status).toBe(303)
  })

  it('comes from the endpoints of the discovery document [oidcc-client-test-discovery-openid-config oidcc-client-test-discovery-jwks-uri-keys]', () => {
    const paths = upstream.requests.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/.well-known/openid-configuration', '/token', '/jwks']))
  })

  it('authenticates the service by the header [oidcc-client-test-client-secret-basic]', () => {
    const request = upstream.requests.find(({ path }) => path === '/token')
    const expected = `latchkey:${encodeURIComponent(clientSecret)}`
    const [, given = ''] = String(request?.headers['authorization']).split(' ')
    expect(decodeURIComponent(Buffer.from(given, 'base64').toString().replaceAll('+', ' '))).toBe(
      decodeURIComponent(expected),
    )
    expect(request?.body.has('client_secret')).toBe(false)
  })

  it('leads to the same user again, and to another one for another subject', async () => {
    const users = []
    for (const sub of ['first', 'first', 'FIRST']) {
      const { answer } = await signInByUpstream(connection, upstream, { sub, email: undefined })
      users.push(await userOfSession(service, sessionOf(answer) ?? ''))
    }
    expect(users[0]).toBe(users[1])
    expect(users[2]).not.toBe(users[0])
  })

  it('is accepted with a key that was new just before [oidcc-client-test-signing-key-rotation-just-before-signing oidcc-client-test-signing-key-rotation]', async () => {
    upstream.behave({
      keys: [upstream.otherKey.jwk],
      sign: (claims, { otherKey }) => signWith(otherKey, claims),
    })
    expect((await signInByUpstream(connection, upstream, { sub: 'rotated' })).answer.status).toBe(303)
  })

  it('is accepted without kid if there is one key [oidcc-client-test-kid-absent-single-jwks]', async () => {
    upstream.behave({ sign: (claims, { key }) => signWith(key, claims, {}) })
    expect((await signInByUpstream(connection, upstream, { sub: 'no-kid' })).answer.status).toBe(303)
  })
})

describe('an ID token', () => {
  const later = () => Math.floor(Date.now() / 1000)
  it.each<[name: string, behavior: () => Behavior]>([
    ['oidcc-client-test-invalid-iss', () => ({ claims: { iss: 'https://other.example.com' } })],
    ['an issuer with a slash', () => ({ claims: { iss: `${upstream.issuer}/` } })],
    ['oidcc-client-test-missing-sub', () => ({ claims: { sub: undefined } })],
    ['an empty sub', () => ({ claims: { sub: '' } })],
    ['a sub that is a number', () => ({ claims: { sub: 7 } })],
    ['a sub of 256 characters', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['oidcc-client-test-invalid-aud', () => ({ claims: { aud: 'other' } })],
    ['another audience without azp', () => ({ claims: { aud: ['latchkey', 'other'] } })],
    ['another azp', () => ({ claims: { aud: ['latchkey', 'other'], azp: 'other' } })],
    ['oidcc-client-test-missing-iat', () => ({ claims: { iat: undefined } })],
    ['an iat that is a text', () => ({ claims: { iat: 'now' } })],
    ['no exp', () => ({ claims: { exp: undefined } })],
    ['an exp in the past', () => ({ claims: { exp: later() - 120 } })],
    ['an nbf in the future', () => ({ claims: { nbf: later() + 120 } })],
    ['oidcc-client-test-nonce-invalid', () => ({ claims: { nonce: 'invalid' } })],
    ['a missing nonce', () => ({ claims: { nonce: undefined } })],
    ['an auth_time in the future', () => ({ claims: { auth_time: later() + 600 } })],
    ['an auth_time that is a text', () => ({ claims: { auth_time: '0' } })],
    [
      'oidcc-client-test-invalid-sig-rs256',
      () => ({ sign: (claims, { otherKey }) => signWith(otherKey, claims, { kid: 'first' }) }),
    ],
    [
      'oidcc-client-test-idtoken-sig-none',
      () => ({ sign: async (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.` }),
    ],
    [
      'a signature with the client secret',
      () => ({
        sign: async (claims) => {
          const { SignJWT } = await import('jose')
          return new SignJWT(claims)
            .setProtectedHeader({ alg: 'HS256' })
            .sign(new TextEncoder().encode(clientSecret.padEnd(32, '.')))
        },
      }),
    ],
    [
      'oidcc-client-test-kid-absent-multiple-jwks',
      () => ({
        keys: [upstream.key.jwk, { ...upstream.otherKey.jwk }],
        sign: (claims, { key }) => signWith(key, claims, {}),
      }),
    ],
    ['an unknown kid', () => ({ sign: (claims, { key }) => signWith(key, claims, { kid: 'unknown' }) })],
    ['no ID token', () => ({ tokens: { id_token: undefined } })],
    ['an ID token that is no JWT', () => ({ sign: async () => 'a.b.c' })],
    ['an ID token that is a list', () => ({ tokens: { id_token: ['x'] } })],
    ['an error of the token endpoint', () => ({ tokenStatus: 400, tokens: { error: 'invalid_client' } })],
  ])('is refused: %s', async (name, behavior) => {
    await expectRefused(name, behavior())
  })

  it('is not read if it is larger than a token can be', async () => {
    upstream.behave({ claims: { padding: 'x'.repeat(1_100_000) } })
    const { answer, browser } = await signInByUpstream(connection, upstream)
    expect(answer.status).toBe(502)
    expect(browser.cookie('latchkey')).toBeUndefined()
  })

  it('cannot change built-in members by its claims', async () => {
    upstream.behave({
      sign: (claims, { key }) =>
        signWith(
          key,
          JSON.parse(`{"__proto__":{"email":"root@example.com"},${JSON.stringify(claims).slice(1)}`),
        ),
    })
    const { answer } = await signInByUpstream(connection, upstream, { sub: 'proto', email: undefined })
    expect(answer.status, answer.text).toBe(303)
    const { body } = await service.client('GET', '/api/2/users/me', { bearer: sessionOf(answer) ?? '' })
    expect(body.email ?? null).toBeNull()
    expect(({} as { email?: string }).email).toBeUndefined()
  })

  it('fits into the fields of a user, however long its claims are', async () => {
    const long = 'x'.repeat(100_000)
    const claims = { sub: 'long', name: long, preferred_username: long, email: `${long}@example.com` }
    const { answer } = await signInByUpstream(connection, upstream, claims)
    expect(answer.status, answer.text).toBe(303)
  })
})

const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')

describe('userinfo', () => {
  it('is asked by a header if the ID token has no address [oidcc-client-test-userinfo-bearer-header oidcc-client-test-scope-userinfo-claims]', async () => {
    upstream.behave({ userinfo: { email: 'info@example.com' } })
    const { answer } = await signInByUpstream(connection, upstream, { sub: 'info', email: undefined })
    expect(answer.status, answer.text).toBe(303)
    const { body } = await service.client('GET', '/api/2/users/me', { bearer: sessionOf(answer) ?? '' })
    expect(body.email).toBe('info@example.com')
    const request = upstream.requests.findLast(({ path }) => path.startsWith('/userinfo'))
    expect(request?.headers['authorization']).toBe('Bearer opaque')
    expect(request?.path).toBe('/userinfo')
  })

  it('is refused for another subject [oidcc-client-test-userinfo-invalid-sub]', async () => {
    await expectRefused('sub', { userinfo: { sub: 'other' } }, { email: undefined })
    await expectRefused('no sub', { userinfo: { sub: undefined } }, { email: undefined })
  })
})

describe('a callback', () => {
  it.each<[name: string, change: (answer: URL) => void]>([
    ['without iss, which the provider announces', ({ searchParams }) => searchParams.delete('iss')],
    ['with another iss', ({ searchParams }) => searchParams.set('iss', 'https://other.example.com')],
    ['without state', ({ searchParams }) => searchParams.delete('state')],
    ['with another state', ({ searchParams }) => searchParams.set('state', 'x'.repeat(32))],
    ['without code', ({ searchParams }) => searchParams.delete('code')],
    ['with another code', ({ searchParams }) => searchParams.set('code', 'other')],
    ['with a huge state', ({ searchParams }) => searchParams.set('state', 'x'.repeat(6000))],
    ['with __proto__ as state', ({ searchParams }) => searchParams.set('state', '__proto__')],
  ])('is refused: %s', async (name, change) => {
    const { browser, location } = await connection.start()
    const answer = upstream.authorize(location)
    change(answer)
    expectPlainRefusal(await openCallback(browser, answer), name)
    expect(browser.cookie('latchkey')).toBeUndefined()
  })

  it('is refused with an error of the provider', async () => {
    const { browser, location } = await connection.start()
    const answer = upstream.authorize(location)
    answer.searchParams.delete('code')
    answer.searchParams.set('error', 'access_denied')
    expectPlainRefusal(await openCallback(browser, answer), 'error')
  })

  it('is refused in another browser, which does not use it up', async () => {
    const { browser, location } = await connection.start()
    const answer = upstream.authorize(location, { sub: 'browser' })
    expectPlainRefusal(await openCallback(new TestBrowser(service), answer), 'no cookie')
    const busy = await connection.start()
    expectPlainRefusal(await openCallback(busy.browser, answer), 'another cookie')
    expect(busy.browser.cookie('latchkey')).toBeUndefined()
    expect((await openCallback(browser, answer)).status).toBe(303)
  })

  it('opens one session, twice and 20 times in parallel', async () => {
    const { browser, location } = await connection.start()
    const before = await countSessions(service)
    const answer = upstream.authorize(location, { sub: 'parallel', email: undefined })
    const copies = Array.from({ length: 20 }, () => browser.clone())
    const answers = await Promise.all(copies.map((copy) => openCallback(copy, answer)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expectPlainRefusal(await openCallback(browser.clone(), answer), 'again')
    expect(await countSessions(service)).toBe(before + 1)
  })

  it('is refused with the code of another sign-in', async () => {
    const victim = await connection.start()
    const stolen = upstream.authorize(victim.location, { sub: 'victim' }).searchParams.get('code') ?? ''
    const { browser, location } = await connection.start()
    const answer = upstream.authorize(location)
    answer.searchParams.set('code', stolen)
    expectPlainRefusal(await openCallback(browser, answer), 'another code')
  })

  it('is refused at another connection', async () => {
    const other = await addConnection(service, bearer, upstream.issuer)
    const { browser, location } = await connection.start()
    const answer = upstream.authorize(location)
    answer.pathname = `/api/2/auth/oidc-connections/${other.id}/callback`
    expectPlainRefusal(await openCallback(browser, answer), 'another connection')
    answer.pathname = '/api/2/auth/oidc-connections/999/callback'
    expect((await openCallback(browser, answer)).status).toBe(404)
  })

  it('is refused after the issuer of the connection changed', async () => {
    const moved = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
    const { browser, location } = await moved.start()
    const patched = await service.client('PATCH', `/api/2/auth/oidc-connections/${moved.id}`, {
      bearer,
      body: { issuer: 'https://idp.example.com', client_secret: 'new' },
    })
    expect(patched.status).toBe(200)
    expectPlainRefusal(await openCallback(browser, upstream.authorize(location)), 'moved')
  })
})

describe('a discovery document', () => {
  it('is refused for another issuer [oidcc-client-test-discovery-issuer-mismatch]', async () => {
    const evil = await startUpstream()
    try {
      evil.behave({ discovery: { issuer: upstream.issuer } })
      const mismatch = await addConnection(service, bearer, evil.issuer)
      expect((await mismatch.start()).answer.status).toBe(502)
    } finally {
      await evil.close()
    }
  })

  it.each([
    ['a token endpoint in a private network', { token_endpoint: 'https://10.0.0.1/token' }],
    ['keys that are not fetched by https', { jwks_uri: 'http://192.0.2.1/jwks' }],
    ['a script as the authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
    ['no keys', { jwks_uri: undefined }],
  ])('leads to no sign-in with %s', async (_, discovery) => {
    const evil = await startUpstream()
    try {
      evil.behave({ discovery })
      const evilConnection = await addConnection(service, bearer, evil.issuer, { auto_create_users: true })
      const { browser, answer, location } = await evilConnection.start()
      if (answer.status === 502) return
      const received = await openCallback(browser, evil.authorize(location))
      expect([400, 401, 403, 502]).toContain(received.status)
      expect(browser.cookie('latchkey')).toBeUndefined()
    } finally {
      await evil.close()
    }
  })
})
