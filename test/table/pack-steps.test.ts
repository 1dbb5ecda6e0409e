import { describe, expect, it } from 'vitest'
import { packSteps, unpackSteps } from '../../lib/features/user-files/write-user.ts'
import { isAbsent, isPresent } from '../../lib/kernel/table/expressions.ts'
import type { Step } from '../../lib/kernel/table/transaction.ts'

const keyOf = (name: string) => ({ pk: name, sk: 'item' })
const put = (name: string): Step => ({ put: { ...keyOf(name) } })
const requires = (name: string, condition = isPresent): Step => ({ check: keyOf(name), condition })
const listOf = (name: string, ...steps: readonly Step[]) => ({ name, steps })
const namesOf = (packs: readonly (readonly { readonly name: string }[])[]) =>
  packs.map((pack) => pack.map(({ name }) => name))

describe('packed steps', () => {
  it('fill transactions of at most 100 items, and divide no list', () => {
    const lists = Array.from({ length: 40 }, (_, at) =>
      listOf(String(at), ...Array.from({ length: 6 }, (_, item) => put(`${at}-${item}`))),
    )
    const packs = packSteps(lists)
    expect(packs.map((pack) => unpackSteps(pack).length)).toEqual([96, 96, 48])
    expect(packs.flat()).toEqual(lists)
  })

  it('contain an item that several lists check in the same way once', () => {
    const lists = ['a', 'b', 'c'].map((name) => listOf(name, put(name), requires('group')))
    const [pack = [], ...others] = packSteps(lists)
    expect(others).toEqual([])
    expect(unpackSteps(pack)).toHaveLength(4)
  })

  it('contain additions to the same item once, with the sum of the numbers and all members of the sets', () => {
    const add = (name: string, amount: number, condition = isPresent): Step => ({
      addTo: keyOf('counter'),
      amounts: { [name]: amount, ids: new Set([amount]) },
      condition,
    })
    const [pack = [], other = [], ...others] = packSteps([
      listOf('a', put('a'), add('users', 1)),
      listOf('b', put('b'), add('users', 2), add('guests', 3)),
      listOf('with another condition', add('users', 1, isAbsent)),
    ])
    expect(namesOf([pack, other, ...others])).toEqual([['a', 'b'], ['with another condition']])
    expect(unpackSteps(pack)).toEqual([
      put('a'),
      {
        addTo: keyOf('counter'),
        amounts: { users: 3, guests: 3, ids: new Set([1, 2, 3]) },
        condition: isPresent,
      },
      put('b'),
    ])
  })

  it('never contain an item twice', () => {
    const packs = packSteps([
      listOf('writes', put('name')),
      listOf('writes too', put('name')),
      listOf('checks', requires('name')),
      listOf('checks the opposite', requires('name', isAbsent)),
      listOf('is unrelated', put('other')),
    ])
    expect(namesOf(packs)).toEqual([
      ['writes', 'is unrelated'],
      ['writes too'],
      ['checks'],
      ['checks the opposite'],
    ])
  })
})
