import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type GreetingFacts, greeting, requestLine } from '../../../infra/local/greeting.ts'

const facts: GreetingFacts = {
  url: 'http://127.0.0.1:65534',
  mailUrl: 'http://127.0.0.1:65535',
  data: resolve('.local'),
  isPasswordUnused: false,
  isDataExposed: false,
}
const madePassword = 'abcdefghijkmnpqrstuvwxyz'

test.each<[string, Partial<GreetingFacts>]>([
  ['a made password', { admin: { madePassword } }],
  ['a given password', { admin: { madePassword: undefined } }],
  ['an unused password', { isPasswordUnused: true }],
  ['data that others can reach', { isDataExposed: true }],
  ['data in memory', { data: ':memory:' }],
  ['data elsewhere', { data: 'https://dynamodb.eu-central-1.amazonaws.com' }],
])('a greeting with %s fits 80 columns', (_, more) => {
  const lines = greeting({ ...facts, ...more }).split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  expect(lines).toContain('ready http://127.0.0.1:65534')
})

test('a folder inside of this one is named from here, any other in full', () => {
  expect(greeting(facts)).toContain('  Data    .local\n')
  expect(greeting({ ...facts, data: '/srv/latchkey' })).toContain('  Data    /srv/latchkey\n')
  expect(greeting({ ...facts, data: resolve('..', 'beside') })).toContain(
    `  Data    ${resolve('..', 'beside')}\n`,
  )
})

test('data that others can reach is warned of, and no other', () => {
  expect(greeting({ ...facts, isDataExposed: true })).toContain('listens on all network interfaces')
  expect(greeting(facts)).not.toContain('network')
})

describe('the login to try', () => {
  test('has a password that was made just now', () => {
    const said = greeting({ ...facts, admin: { madePassword } })
    expect(said).toContain(`  Admin   admin, password ${madePassword}\n          (shown this once)\n`)
    expect(said).toContain(`  -d '{"username":"admin","password":"${madePassword}"}'\n`)
  })

  test.each([{ admin: { madePassword: undefined } }, {}])(
    'leaves any other password to the reader',
    (more) => {
      expect(greeting({ ...facts, ...more })).toContain(
        `  -d '{"username":"admin","password":"YOUR_PASSWORD"}'\n`,
      )
    },
  )
})

test('a request is a line with its time and route', () => {
  const at = new Date(2026, 0, 31, 9, 5, 7)
  const request = {
    routeKey: 'GET /api/2/users/{id}',
    method: 'GET',
    status: 200,
    durationMs: 12.6,
    requestId: '0123456789',
  }
  expect(requestLine(request, at)).toBe('09:05:07 GET /api/2/users/{id} 200 13 ms\n')
  expect(requestLine({ ...request, routeKey: '$default', method: 'PUT', status: 404 }, at)).toBe(
    '09:05:07 PUT (no such route) 404 13 ms 01234567\n',
  )
})
