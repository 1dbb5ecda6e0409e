import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { describe, expect, it } from 'vitest'
import { fromAttributeMap, toAttributeMap, toAttributeValue } from '../../lib/kernel/table/call-body.ts'

const usual = [
  { text: '', number: 0, negative: -1.5, yes: true, no: false, nothing: null },
  { list: [1, 'two', [null, { deep: true }]], map: {}, nested: { a: { b: ['c'] } } },
  { names: new Set(['a', 'b']), ids: new Set([1, 2.5]) },
]
/** The SDK does not keep names like these, which may come from requests. */
const unusual = [
  { constructor: 'a', hasOwnProperty: 'b', toString: 'c' },
  JSON.parse('{"__proto__":{"isAdministrator":true},"nested":{"__proto__":"text"}}'),
]

describe('a record', () => {
  it.each(usual)('is written and read as the SDK does it: %o', (record) => {
    expect(toAttributeMap(record)).toEqual(marshall(record))
    expect(fromAttributeMap(toAttributeMap(record))).toEqual(unmarshall(marshall(record)))
  })

  it.each([...usual, ...unusual])('is read as it was written: %o', (record) => {
    const read = fromAttributeMap(toAttributeMap(record))
    expect(read).toEqual(record)
    expect(Object.keys(read)).toEqual(Object.keys(record))
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })

  it('is written without properties that are undefined', () => {
    expect(toAttributeMap({ a: undefined, b: { c: undefined } })).toEqual({ b: { M: {} } })
  })
})

it.each([
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [() => {}],
  [new Date()],
  [new Set()],
  [new Set([1, 'a'])],
  [1n],
  [[undefined]],
])('refuses to write %o', (value) => {
  expect(() => toAttributeValue(value)).toThrow(TypeError)
})
