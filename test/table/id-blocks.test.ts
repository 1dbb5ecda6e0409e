import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { idBlockMs } from '../../lib/kernel/table/id-blocks.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { createTable } from '../../local/dynamodb.ts'

/* Each opened table takes IDs like a process of its own. */

const tableName = `latchkey-${randomUUID()}`
const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
const open = (): Table => openTable({ tableName, endpoint })
const start = Date.UTC(2026, 0, 1)
const aCounter = () => ({ pk: `counter#${randomUUID()}`, sk: 'counter' })
beforeAll(() => createTable(endpoint, tableName))

/** Takes single IDs, one after the other, at these times. */
const takeAt = async (table: Table, key: ReturnType<typeof aCounter>, times: readonly number[]) => {
  const ids: number[] = []
  for (const time of times) ids.push((await table.nextIds(key, 1, start + time)).first)
  return ids
}
const last = async (key: ReturnType<typeof aCounter>) => Number((await open().get(key))?.['last'])

describe('blocks of IDs', () => {
  it('leave out no ID while a process takes less than one in a second', async () => {
    const [table, key] = [open(), aCounter()]
    expect(await takeAt(table, key, [0, 2000, 4000, 6000])).toEqual([1, 2, 3, 4])
    expect(await last(key)).toBe(4)
  })

  it('double in a busy process, so that few IDs are reserved one by one', async () => {
    const [table, key] = [open(), aCounter()]
    await takeAt(table, key, [...Array(100).keys()])
    expect(await last(key)).toBe(127)
  })

  it('lose what remains after a second', async () => {
    const [table, key] = [open(), aCounter()]
    // Blocks of 1, 2 and 4 IDs, of which two remain.
    expect(await takeAt(table, key, [0, 10, 20, 30, 40])).toEqual([1, 2, 3, 4, 5])
    // The process used two IDs of the last block, so it takes two now.
    expect(await takeAt(table, key, [5000, 5010])).toEqual([8, 9])
    expect(await last(key)).toBe(9)
  })

  it('never give an ID to two processes, also when both stop in between', async () => {
    const key = aCounter()
    const taken: number[] = []
    for (const at of [0, 1, 2]) {
      const processes = [open(), open()]
      const takes = processes.flatMap((table) =>
        Array.from({ length: 30 }, () => table.nextIds(key, 2, start + at)),
      )
      for (const { first } of await Promise.all(takes)) taken.push(first, first + 1)
    }
    expect(new Set(taken).size).toBe(360)
  })

  it('give each ID a time that is never before that of a lower one', async () => {
    const [early, late, key] = [open(), open(), aCounter()]
    const ids = [
      await late.nextIds(key, 1, start + 40),
      await early.nextIds(key, 1, start),
      await early.nextIds(key, 1, start + 10),
      await late.nextIds(key, 1, start + 50),
      await early.nextIds(key, 1, start + 60),
    ]
    const inOrder = [...ids].sort((a, b) => a.first - b.first)
    expect(inOrder.map(({ at }) => at)).toEqual(inOrder.map(({ at }) => at).sort((a, b) => a - b))
    for (const { at } of ids) expect(at).toBeGreaterThan(start - idBlockMs)
  })
})
