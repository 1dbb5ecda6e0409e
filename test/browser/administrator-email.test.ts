import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { type BrowserPage, getFocused, openPage } from '../support/pages.ts'
import { addPerson, type Person } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { startProduct } from '../support/product.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { startSignInFlow } from '../support/sign-in-flow.ts'
import { useService } from '../support/use-service.ts'

/* Administrators without a confirmed email address are asked for one after they have signed in. */

const product = closeAfterTests(await startProduct())
const service = await useService({ ALLOWED_ORIGINS: product.url })
product.trust(service.url)
const browser = await shareBrowser()

const addAdministrator = (fields: object = {}) =>
  addPerson(service, { permissions: ['system:admin-access'], full_name: 'Grace', ...fields })
const signIn = async (visit: BrowserPage, { user, password }: Person) => {
  await visit.page.goto(`${service.url}/?return_to=${encodeURIComponent(`${product.url}/cart`)}&prompt=login`)
  await visit.fill({ 'Username or email': user.username, Password: password })
  await visit.press('Sign in')
}
const heading = (visit: BrowserPage, name: string) =>
  visit.page.getByRole('heading', { name, exact: true }).waitFor()

describe.each(inOneBrowser)('$name', async (persona) => {
  const ownBrowser = await shareBrowser(persona.browser)
  const startSignIn = async (admin: Person) => {
    const flow = await startSignInFlow(service, ownBrowser, persona)
    await flow.open(`${product.url}/cart`)
    await flow.enter(admin, admin.password)
    return flow
  }

  it('asks until the address is confirmed, and leads on', async () => {
    const words = await loadWords(persona, 'confirm')
    const [admin, email] = [await addAdministrator(), `${randomUUID()}@example.com`]
    const { page, state, t, kit, fill, press, seeGreeting, look, heading } = await startSignIn(admin)
    await page.getByText(t('emailAddressHint')).waitFor()
    await expect.poll(() => getFocused(page)).toBe('email')
    expect(await heading()).toBe(t('emailAddressHeading'))
    await look()
    await fill({ [t('emailAddress')]: 'grace' })
    await press(t('sendLink'))
    await page.getByText(t('emailAddressInvalid')).waitFor()
    await expect.poll(() => getFocused(page)).toBe('email')
    await look()
    await fill({ [t('emailAddress')]: email })
    await press(t('sendLink'))
    await state.getByText(t('emailAddressLinkSent', { address: email })).waitFor()
    await look()
    await press(kit('continue'))
    await seeGreeting('Grace')

    await page.goto(await readMailedLink(service, email, 'confirm'))
    await press(words('confirm'))
    await page.getByText(words('done')).waitFor()
    await expect.poll(() => findUser(service.services.table, admin.user.id)).toMatchObject({ email })
    const other = await startSignIn(admin)
    await other.seeGreeting('Grace')
  })

  it('leads on if they put it off', async () => {
    const { page, t, press, seeGreeting } = await startSignIn(await addAdministrator())
    await page.getByText(t('emailAddressHint')).waitFor()
    await press(t('later'))
    await seeGreeting('Grace')
  })
})

it('asks later if they put it off, and shows an address that is not confirmed', async () => {
  const email = `${randomUUID()}@example.com`
  const admin = await addAdministrator({ email, emailVerified: false })
  const visit = await openPage(browser)
  await signIn(visit, admin)
  await heading(visit, 'Add your email address')
  expect(await visit.page.getByLabel('Email address').inputValue()).toBe(email)
  await visit.press('Later')
  await heading(visit, 'Hello Grace')
  await signIn(visit, admin)
  await heading(visit, 'Hello Grace')
  // Another browser does not know that.
  const other = await openPage(browser)
  await signIn(other, admin)
  await heading(other, 'Add your email address')
})

it('asks no one else', async () => {
  const visit = await openPage(browser)
  await signIn(visit, await addPerson(service, { full_name: 'Ada' }))
  await heading(visit, 'Hello Ada')
})
