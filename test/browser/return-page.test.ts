import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addLink } from '../support/links.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { type BrowserPage, getFocused, openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { startProduct } from '../support/product.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const product = closeAfterTests(await startProduct())
const service = await useService({ ALLOWED_ORIGINS: product.url })
product.trust(service.url)
const creator = await addSignedIn(service, { permissions: ['media:access'] })
const browser = await shareBrowser()
let ada: Person
let visit: BrowserPage
beforeEach(async () => {
  visit = await openPage(browser)
  ada = await addPerson(service, { email: `${randomUUID()}@example.com`, full_name: 'Ada' })
})

const pageFor = (parameters: Readonly<Record<string, string>>, fragment = '') =>
  `${service.url}/?${new URLSearchParams(parameters)}${fragment}`
const open = (parameters: Readonly<Record<string, string>>, fragment = '') =>
  visit.page.goto(pageFor(parameters, fragment))
const enter = async ({ user, password }: Person) => {
  await visit.fill({ 'Username or email': user.username, Password: password })
  await visit.press('Sign in')
}
/** Signs in without the page. */
const signInBefore = ({ user, password }: Person) =>
  visit.page.request.post(`${service.url}/api/2/auth/login`, { data: { username: user.username, password } })
const greeting = (text: string) => visit.page.getByRole('heading', { name: text, exact: true }).waitFor()
const openOwnPage = (path: string) => visit.page.waitForURL(service.url + path)

describe('after the sign-in', () => {
  it('leads to a product, which learns the user from a ticket', async () => {
    await open({ return_to: `${product.url}/cart?item=5` })
    await expect.poll(() => visit.heading()).toBe(`Sign in to ${new URL(product.url).host}`)
    await enter(ada)
    await greeting('Hello Ada')
    await visit.page.getByText('/cart?item=5', { exact: true }).waitFor()
    await visit.page.goBack()
    expect(visit.page.url()).toBe('about:blank')
  })

  it('leads to a page of this service without a ticket', async () => {
    await open({ return_to: '/account?tab=1' })
    await enter(ada)
    await openOwnPage('/account?tab=1')
  })

  it('leads there after a code of the second factor', async () => {
    const grace = await addSignedIn(service, { full_name: 'Grace' })
    const { recoveryCodes } = await enableSecondFactor(service, grace)
    await open({ return_to: `${product.url}/` })
    await enter(grace)
    await visit.press('Use a recovery code instead')
    await visit.fill({ 'Recovery code': recoveryCodes[0] ?? '' })
    await visit.press('Sign in')
    await greeting('Hello Grace')
  })

  it('leads there after a required new password', async () => {
    const grace = await addPerson(service, { full_name: 'Grace', password_change_required: true })
    await open({ return_to: `${product.url}/` })
    await enter(grace)
    await visit.fill({ 'New password': `New password of ${randomUUID()}` })
    await visit.press('Save and sign in')
    await greeting('Hello Grace')
  })

  it('leads there instead of to the start page of the user', async () => {
    const grace = await addPerson(service, { full_name: 'Grace', default_page: `${product.url}/start` })
    await open({ return_to: `${product.url}/chosen` })
    await enter(grace)
    await visit.page.getByText('/chosen', { exact: true }).waitFor()
  })

  it('opens an access link that waits for the sign-in', async () => {
    const link = await addLink(service, creator.bearer, { user: ada.user.id })
    await open({ return_to: `${product.url}/` }, `#link=${link.token}`)
    await enter(ada)
    await openOwnPage('/link')
  })

  it('offers another attempt while the service does not answer', async () => {
    await visit.page.route('**/api/2/auth/continue', (route) => route.abort())
    await open({ return_to: `${product.url}/` })
    await enter(ada)
    await visit.problem.getByText('The service cannot be reached.').waitFor()
    await visit.page.unroute('**/api/2/auth/continue')
    await visit.press(`Continue to ${new URL(product.url).host}`)
    await greeting('Hello Ada')
  })
})

describe('someone who is signed in already', () => {
  it('goes on at once', async () => {
    await signInBefore(ada)
    await open({ return_to: `${product.url}/cart` })
    await greeting('Hello Ada')
  })

  it('stays if the product sends them back again and again', async () => {
    await signInBefore(ada)
    await open({ return_to: `${product.url}/cart` })
    await greeting('Hello Ada')
    await open({ return_to: `${product.url}/cart` })
    await visit.state.getByText('You are signed in as Ada.').waitFor()
    await visit.press(`Continue to ${new URL(product.url).host}`)
    await greeting('Hello Ada')
  })

  it('signs in again if the product demands it, as the same user or another', async () => {
    const grace = await addPerson(service, { full_name: 'Grace' })
    for (const person of [ada, grace]) {
      await signInBefore(ada)
      await open({ return_to: `${product.url}/`, prompt: 'login' })
      await visit.state.getByText('You are signed in as Ada. Sign in again to continue.').waitFor()
      await expect.poll(() => visit.page.getByLabel('Username or email').inputValue()).toBe(ada.user.username)
      await expect.poll(() => getFocused(visit.page)).toBe('password')
      await enter(person)
      await greeting(`Hello ${person.user.full_name}`)
    }
  })

  it('chooses an account if the product asks for it', async () => {
    const grace = await addPerson(service, { full_name: 'Grace' })
    await signInBefore(ada)
    await open({ return_to: `${product.url}/`, prompt: 'select_account' })
    await visit.state.getByText('You are signed in as Ada.').waitFor()
    await visit.press('Use another account')
    await expect.poll(() => getFocused(visit.page)).toBe('username')
    await enter(grace)
    await greeting('Hello Grace')
  })

  it('chooses between their account and a session of a guest', async () => {
    const link = await addLink(service, creator.bearer)
    await visit.page.goto(link.full_url)
    await visit.press('Open')
    await visit.state.getByText('The link is open.').waitFor()
    await open({ return_to: `${product.url}/` })
    await visit.state.getByText('You are signed in as a guest.').waitFor()
    await visit.press('Use another account')
    await enter(ada)
    await greeting('Hello Ada')
  })
})

describe('the address of the page', () => {
  it('fills the username in, and chooses the language', async () => {
    await open({ login_hint: ada.user.username, return_to: `${product.url}/`, ui_locales: 'de en' })
    const username = visit.page.getByLabel('Benutzername oder E-Mail-Adresse')
    await expect.poll(() => username.inputValue()).toBe(ada.user.username)
    await expect.poll(() => getFocused(visit.page)).toBe('password')
    await visit.fill({ Passwort: ada.password })
    await visit.press('Anmelden')
    await greeting('Hello Ada')
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(document.domain)',
    'data:text/html,x',
    '/api/2/auth/logout',
    '',
  ])('is refused with a plain message, and people can sign in: %s', async (returnTo) => {
    await open({ return_to: returnTo })
    await visit.problem.getByText('The page that you came from cannot be opened from here.').waitFor()
    await enter(ada)
    await visit.state.getByText('You are signed in as Ada.').waitFor()
    expect(visit.page.url()).toBe(pageFor({ return_to: returnTo }))
  })

  it('is refused if it names two addresses', async () => {
    const answer = await visit.page.goto(`${service.url}/?return_to=/passkeys&return_to=${product.url}/`)
    expect(answer?.status()).toBe(400)
  })

  it('is refused for someone who is signed in', async () => {
    await signInBefore(ada)
    await open({ return_to: 'https://evil.example/' })
    await visit.problem.getByText('The page that you came from cannot be opened from here.').waitFor()
    await visit.state.getByText('You are signed in as Ada.').waitFor()
  })
})

describe('a password reset', () => {
  const requestReset = async (): Promise<string> => {
    await visit.fill({ 'Username or email': ada.user.username })
    await visit.press('Forgot your password?')
    await visit.press('Send the link')
    await visit.state.getByText('a reset link is on its way').waitFor()
    return readMailedLink(service, ada.user.email ?? '', 'reset')
  }
  const reset = async (link: string): Promise<string> => {
    const password = `New password of ${randomUUID()}`
    await visit.page.goto(link)
    await visit.fill({ 'New password': password })
    await visit.press('Set password')
    await visit.state.getByText('Your new password is set.').waitFor()
    await visit.page.getByRole('link', { name: 'Sign in' }).click()
    return password
  }

  it('leads to the product in the end, although the email does not name it', async () => {
    await open({ return_to: `${product.url}/cart`, utm_source: 'mail' })
    const link = await requestReset()
    expect(link).toMatch(/\/reset#token=lkr_\w+$/)
    const password = await reset(link)
    await visit.page.getByRole('heading', { name: `Sign in to ${new URL(product.url).host}` }).waitFor()
    expect(visit.page.url()).toBe(pageFor({ return_to: `${product.url}/cart` }))
    await enter({ ...ada, password })
    await greeting('Hello Ada')
  })

  it('forgets an earlier address', async () => {
    await open({ return_to: `${product.url}/cart` })
    await requestReset()
    await visit.page.goto(service.url)
    await visit.fill({ 'Username or email': ada.user.username })
    await visit.press('Forgot your password?')
    await visit.press('Send the link')
    await visit.state.getByText('a reset link is on its way').waitFor()
    await visit.page.goto(`${service.url}/reset`)
    await expect.poll(() => visit.page.getByRole('main').getByRole('link').getAttribute('href')).toBe('/')
  })
})
