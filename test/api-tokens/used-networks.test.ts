import { afterEach, describe, expect, it, vi } from 'vitest'
import { tokenNetworkDays, tokenNetworksPerDay } from '../../lib/kernel/limits/limits.ts'
import { day } from '../../lib/kernel/util/time.ts'
import type { JsonValue } from '../support/client.ts'
import { addRelyingParty, proveClient, type RelyingParty } from '../support/oidc.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { countWrites } from '../support/write-counts.ts'

/* Where a credential was used, which says whether somebody else has it. */

const service = await useService({ TRUSTED_PROXIES: '127.0.0.1' })
const advance = (ms: number) => vi.useFakeTimers({ now: Date.now() + ms, toFake: ['Date'] })
afterEach(() => vi.useRealTimers())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = (method: string, path: string, bearer: string, from?: string) =>
  service.client(method, `/api/2/${path}`, { bearer, ...(from && { headers: { 'x-forwarded-for': from } }) })
const createToken = async (): Promise<JsonValue> =>
  (await service.client('POST', '/api/2/api-tokens', { bearer: admin.bearer, body: { name: 'Script' } })).body
const use = async (token: JsonValue, from: string): Promise<void> => {
  expect((await call('GET', 'users', token.token, from)).status).toBe(200)
}
const findShown = (tokens: JsonValue[], token: JsonValue) =>
  tokens.find(({ id }: JsonValue) => id === token.id)?.used_networks
const read = async (token: JsonValue, bearer = admin.bearer): Promise<JsonValue[]> =>
  findShown((await call('GET', `api-tokens/all?user=${admin.user.id}`, bearer)).body, token)
const today = (): string => new Date().toISOString().slice(0, 10)

describe('the networks of an API token', () => {
  it('are shown by day, newest first, and those of IPv6 by their first 64 bits', async () => {
    const token = await createToken()
    expect(await read(token)).toEqual([])
    await use(token, '192.0.2.7')
    await use(token, '2001:db8:1:2:3::4')
    await use(token, '2001:db8:1:2:ffff::1')
    expect(await read(token)).toEqual([
      { date: today(), network: '2001:db8:1:2::/64' },
      { date: today(), network: '192.0.2.7' },
    ])
    const first = today()
    advance(day)
    await use(token, '192.0.2.7')
    // Sessions of administrators do not last that long.
    const readLater = async () =>
      read(token, (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer)
    expect((await readLater()).map(({ date }) => date)).toEqual([today(), first, first])
    advance((tokenNetworkDays + 1) * day)
    expect(await readLater()).toEqual([])
  })

  it('take one write each, and none once a day has twenty', async () => {
    const token = await createToken()
    const writes = countWrites()
    try {
      for (const from of ['198.51.100.1', '198.51.100.1', '198.51.100.2', '198.51.100.1'])
        await use(token, from)
      const ofToken = () =>
        writes.take().filter(({ partition }) => partition === `user#${admin.user.id}`)[0]?.writes ?? 0
      expect(ofToken()).toBe(2)
      for (let host = 1; host <= tokenNetworksPerDay + 10; host++) await use(token, `203.0.113.${host}`)
      expect(ofToken()).toBe(tokenNetworksPerDay - 2)
    } finally {
      writes.stop()
    }
    expect(await read(token)).toHaveLength(tokenNetworksPerDay)
  })

  it('of an organization are shown to administrators, and to none of its members', async () => {
    const administrate = callAs(service, admin)
    const { body: organization } = await administrate('POST', 'organizations', {
      name: 'Films',
      slug: 'films',
    })
    const owner = await addSignedIn(service)
    await administrate('POST', `organizations/${organization.id}/members`, {
      user: owner.user.id,
      roles: ['owner'],
    })
    const tokens = `organizations/${organization.id}/api-tokens`
    const { body: token } = await callAs(service, owner)('POST', tokens, {
      name: 'Import',
      permissions: ['org:members:view'],
    })
    const used = await call('GET', `organizations/${organization.id}/members`, token.token, '198.51.100.30')
    expect(used.status).toBe(200)
    const [shown] = (await call('GET', tokens, admin.bearer)).body
    expect(shown.used_networks).toEqual([{ date: today(), network: '198.51.100.30' }])
    const [ofOwner] = (await call('GET', tokens, owner.bearer)).body
    expect(ofOwner).not.toHaveProperty('used_networks')
    expect(JSON.stringify(ofOwner)).not.toContain('198.51.100.30')
    const query = `credential=organization_token&credential_id=${token.id}`
    expect((await call('GET', `auth/audit-events?${query}`, admin.bearer)).status).toBe(200)
  })

  it('are neither those that a product names for its users, nor shown to other users', async () => {
    const token = await createToken()
    await use(token, '198.51.100.9')
    const headers = { 'x-forwarded-for': '198.51.100.9', 'latchkey-client-address': '192.0.2.200' }
    await service.client('GET', '/api/2/users', { bearer: token.token, headers })
    expect((await read(token)).map(({ network }) => network)).toEqual(['198.51.100.9'])
    const other = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    const path = `api-tokens/${token.id}`
    expect((await call('GET', path, other.bearer)).status).toBe(404)
    expect((await call('GET', `${path}?user=${admin.user.id}`, other.bearer)).status).toBe(403)
    expect((await call('GET', `api-tokens/all?user=${admin.user.id}`, other.bearer)).status).toBe(403)
    expect(findShown((await call('GET', 'api-tokens/all', admin.bearer)).body, token)).toBeUndefined()
  })
})

describe('the networks of an app', () => {
  const readApp = async ({ client: { id } }: RelyingParty): Promise<JsonValue> =>
    (await call('GET', `oidc-clients/${id}`, admin.bearer)).body
  const ask = (party: RelyingParty, from: string, form: Readonly<Record<string, string>> = {}) =>
    service.client('POST', '/oauth2/introspect', {
      raw: new URLSearchParams({ token: 'unknown', ...proveClient(party), ...form }).toString(),
      headers: { 'x-forwarded-for': from, 'content-type': 'application/x-www-form-urlencoded' },
    })

  it('are those that it proved itself from, with one write for each', async () => {
    const party = await addRelyingParty(service)
    expect((await readApp(party)).used_networks).toEqual([])
    const writes = countWrites()
    try {
      for (const from of ['198.51.100.40', '198.51.100.41', '198.51.100.40'])
        expect((await ask(party, from)).status).toBe(200)
      const ofApp = writes.take().filter(({ partition }) => partition.startsWith('oidc-client'))
      expect(ofApp.reduce((sum, { writes: count }) => sum + count, 0)).toBe(2)
    } finally {
      writes.stop()
    }
    expect((await readApp(party)).used_networks).toEqual([
      { date: today(), network: '198.51.100.41' },
      { date: today(), network: '198.51.100.40' },
    ])
  })

  it('are not those of others who try its identifier', async () => {
    const party = await addRelyingParty(service)
    expect((await ask(party, '198.51.100.50', { client_secret: 'wrong' })).status).toBe(401)
    const open = await addRelyingParty(service, { type: 'public' })
    await ask(open, '198.51.100.51')
    expect((await readApp(party)).used_networks).toEqual([])
    expect((await readApp(open)).used_networks).toEqual([])
  })

  it('stay when the app is changed, and change nothing of it', async () => {
    const party = await addRelyingParty(service)
    await ask(party, '198.51.100.60')
    const path = `oidc-clients/${party.client.id}`
    const change = { bearer: admin.bearer, body: { name: `Shop ${party.client.id}`, used_networks: [] } }
    const changed = await service.client('PATCH', `/api/2/${path}`, change)
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.used_networks).toHaveLength(1)
    expect((await readApp(party)).used_networks).toEqual([{ date: today(), network: '198.51.100.60' }])
  })
})
