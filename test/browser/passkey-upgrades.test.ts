import { beforeEach, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson, type Person } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts'

/* After a password, the browser may add a passkey without a question. Chromium has no password manager here, so a script plays it. */

const service = await useService({}, { hostname: 'localhost' })
const browser = await shareBrowser()
let visit: BrowserPage
let ada: Person
beforeEach(async () => {
  visit = await openPage(browser)
  await addVirtualAuthenticator(visit.page)
  await visit.page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  ada = await addPerson(service, { full_name: 'Ada' })
})

/** Lets a script answer conditional requests. `create` is that of the browser. */
const playManager = (answer: string) =>
  visit.page.addInitScript(`{
    const create = navigator.credentials.create.bind(navigator.credentials)
    window.asked = []
    PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
    navigator.credentials.create = async (options) => {
      window.asked.push(options.mediation ?? 'question')
      if (options.mediation !== 'conditional') return create(options)
      ${answer}
    }
  }`)
const signIn = async () => {
  await visit.fill({ 'Username or email': ada.user.username, Password: ada.password })
  await visit.press('Sign in')
}
const countPasskeys = async () => (await findUser(service.services.table, ada.user.id))?.passkeys?.count ?? 0
const isOffered = () =>
  visit.page.getByRole('heading', { name: 'Sign in without your password' }).waitFor({ timeout: 5000 })

it('adds a passkey after a password, which is on the account page, and asks no question', async () => {
  await playManager('return create({ publicKey: options.publicKey })')
  await visit.page.goto(service.url)
  await signIn()
  await visit.state.getByText('You are signed in as Ada.').waitFor()
  expect(await countPasskeys()).toBe(1)
  expect(await visit.page.evaluate('window.asked')).toEqual(['conditional'])
  await visit.page.goto(`${service.url}/account#/passkeys`)
  await visit.page.getByRole('button', { name: /^Remove / }).waitFor()
  // It signs in from now on.
  await visit.page.goto(service.url)
  await visit.press('Sign out')
  await visit.press('Sign in with a passkey')
  await visit.state.getByText('You are signed in as Ada.').waitFor()
})

it.each([
  ['a refusal', "throw new DOMException('no', 'NotAllowedError')"],
  ['an error', "throw new Error('no')"],
  ['no answer', 'return new Promise(() => {})'],
  ['an answer that is no passkey', 'return null'],
])('signs in as before after %s, with no message', async (_, answer) => {
  await playManager(answer)
  await visit.page.goto(service.url)
  const started = Date.now()
  await signIn()
  await isOffered()
  expect(Date.now() - started).toBeLessThan(5000)
  expect(await visit.problem.count()).toBe(0)
  expect(await countPasskeys()).toBe(0)
  await visit.press('Not now')
  await visit.state.getByText('You are signed in as Ada.').waitFor()
})

it('asks nothing of a browser without it, and no second time within a month', async () => {
  await playManager('return null')
  await visit.page.addInitScript('PublicKeyCredential.getClientCapabilities = async () => ({})')
  await visit.page.goto(service.url)
  await signIn()
  await isOffered()
  expect(await visit.page.evaluate('window.asked')).toEqual([])
  await playManager('return create({ publicKey: options.publicKey })')
  await visit.press('Not now')
  await visit.page.goto(service.url)
  await visit.press('Sign out')
  await signIn()
  await visit.state.getByText('You are signed in as Ada.').waitFor()
  expect(await visit.page.evaluate('window.asked')).toEqual([])
})
