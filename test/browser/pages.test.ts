import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browsers } from '../support/browsers.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let page: Page
let person: Person
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe.each(browsers)('in %s', (_, launch) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage()
    page.on('pageerror', (error) => expect.unreachable(error.message))
    person = await addPerson(service, {
      email: `${randomUUID()}@example.com`,
      fullName: 'Ada <i>Lovelace</i>',
    })
  })

  const fill = async (fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: false }).first().fill(value)
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const state = () => page.getByRole('status')
  const problem = () => page.getByRole('alert')

  it('signs in, stays signed in after a reload, and signs out', async () => {
    await page.goto(service.url)
    await fill({ 'Username or email': person.user.username, Password: 'a wrong password' })
    await press('Sign in')
    await problem().getByText('The username or the password is wrong.').waitFor()
    await fill({ Password: person.password })
    await press('Sign in')
    await state().getByText('You are signed in as Ada <i>Lovelace</i>.').waitFor()
    await page.reload()
    await state().getByText('You are signed in').waitFor()
    await press('Sign out')
    await page.getByLabel('Username or email').waitFor()
    expect((await page.context().cookies()).filter(({ name }) => name === 'latchkey')).toEqual([])
  })

  it('asks for a new password if a change is required, and lists unmet requirements', async () => {
    person = await addPerson(service, { passwordChangeRequired: true })
    await page.goto(service.url)
    await fill({ 'Username or email': person.user.username, Password: person.password })
    await press('Sign in')
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await page.getByRole('listitem').getByText('At least 12 characters').waitFor()
    expect(await getFocused(page)).toBe('new-password')
    await fill({ 'New password': 'short' })
    await press('Save and sign in')
    await page.getByText('Use at least 12 characters.').waitFor()
    await fill({ 'New password': 'a long enough new password' })
    await press('Save and sign in')
    await state().getByText('You are signed in').waitFor()
  })

  it('sets a new password through the emailed link and removes the token from the address bar', async () => {
    await page.goto(service.url)
    await fill({ 'Username or email': person.user.username })
    await press('Forgot your password?')
    await press('Send the link')
    await state().getByText('a reset link is on its way').waitFor()
    const { text } = await service.mailbox.mailTo(person.user.email ?? '')
    await page.goto(/http\S+/.exec(text)?.[0] ?? '')
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    expect(page.url()).toBe(`${service.url}/reset`)
    await fill({ 'New password': 'short' })
    await press('Set password')
    await page.getByText('The password is too short. Use at least 12 characters.').waitFor()
    await press('Suggest a password')
    await state().getByText('Save this password in your password manager').waitFor()
    const suggested = await page.getByLabel('New password', { exact: true }).inputValue()
    expect(suggested.length).toBeGreaterThanOrEqual(20)
    await press('Set password')
    await state().getByText('Your new password is set.').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await fill({ 'Username or email': person.user.username, Password: suggested })
    await press('Sign in')
    await state().getByText('You are signed in').waitFor()
  })
})
