import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccount, signInBrowser } from '../support/account-pages.ts'
import { launchChromium } from '../support/chromium.ts'
import { addSharer, shareLink } from '../support/mailed-links.ts'
import { openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startService()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const newAddress = () => `ada-${randomUUID()}@example.com`
/** Pages request neither scripts nor data of others while they are shown for the first time. */
const countCalls = (page: Awaited<ReturnType<typeof openPage>>['page']) => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls.push(request.url())
  })
  return calls
}

it('leads to the sign-in page without a session', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${service.url}/account`)
  expect(page.url()).toBe(`${service.url}/?return_to=%2Faccount`)
})

it('shows the profile without a request to the API', async () => {
  const visit = await openPage(browser)
  await signInBrowser(service, visit, await addPerson(service, { fullName: 'Ada Lovelace' }))
  const calls = countCalls(visit.page)
  await visit.page.goto(`${service.url}/account`)
  expect(await visit.heading()).toBe('Profile')
  expect(await visit.page.getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  expect(calls).toEqual([])
})

describe('another session', () => {
  it('leads to the sign-in page and back after the session has ended', async () => {
    const { page, press, fill, person } = await openAccount(service, browser, 'profile')
    await page.request.post(`${service.url}/api/2/auth/logout`, { headers: { origin: service.url } })
    await fill({ 'Full name': 'Countess' })
    await press('Save')
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.searchParams.get('return_to') === '/account#/profile')
    await fill({ 'Username or email': person.user.username, Password: person.password })
    await press('Sign in')
    await page.waitForURL(`${service.url}/account#/profile`)
    expect(await page.getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  })

  it('shows guests of access links that there is no account', async () => {
    const sharer = await addSharer(service)
    const link = await shareLink(service, sharer, { email: newAddress() })
    const visit = await openPage(browser, { locale: 'ja-JP' })
    await visit.page.request.post(`${service.url}/api/2/auth/access-tokens/redeem`, {
      data: { token: link.token },
    })
    await visit.page.goto(`${service.url}/account#/api-tokens`)
    expect(await visit.heading()).toBe('共有リンクで開いています')
    expect(await visit.page.locator('#app').getAttribute('data-page')).not.toContain('effective_permissions')
    await visit.press('サインアウト')
    await visit.page.waitForURL(`${service.url}/`)
  })

  it('shows on every page whom an administrator impersonates, and offers nothing that is refused', async () => {
    const admin = await addPerson(service, { permissions: ['system:admin-access'], fullName: 'Grace' })
    const ada = await addPerson(service, { fullName: 'Ada' })
    const visit = await openAccount(service, browser, 'profile', { person: admin })
    expect(await visit.page.getByRole('link', { name: 'Administration' }).getAttribute('href')).toBe('/admin')
    await visit.page.request.post(`${service.url}/api/2/auth/impersonation`, {
      data: { user: ada.user.id },
      headers: { origin: service.url },
    })
    await visit.page.reload()
    const banner = visit.page.getByRole('complementary', { name: 'Acting as another user' })
    await banner.getByText('Grace, you act as Ada.').waitFor()
    const links = visit.page.getByRole('navigation').getByRole('link')
    expect(await links.allInnerTexts()).toEqual(['Profile', 'Devices and sessions', 'API tokens'])
    expect(await visit.page.getByLabel('New email address').count()).toBe(0)
    await visit.page.getByRole('link', { name: 'API tokens' }).click()
    await visit.page.getByText('You have no API tokens.').waitFor()
    expect(await visit.page.getByRole('button', { name: 'Create a token' }).count()).toBe(0)
    await visit.press('Stop')
    await banner.waitFor({ state: 'detached' })
    await visit.page.getByText('Grace', { exact: true }).waitFor()
  })

  it('only sets up a second factor if the policy requires one', async () => {
    await storeSignInPolicy(service, {
      secondFactor: { forEverybody: true, forPermissions: [], forGroups: [], graceDays: 0 },
    })
    const person = await addPerson(service)
    const visit = await openPage(browser)
    const { page, heading } = visit
    await signInBrowser(service, visit, person, { second_factor_setup: true })
    await page.goto(`${service.url}/account#/profile`)
    await page.getByRole('navigation').waitFor()
    await storeSignInPolicy(service, {})
    expect(await heading()).toBe('Two-step verification')
    await page.getByText('Your organization requires a second proof besides your password.').waitFor()
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Two-step verification',
      'Passkeys',
    ])
  })
})

it('shows nothing of another user, and names as text', async () => {
  const hostile = `"><img src=x onerror="document.title='owned'"></script>`
  const other = await addPerson(service, { fullName: 'Secret Person', email: newAddress() })
  const { page, person } = await openAccount(service, browser, 'profile', {
    fields: { fullName: hostile + 'x'.repeat(255 - hostile.length), email: newAddress() },
  })
  const html = await (await page.request.get(`${service.url}/account?id=${other.user.id}`)).text()
  expect(html).not.toContain('Secret Person')
  expect(html).not.toContain('<img')
  expect(await page.getByLabel('Full name').inputValue()).toContain(hostile)
  expect([await page.title(), await page.locator('#app img').count()]).toEqual(['Profile – Latchkey', 0])
  expect(person.user.fullName).toContain(hostile)
})
