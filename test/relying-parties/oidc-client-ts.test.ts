import { createServer, type Server } from 'node:http'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { type LoopbackServer, listenOnLoopback } from '../support/listen-on-loopback.ts'
import { type LocalLatchkey, type LocalUser, startLatchkey } from './latchkey.ts'

/* A page without a server of its own signs users in with `oidc-client-ts`, in a real browser. */

const party = 'test/relying-parties/parties/page.ts'

let latchkey: LocalLatchkey
let product: LoopbackServer
let browser: Browser
let page: Page
let user: LocalUser
let clientId: string
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [party],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  const [{ text: script } = { text: '' }] = outputFiles
  let settings = ''
  const server: Server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(
      isScript
        ? script
        : `<!doctype html><title>Product</title><body data-settings="${settings}"><script type="module" src="/page.js"></script>`,
    )
  })
  product = await listenOnLoopback(server)
  latchkey = await startLatchkey()
  const client = await latchkey.registerClient({
    name: 'A page',
    type: 'public',
    redirect_uris: [`${product.url}/callback`],
    post_logout_redirect_uris: [`${product.url}/signed-out`],
    scopes: ['openid', 'profile', 'organization', 'offline_access'],
  })
  clientId = client.client_id
  settings = `issuer=${encodeURIComponent(latchkey.url)}&amp;clientId=${clientId}`
  user = await latchkey.addUser()
  browser = await launchChromium()
  page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(30_000)
})
afterAll(async () => {
  await browser?.close()
  await latchkey?.close()
  await product?.close()
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const waitFor = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()

it('signs a user in, renews the tokens without the user, and signs out', async () => {
  await page.goto(product.url)
  await waitFor('signed out')
  await press('Sign in')
  await page.getByLabel('Username or email').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await press('Sign in')
  await press('Continue')
  await waitFor(`signed in as ${user.username}`)
  expect(page.url()).toBe(`${product.url}/`)
  await press('Renew')
  await waitFor('renewed')
  await press('Sign out')
  await page.waitForURL((url) => url.href.startsWith(`${product.url}/signed-out`))
  await waitFor('signed out')
  const me = await page.request.get(`${latchkey.url}/api/2/users/me`)
  expect(me.status()).toBe(401)
})

it('cannot renew the tokens of a session that ended', async () => {
  await page.goto(product.url)
  await press('Sign in')
  await page.getByLabel('Username or email').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await press('Sign in')
  await press('Continue')
  await waitFor(`signed in as ${user.username}`)
  await latchkey.endSessions(user)
  await press('Renew')
  await page.getByRole('status').getByText('ErrorResponse').waitFor()
})

it('loses its tokens when a thief uses an older one of them', async () => {
  const refreshToken = () =>
    page.evaluate(() => {
      const [stored = '{}'] = Object.entries(sessionStorage).flatMap(([name, value]) =>
        name.startsWith('oidc.user:') ? [value] : [],
      )
      return String(JSON.parse(stored).refresh_token)
    })
  const renew = async (before: string): Promise<string> => {
    await press('Renew')
    await expect.poll(refreshToken).not.toBe(before)
    return refreshToken()
  }
  await page.goto(product.url)
  await press('Sign in')
  await page.getByLabel('Username or email').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await press('Sign in')
  await press('Continue')
  await waitFor(`signed in as ${user.username}`)
  const stolen = await refreshToken()
  const last = await renew(await renew(stolen))
  const steal = async (token: string) => {
    const form = { grant_type: 'refresh_token', refresh_token: token, client_id: clientId }
    const answer = await fetch(`${latchkey.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    return ((await answer.json()) as { error?: string }).error
  }
  expect([await steal(stolen), await steal(last)]).toEqual(['invalid_grant', 'invalid_grant'])
  await press('Renew')
  await page.getByRole('status').getByText('ErrorResponse').waitFor()
})

it('signs a user in for an organization, and keeps it when it renews the tokens', async () => {
  await latchkey.addOrganization('acme', user)
  await latchkey.endSessions(user)
  await page.goto(product.url)
  await press('Sign in for Acme')
  await page.getByLabel('Username or email').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await press('Sign in')
  await press('Continue')
  await waitFor(`signed in as ${user.username}`)
  for (const renews of [false, true]) {
    if (renews) {
      await press('Renew')
      await waitFor('renewed')
    }
    await press('Show the organization')
    await expect
      .poll(() => page.getByRole('status').getByText('"acme"', { exact: true }).count())
      .toBe(renews ? 2 : 1)
  }
})
