import { beforeEach, describe, expect, it } from 'vitest'
import { languages } from '../../lib/kernel/i18n/languages.ts'
import { findViolations } from '../support/axe.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeIdp } from '../support/idp.ts'
import { checkLooks, findOverflow } from '../support/looks.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { takesAll } from '../support/personas.ts'
import { addPublicConnection } from '../support/public-upstream.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* The sign-in page begins with the way that was used last in this browser. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' }, { hostname: 'localhost' })
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
await storeSignInPolicy(service, { allow_email_codes: true })
const google = closeAfterTests(await startUpstream())
const { id } = await addPublicConnection(service, bearer, google, { name: 'Google' })
const other = closeAfterTests(await startUpstream())
await addPublicConnection(service, bearer, other, { name: 'LinkedIn', public_provider: 'oidc' })
await addProvider(service, await makeIdp(), { name: 'Northwind' })
const browser = await shareBrowser()
const phone = { width: 360, height: 640 }

/** Opens the sign-in page in a browser in which somebody signed in this way before. */
const openAfter = async (way: string, options: Parameters<typeof openPage>[1] = {}): Promise<BrowserPage> => {
  const visit = await openPage(browser, options)
  const kept = JSON.stringify({ value: way, until: Date.now() + 86_400_000 })
  await visit.page.addInitScript(`localStorage.setItem('last-way', ${JSON.stringify(kept)})`)
  await visit.page.goto(service.url)
  await visit.page.locator('.actions .button').first().waitFor()
  return visit
}
const listButtons = ({ page }: BrowserPage) =>
  page
    .locator('.card')
    .locator('.button')
    .evaluateAll((all) => all.map((one) => one.textContent?.trim()))

describe('the sign-in page', () => {
  it.each([
    ['passkey', 'Sign in with a passkey'],
    [String(id), 'Continue with Google'],
  ])('begins with the way that was used last: %s', async (way, label) => {
    const visit = await openAfter(way)
    expect((await listButtons(visit))[0]).toBe(label)
    const button = visit.page.getByRole('button', { name: label, exact: true })
    const link = visit.page.getByRole('link', { name: label, exact: true })
    const described = await button.or(link).getAttribute('aria-describedby')
    expect(await visit.page.locator(`#${described}`).textContent()).toBe('Used last')
    expect(await findViolations(visit.page)).toEqual([])
    // Nothing is there twice.
    expect(new Set(await listButtons(visit)).size).toBe((await listButtons(visit)).length)
  })

  it('puts the emailed code first behind the form that it needs', async () => {
    const visit = await openAfter('email_code')
    const buttons = await visit.page.locator('.actions .button').allTextContents()
    expect(buttons[0]).toBe('Email me a code')
    // Chosen before the name is typed, it comes after the name.
    await visit.press('Email me a code')
    await visit.page.getByText('Enter your username or email address.').waitFor()
    await visit.page.keyboard.type('ada@example.com')
    await visit.page.keyboard.press('Enter')
    await visit.page.getByLabel('Code from the email').waitFor()
  })

  it.each(['password', 'unknown', '99999', '__proto__', '<b>'])('is as always after: %s', async (way) => {
    const visit = await openAfter(way)
    expect(await visit.page.locator('.used-last').count()).toBe(0)
    expect(await visit.page.locator('.actions .button').count()).toBe(5)
  })

  // The longest, the widest, and one from right to left. With `--mode all` it is each of them.
  it.each(takesAll ? languages : (['de', 'fr', 'ja', 'ar'] as const))(
    'in %s, is on one screen of a phone',
    async (locale) => {
      const visit = await openAfter('passkey', { locale, viewport: phone, colorScheme: 'dark' })
      expect(await findOverflow(visit.page)).toEqual([])
      expect(await visit.page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(
        phone.height,
      )
      expect(await visit.page.locator('#used-last').innerText()).not.toBe('')
      expect(await findViolations(visit.page)).toEqual([])
    },
  )

  it('looks as in the reference', async () => {
    const visit = await openAfter('passkey')
    await checkLooks(visit.page, 'sign-in-last-way')
  })
})

describe('the browser', () => {
  let visit: BrowserPage
  beforeEach(async () => {
    visit = await openPage(browser)
    await visit.page.goto(service.url)
  })

  it('keeps the name of the way, and nothing about the person', async () => {
    const ada = await addPerson(service, { full_name: 'Ada' })
    const name = visit.page.getByLabel('Username or email')
    await name.fill(ada.user.username)
    await visit.fill({ Password: ada.password })
    await visit.press('Sign in')
    await visit.state.getByText('You are signed in as Ada.').waitFor()
    const kept = await visit.page.evaluate<Record<string, string>>('({ ...localStorage })')
    expect(JSON.parse(kept['last-way'] ?? '{}')).toEqual({ value: 'password', until: expect.any(Number) })
    expect(kept['last-way']).not.toContain(ada.user.username)
  })

  it('keeps the ID of a public provider when a person goes there, and no company', async () => {
    const readKept = async () => {
      const text = await visit.page.evaluate<string | null>("localStorage.getItem('last-way')")
      return text === null ? undefined : JSON.parse(text).value
    }
    await visit.page.route('**/saml/**', (route) => route.fulfill({ status: 204 }))
    await visit.page.getByRole('link', { name: 'Continue with Northwind' }).click()
    expect(await readKept()).toBeUndefined()
    await visit.page.route('**/oidc-connections/**', (route) => route.fulfill({ status: 204 }))
    await visit.page.getByRole('link', { name: 'Continue with Google' }).click()
    expect(await readKept()).toBe(String(id))
  })
})
