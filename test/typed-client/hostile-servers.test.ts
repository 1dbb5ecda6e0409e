import { createServer, type RequestListener } from 'node:http'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../lib/client/create-client.ts'
import type { ClientOptions } from '../../lib/client/options.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { listenOnLoopback } from '../support/listen-on-loopback.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
}
let respond: RequestListener
let seen: Seen[]
const server = closeAfterTests(
  await listenOnLoopback(
    createServer((request, response) => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, authorization: headers.authorization })
      respond(request, response)
    }),
  ),
)
beforeEach(() => {
  seen = []
})

const credential = 'lks_a-secret-session'
const connect = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: server.url, credential, ...options })

const answer =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

const fail = async (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call should fail'),
    (error: unknown) => error,
  )

describe('responses', () => {
  it.each([
    ['a page', answer(200, '<html>Sign in</html>', { 'content-type': 'text/html' })],
    ['JSON with another type', answer(200, '{"id":1}', { 'content-type': 'text/plain' })],
    ['broken JSON', answer(200, '{"id":')],
    ['a number', answer(200, '7')],
    ['null', answer(200, 'null')],
    ['nothing', answer(200, '')],
  ])('with %s instead of an object are rejected', async (_, listener) => {
    respond = listener
    expect(await fail(connect().users.getUser(1))).toMatchObject({ code: 'unexpected_response', status: 200 })
  })

  it('with an object instead of a list are rejected', async () => {
    respond = answer(200, '{"length": 3}')
    expect(await fail(connect().users.listUsers())).toMatchObject({ code: 'unexpected_response' })
  })

  it('without a session do not sign in', async () => {
    const client = connect()
    respond = answer(200, '{"user": {}, "session_key": {"toString": 1}}')
    const error = await fail(client.signIn({ username: 'ada', password: 'secret' }))
    expect(error).toMatchObject({ code: 'unexpected_response' })
    expect(client.hasSession).toBe(false)
  })

  it('that are too large are cut off, also without a length', async () => {
    let isClosed = false
    respond = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const write = () =>
        response.write(`"${'x'.repeat(2 ** 16)}"`, (error) => !error && !isClosed && write())
      response.on('close', () => {
        isClosed = true
      })
      write()
    }
    const error = await fail(connect({ maxResponseBytes: 2 ** 20 }).users.getUser(1))
    expect(error).toMatchObject({ code: 'unexpected_response' })
  })

  it('cannot set a prototype', async () => {
    respond = answer(200, '{"id": 1, "\\u005f_proto__": {"isAdmin": true}}')
    const copy = Object.assign({}, await connect().users.getUser(1))
    expect(copy).toEqual({ id: 1 })
    expect('isAdmin' in copy).toBe(false)
  })

  it('that redirect get no credential', async () => {
    respond = answer(302, '', { location: '/elsewhere' })
    expect(await fail(connect().users.getUser(1))).toMatchObject({ code: 'unexpected_response', status: 302 })
    expect(seen.map(({ url }) => url)).toEqual(['/api/2/users/1'])
  })

  it('with a link to another server do not lead there', async () => {
    const pages = [
      answer(200, '[{"id": 1}]', { link: '<http://127.0.0.2:9/steal?cursor=abc&limit=9>; rel="next"' }),
      answer(200, '[{"id": 2}]'),
    ]
    respond = (request, response) => pages.shift()?.(request, response)
    const ids: number[] = []
    for await (const { id } of connect().users.iterateUsers({ limit: 1 })) ids.push(id)
    expect(ids).toEqual([1, 2])
    expect(seen.map(({ url }) => url)).toEqual(['/api/2/users?limit=1', '/api/2/users?limit=1&cursor=abc'])
  })

  it('that continue with the same page end the iteration', async () => {
    respond = answer(200, '[]', { link: '</api/2/users?cursor=abc>; rel="next"' })
    const read = async () => {
      for await (const _ of connect().users.iterateUsers()) expect.unreachable('the pages are empty')
    }
    expect(await fail(read())).toMatchObject({ code: 'unexpected_response' })
    expect(seen).toHaveLength(2)
  })
})

describe('errors', () => {
  it('of the gateway have a code of their own', async () => {
    respond = answer(503, '{"message":"Service Unavailable"}')
    expect(await fail(connect().users.getUser(1))).toMatchObject({
      code: 'gateway_error',
      status: 503,
      detail: 'Service Unavailable',
    })
  })

  it('with fields of wrong types have none of them', async () => {
    const body = {
      code: 'conflict',
      reason: 7,
      detail: [],
      errors: [null, { field: 1 }, 'x'],
      request_id: {},
    }
    respond = answer(409, JSON.stringify(body), { 'retry-after': '9'.repeat(400) })
    const error = await fail(connect().users.getUser(1))
    expect(error).toMatchObject({ code: 'conflict', status: 409, detail: 'The status is 409.', errors: [] })
    expect(error).toMatchObject({ reason: undefined, requestId: undefined, retryAfterSeconds: undefined })
  })

  it('have the password policy of the problem, or none', async () => {
    const policy = { rules: [], min_length: 15, no_pwned: true }
    const problem = { code: 'login_incomplete', reason: 'password_change_required', password_policy: policy }
    respond = answer(403, JSON.stringify(problem))
    expect(await fail(connect().users.getUser(1))).toMatchObject({ passwordPolicy: policy })
    respond = answer(403, JSON.stringify({ ...problem, password_policy: 'none' }))
    expect(await fail(connect().users.getUser(1))).toMatchObject({ passwordPolicy: undefined })
  })

  it('have the challenge of the problem, or none', async () => {
    const challenge = { parameters: { algorithm: 'PBKDF2/SHA-256' }, signature: '00' }
    const problem = { code: 'too_many_requests', reason: 'proof_required', challenge }
    respond = answer(429, JSON.stringify(problem))
    expect(await fail(connect().users.getUser(1))).toMatchObject({ challenge })
    respond = answer(429, JSON.stringify({ ...problem, challenge: 'none' }))
    expect(await fail(connect().users.getUser(1))).toMatchObject({ challenge: undefined })
  })

  it('show no credential when they are printed', async () => {
    const problem = {
      code: 'login_incomplete',
      reason: 'passkey_required',
      second_factor_token: 'lkf_secret',
    }
    respond = answer(403, JSON.stringify(problem))
    const error = await fail(connect().users.getUser(1))
    expect(error).toMatchObject({ secondFactorToken: 'lkf_secret' })
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toMatch(/secret/)
  })

  it('of the connection have a code of their own', async () => {
    respond = (request) => request.socket.destroy()
    expect(await fail(connect().users.getUser(1))).toMatchObject({ code: 'network_error', status: 0 })
  })

  it('of slow responses have a code of their own', async () => {
    respond = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    expect(await fail(connect().users.getUser(1, undefined, { timeoutMs: 50 }))).toMatchObject({
      code: 'timeout',
    })
  })

  it('of the caller have the reason of the caller', async () => {
    const reason = new Error('The page was closed.')
    const { signal, abort } = {
      signal: AbortSignal.abort(reason),
      abort: new AbortController(),
    }
    expect(await fail(connect().users.getUser(1, undefined, { signal }))).toBe(reason)
    expect(seen).toEqual([])
    respond = () => abort.abort(reason)
    expect(await fail(connect().users.getUser(1, undefined, { signal: abort.signal }))).toBe(reason)
  })
})

describe('repeated calls', () => {
  const problem = (code: string) => JSON.stringify({ code })

  it('do not happen unless the client asks for them', async () => {
    respond = answer(429, problem('too_many_requests'), { 'retry-after': '0' })
    expect(await fail(connect().users.getUser(1))).toMatchObject({ retryAfterSeconds: 0 })
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['GET', 429, { 'retry-after': '0' }, 3],
    ['GET', 429, {}, 1],
    ['GET', 429, { 'retry-after': '31' }, 1],
    ['GET', 503, {}, 3],
    ['GET', 500, {}, 1],
    ['GET', 404, { 'retry-after': '0' }, 1],
    ['DELETE', 429, { 'retry-after': '0' }, 3],
    ['DELETE', 503, { 'retry-after': '0' }, 1],
    ['DELETE', 503, { 'retry-after': '0' }, 3, 'temporarily_unavailable'],
    ['DELETE', 503, {}, 1, 'temporarily_unavailable'],
    ['DELETE', 503, { 'retry-after': '31' }, 1, 'temporarily_unavailable'],
    ['GET', 503, { 'retry-after': '0' }, 3, 'temporarily_unavailable'],
  ])(
    'of %s after %i with %j are at most as many as allowed',
    async (method, status, headers, count, code = 'too_many_requests') => {
      respond = answer(status, problem(code), headers)
      const { users } = connect({ retries: 2 })
      await fail(method === 'GET' ? users.getUser(1) : users.deleteUser(1))
      expect(seen).toHaveLength(count)
    },
  )

  it.each(['outcome_unknown', 'partly_changed'])(
    'do not repeat a change with the reason %s, with any headers',
    async (reason) => {
      const body = JSON.stringify({ ...JSON.parse(problem('temporarily_unavailable')), reason })
      respond = answer(503, body, { 'retry-after': '0' })
      const { users } = connect({ retries: 2 })
      await fail(users.deleteUser(1))
      expect(seen).toHaveLength(1)
    },
  )

  it('end when the caller aborts', async () => {
    const controller = new AbortController()
    respond = answer(429, problem('too_many_requests'), { 'retry-after': '30' })
    const call = connect({
      retries: 2,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        setTimeout(() => controller.abort(), 20)
        return response
      },
    }).users.getUser(1, undefined, { signal: controller.signal })
    expect(await fail(call)).toMatchObject({ name: 'AbortError' })
  })
})

describe('path parameters', () => {
  it.each([
    ['../users/me', '..%2Fusers%2Fme'],
    ['%2e%2e%2Fme', '%252e%252e%252Fme'],
    ['a?admin=true#x', 'a%3Fadmin%3Dtrue%23x'],
    ['{id}$&\\', '%7Bid%7D%24%26%5C'],
    ['...', '...'],
  ])('are encoded: %s', async (token, encoded) => {
    respond = answer(200, '{}')
    await connect().accessLinks.getAccessTokenByValue(token)
    expect(seen.map(({ url }) => url)).toEqual([`/api/2/auth/access-tokens/get/${encoded}`])
  })

  it.each(['', '.', '..'])('that are steps between folders are refused: %j', async (token) => {
    expect(await fail(connect().accessLinks.getAccessTokenByValue(token))).toBeInstanceOf(TypeError)
    expect(seen).toEqual([])
  })

  it.each([1.5, -1, Number.NaN, 1e21, '../me', '1/../2', '', undefined, null, {}, ['1']])(
    'that are no IDs are refused: %j',
    async (id) => {
      expect(await fail(connect().users.getUser(id as number))).toBeInstanceOf(TypeError)
      expect(seen).toEqual([])
    },
  )
})

describe('credentials', () => {
  it.each(['lks_a secret\r\nx: y', 'secret\n', 'secrét'])(
    'that no header can have are not shown: %j',
    async (bad) => {
      const error = await fail(connect({ credential: bad }).users.getUser(1))
      expect(error).toBeInstanceOf(TypeError)
      expect(inspect(error)).not.toMatch(/lks_a|secr.t/)
      expect(seen).toEqual([])
    },
  )

  it('of the client are not sent to operations for anyone', async () => {
    respond = answer(200, '{"username": "ada"}')
    await connect().tickets.checkAuthTicket({ ticket: 'lkt_x' })
    await connect().users.getUser(1)
    expect(seen.map(({ authorization }) => authorization)).toEqual([undefined, `Bearer ${credential}`])
  })

  it('are asked for once per call', async () => {
    respond = answer(200, '{"id": 1}')
    const values = ['lks_1', undefined, 'lks_3']
    const client = connect({ credential: async () => values.shift() })
    for (const _ of [1, 2, 3]) await client.users.getUser(1)
    expect(seen.map(({ authorization }) => authorization)).toEqual([
      'Bearer lks_1',
      undefined,
      'Bearer lks_3',
    ])
  })
})

describe('the base URL', () => {
  it.each([
    'auth.example.com',
    '/api',
    'ftp://auth.example.com',
    'http://auth.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'https://ada:secret@auth.example.com',
    'https://auth.example.com?a=1',
    'https://auth.example.com#a',
    'javascript:alert(1)',
  ])('%s is refused', (url) => {
    expect(() => createClient({ baseUrl: url })).toThrow(TypeError)
  })

  it.each([
    ['https://auth.example.com/', 'https://auth.example.com/'],
    ['https://example.com/auth//', 'https://example.com/auth/'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['http://[::1]:3000', 'http://[::1]:3000/'],
  ])('%s is accepted', (url, page) => {
    expect(createClient({ baseUrl: url }).pages.signInPageUrl()).toBe(page)
  })

  it('can be without encryption by choice', () => {
    const client = createClient({ baseUrl: 'http://auth.internal', allowsHttp: true })
    expect(client.pages.signInPageUrl()).toBe('http://auth.internal/')
  })
})
