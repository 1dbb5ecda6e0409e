import { describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/kernel/settings/config.ts'
import { addRelyingParty } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const product = 'https://product.example.com'
const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  ALLOWED_ORIGINS: product,
  HSTS_INCLUDE_SUBDOMAINS: 'true',
  HSTS_PRELOAD: 'true',
})

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
    const logout = await get('/oauth2/logout', { accept: 'text/html' })
    expect([logout.status, logout.headers.has('cross-origin-opener-policy')]).toEqual([303, false])
  })
})

describe('a feature of browsers', () => {
  it('is off on every page, unless pages use it on their own origin', async () => {
    const html = { accept: 'text/html' }
    const pages = [
      await get('/', html),
      await get('/nowhere', html),
      await get('/oauth2/logout?client_id=1', html),
      await get('/oauth2/authorize', html),
      await get('/api/2/auth/saml/999/sso', html),
    ]
    for (const { headers } of pages) {
      expect(headers.get('content-type')).toContain('text/html')
      const policy = headers.get('permissions-policy') ?? ''
      const rules = new Map(policy.split(', ').map((rule) => [rule.split('=')[0], rule.split('=')[1]]))
      for (const name of ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'display-capture'])
        expect([name, rules.get(name)]).toEqual([name, '()'])
      for (const name of ['publickey-credentials-get', 'publickey-credentials-create'])
        expect([name, rules.get(name)]).toEqual([name, '(self)'])
      expect([...rules.values()].filter((value) => value !== '()' && value !== '(self)')).toEqual([])
    }
  })
})

describe('the address of a client', () => {
  it.each([
    'https://a;script-src.example/out',
    'https://a,b.example/out',
    'https://$&.example/out',
    "https://$'.example/out",
    "https://a'unsafe-inline'.example/out",
    'https://app.example/out;script-src *',
    'https://app.example/out?a=;b,c$&',
    'https://app.example/out%0d%0ax-injected: 1',
    'com.example.app:/out;script-src',
  ])('%s changes no header of the page that asks whether to sign out', async (address) => {
    const { client } = await addRelyingParty(service, { post_logout_redirect_uris: [address] })
    const { bearer } = await addSignedIn(service)
    const plain = await addRelyingParty(service)
    const open = async (parameters: Readonly<Record<string, string>>) => {
      const query = new URLSearchParams(parameters)
      const cookie = `__Host-latchkey=${bearer}`
      return get(`/oauth2/logout?${query}`, { accept: 'text/html', cookie })
    }
    const normal = await open({ client_id: plain.client.clientId })
    const answer = await open({
      client_id: client.clientId,
      post_logout_redirect_uri: address,
      state: ';\r\n$&',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.has('x-injected')).toBe(false)
    const policyOf = ({ headers }: typeof answer): readonly string[] =>
      (headers.get('content-security-policy') ?? '').split('; ')
    const differing = policyOf(answer).filter((rule) => !policyOf(normal).includes(rule))
    expect(policyOf(answer)).toHaveLength(policyOf(normal).length)
    for (const rule of differing)
      expect(rule).toMatch(/^form-action 'self' [a-z-]+(\.[a-z]+)*:(\/\/[a-z.]+)?$|^form-action 'self'$/)
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
