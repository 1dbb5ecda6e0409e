import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type BannerFacts, formatBanner, formatRequest, oldestRepaired } from '../../local/banner.ts'

const facts: BannerFacts = {
  url: 'http://localhost:65534',
  mailUrl: 'http://localhost:65535',
  data: resolve('.local'),
  isPasswordIgnored: false,
  isDataExposed: false,
  nodeVersion: '24.1.0',
}
const generatedPassword = 'abcdefghijkmnpqrstuvwxyz'

test.each<[string, Partial<BannerFacts>]>([
  ['a generated password', { admin: { generatedPassword } }],
  ['a given password', { admin: { generatedPassword: undefined } }],
  ['an ignored password', { isPasswordIgnored: true }],
  ['data that others can reach', { isDataExposed: true }],
  ['an old Node.js', { nodeVersion: '20.20.2' }],
  ['data in memory', { data: ':memory:' }],
  ['data elsewhere', { data: 'https://dynamodb.eu-central-1.amazonaws.com' }],
])('the banner with %s fits into 80 columns', (_, more) => {
  const lines = formatBanner({ ...facts, ...more }).split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  expect(lines).toContain('ready http://localhost:65534')
})

test('shows a folder inside the current one as a relative path, other folders in full', () => {
  expect(formatBanner(facts)).toContain('  Data    .local\n')
  expect(formatBanner({ ...facts, data: '/srv/latchkey' })).toContain('  Data    /srv/latchkey\n')
  expect(formatBanner({ ...facts, data: resolve('..', 'beside') })).toContain(
    `  Data    ${resolve('..', 'beside')}\n`,
  )
})

test('warns only about an engine that listens on all interfaces', () => {
  expect(formatBanner({ ...facts, isDataExposed: true })).toContain('listens on all network interfaces')
  expect(formatBanner(facts)).not.toContain('network')
})

test('warns about a Node.js that is older than the package asks for', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(engines.node).toBe(`>=${oldestRepaired.join('.')}`)
  for (const nodeVersion of ['20.20.2', '22.11.0'])
    expect(formatBanner({ ...facts, nodeVersion })).toContain(
      `Node.js ${nodeVersion} gets no repairs any more`,
    )
  for (const nodeVersion of ['22.12.0', '24.0.0'])
    expect(formatBanner({ ...facts, nodeVersion })).not.toContain('Node.js')
})

describe('the example request', () => {
  test('contains a generated password', () => {
    const text = formatBanner({ ...facts, admin: { generatedPassword } })
    expect(text).toContain(`  Admin   admin, password ${generatedPassword}\n          (shown this once)\n`)
    expect(text).toContain(`  -d '{"username":"admin","password":"${generatedPassword}"}'\n`)
  })

  test.each([{ admin: { generatedPassword: undefined } }, {}])(
    'contains a placeholder for any other password',
    (more) => {
      expect(formatBanner({ ...facts, ...more })).toContain(
        `  -d '{"username":"admin","password":"YOUR_PASSWORD"}'\n`,
      )
    },
  )
})

test('formats a request as a line with time and route', () => {
  const at = new Date(2026, 0, 31, 9, 5, 7)
  const request = {
    routeKey: 'ANY /api/2/users/{id}',
    method: 'GET',
    status: 200,
    durationMs: 12.6,
    requestId: '0123456789',
  }
  expect(formatRequest(request, at)).toBe('09:05:07 GET /api/2/users/{id} 200 13 ms\n')
  expect(formatRequest({ ...request, routeKey: '$default', method: 'PUT', status: 404 }, at)).toBe(
    '09:05:07 PUT (unknown route) 404 13 ms 01234567\n',
  )
})

test('says what lets pages of another origin call the service', () => {
  const at = new Date(2026, 0, 31, 9, 5, 7)
  const blockedOrigin = 'http://localhost:5173'
  const request = {
    routeKey: 'ANY /a',
    method: 'OPTIONS',
    status: 405,
    durationMs: 1,
    requestId: '0',
    blockedOrigin,
  }
  expect(formatRequest(request, at)).toBe(
    '09:05:07 OPTIONS /a 405 1 ms 0\n' +
      '         Pages of http://localhost:5173 may not call the service. Add the origin to ALLOWED_ORIGINS.\n',
  )
})
