import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { type BrowserPage, getFocused, openPage } from '../support/pages.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { awaitReportToken } from '../support/security-emails.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let ada: SignedInPerson
let visit: BrowserPage
beforeAll(async () => {
  service = await startService()
  browser = await launchChromium()
})
beforeEach(async () => {
  visit = await openPage(browser)
  ada = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const changePassword = async (): Promise<string> => {
  const body = { current_password: ada.password, password: 'the password of a thief' }
  await service.client('POST', '/api/2/users/me/password', { bearer: ada.bearer, body })
  return `${service.url}/secure#token=${await awaitReportToken(service, ada, 'Your password was changed')}`
}
const isSignedIn = async () =>
  (await service.client('GET', '/api/2/users/me', { bearer: ada.bearer })).status === 200

it('changes nothing until the button is pressed, then explains what was done', async () => {
  await visit.page.goto(await changePassword())
  await visit.page.getByText('Everyone is signed out of your account').waitFor()
  expect(visit.page.url()).toBe(`${service.url}/secure`)
  expect(await isSignedIn()).toBe(true)
  await visit.press('This wasn’t me')
  await visit.state.getByText('You get an email with a link to choose a new password.').waitFor()
  await visit.state.getByText('Your password no longer works.').waitFor()
  expect(await getFocused(visit.page)).toBe('Your account is secured')
  expect(await isSignedIn()).toBe(false)
  await visit.page.reload()
  await visit.state.getByText('Everyone was signed out').waitFor()
  expect(await visit.page.getByRole('button').count()).toBe(0)
})

it('explains what to do with a link that does not work', async () => {
  await visit.page.goto(`${service.url}/secure`)
  await visit.problem.getByText('This link is incomplete.').waitFor()
  await visit.page.goto(`${service.url}/secure?x=1#token=lkn_unknown`)
  await visit.press('This wasn’t me')
  await visit.problem.getByText('This link has expired or was already used.').waitFor()
  await visit.page.getByRole('link', { name: 'Go to the sign-in page' }).click()
  await visit.page.getByLabel('Username or email').waitFor()
})
