import { beforeEach, expect, it } from 'vitest'
import { checkLooks } from '../support/looks.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson, type Person } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'
import { addVirtualAuthenticator, type VirtualAuthenticator } from '../support/virtual-authenticator.ts'

const service = await useService({}, { hostname: 'localhost' })
const browser = await shareBrowser()
let ada: Person
let visit: BrowserPage
let authenticator: VirtualAuthenticator
beforeEach(async () => {
  visit = await openPage(browser)
  authenticator = await addVirtualAuthenticator(visit.page)
  ada = await addPerson(service, { full_name: 'Ada' })
})

const signInWithPassword = async () => {
  await visit.page.goto(service.url)
  await visit.fill({ 'Username or email': ada.user.username, Password: ada.password })
  await visit.press('Sign in')
  await visit.press('Not now')
}
const openPasskeys = async () => {
  await visit.state.getByText('You are signed in as Ada.').waitFor()
  await visit.page.goto(`${service.url}/passkeys`)
  await visit.page.waitForURL(`${service.url}/account#/passkeys`)
  await visit.page.getByRole('heading', { level: 1, name: 'Passkeys' }).waitFor()
}
const addPasskey = async (name: string) => {
  await visit.fill({ 'Name of the new passkey': name })
  await visit.press('Add a passkey')
  await visit.state.getByText('The passkey is added.').waitFor()
}
const signOut = async () => {
  await visit.page.goto(service.url)
  await visit.press('Sign out')
  await visit.page.getByLabel('Username or email').waitFor()
}
/** The device answers at once, so suggestions would sign in before a button is pressed. */
const withoutSuggestions = () =>
  visit.page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')

it('signs in with a passkey that the browser suggests', async () => {
  await signInWithPassword()
  await openPasskeys()
  await addPasskey('Laptop')
  await visit.page.goto(service.url)
  await visit.press('Sign out')
  await visit.state.getByText('You are signed in as Ada.').waitFor()
})

it('has the password manager forget a passkey that was removed, and follow the name of the user', async () => {
  // No browser shows what its password manager was told.
  await visit.page.addInitScript(`Object.assign(PublicKeyCredential, {
    isConditionalMediationAvailable: async () => false,
    signalAllAcceptedCredentials: async (told) => { window.accepted = told },
    signalCurrentUserDetails: async (told) => { window.details = told },
    signalUnknownCredential: async (told) => { window.unknown = told },
  })`)
  const told = <Value>(name: string) => visit.page.evaluate<Value>(`window.${name}`)
  const readIds = async () =>
    (await told<{ allAcceptedCredentialIds: string[] }>('accepted')).allAcceptedCredentialIds
  await signInWithPassword()
  await openPasskeys()
  await addPasskey('Laptop')
  await expect.poll(readIds).toHaveLength(1)
  const [id] = await readIds()
  const { userId, ...details } = await told<Record<string, string>>('details')
  expect(details).toEqual({ rpId: 'localhost', name: ada.user.username, displayName: 'Ada' })
  await visit.page.goto(`${service.url}/account#/profile`)
  await visit.fill({ 'Full name': 'Ada King' })
  await visit.press('Save')
  await expect
    .poll(async () => (await told<Record<string, string>>('details'))['displayName'])
    .toBe('Ada King')
  await visit.page.goto(`${service.url}/account#/passkeys`)
  await visit.press('Remove Laptop')
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(readIds).toEqual([])
  expect(await told('accepted')).toMatchObject({ rpId: 'localhost', userId })
  await signOut()
  await visit.press('Sign in with a passkey')
  await visit.problem.waitFor()
  await expect.poll(() => told('unknown')).toEqual({ rpId: 'localhost', credentialId: id })
})

it('leads back to where the user came from', async () => {
  await withoutSuggestions()
  await signInWithPassword()
  await openPasskeys()
  await addPasskey('Laptop')
  await signOut()
  await visit.page.goto(`${service.url}/?return_to=/account%3Ftab%3D1`)
  await visit.press('Sign in with a passkey')
  await visit.page.waitForURL(`${service.url}/account?tab=1`)
})

it('continues with a passkey after the password, if the user requires that', async () => {
  await withoutSuggestions()
  await signInWithPassword()
  await openPasskeys()
  await addPasskey('Laptop')
  await visit.page.getByLabel('My password also requires a passkey').click()
  await visit.problem.getByText('Add a second passkey or two-step verification first.').waitFor()
  // Otherwise the first device would refuse to create another passkey, before the second one is asked.
  await authenticator.setAutomatic(false)
  await addVirtualAuthenticator(visit.page, 'usb')
  await visit.fill({ 'Name of the new passkey': 'Phone' })
  await visit.press('Add a passkey')
  await visit.state.getByText('The passkey is added.').waitFor()
  await visit.page.getByLabel('My password also requires a passkey').click()
  await visit.state.getByText('Your password now also requires a passkey.').waitFor()
  await signOut()
  await visit.fill({ 'Username or email': ada.user.username, Password: ada.password })
  await visit.press('Sign in')
  await visit.state.getByText('You are signed in as Ada.').waitFor()
})

it('shows the page of passkeys only to signed-in users', async () => {
  await visit.page.goto(`${service.url}/passkeys`)
  await visit.page.getByLabel('Username or email').waitFor()
  expect(new URL(visit.page.url()).searchParams.get('return_to')).toBe('/account')
})

it('offers a passkey once after a password, and names it by its authenticator, or as a passkey', async () => {
  await withoutSuggestions()
  const signInAs = async ({ user, password }: Person) => {
    await visit.fill({ 'Username or email': user.username, Password: password })
    await visit.press('Sign in')
  }
  const seeSignedIn = () => visit.state.getByText('You are signed in as Ada.').waitFor()
  const other = await addPerson(service, { full_name: 'Ada' })
  await signInWithPassword()
  await seeSignedIn()
  await signOut()
  await signInAs(ada)
  await seeSignedIn()
  await signOut()
  // Another person on the same device.
  await signInAs(other)
  await visit.page.getByRole('heading', { name: 'Sign in without your password' }).waitFor()
  await checkLooks(visit.page, 'sign-in-passkey-offer')
  await visit.press('Create a passkey')
  await seeSignedIn()
  expect(await authenticator.countCredentials()).toBe(1)
  await openPasskeys()
  await visit.page.getByRole('listitem').filter({ hasText: 'Passkey' }).first().waitFor()
  await signOut()
  await visit.press('Sign in with a passkey')
  await seeSignedIn()
})
