import { describe, expect, it } from 'vitest'
import { sessionCodec } from '../../lib/accounts/sessions/stored-session.records.ts'
import { type Attributes, createCodec, MalformedItem, NewerItem } from '../../lib/kernel/table/records.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'

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
  note: 'string or null',
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
    ['note', undefined, 'string or null'],
    ['note', 7, 'string or null'],
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

describe('a codec with a history', () => {
  const upgraded: string[] = []
  const note = (text: string) => ({
    upgrade: (item: Attributes) => {
      upgraded.push(text)
      return { ...item, note: text }
    },
    downgrade: ({ note: _, ...rest }: Attributes) => rest,
  })
  const renamed = {
    upgrade: ({ title, ...rest }: Attributes) => (title === undefined ? rest : { ...rest, name: title }),
    downgrade: ({ name, ...rest }: Attributes) => (name === undefined ? rest : { ...rest, title: name }),
  }
  const changes = [renamed, note('from 2 to 3')]
  const codecs = [1, 2, 3].map((writes) =>
    createCodec<Sample>('sample', { name: 'string' }, { changes, writes }),
  )
  const [, , latest = codec] = codecs
  const { name, note: _, ...rest } = valid
  const stored: Readonly<Record<number, Item>> = {
    1: { ...rest, title: name },
    2: { ...rest, name, schemaVersion: 2 },
    3: { ...rest, name, note: 'stored', schemaVersion: 3 },
  }

  it.each([
    [1, ['from 2 to 3']],
    [2, ['from 2 to 3']],
    [3, []],
  ])('upgrades an item of version %j step by step', (version, steps) => {
    upgraded.length = 0
    const item = stored[version] ?? valid
    expect(latest.decode(item)).toMatchObject({ ...key, name, note: steps[0] ?? 'stored' })
    expect(upgraded).toEqual(steps)
  })

  it('returns an item of the present version without a copy', () => {
    expect(latest.decode(stored[3] ?? valid)).toBe(stored[3])
  })

  it('writes whole items in the version that the release before it can read', () => {
    const encoded = codecs.map((written) => written.encode({ ...valid, note: 'new' }))
    const versions = encoded.map(({ schemaVersion }) => schemaVersion)
    expect(versions).toEqual([undefined, 2, 3])
    expect(encoded[0]).toEqual({ ...rest, title: name })
    expect(encoded[1]).toEqual({ ...rest, name, schemaVersion: 2 })
    expect(encoded[2]).toEqual({ ...rest, name, note: 'new', schemaVersion: 3 })
  })

  it.each([
    [1, { title: 'edited' }],
    [2, { name: 'edited' }],
    [3, { name: 'edited', note: 'edited' }],
  ])('edits an item of version %j in its version', (version, expected) => {
    for (const written of codecs) {
      const record = written.decode(stored[version] ?? valid)
      expect(written.encodeChanges(record, { name: 'edited', note: 'edited' })).toEqual(expected)
    }
  })

  it('refuses an item of a later version, and says what to do', () => {
    const decode = () => latest.decode({ ...valid, schemaVersion: 4 })
    expect(decode).toThrow(NewerItem)
    expect(decode).toThrow(
      'A stored sample has the schema version 4, but this version of Latchkey knows only 3. Deploy the later version of Latchkey again.',
    )
    expect(() => codec.decode({ ...valid, schemaVersion: 2 })).toThrow(NewerItem)
    expect(() => codec.decode({ ...valid, schemaVersion: '1' })).toThrow(MalformedItem)
  })

  it.each([0, 4, 1.5])('cannot write version %j', (writes) => {
    expect(() => createCodec<Sample>('sample', {}, { changes, writes })).toThrow(RangeError)
  })
})
