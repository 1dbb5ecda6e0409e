import { once } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FetchError } from '../../../lib/features/connections/fetch-error.ts'
import { ssrfSafeFetch } from '../../../lib/features/connections/saml/ssrf-safe-fetch.ts'
import type { FetchRules } from '../../../lib/features/connections/ssrf-safe-request.ts'
import { makeCertificate } from '../../support/certificates.ts'

type Doubles = NonNullable<FetchRules['doubles']>
type Behavior = (request: IncomingMessage, response: ServerResponse) => void
const authority = await makeCertificate({ name: 'authority', isAuthority: true })
const own = await makeCertificate({
  name: 'idp.test',
  hosts: ['idp.test', 'two.test'],
  addresses: ['127.0.0.9'],
  issuer: authority,
})
const tls = { key: own.keyPem, cert: own.pem }
let port: number
let behave: Behavior
let requests: {
  readonly servername: unknown
  readonly address: string | undefined
  readonly request: IncomingMessage
}[]
const closing: Server[] = []

const listen = async (made: Server, host = '127.0.0.2', wanted = 0): Promise<number> => {
  made.listen(wanted, host)
  await once(made, 'listening')
  closing.push(made)
  return (made.address() as AddressInfo).port
}

beforeAll(async () => {
  const onRequest: Behavior = (request, response) => {
    const { socket } = request
    requests.push({
      servername: 'servername' in socket ? socket.servername : undefined,
      address: socket.localAddress,
      request,
    })
    behave(request, response)
  }
  port = await listen(createServer(tls, onRequest))
  for (const address of ['127.0.0.8', '127.0.0.9']) await listen(createServer(tls, onRequest), address, port)
})
beforeEach(() => {
  requests = []
  behave = (_, response) => response.end('<a/>')
})
afterAll(async () => {
  for (const made of closing) {
    if ('closeAllConnections' in made) (made as { closeAllConnections: () => void }).closeAllConnections()
    made.close()
  }
})

const v4 = (address: string) => ({ address, family: 4 })
/** Names resolve to this machine. Its addresses are treated as public. */
const doubles = (own: Partial<Doubles> = {}): Doubles => ({
  resolve: async () => [v4('127.0.0.2')],
  isPublic: (address) => address.startsWith('127.'),
  ca: authority.pem,
  port,
  ...own,
})
const get = async (url: string, own: Partial<Doubles> = {}, allowsLoopback = false): Promise<string> =>
  (await ssrfSafeFetch(new URL(url), { allowsLoopback, doubles: doubles(own) })).toString()

/** Returns the reason of a failure. For forbidden addresses, returns the message. */
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('it was fetched'),
    (cause: unknown) => cause,
  )
  if (!(error instanceof FetchError)) throw error
  const { reason, message } = error
  expect(message).not.toMatch(/127\.|10\.0|secret|ECONN|idp\.test/)
  if (reason === 'address') return message
  expect(message).toMatch(/^[A-Z].*\.$/)
  return reason
}

describe('a fetch', () => {
  it('connects to the checked address under the requested name', async () => {
    expect(await get('https://idp.test/metadata?x=1')).toBe('<a/>')
    expect(requests).toMatchObject([
      {
        servername: 'idp.test',
        address: '127.0.0.2',
        request: {
          url: '/metadata?x=1',
          method: 'GET',
          headers: { host: 'idp.test', 'user-agent': 'latchkey' },
        },
      },
    ])
    expect(requests[0]?.request.headers).not.toHaveProperty('authorization')
    expect(requests[0]?.request.headers).not.toHaveProperty('cookie')
  })

  it('resolves a name only once', async () => {
    const answers = [[v4('127.0.0.2')], [v4('10.0.0.1')], [v4('169.254.169.254')]]
    let asked = 0
    const resolve = async () => answers[asked++] ?? []
    expect(await get('https://idp.test/', { resolve })).toBe('<a/>')
    expect(asked).toBe(1)
    expect(await failure(get('https://idp.test/', { resolve }))).toContain('not on the public internet')
    expect(requests).toHaveLength(1)
  })

  it('accepts a name with a dot at its end', async () => {
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return [v4('127.0.0.2')]
    }
    expect(await get('https://idp.test./', { resolve })).toBe('<a/>')
    expect(asked).toEqual(['idp.test'])
    expect(requests[0]?.servername).toBe('idp.test')
  })

  it('to an address resolves no name, and checks the certificate for the address', async () => {
    const resolve = async () => {
      throw new Error('nothing to look up')
    }
    expect(await get('https://127.0.0.9/', { resolve })).toBe('<a/>')
    expect(requests[0]).toMatchObject({ servername: false, address: '127.0.0.9' })
    expect(await failure(get('https://127.0.0.8/', { resolve }))).toBe('tls')
  })
})

describe('a host name', () => {
  it.each<[string, readonly string[]]>([
    ['a private address', ['10.0.0.1']],
    ['the metadata service of a cloud', ['169.254.169.254']],
    ['this machine', ['127.0.0.1']],
    ['this machine by IPv6', ['::1']],
    ['an IPv4 address inside IPv6', ['::ffff:10.0.0.1']],
    ['an address behind NAT64', ['64:ff9b::a00:1']],
    ['a public and a private address', ['8.8.8.8', '192.168.0.1']],
    ['a private address last of many', [...Array<string>(20).fill('8.8.8.8'), 'fd00::1']],
  ])('that resolves to %s is rejected', async (_, addresses) => {
    const resolve = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const rules = { allowsLoopback: false, doubles: { resolve, port, ca: authority.pem } }
    expect(await failure(ssrfSafeFetch(new URL('https://idp.test/'), rules))).toContain(
      'not on the public internet',
    )
    expect(requests).toEqual([])
  })

  it('that cannot be resolved or reached gets its own reason', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND secret'), { code: 'ENOTFOUND' })
    }
    expect(await failure(get('https://idp.test/', { resolve }))).toBe('resolve')
    expect(await failure(get('https://idp.test/', { resolve: async () => [] }))).toBe('resolve')
    expect(await failure(get('https://idp.test/', { resolve: async () => [v4('127.0.0.2')], port: 1 }))).toBe(
      'connect',
    )
  })

  it('of this machine is rejected in every notation', async () => {
    for (const host of [
      'localhost',
      'localhost.',
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ])
      expect(await failure(ssrfSafeFetch(new URL(`https://${host}/`), { allowsLoopback: false }))).toContain(
        'not on the public internet',
      )
  })
})

describe('a host', () => {
  it('is rejected if its certificate is for another name or by an unknown authority', async () => {
    expect(await failure(get('https://other.test/'))).toBe('tls')
    expect(await failure(get('https://idp.test/', { ca: (await makeCertificate()).pem }))).toBe('tls')
    expect(requests).toEqual([])
  })

  it('gets its own reason if it does not use TLS or HTTP', async () => {
    const plain = await listen(createPlainServer((_, response) => response.end('secret')))
    expect(await failure(get('https://idp.test/', { port: plain }))).toBe('tls')
    const silent = await listen(createSocketServer((socket) => socket.end('secret\r\n\r\n')))
    expect(await failure(get('http://127.0.0.2/', { port: silent }, true))).toBe('answer')
  })

  it('is not followed if it redirects, and the target is not shown', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      behave = (_, response) => response.writeHead(status, { location: 'https://secret.test/' }).end()
      expect(await failure(get('https://idp.test/'))).toBe('redirect')
    }
    expect(requests).toHaveLength(5)
  })

  it('is rejected for any status other than 200', async () => {
    for (const status of [201, 204, 206, 400, 401, 404, 500, 503]) {
      behave = (_, response) => response.writeHead(status).end(status === 204 ? undefined : 'secret')
      expect(await failure(get('https://idp.test/'))).toBe('status')
    }
  })

  it('is rejected if it disconnects or sends invalid HTTP', async () => {
    behave = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('secret')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await failure(get('https://idp.test/'))).toBe('answer')
    behave = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('secret').subarray(0, 12))
      setTimeout(() => response.destroy(), 20)
    }
    expect(await failure(get('https://idp.test/'))).toMatch(/answer|encoding/)
    behave = (_, response) => response.writeHead(200, { x: 'y'.repeat(20_000) }).end()
    expect(await failure(get('https://idp.test/'))).toBe('answer')
  })
})

describe('the time limit', () => {
  const timeoutMs = 300
  const late = async (url: string, own: Partial<Doubles> = {}) => {
    const startedAt = performance.now()
    const step = await failure(get(url, { timeoutMs, ...own }, url.startsWith('http:')))
    const took = performance.now() - startedAt
    expect(took).toBeGreaterThan(timeoutMs - 50)
    expect(took).toBeLessThan(timeoutMs + 2000)
    return step
  }

  it('covers name resolution, connection, headers and body together', async () => {
    expect(await late('https://idp.test/', { resolve: () => new Promise(() => {}) })).toBe('timeout')
    const mute = await listen(createSocketServer(() => {}))
    expect(await late('https://idp.test/', { port: mute })).toBe('timeout')
    expect(await late('http://127.0.0.2/', { port: mute })).toBe('timeout')
    behave = () => {}
    expect(await late('https://idp.test/')).toBe('timeout')
    behave = (_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    }
    expect(await late('https://idp.test/')).toBe('timeout')
    behave = (_, response) => {
      const drip = setInterval(() => response.writeProcessing(), 20)
      response.on('close', () => clearInterval(drip))
    }
    expect(await late('https://idp.test/')).toBe('timeout')
  })

  it('leaves no connection open when it is exceeded', async () => {
    const closed = new Promise<boolean>((resolve) => {
      behave = (request) => request.socket.on('close', () => resolve(true))
    })
    await late('https://idp.test/')
    expect(await closed).toBe(true)
  })
})

describe('the size limit', () => {
  const mebibyte = 1024 * 1024
  const answer = (body: Buffer, headers: Record<string, string> = {}) => {
    behave = (_, response) => response.writeHead(200, headers).end(body)
  }

  it('accepts a mebibyte and not a byte more', async () => {
    answer(Buffer.alloc(mebibyte, 'x'))
    expect(await get('https://idp.test/')).toHaveLength(mebibyte)
    answer(Buffer.alloc(mebibyte + 1, 'x'))
    expect(await failure(get('https://idp.test/'))).toBe('size')
    answer(Buffer.alloc(mebibyte + 1, 'x'), { 'transfer-encoding': 'chunked' })
    expect(await failure(get('https://idp.test/'))).toBe('size')
  })

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
  ] as const)('is counted after decompression by %s', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding }
    answer(compress(Buffer.from('<a>ü</a>')), headers)
    expect(await get('https://idp.test/')).toBe('<a>ü</a>')
    answer(compress(Buffer.alloc(mebibyte, 'x')), headers)
    expect(await get('https://idp.test/')).toHaveLength(mebibyte)
    const bomb = compress(Buffer.alloc(64 * mebibyte))
    expect(bomb.length).toBeLessThan(mebibyte)
    answer(bomb, headers)
    expect(await failure(get('https://idp.test/'))).toBe('size')
    answer(Buffer.from('secret'), headers)
    expect(await failure(get('https://idp.test/'))).toBe('encoding')
  })

  it('rejects repeated and unknown encodings', async () => {
    for (const encoding of ['zstd', 'gzip, gzip', 'gzip, br', 'compress', 'secret']) {
      answer(gzipSync(gzipSync('<a/>')), { 'content-encoding': encoding })
      expect(await failure(get('https://idp.test/'))).toBe('encoding')
    }
  })

  it('includes data after the end of a compressed response', async () => {
    const parts = Buffer.concat(Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(mebibyte))))
    answer(parts, { 'content-encoding': 'gzip' })
    expect(await failure(get('https://idp.test/'))).toBe('size')
  })
})

describe('this machine', () => {
  it('may be fetched from if allowed, also over http', async () => {
    const plain = await listen(createPlainServer((_, response) => response.end('<b/>')))
    const url = new URL(`http://127.0.0.2:${plain}/`)
    expect((await ssrfSafeFetch(url, { allowsLoopback: true })).toString()).toBe('<b/>')
    expect(await failure(ssrfSafeFetch(url, { allowsLoopback: false }))).toContain(
      'not on the public internet',
    )
    const own = new URL(`https://127.0.0.9:${port}/`)
    const fetched = await ssrfSafeFetch(own, { allowsLoopback: true, doubles: { ca: authority.pem } })
    expect(fetched.toString()).toBe('<a/>')
  })

  it('is the only exception: names of private networks stay rejected', async () => {
    const resolve = async () => [v4('10.0.0.1')]
    for (const host of ['idp.test', 'localhost']) {
      const rules = { allowsLoopback: true, doubles: { resolve } }
      expect(await failure(ssrfSafeFetch(new URL(`https://${host}/`), rules))).toContain(
        'not on the public internet',
      )
    }
    expect(
      await failure(
        ssrfSafeFetch(new URL('https://idp.test/'), {
          allowsLoopback: true,
          doubles: { resolve: async () => [v4('127.0.0.1')] },
        }),
      ),
    ).toContain('not on the public internet')
  })
})
