import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listRepeatedKeys } from '../../lib/kernel/errors/json.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })

const login = '/api/2/auth/login'
const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, path = login) =>
  service.client('POST', path, { raw, headers })
const fields = (body: { errors?: { field: string }[] }) => body.errors?.map(({ field }) => field)

describe('a problem body', () => {
  it('has the fields and media type of RFC 9457, a stable code, and the request ID', async () => {
    const answer = await post('{}')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toEqual({
      type: 'urn:latchkey:problem:invalid_request',
      title: 'Invalid request',
      status: 400,
      detail: 'Fix the fields listed in `errors` and resend the request.',
      code: 'invalid_request',
      request_id: answer.headers.get('x-request-id'),
      errors: [
        { field: 'username', message: 'is required' },
        { field: 'password', message: 'is required' },
      ],
    })
  })

  it('lists all errors of path, query, and body together', async () => {
    const answer = await service.client('PATCH', '/api/2/users/abc?x=1&x=2&y=3', {
      bearer,
      body: { is_enabled: 'yes', groups: ['a', 0], nickname: 1, email: 5 },
    })
    expect(answer.status).toBe(400)
    expect(fields(answer.body)).toEqual([
      'id',
      'x',
      'email',
      'is_enabled',
      'groups.0',
      'groups.1',
      'nickname',
    ])
  })

  it('counts errors beyond 200 instead of growing with the request', async () => {
    const names = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 1]))
    const answer = await service.client('POST', login, { body: names })
    expect(answer.body.errors).toHaveLength(201)
    expect(answer.body.errors.at(-1).message).toBe('and 4802 more errors in this request')
  })

  it('never quotes a value of the request', async () => {
    const secret = 'hunter2-and-more'
    for (const raw of [
      `{"username":"a","password":"${secret}",}`,
      `{"username":"a","password":["${secret}"]}`,
      `"${secret}"`,
      `{"username":"a","password":"${secret}","otp":{"x":"${secret}"}}`,
    ]) {
      const answer = await post(raw)
      expect(answer.status).toBe(400)
      expect(answer.text).not.toContain(secret.slice(0, 7))
    }
  })
})

describe('a body', () => {
  it.each([
    ['no content', '', ['username', 'password']],
    ['white space', ' \n ', ['username', 'password']],
    ['half an object', '{"username":', ['body']],
    ['a list', '[]', ['body']],
    ['null', 'null', ['body']],
    ['a text', '"x"', ['body']],
    ['two values', '{}{}', ['body']],
    ['a comment', '{}//', ['body']],
    ['a byte order mark', '\ufeff{}', ['username', 'password']],
    ['wrong types', '{"username":1,"password":{}}', ['username', 'password']],
    ['nulls', '{"username":null,"password":null,"otp":null}', ['username', 'password']],
    ['empty texts', '{"username":"","password":""}', ['username', 'password']],
    ['unknown fields', '{"username":"a","password":"b","admin":true}', ['admin']],
    ['a prototype', '{"username":"a","password":"b","__proto__":{"x":1}}', ['__proto__']],
    ['a repeated key', '{"username":"a","password":"b","username":"admin"}', ['username']],
    ['a repeated key in escapes', '{"username":"a","password":"b","\\u0075sername":"c"}', ['username']],
    ['a repeated prototype', '{"__proto__":1,"__proto__":2}', ['__proto__']],
    [
      'repeated keys inside',
      '{"username":[{"a\\"":1,"a\\"":[{"b":1,"b":2}]}]}',
      ['username.0.a"', 'username.0.a".0.b'],
    ],
    [
      'a repeated key that hides deep nesting',
      `{"a":${'[{"b":'.repeat(2000)}1${'}]'.repeat(2000)},"a":1}`,
      ['a'],
    ],
    ['half a surrogate pair', '{"username":"\\ud800","password":"b"}', ['username']],
    [
      'deep nesting',
      `{"username":${'['.repeat(9000)}${']'.repeat(9000)}}`,
      [expect.stringMatching(/^username\.0/)],
    ],
  ])('of %s is rejected with the invalid fields', async (_, raw, invalidFields) => {
    const answer = await post(raw)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_request')
    expect(fields(answer.body)).toEqual(invalidFields)
  })

  it('may repeat keys in different objects and in values', async () => {
    const raw = '{"username":"a","password":"{\\"username\\":\\"username\\",\\"username\\":1}\\\\"}'
    expect((await post(raw)).status).toBe(401)
    const rules =
      '[{"group_name":"a","group_regex":"a","min_count":1},{"group_name":"a","group_regex":"a","min_count":1}]'
    const body = `{"password":"group_name","custom_policy":{"rules":${rules}}}`
    const { status } = await service.client('POST', '/api/2/auth/evaluate-password', { bearer, raw: body })
    expect(status).toBe(200)
  })

  it('takes time in proportion to its length to find repeated keys', async () => {
    const measure = (count: number): Promise<number> => {
      const text = `${'{"k":'.repeat(count)}1${',"k":1}'.repeat(count)}`
      return cpuMsOf(async () => {
        for (let round = 0; round < 20; round++) listRepeatedKeys(text)
      })
    }
    // The least of several rounds, because the garbage collector can run in any of them.
    const [short, long]: [number[], number[]] = [[], []]
    for (let round = 0; round < 5; round++) {
      short.push(await measure(2000))
      long.push(await measure(16_000))
    }
    expect(Math.min(...long) / Math.min(...short)).toBeLessThan(8 * 5)
  })

  it('that is not UTF-8 is rejected', async () => {
    const answer = await post(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([{ field: 'body', message: 'is not valid UTF-8' }])
  })

  it('of another content type gets a 415, while parameters and case do not matter', async () => {
    const raw = '{"username":"a","password":"b"}'
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data',
      '',
    ])
      expect((await post(raw, { 'content-type': type })).status).toBe(415)
    for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
      expect((await post(raw, { 'content-type': type })).status).toBe(401)
  })

  it('that is compressed gets a 415 that names the reason, while a harmless coding does not matter', async () => {
    const raw = '{"username":"of-another-test","password":"b"}'
    for (const [coding, compress] of Object.entries({
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
    })) {
      const answer = await post(new Uint8Array(compress(raw)), { 'content-encoding': coding })
      expect(answer.status).toBe(415)
      expect(answer.body.detail).toBe('Send the body without compression.')
    }
    for (const coding of ['identity', 'utf-8'])
      expect((await post(raw, { 'content-encoding': coding })).status).toBe(401)
    const bomb = new Uint8Array(gzipSync('x'.repeat(50_000_000)))
    expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  it('above 64 KiB gets a 413', async () => {
    const padded = (bytes: number) => {
      const shell = '{"username":"a","password":""}'
      return shell.replace('""}', `"${'x'.repeat(bytes - shell.length)}"}`)
    }
    expect((await post(padded(65_536))).status).toBe(401)
    expect((await post(padded(65_537))).body.code).toBe('payload_too_large')
    expect((await post(padded(5_000_000))).status).toBe(413)
    expect((await post(`{"username":"a","password":"${'é'.repeat(32_767)}"}`)).status).toBe(413)
  })

  it('is optional and must be empty if the operation has no body', async () => {
    const path = '/api/2/auth/ticket'
    for (const raw of ['', '{}', 'null', ' '])
      expect((await service.client('POST', path, { bearer, raw })).status).toBe(200)
    const answer = await service.client('POST', path, { bearer, raw: '{"user":1}' })
    expect(answer.status).toBe(400)
    expect(fields(answer.body)).toEqual(['user'])
  })
})

describe('a query', () => {
  it('is rejected by name for repeated, unknown, and malformed parameters', async () => {
    const answer = await service.client('GET', '/api/2/users/me?a=1&a=2&b=%zz&c', { bearer })
    expect(answer.status).toBe(400)
    expect(fields(answer.body)).toEqual(['b', 'a'].sort())
    const unknown = await service.client('GET', '/api/2/users/me?constructor=1&__proto__=2', { bearer })
    expect(fields(unknown.body)?.sort()).toEqual(['__proto__', 'constructor'])
  })
})

describe('a route', () => {
  it('that is unknown gets a 404, and one with another method a 405 with the allowed methods', async () => {
    for (const path of [
      '/api',
      '/api/2/auth',
      '/api/2/auth/login/',
      '/api/2/auth//login',
      '/API/2/auth/login',
      '/x%00y',
    ])
      expect((await service.client('GET', path)).body).toMatchObject({ status: 404, code: 'not_found' })
    const get = await service.client('GET', login)
    expect(get.status).toBe(405)
    expect(get.body.code).toBe('method_not_allowed')
    expect(get.headers.get('allow')).toBe('POST')
    const me = await service.client('POST', '/api/2/users/me')
    expect(me.headers.get('allow')).toBe('GET, HEAD, PATCH, PUT')
    expect((await service.client('OPTIONS', login)).status).toBe(405)
  })
})

describe('Accept', () => {
  it('that excludes JSON gets a 406, except for empty responses', async () => {
    const me = (accept: string) => service.client('GET', '/api/2/users/me', { bearer, headers: { accept } })
    for (const accept of ['text/html', 'application/xml, text/*', 'application/json;q=0', '*/*;q=0'])
      expect((await me(accept)).body.code).toBe('not_acceptable')
    for (const accept of [
      '*/*',
      'application/*',
      'text/html, */*;q=0.1',
      'APPLICATION/JSON',
      'application/json, text/plain, */*',
    ])
      expect((await me(accept)).status).toBe(200)
    const headers = { accept: 'text/plain' }
    expect((await service.client('POST', '/api/2/auth/logout', { headers })).status).toBe(204)
  })
})

describe('every response', () => {
  it('has the same protective headers with every status', async () => {
    for (const answer of [
      await service.client('GET', '/api/2/users/me', { bearer }),
      await service.client('GET', '/api/2/users/me'),
      await service.client('POST', '/api/2/auth/logout'),
      await service.client('GET', '/nowhere'),
      await service.client('DELETE', login),
      await post('x'.repeat(70_000)),
    ]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(answer.headers.has('strict-transport-security')).toBe(false)
    }
  })

  it('ignores request IDs that the client sends', async () => {
    const headers = { 'x-request-id': 'mine', 'x-amzn-requestid': 'mine', 'x-amzn-trace-id': 'mine' }
    const answer = await service.client('GET', '/api/2/users/me', { headers })
    expect(answer.text + [...answer.headers].join()).not.toContain('mine')
  })
})

it('uses the address of the connection and ignores headers about it', async () => {
  const before = service.log.length
  const headers = {
    'x-forwarded-for': '203.0.113.9',
    forwarded: 'for=203.0.113.9',
    'x-real-ip': '203.0.113.9',
  }
  await service.client('GET', '/api/2/users/me', { bearer, headers })
  expect(JSON.parse(service.log.slice(before).join('')).address).toBe('127.0.0.1')
})
