import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { normalizeUsername } from '../../lib/accounts/names/names.ts'
import { groupKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Json } from '../support/client.ts'
import { allPages, buildBareListing, costsSince, seedUsers } from '../support/directory.ts'
import { findNextPath, findNextUrl } from '../support/next-page.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const viewer = await addSignedIn(service, { permissions: ['users:view'], username: 'Viewer' })
const other = await addSignedIn(service, { permissions: ['users:view'], username: 'other' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], username: 'Ärmin' })
await seedUsers(service, 250, 1000, (at) => ({ is_enabled: at % 10 !== 0, email: null }))

const path = '/api/2/users'
const list = (query = '', bearer = viewer.bearer) =>
  service.client('GET', `${path}${query && `?${query}`}`, { bearer })
const ids = (rows: readonly Json[]) => rows.map(({ id }) => id)
const names = (rows: readonly Json[]) => rows.map(({ username }) => username)
const group = async (permissions: readonly string[] = []): Promise<number> => {
  const body = { name: `group-${randomUUID()}`, permissions }
  return (await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body })).body.id
}

describe('the list of users', () => {
  it('returns users in order of id, and a link to the next page', async () => {
    const answer = await list('limit=100')
    expect(answer.status).toBe(200)
    expect(answer.body).toHaveLength(100)
    expect(ids(answer.body)).toEqual([...ids(answer.body)].sort((a, b) => a - b))
    const [first] = answer.body
    expect(first).toEqual(
      (await service.client('GET', `${path}/${first.id}`, { bearer: viewer.bearer })).body,
    )
    expect(answer.headers.get('link')).toMatch(
      new RegExp(`^<${service.url}${path}\\?limit=100&cursor=[\\w-]+>; rel="next"$`),
    )
  })

  it.each([
    ['id', 7],
    ['-id', 100],
    ['username', 64],
    ['-username', 253],
  ])('returns every user once, by %s in pages of %i', async (ordering, limit) => {
    const query = `?ordering=${ordering}&limit=${limit}`
    const pages = await allPages<Json>(service, path + query, viewer.bearer, 300)
    const rows = pages.flat()
    expect(rows).toHaveLength(253)
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
    const keys = rows.map(({ id, username }) =>
      ordering.endsWith('id') ? String(id).padStart(10, '0') : normalizeUsername(username),
    )
    const bytewise = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(keys).toEqual(ordering.startsWith('-') ? bytewise.reverse() : bytewise)
  })

  it('returns one user in each page, by username', async () => {
    const all = (await list('ordering=username&limit=20')).body
    let query = 'ordering=username&limit=1'
    for (const user of all) {
      const { body, headers } = await list(query)
      expect(body).toEqual([user])
      query = (findNextPath(headers) ?? '').slice(path.length + 1)
    }
  })

  it('skips an offset, also with a next page, and is empty past the end', async () => {
    const all = (await list('limit=1000')).body
    const answer = await list('offset=240&limit=5')
    expect(answer.body).toEqual(all.slice(240, 245))
    const next = await service.client('GET', findNextPath(answer.headers) ?? '', { bearer: viewer.bearer })
    expect(next.body).toEqual(all.slice(245, 250))
    const past = await list('offset=10000')
    expect([past.body, past.headers.get('link')]).toEqual([[], null])
  })

  it('has no next page if it ends exactly here', async () => {
    expect((await list('limit=253')).headers.get('link')).toBeNull()
    expect((await list('limit=252')).headers.get('link')).not.toBeNull()
  })

  it('shows every user exactly once while users are added and deleted', async () => {
    const first = await list('ordering=username&limit=120')
    const shown = first.body[0]
    const [early, late] = [
      await addPerson(service, { username: '!early' }),
      await addPerson(service, { username: 'zz' }),
    ]
    const bearer = admin.bearer
    await service.client('DELETE', `${path}/${first.body.at(-1).id}`, { bearer })
    const rest = await allPages<Json>(service, findNextPath(first.headers) ?? '', viewer.bearer)
    const rows = [...first.body, ...rest.flat()]
    expect(new Set(ids(rows)).size).toBe(rows.length)
    expect(names(rows)).toContain('zz')
    expect(names(rows)).toContain(shown.username)
    for (const { user } of [early, late]) await service.client('DELETE', `${path}/${user.id}`, { bearer })
    expect((await list('limit=1000')).body).toHaveLength(252)
  })

  it('shows no secrets, and requires users:view', async () => {
    expect((await list('limit=1000')).text).not.toMatch(/\$2b\$|bcrypt|hash|epoch|normalized|ticket/i)
    const plain = await addSignedIn(service)
    const refused = await list('', plain.bearer)
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toContain('users:view')
    expect((await service.client('GET', path)).status).toBe(401)
  })
})

describe('a filter', () => {
  it('by username or address matches exactly one user, in any spelling', async () => {
    const email = `${randomUUID()}@Example.com`
    const { user } = await addPerson(service, { username: 'Ｆilter ß', email })
    const found = async (query: Record<string, string>) =>
      ids((await list(new URLSearchParams(query).toString())).body)
    expect(await found({ username: 'ｆILTER ß' })).toEqual([user.id])
    expect(await found({ email: email.toUpperCase() })).toEqual([user.id])
    expect(await found({ email, username: user.username, is_enabled: 'true' })).toEqual([user.id])
    expect(await found({ email, username: 'viewer' })).toEqual([])
    expect(await found({ email, is_enabled: 'false' })).toEqual([])
    expect(await found({ email, groups: '5' })).toEqual([])
    expect(await found({ username: user.username, offset: '1' })).toEqual([])
    expect(await found({ username: 'unknown' })).toEqual([])
    expect(await found({ username: 'x'.repeat(1023) })).toEqual([])
    expect(await found({ username: '\u{fdfa}'.repeat(1000) })).toEqual([])
    expect(await found({ username: ' ' })).toEqual([])
    expect(await found({ email: '\t' })).toEqual([])
    expect(await found({ username: `${user.username}\t0000000001` })).toEqual([])
  })

  it('by group matches its members, paged, in both orders, and with other filters', async () => {
    const id = await group(['users:view'])
    const members = await Promise.all(
      ['c', 'a', 'b'].map((name) =>
        addPerson(service, { username: `member-${name}`, groups: [id], is_enabled: name !== 'b' }),
      ),
    )
    const byId = members.map(({ user }) => user).sort((a, b) => a.id - b.id)
    const all = await allPages<Json>(service, `${path}?groups=${id}&limit=2`, viewer.bearer)
    expect(all.flat().map((row) => row['id'])).toEqual(byId.map(({ id }) => id))
    expect(all.map((page) => page.length)).toEqual([2, 1])
    const backwards = (await list(`groups=${id}&ordering=-id`)).body
    expect(ids(backwards)).toEqual(byId.map(({ id }) => id).reverse())
    const byName = await allPages<Json>(
      service,
      `${path}?groups=${id}&ordering=username&limit=2`,
      viewer.bearer,
    )
    expect(names(byName.flat())).toEqual(['member-a', 'member-b', 'member-c'])
    expect(names((await list(`groups=${id}&is_enabled=false`)).body)).toEqual(['member-b'])
    expect(backwards[0]).toMatchObject({ groups: [id], effective_permissions: ['users:view'] })
    const body = { name: 'x' }
    expect((await service.client('PUT', `/api/2/groups/${id}`, { bearer: admin.bearer, body })).status).toBe(
      200,
    )
    expect((await list(`groups=${id}`)).body).toEqual([])
    expect((await list('groups=2147483647')).body).toEqual([])
    const deleted = await group()
    await addPerson(service, { groups: [deleted] })
    expect((await list(`groups=${deleted}`)).body).toHaveLength(1)
    await service.services.table.transact([{ delete: groupKey(deleted) }])
    expect((await list(`groups=${deleted}`)).body).toEqual([])
    await service.client('DELETE', `/api/2/groups/${deleted}`, { bearer: admin.bearer })
  })

  it('by is_enabled goes through all users, page by page', async () => {
    const off = await allPages<Json>(service, `${path}?is_enabled=false&limit=4`, viewer.bearer)
    for (const page of off.slice(0, -1)) expect(page).toHaveLength(4)
    expect(off.flat().filter((row) => row['is_enabled'])).toEqual([])
    const seeded = off.flat().filter((row) => row['id'] >= 1000)
    expect(seeded).toHaveLength(25)
    const skipped = await allPages<Json>(service, `${path}?is_enabled=false&offset=20&limit=3`, viewer.bearer)
    expect(skipped.flat()).toEqual(off.flat().slice(20))
  })
})

describe('an invalid parameter', () => {
  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=-1'],
    ['limit', 'limit=1001'],
    ['limit', 'limit=1e9'],
    ['limit', 'limit='],
    ['offset', 'offset=10001'],
    ['offset', 'offset=-1'],
    ['ordering', 'ordering=passwordHash'],
    ['ordering', 'ordering=--id'],
    ['ordering', 'ordering=id,username'],
    ['groups', 'groups=0'],
    ['groups', 'groups=1,2'],
    ['is_enabled', 'is_enabled=yes'],
    ['username', 'username='],
    ['password', 'password=x'],
    ['limit', 'limit=1&limit=2'],
    ['username', 'username=a&username=b'],
    ['cursor', 'cursor='],
  ])('responds 400 for %s: %s', async (field, query) => {
    const answer = await list(query)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })
})

describe('a cursor', () => {
  const cursorOf = async (query: string, bearer = viewer.bearer): Promise<string> => {
    const url = new URL(findNextUrl((await list(query, bearer)).headers) ?? '')
    return url.searchParams.get('cursor') ?? ''
  }

  it('works for its caller, with another limit', async () => {
    const cursor = await cursorOf('ordering=username&limit=10')
    const all = (await list('ordering=username&limit=1000')).body
    expect((await list(`cursor=${cursor}&limit=3&ordering=username`)).body).toEqual(all.slice(10, 13))
  })

  it('is rejected with 400 for another caller or query, or if it is damaged', async () => {
    const cursor = await cursorOf('ordering=username&limit=10')
    const wrong: [string, string][] = [
      [`ordering=username&cursor=${cursor}`, other.bearer],
      [`cursor=${cursor}`, viewer.bearer],
      [`ordering=-username&cursor=${cursor}`, viewer.bearer],
      [`ordering=username&is_enabled=true&cursor=${cursor}`, viewer.bearer],
      [`ordering=username&username=x&cursor=${cursor}`, viewer.bearer],
      [`ordering=username&cursor=${cursor.slice(0, -1)}`, viewer.bearer],
      [`ordering=username&cursor=${cursor}A`, viewer.bearer],
      [`ordering=username&cursor=${cursor}%3D`, viewer.bearer],
      [`ordering=username&cursor=%20${cursor}`, viewer.bearer],
      [`ordering=username&cursor=${cursor.slice(0, 16)}`, viewer.bearer],
      [`ordering=username&cursor=${cursor.slice(1)}`, viewer.bearer],
      [`ordering=username&cursor=${'A'.repeat(2048)}`, viewer.bearer],
      ['ordering=username&cursor=garbage', viewer.bearer],
      ['ordering=username&cursor=%00', viewer.bearer],
      ['ordering=username&cursor=😀', viewer.bearer],
    ]
    for (const [query, bearer] of wrong) {
      const answer = await list(query, bearer)
      expect([answer.status, answer.body.errors?.[0]?.field], query).toEqual([400, 'cursor'])
    }
    const ofUsers = await cursorOf('limit=10')
    for (const elsewhere of ['groups', 'user-templates']) {
      const at = `/api/2/${elsewhere}?limit=10&cursor=${ofUsers}`
      expect((await service.client('GET', at, { bearer: viewer.bearer })).status).toBe(400)
    }
    expect((await list(`limit=10&cursor=${ofUsers}`)).status).toBe(200)
  })

  it('is useless to a caller who may no longer read the list', async () => {
    const brief = await addSignedIn(service, { permissions: ['users:view'] })
    const cursor = await cursorOf('limit=10', brief.bearer)
    const body = { permissions: [] }
    await service.client('PATCH', `${path}/${brief.user.id}`, { bearer: admin.bearer, body })
    expect((await list(`limit=10&cursor=${cursor}`, brief.bearer)).status).toBe(403)
  })
})

describe('the cost of a page', () => {
  const costOf = async (query: string) => {
    await list('limit=1')
    const logStart = service.log.length
    const answer = await list(query)
    const [cost] = costsSince(service, logStart)
    return { cost, count: answer.body.length, next: findNextPath(answer.headers) }
  }
  const queries = ['limit=40', 'limit=40&ordering=username', 'limit=40&ordering=-id', 'username=viewer']

  it('is the same with 250 and 1,000 users, and on the first and the twentieth page', async () => {
    const before = []
    for (const query of queries) before.push((await costOf(query)).cost)
    await seedUsers(service, 700, 10_000, (at) => ({ username: `more-${at}` }))
    const after = []
    for (const query of queries) after.push((await costOf(query)).cost)
    expect(after).toEqual(before)
    expect(before[0]?.calls).toBe(3)
    let next: string | undefined
    for (let page = 1; page <= 20; page++) {
      const query: string = next === undefined ? 'limit=40' : next.slice(path.length + 1)
      const { cost, count, next: following } = await costOf(query)
      expect(count).toBe(40)
      expect(cost?.calls).toBe(before[0]?.calls)
      // The last entry of the previous page is read again.
      expect(Math.abs((cost?.units ?? 0) - (before[0]?.units ?? 0))).toBeLessThanOrEqual(1)
      next = following
    }
  })

  it('is small for a group without members, in every order', async () => {
    const none = await group()
    for (const query of ['ordering=username', 'is_enabled=true', 'filter=seeded&ordering=-id']) {
      const { cost, count, next } = await costOf(`groups=${none}&${query}`)
      expect([count, next]).toEqual([0, undefined])
      expect(cost?.calls).toBeLessThanOrEqual(3)
    }
  })

  it('of a search is that of the entries, not of the records', async () => {
    for (const query of ['filter=more-499', 'filter=MORE-499&ordering=-username', 'full_name=x', 'home=1']) {
      const { cost, count, next } = await costOf(query)
      expect([count, next]).toEqual([query.startsWith('filter') ? 1 : 0, undefined])
      expect(cost?.calls).toBeLessThanOrEqual(10)
      // Reading the records would take 1,000 units.
      expect(cost?.units).toBeLessThan(80)
    }
  })

  it('of a search with many results is that of the page', async () => {
    for (const query of [
      'filter=more&limit=20',
      'is_enabled=true&limit=20',
      'filter=e&limit=20&ordering=-id',
    ]) {
      const { cost, count, next } = await costOf(query)
      expect(count).toBe(20)
      expect(next).toBeDefined()
      expect(cost?.calls).toBeLessThanOrEqual(5)
      expect(cost?.units).toBeLessThan(50)
    }
  })

  it('of a search is bounded where entries carry nothing, so that records decide', async () => {
    await seedUsers(
      service,
      2300,
      50_000,
      (at) => ({ username: `bare-${at}`, full_name: at === 2250 ? 'The last one' : null }),
      buildBareListing,
    )
    const { cost, count, next } = await costOf('filter=last+one')
    expect([count, next === undefined]).toEqual([0, false])
    expect(cost?.calls).toBeLessThanOrEqual(40)
    for (const ordering of ['id', '-username']) {
      const pages = await allPages<Json>(
        service,
        `${path}?filter=LAST+one&ordering=${ordering}`,
        viewer.bearer,
      )
      expect(names(pages.flat())).toEqual(['bare-2250'])
      expect(pages.length).toBeLessThanOrEqual(7)
    }
  })

  it('is limited in bytes, even if each user has a lot of data', async () => {
    const attributes = JSON.stringify({ fm_bookmarks: ['x'.repeat(60_000)] })
    await seedUsers(service, 100, 100_000, (at) => ({ username: `large-${at}`, attributes }))
    const pages = await allPages<Json>(service, `${path}?ordering=-id&limit=100`, viewer.bearer)
    expect(Buffer.byteLength(JSON.stringify(pages[0]))).toBeLessThan(5 * 1024 * 1024)
    expect(pages[0]?.length).toBeGreaterThan(50)
    expect(pages[0]?.length).toBeLessThan(100)
    const shown = pages.flat().map((row) => row['id'])
    expect(new Set(shown).size).toBe(shown.length)
    expect(shown.filter((id) => id >= 100_000)).toHaveLength(100)
  })
})
