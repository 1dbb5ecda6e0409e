import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../lib/client/create-client.ts'
import { launchChromium } from '../support/chromium.ts'
import { createCookieBrowser } from './cookie-browser.ts'
import { createGuestTicket, passwordOf, signInAtProduct } from './example-flows.ts'
import {
  type ExampleProduct,
  installExampleProduct,
  type RunningProduct,
  startExampleProduct,
} from './example-product.ts'

let product: ExampleProduct
let running: RunningProduct
beforeAll(async () => {
  product = await installExampleProduct(inject('tarballs'))
  running = await startExampleProduct(product)
})
afterAll(async () => {
  await running?.stop()
  product?.remove()
})

const addFilm = (title: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ title }),
})

describe('users of the example product', () => {
  it('are asked to sign in, and programs need a token', async () => {
    expect((await createCookieBrowser().open(running.url)).text).toContain('Sign in')
    const response = await fetch(`${running.url}/api/me`)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('sign in at Latchkey and are known to all routes', async () => {
    const ada = await signInAtProduct(running, 'ada')
    expect((await ada.open(running.url)).text).toContain('Hello ada')
    const me = await ada.send(`${running.url}/api/me`)
    expect(await me.json()).toMatchObject({ username: 'ada', permissions: ['films:edit'] })
    expect((await ada.send(`${running.url}/api/films`)).status).toBe(200)
    expect((await ada.send(`${running.url}/api/films`, addFilm('M'))).status).toBe(201)
  })

  it('need the permission of a route', async () => {
    const bob = await signInAtProduct(running, 'bob')
    const refused = await bob.send(`${running.url}/api/films`, addFilm('Bobs film'))
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"')
  })

  it('are signed out here and at Latchkey', async () => {
    const ada = await signInAtProduct(running, 'ada')
    expect((await ada.submit(`${running.url}/logout`)).url.href).toBe(`${running.url}/`)
    expect((await ada.send(`${running.url}/api/me`)).status).toBe(401)
    expect((await ada.open(`${running.url}/login`)).url.origin).toBe(running.latchkeyUrl)
  })

  it('are signed out here when their sessions at Latchkey end', async () => {
    const bob = await signInAtProduct(running, 'bob')
    const { id } = (await (await bob.send(`${running.url}/api/me`)).json()) as { id: number }
    const admin = createClient({ baseUrl: running.latchkeyUrl })
    await admin.signIn({ username: 'admin', password: passwordOf('admin') })
    await admin.sessions.endUserSessions(id)
    await expect
      .poll(async () => (await bob.send(`${running.url}/api/me`)).status, { timeout: 30_000 })
      .toBe(401)
  })
})

describe('companies that are customers of the example product', () => {
  it('have films, roles and API tokens of their own', async () => {
    const { url, latchkeyUrl } = running
    const admin = createClient({ baseUrl: latchkeyUrl })
    await admin.signIn({ username: 'admin', password: passwordOf('admin') })
    const before = await signInAtProduct(running, 'ada')
    expect((await before.open(`${url}/company`)).text).toContain('You are in no company')
    const idOf = async (username: 'ada' | 'bob') => {
      const browser = await signInAtProduct(running, username)
      return ((await (await browser.send(`${url}/api/me`)).json()) as { id: number }).id
    }
    const [adaId, bobId] = [await idOf('ada'), await idOf('bob')]
    const [acme, beta] = [
      await admin.organizations.createOrganization({ name: 'Acme', slug: 'acme' }),
      await admin.organizations.createOrganization({ name: 'Beta', slug: 'beta' }),
    ]
    await admin.organizations.createOrganizationMember(acme.id, { user: adaId, roles: ['owner'] })
    await admin.organizations.createOrganizationMember(acme.id, { user: bobId, roles: ['member'] })

    const ada = await signInAtProduct(running, 'ada')
    const page = await ada.submit(`${url}/company/films`, { title: '<b>Faust' })
    expect([page.url.href, page.text]).toEqual([`${url}/company`, expect.stringContaining('&lt;b&gt;Faust')])
    expect(page.text).toContain(`${latchkeyUrl}/organization#/${acme.id}/invitations`)

    const bob = await signInAtProduct(running, 'bob')
    const shown = (await bob.open(`${url}/company`)).text
    expect([shown.includes('Faust'), shown.includes('/invitations')]).toEqual([true, false])
    expect((await bob.submit(`${url}/company/films`, { title: 'Bobs film' })).status).toBe(403)

    const owner = createClient({ baseUrl: latchkeyUrl })
    await owner.signIn({ username: 'ada', password: passwordOf('ada') })
    const key = { name: 'nightly', permissions: ['org:members:view'] }
    const { token } = await owner.organizations.createOrganizationApiToken(acme.id, key)
    const ask = (bearer: string) =>
      fetch(`${url}/api/company/films`, { headers: { authorization: `Bearer ${bearer}` } })
    expect(await (await ask(token)).json()).toEqual(['<b>Faust'])
    for (const bearer of ['', `${token.slice(0, -1)}0x`, 'lkg_x'])
      expect((await ask(bearer)).status).toBe(401)

    // With a second company, the next sign-in asks for which one.
    await admin.organizations.createOrganizationMember(beta.id, { user: adaId, roles: ['member'] })
    expect((await ada.open(`${url}/login`)).url.origin).toBe(latchkeyUrl)
    for (const { id } of [acme, beta]) await admin.organizations.deleteOrganization(id)
    expect((await ask(token)).status).toBe(401)
    const after = await signInAtProduct(running, 'ada')
    expect((await after.open(`${url}/company`)).text).toContain('You are in no company')
  })
})

describe('attackers', () => {
  it('cannot sign others in with a code of their own', async () => {
    const attacker = createCookieBrowser()
    const { headers } = await attacker.send(`${running.url}/login`)
    const state = new URL(headers.get('location') ?? '').searchParams.get('state')
    const victim = createCookieBrowser()
    for (const query of [
      `code=stolen&state=${state}`,
      `code=stolen`,
      `error=access_denied&state=${state}`,
      '',
    ]) {
      const page = await victim.open(`${running.url}/callback?${query}`)
      expect(page.url.search).toMatch(/^\?problem=/)
    }
    await victim.send(`${running.url}/login`)
    const page = await victim.open(`${running.url}/callback?code=stolen&state=${state}`)
    expect(page.url.search).toBe('?problem=refused')
  })

  it('cannot send forms from other pages', async () => {
    const ada = await signInAtProduct(running, 'ada')
    for (const path of ['/logout', '/films/1/share']) {
      const headers = { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' }
      const sent = { method: 'POST', headers, body: new URLSearchParams() }
      expect((await ada.send(running.url + path, sent)).status).toBe(403)
    }
    expect((await ada.send(`${running.url}/api/me`)).status).toBe(200)
  })

  it('cannot end sessions with a logout token of their own', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = `${part({ alg: 'none', typ: 'logout+jwt' })}.${part({ sid: 'a session' })}.`
    for (const body of [new URLSearchParams({ logout_token: token }), new URLSearchParams()]) {
      const response = await fetch(`${running.url}/backchannel-logout`, { method: 'POST', body })
      expect(response.status).toBe(400)
    }
  })
})

describe('guests', () => {
  const share = async (film: number): Promise<string> => {
    const ada = await signInAtProduct(running, 'ada')
    const { text } = await ada.submit(`${running.url}/films/${film}/share`)
    return /href="(http[^"]+#token=[^"]+)"/.exec(text)?.[1] ?? ''
  }

  it('see only the film of their link, and may not use the API', async () => {
    const token = (await share(2)).split('#token=')[1] ?? ''
    const ticket = await createGuestTicket(running, token)
    const guest = createCookieBrowser()
    const page = await guest.open(`${running.url}/shared?ticket=${ticket}`)
    expect(page.url.href).toBe(`${running.url}/`)
    expect(page.text).toContain('Metropolis')
    expect(page.text).not.toContain('Nosferatu')
    expect((await guest.send(`${running.url}/api/films`)).status).toBe(401)
    const again = await createCookieBrowser().open(`${running.url}/shared?ticket=${ticket}`)
    expect(again.url.search).toBe('?problem=expired')
  })

  it('do not come in with the ticket of a user', async () => {
    const user = createClient({ baseUrl: running.latchkeyUrl })
    await user.signIn({ username: 'ada', password: passwordOf('ada') })
    const { ticket } = await user.tickets.createAuthTicket({ audience: running.url })
    const page = await createCookieBrowser().open(`${running.url}/shared?ticket=${ticket}`)
    expect(page.url.search).toBe('?problem=expired')
  })
})

describe('in a real browser', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launchChromium()
    page = await browser.newPage()
  })
  afterAll(() => browser.close())

  it('a user signs in, shares a film with a guest, and signs out', async () => {
    await page.goto(running.url)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username or email').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(passwordOf('ada'))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Hello ada').waitFor()
    await page.getByRole('button', { name: 'Share Nosferatu' }).click()
    const link = (await page.locator('#link').getAttribute('href')) ?? ''

    const guest = await (await browser.newContext()).newPage()
    await guest.goto(link)
    await guest.getByText('Nosferatu').waitFor()
    await guest.getByRole('button').first().click()
    await guest.getByText('Hello guest').waitFor()
    expect(new URL(guest.url()).href).toBe(`${running.url}/`)
    expect(await guest.getByRole('listitem').allInnerTexts()).toEqual(['Nosferatu'])

    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).origin).toBe(running.url)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username or email').waitFor()
  })
})
