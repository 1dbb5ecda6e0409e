import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { readMailedLink } from '../support/mailed-page.ts'
import { type BrowserPage, getFocused, openPage } from '../support/pages.ts'
import { addPerson, type Person } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()
let ada: Person
let visit: BrowserPage
beforeEach(async () => {
  visit = await openPage(browser)
  ada = await addPerson(service, { email: `${randomUUID()}@example.com` })
})

const mailedLink = async (person = ada): Promise<string> => {
  const body = { username: person.user.username }
  await service.client('POST', '/api/2/auth/reset-password/request', { body })
  return readMailedLink(service, person.user.email ?? '', 'reset')
}
const useLink = async (link: string) => {
  const body = { token: link.split('=')[1], password: 'a password chosen before' }
  expect((await service.client('POST', '/api/2/auth/reset-password', { body })).status).toBe(204)
}
const fillIn = (password: string) => visit.fill({ 'New password': password })

it('works after a reload, and with another reset link pasted into the same tab', async () => {
  await visit.page.goto(`${service.url}/reset`)
  await visit.problem.getByText('This link is incomplete.').waitFor()
  const link = await mailedLink()
  // Pasting a link into the tab only changes the fragment.
  await visit.page.evaluate(`location.assign(${JSON.stringify(link)})`)
  await visit.page.getByLabel('New password', { exact: true }).waitFor()
  expect(await visit.problem.isVisible()).toBe(false)
  expect(visit.page.url()).toBe(`${service.url}/reset`)
  await visit.page.reload()
  await fillIn('a long enough password')
  await visit.press('Set password')
  await visit.state.getByText('Your new password is set.').waitFor()
  await expect.poll(() => visit.heading()).toBe('Password changed')
  await expect.poll(() => getFocused(visit.page)).toBe('Password changed')
  await visit.page.reload()
  await visit.state.getByText('Your new password is set.').waitFor()
  expect(await visit.page.getByRole('button').count()).toBe(0)
})

it.each(['Set password', 'Suggest a password'])(
  'reports a used link and explains how to get a new one: %s',
  async (button) => {
    const link = await mailedLink()
    await visit.page.goto(link)
    await fillIn('a long enough password')
    await useLink(link)
    await visit.press(button)
    await visit.problem.getByText('This link has expired or was already used.').waitFor()
    expect(await visit.problem.innerText()).not.toMatch(/bearer|token/)
    expect(await visit.page.getByRole('button').count()).toBe(0)
    await visit.page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    await visit.page.getByLabel('Username or email').waitFor()
  },
)

it('shows a suggested password, and hides it on request', async () => {
  await visit.page.goto(await mailedLink())
  await visit.press('Suggest a password')
  await visit.state.getByText('Save this password in your password manager').waitFor()
  const password = visit.page.getByLabel('New password', { exact: true })
  await expect.poll(() => password.getAttribute('type')).toBe('text')
  await visit.press('Hide New password')
  await expect.poll(() => password.getAttribute('type')).toBe('password')
})

it('reports a used link at once', async () => {
  const link = await mailedLink()
  await useLink(link)
  await visit.page.goto(link)
  await visit.problem.getByText('This link has expired or was already used.').waitFor()
  expect(await visit.page.getByRole('textbox').count()).toBe(0)
})

it('names the account for people and password managers, with the rules for its password', async () => {
  await visit.page.goto(await mailedLink())
  await visit.page.getByText(`This is the new password of ${ada.user.username}.`).waitFor()
  const username = visit.page.locator('[autocomplete=username]')
  await expect.poll(() => username.inputValue()).toBe(ada.user.username)
  const rule = visit.page.getByRole('listitem').filter({ hasText: 'At least 12 characters' })
  expect(await rule.innerText()).not.toContain('done')
  await fillIn('three small orange kites')
  await rule.getByText('(done)').waitFor()
  await visit.state.getByText('Strength: strong').waitFor()
  await fillIn(`${ada.user.username} and more`)
  await visit.press('Set password')
  await visit.page.getByText('must not contain your username').waitFor()
  await expect.poll(() => getFocused(visit.page)).toBe('new-password')
})
