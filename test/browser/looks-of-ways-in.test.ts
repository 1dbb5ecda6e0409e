import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeIdp } from '../support/idp.ts'
import { createInvited } from '../support/invitations.ts'
import { walkThrough } from '../support/keyboard.ts'
import { addLink } from '../support/links.ts'
import { checkLooks, findOverflow } from '../support/looks.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { addPublicConnection } from '../support/public-upstream.ts'
import { addProvider, vouchForDomains } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* The pages that links of emails and of people open, and the steps of the sign-in page that not all services have. */

// Browsers offer passkeys on this name, but not for IP addresses.
const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' }, { hostname: 'localhost' })
const company = await addProvider(service, await makeIdp(), { name: 'Example Inc' })
await vouchForDomains(service, company, ['partner.example'])
const grace = await addSignedIn(service, {
  permissions: ['media:access', 'users:manage'],
  full_name: 'Grace Hopper',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
await addPublicConnection(service, admin.bearer, closeAfterTests(await startUpstream()))
const setup = await service.client('POST', '/api/2/auth/saml-setups', {
  bearer: admin.bearer,
  body: { name: 'Example Company' },
})

// People who signed in before keep their sessions. What takes a recent proof needs what a sign-in needs now.
await storeSignInPolicy(service, {
  allow_email_codes: true,
  second_factor_for_permissions: ['reports:read'],
})
const browser = await shareBrowser()
let visit: BrowserPage
let page: Page
beforeEach(async () => {
  visit = await openPage(browser, { locale: 'en' })
  page = visit.page
})

const newEmail = () => `${randomUUID()}@example.com`
const signIn = async ({ user, password }: Person) => {
  await visit.fill({ 'Username or email': user.username })
  await visit.press('Continue')
  await visit.fill({ Password: password })
  await visit.press('Sign in')
}
/** Checks the state of the page in English, and whether the longer words of German fit. */
const checkStart = async (address: string, name: string) => {
  const german = await openPage(browser, { locale: 'de', viewport: { width: 320, height: 568 } })
  await german.page.goto(address)
  await german.page.getByRole('main').getByRole('button').first().waitFor()
  expect(await findOverflow(german.page)).toEqual([])
  await german.page.context().close()
  await page.goto(address)
  await page.getByRole('main').getByRole('button').first().waitFor()
  // The rules of passwords arrive after their field.
  await page.waitForLoadState('networkidle')
  await checkLooks(page, name)
}

it('resets a password', async () => {
  const { user } = await addPerson(service, { username: 'linus', email: newEmail() })
  const body = { username: user.username }
  await service.client('POST', '/api/2/auth/reset-password/request', { body })
  await checkStart(await readMailedLink(service, user.email ?? '', 'reset'), 'reset')
  await visit.fill({ 'New password': 'short' })
  await visit.press('Set password')
  await page.getByText('The password is too short.').waitFor()
  await page.getByText('Strength:').waitFor()
  await checkLooks(page, 'reset-refused')
  await visit.fill({ 'New password': 'nine moons over a violet tractor' })
  await visit.press('Set password')
  await visit.state.getByText('Your new password is set.').waitFor()
  await checkLooks(page, 'reset-done')
})

it('secures an account', async () => {
  const { user, bearer, password } = await addSignedIn(service, { email: newEmail() })
  const body = { current_password: password, password: 'the password of a thief' }
  await service.client('POST', '/api/2/users/me/password', { bearer, body })
  await checkStart(await readMailedLink(service, user.email ?? '', 'secure'), 'secure')
  await visit.press('This wasn’t me')
  await visit.state.getByText('Your password no longer works.').waitFor()
  await checkLooks(page, 'secure-done')
})

it('confirms an email address', async () => {
  const person = await addSignedIn(service, { username: 'augusta', email: newEmail() })
  const email = 'augusta@example.com'
  await service.client('POST', '/api/2/users/me/email', { bearer: person.bearer, body: { email } })
  await checkStart(await readMailedLink(service, email, 'confirm'), 'confirm')
  await visit.press('Sign in and confirm')
  await page.waitForURL(/\/\?/)
  await signIn(person)
  await visit.state.getByText('Your email address is confirmed.').waitFor()
  await checkLooks(page, 'confirm-done')
})

it('opens an access link with a password', async () => {
  const link = await addLink(service, grace.bearer, { password: 'for your eyes only' })
  await checkStart(link.full_url, 'link-password')
  await visit.fill({ 'Link password': 'not that' })
  await visit.press('Open')
  await visit.problem.getByText('The password of the link is wrong.').waitFor()
  await checkLooks(page, 'link-wrong-password')
  await visit.fill({ 'Link password': 'for your eyes only' })
  await visit.press('Open')
  await visit.state.getByText('The link is open.').waitFor()
  await checkLooks(page, 'link-opened')
})

it('accepts an invitation', async () => {
  const fields = { username: 'alan', email: `${randomUUID()}@partner.example` }
  const { token } = await createInvited(service, grace.bearer, fields)
  await checkStart(`${service.url}/invite#token=${token}`, 'invite')
})

it('sets up the connection of a customer', async () => {
  await page.goto(setup.body.url)
  await page.getByRole('button', { name: 'Send the metadata' }).waitFor()
  // The port and the end of the link differ in each run.
  await page.evaluate(`for (const element of document.querySelectorAll('main code')) element.textContent = 'https://auth.example.com/'
    document.querySelector('main p').textContent = 'Connect the identity provider of Example Company.'`)
  await checkLooks(page, 'setup')
  await walkThrough(page)
})

it('offers all ways to sign in, and shows the mark of a public provider', async () => {
  await checkStart(service.url, 'sign-in-ways')
  const mark = (name: string) =>
    page.getByRole('link', { name, exact: true }).locator('svg[aria-hidden=true]')
  expect(await mark('Continue with Google').count()).toBe(1)
  expect(await mark('Continue with Example Inc').count()).toBe(0)
})

it('asks for the code from an email', async () => {
  await page.goto(service.url)
  await visit.fill({ 'Username or email': 'ada' })
  await visit.press('Email me a code')
  await visit.state.getByText('an email with a code is on its way').waitFor()
  await checkLooks(page, 'sign-in-email-code')
})

it('asks to set up a second factor', async () => {
  await page.goto(service.url)
  await signIn(await addPerson(service, { permissions: ['reports:read'] }))
  await page.getByText('Your account needs a second step').waitFor()
  await checkLooks(page, 'sign-in-set-up')
})

it('asks for a passkey after the password', async () => {
  const ada = await addSignedIn(service)
  for (const _ of ['the only one', 'another one']) await addPasskey(service, ada)
  const body = { required_with_password: true }
  await service.client('PUT', '/api/2/users/me/passkeys/settings', { bearer: ada.bearer, body })
  await page.goto(service.url)
  await page.evaluate(
    "navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'))",
  )
  await signIn(ada)
  await visit.problem.getByText('The passkey was not used.').waitFor()
  await checkLooks(page, 'sign-in-passkey')
})
