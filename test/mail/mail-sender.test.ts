import { expect, it } from 'vitest'
import { readMailSender } from '../../lib/kernel/settings/mail-sender.ts'

it.each([
  ['no-reply@example.com', 'no-reply@example.com', 'no-reply@example.com'],
  [' <no-reply@localhost> ', 'no-reply@localhost', 'no-reply@localhost'],
  ['Example <a@example.com>', 'a@example.com', 'Example <a@example.com>'],
  ['Example, Inc. <a@example.com>', 'a@example.com', '"Example, Inc." <a@example.com>'],
  ['"Example, \\"the\\" Inc." <a@example.com>', 'a@example.com', '"Example, \\"the\\" Inc." <a@example.com>'],
  [
    'M\u00fcller GmbH, Auth <a@example.com>',
    'a@example.com',
    `=?UTF-8?B?${Buffer.from('M\u00fcller GmbH, Auth').toString('base64')}?= <a@example.com>`,
  ],
  [
    '=?UTF-8?B?QQ==?= <a@example.com>',
    'a@example.com',
    '=?UTF-8?B?PT9VVEYtOD9CP1FRPT0/PQ==?= <a@example.com>',
  ],
])('reads the sender %s as address %s and header %s', (text, address, source) => {
  expect(readMailSender(text)).toEqual({ address, source })
})

it('encodes a long name as words of at most 75 characters without splitting a character', () => {
  const name = '\u{1f511}\u00e9'.repeat(30)
  const words = readMailSender(`${name} <a@b>`)?.source.replace(' <a@b>', '').split(' ') ?? []
  expect(words.length).toBeGreaterThan(3)
  for (const word of words) expect(word.length).toBeLessThanOrEqual(75)
  const decoded = words.map((word) =>
    Buffer.from(word.slice('=?UTF-8?B?'.length, -2), 'base64').toString('utf8'),
  )
  expect(decoded.join('')).toBe(name)
  expect(decoded.join('')).not.toContain('\ufffd')
})

it.each([
  '',
  'example.com',
  'not an address',
  'a@',
  '@example.com',
  'a@b, c@d',
  'a@b@c',
  'A <a@b> x',
  'A <a@b><c@d>',
  'A <a b@c>',
  'A\r\nBcc: x@y <a@b>',
  'A <a@b\r\nBcc: x@y>',
  'A <m\u00fcller@example.com>',
])('rejects the sender %j', (text) => {
  expect(readMailSender(text)).toBeUndefined()
})
