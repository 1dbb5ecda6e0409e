import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findFreePortPair } from '../../local/ports.ts'
import { launchChromium } from '../support/chromium.ts'
import { type Apache, apacheAddresses, startApache } from './apache.ts'
import { type LocalLatchkey, type LocalUser, startLatchkey } from './latchkey.ts'

/* Apache protects pages with `mod_auth_openidc`. Users sign in at Latchkey in local mode, in a real browser. */

let latchkey: LocalLatchkey
let apache: Apache
let browser: Browser
let context: BrowserContext
let page: Page
let user: LocalUser
beforeAll(async () => {
  latchkey = await startLatchkey()
  const port = await findFreePortPair()
  const { redirectUri, backchannelLogoutUri, signedOutUrl } = apacheAddresses(port)
  const client = await latchkey.registerClient({
    name: 'Apache',
    type: 'confidential',
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [signedOutUrl],
    scopes: ['openid', 'profile', 'email'],
    backchannel_logout_uri: backchannelLogoutUri,
  })
  apache = await startApache({
    port,
    issuer: latchkey.url,
    clientId: client.client_id,
    clientSecret: client.client_secret ?? '',
  })
  browser = await launchChromium()
})
beforeEach(async () => {
  user = await latchkey.addUser()
  context = await browser.newContext()
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
})
afterAll(async () => {
  await browser?.close()
  await apache?.close()
  await latchkey?.close()
})

const protectedUrl = () => `${apache.url}/protected/`
const signIn = async () => {
  await page.goto(protectedUrl())
  await page.getByLabel('Username or email').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(protectedUrl())
}
const read = (id: string) => page.locator(`#${id}`).textContent()
/** Whether the server still knows the user. Without a session, it redirects to Latchkey. */
const isKnown = async () => {
  const response = await context.request.get(protectedUrl(), { maxRedirects: 0 })
  return response.status() === 200
}

describe('Apache with mod_auth_openidc', () => {
  it('learns who signed in', async () => {
    await signIn()
    expect([await read('user'), await read('sub'), await read('issuer')]).toEqual([
      expect.stringContaining(user.username),
      String(user.id),
      latchkey.url,
    ])
    expect(await read('email')).toBe(`${user.username}@example.com`)
    expect(await isKnown()).toBe(true)
  })

  it('signs users out at Latchkey, and leads back', async () => {
    await signIn()
    const { redirectUri, signedOutUrl } = apacheAddresses(Number(new URL(apache.url).port))
    await page.goto(`${redirectUri}?${new URLSearchParams({ logout: signedOutUrl })}`)
    await page.waitForURL((url) => url.href.startsWith(signedOutUrl))
    expect(await isKnown()).toBe(false)
    const me = await context.request.get(`${latchkey.url}/api/2/users/me`)
    expect(me.status()).toBe(401)
  })

  it('learns by the back channel that an administrator ended the sessions', async () => {
    await signIn()
    expect(await isKnown()).toBe(true)
    await latchkey.endSessions(user)
    await expect.poll(isKnown).toBe(false)
  })

  it('lets no one in by a code of another client, or by an answer to another request', async () => {
    const other = await latchkey.registerClient({ name: 'Other', redirect_uris: ['https://other.example/'] })
    const send = (url: string) => context.request.get(url, { maxRedirects: 0 })
    const follow = async (url: string) => new URL((await send(url)).headers()['location'] ?? '', url)
    const login = { username: user.username, password: user.password }
    const headers = { origin: latchkey.url }
    expect(
      (await context.request.post(`${latchkey.url}/api/2/auth/login`, { headers, data: login })).status(),
    ).toBe(200)
    const start = async () => follow((await follow(protectedUrl())).href)
    const stolen = await follow(
      `${latchkey.url}/oauth2/authorize?${new URLSearchParams({
        ...{ response_type: 'code', scope: 'openid', client_id: other.client_id },
        ...{ redirect_uri: 'https://other.example/', state: 'x' },
        ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      })}`,
    )
    const code = stolen.searchParams.get('code') ?? ''
    expect(code).not.toBe('')
    for (const [name, value] of [
      ['code', code],
      ['state', 'x'],
    ] as const) {
      const answer = await start()
      answer.searchParams.set(name, value)
      await send(answer.href)
      expect(await isKnown()).toBe(false)
    }
    await send((await start()).href)
    expect(await isKnown()).toBe(true)
  })

  it('learns by the back channel that the user signed out in Latchkey', async () => {
    await signIn()
    const origin = latchkey.url
    const answer = await context.request.post(`${latchkey.url}/api/2/auth/logout`, { headers: { origin } })
    expect(answer.status()).toBe(204)
    await expect.poll(isKnown).toBe(false)
  })
})
