import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import {
  dateTime,
  emailAddress,
  givenDateTime,
  givenPermissions,
  id,
  int32,
  integer,
  jsonValue,
  multiLine,
  singleLine,
} from '../../lib/kernel/contract/fields.ts'

const accepts = (schema: z.ZodMiniType, given: unknown) => schema.safeParse(given).success

describe('numbers', () => {
  it.each([
    '9007199254740993',
    '{"n":-1e21}',
    '1e400',
    '-1e400',
    '1.5',
    '"1"',
    'true',
    'null',
    '[]',
    '[1]',
    '{}',
    '9007199254740993',
  ])('are rejected as %s', (json) => {
    for (const schema of [id, int32, integer]) expect(accepts(schema, JSON.parse(json))).toBe(false)
  })

  it('are accepted only within their bounds', () => {
    expect([0, 1, 2 ** 31 - 1, 2 ** 31].map((given) => accepts(id, given))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect([-(2 ** 31) - 1, -(2 ** 31), 2 ** 31].map((given) => accepts(int32, given))).toEqual([
      false,
      true,
      false,
    ])
    expect([2 ** 53 - 1, 2 ** 53].map((given) => accepts(integer, given))).toEqual([true, false])
  })
})

describe('a time', () => {
  it('has exactly one form in responses', () => {
    expect(accepts(dateTime, '2026-01-31T12:00:00.000Z')).toBe(true)
    for (const given of ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000+00:00', '2026-01-31'])
      expect(accepts(dateTime, given)).toBe(false)
  })

  it.each([
    ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.123456+00:00', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T12:00:00+05:30', '2026-01-31T06:30:00.000Z'],
    ['2024-02-29T23:59:59-00:01', '2024-03-01T00:00:59.000Z'],
    ['2026-01-31T12:00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.123456', '2026-01-31T12:00:00.123Z'],
    ['2024-02-29T23:59:59.9', '2024-02-29T23:59:59.900Z'],
  ])('is accepted as %s', (given, read) => {
    expect(givenDateTime.parse(given)).toBe(read)
  })

  it.each([
    '',
    'now',
    '2026-01-31',
    '2026-01-31T12',
    '2026-01-31 12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00Z',
    '2026-01-31T12:00',
    '2026-02-29T12:00:00',
    '2026-01-31T12:00:00z',
    '2026-01-31T12:00:00+0100',
    '2026-01-31T12:00:00+',
    '2026-02-29T12:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:00:60Z',
    '2026-01-31T12:00:00+24:00',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+010000-01-01T00:00:00Z',
    ' 2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z\n',
    '٢٠٢٦-01-31T12:00:00Z',
    1769860800000,
    null,
  ])('is rejected as %j', (given) => {
    expect(accepts(givenDateTime, given)).toBe(false)
  })

  it('is rejected with a single message', () => {
    for (const given of ['soon', '0000-01-01T00:00:00+00:01'])
      expect(givenDateTime.safeParse(given).error?.issues.map(({ message }) => message)).toEqual([
        'must be a date and time such as 2026-01-31T12:00:00.000Z',
      ])
  })
})

describe('a JSON value', () => {
  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

  it.each([null, true, 0, 'x', [], {}, { a: [1, { b: null }] }])('can be %j', (given) => {
    expect(jsonValue.parse(given)).toEqual(given)
  })

  it('can have 20 levels and no more', () => {
    expect(accepts(jsonValue, nested(20))).toBe(true)
    expect(accepts(jsonValue, nested(21))).toBe(false)
    expect(accepts(jsonValue, nested(10_000))).toBe(false)
    expect(accepts(jsonValue, { a: nested(19) })).toBe(true)
    expect(accepts(jsonValue, { a: nested(20) })).toBe(false)
  })

  it.each(['1e400', '{"a":[1e400]}', '{"__proto__":{"x":1}}', '[{"a":{"__proto__":1}}]'])(
    'cannot be %s',
    (json) => {
      expect(accepts(jsonValue, JSON.parse(json))).toBe(false)
    },
  )

  it('cannot be undefined', () => {
    expect(accepts(jsonValue, undefined)).toBe(false)
  })
})

describe('fields of an email', () => {
  it.each(['a@b', "o'neil+tag@mail.example.com", 'ü@例え.jp'])('accept the address %s', (given) => {
    expect(accepts(emailAddress, given)).toBe(true)
  })

  it.each([
    '',
    'a',
    '@b',
    'a@',
    'a@b@c',
    'a@b,c@d',
    'a@b;c@d',
    'A <a@b>',
    '<a@b>',
    'a@b\r\nBcc: c@d',
    'a@b\n',
    ' a@b',
    'a\u0000@b',
    'a\u200b@b',
    '"a"@b',
    'to:a@b',
  ])('reject the address %j', (given) => {
    expect(accepts(emailAddress, given)).toBe(false)
  })

  it('accept only subjects of one line', () => {
    expect(accepts(singleLine, 'Für dich: 100 %')).toBe(true)
    const breaks = ['a\nb', 'a\rb', 'a\r\nBcc: c@d', 'a\vb', 'a\u2028b', 'a\u2029b', 'a\u0085b']
    for (const given of ['', ' ', ...breaks, 'a\tb', 'a\u0000', 'a\u202eb', 'a\u2066b', 'x'.repeat(201)])
      expect(accepts(singleLine, given)).toBe(false)
    expect(accepts(singleLine, 'x'.repeat(200))).toBe(true)
    expect(accepts(singleLine, '👩‍👧 می‌خواهم')).toBe(true)
  })

  it('accept texts of many lines without control characters', () => {
    expect(accepts(multiLine, 'Hello,\r\n\tsee below.\nBye')).toBe(true)
    const marks = ['a\u2028b', 'a\u2029b', 'a\u202eb', 'a\u2069b']
    for (const given of ['', 'a\u0000', 'a\u001b[31m', 'a\u0085b', ...marks, 'x'.repeat(10_001)])
      expect(accepts(multiLine, given)).toBe(false)
    expect(accepts(multiLine, 'x'.repeat(10_000))).toBe(true)
  })
})

describe('permissions', () => {
  it.each(['users:view', 'system:admin-access', 'media:roots:manage', 'a:b', 'a:1_b'])(
    'can be %s',
    (given) => {
      expect(accepts(givenPermissions, [given])).toBe(true)
    },
  )

  it.each([
    '',
    'users',
    'users:',
    ':view',
    'a:b:c:d',
    'Users:View',
    'users:view ',
    'users:*',
    `${'a'.repeat(65)}:b`,
    `a:${'b'.repeat(65)}`,
  ])('cannot be %j', (given) => {
    expect(accepts(givenPermissions, ['users:view', given])).toBe(false)
  })
})
