import { describe, expect, it } from 'vitest'
import { createCodec, MalformedItem, NewerItem } from '../../lib/store/engine/codec.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import { sessionCodec } from '../../lib/store/sign-in/session-record.ts'

interface Sample {
  readonly id: number
  readonly name: string
  readonly isOn: boolean
  readonly entries: readonly string[]
  readonly byName: Readonly<Record<string, number>>
  readonly note: string | null
}

const codec = createCodec<Sample>('sample', {
  id: 'number',
  name: 'string',
  isOn: 'boolean',
  entries: 'list',
  byName: 'map',
})
const key = { pk: 'sample#1', sk: 'sample' }
const valid = { ...key, id: 1, name: 'one', isOn: true, entries: [], byName: {}, note: null }

describe('a codec', () => {
  it('returns the item itself, without a copy', () => {
    expect(codec.decode(valid)).toBe(valid)
    expect(codec.decodeOptional(valid)).toBe(valid)
    expect(codec.decodeOptional(undefined)).toBeUndefined()
  })

  it.each([
    ['id', '1', 'number'],
    ['name', 7, 'string'],
    ['isOn', null, 'boolean'],
    ['entries', {}, 'list'],
    ['byName', [], 'map'],
    ['byName', null, 'map'],
    ['byName', undefined, 'map'],
  ])('rejects an item whose attribute %s is %j', (name, value, type) => {
    expect(() => codec.decode({ ...valid, [name]: value })).toThrow(
      new MalformedItem('sample', name, type as 'map'),
    )
  })

  it('names the kind and the attribute of a malformed item, but no value', () => {
    const secret = 'a value that must stay secret'
    const item = { pk: secret, sk: `session#${secret}`, hash: secret, userId: secret }
    const decode = () => sessionCodec.decode(item)
    expect(decode).toThrow('A stored item is not a valid session: its attribute "id" is not a number.')
    expect(decode).not.toThrow(secret)
  })
})

describe('a codec with upgrades', () => {
  const upgraded: string[] = []
  const note = (text: string) => (item: Item) => {
    upgraded.push(text)
    return 'note' in item ? item : { ...item, note: text }
  }
  const versioned = createCodec<Sample>('sample', { name: 'string' }, [
    (item: Item) => {
      const { title, ...rest } = item
      return title === undefined ? item : { name: title, ...rest }
    },
    note('from 2 to 3'),
  ])
  const { name: _, ...unnamed } = valid

  it.each([
    [undefined, ['from 2 to 3']],
    [1, ['from 2 to 3']],
    [2, ['from 2 to 3']],
    [3, []],
  ])('upgrades an item of the version %j step by step', (schemaVersion, steps) => {
    upgraded.length = 0
    const item = { ...valid, ...(schemaVersion ? { schemaVersion } : {}) }
    expect(versioned.decode(item)).toBe(item)
    expect(upgraded).toEqual(steps)
  })

  it('applies the upgrade of each version, in which what an edit wrote already takes precedence', () => {
    expect(versioned.decode({ ...unnamed, title: 'first' })).toEqual({ ...unnamed, name: 'first' })
    expect(versioned.decode({ ...unnamed, title: 'first', name: 'edited' })).toEqual({
      ...unnamed,
      name: 'edited',
    })
    const unknown = { ...unnamed, title: 'first', schemaVersion: 2 }
    expect(() => versioned.decode(unknown)).toThrow(MalformedItem)
  })

  it('refuses an item of a later version, and says what to do', () => {
    const decode = () => versioned.decode({ ...valid, schemaVersion: 4 })
    expect(decode).toThrow(NewerItem)
    expect(decode).toThrow(
      'A stored sample has the schema version 4, but this version of Latchkey knows only 3. Deploy the later version of Latchkey again.',
    )
    expect(() => codec.decode({ ...valid, schemaVersion: 2 })).toThrow(NewerItem)
    expect(() => codec.decode({ ...valid, schemaVersion: '1' })).toThrow(MalformedItem)
  })

  it('marks new items with the present version, from the second version on', () => {
    expect(versioned.stamp).toEqual({ schemaVersion: 3 })
    expect(codec.stamp).toEqual({})
  })
})
