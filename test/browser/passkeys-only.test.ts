import { afterEach, beforeEach, expect, it } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { createInvited } from '../support/invitations.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { addVirtualAuthenticator, type VirtualAuthenticator } from '../support/virtual-authenticator.ts'

/* What people see where the policy accepts only passkeys. */

const service = await useService({}, { hostname: 'localhost' })
const browser = await shareBrowser()
let visit: BrowserPage
let authenticator: VirtualAuthenticator
beforeEach(async () => {
  visit = await openPage(browser)
  authenticator = await addVirtualAuthenticator(visit.page)
  // The device answers at once, so suggestions would sign in before a button is pressed.
  await visit.page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
})
afterEach(() => storeSignInPolicy(service, {}))

/** The page keeps the policy for a moment, so the service gets it before the first visit. */
const requirePasskeys = () => storeSignInPolicy(service, { passkeys_only: true })
const signIn = async ({ user, password }: Person) => {
  await visit.page.goto(service.url)
  await visit.fill({ 'Username or email': user.username, Password: password })
  await visit.press('Sign in')
}
it('leads from the password to a first passkey, which then signs in', async () => {
  await requirePasskeys()
  const ada = await addPerson(service, { full_name: 'Ada' })
  await signIn(ada)
  await visit.page.getByRole('heading', { name: 'Protect your account' }).waitFor()
  await visit.press('Set up now')
  await visit.page.waitForURL(/\/account/)
  await visit.page.getByText('Your organization accepts only passkeys.').waitFor()
  expect(await visit.page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Passkeys'])
  await visit.press('Add a passkey')
  await visit.state.getByText('The passkey is added. Sign in with it to continue.').waitFor()
  expect(await authenticator.countCredentials()).toBe(1)
  await visit.press('Sign in again')
  await visit.page.getByLabel('Username or email').waitFor()
  await visit.press('Sign in with a passkey')
  // Back where the passkey was added, with all that an account has.
  await visit.page.waitForURL(/\/account/)
  await visit.page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).waitFor()
})

it('replaces a lost passkey with the password and a recovery code', async () => {
  const ada = await addSignedIn(service, { full_name: 'Ada' })
  await addPasskey(service, ada)
  const { recoveryCodes } = await enableSecondFactor(service, ada)
  await requirePasskeys()
  await signIn(ada)
  await visit.press('Use a recovery code instead')
  await visit.fill({ 'Recovery code': 'abcd-efgh-jkmn-pqrs' })
  await visit.press('Sign in')
  await visit.page.getByText('This recovery code is wrong or was already used.').waitFor()
  await visit.fill({ 'Recovery code': recoveryCodes[0] ?? '' })
  await visit.press('Sign in')
  await visit.page.waitForURL(/\/account/)
  await visit.press('Add a passkey')
  await visit.state.getByText('The passkey is added. Sign in with it to continue.').waitFor()
})

it('asks someone who is invited for a passkey, and for no password', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  await requirePasskeys()
  const { token } = await createInvited(service, admin.bearer, { full_name: 'Ada' })
  await visit.page.goto(`${service.url}/invite#token=${token}`)
  await visit.page.getByRole('button', { name: 'Create a passkey' }).waitFor()
  expect(await visit.page.locator('input[type=password]').count()).toBe(0)
  await visit.press('Create a passkey')
  await visit.page.waitForURL(/\/account/)
})
