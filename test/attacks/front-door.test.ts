import { afterEach, describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { type RawHeaders, sendRaw } from '../support/addressed-client.ts'
import type { Client } from '../support/client.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useWatchedService } from '../support/watched-table.ts'

/*
 * The service has a front door, which proves each request with a secret and names the address of the viewer. Attackers
 * send requests past it, with the headers that it would send.
 */

const current = 'current-secret-of-the-front-door-0123456789'
const former = 'former-secret-of-the-front-door-9876543210'
const header = 'Latchkey-Origin-Secret'
const edge = '127.7.7.7'
const service = await useWatchedService({
  ORIGIN_SECRETS: `${current},${former}`,
  TRUSTED_PROXIES: '10.0.0.0/16',
  RATE_LIMITS: 'passkeyChallenges=2/60',
})
const { client } = service
const throughFrontDoor: Client = (method, path, options = {}) =>
  client(method, path, { ...options, headers: { ...options.headers, [header]: current } })
const admin = await addSignedIn(
  { ...service, client: throughFrontDoor },
  { permissions: ['system:admin-access'] },
)

// The tests create the signing keys with the first request for them.
await client('GET', '/.well-known/jwks.json')
let tableCalls = 0
afterEach(() => service.restore())

const send = (path: string, headers: RawHeaders = [], method = 'GET', body = '') =>
  sendRaw(edge, service.url + path, { method, headers, body })
const secretOf = (secret: string): RawHeaders => [header, secret]
const countCalls = () => {
  tableCalls = 0
  service.watch(() => {
    tableCalls += 1
    return undefined
  })
}

describe('a request past the front door', () => {
  it.each(operations)('is refused by $id, without a table call', async ({ method, path }) => {
    countCalls()
    const filled = path.replaceAll(/\{\w+\}/g, '1')
    const bearer: RawHeaders = ['authorization', `Bearer ${admin.bearer}`]
    const answer = await send(filled, bearer, method, method === 'GET' ? '' : '{}')
    expect(answer.status).toBe(403)
    expect(tableCalls).toBe(0)
  })

  it('gets a small body in the form of API Gateway', async () => {
    const { body, headers } = await send('/api/2/users/me')
    expect(body).toEqual({ message: 'Forbidden' })
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    const line = service.log.findLast((one) => one.includes('request.refused'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ status: 403, address: edge })
  })

  it('is refused for unknown paths and methods, too', async () => {
    for (const [method, path] of [
      ['GET', '/unknown'],
      ['DELETE', '/api/2/auth/login'],
    ] as const)
      expect((await send(path, [], method)).body).toEqual({ message: 'Forbidden' })
    expect((await send('/unknown', secretOf(current))).status).toBe(404)
  })

  it.each([
    ['an empty secret', ['']],
    ['a part of the secret', [current.slice(0, -1)]],
    ['a longer secret', [`${current}0`]],
    ['another case', [current.toUpperCase()]],
    ['the list of secrets', [`${current},${former}`]],
    ['the secret twice', [current, current]],
    ['a wrong and a right secret', ['wrong', current]],
    ['the digest of nothing', ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855']],
    ['a long secret', ['a'.repeat(8000)]],
    ['a template expression', ['{{resolve:secretsmanager:OriginSecret:SecretString:::}}']],
  ])('is refused with %s', async (_, values) => {
    const answer = await send(
      '/api/2/users/me',
      values.flatMap((value) => [header, value]),
    )
    expect(answer.body).toEqual({ message: 'Forbidden' })
  })

  it('does not get its secret logged', () => {
    const log = service.log.join('\n')
    expect(log).toContain('"status":403')
    expect(log).not.toContain(current.slice(0, -1))
    expect(log).not.toContain(former.slice(0, -1))
  })
})

describe('a request through the front door', () => {
  it.each([
    ['current', current],
    ['former', former],
  ])('is served with the %s secret', async (_, secret) => {
    const headers = [...secretOf(secret), 'authorization', `Bearer ${admin.bearer}`]
    expect((await send('/api/2/users/me', headers)).status).toBe(200)
  })

  /** The address in the log line of a request. */
  const addressOf = async (headers: RawHeaders): Promise<string> => {
    const answer = await send('/unknown', headers)
    const line = service.log.findLast((one) => one.includes(String(answer.headers['x-request-id'])))
    return JSON.parse(line ?? '{}').address
  }
  const viewer = (value: string, forwardedFor?: string): RawHeaders => [
    ...secretOf(current),
    'CloudFront-Viewer-Address',
    value,
    ...(forwardedFor === undefined ? [] : ['X-Forwarded-For', forwardedFor]),
  ]

  it.each([
    ['IPv4', viewer('203.0.113.7:46532'), '203.0.113.7'],
    ['IPv6', viewer('2001:db8:1:2:3:4:5:6:46532'), '2001:db8:1:2:3:4:5:6'],
    ['short IPv6', viewer('2001:db8::7:46532'), '2001:db8::7'],
    ['IPv6 with brackets', viewer('[2001:DB8::7]:46532'), '2001:db8::7'],
    ['mapped IPv4', viewer('::ffff:203.0.113.7:46532'), '203.0.113.7'],
    ['a spoofed X-Forwarded-For', viewer('203.0.113.7:46532', '198.51.100.1, 203.0.113.7'), '203.0.113.7'],
    ['a spoofed proxy', viewer('203.0.113.7:46532', '198.51.100.1, 10.0.0.1'), '203.0.113.7'],
    [
      'a proxy of the product before CloudFront',
      viewer('10.0.0.1:46532', '198.51.100.1, 203.0.113.7, 10.0.0.1'),
      '203.0.113.7',
    ],
    ['no viewer', secretOf(current), edge],
    ['an address without a port', viewer('203.0.113.7'), edge],
    ['several addresses', viewer('198.51.100.1:1,203.0.113.7:46532'), edge],
    ['a zone', viewer('fe80::1%eth0:46532'), edge],
    ['garbage', viewer('unknown:46532'), edge],
    ['an unspecified address', viewer('0.0.0.0:46532'), edge],
  ])('has the right address with %s', async (_, headers, expected) => {
    expect(await addressOf(headers)).toBe(expected)
  })

  it('is limited by the network of the viewer', async () => {
    const start = async (address: string) =>
      (await send('/api/2/auth/passkeys/options', viewer(address), 'POST', '{}')).status
    expect(await Promise.all(['1', '2', '3'].map((host) => start(`2001:db8:5::${host}:443`)))).toSatisfy(
      (statuses: number[]) => statuses.filter((status) => status === 429).length === 1,
    )
    expect(await start('2001:db8:6::1:443')).toBe(200)
  })

  it.each([
    ['DE', 'DE'],
    ['<script>', null],
    ['DEU', null],
    ['', null],
  ])('gets sessions that name the country %j as %j', async (header, country) => {
    const { user, password } = await addPerson(service)
    const headers: RawHeaders = [...viewer('203.0.113.7:1'), 'CloudFront-Viewer-Country', header]
    const credentials = JSON.stringify({ username: user.username, password })
    const { body } = await send('/api/2/auth/login', headers, 'POST', credentials)
    const bearer = ['authorization', `Bearer ${body.session_key}`]
    const list = await send('/api/2/auth/sessions', [...headers, ...bearer])
    expect(list.body).toMatchObject([{ ip: '203.0.113.7', country }])
  })

  it('costs no table call more than without a front door', async () => {
    countCalls()
    await send('/api/2/users/me', [...viewer('203.0.113.7:1'), 'authorization', `Bearer ${admin.bearer}`])
    expect(tableCalls).toBe(1)
  })
})

it('an address in CloudFront-Viewer-Address does not count without the secret', async () => {
  expect((await send('/unknown', ['CloudFront-Viewer-Address', '203.0.113.7:46532'])).status).toBe(403)
  const line = service.log.findLast((one) => one.includes('request.refused'))
  expect(JSON.parse(line ?? '{}').address).toBe(edge)
})
