import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type GroupRecord, groupKind } from '../../lib/accounts/groups/groups.records.ts'
import { findUser, listUsers } from '../../lib/accounts/users/find-users.records.ts'
import { buildUser } from '../../lib/accounts/users/new-user.ts'
import {
  buildNameMatcher,
  buildUserMatcher,
  searchUsers,
  searchUsersByName,
} from '../../lib/accounts/users/search-users.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import {
  buildUserListing,
  readSummary,
  summarizeUser,
} from '../../lib/accounts/users/user-listing.records.ts'
import { createUser, editUser } from '../../lib/accounts/users/write-users.records.ts'
import { newGroup } from '../../lib/features/directory/field-names.models.prebuilt.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { userListing } from '../../lib/kernel/table/keys/listing-keys.ts'
import { getListing, type Page, type PageRequest, readEntries } from '../../lib/kernel/table/listing.ts'
import type { SearchBounds } from '../../lib/kernel/table/search-listing.ts'
import { searchNames } from '../../lib/kernel/table/search-names.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { createUniqueNameRecord } from '../../lib/kernel/table/unique-name-records.ts'
import { noClientFields } from '../../lib/published-clients/stored-fields.ts'
import { availableEngines } from '../support/available-engines.ts'
import { tableIn } from '../table/engines.ts'

const users = 24
const wide = { entries: 1000, records: 1000 }

describe.each(availableEngines)('on %s', (engine) => {
  let table: Table
  const created: UserRecord[] = []
  beforeAll(async () => {
    table = await tableIn(engine)
    for (let at = 0; at < users; at++) created.push(await add(at))
  })

  const add = async (at: number): Promise<UserRecord> => {
    const username = `${String((at * 37) % users).padStart(2, '0')}-${at % 3 === 0 ? 'three' : 'other'}`
    const fullName = at % 5 === 0 ? 'Five' : null
    const user = await createUser(
      table,
      buildUser({ username, full_name: fullName, is_enabled: at % 2 === 0 }),
      1,
    )
    // The entry of every fourth user carries nothing.
    if (at % 4 === 0) await storeBare(user.id)
    return user
  }
  const itemOf = async (id: number) => ({ ...(await table.get(userKey(id))), ...userKey(id) })
  const storeBare = async (id: number) => table.put({ ...(await itemOf(id)), ...userListing(id) })
  const entryOf = async (id: number) => {
    const request = { limit: 10_000, isDescending: false }
    const entries = await readEntries(table, getListing('user', 'id'), request)
    return entries.find(({ indexKey }) => indexKey === userListing(id).lsk)
  }

  const searchOf = (filters: Parameters<typeof buildUserMatcher>[0]) => {
    const matches = buildUserMatcher(filters) ?? (() => true)
    return {
      matches,
      isDecided: () => true,
      read: (ids: readonly number[]) => listUsers(table, ids),
      keep: (user: UserRecord) => matches(summarizeUser(user)),
    }
  }
  const readAll = async <Row>(
    read: (request: PageRequest) => Promise<Page<Row> | undefined>,
    request: Omit<PageRequest, 'after'>,
  ): Promise<{ rows: Row[]; pages: number }> => {
    const rows: Row[] = []
    let next: Page<Row>['next'] = { after: '', skip: request.skip }
    for (let pages = 0; ; pages++) {
      if (!next || pages > 500) return { rows, pages }
      const { after, skip } = next
      const page: Page<Row> | undefined = await read({ ...request, skip, ...(after === '' ? {} : { after }) })
      if (!page) throw new Error('exceeds a bound')
      expect(page.rows.length).toBeLessThanOrEqual(request.limit)
      rows.push(...page.rows.map(({ row }) => row))
      next = page.next
    }
  }
  const ids = (found: readonly UserRecord[]) => found.map(({ id }) => id)

  const searches = [
    { filter: 'three', filtering_mode: 'contains' },
    { filter: 'five', filtering_mode: 'exact', is_enabled: true },
    { filter: 'none', filtering_mode: 'contains' },
    { filter: '', filtering_mode: 'contains', is_enabled: false },
  ] as const

  it.each(searches)('finds the same users in every order, with every bound, for %j', async (filters) => {
    const search = searchOf(filters)
    const expected = created.filter(search.keep)
    const byName = [...expected].sort((a, b) => (a.normalizedUsername < b.normalizedUsername ? -1 : 1))
    for (const isDescending of [false, true])
      for (const [limit, skip] of [
        [2, 0],
        [7, 3],
      ] as const) {
        const request = { skip, limit, isDescending }
        const place = (list: readonly UserRecord[]) =>
          ids(isDescending ? list.toReversed() : list).slice(skip)
        for (const bounds of [wide, { entries: 5, records: 1000 }, { entries: 1000, records: 3 }]) {
          const { rows } = await readAll((page) => searchUsers(table, search, page, bounds), request)
          expect(ids(rows)).toEqual(place(expected))
        }
        const { rows } = await readAll((page) => searchUsersByName(table, search, page, wide), request)
        expect(ids(rows)).toEqual(place(byName))
      }
  })

  it('says that another order takes too much', async () => {
    const search = searchOf(searches[0])
    const request = { skip: 0, limit: 10, isDescending: false }
    const read = (bounds: SearchBounds) => searchUsersByName(table, search, request, bounds)
    expect(await read({ entries: users - 1, records: 1000 })).toBeUndefined()
    expect(await read({ entries: users, records: 5 })).toBeUndefined()
    expect((await read({ entries: users, records: 6 }))?.rows).toHaveLength(8)
  })

  it('reads only users in question', async () => {
    const search = { ...searchOf(searches[0]), among: new Set([created[0]?.id ?? 0, created[3]?.id ?? 0]) }
    const request = { skip: 0, limit: 10, isDescending: false }
    const { rows } = await searchUsers(table, search, request, wide)
    expect(rows.map(({ row }) => row.id)).toEqual([created[0]?.id, created[3]?.id])
  })

  it('does not show a user who no longer matches, although the entry is outdated', async () => {
    const user = await createUser(table, buildUser({ username: 'outdated' }), 1)
    const item = await itemOf(user.id)
    await table.put({ ...item, username: 'renamed', normalizedUsername: 'renamed' })
    const search = searchOf({ filter: 'outdated', filtering_mode: 'contains' })
    const { rows } = await searchUsers(table, search, { skip: 0, limit: 5, isDescending: false })
    expect(rows).toEqual([])
  })

  it('completes an entry without a text when its user gets a new name', async () => {
    const [user] = created
    if (!user) throw new Error('no users')
    expect((await entryOf(user.id))?.text).toBeUndefined()
    const renamed = await editUser(table, user, { full_name: 'New' })
    const entry = await entryOf(user.id)
    expect(entry && readSummary(entry)).toEqual(summarizeUser(renamed))
  })

  it('keeps an entry as it is while nothing that it contains changes', async () => {
    const user = await createUser(table, buildUser({ username: `u-${randomUUID()}` }), 1)
    const before = await entryOf(user.id)
    const edited = await editUser(table, user, { language: 'fr', permissions: ['a:b'] })
    expect(await entryOf(user.id)).toEqual(before)
    await editUser(table, edited, { is_enabled: false, email: 'x@example.com', full_name: 'X\ny\u0000' })
    const stored = await findUser(table, user.id)
    const entry = await entryOf(user.id)
    expect(stored && entry && readSummary(entry)).toEqual(stored && summarizeUser(stored))
    expect(entry && readSummary(entry)).toMatchObject({ fullName: 'x y', isEnabled: false })
  })

  it('leaves names out of the entry that do not fit into a sort key', () => {
    const user = (length: number) => ({
      ...buildUser({ username: '長'.repeat(length), full_name: '長'.repeat(60) }),
      id: 7,
      createdAt: 1,
    })
    expect(Buffer.byteLength(buildUserListing(user(260)).lsk)).toBeGreaterThan(900)
    expect(Buffer.byteLength(buildUserListing(user(260)).lsk)).toBeLessThanOrEqual(1024)
    expect(buildUserListing(user(280))).toEqual(userListing(7))
  })

  it('finds groups by the names in their entries, in every order', async () => {
    const names = ['Crew', 'film crew', 'Büro', `${'長'.repeat(210)}crew`]
    for (const name of names)
      await createUniqueNameRecord(
        table,
        groupKind,
        {
          ...newGroup,
          ...{ name, normalizedName: name.toLowerCase(), clientFields: noClientFields },
        },
        () => [],
      )
    const matches = buildNameMatcher({ filter: 'CREW', filtering_mode: 'contains' }) ?? (() => true)
    for (const order of ['id', 'name'] as const)
      for (const isDescending of [false, true])
        for (const limit of [1, 10]) {
          const { rows } = await readAll<GroupRecord>(
            (page) => searchNames(table, groupKind, { matches, order, page, bounds: wide }),
            { skip: 0, limit, isDescending },
          )
          const expected = [names[0], names[1], names[3]]
          expect(rows.map(({ name }) => name)).toEqual(isDescending ? expected.reverse() : expected)
        }
  })
})
