import { describe, expect, it } from 'vitest'
import { createCodec, MalformedItem } from '../../lib/store/engine/codec.ts'
import { sessionCodec } from '../../lib/store/records/session-record.ts'

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
