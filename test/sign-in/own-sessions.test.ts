import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { allPages } from '../support/directory.ts'
import { findNextPath } from '../support/next-page.ts'
import { addPerson, addSignedIn, type Person, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

interface ListedSession {
  readonly id: number
  readonly created_at: string
  readonly is_current: boolean
}
const path = '/api/2/auth/sessions'
const hour = 3_600_000
const service = await useService()
let person: Person
let bearers: string[]
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  person = await addPerson(service)
  bearers = []
  for (let n = 0; n < 5; n++) {
    vi.setSystemTime(Date.now() + 1000)
    bearers.push(await signIn(service, person))
  }
})
afterEach(() => vi.useRealTimers())

const list = async (bearer: string, query = '') => service.client('GET', path + query, { bearer })
const listOwn = async (bearer: string): Promise<ListedSession[]> =>
  (await list(bearer, '?ordering=created_at')).body
const findCurrent = async (bearer: string) => (await listOwn(bearer)).find(({ is_current }) => is_current)
const end = (id: number | string, bearer: string) => service.client('DELETE', `${path}/${id}`, { bearer })
const isActive = async (bearer: string) =>
  (await service.client('GET', '/api/2/users/me', { bearer })).status === 200

const clearedCookies = [
  expect.stringMatching(/^latchkey=;.*Max-Age=0/),
  expect.stringMatching(/^latchkey-marked-session=;.*Max-Age=0/),
]

describe('the list of one’s own sessions', () => {
  it('shows all sessions of the caller with their details, and no others', async () => {
    await addSignedIn(service)
    const userAgent = 'Test Agent/1'
    const before = Date.now() + 1000
    vi.setSystemTime(before)
    const answer = await service.client('POST', '/api/2/auth/login', {
      body: { username: person.user.username, password: person.password },
      headers: { 'user-agent': userAgent },
    })
    const rows = await listOwn(answer.body.session_key)
    expect(rows).toHaveLength(6)
    const now = new Date(before).toISOString()
    expect(rows.at(-1)).toEqual({
      id: expect.any(Number),
      is_current: true,
      ip: '127.0.0.1',
      user_agent: userAgent,
      country: null,
      saml_provider: null,
      access_token: null,
      created_at: now,
      last_seen: now,
      expires: new Date(before + 14 * 24 * hour).toISOString(),
    })
    expect(rows.filter(({ is_current }) => is_current)).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/lks_|hash|epoch/i)
  })

  it.each(['id', '-id', 'created_at', '-created_at'])('is ordered by %s, and paged', async (ordering) => {
    const [bearer = ''] = bearers
    const pages = await allPages<ListedSession>(service, `${path}?ordering=${ordering}&limit=2`, bearer)
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
    const rows = pages.flat()
    const keys = rows.map(({ id, created_at }) => (ordering.endsWith('id') ? id : Date.parse(created_at)))
    const expected = [...keys].sort((a, b) => a - b)
    expect(keys).toEqual(ordering.startsWith('-') ? expected.reverse() : expected)
    const skipped = (await list(bearer, `?ordering=${ordering}&offset=3`)).body
    expect(skipped).toEqual(rows.slice(3))
  })

  it('omits ended and expired sessions', async () => {
    const [first = '', second = '', third = ''] = bearers
    await service.client('POST', '/api/2/auth/logout', { bearer: first })
    expect(await listOwn(second)).toHaveLength(4)
    vi.setSystemTime(Date.now() + 20 * hour)
    await isActive(second)
    vi.setSystemTime(Date.now() + 5 * hour)
    expect(await listOwn(second)).toHaveLength(1)
    expect(await isActive(third)).toBe(false)
  })

  it('rejects a cursor of another user', async () => {
    const [bearer = ''] = bearers
    const link = findNextPath((await list(bearer, '?limit=1')).headers) ?? ''
    const cursor = /cursor=([\w-]+)/.exec(link)?.[1]
    const other = await addSignedIn(service)
    expect((await list(other.bearer, `?limit=1&cursor=${cursor}`)).status).toBe(400)
    expect((await list(bearer, `?limit=1&cursor=${cursor}`)).status).toBe(200)
  })

  it('requires a session', async () => {
    expect((await service.client('GET', path)).status).toBe(401)
    expect((await service.client('DELETE', `${path}/1`)).status).toBe(401)
  })
})

describe('ending a session', () => {
  it('ends this session and its tickets immediately, and no other', async () => {
    const [mine = '', ended = '', third = ''] = bearers
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: ended })).body
    const kept = (await service.client('POST', '/api/2/auth/ticket', { bearer: third })).body.ticket
    const id = (await findCurrent(ended))?.id ?? 0
    expect((await end(id, mine)).status).toBe(204)
    expect(await Promise.all(bearers.map(isActive))).toEqual([true, false, true, true, true])
    const check = async (value: string) =>
      (await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: value } })).status
    expect([await check(ticket), await check(kept)]).toEqual([404, 200])
    expect((await end(id, mine)).status).toBe(404)
    expect(await listOwn(mine)).toHaveLength(4)
  })

  it('can end the current session, and then clears its cookie', async () => {
    const [mine = ''] = bearers
    const [other] = (await listOwn(mine)).filter(({ is_current }) => !is_current)
    expect((await end(other?.id ?? 0, mine)).cookies).toEqual([])
    const response = await end((await findCurrent(mine))?.id ?? 0, mine)
    expect(response.status).toBe(204)
    expect(response.cookies).toEqual(clearedCookies)
    expect(await isActive(mine)).toBe(false)
  })

  it('responds 404 for sessions of other users, even to an administrator', async () => {
    const [bearerOfOwner = ''] = bearers
    const id = (await findCurrent(bearerOfOwner))?.id ?? 0
    const other = await addSignedIn(service)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (const { bearer } of [other, admin]) expect((await end(id, bearer)).status).toBe(404)
    expect(await isActive(bearerOfOwner)).toBe(true)
    expect((await end(2147483647, bearerOfOwner)).status).toBe(404)
    for (const wrong of ['0', '-1', 'all', '1e3']) expect((await end(wrong, bearerOfOwner)).status).toBe(400)
  })

  it('ends and records it once for 10 concurrent requests', async () => {
    const [mine = '', ended = ''] = bearers
    const id = (await findCurrent(ended))?.id ?? 0
    const answers = await Promise.all(Array.from({ length: 10 }, () => end(id, mine)))
    for (const { status } of answers) expect([204, 404]).toContain(status)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const records = await service.client(
      'GET',
      `/api/2/auth/audit-events?user=${person.user.id}&event=session.ended`,
      { bearer: admin.bearer },
    )
    expect(records.body).toMatchObject([{ target: String(id), actor: person.user.id, outcome: 'succeeded' }])
  })
})

describe('the sessions of another user', () => {
  const pathOf = ({ user }: Person) => `/api/2/users/${user.id}/sessions`

  it('are listed and ended one by one by who manages the user, and by no one else', async () => {
    const [first = '', second = ''] = bearers
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const at = (suffix = '', method = 'GET', bearer = manager.bearer) =>
      service.client(method, pathOf(person) + suffix, { bearer })
    const ids = (await listOwn(first)).map(({ id }) => id)
    const listed: readonly ListedSession[] = (await at('?ordering=created_at')).body
    expect(listed.map(({ id }) => id)).toEqual(ids)
    expect(listed.some(({ is_current }) => is_current)).toBe(false)
    expect(JSON.stringify(listed)).not.toMatch(/lks_|hash|epoch/i)

    const id = (await findCurrent(second))?.id ?? 0
    const stranger = await addSignedIn(service, { permissions: ['users:view'] })
    for (const bearer of [stranger.bearer, first]) {
      expect((await at('', 'GET', bearer)).status).toBe(403)
      expect((await at(`/${id}`, 'DELETE', bearer)).status).toBe(403)
    }
    // A session of someone else is not found under the wrong user, however it is guessed.
    const own = (await findCurrent(manager.bearer))?.id ?? 0
    expect((await at(`/${own}`, 'DELETE')).status).toBe(404)
    expect(
      (await service.client('DELETE', `${pathOf(manager)}/${id}`, { bearer: manager.bearer })).status,
    ).toBe(404)
    expect((await at(`/${id}`, 'DELETE')).status).toBe(204)
    expect((await at(`/${id}`, 'DELETE')).status).toBe(404)
    expect(await Promise.all(bearers.map(isActive))).toEqual([true, false, true, true, true])

    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const query = `user=${person.user.id}&event=session.ended`
    const events = await service.client('GET', `/api/2/auth/audit-events?${query}`, { bearer: admin.bearer })
    expect(events.body).toMatchObject([{ target: String(id), actor: manager.user.id }])
  })

  it('include the own current session, and ending it clears the cookie', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const [session] = (await service.client('GET', pathOf(manager), { bearer: manager.bearer })).body
    expect(session.is_current).toBe(true)
    const ended = await service.client('DELETE', `${pathOf(manager)}/${session.id}`, {
      bearer: manager.bearer,
    })
    expect([ended.status, ended.cookies]).toEqual([204, clearedCookies])
  })
})
