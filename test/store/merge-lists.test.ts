import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTable } from '../../infra/local/dynamodb.ts'
import { getCurrentCost, measureCost } from '../../lib/store/engine/consumed-capacity.ts'
import type { ListEntry, Listing, Page, PageRequest } from '../../lib/store/engine/listing.ts'
import { mergeSources, readCommonPage, readFew } from '../../lib/store/engine/merge-lists.ts'
import { openTable } from '../../lib/store/engine/open-table.ts'
import type { Table } from '../../lib/store/engine/table.ts'

let table: Table
/** What each list holds. */
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
const size = 1300

const indexKey = (id: number): string => String(id).padStart(10, '0')
const getListing = (name: Name): Listing => ({ pk: `${prefix}#${name}`, isListing: true })

beforeAll(async () => {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
  const tableName = `lists-${prefix}`
  await createTable(endpoint, tableName)
  table = openTable({ tableName, endpoint })
  for (let id = 1; id <= size; id++) {
    lists.dense.push(id)
    if (id % 7 !== 0) lists.other.push(id)
    if (id % 2 === 0) lists.even.push(id)
    if (id % 97 === 0) lists.sparse.push(id)
    if (id === 1234) lists.one.push(id)
  }
  const items = names.flatMap((name) =>
    lists[name].map((id) => ({ pk: `${name}#${id}`, sk: 'x', lpk: `${prefix}#${name}`, lsk: indexKey(id) })),
  )
  for (let at = 0; at < items.length; at += 100)
    await table.transact(items.slice(at, at + 100).map((put) => ({ put })))
})
afterAll(() => expect(lists.none).toEqual([]))

const readIds = async (entries: readonly ListEntry[]) => entries.map((entry) => Number(entry.indexKey))
const ordered = (ids: readonly number[], isDescending: boolean) => (isDescending ? ids.toReversed() : ids)

describe('what is in any of several lists', () => {
  it('comes in order, each entry once, from any indexKey on', async () => {
    for (let round = 0; round < 60; round++) {
      const chosen = names.filter(() => randomInt(2) === 0)
      const isDescending = randomInt(2) === 0
      const after = randomInt(2) === 0 ? undefined : indexKey(randomInt(size + 2))
      const limit = randomInt(1, 700)
      const found = await mergeSources(table, chosen.map(getListing))({ after, limit, isDescending })
      const all = [...new Set(chosen.flatMap((name) => lists[name]))].sort((a, b) => a - b)
      const rest = ordered(all, isDescending).filter(
        (id) => after === undefined || (isDescending ? indexKey(id) < after : indexKey(id) > after),
      )
      expect(await readIds(found), chosen.join()).toEqual(rest.slice(0, limit))
    }
  })

  it('is read no further than it takes', async () => {
    const read = mergeSources(table, names.map(getListing))
    const calls = await measureCost(async () => {
      await read({ limit: 21, isDescending: false })
      return getCurrentCost()?.calls
    })
    expect(calls).toBe(names.length)
  })
})

const commonTo = (chosen: readonly (readonly Name[])[]) =>
  lists.dense.filter((id) => chosen.every((any) => any.some((name) => lists[name].includes(id))))
/** A record knows by itself whether it is what all of the lists are about. */
const recordsIn = (chosen: readonly (readonly Name[])[]) => {
  const common = new Set(commonTo(chosen))
  return async (entries: readonly ListEntry[]) =>
    (await readIds(entries)).map((id) => (common.has(id) ? id : undefined))
}
const readersOf = (chosen: readonly (readonly Name[])[]) =>
  chosen.map((any) => mergeSources(table, any.map(getListing)))

/** All pages, one after the other. */
const readOn = async (chosen: readonly (readonly Name[])[], request: Omit<PageRequest, 'after'>) => {
  const found: number[] = []
  let pages = 0
  let next: { after?: string; skip: number } | undefined = { skip: request.skip }
  for (; next; pages++) {
    const page: Page<number> = await readCommonPage(
      readersOf(chosen),
      { ...request, ...next },
      recordsIn(chosen),
    )
    expect(page.rows.length).toBeLessThanOrEqual(request.limit)
    found.push(...page.rows.map(({ row }) => row))
    next = page.next
  }
  return { found, pages }
}

describe('what is in all of several lists', () => {
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

  it.each(combinations.map((chosen) => ({ chosen })))('comes page by page: $chosen', async ({ chosen }) => {
    const all = commonTo(chosen)
    for (const isDescending of [false, true])
      for (const [limit, skip] of [
        [20, 0],
        [100, 3],
        [1000, 0],
        [7, 950],
      ] as const) {
        const { found } = await readOn(chosen, { limit, skip, isDescending })
        expect(found).toEqual(ordered(all, isDescending).slice(skip))
      }
  })

  it('is found by the sparsest of them, wherever in the dense one it lies', async () => {
    const cost = await measureCost(async () => {
      const request = { limit: 20, skip: 0, isDescending: false }
      const page = await readCommonPage(readersOf([['dense'], ['one'], ['even']]), request, readIds)
      expect(page).toEqual({ rows: [{ indexKey: indexKey(1234), row: 1234 }] })
      return getCurrentCost()?.calls
    })
    expect(cost).toBe(3)
  })

  it('ends a page that was gone through in vain, and goes on after it', async () => {
    // Every entry is in both lists, and not one of them is what is asked for but the last.
    const request = { limit: 5, skip: 0, isDescending: false }
    const readLast = async (entries: readonly ListEntry[]) =>
      (await readIds(entries)).map((id) => (id === size - 1 ? id : undefined))
    const first = await readCommonPage(readersOf([['dense'], ['other']]), request, readLast)
    expect(first).toMatchObject({ rows: [], next: { after: expect.any(String), skip: 0 } })
    const second = await readCommonPage(
      readersOf([['dense'], ['other']]),
      { ...request, ...first.next },
      readLast,
    )
    expect(second.rows.map(({ row }) => row)).toEqual([size - 1])
  })
})

describe('few entries', () => {
  it('are read at once when the shortest list has no more than so many', async () => {
    expect(await readFew(readersOf([['dense'], ['sparse']]), 20, readIds)).toEqual(lists.sparse)
    expect(await readFew(readersOf([['sparse'], ['none']]), 20, readIds)).toEqual([])
    const chosen = [['even'], ['sparse'], ['other']] as const
    expect(await readFew(readersOf(chosen), 13, recordsIn(chosen))).toEqual(commonTo(chosen))
  })

  it('are not looked for in longer ones', async () => {
    let reads = 0
    const counting = async (entries: readonly ListEntry[]) => {
      reads += 1
      return readIds(entries)
    }
    expect(await readFew(readersOf([['dense'], ['sparse']]), 12, counting)).toBeUndefined()
    expect(reads).toBe(0)
  })
})
