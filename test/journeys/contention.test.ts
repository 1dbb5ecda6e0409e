import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { TableClient, TableError } from '../../lib/kernel/table/table-client.ts'
import { createConflicts } from '../runner/strict-table/conflicts.ts'
import type { JsonValue } from '../support/client.ts'
import { prepareMixedOperations } from '../support/mixed-operations.ts'
import { useService } from '../support/use-service.ts'

/*
 * DynamoDB refuses one of two transactions that name the same item at the same time, even if they belong to different
 * users. An item that many transactions name therefore stops the service under load. Here 500 users work at once.
 */

/**
 * While a transaction runs, this many other writes are sent: 2,000 a second, if it takes 10 ms. They are counted instead of timed, so
 * that the speed of the machine does not matter.
 */
const writesAtOnce = 20

/** Makes the tables of this process refuse conflicting writes, and counts what they receive. */
const watchContention = () => {
  const conflicts = createConflicts()
  const counts = { sent: 0, refused: 0 }
  const running: { readonly until: number; readonly end: () => void }[] = []
  const refusedItems = new Map<string, number>()
  const transactionsOf = new Map<string, number>()
  const isAnotherSent = async (): Promise<boolean> => {
    const { sent } = counts
    await sleep(1)
    return counts.sent > sent
  }
  const { send } = TableClient.prototype
  const spy = vi.spyOn(TableClient.prototype, 'send')
  spy.mockImplementation(async function (this: TableClient, ...call: Parameters<typeof send>) {
    const [action, input] = call
    const isWrite = ['PutItem', 'UpdateItem', 'TransactWriteItems'].includes(action)
    if (!isWrite) return Reflect.apply(send, this, call)
    const keys = listKeys(action, input)
    counts.sent++
    while (running[0] && running[0].until <= counts.sent) running.shift()?.end()
    const started = conflicts.start({ action, input, accessKeyId: '' })
    if (typeof started === 'object') {
      counts.refused++
      const { CancellationReasons = [{ Code: 'TransactionConflict' }] } = JSON.parse(started.body ?? '')
      const busy = keys.filter((_, at) => CancellationReasons[at]?.Code === 'TransactionConflict')
      for (const key of busy) refusedItems.set(key, (refusedItems.get(key) ?? 0) + 1)
      throw new TableError(
        started.status,
        { number: 1, mayBeCommitted: false },
        JSON.parse(started.body ?? ''),
      )
    }
    if (action !== 'TransactWriteItems') return Reflect.apply(send, this, call)
    for (const key of keys) transactionsOf.set(key, (transactionsOf.get(key) ?? 0) + 1)
    const transaction = { until: counts.sent + writesAtOnce, end: once(started) }
    running.push(transaction)
    try {
      return await Reflect.apply(send, this, call)
    } finally {
      // Without other writes, no one waits for it.
      while (counts.sent < transaction.until && (await isAnotherSent()));
      transaction.end()
    }
  })
  return { counts, refusedItems, transactionsOf, stop: () => spy.mockRestore() }
}

/** Of several calls, one counts. */
const once = (work: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

const listKeys = (action: string, input: JsonValue): readonly string[] => {
  const items: readonly JsonValue[] =
    action === 'TransactWriteItems' ? input.TransactItems.flatMap(Object.values<JsonValue>) : [input]
  return items.map(({ Key, Item }) => `${(Key ?? Item).pk} ${(Key ?? Item).sk}`)
}

const listMost = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([key, count]) => `${count} ${key}`)
    .join('\n')

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' }, { sendsMail: false })
const lists = await prepareMixedOperations(service)
const watch = watchContention()
const run = async (list: (typeof lists)[number]) => {
  for (const operation of list) await operation()
}
await Promise.all(lists.map(run))
afterAll(() => watch?.stop())

describe('500 users who work at once, for the first time of a day', () => {
  it('hardly ever wait for each other at the table', () => {
    const { sent, refused } = watch.counts
    const attempts = sent / (sent - refused)
    expect(attempts, `${refused} of ${sent} refused:\n${listMost(watch.refusedItems)}`).toBeLessThan(1.2)
  })

  it('share no item in their transactions', () => {
    // A user does four things at most, and each creation of a user counts in one of 96 totals.
    const shared = [...watch.transactionsOf].filter(([, count]) => count > 15)
    expect(shared, listMost(watch.transactionsOf)).toEqual([])
  })
})
