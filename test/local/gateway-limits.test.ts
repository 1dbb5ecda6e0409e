import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Gateway,
  type GatewayOptions,
  maxWaitingRequests,
  startGateway,
} from '../../local/gateway/gateway.ts'
import { sendBytes, sendExactly } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const megabyte = 1024 * 1024

let gateway: Gateway
let events: APIGatewayProxyEventV2[]
afterEach(async () => {
  // The next client is served after every kind of request.
  expect(await sendExactly(gateway.port, '/next')).toMatchObject({ status: 200 })
  await gateway.close()
})

const start = async (
  answer: (
    event: APIGatewayProxyEventV2,
  ) => APIGatewayProxyStructuredResultV2 | Promise<APIGatewayProxyStructuredResultV2>,
  options: Partial<GatewayOptions> = {},
): Promise<void> => {
  events = []
  gateway = await startGateway({
    port: 0,
    routes: [{ routeKey: 'POST /items', target: 'items' }],
    invoke: async (_, event) => {
      if (event.rawPath === '/next') return { statusCode: 200 }
      events.push(event)
      return answer(event)
    },
    ...options,
  })
}

const ok = () => ({ statusCode: 200, body: 'done' })
const ownAnswer = (status: number, message: string) => ({
  status,
  headers: {
    'content-type': 'application/json',
    'apigw-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/),
  },
  body: JSON.stringify({ message }),
})
const post = (body: string | Buffer, type = 'text/plain') =>
  sendExactly(gateway.port, '/items', { method: 'POST', body, headers: { 'Content-Type': type } })

describe('the request line and the headers', () => {
  const headOf = (bytes: number, target: string, fields: string): string => {
    const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields}X-Pad: \r\n\r\n`
    return head.replace('X-Pad: ', `X-Pad: ${'x'.repeat(bytes - head.length)}`)
  }

  it.each([
    ['one long header', '/items', ''],
    ['many small headers', '/items', 'a:b\r\n'.repeat(1500).replaceAll(':', ': ')],
    ['a long path', `/items/${'p'.repeat(8192)}`, ''],
    ['a long query', `/items?${'q'.repeat(9000)}`, ''],
    ['a large cookie', '/items', `Cookie: a=${'c'.repeat(9000)}\r\n`],
  ])('have up to 10,240 bytes: %s', async (_, target, fields) => {
    await start(ok)
    for (const bytes of [10_239, 10_240])
      expect(await sendBytes(gateway.port, headOf(bytes, target, fields))).toMatch(/^HTTP\/1\.1 200 /)
    expect(events).toHaveLength(2)
    for (const bytes of [10_241, 19_000]) {
      const raw = await sendBytes(gateway.port, headOf(bytes, target, fields))
      expect(raw).toMatch(/^HTTP\/1\.1 431 /)
      expect(raw).toMatch(/\r\n\r\n\{"message":"Request Header Fields Too Large"\}$/)
    }
    const huge = await sendBytes(gateway.port, headOf(500_000, target, fields)).catch(
      () => 'connection reset',
    )
    expect(huge).toMatch(/^(HTTP\/1\.1 431|connection reset)/)
    expect(events).toHaveLength(2)
  })

  it('reach the function complete, also if there are thousands', async () => {
    await start(ok)
    const fields = Array.from({ length: 2020 }, () => 'X: \r\n').join('')
    await sendBytes(gateway.port, `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields}\r\n`)
    expect(events[0]?.headers['x']).toBe(','.repeat(2019))
  })
})

describe('a body', () => {
  it('reaches the function if the event has up to 6 MB', async () => {
    await start(ok)
    const body = 'x'.repeat(6 * megabyte - 2048)
    expect(await post(body)).toMatchObject({ status: 200 })
    expect(events[0]?.body).toBe(body)
  })

  it.each([
    ['is text above 6 MB', 'x'.repeat(6 * megabyte), 'text/plain'],
    ['is text above 6 MB with escapes', '"'.repeat(3 * megabyte), 'text/plain'],
    ['is binary above 4.5 MB', 'x'.repeat(4.6 * megabyte), 'application/octet-stream'],
    ['has more than 10 MB', 'x'.repeat(10 * megabyte + 1), 'text/plain'],
    ['has 20 MB', 'x'.repeat(20 * megabyte), 'text/plain'],
  ])('never reaches the function if it %s', async (_, body, type) => {
    await start(ok)
    expect(await post(body, type)).toMatchObject(ownAnswer(413, 'Request Entity Too Large'))
    expect(events).toEqual([])
  })

  it('is answered if its sender never ends', async () => {
    await start(ok)
    const socket = connect(gateway.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `100000\r\n${'x'.repeat(megabyte)}\r\n`
    for (let sent = 0; sent < 11; sent++) socket.write(chunk)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('a function', () => {
  it.each([
    ['fails', () => Promise.reject(new Error('secret'))],
    ['returns more than 6 MB', () => ({ statusCode: 200, body: 'x'.repeat(6 * megabyte + 100) })],
    [
      'returns quotes that need more than 6 MB',
      () => ({ statusCode: 200, body: '"'.repeat(3.1 * megabyte) }),
    ],
  ])('that %s is a 500', async (_, answer) => {
    await start(answer)
    expect(await post('')).toMatchObject(ownAnswer(500, 'Internal Server Error'))
  })

  it('may return up to 6 MB', async () => {
    await start(() => ({ statusCode: 200, body: 'x'.repeat(6 * megabyte) }))
    expect((await post('')).body).toHaveLength(6 * megabyte)
  })

  it('that takes too long is a 503', async () => {
    await start(() => sleep(60_000, undefined, { ref: false }) as Promise<never>, { functionTimeoutMs: 50 })
    expect(await post('')).toMatchObject(ownAnswer(503, 'Service Unavailable'))
  })

  it('is not called for requests above the burst of the stage, until tokens return', async () => {
    await start(ok, { throttle: { rateLimit: 10, burstLimit: 3 } })
    const answers = await Promise.all(Array.from({ length: 60 }, () => post('')))
    const throttled = answers.filter(({ status }) => status === 429)
    expect(throttled.length).toBeGreaterThan(0)
    expect(throttled[0]).toMatchObject(ownAnswer(429, 'Too Many Requests'))
    expect(events).toHaveLength(answers.length - throttled.length)
    await sleep(200)
  })
})

describe('bytes that proxies could read in two ways', () => {
  const get = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'

  it.each([
    ['two lengths', `Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345${get}`],
    ['the same length twice', `Content-Length: 5\r\nContent-Length: 5\r\n\r\n12345${get}`],
    ['a list of lengths', `Content-Length: 5, 5\r\n\r\n12345${get}`],
    ['a length with a sign', `Content-Length: +5\r\n\r\n12345${get}`],
    ['a negative length', `Content-Length: -5\r\n\r\n${get}`],
    ['a length in hex', `Content-Length: 0x5\r\n\r\n12345${get}`],
    ['a huge length', `Content-Length: 99999999999999999999999\r\n\r\n${get}`],
    ['length and chunks', `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get}`],
    ['chunks and length', `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${get}`],
    ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${get}`],
    ['chunks that are not last', `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${get}`],
    ['a space before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${get}`],
    ['a header on two lines', `X-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get}`],
    ['a bare line feed', `X-A: 1\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get}`],
    ['a NUL in a header', `X-A: 1\0\r\n\r\n${get}`],
    ['a chunk size with a sign', `Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${get}`],
    ['a chunk longer than its size', `Transfer-Encoding: chunked\r\n\r\n1\r\n12\r\n0\r\n\r\n${get}`],
  ])('%s: never lets the second request through', async (_, rest) => {
    await start(ok)
    const raw = await sendBytes(gateway.port, `POST /items HTTP/1.1\r\nHost: a\r\n${rest}`)
    expect(raw).toMatch(/^HTTP\/1\.1 400 /)
    expect(raw.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(events).toEqual([])
  })
})

describe('pipelined requests', () => {
  const pipeline = (count: number, path = '/items') =>
    Array.from({ length: count }, (_, at) => `GET ${path}?at=${at} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')

  /** Starts a gateway whose functions answer when they are released. */
  const startHeld = async () => {
    let running = 0
    let mostRunning = 0
    const held: (() => void)[] = []
    let closed = 0
    await start(
      async () => {
        mostRunning = Math.max(mostRunning, ++running)
        await new Promise<void>((resolve) => held.push(resolve))
        running--
        return ok()
      },
      { onRequest: ({ status }) => (closed += status === 499 ? 1 : 0) },
    )
    return { held, countMostRunning: () => mostRunning, countClosed: () => closed }
  }

  it('are handled one at a time, in their order', async () => {
    await start(ok)
    const count = maxWaitingRequests + 1
    const last = 'GET /items?at=last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const raw = await sendBytes(gateway.port, pipeline(count - 1) + last)
    expect(raw.match(/HTTP\/1\.1 200 /g)).toHaveLength(count)
    expect(events.map(({ rawQueryString }) => rawQueryString)).toEqual([
      ...Array.from({ length: count - 1 }, (_, at) => `at=${at}`),
      'at=last',
    ])
  })

  it('cause no work after their connection has closed', async () => {
    const { held, countMostRunning, countClosed } = await startHeld()
    const sockets = Array.from({ length: 20 }, () => connect(gateway.port, '127.0.0.1'))
    for (const socket of sockets) {
      socket.on('error', () => {})
      socket.write(pipeline(maxWaitingRequests))
    }
    await waitFor(() => expect(events).toHaveLength(sockets.length))
    expect(await sendExactly(gateway.port, '/next')).toMatchObject({ status: 200 })
    for (const socket of sockets) socket.resetAndDestroy()
    await waitFor(() => expect(countClosed()).toBe(sockets.length))
    for (const release of held) release()
    expect(await sendExactly(gateway.port, '/next')).toMatchObject({ status: 200 })
    expect(events).toHaveLength(sockets.length)
    expect(countMostRunning()).toBe(sockets.length)
  })

  it('end their connection if too many of them wait', async () => {
    const { held } = await startHeld()
    await sendBytes(gateway.port, pipeline(maxWaitingRequests + 2))
    for (const release of held) release()
    expect(await sendExactly(gateway.port, '/next')).toMatchObject({ status: 200 })
    expect(events).toHaveLength(1)
  })
})
