import { expect, it } from 'vitest'
import { readConfig } from '../../lib/kernel/settings/config.ts'

const good = { TABLE_NAME: 't', PUBLIC_URL: 'https://auth.example.com' }

it('reads the given variables and uses defaults for the rest', () => {
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

it('leaves signatures out only for the embedded engine of local mode', () => {
  const isEmbedded = (given: object) => readConfig({ ...good, ...given }).hasEmbeddedEngine
  const local = { AWS_ACCESS_KEY_ID: 'local' }
  const endpoint = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' }
  expect([
    isEmbedded({ ...local, ...endpoint }),
    isEmbedded(local),
    isEmbedded(endpoint),
    isEmbedded({}),
    isEmbedded({ ...endpoint, AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE' }),
  ]).toEqual([true, false, false, false, false])
})

it('allows changes of credentials for 15 minutes after a proof of identity, unless a setting says otherwise', () => {
  const recent = (given: object) => readConfig({ ...good, ...given }).recentAuthenticationMs
  expect([recent({}), recent({ RECENT_AUTHENTICATION_SECONDS: '300' })]).toEqual([900_000, 300_000])
  for (const seconds of ['59', '86401', '1.5', 'soon', '-1'])
    expect(() => recent({ RECENT_AUTHENTICATION_SECONDS: seconds })).toThrow(
      'RECENT_AUTHENTICATION_SECONDS must be a whole number from 60 to 86400',
    )
})

it('reads the lifetimes of sessions, and never gives administrators longer ones', () => {
  const lifetimes = (text: string) => readConfig({ ...good, SESSION_LIFETIMES: text }).sessionLifetimes
  const users = { lifetimeMs: 14 * 86_400_000, idleMs: 86_400_000 }
  expect(lifetimes('')).toEqual({ users, administrators: users })
  expect(lifetimes('administrators=86400/3600').administrators).toEqual({
    lifetimeMs: 86_400_000,
    idleMs: 3_600_000,
  })
  const short = { lifetimeMs: 7_200_000, idleMs: 600_000 }
  expect(lifetimes('users=7200/600, administrators=86400/3600')).toEqual({
    users: short,
    administrators: short,
  })
  for (const text of [
    'users=7200',
    'users=7200/599',
    'users=600/7200',
    'users=2592001/600',
    'guests=7200/600',
  ])
    expect(() => lifetimes(text)).toThrow('SESSION_LIFETIMES must')
})

it('rejects an incomplete configuration and names every variable to fix', () => {
  expect(() => readConfig({})).toThrow(/TABLE_NAME.*PUBLIC_URL/)
  const bad = {
    ...good,
    PUBLIC_URL: 'https://u:p@x/',
    PASSWORD_COST: '3',
    LOG_LEVEL: 'loud',
    ALLOWED_ORIGINS: '*',
  }
  for (const name of ['PUBLIC_URL', 'PASSWORD_COST', 'LOG_LEVEL', 'ALLOWED_ORIGINS'])
    expect(() => readConfig(bad)).toThrow(`${name} must`)
})

it.each([
  'ftp://x.example.com',
  'https://x.example.com/path',
  'https://x.example.com?q',
  'x.example.com',
  '',
])('rejects %s as an origin', (url) => {
  expect(() => readConfig({ ...good, PUBLIC_URL: url })).toThrow(/PUBLIC_URL .*A path is not possible/)
})

it.each(['javascript:alert(1)', 'data:text/html,x', '/sign-in', 'product.example.com'])(
  'rejects %s as the sign-in page',
  (url) => {
    expect(() => readConfig({ ...good, SIGN_IN_URL: url })).toThrow('SIGN_IN_URL must be an http(s) URL')
  },
)

it('looks up breached passwords at the configured endpoint, and skips the lookup if it is empty', () => {
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

it('reads the proxies that may name addresses, and rejects lists that trust too much', () => {
  const proxies = (text: string) => readConfig({ ...good, TRUSTED_PROXIES: text }).trustedProxies
  expect(proxies('')).toBeUndefined()
  expect(proxies(' , ')).toBeUndefined()
  const ranges = proxies('192.0.2.7, 10.0.0.0/8,2001:db8::/32, fd00::/8')
  const isTrusted = (address: string) => ranges?.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  expect(['192.0.2.7', '10.9.8.7', '2001:db8:1::1', 'fdaa::1'].map(isTrusted)).toEqual(Array(4).fill(true))
  expect(['192.0.2.8', '11.0.0.0', '2001:db9::', 'fc00::1'].map(isTrusted)).toEqual(Array(4).fill(false))
  for (const text of [
    '0.0.0.0/0',
    '128.0.0.0/7',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/-8',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0',
    'proxy.example.com',
    '*',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/104',
    '10.0.0.1:443',
    Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`).join(),
  ])
    expect(() => proxies(text)).toThrow('TRUSTED_PROXIES must')
})
