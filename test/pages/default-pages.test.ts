import { describe, expect, it } from 'vitest'
import type { Json } from '../support/client.ts'
import { costsSince, seedGroups, seedUsers } from '../support/directory.ts'
import { findNextPath } from '../support/next-page.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
await seedUsers(service, 1100, 1000)

const get = (path: string) => service.client('GET', `/api/2/${path}`, { bearer: admin.bearer })
const ids = (rows: readonly Json[]) => rows.map(({ id }) => id)

/** Reads a list like a client that sees no headers: it adds the number of received rows until a page is empty. */
const readByOffset = async (path: string, limit = ''): Promise<readonly Json[]> => {
  const rows: Json[] = []
  for (;;) {
    const { status, body, text } = await get(`${path}?offset=${rows.length}${limit}`)
    if (status !== 200) throw new Error(text)
    if (body.length === 0) return rows
    rows.push(...body)
  }
}

const countCalls = async (path: string): Promise<number> => {
  const logStart = service.log.length
  expect((await get(path)).status).toBe(200)
  return costsSince(service, logStart)[0]?.calls ?? Number.NaN
}

describe('a list without limit', () => {
  it('has up to 1,000 rows, and a link to the next page', async () => {
    const first = await get('users')
    expect(first.body).toHaveLength(1000)
    const next = await get((findNextPath(first.headers) ?? '').replace('/api/2/', ''))
    expect(next.body).toHaveLength(101)
    expect(findNextPath(next.headers)).toBeUndefined()
    expect(new Set(ids([...first.body, ...next.body])).size).toBe(1101)
  })

  it('is read completely by a client that knows offsets only', async () => {
    for (const limit of ['', '&limit=1000', '&limit=400']) {
      const rows = await readByOffset('users', limit)
      expect(rows).toHaveLength(1101)
      expect(new Set(ids(rows)).size).toBe(1101)
    }
  })

  it('costs one batch read for each hundred rows', async () => {
    const small = await countCalls('users?limit=100')
    for (const path of ['users', 'users?ordering=-username'])
      expect(await countCalls(path)).toBeLessThanOrEqual(small + 9)
  })

  it('of groups shows the members of all of them', async () => {
    await seedGroups(service, 1000, 5000, (at) => [1000 + (at % 1100), 1001 + (at % 1000)])
    const small = await countCalls('groups?limit=20')
    const logStart = service.log.length
    const rows: readonly Json[] = (await get('groups')).body
    // Three batch reads for each hundred groups: the groups, their members and the users of the previews.
    expect(costsSince(service, logStart)[0]?.calls).toBeLessThanOrEqual(small + 3 * 9 + 10)
    expect(rows).toHaveLength(1000)
    for (const row of rows) {
      const at = Number(row['id']) - 5000
      expect(row['members']).toEqual([...new Set([1000 + (at % 1100), 1001 + (at % 1000)])])
      expect(row['members_preview']).toHaveLength(2)
    }
  })

  it('of groups without members costs one batch read for each hundred rows as well', async () => {
    const small = await countCalls('groups?include_members=false&limit=100')
    expect(await countCalls('groups?include_members=false')).toBeLessThanOrEqual(small + 9)
  })
})

describe('a client that knows offsets only', () => {
  it('loses no row to pages that end early because of their size', async () => {
    const attributes = JSON.stringify({ fm_bookmarks: ['x'.repeat(60_000)] })
    await seedUsers(service, 120, 50_000, (at) => ({ username: `large-${at}`, attributes }))
    const first = await get('users?ordering=-id')
    expect(first.body.length).toBeLessThan(120)
    expect(Buffer.byteLength(first.text)).toBeLessThan(5 * 1024 * 1024)
    const rows = await readByOffset('users')
    expect(rows).toHaveLength(1221)
    expect(new Set(ids(rows)).size).toBe(1221)
  })

  it('is referred to the cursor beyond the greatest offset', async () => {
    expect((await get('users?offset=10000')).status).toBe(200)
    for (const path of ['users', 'groups', 'api-tokens', 'auth/access-tokens', 'auth/audit-events']) {
      const { status, body } = await get(`${path}?offset=10001`)
      expect([status, body.errors[0].field]).toEqual([400, 'offset'])
      expect(body.errors[0].message).toContain('at most 10000')
      expect(body.errors[0].message).toContain('cursor')
    }
  })
})
