import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { focused, openPage, type PersonsPage } from '../support/pages.ts'
import { addPerson, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let ada: Person
let visit: PersonsPage
beforeAll(async () => {
  service = await startService()
  browser = await launchChromium()
})
beforeEach(async () => {
  visit = await openPage(browser)
  ada = await addPerson(service, { email: `${randomUUID()}@example.com` })
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const mailedLink = async (person = ada): Promise<string> => {
  const body = { username: person.user.username }
  await service.client('POST', '/api/2/auth/reset-password/request', { body })
  const { text } = await service.mailbox.mailTo(person.user.email ?? '')
  return /http\S+/.exec(text)?.[0] ?? ''
}
const useUp = async (link: string) => {
  const body = { token: link.split('=')[1], password: 'a password chosen before' }
  expect((await service.client('POST', '/api/2/auth/reset-password', { body })).status).toBe(204)
}
const fillIn = (password: string) => visit.fill({ 'New password': password, 'The same again': password })

it('still works when it is loaded again, and when its link is opened in the tab of another', async () => {
  await visit.page.goto(`${service.url}/reset`)
  await visit.problem.getByText('This link is not complete.').waitFor()
  const link = await mailedLink()
  // As by pasting it: nothing but the fragment is another one.
  await visit.page.evaluate(`location.assign(${JSON.stringify(link)})`)
  await visit.page.getByLabel('New password').waitFor()
  expect(await visit.problem.isVisible()).toBe(false)
  expect(visit.page.url()).toBe(`${service.url}/reset`)
  await visit.page.reload()
  await fillIn('a long enough password')
  await visit.press('Set the password')
  await visit.state.getByText('Your new password is set.').waitFor()
  expect(await visit.heading()).toBe('Your password is changed')
  expect(await focused(visit.page)).toBe('Your password is changed')
  await visit.page.reload()
  await visit.state.getByText('Your new password is set.').waitFor()
  expect(await visit.page.getByRole('button').count()).toBe(0)
})

it.each(['Set the password', 'Suggest one'])(
  'whose link was used says so, and where to get another: %s',
  async (button) => {
    const link = await mailedLink()
    await useUp(link)
    await visit.page.goto(link)
    await fillIn('a long enough password')
    await visit.press(button)
    await visit.problem.getByText('This link was used already, or is too old.').waitFor()
    expect(await visit.problem.innerText()).not.toMatch(/bearer|token/)
    expect(await visit.page.getByRole('button').count()).toBe(0)
    await visit.page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    await visit.page.getByLabel('Username').waitFor()
  },
)

it('shows a password that it suggests in both fields', async () => {
  await visit.page.goto(await mailedLink())
  await visit.press('Suggest one')
  await visit.state.getByText('Keep it in your password manager').waitFor()
  for (const label of ['New password', 'The same again'])
    expect(await visit.page.getByLabel(label).getAttribute('type')).toBe('text')
  await visit.page.getByLabel('Show what I type').uncheck()
  for (const label of ['New password', 'The same again'])
    expect(await visit.page.getByLabel(label).getAttribute('type')).toBe('password')
})
