import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Expressions, Update } from '../../lib/kernel/table/expressions.ts'
import { openRehearsal } from '../../lib/kernel/table/rehearsal.ts'
import { ConditionFailed, type Item, type Step } from '../../lib/kernel/table/transaction.ts'
import { tableIn } from './engines.ts'

/* A rehearsal must answer as the table would: the same steps lead to the same items, lists and refusals. */

const table = await tableIn('dynoxide')
const keyOf = (name: string) => ({ pk: 'rehearsed', sk: name })

const names = fc.constantFrom('a', 'b', 'c')
const values = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('x', 'xy', 'y', null, true, false),
  fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }).map((members) => new Set(members)),
  fc.record({ a: fc.integer({ min: 0, max: 2 }) }),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
)

type Term = (x: Expressions) => string
const path = fc.oneof(
  names.map(
    (name): Term =>
      (x) =>
        x.path(name),
  ),
  names.map(
    (name): Term =>
      (x) =>
        x.path(name, 'a'),
  ),
)
const value = values.map(
  (one): Term =>
    (x) =>
      x.value(one),
)
const number = fc.integer({ min: 0, max: 3 }).map(
  (one): Term =>
    (x) =>
      x.value(one),
)

const comparison = fc.oneof(
  fc.tuple(path, fc.constantFrom('=', '<>'), value).map(
    ([left, sign, right]): Term =>
      (x) =>
        `${left(x)} ${sign} ${right(x)}`,
  ),
  fc.tuple(path, fc.constantFrom('<', '<=', '>', '>='), number).map(
    ([left, sign, right]): Term =>
      (x) =>
        `${left(x)} ${sign} ${right(x)}`,
  ),
  fc.tuple(fc.constantFrom('attribute_exists', 'attribute_not_exists'), path).map(
    ([test, left]): Term =>
      (x) =>
        `${test}(${left(x)})`,
  ),
  fc.constantFrom<Term>(
    () => 'attribute_exists(pk)',
    () => 'attribute_not_exists(pk)',
  ),
  fc.tuple(path, number).map(
    ([left, right]): Term =>
      (x) =>
        `size(${left(x)}) < ${right(x)}`,
  ),
  fc.tuple(path, fc.constantFrom('x', 1)).map(
    ([left, one]): Term =>
      (x) =>
        `contains(${left(x)}, ${x.value(one)})`,
  ),
)
const condition: fc.Arbitrary<Term> = fc.oneof(
  comparison,
  fc.tuple(comparison, comparison).map(
    ([a, b]): Term =>
      (x) =>
        `${a(x)} AND ${b(x)}`,
  ),
  fc.tuple(comparison, comparison, comparison).map(
    ([a, b, c]): Term =>
      (x) =>
        `(${a(x)} OR NOT ${b(x)}) AND ${c(x)}`,
  ),
  fc.tuple(comparison, comparison, comparison).map(
    ([a, b, c]): Term =>
      (x) =>
        `${a(x)} OR ${b(x)} AND ${c(x)}`,
  ),
)

const changes = fc
  .record({
    assigned: fc.subarray(['a', 'b', 'c']),
    one: values,
    more: fc.integer({ min: 1, max: 3 }),
    form: fc.constantFrom('value', 'count', 'copy'),
    condition: fc.option(condition, { nil: undefined }),
    members: fc.constantFrom(undefined, 'include', 'exclude'),
  })
  .map(
    ({ assigned, one, more, form, condition: test, members }): Update =>
      (x) => {
        const [first, second] = assigned
        const target = first && x.path(first)
        const set = !target
          ? []
          : form === 'value'
            ? [`${target} = ${x.value(one)}`]
            : form === 'count'
              ? [`${target} = if_not_exists(${x.path('count')}, ${x.value(0)}) + ${x.value(more)}`]
              : [`${target} = ${x.value(more)} - ${x.value(1)}`]
        return {
          set: [...set, `${x.path('count')} = ${x.value(more)}`],
          remove: second ? [x.path(second)] : [],
          ...(members && { [members]: `${x.path('members')} ${x.value(new Set([more]))}` }),
          ...(test && { condition: test(x) }),
        }
      },
  )

const item = fc.dictionary(names, values, { maxKeys: 3 })
const name = fc.constantFrom('1', '2', '3')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(name, item, fc.option(condition, { nil: undefined })).map(
    ([at, attributes, test]): Step => ({
      put: { ...attributes, ...keyOf(at), lpk: 'listed', lsk: `${at} listed` },
      ...(test && { condition: test }),
    }),
  ),
  fc.tuple(name, changes).map(([at, update]): Step => ({ update: keyOf(at), changes: update })),
  fc
    .tuple(name, fc.option(condition, { nil: undefined }))
    .map(([at, test]): Step => ({ delete: keyOf(at), condition: test })),
  fc.tuple(name, condition).map(([at, test]): Step => ({ check: keyOf(at), condition: test })),
  fc
    .tuple(name, fc.integer({ min: -2, max: 2 }), condition)
    .map(([at, amount, test]): Step => ({ addTo: keyOf(at), amounts: { count: amount }, condition: test })),
)
const transaction = fc.uniqueArray(step, {
  minLength: 1,
  maxLength: 3,
  selector: (one) => JSON.stringify(keyIn(one)),
})

const keyIn = (one: Step): string => {
  const { sk } =
    'put' in one
      ? one.put
      : 'update' in one
        ? one.update
        : 'addTo' in one
          ? one.addTo
          : 'delete' in one
            ? one.delete
            : one.check
  return sk
}

/** Whether it was written. An operand of a wrong type is a mistake of the test, which the engine alone reports. */
const write = async (to: typeof table, steps: readonly Step[]): Promise<boolean | 'wrong type'> => {
  try {
    await to.transact(steps)
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    if (error instanceof Error && error.name === 'ValidationException') return 'wrong type'
    throw error
  }
}

const readAll = async (from: typeof table) => ({
  items: await from.getMany(['1', '2', '3'].map(keyOf)),
  list: await from.list('rehearsed', ''),
  part: await from.page({ pk: 'rehearsed', from: '2', limit: 2 }),
  last: await from.page({ pk: 'rehearsed', isDescending: true, limit: 1 }),
})

const clear = () => table.transact(['1', '2', '3'].map((at): Step => ({ delete: keyOf(at) })))

describe('a rehearsal', () => {
  it('answers as the table does after the same steps, and writes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(transaction, { maxLength: 2 }),
        fc.array(transaction, { minLength: 1, maxLength: 4 }),
        async (before, after) => {
          await clear()
          for (const steps of before) await write(table, steps)
          const stored = await readAll(table)
          const rehearsal = openRehearsal(table)
          const rehearsed: { readonly outcome: boolean | 'wrong type'; readonly found: object }[] = []
          for (const steps of after)
            rehearsed.push({ outcome: await write(rehearsal, steps), found: await readAll(rehearsal) })
          expect(await readAll(table)).toEqual(stored)
          for (const [at, steps] of after.entries()) {
            const outcome = await write(table, steps)
            // What the engine refuses as no valid expression was never rehearsed right.
            if (outcome === 'wrong type') return
            expect(rehearsed[at]).toEqual({ outcome, found: await readAll(table) })
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('lists what was written through the index, in its order', async () => {
    await clear()
    await table.transact([
      { put: { ...keyOf('1'), lpk: 'listed', lsk: 'b' } },
      { put: { ...keyOf('2'), lpk: 'listed', lsk: 'c' } },
    ])
    const rehearsal = openRehearsal(table)
    await rehearsal.transact([{ put: { ...keyOf('3'), lpk: 'listed', lsk: 'a' } }, { delete: keyOf('1') }])
    const find = async (limit: number) =>
      (await rehearsal.page({ pk: 'listed', index: 'listing', limit })).map(({ sk }: Item) => sk)
    expect(await find(5)).toEqual(['3', '2'])
    expect(await find(1)).toEqual(['3'])
  })
})
