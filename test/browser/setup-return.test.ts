import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { authenticatorOf } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { createInvited } from '../support/invitations.ts'
import { addLink } from '../support/links.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { startProduct } from '../support/product.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts'

/* The policy requires a second factor. People set it up on the way to where they want to go. */

const product = closeAfterTests(await startProduct())

// Browsers offer passkeys on this name, but not for IP addresses.
const service = await useService({ ALLOWED_ORIGINS: product.url }, { hostname: 'localhost' })
product.trust(service.url)
const admin = await addSignedIn(service, {
  full_name: 'Grace Hopper',
  permissions: ['media:access', 'system:admin-access'],
})
await storeSignInPolicy(service, {
  second_factor_for_everybody: true,
})
const browser = await shareBrowser()
let ada: Person
let visit: BrowserPage
beforeEach(async () => {
  visit = await openPage(browser)
  ada = await addPerson(service, { email: `${randomUUID()}@example.com`, full_name: 'Ada' })
})

const open = (returnTo: string, parameters: Readonly<Record<string, string>> = {}) =>
  visit.page.goto(`${service.url}/?${new URLSearchParams({ return_to: returnTo, ...parameters })}`)
const signIn = async ({ user, password }: Person) => {
  await visit.fill({ 'Username or email': user.username, Password: password })
  await visit.press('Sign in')
}
const setUpApp = async () => {
  await visit.page.waitForURL(/\/account/)
  await visit.press('Set up')
  const key = (await visit.page.locator('code.secret').innerText()).replaceAll(/\s/g, '')
  await visit.page.locator('[name=otp]').fill(authenticatorOf(key).code())
  await visit.press('I have stored them')
}
const greeting = (text: string) => visit.page.getByRole('heading', { name: text, exact: true }).waitFor()

it('leads on to the product, also if the address asked for a new sign-in', async () => {
  await open(`${product.url}/cart?item=5`, { prompt: 'login' })
  await signIn(ada)
  await visit.press('Set up now')
  await setUpApp()
  await greeting('Hello Ada')
  await visit.page.getByText('/cart?item=5', { exact: true }).waitFor()
})

it('leads on after a reload of the page that sets up', async () => {
  await open(`${product.url}/`)
  await signIn(ada)
  await visit.press('Set up now')
  await visit.page.waitForURL(/\/account/)
  await visit.page.reload()
  await setUpApp()
  await greeting('Hello Ada')
})

it('leads on to the client of an authorization', async () => {
  const { page } = visit
  const library = await addRelyingParty(service, { redirect_uris: [`${product.url}/callback`] })
  await page.goto(`${service.url}/oauth2/authorize?${buildAuthorization(library, createPkce().challenge)}`)
  await signIn(ada)
  await visit.press('Set up now')
  await setUpApp()
  await page.waitForURL(/\/callback\?code=/)
})

it('leads on to the access link of the person', async () => {
  const link = await addLink(service, admin.bearer, { user: ada.user.id })
  await visit.page.goto(link.full_url)
  await visit.press('Open')
  await visit.page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(ada)
  await visit.press('Set up now')
  await setUpApp()
  await visit.state.getByText('Grace Hopper shared something with you. You are signed in as Ada.').waitFor()
})

it('leads on to the start page of the user, and stays on the account page without a target', async () => {
  const bea = await addPerson(service, { default_page: `${product.url}/start` })
  await visit.page.goto(service.url)
  await signIn(bea)
  await visit.press('Set up now')
  await setUpApp()
  await visit.page.waitForURL(`${product.url}/start`)

  visit = await openPage(browser)
  await visit.page.goto(service.url)
  await signIn(ada)
  await visit.press('Set up now')
  await setUpApp()
  await visit.page.getByRole('link', { name: 'Profile' }).waitFor()
  expect(visit.page.url()).toContain(`${service.url}/account`)
})

it('leads on after a password reset', async () => {
  await open(`${product.url}/cart`)
  await visit.press('Forgot your password?')
  await visit.fill({ 'Username or email': ada.user.username })
  await visit.press('Send the link')
  await visit.state.getByText('a reset link is on its way').waitFor()
  await visit.page.goto(await readMailedLink(service, ada.user.email ?? '', 'reset'))
  const password = 'violet tractor under nine moons'
  await visit.fill({ 'New password': password })
  await visit.press('Set password')
  await visit.page.getByRole('link', { name: 'Sign in' }).click()
  await signIn({ ...ada, password })
  await visit.press('Set up now')
  await setUpApp()
  await greeting('Hello Ada')
})

it('leads on after an invitation', async () => {
  const invited = await createInvited(service, admin.bearer, { default_page: `${product.url}/start` })
  await visit.page.goto(`${service.url}/invite#token=${invited.token}`)
  await visit.fill({ 'Choose a password': 'violet tractor under nine moons' })
  await visit.press('Accept the invitation')
  await visit.press('Accept and set up')
  await setUpApp()
  await visit.page.waitForURL(`${product.url}/start`)
})

it('leads on after the sign-in with a new passkey', async () => {
  await addVirtualAuthenticator(visit.page)
  await open(`${product.url}/cart`)
  await signIn(ada)
  await visit.press('Set up now')
  await visit.page.getByRole('link', { name: 'Passkeys' }).click()
  await visit.page.locator('[name=passkey-name]').fill('Laptop')
  await visit.press('Add a passkey')
  await visit.press('Sign in again')
  // The sign-in page asks for the passkey without a click.
  await greeting('Hello Ada')
})

it('forgets the target of another sign-in in the tab', async () => {
  await open(`${product.url}/cart`)
  await signIn(ada)
  await visit.press('Set up now')
  await visit.page.waitForURL(/\/account/)
  const bea = await addPerson(service)
  await visit.page.goto(service.url)
  await signIn(bea)
  await visit.press('Set up now')
  await setUpApp()
  await visit.page.getByRole('link', { name: 'Profile' }).waitFor()
})
