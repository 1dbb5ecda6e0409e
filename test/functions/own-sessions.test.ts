import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { allPages } from '../support/directory.ts'
import { addPerson, addSignedIn, type Person, signIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

interface Shown {
  readonly id: number
  readonly created_at: string
  readonly is_current: boolean
}
const path = '/api/2/auth/sessions'
const hour = 3_600_000

let service: TestService
let person: Person
let bearers: string[]
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  person = await addPerson(service)
  bearers = []
  for (let n = 0; n < 5; n++) {
    vi.setSystemTime(Date.now() + 1000)
    bearers.push(await signIn(service, person))
  }
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.close())

const list = async (bearer: string, query = '') => service.client('GET', path + query, { bearer })
const own = async (bearer: string): Promise<Shown[]> => (await list(bearer, '?ordering=created_at')).body
const current = async (bearer: string) => (await own(bearer)).find(({ is_current }) => is_current)
const end = (id: number | string, bearer: string) => service.client('DELETE', `${path}/${id}`, { bearer })
const works = async (bearer: string) =>
  (await service.client('GET', '/api/2/users/me', { bearer })).status === 200

describe('the own sessions', () => {
  it('are all of the caller’s, with what tells them apart, and nobody else’s', async () => {
    await addSignedIn(service)
    const userAgent = 'Test Agent/1'
    const before = Date.now() + 1000
    vi.setSystemTime(before)
    const answer = await service.client('POST', '/api/2/auth/login', {
      body: { username: person.user.username, password: person.password },
      headers: { 'user-agent': userAgent },
    })
    const rows = await own(answer.body.session_key)
    expect(rows).toHaveLength(6)
    const now = new Date(before).toISOString()
    expect(rows.at(-1)).toEqual({
      id: expect.any(Number),
      is_current: true,
      ip: '127.0.0.1',
      user_agent: userAgent,
      saml_provider: null,
      access_token: null,
      created_at: now,
      last_seen: now,
      expires: new Date(before + 14 * 24 * hour).toISOString(),
    })
    expect(rows.filter(({ is_current }) => is_current)).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/lks_|hash|epoch/i)
  })

  it.each(['id', '-id', 'created_at', '-created_at'])('come by %s, in pages', async (ordering) => {
    const [bearer = ''] = bearers
    const pages = await allPages<Shown>(service, `${path}?ordering=${ordering}&limit=2`, bearer)
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
    const rows = pages.flat()
    const keys = rows.map(({ id, created_at }) => (ordering.endsWith('id') ? id : Date.parse(created_at)))
    const expected = [...keys].sort((a, b) => a - b)
    expect(keys).toEqual(ordering.startsWith('-') ? expected.reverse() : expected)
    const skipped = (await list(bearer, `?ordering=${ordering}&offset=3`)).body
    expect(skipped).toEqual(rows.slice(3))
  })

  it('don’t show what has ended or run out', async () => {
    const [first = '', second = '', third = ''] = bearers
    await service.client('POST', '/api/2/auth/logout', { bearer: first })
    expect(await own(second)).toHaveLength(4)
    vi.setSystemTime(Date.now() + 20 * hour)
    await works(second)
    vi.setSystemTime(Date.now() + 5 * hour)
    expect(await own(second)).toHaveLength(1)
    expect(await works(third)).toBe(false)
  })

  it('take a cursor of nobody else', async () => {
    const [bearer = ''] = bearers
    const link = (await list(bearer, '?limit=1')).headers.get('link') ?? ''
    const cursor = /cursor=([\w-]+)/.exec(link)?.[1]
    const other = await addSignedIn(service)
    expect((await list(other.bearer, `?limit=1&cursor=${cursor}`)).status).toBe(400)
    expect((await list(bearer, `?limit=1&cursor=${cursor}`)).status).toBe(200)
  })

  it('are nobody’s who isn’t signed in', async () => {
    expect((await service.client('GET', path)).status).toBe(401)
    expect((await service.client('DELETE', `${path}/1`)).status).toBe(401)
  })
})

describe('ending a session', () => {
  it('ends that one and its tickets at once, and no other', async () => {
    const [mine = '', lost = '', third = ''] = bearers
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: lost })).body
    const kept = (await service.client('POST', '/api/2/auth/ticket', { bearer: third })).body.ticket
    const id = (await current(lost))?.id ?? 0
    expect((await end(id, mine)).status).toBe(204)
    expect(await Promise.all(bearers.map(works))).toEqual([true, false, true, true, true])
    const check = async (value: string) =>
      (await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: value } })).status
    expect([await check(ticket), await check(kept)]).toEqual([404, 200])
    expect((await end(id, mine)).status).toBe(404)
    expect(await own(mine)).toHaveLength(4)
  })

  it('may be the caller’s own, whose cookie goes with it', async () => {
    const [mine = ''] = bearers
    const [other] = (await own(mine)).filter(({ is_current }) => !is_current)
    expect((await end(other?.id ?? 0, mine)).cookies).toEqual([])
    const ended = await end((await current(mine))?.id ?? 0, mine)
    expect(ended.status).toBe(204)
    expect(ended.cookies).toEqual([expect.stringMatching(/^latchkey=;.*Max-Age=0/)])
    expect(await works(mine)).toBe(false)
  })

  it('of somebody else is a 404 and ends nothing, even for an administrator', async () => {
    const [victim = ''] = bearers
    const id = (await current(victim))?.id ?? 0
    const other = await addSignedIn(service)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (const { bearer } of [other, admin]) expect((await end(id, bearer)).status).toBe(404)
    expect(await works(victim)).toBe(true)
    expect((await end(2147483647, victim)).status).toBe(404)
    for (const wrong of ['0', '-1', 'all', '1e3']) expect((await end(wrong, victim)).status).toBe(400)
  })

  it('by ten at once is one ending, with one record', async () => {
    const [mine = '', lost = ''] = bearers
    const id = (await current(lost))?.id ?? 0
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
