import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { afterEach, describe, expect, test } from 'vitest'
import { type Gateway, type GatewayOptions, startGateway } from '../../local/gateway/gateway.ts'
import type { RequestRecord } from '../../local/gateway/handle-request.ts'
import { type ExactRequest, sendBytes, sendExactly } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

type Result = APIGatewayProxyStructuredResultV2

interface Call {
  readonly target: string
  readonly event: APIGatewayProxyEventV2
}

const routes = [
  { routeKey: 'GET /api/2/users/{id}', target: 'users' },
  { routeKey: 'GET /api/2/users/me', target: 'users' },
  { routeKey: 'POST /api/2/users/me/password', target: 'users' },
  { routeKey: 'GET /api/2/users/{id}/totp', target: 'users' },
  { routeKey: 'POST /api/2/auth/login', target: 'sessions' },
  { routeKey: 'GET /{first}/fixed', target: 'late' },
  { routeKey: 'GET /fixed/{second}', target: 'early' },
  { routeKey: 'ANY /items/{id}', target: 'items' },
  { routeKey: 'PUT /items/{id}', target: 'changes' },
  { routeKey: 'ANY /items/mine', target: 'mine' },
]

let gateway: Gateway
let calls: Call[]
let records: RequestRecord[]
afterEach(() => gateway.close())

const ok: Result = { statusCode: 200, body: 'done', headers: { 'Content-Type': 'text/plain' } }

const start = async (
  handle: (call: Call) => Result | Promise<Result> = () => ok,
  options: Partial<GatewayOptions> = {},
): Promise<void> => {
  const ownCalls: Call[] = []
  const ownRecords: RequestRecord[] = []
  calls = ownCalls
  records = ownRecords
  gateway = await startGateway({
    port: 0,
    routes,
    invoke: async (target, event) => {
      ownCalls.push({ target, event })
      return handle({ target, event })
    },
    onRequest: (record) => ownRecords.push(record),
    ...options,
  })
}

const lastEvent = (): APIGatewayProxyEventV2 => {
  const call = calls.at(-1)
  if (!call) throw new Error('nothing was invoked')
  return call.event
}

const send = (path: string, options: ExactRequest = {}) => sendExactly(gateway.port, path, options)
const sendRaw = (bytes: string) => sendBytes(gateway.port, bytes)

describe('route matching', () => {
  test.each([
    ['GET', '/api/2/users/me', 'GET /api/2/users/me', 'users'],
    ['GET', '/api/2/users/7', 'GET /api/2/users/{id}', 'users'],
    ['GET', '/api/2/users/me/totp', 'GET /api/2/users/{id}/totp', 'users'],
    ['GET', '/api/2/users/7?x=/api/2/users/me', 'GET /api/2/users/{id}', 'users'],
    ['GET', '/fixed/fixed', 'GET /fixed/{second}', 'early'],
    ['GET', '/other/fixed', 'GET /{first}/fixed', 'late'],
    ['POST', '/api/2/auth/login', 'POST /api/2/auth/login', 'sessions'],
    ['GET', '/items/7', 'ANY /items/{id}', 'items'],
    ['HEAD', '/items/7', 'ANY /items/{id}', 'items'],
    ['OPTIONS', '/items/7', 'ANY /items/{id}', 'items'],
    ['PUT', '/items/7', 'PUT /items/{id}', 'changes'],
    ['PUT', '/items/mine', 'ANY /items/mine', 'mine'],
  ])('%s %s goes to %s', async (method, path, routeKey, target) => {
    await start()
    await send(path, { method })
    expect(calls.map((call) => call.target)).toEqual([target])
    expect(lastEvent().routeKey).toBe(routeKey)
    expect(lastEvent().requestContext.routeKey).toBe(routeKey)
  })

  test.each([
    ['GET', '/'],
    ['GET', '/api/2/auth/login'],
    ['HEAD', '/api/2/users/me'],
    ['POST', '/api/2/auth/login/'],
    ['POST', '//api/2/auth/login'],
    ['POST', '/api/2/auth/../auth/login'],
    ['POST', '/API/2/auth/login'],
    ['GET', '/api/2/users/'],
    ['GET', '/api/2/users/{id}/more'],
    ['OPTIONS', '*'],
  ])('%s %s matches no route', async (method, path) => {
    await start()
    await send(path, { method })
    expect(calls[0]?.target).toBe('$default')
    expect(lastEvent().routeKey).toBe('$default')
    expect(lastEvent().rawPath).toBe(path)
  })
})

describe('the event', () => {
  test('contains all fields of format 2.0', async () => {
    await start()
    const before = Date.now()
    await send('/api/2/users/7?b=2&a=1', { headers: { 'User-Agent': 'tester/1', Accept: '*/*' } })
    expect(lastEvent()).toMatchObject({
      version: '2.0',
      rawPath: '/api/2/users/7',
      rawQueryString: 'b=2&a=1',
      queryStringParameters: { a: '1', b: '2' },
      pathParameters: { id: '7' },
      isBase64Encoded: false,
      requestContext: {
        stage: '$default',
        domainName: `127.0.0.1:${gateway.port}`,
        http: {
          method: 'GET',
          path: '/api/2/users/7',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'tester/1',
        },
      },
    })
    const { timeEpoch, time, requestId } = lastEvent().requestContext
    expect(timeEpoch).toBeGreaterThanOrEqual(before)
    expect(time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/)
    expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    expect(lastEvent()).not.toHaveProperty('body')
    expect(lastEvent()).not.toHaveProperty('cookies')
  })

  test('has a new request id for each request, regardless of client headers', async () => {
    await start()
    await send('/', { headers: { 'X-Request-Id': 'mine' } })
    await send('/')
    const ids = calls.map((call) => call.event.requestContext.requestId)
    expect(new Set([...ids, 'mine']).size).toBe(3)
  })

  test('decodes the query, joins repeated parameters with commas, and keeps the raw query', async () => {
    await start()
    await send('/?a=1&b=%26%20&a=2+3&c&__proto__=x&%zz=%&q=a?b')
    expect(lastEvent().rawQueryString).toBe('a=1&b=%26%20&a=2+3&c&__proto__=x&%zz=%&q=a?b')
    const parameters = lastEvent().queryStringParameters ?? {}
    expect(Object.entries(parameters)).toEqual([
      ['a', '1,2 3'],
      ['b', '& '],
      ['c', ''],
      ['__proto__', 'x'],
      ['%zz', '%'],
      ['q', 'a?b'],
    ])
    await send('/')
    expect(lastEvent()).not.toHaveProperty('queryStringParameters')
  })

  test('joins repeated headers with commas, including those that Node would drop', async () => {
    await start()
    await sendRaw(
      'GET / HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nx-one: 2\r\nAuthorization: A\r\nauthorization: B\r\n' +
        'Connection: close\r\n\r\n',
    )
    expect(lastEvent().headers).toMatchObject({ 'x-one': '1,2', authorization: 'A,B', host: 'a' })
    expect(lastEvent().headers).not.toHaveProperty('connection')
  })

  test('takes cookies out of all cookie headers', async () => {
    await start()
    await sendRaw(
      'GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1; b=2\r\nCookie: a=3;\r\nConnection: close\r\n\r\n',
    )
    expect(lastEvent().cookies).toEqual(['a=1', 'b=2', 'a=3'])
    expect(lastEvent().headers).not.toHaveProperty('cookie')
  })

  test('has the address of the connection, regardless of headers', async () => {
    await start()
    await send('/', {
      headers: { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' },
    })
    expect(lastEvent().requestContext.http.sourceIp).toBe('127.0.0.1')
    expect(lastEvent().headers['x-forwarded-for']).toBe('203.0.113.9, 127.0.0.1')
  })
})

describe('the body', () => {
  test.each([
    ['application/json', '{"a":"é"}', false],
    ['application/JSON; charset=utf-8', '{}', false],
    ['text/csv', 'a,b', false],
    ['application/xml', '<a/>', false],
    ['application/javascript', '1', false],
    ['application/x-www-form-urlencoded', 'a=1', true],
    ['application/problem+json', '{}', true],
    ['image/png', 'x', true],
    ['', 'x', true],
    ['application/jsonp', 'x', true],
  ])('of type %s', async (type, body, isBase64Encoded) => {
    await start()
    await send('/api/2/auth/login', { method: 'POST', body, headers: type ? { 'Content-Type': type } : {} })
    expect(lastEvent().isBase64Encoded).toBe(isBase64Encoded)
    expect(lastEvent().body).toBe(isBase64Encoded ? Buffer.from(body).toString('base64') : body)
  })

  test.each(['gzip', 'br', 'identity'])('with the encoding %s is base64 of any type', async (encoding) => {
    await start()
    const body = gzipSync('{}')
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding }
    await send('/api/2/auth/login', { method: 'POST', body, headers })
    expect(lastEvent()).toMatchObject({ isBase64Encoded: true, body: body.toString('base64') })
    await send('/api/2/auth/login', { method: 'POST', body: '{}', headers })
    expect(lastEvent()).toMatchObject({ isBase64Encoded: true, body: 'e30=' })
  })

  test('has its length and type in the headers, also if it is empty or in chunks', async () => {
    await start()
    const text = { 'Content-Type': 'text/plain' }
    await send('/', { method: 'POST', body: 'abc', headers: { ...text, 'Transfer-Encoding': 'chunked' } })
    expect(lastEvent().headers).toMatchObject({ 'content-length': '3', 'content-type': 'text/plain' })
    await send('/')
    expect(lastEvent().headers).toMatchObject({ 'content-length': '0' })
    expect(lastEvent().headers).not.toHaveProperty('content-type')
    await send('/', { method: 'POST', headers: { 'Content-Length': 0 } })
    expect(lastEvent().headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  test('arrives byte for byte if it is not UTF-8', async () => {
    await start()
    const body = Buffer.from([0x22, 0xff, 0xfe, 0x22])
    await send('/api/2/auth/login', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
    expect(lastEvent().isBase64Encoded).toBe(true)
    expect(Buffer.from(lastEvent().body ?? '', 'base64')).toEqual(body)
  })

  test('is omitted if it is empty', async () => {
    await start()
    await send('/api/2/auth/login', { method: 'POST', headers: { 'Content-Type': 'application/json' } })
    expect(lastEvent()).not.toHaveProperty('body')
  })
})

describe('the response', () => {
  test('has status, headers, cookies and body', async () => {
    await start(() => ({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', Location: '/x', 'X-Count': 3, 'Content-Length': 999 },
      cookies: ['a=1; Path=/', 'b=2; HttpOnly'],
      body: '{"a":"é"}',
    }))
    const answer = await send('/')
    expect(answer).toMatchObject({ status: 201, body: '{"a":"é"}' })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      location: '/x',
      'x-count': '3',
      'content-length': '10',
      'set-cookie': ['a=1; Path=/', 'b=2; HttpOnly'],
    })
  })

  test('is decoded from base64', async () => {
    await start(() => ({
      statusCode: 200,
      body: Buffer.from('häl').toString('base64'),
      isBase64Encoded: true,
    }))
    expect((await send('/')).body).toBe('häl')
  })

  test.each([null, undefined, {}, { body: 'hidden' }])(
    'is the whole result as JSON for a function that returns %j',
    async (result) => {
      await start(() => result as Result)
      const answer = await send('/')
      expect(answer).toMatchObject({ status: 200, body: JSON.stringify(result ?? null) })
      expect(answer.headers['content-type']).toBe('application/json')
    },
  )

  test('has no body for HEAD', async () => {
    await start()
    const raw = await sendRaw('HEAD /api/2/users/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(raw).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(raw.endsWith('\r\n\r\n')).toBe(true)
  })

  test('has no body without content', async () => {
    await start(() => ({ statusCode: 204 }))
    const answer = await send('/')
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(answer.headers).not.toHaveProperty('content-type')
    expect(answer.headers).not.toHaveProperty('content-length')
  })

  test.each<[string, () => Result]>([
    [
      'fails',
      () => {
        throw new Error('secret')
      },
    ],
    ['has an invalid status', () => ({ statusCode: 999, body: 'secret' })],
    ['has a header that splits', () => ({ statusCode: 200, headers: { 'X-A': 'a\r\nX-B: secret' } })],
    ['has a cookie that splits', () => ({ statusCode: 200, cookies: ['a=1\r\nX-B: secret'] })],
  ])('is a 500 with a fixed text for a function that %s', async (_, handle) => {
    await start(handle)
    const answer = await send('/')
    expect(answer.status).toBe(500)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.headers['apigw-requestid']).toBe(lastEvent().requestContext.requestId)
    expect(answer.body).toBe('{"message":"Internal Server Error"}')
    expect(JSON.stringify(answer)).not.toContain('secret')
  })
})

describe('malformed requests', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a blank in the path', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: a\r\nX A: 1\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy', 400],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a bad chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n', 400],
    ['huge headers', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(30_000)}\r\n\r\n`, 431],
  ])('%s: answered without calling a function', async (_, bytes, status) => {
    await start()
    const raw = await sendRaw(bytes)
    expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(raw.toLowerCase()).toContain('content-type: application/json')
    expect(raw.toLowerCase()).toContain('connection: close')
    expect(raw).toMatch(/apigw-requestid: [0-9a-f-]{36}\r\n/)
    expect(JSON.parse(raw.slice(raw.indexOf('\r\n\r\n')))).toEqual({ message: expect.any(String) })
    expect(calls).toEqual([])
  })

  test('need no Host header in HTTP/1.0', async () => {
    await start()
    expect(await sendRaw('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-'],
    ['body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx'],
  ])('%s that never end are rejected', async (_, bytes) => {
    await start(undefined, { headersTimeoutMs: 150, requestTimeoutMs: 300 })
    expect(await sendRaw(bytes)).toMatch(/^HTTP\/1\.1 408 /)
    expect(calls).toEqual([])
  })

  test('a disconnecting client does not affect others', async () => {
    await start()
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write('POST /api/2/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx')
    await sleep(50)
    socket.destroy()
    await waitFor(() => expect(records).toMatchObject([{ routeKey: 'POST /api/2/auth/login', status: 499 }]))
    expect((await send('/')).status).toBe(200)
    expect(calls).toHaveLength(1)
  })
})

describe('connections', () => {
  test('are reused', async () => {
    const ports = new Set<string | undefined>()
    await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let i = 0; i < 3; i++) {
      const req = request({ host: '127.0.0.1', port: gateway.port, path: '/', agent }).end()
      const [res] = await once(req, 'response')
      ports.add(req.socket?.localPort?.toString())
      await text(res)
    }
    agent.destroy()
    expect(ports.size).toBe(1)
  })

  test('answer pipelined requests in order', async () => {
    await start(async ({ event }) => {
      if (event.rawPath === '/1') await sleep(50)
      return { statusCode: 200, body: `<${event.rawPath}>` }
    })
    const raw = await sendRaw(
      'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    )
    expect(raw.match(/<[^>]+>/g)).toEqual(['</1>', '</2>'])
  })

  test('end immediately on close, idle or active', async () => {
    await start(() => new Promise(() => {}))
    const idle = connect(gateway.port, '127.0.0.1')
    await once(idle, 'connect')
    const active = send('/').catch((error: Error) => error)
    await waitFor(() => expect(calls).toHaveLength(1))
    const idleEnded = once(idle.resume(), 'close')
    await gateway.close()
    expect(await active).toBeInstanceOf(Error)
    await idleEnded
    await expect(send('/')).rejects.toThrow('ECONNREFUSED')
  })

  test('close with a grace period lets running requests finish but accepts no new ones', async () => {
    let finish = () => {}
    await start(
      () =>
        new Promise((resolve) => {
          finish = () => resolve(ok)
        }),
    )
    const running = send('/', { agent: new Agent({ keepAlive: true }) })
    await waitFor(() => expect(calls).toHaveLength(1))
    const closed = gateway.close(10_000)
    await expect(send('/')).rejects.toThrow('ECONNREFUSED')
    finish()
    expect(await running).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await closed
  })

  test('reject a port in use', async () => {
    await start()
    await expect(startGateway({ port: gateway.port, routes, invoke: async () => ok })).rejects.toThrow(
      'EADDRINUSE',
    )
  })
})

test('a preflight request reaches the function, whose headers are kept', async () => {
  const headers = { 'Access-Control-Allow-Origin': 'https://app.example', Vary: 'origin' }
  await start(() => ({ statusCode: 204, headers }))
  const answer = await send('/items/7', {
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
  })
  expect(lastEvent().routeKey).toBe('ANY /items/{id}')
  expect(answer).toMatchObject({ status: 204, body: '' })
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    vary: 'origin',
  })
})

test('a request record contains route, status and duration but no path or query', async () => {
  await start()
  await send('/api/2/users/secret?token=secret')
  await send('/secret')
  await waitFor(() => expect(records).toHaveLength(2))
  expect(records).toEqual([
    {
      routeKey: 'GET /api/2/users/{id}',
      method: 'GET',
      status: 200,
      durationMs: expect.any(Number),
      requestId: expect.any(String),
    },
    {
      routeKey: '$default',
      method: 'GET',
      status: 200,
      durationMs: expect.any(Number),
      requestId: expect.any(String),
    },
  ])
})

describe('a page of another origin that may not call the service', () => {
  const origin = 'http://localhost:5173'
  const preflight = async (headers: Record<string, string>, answer: Result) => {
    await start(() => answer)
    await send('/items/7', { method: 'OPTIONS', headers })
    await waitFor(() => expect(records).toHaveLength(1))
    return records[0]?.blockedOrigin
  }
  const asked = { 'access-control-request-method': 'GET' }
  const refusal = { statusCode: 405 }

  test('is named with the request that asks', async () => {
    expect(await preflight({ origin, ...asked }, refusal)).toBe(origin)
  })

  test.each([
    [
      'it may call it',
      { origin, ...asked },
      { statusCode: 204, headers: { 'access-control-allow-origin': origin } },
    ],
    ['it does not ask', { origin }, refusal],
    ['its origin is none', { origin: 'http://localhost:5173/path', ...asked }, refusal],
  ])('is not named if %s', async (_, headers, answer) => {
    expect(await preflight(headers, answer)).toBeUndefined()
  })
})
