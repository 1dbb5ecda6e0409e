import { describe, expect, it } from 'vitest'
import { type RawHeaders, sendRaw } from '../support/addressed-client.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Proxies of the product forward requests to the service, which listens on loopback. Anyone can send the headers that
 * proxies send, through a proxy or past it.
 */

const proxy = '127.0.0.1'
const stranger = '127.9.9.9'
const service = await useService({
  TRUSTED_PROXIES: `${proxy}, 10.0.0.0/16, 2001:db8:aa::/48`,
  RATE_LIMITS: 'passkeyChallenges=2/60, addressFailures=20/600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

/** Sends a request, and returns the address that the service recorded in its log. */
const addressOf = async (headers: RawHeaders, from = proxy): Promise<string> => {
  const answer = await sendRaw(from, `${service.url}/api/2/users/me`, { headers })
  expect(answer.status).toBe(401)
  const line = service.log.findLast((one) => one.includes(String(answer.headers['x-request-id'])))
  return JSON.parse(line ?? '{}').address
}
const forwarded = (...values: readonly string[]): RawHeaders =>
  values.flatMap((value) => ['X-Forwarded-For', value])

describe('behind trusted proxies', () => {
  it.each([
    ['one proxy', ['203.0.113.7'], '203.0.113.7'],
    ['several proxies', ['203.0.113.7, 10.0.3.4'], '203.0.113.7'],
    ['several proxies without spaces', ['203.0.113.7,10.0.3.4,10.0.3.5'], '203.0.113.7'],
    ['an IPv6 client', ['2001:db8:1::7'], '2001:db8:1::7'],
    ['an IPv6 proxy', ['203.0.113.7, 2001:db8:aa::1'], '203.0.113.7'],
    ['a port', ['203.0.113.7:49152'], '203.0.113.7'],
    ['brackets', ['[2001:DB8:1:0::7]'], '2001:db8:1::7'],
    ['brackets and a port', ['[2001:db8:1::7]:49152'], '2001:db8:1::7'],
    ['a mapped IPv4 client', ['::ffff:203.0.113.7'], '203.0.113.7'],
    ['a mapped IPv4 proxy', ['203.0.113.7, ::ffff:10.0.3.4'], '203.0.113.7'],
    ['a client in an intranet', ['10.1.2.3'], '10.1.2.3'],
    ['no header of the proxy', [], proxy],
    ['only proxies, such as in a health check', ['10.0.3.4'], '10.0.3.4'],
  ])('the address of the client counts: %s', async (_, values, expected) => {
    expect(await addressOf(forwarded(...values))).toBe(expected)
  })

  it.each([
    ['an address before the own one', ['198.51.100.1, 203.0.113.7']],
    ['an address of a proxy before the own one', ['198.51.100.1, 10.0.3.4, 203.0.113.7']],
    ['a header of its own, before that of the proxy', ['198.51.100.1', '203.0.113.7']],
    ['many headers', ['198.51.100.1', '198.51.100.2, 10.0.3.4', '198.51.100.3', '203.0.113.7']],
    ['empty entries', [', ,,198.51.100.1, ,203.0.113.7']],
    ['garbage', ['unknown, "<script>", %00, 203.0.113.7']],
    ['a list of 9 KB', [`${'198.51.100.1, '.repeat(640)}203.0.113.7`]],
    ['a list of 9 KB of proxies', [`${'10.0.3.4,'.repeat(1000)}203.0.113.7`]],
  ])('a client that sends %s is still counted by its own address', async (_, values) => {
    expect(await addressOf(forwarded(...values))).toBe('203.0.113.7')
  })

  it.each([
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.7/24',
    '0300.0.113.7',
    '3405803783',
    '203.0.113.7:port',
    '203.0.113.7:123456',
    '2001:db8::7%eth0',
    '[2001:db8::7%25eth0]:443',
    '[2001:db8::7',
    '0.0.0.0',
    '255.255.255.255',
    'ff02::1',
    '1'.repeat(9000),
  ])('an entry %j of the proxy is no address, so the proxy counts', async (entry) => {
    expect(await addressOf(forwarded(`198.51.100.1, ${entry}`))).toBe(proxy)
    expect(await addressOf(forwarded(`198.51.100.1, ${entry}, 10.0.3.4`))).toBe('10.0.3.4')
  })

  it.each([
    'Forwarded',
    'X-Real-IP',
    'True-Client-IP',
    'X-Client-IP',
    'CF-Connecting-IP',
    'CloudFront-Viewer-Address',
    'X-Original-Forwarded-For',
    'X_Forwarded_For',
  ])('the header %s has no effect', async (name) => {
    const value = name === 'Forwarded' ? 'for=198.51.100.1' : '198.51.100.1'
    expect(await addressOf([name, value])).toBe(proxy)
    expect(await addressOf([...forwarded('203.0.113.7'), name, value])).toBe('203.0.113.7')
  })
})

describe('past the proxies', () => {
  it.each([
    ['an address', ['198.51.100.1']],
    ['the address of a proxy', ['198.51.100.1, 127.0.0.1']],
    ['its own address', [`198.51.100.1, ${stranger}`]],
    ['several headers', ['198.51.100.1', proxy]],
    ['garbage', [',,,']],
  ])('a client that sends %s is counted by its own address', async (_, values) => {
    expect(await addressOf(forwarded(...values), stranger)).toBe(stranger)
  })
})

describe('limits and audit events', () => {
  const start = async (headers: RawHeaders, from = proxy): Promise<number> => {
    const url = `${service.url}/api/2/auth/passkeys/options`
    return (await sendRaw(from, url, { method: 'POST', headers, body: '{}' })).status
  }

  it('count the network of the client, also for spoofed addresses in parallel', async () => {
    const own = '2001:db8:77:1::'
    const spoofed = Array.from({ length: 6 }, (_, at) =>
      start(forwarded(`198.51.100.${at}, ${own}${at + 1}`)),
    )
    expect((await Promise.all(spoofed)).sort()).toEqual([200, 200, 429, 429, 429, 429])
    expect(await start(forwarded('2001:db8:77:2::1'))).toBe(200)
    expect(await start(forwarded('198.51.100.0'))).toBe(200)
  })

  it('count a client past the proxies by its connection', async () => {
    const statuses = []
    for (let at = 0; at < 3; at++) statuses.push(await start(forwarded(`198.51.101.${at}`), stranger))
    expect(statuses).toEqual([200, 200, 429])
  })

  it('have the address of the client, and none of a spoofed one', async () => {
    const { user } = await addPerson(service)
    const body = JSON.stringify({ username: user.username, password: 'a wrong guess' })
    const url = `${service.url}/api/2/auth/login`
    const headers = forwarded('198.51.100.1, 203.0.113.50')
    expect((await sendRaw(proxy, url, { method: 'POST', headers, body })).status).toBe(401)
    const path = `/api/2/auth/audit-events?event=login.failed&user=${user.id}`
    const events = await service.client('GET', path, { bearer: admin.bearer })
    expect(events.body).toMatchObject([{ ip: '203.0.113.50' }])
  })

  it('prefer the address that a product names with its token', async () => {
    const permission = 'client-address:set'
    const product = await addSignedIn(service, { permissions: [permission] })
    const created = await service.client('POST', '/api/2/api-tokens', {
      bearer: product.bearer,
      body: { name: 'token', scopes: [permission] },
    })
    const { user } = await addPerson(service)
    const named = (bearer: string) =>
      service.client('POST', '/api/2/auth/login', {
        bearer,
        body: { username: user.username, password: 'a wrong guess' },
        headers: { 'Latchkey-Client-Address': '203.0.113.60', 'X-Forwarded-For': '203.0.113.61' },
      })
    expect((await named(created.body.token)).body.code).toBe('login_failed')
    expect((await named('unknown')).body.code).toBe('not_authenticated')
    const path = `/api/2/auth/audit-events?event=login.failed&user=${user.id}`
    const events = await service.client('GET', path, { bearer: admin.bearer })
    expect(events.body).toMatchObject([{ ip: '203.0.113.60', product: product.user.id }])
  })
})
