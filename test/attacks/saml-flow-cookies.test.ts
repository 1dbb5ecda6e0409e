import { describe, expect, it } from 'vitest'
import { requireProvider } from '../../lib/features/connections/saml/saml-context.ts'
import { startSamlSignIn as startStoredSignIn } from '../../lib/features/connections/saml/start-sign-in.ts'
import { spKeyCacheMs } from '../../lib/kernel/limits/saml-limits.ts'
import { getFrom, loopback } from '../support/addressed-client.ts'
import { TestBrowser } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import { makeIdp } from '../support/idp.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import { addProvider, patchProvider, sessionOf, startSignIn, type TestProvider } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Another host of the domain can set cookies. Anybody can start sign-ins, which costs them nothing. */

const startsPerMinute = 60
const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  RATE_LIMITS: `samlStarts=${startsPerMinute}/60`,
})
const provider = await addProvider(service, await makeIdp())

const planted = 'p'.repeat(43)
const plant = (browser: TestBrowser, name: string) =>
  browser.keep({ cookies: [`${name}=${planted}; Path=/; SameSite=None`] })
const answerOf = async (target: Parameters<TestProvider['idp']['answer']>[0]) =>
  (await provider.idp.answer(target)).form

describe('a flow cookie from another host of the domain', () => {
  it.each(['__Secure-latchkey-saml', 'latchkey-saml-0', '__Secure-latchkey-saml-0'])(
    'named %s does not identify the browser',
    async (name) => {
      const browser = new TestBrowser(service)
      plant(browser, name)
      const { target } = await startSignIn(service, provider, '', browser)
      const form = await answerOf(target)
      const attacker = new TestBrowser(service)
      plant(attacker, name)
      expectPlainRefusal(await attacker.post(target.acsUrl, form), 'planted')
      expect(sessionOf(await browser.post(target.acsUrl, form))).toBeDefined()
    },
  )

  it('is never adopted by a sign-in, even under the current names', async () => {
    for (let slot = 0; slot < 8; slot++) {
      const browser = new TestBrowser(service)
      plant(browser, `__Host-latchkey-saml-${slot}`)
      const { target } = await startSignIn(service, provider, '', browser)
      const attacker = new TestBrowser(service)
      plant(attacker, `__Host-latchkey-saml-${slot}`)
      expectPlainRefusal(await attacker.post(target.acsUrl, await answerOf(target)), `slot ${slot}`)
    }
  })
})

describe('sign-ins in two tabs', () => {
  it.each([
    [0, 1],
    [1, 0],
  ])('both succeed in the order %i, %i', async (first, second) => {
    const browser = new TestBrowser(service)
    const tabs = [
      await startSignIn(service, provider, '', browser),
      await startSignIn(service, provider, '', browser),
    ]
    for (const at of [first, second]) {
      const tab = tabs[at]
      if (!tab) throw new Error('no tab')
      const answer = await browser.post(tab.target.acsUrl, await answerOf(tab.target))
      expect(sessionOf(answer)).toBeDefined()
    }
    // Both cookies are used up.
    expect(browser.cookieHeader('/api/2/auth/saml', 'none', 'GET')).not.toContain('latchkey-saml')
  })
})

it('sign-ins that a page of another site starts cannot push the session cookie out of the browser', async () => {
  const browser = new TestBrowser(service)
  for (let at = 0; at < 20; at++) await browser.get(provider.loginUrl, 'cross-site')
  expect(browser.cookieHeader('/', 'none', 'GET').split('; ')).toHaveLength(8)
})

it('started sign-ins are limited per network, also in parallel, and others still start', async () => {
  const url = `${service.url}/api/2/auth/saml/${provider.id}/sso`
  const answers = await Promise.all(
    Array.from({ length: startsPerMinute + 20 }, () => getFrom(loopback(1), url)),
  )
  const started = answers.filter(({ status }) => status === 303)
  expect(started).toHaveLength(startsPerMinute)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers['retry-after']).toMatch(/^\d+$/)
  expect((await getFrom(loopback(2), url)).status).toBe(303)
})

it('many sign-ins decrypt the key once, until it is replaced or was kept for long', async () => {
  let decryptions = 0
  const startedAt = service.services.now()
  const before = await requireProvider(service.services.table, provider.id)
  const startAt = async (ms: number, current = before) => {
    const { services } = service
    const vault = {
      ...services.vault,
      decrypt: (...args: Parameters<typeof services.vault.decrypt>) => {
        decryptions += 1
        return services.vault.decrypt(...args)
      },
    }
    const options = { returnTo: null, forceAuthn: false, linkTo: undefined, device: undefined }
    return startStoredSignIn({ ...services, vault, now: () => startedAt + ms }, current, 'x', options)
  }
  await startAt(spKeyCacheMs)
  expect(decryptions).toBe(1)
  for (let at = 1; at < 5; at++) await startAt(spKeyCacheMs + at)
  expect(decryptions).toBe(1)
  await startAt(2 * spKeyCacheMs + 1)
  expect(decryptions).toBe(2)
  const own = await makeCertificate({ name: 'replacement' })
  await patchProvider(service, provider, { sp_certificate: own.pem, sp_certificate_key: own.keyPem })
  const after = await requireProvider(service.services.table, provider.id)
  for (let at = 2; at < 5; at++) await startAt(2 * spKeyCacheMs + at, after)
  expect(decryptions).toBe(3)
  // The old key is no longer in memory.
  await startAt(2 * spKeyCacheMs + 5, before)
  expect(decryptions).toBe(4)
})
