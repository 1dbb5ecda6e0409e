import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

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

const signIn = async ({ page }: BrowserPage) => {
  const { user, password } = await addPerson(service, { fullName: 'Ada Lovelace' })
  await page.request.post(`${service.url}/api/2/auth/login`, { data: { username: user.username, password } })
}

it('leads to the sign-in page without a session', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${service.url}/account`)
  expect(page.url()).toBe(`${service.url}/?return_to=%2Faccount`)
})

it('shows the account in the language of the browser, and in the one that the person chooses', async () => {
  const visit = await openPage(browser, { locale: 'de-AT' })
  await signIn(visit)
  await visit.page.goto(`${service.url}/account`)
  expect(await visit.heading()).toBe('Ihr Konto')
  await visit.page.getByText('Sie sind als Ada Lovelace angemeldet.').waitFor()
  await visit.page.getByLabel('Sprache').selectOption('Français')
  await visit.page.getByText('Vous êtes connecté en tant que Ada Lovelace.').waitFor()
  expect([await visit.page.title(), new URL(visit.page.url()).search]).toEqual([
    'Votre compte – Latchkey',
    '',
  ])
  await visit.press('Se déconnecter')
  await visit.page.waitForURL(`${service.url}/`)
})
