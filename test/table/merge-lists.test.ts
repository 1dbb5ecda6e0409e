import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { ListEntry, Listing, Page, PageRequest } from '../../lib/kernel/table/listing.ts'
import { mergeSources, readCommonPage, readFew } from '../../lib/kernel/table/merge-lists.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import { getCurrentCost, measureCost } from '../../lib/kernel/table/table-calls.ts'
import { createTable } from '../../local/dynamodb.ts'

const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
/** The IDs in each list. */
const lists = {
  dense: [] as number[],
  other: [] as number[],
  even: [] as number[],
  sparse: [] as number[],
  one: [] as number[],
  none: [] as number[],
}
type Name = keyof typeof lists
const names = Object.keys(lists) as Name[]
const prefix = randomUUID()
const tableName = `lists-${prefix}`
await createTable(endpoint, tableName)
const table = openTable({ tableName, endpoint, isEmbeddedEngine: true })
const size = 1300
for (let id = 1; id <= size; id++) {
  lists.dense.push(id)
  if (id % 7 !== 0) lists.other.push(id)
  if (id % 2 === 0) lists.even.push(id)
  if (id % 97 === 0) lists.sparse.push(id)
  if (id === 1234) lists.one.push(id)
}

const indexKey = (id: number): string => String(id).padStart(10, '0')
const items = names.flatMap((name) =>
  lists[name].map((id) => ({ pk: `${name}#${id}`, sk: 'x', lpk: `${prefix}#${name}`, lsk: indexKey(id) })),
)
for (let at = 0; at < items.length; at += 100)
  await table.transact(items.slice(at, at + 100).map((put) => ({ put })))
const getListing = (name: Name): Listing => ({ pk: `${prefix}#${name}`, index: 'listing' })
afterAll(() => expect(lists.none).toEqual([]))

const readIds = async (entries: readonly ListEntry[]) => entries.map((entry) => Number(entry.indexKey))
const sortIds = (ids: readonly number[], isDescending: boolean) => (isDescending ? ids.toReversed() : ids)

describe('the union of several lists', () => {
  it('is in order, with each entry once, from any index key on', async () => {
    for (let round = 0; round < 60; round++) {
      const chosen = names.filter(() => randomInt(2) === 0)
      const isDescending = randomInt(2) === 0
      const after = randomInt(2) === 0 ? undefined : indexKey(randomInt(size + 2))
      const limit = randomInt(1, 700)
      const found = await mergeSources(table, chosen.map(getListing))({ after, limit, isDescending })
      const all = [...new Set(chosen.flatMap((name) => lists[name]))].sort((a, b) => a - b)
      const rest = sortIds(all, isDescending).filter(
        (id) => after === undefined || (isDescending ? indexKey(id) < after : indexKey(id) > after),
      )
      expect(await readIds(found), chosen.join()).toEqual(rest.slice(0, limit))
    }
  })

  it('reads no more of each list than it needs', async () => {
    const read = mergeSources(table, names.map(getListing))
    const calls = await measureCost(async () => {
      await read({ limit: 21, isDescending: false })
      return getCurrentCost()?.calls
    })
    expect(calls).toBe(names.length)
  })
})

const getCommonIds = (chosen: readonly (readonly Name[])[]) => {
  const unions = chosen.map((any) => new Set(any.flatMap((name) => lists[name])))
  return lists.dense.filter((id) => unions.every((union) => union.has(id)))
}
/** Reads the records that are in all of the lists. */
const createRecordReader = (chosen: readonly (readonly Name[])[]) => {
  const common = new Set(getCommonIds(chosen))
  return async (entries: readonly ListEntry[]) =>
    (await readIds(entries)).map((id) => (common.has(id) ? id : undefined))
}
const createReaders = (chosen: readonly (readonly Name[])[]) =>
  chosen.map((any) => mergeSources(table, any.map(getListing)))

/** Reads all pages, one after the other. */
const readAllPages = async (chosen: readonly (readonly Name[])[], request: Omit<PageRequest, 'after'>) => {
  const readRecords = createRecordReader(chosen)
  const found: number[] = []
  let pages = 0
  let next: { after?: string; skip: number } | undefined = { skip: request.skip }
  for (; next; pages++) {
    const page: Page<number> = await readCommonPage(
      createReaders(chosen),
      { ...request, ...next },
      readRecords,
    )
    expect(page.rows.length).toBeLessThanOrEqual(request.limit)
    found.push(...page.rows.map(({ row }) => row))
    next = page.next
  }
  return { found, pages }
}

describe('the intersection of several lists', () => {
  const combinations: readonly (readonly (readonly Name[])[])[] = [
    [['dense'], ['other']],
    [['dense'], ['sparse']],
    [['sparse'], ['even'], ['other']],
    [['dense'], ['one']],
    [['one'], ['sparse']],
    [['even'], ['none']],
    [['sparse', 'one'], ['dense']],
    [
      ['even', 'sparse'],
      ['other', 'one'],
    ],
  ]

  it.each(combinations.map((chosen) => ({ chosen })))('is read page by page: $chosen', async ({ chosen }) => {
    const all = getCommonIds(chosen)
    for (const isDescending of [false, true])
      for (const [limit, skip] of [
        [60, 0],
        [100, 3],
        [1000, 0],
        [7, 950],
      ] as const) {
        const { found } = await readAllPages(chosen, { limit, skip, isDescending })
        expect(found).toEqual(sortIds(all, isDescending).slice(skip))
      }
  })

  it('is found by the sparsest list, regardless of the position in a dense one', async () => {
    const cost = await measureCost(async () => {
      const request = { limit: 20, skip: 0, isDescending: false }
      const page = await readCommonPage(createReaders([['dense'], ['one'], ['even']]), request, readIds)
      expect(page).toEqual({ rows: [{ indexKey: indexKey(1234), row: 1234 }] })
      return getCurrentCost()?.calls
    })
    expect(cost).toBe(3)
  })

  it('ends a page without results after a limit and continues on the next page', async () => {
    // Every entry is in both lists, but only the last one is accepted.
    const request = { limit: 5, skip: 0, isDescending: false }
    const readLast = async (entries: readonly ListEntry[]) =>
      (await readIds(entries)).map((id) => (id === size - 1 ? id : undefined))
    const first = await readCommonPage(createReaders([['dense'], ['other']]), request, readLast)
    expect(first).toMatchObject({ rows: [], next: { after: expect.any(String), skip: 0 } })
    const second = await readCommonPage(
      createReaders([['dense'], ['other']]),
      { ...request, ...first.next },
      readLast,
    )
    expect(second.rows.map(({ row }) => row)).toEqual([size - 1])
  })
})

describe('reading few entries', () => {
  it('reads the whole intersection if the shortest list is within the limit', async () => {
    expect(await readFew(createReaders([['dense'], ['sparse']]), 20, readIds)).toEqual(lists.sparse)
    expect(await readFew(createReaders([['sparse'], ['none']]), 20, readIds)).toEqual([])
    const chosen = [['even'], ['sparse'], ['other']] as const
    expect(await readFew(createReaders(chosen), 13, createRecordReader(chosen))).toEqual(getCommonIds(chosen))
  })

  it('reads nothing if all lists are longer', async () => {
    let reads = 0
    const counting = async (entries: readonly ListEntry[]) => {
      reads += 1
      return readIds(entries)
    }
    expect(await readFew(createReaders([['dense'], ['sparse']]), 12, counting)).toBeUndefined()
    expect(reads).toBe(0)
  })
})
