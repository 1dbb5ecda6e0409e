import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ageProofs, openAccount } from '../support/account-pages.ts'
import { launchChromium } from '../support/chromium.ts'
import { checkEnlarged } from '../support/enlarge.ts'
import { walkThrough } from '../support/keyboard.ts'
import { checkLooks } from '../support/looks.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startService({}, { hostname: 'localhost' })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const fields = { fullName: 'Ada Lovelace', username: 'ada', email: 'ada@example.com' }

it('looks as in the references, in every section', async () => {
  const visit = await openAccount(service, browser, 'profile', { fields })
  const { page, press } = visit
  const open = async (label: string) => {
    await page.getByRole('navigation').getByRole('link', { name: label }).click()
    await page.getByRole('heading', { level: 1, name: label }).waitFor()
    await page.getByText('Loading…').waitFor({ state: 'detached' })
  }
  const look = (name: string, mask: readonly string[] = []) =>
    checkLooks(page, `account-${name}`, { mask: mask.map((selector) => page.locator(selector)) })
  await look('profile')
  await open('Password')
  await look('password')
  await open('Two-step verification')
  await press('Set up')
  await look('two-step', ['.qr-code', '.secret'])
  await open('Passkeys')
  await look('passkeys')
  await open('Devices and sessions')
  await look('sessions', ['.item-text'])
  await open('API tokens')
  await press('Create a token')
  await look('api-tokens')
  await ageProofs(service, visit.person)
  await page.getByLabel('Name', { exact: true }).fill('Backup script')
  await page.getByLabel('See my profile').check()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await look('confirm-identity')
  await page.keyboard.press('Escape')
  await open('Connected accounts')
  await look('connections')
})

it('can be used by keyboard, with large text, and in Japanese', async () => {
  const visit = await openAccount(service, browser, 'profile', {
    locale: 'ja-JP',
    fields: { ...fields, username: 'ada2', email: 'ada2@example.com' },
  })
  await checkLooks(visit.page, 'account-profile-ja')
  await checkEnlarged(visit.page, 'account-profile-ja')
  const stops = await walkThrough(visit.page)
  expect(stops.length).toBeGreaterThan(12)
})
