import { describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { makeIdp } from '../support/idp.ts'
import { addSignedIn } from '../support/people.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import { foreignAddresses } from '../support/return-addresses.ts'
import { addProvider, sessionOf, signInByConnection, startSignIn } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* After a sign-in, no browser and no ticket may end up at an address that an attacker chose. */

const publicUrl = 'https://auth.example.com'
const product = 'https://media.example.com'
const allowed = [publicUrl, product]
const service = await useService({
  PUBLIC_URL: publicUrl,
  ALLOWED_ORIGINS: product,
  SIGN_IN_URL: `${product}/sign-in`,
})
const provider = await addProvider(service, await makeIdp())

const start = (returnTo: string, browser = new TestBrowser(service)) =>
  browser.get(`${provider.loginUrl}?return_to=${encodeURIComponent(returnTo)}`)

/** Signs in with a return address and returns where the browser ends up. */
const ledTo = async (returnTo: string): Promise<string> => {
  const browser = new TestBrowser(service)
  const { target } = await startSignIn(
    service,
    provider,
    `?return_to=${encodeURIComponent(returnTo)}`,
    browser,
  )
  const { form } = await provider.idp.answer(target)
  const answer = await browser.post(target.acsUrl, form)
  expect(sessionOf(answer)).toBeDefined()
  const way = answer.headers.get('location') ?? ''
  expect(way.startsWith(`${provider.loginUrl}/return?`)).toBe(true)
  const last = await browser.get(way, 'cross-site')
  expect(last.status).toBe(303)
  return last.headers.get('location') ?? ''
}

/** Where a browser goes when our own page redirects it to a header's value. */
const originOf = (location: string): string => new URL(location, publicUrl).origin

describe('return_to', () => {
  it.each(foreignAddresses.map((returnTo) => [JSON.stringify(returnTo).slice(0, 60), returnTo]))(
    '%s does not leave the service',
    async (_, returnTo) => {
      const answer = await start(returnTo)
      if (answer.status === 303) expect(allowed).toContain(originOf(await ledTo(returnTo)))
      else expectPlainRefusal(answer, returnTo)
    },
  )

  it('is rejected in every spelling that a browser would follow to another site', async () => {
    for (const returnTo of foreignAddresses) {
      const url = URL.parse(returnTo, publicUrl)
      if (url && allowed.includes(url.origin) && url.protocol === 'https:') continue
      expect([returnTo, (await start(returnTo)).status]).toEqual([returnTo, 400])
    }
  })

  it('accepts a page of the service or of the product', async () => {
    expect(await ledTo('/account?tab=1#x')).toBe(`${publicUrl}/account?tab=1#x`)
    expect(await ledTo(`${publicUrl}/account`)).toBe(`${publicUrl}/account`)
    const there = new URL(await ledTo(`${product}/library?tab=1`))
    expect([there.origin, there.pathname, there.searchParams.get('tab')]).toEqual([product, '/library', '1'])
    expect(there.searchParams.get('ticket')).toMatch(/^lkt_/)
  })

  it('is rejected when it is repeated or misspelled', async () => {
    const twice = `?return_to=${encodeURIComponent(`${product}/`)}&return_to=https://evil.example/`
    expect((await new TestBrowser(service).get(provider.loginUrl + twice)).status).toBe(400)
    for (const name of ['redirect', 'RelayState', 'url', 'next', 'return_to[]'])
      expect(
        (await new TestBrowser(service).get(`${provider.loginUrl}?${name}=https://evil.example/`)).status,
      ).toBe(400)
  })
})

describe('the return address', () => {
  const onTheWay = async (nameId: string) => {
    const browser = new TestBrowser(service)
    const returnTo = `?return_to=${encodeURIComponent(`${product}/library`)}`
    const { target } = await startSignIn(service, provider, returnTo, browser)
    const answer = await browser.post(target.acsUrl, (await provider.idp.answer(target, { nameId })).form)
    return { browser, way: answer.headers.get('location') ?? '', session: sessionOf(answer) ?? '' }
  }
  const ticketIn = (location: string | null) => new URL(location ?? '').searchParams.get('ticket')

  it('gives one ticket to the browser that signed in', async () => {
    const { browser, way } = await onTheWay('traveller')
    const first = await browser.get(way, 'cross-site')
    const ticket = ticketIn(first.headers.get('location'))
    expect(ticket).toMatch(/^lkt_/)
    const check = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(check.status).toBe(200)
    const second = await browser.get(way, 'cross-site')
    expect(second.status).toBe(303)
    expect(ticketIn(second.headers.get('location'))).toBeNull()
  })

  it('gives one ticket in twenty concurrent requests', async () => {
    const { browser, way } = await onTheWay('hasty')
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.clone().get(way)))
    expect(answers.filter(({ headers }) => ticketIn(headers.get('location')) !== null)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  })

  it('gives no ticket to another browser', async () => {
    const attacker = await onTheWay('attacker')
    const victim = await signInByConnection(service, provider, { nameId: 'victim' })
    const lured = await victim.browser.get(attacker.way, 'cross-site')
    expect(ticketIn(lured.headers.get('location'))).toBeNull()
    const stranger = await new TestBrowser(service).get(attacker.way, 'cross-site')
    if (stranger.status === 303) expect(ticketIn(stranger.headers.get('location'))).toBeNull()
    else expectPlainRefusal(stranger, 'a stranger')
    const local = await addSignedIn(service)
    const { pathname, search } = new URL(attacker.way)
    const byBearer = await service.client('GET', pathname + search, { bearer: local.bearer })
    expect(ticketIn(byBearer.headers.get('location'))).toBeNull()
  })

  it('lead to the sign-in page without a sign-in, and never redirect in a circle', async () => {
    for (const query of ['', '?flow=x', `?flow=${'x'.repeat(3000)}`, '?flow=', '?flow=%00']) {
      const answer = await new TestBrowser(service).get(`${provider.loginUrl}/return${query}`)
      if (answer.status === 303) {
        const location = answer.headers.get('location') ?? ''
        expect(location.startsWith(`${product}/sign-in`)).toBe(true)
        expect(location).not.toContain('/api/2/auth/saml')
      } else expectPlainRefusal(answer, query)
    }
  })
})

describe('signing out', () => {
  it('redirects to the provider or to the sign-in page, for any query', async () => {
    for (const query of [
      '?return_to=https://evil.example/',
      '?RelayState=https://evil.example/',
      '?slo_url=x',
    ]) {
      const { browser } = await signInByConnection(service, provider)
      const answer = await browser.get(provider.logoutUrl + query, 'same-origin')
      expect(answer.status).toBe(400)
    }
    const { browser } = await signInByConnection(service, provider)
    const answer = await browser.get(provider.logoutUrl, 'same-origin')
    expect(originOf(answer.headers.get('location') ?? '')).toBe(new URL(provider.idp.sloUrl).origin)
  })
})
