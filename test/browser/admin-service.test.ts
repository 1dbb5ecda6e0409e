import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { makePng } from '../support/images.ts'
import { findOverflow } from '../support/looks.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let visit: ConsoleVisit
let page: Page
beforeAll(async () => {
  service = await startService()
  browser = await launchChromium()
})
beforeEach(async () => {
  visit = await openConsole(service, browser)
  page = visit.page
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const read = async (path: string) => (await page.request.get(service.url + path)).json()
const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

it('edits the branding with a preview, refuses unreadable colors, and returns to the defaults', async () => {
  await visit.open('/branding')
  const name = '<i>Acme</i>'
  await visit.fill({ 'Product name': name })
  await page.getByText(`Sign in to ${name}`).first().waitFor()
  const accent = page.getByLabel('Accent color', { exact: true })
  await accent.fill('#ffff00')
  await page.getByText('Contrast 1.07:1, at least 3:1 is needed.').waitFor()
  await page.getByText('Choose a darker color.').waitFor()
  await visit.press('Save')
  await accent.fill('#b45309')
  await expect
    .poll(() => page.evaluate("getComputedStyle(document.querySelector('.sample-button')).backgroundColor"))
    .toBe('rgb(180, 83, 9)')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
  await visit.seeToast('Saved.')
  expect(await read('/api/2/branding')).toMatchObject({ product_name: name, accent_color: '#b45309' })
  const file = page.getByLabel('Choose an image')
  await file.setInputFiles({
    name: 'a.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg onload="alert(1)"/>'),
  })
  await page.getByText('This is not a PNG, JPEG, WebP or GIF image.').waitFor()
  await file.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.alloc(128 * 1024 + 1) })
  await page.getByText('The image is too large').waitFor()
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: makePng() })
  await visit.seeToast('The logo was saved.')
  await visit.press('Remove logo')
  await visit.seeToast('The logo was removed.')
  await visit.press('Reset to the defaults')
  await confirm('Reset to the defaults')
  await visit.seeToast('The defaults are back.')
  expect(await read('/api/2/branding')).toMatchObject({ product_name: 'Latchkey', accent_color: '#1d4ed8' })
})

it('registers an app, shows its secret once, changes it and deletes it', async () => {
  await visit.open('/apps')
  await page.getByText('There are no apps yet.').waitFor()
  await page.getByRole('link', { name: 'New app' }).click()
  await visit.fill({ Name: '<b>Shop</b>' })
  await page.getByLabel('Addresses after sign-in').fill('https://shop.example/callback')
  await page.getByRole('button', { name: 'Create app' }).dblclick()
  const dialog = page.getByRole('dialog')
  const secret = await dialog.locator('code').innerText()
  expect(secret.length).toBeGreaterThan(20)
  await confirm('Close')
  await page.getByRole('heading', { level: 1, name: '<b>Shop</b>' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  const [app] = await read('/api/2/oidc-clients')
  await page.getByText(app.client_id, { exact: true }).waitFor()
  await page.getByLabel('Addresses after sign-out').fill('https://shop.example/bye')
  await visit.fill({ 'Access token': '1' })
  await visit.press('Save')
  await visit.problem.getByText('Check the marked fields.').waitFor()
  await visit.fill({ 'Access token': '600' })
  await visit.press('Save')
  await visit.seeToast('Saved.')
  expect(await read(`/api/2/oidc-clients/${app.id}`)).toMatchObject({
    redirect_uris: ['https://shop.example/callback'],
    post_logout_redirect_uris: ['https://shop.example/bye'],
    access_token_lifetime: 600,
  })
  expect(await findViolations(page)).toEqual([])
  await visit.press('Renew the secret')
  await confirm('Renew the secret')
  await page.getByText('Copy it now.').waitFor()
  expect(await dialog.locator('code').innerText()).not.toBe(secret)
  await confirm('Close')
  await visit.press('Delete this app')
  await confirm('Delete this app')
  await visit.seeToast('Deleted <b>Shop</b>.')
  expect(await read('/api/2/oidc-clients')).toEqual([])
})

it('edits the rules for passwords with examples that follow, and those for sign-in', async () => {
  await visit.open('/policies')
  const resultOf = (password: string) => page.getByRole('listitem').filter({ hasText: password }).innerText()
  await visit.fill({ 'Least number of characters': '10' })
  expect(await resultOf('Summer2026')).toContain('Meets the rules')
  await visit.press('Add characters')
  await page.getByLabel('Name, such as').fill('a sign')
  await page.getByLabel('Characters, such as').fill('[#!]')
  expect(await resultOf('Summer2026')).toContain('Misses:')
  await visit.fill({ 'An example of your own': 'Summer2026!' })
  expect(await resultOf('Summer2026!')).toContain('Meets the rules')
  expect(await findViolations(page)).toEqual([])
  await visit.press('Save')
  await visit.seeToast('Saved.')
  expect(await read('/api/2/system/password-policy')).toMatchObject({
    min_length: 10,
    rules: [{ group_name: 'a sign', group_regex: '[#!]', min_count: 1 }],
  })
  await page.getByRole('link', { name: 'Second factor' }).click()
  await page.getByLabel('Days to set it up').fill('14')
  await page.getByLabel('All users need a second factor').check()
  await visit.press('Save')
  await visit.seeToast('Saved.')
  // The toast may still be that of the first form.
  await expect
    .poll(() => read('/api/2/system/sign-in-policy'))
    .toMatchObject({
      second_factor_for_everybody: true,
      second_factor_grace_days: 14,
    })
  expect(await findViolations(page)).toEqual([])
})

it('says in words how the service works', async () => {
  await visit.open('/health')
  await visit.state.getByText('Everything works.').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Database' }).getByText('Works').waitFor()
  expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/docs')
  expect(await findViolations(page)).toEqual([])
  await page.route('**/api/2/health?deep=true', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: JSON.stringify({
        status: 'failing',
        version: '1',
        checks: [{ name: 'mail', status: 'failing', detail: '<u>limit</u>', duration_ms: 1 }],
      }),
    }),
  )
  await visit.press('Check again')
  await visit.problem.getByText('Something does not work.').waitFor()
  await page.getByText('<u>limit</u>').waitFor()
})

it.each(['/branding', '/apps/new', '/policies', '/policies/second-factor', '/health'])(
  'fits %s on narrow, dark screens in another language, and hides it from users without rights',
  async (place) => {
    const { page: small, open } = await openConsole(service, browser, {
      browserOptions: { locale: 'nb-NO', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
    })
    await open(place)
    await small.getByText('Laster').waitFor({ state: 'detached' })
    expect(await findViolations(small)).toEqual([])
    expect(await findOverflow(small)).toEqual([])
    const other = await openConsole(service, browser, { permissions: ['users:manage'] })
    await other.open(place)
    expect(await other.heading()).toBe('You cannot see this page')
  },
)
