import { describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/kernel/settings/config.ts'

const read = (settings: Readonly<Record<string, string>> = {}, publicUrl = 'https://auth.example.com') =>
  readConfig({ TABLE_NAME: 't', PUBLIC_URL: publicUrl, ...settings }).passkeys

describe('the settings for passkeys', () => {
  it('belong to the host of the service by default', () => {
    expect(read()).toEqual({
      rpId: 'auth.example.com',
      rpName: 'Latchkey',
      origins: ['https://auth.example.com'],
      userVerification: 'required',
      timeoutMs: 300_000,
    })
    expect(read({}, 'http://localhost:3000')).toMatchObject({
      rpId: 'localhost',
      origins: ['http://localhost:3000'],
    })
  })

  it('can belong to a domain above, with pages of products', () => {
    const settings = {
      PASSKEY_RP_ID: 'example.com',
      PASSKEY_RP_NAME: 'Example',
      PASSKEY_ORIGINS: 'https://app.example.com, https://example.com,https://auth.example.com',
      PASSKEY_USER_VERIFICATION: 'preferred',
      PASSKEY_TIMEOUT_SECONDS: '60',
    }
    expect(read(settings)).toEqual({
      rpId: 'example.com',
      rpName: 'Example',
      origins: ['https://auth.example.com', 'https://app.example.com', 'https://example.com'],
      userVerification: 'preferred',
      timeoutMs: 60_000,
    })
  })

  it('let pages of other domains use passkeys of the host of the service', () => {
    expect(read({ PASSKEY_ORIGINS: 'https://shop.example.org' }).origins).toEqual([
      'https://auth.example.com',
      'https://shop.example.org',
    ])
  })

  it.each([
    { PASSKEY_RP_ID: 'com' },
    { PASSKEY_RP_ID: 'xample.com' },
    { PASSKEY_RP_ID: 'other.example.com' },
    { PASSKEY_RP_ID: 'deep.auth.example.com' },
    { PASSKEY_RP_ID: 'https://auth.example.com' },
    { PASSKEY_RP_NAME: 'x'.repeat(65) },
    { PASSKEY_ORIGINS: 'https://example.org', PASSKEY_RP_ID: 'example.com' },
    { PASSKEY_ORIGINS: 'http://example.org' },
    { PASSKEY_ORIGINS: 'http://localhost.example.org' },
    { PASSKEY_ORIGINS: 'http://auth.example.com' },
    { PASSKEY_ORIGINS: 'https://auth.example.com/page' },
    { PASSKEY_ORIGINS: '*' },
    { PASSKEY_USER_VERIFICATION: 'discouraged' },
    { PASSKEY_TIMEOUT_SECONDS: '29' },
    { PASSKEY_TIMEOUT_SECONDS: '301' },
    { PASSKEY_TIMEOUT_SECONDS: 'soon' },
  ])('reject %j', (settings) => {
    expect(() => read(settings as Record<string, string>)).toThrow(/PASSKEY_/)
  })
})
