import { describe, expect, it, vi } from 'vitest'
import type { Answer } from '../support/client.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  proveClient,
  type RelyingParty,
  readRedirect,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Parameters of an authorization that the client sends itself (RFC 9126, RFC 9700 4.14). */

const service = await useService()
const bearer: string = (await addSignedIn(service)).bearer
const strict = await addRelyingParty(service, { requires_par: true })
const open = await addRelyingParty(service, { scopes: ['openid', 'profile'] })
const app = await addRelyingParty(service, { type: 'public', requires_par: true })

type Fields = Readonly<Record<string, string | undefined>>

const post = async (form: URLSearchParams | string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${service.url}/oauth2/par`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: String(form),
  })
  const body: Answer['body'] = await answer.json()
  return { status: answer.status, headers: answer.headers, body }
}
const push = (party: RelyingParty, fields: Fields = {}) => {
  const { challenge, verifier } = createPkce()
  const form = buildAuthorization(party, challenge, { ...proveClient(party), ...fields })
  return post(form).then((answer) => ({ ...answer, verifier }))
}
const browse = (query: Readonly<Record<string, string>>, caller: { bearer?: string } = { bearer }) =>
  service.client('GET', `/oauth2/authorize?${new URLSearchParams(query)}`, caller)
const start = ({ client }: RelyingParty, requestUri: string, more: Readonly<Record<string, string>> = {}) =>
  browse({ client_id: client.clientId, request_uri: requestUri, ...more })
const isRefused = (answer: Answer): boolean =>
  answer.status === 400 && answer.headers.get('location') === null

describe('a pushed authorization', () => {
  it.each([
    ['confidential', () => strict],
    ['public', () => app],
  ])('gives a %s client its tokens', async (_, choose) => {
    const party = choose()
    const pushed = await push(party)
    expect([pushed.status, pushed.body.expires_in]).toEqual([201, 60])
    expect(pushed.headers.get('cache-control')).toContain('no-store')
    const { code = '', state } = readRedirect(await start(party, pushed.body.request_uri))
    expect(state).toBe('the state')
    const answer = await exchangeCode(service, party, { code, verifier: pushed.verifier })
    expect(answer.status).toBe(200)
  })

  it('works once, also for 20 browsers at the same moment', async () => {
    const { body } = await push(open)
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(open, body.request_uri)))
    expect(answers.filter((answer) => readRedirect(answer)['code'] !== undefined)).toHaveLength(1)
    expect(answers.filter(isRefused)).toHaveLength(19)
    expect(isRefused(await start(open, body.request_uri))).toBe(true)
  })

  it('ends after a minute', async () => {
    const { body } = await push(open)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    try {
      expect(isRefused(await start(open, body.request_uri))).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is of its client alone, and survives that others present it', async () => {
    const { body } = await push(open)
    for (const other of [strict, app]) expect(isRefused(await start(other, body.request_uri))).toBe(true)
    const unnamed: readonly Readonly<Record<string, string>>[] = [
      {},
      { client_id: '' },
      { client_id: '__proto__' },
    ]
    for (const named of unnamed)
      expect(isRefused(await browse({ ...named, request_uri: body.request_uri }))).toBe(true)
    expect(readRedirect(await start(open, body.request_uri))).toHaveProperty('code')
    expect(isRefused(await start(open, body.request_uri))).toBe(true)
  })

  it('takes no parameter from the browser', async () => {
    const { body } = await push(strict, { scope: 'openid', state: 'pushed' })
    const more = { state: 'other', scope: 'openid email', redirect_uri: 'https://attacker.example/callback' }
    const answer = await start(strict, body.request_uri, more)
    expect(answer.headers.get('location')).toContain(strict.client.redirect_uris[0])
    expect(readRedirect(answer)['state']).toBe('pushed')
  })

  it('waits for a sign-in like any other', async () => {
    const { body } = await push(strict)
    const query = { client_id: strict.client.clientId, request_uri: body.request_uri }
    const answer = await browse(query, {})
    const returnTo = new URL(readRedirect(answer)['return_to'] ?? '')
    expect(returnTo.pathname).toMatch(/^\/oauth2\/interaction\//)
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const done = await service.client('GET', returnTo.pathname + returnTo.search, {
      bearer,
      headers: { cookie },
    })
    expect(readRedirect(done)['code']).toBeDefined()
  })
})

describe('a client that has to push', () => {
  it.each([
    ['the parameters in the browser', {}],
    ['an address that was never given', { request_uri: 'urn:ietf:params:oauth:request_uri:AAAA' }],
    ['the start of an address alone', { request_uri: 'urn:ietf:params:oauth:request_uri:' }],
    ['an address of the web', { request_uri: 'https://attacker.example/request.jwt' }],
    ['a request of its own', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
  ])('gets no code with %s', async (_, fields) => {
    const query = buildAuthorization(strict, createPkce().challenge, fields)
    expect(readRedirect(await browse(Object.fromEntries(query)))['code']).toBeUndefined()
  })

  it('sends people who are not signed in nowhere with parameters of the browser', async () => {
    const query = buildAuthorization(strict, createPkce().challenge)
    const answer = await browse(Object.fromEntries(query), {})
    expect(answer.headers.get('location')).not.toContain('interaction')
  })
})

describe('what is pushed', () => {
  it.each([
    ['another address', { redirect_uri: 'https://attacker.example/callback' }, 'invalid_request'],
    ['a scope that the client has not', { scope: 'openid email' }, 'invalid_scope'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['another response', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'an address of parameters',
      { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
      'request_uri_not_supported',
    ],
    ['a huge state', { state: 'x'.repeat(5000) }, 'invalid_request'],
    ['an API of another client', { resource: 'https://other.example' }, 'invalid_target'],
  ])('is refused at once with %s', async (_, fields, error) => {
    const answer = await push(open, fields)
    expect([answer.status, answer.body.error]).toEqual([400, error])
  })

  it('has its client, proven as for tokens', async () => {
    const { challenge } = createPkce()
    const form = buildAuthorization(strict, challenge)
    const wrong = await post(`${form}&client_secret=wrong`)
    const none = await post(form)
    const unknown = await post(
      buildAuthorization({ ...strict, client: { ...strict.client, clientId: '9-x' } }, challenge),
    )
    const other = await push(strict, { client_id: open.client.clientId })
    expect([wrong, none, unknown, other].map(({ status, body }) => [status, body.error])).toEqual([
      [401, 'invalid_client'],
      [401, 'invalid_client'],
      [401, 'invalid_client'],
      [401, 'invalid_client'],
    ])
    const { clientId } = strict.client
    const basic = Buffer.from(`${clientId}:${strict.secret}`).toString('base64')
    expect((await post(form, { authorization: `Basic ${basic}` })).status).toBe(201)
  })

  it.each([
    ['a repeated parameter', (form: string) => `${form}&state=again`],
    ['__proto__', (form: string) => `${form}&__proto__=x&constructor=y`],
  ])('survives %s', async (_, change) => {
    const form = buildAuthorization(open, createPkce().challenge, proveClient(open))
    const { status } = await post(change(String(form)))
    expect([201, 400]).toContain(status)
  })

  it('is limited by network for clients that anyone can name, and secrets cannot be guessed', async () => {
    const strangers = await Promise.all(Array.from({ length: 301 }, () => push(app)))
    expect(strangers.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    expect((await push(open)).status).toBe(201)
  })
})
