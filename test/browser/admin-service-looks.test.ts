import { expect, it } from 'vitest'
import { ageProofs } from '../support/account-pages.ts'
import { openConsole } from '../support/console.ts'
import { makePng } from '../support/images.ts'
import { walkThrough } from '../support/keyboard.ts'
import { checkLooks, hide } from '../support/looks.ts'
import { signIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

/** A time zone where it is between 9 and 10 p.m. now, because a time with more digits makes its column wider. */
const findTimeZone = (): string => {
  const offset = 21 - new Date().getUTCHours()
  const hours = offset > 14 ? offset - 24 : offset
  // These names count to the west.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

const service = await useService({
  ALLOWED_ORIGINS: 'https://cinema.example',
  LINK_URL: 'Cinema=https://cinema.example/shared/{id}',
})
const browser = await shareBrowser()
const visit = await openConsole(service, browser, {
  username: 'root',
  browserOptions: { locale: 'en', timezoneId: findTimeZone() },
})

const send = async (method: string, path: string, body: object): Promise<void> => {
  const answer = await service.client(method, path, { bearer: await signIn(service, visit.person), body })
  expect(answer.status, answer.text).toBeLessThan(300)
}

const look = async (name: string, varying: readonly string[] = []) => {
  const { page } = visit
  await expect.poll(() => page.locator('.loading').count()).toBe(0)
  await hide(page, '.toasts')
  const mask = varying.map((selector) => page.locator(selector))
  await checkLooks(page, `console-${name}`, { mask })
}

const canBeWalkedThrough = async () => {
  expect((await walkThrough(visit.page)).length).toBeGreaterThan(12)
}

it('shows the audit log and the details of an event as in the references', async () => {
  const { page, open } = visit
  const body = { username: 'ada', password: 'wrong' }
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  await service.client('POST', '/api/2/auth/login', { body, headers })
  await send('POST', '/api/2/groups', { name: 'Editors', permissions: ['media:access'] })
  await open('/audit-events')
  await look('audit-log', ['td[data-label="When"]'])
  await canBeWalkedThrough()
  await page.getByRole('table').getByRole('button', { name: 'A sign-in as ada was refused.' }).click()
  await page.getByRole('dialog').waitFor()
  // A mask would cover the dialog.
  await hide(page, 'td[data-label="When"]')
  await look('audit-event', ['dialog .facts > div:nth-child(2) dd', 'dialog .facts > div:last-child dd'])
  await page.keyboard.press('Escape')
})

it('shows APIs as in the references', async () => {
  const { page, open, fill, press } = visit
  await open('/apis/new')
  await fill({ Name: 'Films', Audience: 'https://films.example/api' })
  for (const [name, text] of [
    ['films:view', 'See films'],
    ['films:edit', 'Change films'],
  ] as const) {
    await press('Add a permission')
    await page.getByLabel('Permission', { exact: true }).last().fill(name)
    await page.getByLabel('What it allows').last().fill(text)
  }
  await press('Add a scope')
  await page.getByLabel('Scope', { exact: true }).fill('films.read')
  await page.getByLabel('What it allows').last().fill('Read films for you')
  await page.getByRole('group', { name: 'Permissions of this scope' }).getByLabel('films:view').check()
  await press('Create API')
  await page.getByRole('heading', { level: 1, name: 'Films' }).waitFor()
  await look('api', ['.panel:first-of-type dd code'])
  await canBeWalkedThrough()
  await open('/apis')
  await look('apis')
})

it('shows apps and their secrets as in the references', async () => {
  const { page, open, fill, press } = visit
  await open('/apps')
  await look('apps-empty')
  await open('/apps/new')
  await fill({ Name: 'Shop' })
  await page.getByLabel('Addresses after sign-in').fill('https://shop.example/callback')
  await look('app-new')
  await press('Create app')
  await page.getByRole('dialog').waitFor()
  await look('app-secret', ['dialog code'])
  await press('I have stored it')
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  await look('app', ['dd code', 'pre', '.items li > div'])
  await canBeWalkedThrough()
  await visit.openTab('Access')
  await look('app-access')
  await open('/apps')
  await look('apps', ['td code'])
})

it('shows the rules for passwords and sign-in as in the references', async () => {
  const { page, open, fill, press, person } = visit
  await open('/policies')
  await fill({ 'Minimum length in characters': '12' })
  await press('Add characters')
  await page.getByLabel('Name, such as').fill('a digit')
  await fill({ 'Your own example': 'nine moons over a violet tractor' })
  await look('password-rules')
  await canBeWalkedThrough()
  await press('Discard changes')
  await open('/policies/account-deletion')
  await look('account-deletion')
  await open('/policies/second-factor')
  await look('sign-in-rules')
  await ageProofs(service, person)
  await page.getByLabel('All users need a second factor').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await look('sign-in-rules-identity')
  await page.keyboard.press('Escape')
  await press('Discard changes')
})

it('shows the health of the service as in the references', async () => {
  const { page, open } = visit
  await open('/health')
  await page.locator('.items .note').first().waitFor()
  // A mask is as wide as the number.
  await page.evaluate(
    "for (const note of document.querySelectorAll('.items .note')) note.textContent = '3 ms'",
  )
  await look('health')
})

it('shows the branding with its preview as in the references', async () => {
  const { page, open, fill } = visit
  /** The frames load again after each pause in typing. */
  const waitForPreview = async (name: string): Promise<void> => {
    for (const mode of ['Light', 'Dark'])
      await page
        .locator('figure', { hasText: mode })
        .frameLocator('iframe')
        .getByText(`Sign in to ${name}`)
        .waitFor()
  }
  await open('/branding')
  await waitForPreview('Latchkey')
  await look('branding')
  await canBeWalkedThrough()
  await page.getByLabel('Accent color', { exact: true }).fill('#facc15')
  await look('branding-contrast')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  const data = makePng(160, 40).toString('base64')
  await send('PUT', '/api/2/branding/products/Cinema/logo', { content_type: 'image/png', data })
  await open('/branding/Cinema')
  await fill({ 'Product name': 'Cinema', 'Address for help': 'https://cinema.example/help' })
  await waitForPreview('Cinema')
  await look('branding-product')
})
