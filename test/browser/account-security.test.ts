import { expect, it } from 'vitest'
import { ageProofs, openAccount } from '../support/account-pages.ts'
import { getFocused } from '../support/pages.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

it.each([
  [{ passwordHash: null }, 'This account has no password.'],
  [{ allow_changing_password: false }, 'You cannot change the password of this account.'],
])('explains why %o leaves no password to change', async (fields, text) => {
  const visit = await openAccount(service, browser, 'profile')
  const { table } = service.services
  await table.update({ pk: `user#${visit.person.user.id}`, sk: 'user' }, (x) => ({
    set: Object.entries(fields).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
  }))
  await visit.page.goto(`${service.url}/account#/password`)
  await visit.page.reload()
  await visit.page.getByText(text).waitFor()
  expect(await visit.page.getByLabel('New password', { exact: true }).count()).toBe(0)
})

it('changes nothing if the person does not confirm their identity, and returns the focus', async () => {
  const visit = await openAccount(service, browser, 'two-step')
  await ageProofs(service, visit.person)
  await visit.press('Set up')
  await visit.fill({ 'Code from your authenticator app': '123456' })
  await visit.page.getByRole('dialog').waitFor()
  await visit.page.keyboard.press('Escape')
  await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => getFocused(visit.page)).toBe('otp')
  expect(await visit.problem.getByText(/./).count()).toBe(0)
})
