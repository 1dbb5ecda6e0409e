import { expect, it } from 'vitest'
import { toDeliverableAddress } from '../../lib/accounts/outbox/mail-addresses.ts'

it.each([
  ['ada@example.com', 'ada@example.com'],
  ['Ada.Lovelace+x@Example.COM', 'Ada.Lovelace+x@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@localhost', 'ada@localhost'],
])('sends email for %s to %s', (email, address) => {
  expect(toDeliverableAddress(email)).toBe(address)
})

it.each([
  'help',
  'hel',
  'h',
  '',
  '@',
  '@example.com',
  'ada@',
  'ada@@example.com',
  'ada@a@example.com',
  'ada@example.com, eve@example.com',
  'ada@%65xample.com',
  'ada@example.com\r\nBcc: eve@example.com',
])('sends no email to %j', (email) => {
  expect(toDeliverableAddress(email)).toBeUndefined()
})
