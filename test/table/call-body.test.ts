import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromAttributeMap, readCallBody, toAttributeMap } from '../../lib/kernel/table/call-body.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\\"', '\\\\', '{"S":"a"}', '}]'),
)
/**
 * Names that JSON writes without escapes, as all names of attributes are. `JSON.parse` of V8 13.6 can take the name `\"` for
 * `\\` when it has read objects with both.
 */
const name = fc.oneof(
  fc.constantFrom('pk', 'sk', 'constructor', '5', "'", 'a#'),
  fc.string({ minLength: 1 }).filter((text) => JSON.stringify(text) === `"${text}"`),
)
const value = fc.letrec<{ value: unknown; map: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('map'),
  ),
  map: fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}))
const record = fc.dictionary(name, value.value, { maxKeys: 60, noNullPrototype: true })

/** The same record with its attributes in another order, as an engine may return them. */
const reverse = (of: object) => Object.fromEntries(Object.entries(of).reverse())

const withCapacity = {
  ConsumedCapacity: { TableName: 'table', CapacityUnits: 0.5 },
  Count: 2,
  ScannedCount: 2,
}

describe('a response', () => {
  it('contains the records that were written, in any order and with any names', () => {
    fc.assert(
      fc.property(record, record, (first, second) => {
        const [a, b] = [toAttributeMap(first), toAttributeMap(second)]
        const body = { Items: [a, b, reverse(a)], LastEvaluatedKey: b, ...withCapacity }
        const expected = { Items: [first, second, first], LastEvaluatedKey: second, ...withCapacity }
        expect(readCallBody(JSON.stringify(body))).toEqual(expected)
      }),
    )
  })

  it('contains records by table, and keys that were left unprocessed', () => {
    const [one, two] = [
      { pk: 'a', sk: 'b' },
      { pk: 'c', n: 1.5, set: new Set(['x']), ids: new Set([1, 2]) },
    ]
    const read = (more: object) => readCallBody(JSON.stringify({ ...more, ConsumedCapacity: [] }))
    const responses = { Responses: { table: [toAttributeMap(one), toAttributeMap(two)], other: [] } }
    const expected = { Responses: { table: [one, two], other: [] }, ConsumedCapacity: [] }
    expect(read({ ...responses, UnprocessedKeys: {} })).toEqual({ ...expected, UnprocessedKeys: {} })
    expect(read({ ...responses, UnprocessedKeys: { table: { Keys: [toAttributeMap(one)] } } })).toEqual({
      ...expected,
      UnprocessedKeys: { table: { Keys: [one] } },
    })
    expect(read({ Responses: {} })).toEqual({ Responses: {}, ConsumedCapacity: [] })
  })

  it.each([['{}'], ['{"Item":{}}'], ['{"Items":[],"Count":0}'], ['{"Item":{"a":{"L":[]},"b":{"M":{}}}}']])(
    'is read as it is if it is empty: %s',
    (body) => {
      const { Item, ...others } = JSON.parse(body)
      expect(readCallBody(body)).toEqual(Item ? { ...others, Item: fromAttributeMap(Item) } : others)
    },
  )

  it('does not change a prototype', () => {
    const body = '{"Item":{"a":{"M":{"__proto__":{"M":{"isAdministrator":{"BOOL":true}}}}}}}'
    const { Item } = readCallBody(body) as { Item: { a: object } }
    expect(Object.getPrototypeOf(Item.a)).toBe(Object.prototype)
    expect(Object.keys(Item.a)).toEqual(['__proto__'])
  })

  it('is refused if it breaks off anywhere', () => {
    const item = { pk: 'a"\\', n: 1, yes: true, no: false, none: null, list: [{ a: 'b' }], map: { c: 'd' } }
    const body = JSON.stringify({ ConsumedCapacity: [{ Units: 1 }], Items: [toAttributeMap(item)], Count: 1 })
    for (let end = 0; end < body.length; end++)
      expect(() => readCallBody(body.slice(0, end)), body.slice(0, end)).toThrow(SyntaxError)
    expect(() => readCallBody(`${body}x`)).toThrow(SyntaxError)
  })

  it('is refused if it has a value of a type that no record contains', () => {
    expect(() => readCallBody('{"Item":{"a":{"B":"YQ=="}}}')).toThrow(TypeError)
  })
})
