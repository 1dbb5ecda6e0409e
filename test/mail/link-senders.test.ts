import { expect, it } from 'vitest'
import { getSenderName } from '../../lib/features/mail/user-text.ts'

const ada = { name: 'Ada Lovelace', account: 'ada@example.com' }

it.each([
  ['a person alone', undefined, 'Ada Lovelace'],
  ['a person with their organization', 'Acme Studios', 'Ada Lovelace (Acme Studios)'],
  ['no organization with the name of the product', 'Latch-Key Support', 'Ada Lovelace'],
  ['no line breaks of an organization', 'Acme\r\nBcc: x', 'Ada Lovelace (Acme Bcc: x)'],
])('an email names %s', (_, organization, name) => {
  expect(getSenderName({ ...ada, ...(organization !== undefined && { organization }) }, 'Latchkey')).toBe(
    name,
  )
})
