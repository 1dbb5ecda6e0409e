import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAccount } from '../support/account-pages.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { openConsole } from '../support/console.ts'
import { launchFirefox } from '../support/firefox.ts'
import { openPage } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startService()
  browser = await launchFirefox()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

it('signs in with a code', async () => {
  const grace = await addSignedIn(service, { fullName: 'Grace' })
  const { recoveryCodes } = await enableSecondFactor(service, grace)
  const { page, fill, press, state } = await openPage(browser)
  await page.goto(service.url)
  await fill({ 'Username or email': grace.user.username, Password: grace.password })
  await press('Sign in')
  await press('Use a recovery code instead')
  await fill({ 'Recovery code': recoveryCodes[0] ?? '' })
  await press('Sign in')
  await state.getByText('as Grace').waitFor()
})

it('changes the full name on the account page', async () => {
  const { page, fill, press, state } = await openAccount(service, browser, 'profile', {
    locale: 'en-US',
  })
  await fill({ 'Full name': 'Ada King' })
  await press('Save')
  await state.getByText('Saved.').waitFor()
  await page.reload()
  expect(await page.getByLabel('Full name').inputValue()).toBe('Ada King')
})

it('creates a user in the console', async () => {
  const visit = await openConsole(service, browser)
  await visit.open('/users/new')
  const username = `new-${randomUUID()}`
  await visit.fill({ Username: username })
  await visit.press('Create')
  await visit.seeToast(`Created ${username}.`)
})
