import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/core/config.ts'
import { startService, type TestService } from '../support/service.ts'

const product = 'https://product.example.com'
let service: TestService
beforeAll(async () => {
  service = await startService({
    PUBLIC_URL: 'https://auth.example.com',
    ALLOWED_ORIGINS: product,
    HSTS_INCLUDE_SUBDOMAINS: 'true',
    HSTS_PRELOAD: 'true',
  })
})
afterAll(() => service.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.client('GET', path, { headers })

describe('the network', () => {
  it('never gets the chosen language without encryption', async () => {
    const chosen = await get('/?language=de')
    expect(chosen.cookies).toEqual(['language=de; Secure; SameSite=Lax; Path=/; Max-Age=31536000'])
    const withdrawn = await get('/?language=')
    expect(withdrawn.cookies).toEqual(['language=; Secure; SameSite=Lax; Path=/; Max-Age=0'])
  })
})

describe('a page of another origin', () => {
  it('embeds no response of any status', async () => {
    for (const path of ['/', '/api/2/users/me', '/api/2/auth/saml/providers', '/nowhere'])
      expect((await get(path)).headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  it('keeps no window with a page of the service, also for an error', async () => {
    const error = await get('/api/2/auth/saml/999/sso', { accept: 'text/html' })
    expect(error.status).toBe(404)
    for (const answer of [await get('/'), error]) {
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    }
  })

  it('keeps a popup that a sign-in redirects, so that a product gets its user back', async () => {
    const answer = await get('/api/2/auth/saml/1/sso/return')
    expect(answer.status).toBe(303)
    expect(answer.headers.has('cross-origin-opener-policy')).toBe(false)
  })
})

describe('the HTTPS policy', () => {
  it('covers the hosts below and permits preloading if the operator wants that', async () => {
    for (const path of ['/', '/nowhere', '/api/2/users/me'])
      expect((await get(path)).headers.get('strict-transport-security')).toBe(
        'max-age=63072000; includeSubDomains; preload',
      )
  })

  it('refuses to be preloaded without the hosts below', () => {
    const good = { TABLE_NAME: 't', PUBLIC_URL: 'https://auth.example.com' }
    expect(() => readConfig({ ...good, HSTS_PRELOAD: 'true' })).toThrow('HSTS_INCLUDE_SUBDOMAINS')
    expect(() => readConfig({ ...good, HSTS_INCLUDE_SUBDOMAINS: 'yes' })).toThrow('true or false')
  })
})
