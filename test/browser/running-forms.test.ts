import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openAccount } from '../support/account-pages.ts'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { makeIdp } from '../support/idp.ts'
import { type BrowserPage, getFocused, openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { inOneBrowser } from '../support/personas.ts'
import { addProvider, vouchForDomains } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const kim = await addPerson(service, { username: `kim-${randomUUID()}`, full_name: 'Kim' })
const company = await addProvider(service, await makeIdp(), { disabled_in_client: true, name: 'Company' })
await vouchForDomains(service, company, ['company.example'])

interface HeldRequests {
  /** The addresses of the requests so far. */
  readonly sent: string[]
  readonly arrive: (count: number) => Promise<void>
  /** Lets all requests pass, those to come too. */
  readonly release: () => void
}

/** Keeps all requests to an address from the service until they are released. */
const holdRequests = async (page: Page, address: string, method = 'POST'): Promise<HeldRequests> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const sent: string[] = []
  await page.route(address, (route) => {
    const request = route.request()
    if (request.method() !== method) return route.continue()
    sent.push(request.url())
    return promise.then(() => route.continue())
  })
  return { sent, arrive: (count) => expect.poll(() => sent.length).toBe(count), release: resolve }
}

/** Answers navigations to an address with nothing, so that the browser stays on the page. Returns the addresses. */
const answerWithNothing = async (page: Page, address: string): Promise<readonly string[]> => {
  const opened: string[] = []
  await page.route(address, (route) => {
    opened.push(route.request().url())
    return route.fulfill({ status: 204 })
  })
  return opened
}

const isReadOnly = (field: Locator): Promise<boolean> =>
  field.evaluate((input) => (input as unknown as { readonly readOnly: boolean }).readOnly)

describe.each(inOneBrowser.map(({ browser }) => browser))('in %s', (browserName) => {
  let visit: BrowserPage
  beforeEach(async () => {
    visit = await openPage(await shareBrowser(browserName), { locale: 'en' })
  })
  const name = () => visit.page.getByLabel('Username or email', { exact: true })
  const password = () => visit.page.locator('input[name=password]')
  /** A person does not wait until a button is enabled. */
  const clickBusy = (label: string) =>
    visit.page.getByRole('button', { name: label, exact: true }).dblclick({ force: true })
  const holdLookUp = () => holdRequests(visit.page, '**/api/2/auth/sign-in-route')
  const holdLogin = () => holdRequests(visit.page, '**/api/2/auth/login')

  it('never shows a password that someone types right after the name, and keeps it for the next step', async () => {
    const lookUp = await holdLookUp()
    const login = await holdLogin()
    await visit.page.goto(service.url)
    await name().focus()
    await visit.page.keyboard.type(kim.user.username)
    await visit.page.keyboard.press('Enter')
    await visit.page.keyboard.type(`${kim.password}x`)
    await visit.page.keyboard.press('Backspace')
    await lookUp.arrive(1)
    expect(await name().inputValue()).toBe(kim.user.username)
    expect(await isReadOnly(name())).toBe(true)
    expect(await password().getAttribute('type')).toBe('password')
    expect(await findViolations(visit.page)).toEqual([])
    lookUp.release()
    await visit.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await name().inputValue()).toBe(kim.user.username)
    expect(await password().inputValue()).toBe(kim.password)
    expect(await getFocused(visit.page)).toBe('password')
    expect(await isReadOnly(name())).toBe(false)
    // Nothing was sent that the person did not send.
    expect(login.sent).toEqual([])
    await visit.page.keyboard.type('y')
    expect(await password().inputValue()).toBe(`${kim.password}y`)
    await visit.page.keyboard.press('Backspace')
    await visit.page.keyboard.press('Enter')
    login.release()
    await visit.state.getByText('as Kim').waitFor()
    expect([lookUp.sent, login.sent].map(({ length }) => length)).toEqual([1, 1])
  })

  it('signs someone in who types name and password without looking', async () => {
    const lookUp = await holdLookUp()
    await visit.page.goto(service.url)
    await name().focus()
    await visit.page.keyboard.type(kim.user.username)
    await visit.page.keyboard.press('Enter')
    await visit.page.keyboard.type(kim.password)
    await visit.page.keyboard.press('Enter')
    await lookUp.arrive(1)
    lookUp.release()
    await visit.state.getByText('as Kim').waitFor()
    expect(lookUp.sent).toHaveLength(1)
  })

  it('signs in with one press of Enter what a password manager filled in', async () => {
    await visit.page.goto(service.url)
    await name().fill(kim.user.username)
    await password().fill(kim.password, { force: true })
    await name().press('Enter')
    await visit.state.getByText('as Kim').waitFor()
  })

  it('looks a name up once, however often Enter is pressed, and does not ask for a password that no one sent', async () => {
    const lookUp = await holdLookUp()
    await visit.page.goto(service.url)
    await name().fill(kim.user.username)
    await name().press('Enter')
    await visit.page.keyboard.press('Enter')
    await clickBusy('Continue')
    await lookUp.arrive(1)
    lookUp.release()
    await visit.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await visit.page.getByText('Enter your password', { exact: false }).count()).toBe(0)
    expect(lookUp.sent).toHaveLength(1)
  })

  it('sends no password of a person whose company signs them in', async () => {
    const lookUp = await holdLookUp()
    const login = await holdLogin()
    const starts = await answerWithNothing(visit.page, '**/api/2/auth/saml/*/sso*')
    await visit.page.goto(service.url)
    await name().fill('kim@company.example')
    await name().press('Enter')
    await visit.page.keyboard.type('secret-pass')
    await visit.page.keyboard.press('Enter')
    lookUp.release()
    await expect.poll(() => starts.length).toBe(1)
    await visit.page.keyboard.press('Enter')
    await clickBusy('Continue')
    await visit.page.waitForLoadState('networkidle')
    expect(await name().inputValue()).toBe('kim@company.example')
    expect(lookUp.sent).toHaveLength(1)
    expect(login.sent).toEqual([])
  })

  it('shows the password at once to someone who does not wait for the look-up', async () => {
    const lookUp = await holdLookUp()
    await visit.page.goto(service.url)
    await name().fill('kim@company.example')
    await visit.press('Continue')
    await lookUp.arrive(1)
    await visit.press('Use a password instead')
    await expect.poll(() => getFocused(visit.page)).toBe('password')
    await expect.poll(() => isReadOnly(name())).toBe(false)
    lookUp.release()
    await visit.page.waitForLoadState('networkidle')
    expect(await password().isVisible()).toBe(true)
  })

  it('sends a sign-in once, and changes nothing in it until the answer', async () => {
    const login = await holdLogin()
    await visit.page.goto(service.url)
    await name().fill(kim.user.username)
    await visit.press('Continue')
    await visit.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await password().fill('wrong')
    const button = visit.page.getByRole('button', { name: 'Sign in', exact: true })
    await button.dblclick()
    await login.arrive(1)
    await password().focus()
    await visit.page.keyboard.type('more')
    await visit.page.keyboard.press('Enter')
    await name().focus()
    await visit.page.keyboard.type('more')
    expect(await password().inputValue()).toBe('wrong')
    expect(await name().inputValue()).toBe(kim.user.username)
    expect(await button.getAttribute('aria-busy')).toBe('true')
    login.release()
    await visit.problem.getByText('wrong', { exact: false }).first().waitFor()
    expect(login.sent).toHaveLength(1)
    expect(await getFocused(visit.page)).toBe('password')
    expect(await isReadOnly(password())).toBe(false)
  })

  it('stays closed until the page that a sign-in leads to is there', async () => {
    const login = await holdLogin()
    login.release()
    const opened = await answerWithNothing(visit.page, '**/account')
    await visit.page.goto(`${service.url}/?return_to=/account&prompt=login`)
    await name().fill(kim.user.username)
    await visit.press('Continue')
    await visit.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await password().fill(kim.password)
    await visit.press('Sign in')
    await expect.poll(() => opened.length).toBe(1)
    await visit.page.keyboard.press('Enter')
    await visit.page.waitForLoadState('networkidle')
    expect(login.sent).toHaveLength(1)
    expect(opened).toHaveLength(1)
  })

  it('saves a form of the account page once, as it was sent', async () => {
    const { page, fill, state } = await openAccount(service, await shareBrowser(browserName), 'profile', {
      locale: 'en-US',
    })
    const save = await holdRequests(page, '**/api/2/users/me', 'PATCH')
    await fill({ 'Full name': 'Ada King' })
    const field = page.getByLabel('Full name')
    await field.press('Enter')
    await save.arrive(1)
    await page.keyboard.type(' the Second')
    await page.keyboard.press('Enter')
    expect(await getFocused(page)).toBe('name')
    await page.getByRole('button', { name: 'Save', exact: true }).click({ force: true })
    expect(await field.inputValue()).toBe('Ada King')
    save.release()
    await state.getByText('Saved.').waitFor()
    expect(save.sent).toHaveLength(1)
    await page.keyboard.type('!')
    await expect.poll(() => field.isEditable()).toBe(true)
  })

  it('keeps all controls of a form of the console as they were sent', async () => {
    const { page, open, press } = await openConsole(service, await shareBrowser(browserName))
    await open('/user-attributes')
    await press('Add an attribute')
    const nameField = page.getByLabel('Name', { exact: true }).first()
    await nameField.fill(`field_${randomUUID().slice(0, 8)}`)
    const save = await holdRequests(page, '**/api/2/system/user-attributes', 'PUT')
    await nameField.press('Enter')
    await save.arrive(1)
    const panels = await page.locator('.panel').count()
    const checkbox = page.getByRole('checkbox').first()
    await checkbox.click()
    await press('Add an attribute')
    await page
      .getByRole('button', { name: /^Remove field_/ })
      .first()
      .click()
    const select = page.locator('.panel select').first()
    const chosen = await select.inputValue()
    await select.focus()
    await page.keyboard.press('End')
    expect(await checkbox.isChecked()).toBe(false)
    expect(await select.inputValue()).toBe(chosen)
    expect(await page.locator('.panel').count()).toBe(panels)
    save.release()
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect(save.sent).toHaveLength(1)
  })
})
