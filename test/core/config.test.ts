import { expect, it } from 'vitest'
import { readConfig } from '../../lib/core/config.ts'

const good = { TABLE_NAME: 't', PUBLIC_URL: 'https://auth.example.com' }

it('reads what is there and has a default for the rest', () => {
  const config = readConfig({ ...good, ALLOWED_ORIGINS: 'https://a.example.com, https://b.example.com/' })
  expect(config).toMatchObject({
    publicUrl: 'https://auth.example.com',
    allowedOrigins: ['https://a.example.com', 'https://b.example.com'],
    signInUrl: 'https://auth.example.com/',
    passwordCost: 12,
    validateResponses: false,
    logLevel: 'info',
  })
})

it('refuses to start half-configured, and names every variable to mend', () => {
  expect(() => readConfig({})).toThrow(/TABLE_NAME.*PUBLIC_URL/)
  const bad = {
    ...good,
    PUBLIC_URL: 'https://u:p@x/',
    PASSWORD_COST: '3',
    LOG_LEVEL: 'loud',
    ALLOWED_ORIGINS: '*',
  }
  expect(() => readConfig(bad)).toThrow(/PUBLIC_URL.*PASSWORD_COST.*LOG_LEVEL.*ALLOWED_ORIGINS/)
})

it.each([
  'ftp://x.example.com',
  'https://x.example.com/path',
  'https://x.example.com?q',
  'x.example.com',
  '',
])('takes no %s for an origin', (url) => {
  expect(() => readConfig({ ...good, PUBLIC_URL: url })).toThrow(/PUBLIC_URL/)
})

it.each(['javascript:alert(1)', 'data:text/html,x', '/sign-in', 'product.example.com'])(
  'sends nobody to sign in at %s',
  (url) => {
    expect(() => readConfig({ ...good, SIGN_IN_URL: url })).toThrow('SIGN_IN_URL must be an http(s) URL')
  },
)

it('looks breached passwords up where it is told to, and nowhere when that is empty', () => {
  const endpoint = (given: object) => readConfig({ ...good, ...given }).breachEndpoint
  expect(endpoint({})).toBe('https://api.pwnedpasswords.com/range/')
  expect(endpoint({ BREACH_ENDPOINT: '' })).toBeUndefined()
  expect(endpoint({ BREACH_ENDPOINT: 'http://127.0.0.1:1/ranges' })).toBe('http://127.0.0.1:1/ranges/')
  for (const url of [
    'ftp://x.example.com/',
    'x',
    'https://u:p@x.example.com/',
    'https://x.example.com/?range=',
  ])
    expect(() => endpoint({ BREACH_ENDPOINT: url })).toThrow(/BREACH_ENDPOINT/)
})
