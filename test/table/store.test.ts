import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { updateUserLastSeen } from '../../lib/accounts/users/last-seen.records.ts'
import { NotUnique } from '../../lib/accounts/users/stored-user.records.ts'
import { createUser, editUser } from '../../lib/accounts/users/write-users.records.ts'
import { isAbsent, isPresent } from '../../lib/kernel/table/expressions.ts'
import { counterKey, emailKey, userKey, usernameKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { getCurrentCost, measureCost } from '../../lib/kernel/table/table-calls.ts'
import { ConditionFailed, EditConflict } from '../../lib/kernel/table/transaction.ts'
import { day } from '../../lib/kernel/util/time.ts'
import { availableEngines } from '../support/available-engines.ts'
import { buildPerson } from '../support/people.ts'
import { tableIn } from './engines.ts'

const nowSeconds = Math.floor(Date.now() / 1000)
const aKey = () => ({ pk: `test#${randomUUID()}`, sk: 'test' })
const repeat = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, at) => work(at)))
const countWinners = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length

describe.each(availableEngines)('on %s', (engine) => {
  let table: Table
  beforeAll(async () => {
    table = await tableIn(engine)
  })

  describe('reading', () => {
    it('returns what was just written, for single items and in batches, in the requested order', async () => {
      const [first, second, missing] = [aKey(), aKey(), aKey()]
      await table.put({ ...first, name: 'first', empty: '', list: [], map: {}, none: null })
      await table.put({ ...second, name: 'second' })
      expect(await table.get(first)).toEqual({
        ...first,
        name: 'first',
        empty: '',
        list: [],
        map: {},
        none: null,
      })
      expect(await table.get(missing)).toBeUndefined()
      const found = await table.getMany([second, missing, first, second])
      expect(found.map((item) => item?.['name'])).toEqual(['second', undefined, 'first', 'second'])
      expect(await table.getMany([])).toEqual([])
    })

    it('lists a partition by a prefix of its sort keys, over several pages', async () => {
      const pk = `test#${randomUUID()}`
      const filler = 'x'.repeat(200_000)
      for (let at = 0; at < 12; at++) await table.put({ pk, sk: `page#${at}`, filler })
      await table.put({ pk, sk: 'other' })
      expect(await table.list(pk, 'page#')).toHaveLength(12)
      expect(await table.list(pk, 'nothing')).toEqual([])
    })
  })

  describe('reserve', () => {
    it('succeeds for exactly one of 50 concurrent callers', async () => {
      const key = aKey()
      const results = await repeat(50, (at) => table.reserve({ ...key, at, expires_at: nowSeconds + 60 }))
      expect(countWinners(results)).toBe(1)
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ConditionFailed)
    })

    it('replaces an expired item that the table still contains', async () => {
      const key = aKey()
      await table.reserve({ ...key, expires_at: nowSeconds - 1 })
      await table.reserve({ ...key, expires_at: nowSeconds + 60, next: true })
      await expect(table.reserve({ ...key, expires_at: nowSeconds + 60 })).rejects.toBeInstanceOf(
        ConditionFailed,
      )
      expect((await table.get(key))?.['next']).toBe(true)
    })
  })

  describe('take', () => {
    it('returns the item to exactly one of 50 concurrent callers', async () => {
      const key = aKey()
      await table.put({ ...key, value: 'it', expires_at: nowSeconds + 60 })
      const results = await Promise.all(Array.from({ length: 50 }, () => table.take(key, nowSeconds)))
      const taken = results.filter((item) => item !== undefined)
      expect(taken).toHaveLength(1)
      expect(taken[0]?.['value']).toBe('it')
      expect(await table.take(key, nowSeconds)).toBeUndefined()
    })

    it('returns no expired or missing item', async () => {
      const key = aKey()
      await table.put({ ...key, expires_at: nowSeconds })
      expect(await table.take(key, nowSeconds)).toBeUndefined()
      const missing = aKey()
      expect(await table.take(missing, nowSeconds)).toBeUndefined()
      expect(await table.get(missing)).toBeUndefined()
    })
  })

  describe('a transaction', () => {
    it('writes all of its steps or none', async () => {
      const [there, fresh] = [aKey(), aKey()]
      await table.put({ ...there, value: 1 })
      const refused = table.transact([
        { put: { ...fresh, value: 2 }, condition: isAbsent },
        { update: there, changes: (x) => ({ set: [`${x.path('value')} = ${x.value(5)}`] }) },
        { check: aKey(), condition: isPresent },
      ])
      await expect(refused).rejects.toBeInstanceOf(ConditionFailed)
      expect(await table.get(fresh)).toBeUndefined()
      expect((await table.get(there))?.['value']).toBe(1)
      await table.transact([{ delete: there, condition: isPresent }, { put: { ...fresh, value: 2 } }])
      expect(await table.get(there)).toBeUndefined()
      expect((await table.get(fresh))?.['value']).toBe(2)
    })

    it('throws the error of the first failing step that has one', async () => {
      const failing = (orElse?: () => Error) => ({ check: aKey(), condition: isPresent, orElse })
      const [first, second] = [new Error('first'), new Error('second')]
      const passing = { put: aKey(), condition: isAbsent, orElse: () => new Error('passing') }
      const steps = [passing, failing(), failing(() => first), failing(() => second)]
      await expect(table.transact(steps)).rejects.toBe(first)
      await expect(table.transact([...steps].reverse())).rejects.toBe(second)
    })

    it('throws one error for several failing steps if their errors can be combined', async () => {
      const failing = (orElse: () => Error) => ({ check: aKey(), condition: isPresent, orElse })
      const steps = [
        failing(() => new NotUnique(['username'])),
        failing(() => new Error('unrelated')),
        failing(() => new NotUnique(['email'])),
      ]
      await expect(table.transact(steps)).rejects.toEqual(new NotUnique(['username', 'email']))
      await expect(table.transact(steps.slice(1))).rejects.toThrow('unrelated')
    })
  })

  it('returns consecutive numbers of a counter, each once, also concurrently', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, () => table.nextIds({ pk: 'counter#test', sk: 'counter' })),
    )
    expect(ids.map(({ first }) => first).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    )
  })

  it('keeps every name and value out of the text of an expression', async () => {
    const key = aKey()
    const hostile = ['size', 'a.b', 'x = :v0', '#n0', '', ' ', '"'].filter((name) => name !== '')
    for (const name of hostile)
      await table.update(key, (x) => ({ set: [`${x.path(name)} = ${x.value(`:v1 OR ${name}`)}`] }))
    const item = await table.get(key)
    for (const name of hostile) expect(item?.[name]).toBe(`:v1 OR ${name}`)
  })

  describe('users', () => {
    const fields = () => buildPerson({ username: `u-${randomUUID()}`, email: `${randomUUID()}@example.com` })

    it('are created exactly once by 50 concurrent requests with the same name', async () => {
      const same = fields()
      const results = await repeat(50, () => createUser(table, same, Date.now()))
      expect(countWinners(results)).toBe(1)
      for (const result of results)
        if (result.status === 'rejected') {
          expect(result.reason).toBeInstanceOf(NotUnique)
          expect(result.reason.taken).toEqual(['username', 'email'])
        }
    })

    it('leave no marker of the username if the email address is taken', async () => {
      const first = fields()
      await createUser(table, first, Date.now())
      const second = { ...fields(), email: first.email, normalizedEmail: first.normalizedEmail }
      await expect(createUser(table, second, Date.now())).rejects.toMatchObject({ taken: ['email'] })
      expect(await table.get(usernameKey(second.normalizedUsername))).toBeUndefined()
      expect(await table.get(emailKey(first.normalizedEmail ?? ''))).toBeDefined()
    })

    it('are changed by exactly one of 50 concurrent edits, regardless of last-seen updates', async () => {
      const user = await createUser(table, fields(), Date.now())
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, async (_, at) => {
          await updateUserLastSeen(table, user, at)
          return editUser(table, user, { full_name: `name ${at}` })
        }),
      )
      expect(countWinners(results)).toBe(1)
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(EditConflict)
      expect((await findUser(table, user.id))?.version).toBe(2)
    })

    it('that were deleted are not restored by an edit or a last-seen update', async () => {
      const user = await createUser(table, fields(), Date.now())
      await table.transact([{ delete: userKey(user.id) }])
      await expect(editUser(table, user, { full_name: 'ghost' })).rejects.toBeInstanceOf(EditConflict)
      await updateUserLastSeen(table, user, Date.now())
      const seen = { ...user, activeDay: Math.floor(Date.now() / day) }
      await expect(updateUserLastSeen(table, seen, Date.now())).rejects.toBeInstanceOf(ConditionFailed)
      expect(await findUser(table, user.id)).toBeUndefined()
    })

    it('get a new ID after a failed attempt', async () => {
      const first = await createUser(table, fields(), Date.now())
      await createUser(
        table,
        { ...fields(), normalizedUsername: first.normalizedUsername },
        Date.now(),
      ).catch(() => {})
      const next = await createUser(table, fields(), Date.now())
      expect(next.id).toBeGreaterThan(first.id)
      expect(Number((await table.get(counterKey('user')))?.['last'])).toBeGreaterThanOrEqual(next.id)
    })
  })

  it('measures calls, round trips and consumed capacity', async () => {
    const [first, second] = [aKey(), aKey()]
    const cost = await measureCost(async () => {
      await Promise.all([table.get(first), table.get(second)])
      await table.getMany([first, second])
      return { ...getCurrentCost() }
    })
    expect(cost).toMatchObject({ calls: 3, roundTrips: 2 })
    expect(cost.units).toBeGreaterThan(0)
  })
})
