import { describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { agentRedirectUri, allowAgents, startDocumentHost } from '../support/document-host.ts'
import { walkThrough } from '../support/keyboard.ts'
import { findOverflow, inEachLook } from '../support/looks.ts'
import { addNativeApp, buildAuthorization, createPkce } from '../support/oidc.ts'
import { openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const host = closeAfterTests(await startDocumentHost())
const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
await allowAgents(service, host.host)
const ada = await addPerson(service, { username: 'ada' })
const browser = await shareBrowser()

const start = (scope = 'openid profile email offline_access'): string => {
  const clientId = host.describe('/agents/client.json')
  const client = { clientId, redirect_uris: [agentRedirectUri], type: 'public' } as const
  const query = buildAuthorization({ client, secret: '' }, createPkce().challenge, { scope })
  return `${service.url}/oauth2/authorize?${query}`
}

describe('a person who comes from an agent', () => {
  it('signs in, reads who asks for what, and agrees', async () => {
    const { page, fill, press, heading } = await openPage(browser)
    const arrived = page.waitForRequest((request) => request.url().startsWith(agentRedirectUri))
    await page.goto(start())
    await fill({ 'Username or email': ada.user.username, Password: ada.password })
    await press('Sign in')
    await expect.poll(heading).toBe(`Give ${host.host} access?`)
    await page.getByText('your email address').waitFor()
    await page.getByText(`Address of the app: ${host.url}/agents/client.json`).waitFor()
    await page.getByText('Then you go on to 127.0.0.1:49200.').waitFor()
    await press('Continue')
    const { searchParams } = new URL((await arrived).url())
    expect([searchParams.has('code'), searchParams.get('state')]).toEqual([true, 'the state'])
  })

  it('who is signed in is asked at once, and refuses', async () => {
    const { page, press, heading } = await openPage(browser)
    await page.request.post(`${service.url}/api/2/auth/login`, {
      data: { username: ada.user.username, password: ada.password },
    })
    const arrived = page.waitForRequest((request) => request.url().startsWith(agentRedirectUri))
    await page.goto(start())
    await expect.poll(heading).toBe(`Give ${host.host} access?`)
    await press('Cancel')
    expect(new URL((await arrived).url()).searchParams.get('error')).toBe('access_denied')
  })
})

it('shows a wider request that a page of an agent puts behind the open page', {
  timeout: 60_000,
}, async () => {
  const { page, press, heading } = await openPage(browser)
  await page.request.post(`${service.url}/api/2/auth/login`, {
    data: { username: ada.user.username, password: ada.password },
  })
  await page.goto(start('openid'))
  await expect.poll(heading).toBe(`Give ${host.host} access?`)
  // Another tab of the agent starts wider requests, and never waits for their pages.
  const attacker = await page.context().newPage()
  const { pathname } = new URL(page.url())
  const wider = start('openid email offline_access')
  await expect
    .poll(
      async () => {
        const answer = await attacker.goto(wider)
        return new URL(answer?.url() ?? '').pathname
      },
      { timeout: 45_000, interval: 0 },
    )
    .toBe(pathname)
  let arrivals = 0
  page.on('request', (request) => {
    if (request.url().startsWith(agentRedirectUri)) arrivals += 1
  })
  await press('Continue')
  await page.getByRole('alert').getByText('This request has changed since you opened the page.').waitFor()
  await page.getByText('your email address').waitFor()
  await page.getByText('access until you end it on your account page').waitFor()
  expect(arrivals).toBe(0)
  expect(await findViolations(page)).toEqual([])
  const arrived = page.waitForRequest((request) => request.url().startsWith(agentRedirectUri))
  await press('Continue')
  expect(new URL((await arrived).url()).searchParams.has('code')).toBe(true)
})

describe('a person who comes from an app on their machine', () => {
  it('signs in, and agrees on a page with the name and the address of the app', async () => {
    const app = await addNativeApp(service, { name: 'Cutting Room' })
    const redirect_uri = 'http://127.0.0.1:49201/callback'
    const query = buildAuthorization(app, createPkce().challenge, { redirect_uri })
    const { page, fill, press, heading } = await openPage(browser)
    const arrived = page.waitForRequest((request) => request.url().startsWith(redirect_uri))
    await page.goto(`${service.url}/oauth2/authorize?${query}`)
    await expect.poll(heading).toBe('Sign in to Cutting Room')
    await fill({ 'Username or email': ada.user.username, Password: ada.password })
    await press('Sign in')
    await expect.poll(heading).toBe('Sign in to Cutting Room?')
    await page.getByText('Then you go on to 127.0.0.1:49201.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await press('Continue')
    expect(new URL((await arrived).url()).searchParams.has('code')).toBe(true)
  })
})

it.each(['de', 'ar'])('the page in %s is accessible and adapts', async (locale) => {
  const { page } = await openPage(browser, { locale })
  await page.request.post(`${service.url}/api/2/auth/login`, {
    data: { username: ada.user.username, password: ada.password },
  })
  await page.goto(start())
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe(locale)
  await inEachLook(page, async () => {
    expect(await findOverflow(page)).toEqual([])
    expect(await findViolations(page)).toEqual([])
  })
  if (process.env['CONSENT_PICTURES'])
    await page.screenshot({ path: `${process.env['CONSENT_PICTURES']}/${locale}.png` })
  expect((await walkThrough(page)).length).toBeGreaterThan(2)
})
