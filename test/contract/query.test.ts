import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  ordering,
  paging,
  queryBoolean,
  queryId,
  queryIds,
  queryInt,
  queryText,
} from '../../lib/kernel/contract/query.ts'

const malformedNumbers = [
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '+1',
  '--1',
  '-0',
  '01',
  '1.0',
  '1.5',
  '1e3',
  '1e400',
  '0x10',
  '0b1',
  '1_000',
  '1,000',
  '1n',
  '٣',
  '１',
  'Infinity',
  'NaN',
  'null',
  'true',
  '[]',
  '9'.repeat(400),
  '9007199254740993',
  `${'1'.repeat(100_000)}x`,
]

const accepts = (schema: z.ZodMiniType, given: unknown) => schema.safeParse(given).success
const messages = (schema: z.ZodMiniType, given: unknown) =>
  schema.safeParse(given).error?.issues.map(({ message }) => message)

describe('queryInt', () => {
  const small = queryInt({ min: -5, max: 10 })

  it('accepts its bounds and all numbers between them', () => {
    expect(['-5', '-1', '0', '7', '10'].map((given) => small.parse(given))).toEqual([-5, -1, 0, 7, 10])
  })

  it.each(['-6', '11', ...malformedNumbers])('rejects %j', (given) => {
    expect(accepts(small, given)).toBe(false)
  })

  it.each(malformedNumbers)('rejects %j even without narrow bounds', (given) => {
    expect(accepts(queryInt({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }), given)).toBe(
      false,
    )
  })

  it.each([1, true, null, undefined, [], ['1'], {}])('rejects %j, which is not a text', (given) => {
    expect(accepts(small, given)).toBe(false)
  })

  it('says what is wrong without quoting the value', () => {
    expect(messages(small, 'attack')).toEqual(['must be a whole number'])
  })
})

describe('queryId', () => {
  it('accepts positive integers below 2^31', () => {
    expect(queryId.parse('1')).toBe(1)
    expect(queryId.parse('2147483647')).toBe(2147483647)
  })

  it.each(['0', '-1', '2147483648', ...malformedNumbers])('rejects %j', (given) => {
    expect(accepts(queryId, given)).toBe(false)
  })
})

describe('queryIds', () => {
  it('accepts one or more IDs', () => {
    expect(queryIds.parse('1')).toEqual([1])
    expect(queryIds.parse('5,2147483647,1')).toEqual([5, 2147483647, 1])
  })

  it('accepts up to 100 IDs', () => {
    expect(queryIds.parse(Array(100).fill('7').join(','))).toHaveLength(100)
    expect(accepts(queryIds, Array(101).fill('7').join(','))).toBe(false)
  })

  it.each([
    ',',
    '1,',
    ',1',
    '1,,2',
    '1, 2',
    '1;2',
    '0',
    '1,0',
    '2147483648',
    '1,9999999999',
    '1,-2',
    ...malformedNumbers.filter((given) => given !== '1,000'),
  ])('rejects %j', (given) => {
    expect(accepts(queryIds, given)).toBe(false)
  })

  it('rejects leading zeros', () => {
    expect(accepts(queryIds, '1,000')).toBe(false)
  })
})

describe('queryText', () => {
  it('accepts 1 to 1023 characters', () => {
    expect(accepts(queryText, 'x')).toBe(true)
    expect(accepts(queryText, 'x'.repeat(1023))).toBe(true)
    expect(accepts(queryText, '')).toBe(false)
    expect(accepts(queryText, 'x'.repeat(1024))).toBe(false)
  })
})

describe('queryBoolean', () => {
  it.each([
    ['true', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
  ])('reads %j as %j', (given, value) => {
    expect(queryBoolean.parse(given)).toBe(value)
  })

  it.each(['', 'TRUE', 'tRue', 'yes', 'on', '2', '01', ' true', 'true\n', 'toString', true, 1])(
    'rejects %j',
    (given) => {
      expect(accepts(queryBoolean, given)).toBe(false)
    },
  )

  it('lists the notations that it accepts, also in the JSON Schema of a boolean', () => {
    expect(messages(queryBoolean, 'yes')).toEqual(['must be one of true, True, 1, false, False, 0'])
    const schema = z.toJSONSchema(queryBoolean, { io: 'input' })
    expect(schema).toMatchObject({ type: 'boolean' })
    expect(schema.description).toContain('`True`')
  })
})

describe('ordering', () => {
  const byName = ordering(['id', 'name'])

  it('parses a field and a direction, and defaults to the ID', () => {
    expect(byName.parse('name')).toEqual({ field: 'name', descending: false })
    expect(byName.parse('-name')).toEqual({ field: 'name', descending: true })
    expect(byName.parse(undefined)).toEqual({ field: 'id', descending: false })
  })

  it.each([
    '',
    '-',
    '--name',
    '+name',
    'Name',
    ' name',
    'password',
    'id,name',
    '__proto__',
    'constructor',
    'toString',
  ])('rejects %j', (given) => {
    expect(accepts(byName, given)).toBe(false)
  })
})

describe('paging', () => {
  const page = z.strictObject(paging)

  it('has defaults', () => {
    expect(page.parse({})).toEqual({ limit: 1000, offset: 0 })
  })

  it.each([
    ['limit', '1', '1000', '0', '1001'],
    ['offset', '0', '10000', '-1', '10001'],
  ])('limits %s', (field, least, most, tooLittle, tooMuch) => {
    expect([least, most].map((given) => accepts(page, { [field]: given }))).toEqual([true, true])
    expect([tooLittle, tooMuch].map((given) => accepts(page, { [field]: given }))).toEqual([false, false])
  })

  it('limits the length of the cursor', () => {
    expect(accepts(page, { cursor: 'x'.repeat(2048) })).toBe(true)
    expect(accepts(page, { cursor: 'x'.repeat(2049) })).toBe(false)
    expect(accepts(page, { cursor: '' })).toBe(false)
  })

  it('rejects other parameters, including names that objects inherit', () => {
    expect(accepts(page, { page: '1' })).toBe(false)
    expect(accepts(page, JSON.parse('{"__proto__":"1"}'))).toBe(false)
    expect(accepts(page, { constructor: '1' })).toBe(false)
  })
})

it('describes parameters in the form that callers send', () => {
  const query = z.strictObject({ ...paging, ordering: ordering(['id']), only: z.optional(queryBoolean) })
  expect(z.toJSONSchema(query, { io: 'input' }).properties).toEqual({
    limit: { type: 'integer', minimum: 1, maximum: 1000, description: expect.stringContaining('1000') },
    offset: { type: 'integer', minimum: 0, maximum: 10_000, description: expect.stringContaining('0') },
    cursor: { type: 'string', minLength: 1, maxLength: 2048, description: expect.any(String) },
    ordering: { type: 'string', enum: ['id', '-id'], default: 'id' },
    only: { type: 'boolean', description: expect.stringContaining('`True`') },
  })
})
