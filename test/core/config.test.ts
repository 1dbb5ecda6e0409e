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
