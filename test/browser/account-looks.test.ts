import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ageProofs, openAccount, signInBrowser } from '../support/account-pages.ts'
import { authenticatorOf } from '../support/authenticator.ts'
import { connectAccount } from '../support/connected-accounts.ts'
import { checkEnlarged } from '../support/enlarge.ts'
import { makeIdp } from '../support/idp.ts'
import { walkThrough } from '../support/keyboard.ts'
import { checkLooks } from '../support/looks.ts'
import { addSharer, shareLink } from '../support/mailed-links.ts'
import { checkInSight } from '../support/out-of-sight.ts'
import { openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { takesAll } from '../support/personas.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { hostname: 'localhost' })
const browser = await shareBrowser()

const readCode = async (page: Page) => {
  const key = await page.locator('.secret').innerText()
  return authenticatorOf(key.replaceAll(' ', '')).code()
}

const fields = { full_name: 'Ada Lovelace', username: 'ada', email: 'ada@example.com' }

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
  await page.getByLabel('New email address').fill('ada@new.example')
  await press('Continue')
  await page.getByText('Confirm the link').waitFor()
  await look('email-pending')
  await open('Password')
  await page.getByText('At least 12 characters').waitFor()
  await look('password')
  await open('Two-step verification')
  await press('Set up')
  await look('two-step', ['.qr-code', '.secret'])
  await page.getByLabel('Code from your authenticator app').fill(await readCode(page))
  await page.getByRole('button', { name: 'I have stored them' }).waitFor()
  await look('recovery-codes', ['.recovery-codes'])
  await press('I have stored them')
  await page.getByText('You have 10 recovery codes left.').waitFor()
  await look('two-step-on')
  await open('Passkeys')
  await look('passkeys')
  await open('Devices and sessions')
  await look('sessions', ['.note'])
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

it('looks as in the references, with a token and a connected account', async () => {
  const provider = await addProvider(service, await makeIdp(), { name: 'Example University' })
  const visit = await openAccount(service, browser, 'api-tokens', {
    fields: { ...fields, username: 'ada3', email: 'ada3@example.com' },
  })
  const { page, press } = visit
  await press('Create a token')
  await page.getByLabel('Name', { exact: true }).fill('Backup script')
  await page.getByLabel('See my profile').check()
  await press('Create')
  await page.getByRole('button', { name: 'I have stored it' }).waitFor()
  await page.getByText('May do: See my profile.').waitFor()
  await checkLooks(page, 'account-token-created', { mask: [page.locator('.secret, .note')] })
  await connectAccount(service, visit.person.user, { providerId: provider.id, manager: provider.admin })
  await page.getByRole('link', { name: 'Connected accounts' }).click()
  await press('Disconnect Example University')
  await page.getByRole('dialog').waitFor()
  await checkLooks(page, 'account-disconnect', { mask: [page.locator('.note')] })
})

it('looks as in the references, with limited sessions', async () => {
  const admin = await addPerson(service, { permissions: ['system:admin-access'], full_name: 'Grace Hopper' })
  const ada = await addPerson(service, { ...fields, username: 'ada4', email: 'ada4@example.com' })
  const impersonation = await openAccount(service, browser, 'profile', { person: admin })
  await impersonation.page.request.post(`${service.url}/api/2/auth/impersonation`, {
    data: { user: ada.user.id },
    headers: { origin: service.url },
  })
  await impersonation.page.reload()
  await impersonation.page.getByRole('button', { name: 'Stop' }).waitFor()
  await checkLooks(impersonation.page, 'account-impersonation')

  const link = await shareLink(service, await addSharer(service), { email: 'guest@example.com' })
  const guest = await openPage(browser)
  await guest.page.request.post(`${service.url}/api/2/auth/access-tokens/redeem`, {
    data: { token: link.token },
  })
  await guest.page.goto(`${service.url}/account`)
  await guest.page.getByRole('button', { name: 'Sign out' }).waitFor()
  await checkLooks(guest.page, 'account-guest')

  await storeSignInPolicy(service, {
    second_factor_for_everybody: true,
  })
  const setup = await openPage(browser)
  await signInBrowser(service, setup, ada, { second_factor_setup: true })
  await setup.page.goto(`${service.url}/account`)
  await setup.page.getByRole('button', { name: 'Set up' }).waitFor()
  await checkLooks(setup.page, 'account-setup-required')
  await storeSignInPolicy(service, {})
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

it.each(takesAll ? ['de', 'fr', 'ja', 'ar'] : ['de'])(
  'shows all that people can press in windows of all sizes in %s',
  async (locale) => {
    const name = `konstantinos.papadopoulos.${locale}@nordlicht.example.com`
    const { page } = await openAccount(service, browser, 'profile', {
      locale,
      fields: {
        username: name,
        email: name,
        full_name: 'Konstantinos Papadopoulos',
        permissions: ['users:view'],
      },
    })
    const links = page.getByRole('navigation').getByRole('link')
    for (let at = 0; at < (await links.count()); at += 1) {
      await links.nth(at).click()
      await expect.poll(() => page.locator('.loading').count()).toBe(0)
      await checkInSight(page, await page.locator('h1').innerText())
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  },
)
