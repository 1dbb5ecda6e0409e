import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { openPage } from '../support/pages.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

/* People and administrators remove ways to sign in. The pages say before what is left. */

const service = await useService({}, { hostname: 'localhost' })
const browser = await shareBrowser()

/** Adds a person whom nothing but a passkey signs in. */
const addPasskeyOnly = async (fields: object = {}): Promise<SignedInPerson> => {
  const person = await addSignedIn(service, {
    email: `${randomUUID()}@example.com`,
    full_name: 'Ada',
    ...fields,
  })
  await addPasskey(service, person)
  await service.services.table.update({ pk: `user#${person.user.id}`, sk: 'user' }, (x) => ({
    set: [`${x.path('passwordHash')} = ${x.value(null)}`],
  }))
  return person
}

it('the console says before that nothing is left, and sends an invitation with the removal', async () => {
  const ada = await addPasskeyOnly()
  const { page, open, openTab, press, seeToast } = await openConsole(service, browser)
  await open(`/users/${ada.user.id}`)
  await openTab('Sign-in')
  await press('Remove Passkey')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Ada then has no way to sign in that works.').waitFor()
  const choice = dialog.getByLabel('How Ada gets in again')
  expect(await choice.locator('option').allInnerTexts()).toEqual([
    'Send an invitation',
    'Send a password reset email',
    'Send nothing',
  ])
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await seeToast('The passkey is removed.')
  const link = await readMailedLink(service, ada.user.email, 'invite')
  const reader = await openPage(browser)
  await reader.page.goto(link)
  await expect.poll(reader.heading).toContain('Welcome')
})

it('the console says nothing about it while something is left', async () => {
  const person = await addSignedIn(service, { full_name: 'Grace' })
  await addPasskey(service, person)
  const { page, open, openTab, press } = await openConsole(service, browser)
  await open(`/users/${person.user.id}`)
  await openTab('Sign-in')
  const asked = page.waitForResponse((answer) => answer.url().includes('/sign-in-ways'))
  await press('Remove Passkey')
  expect((await asked).status()).toBe(200)
  await page.getByRole('dialog').getByText('Grace can no longer sign in with Passkey').waitFor()
  expect(await page.getByRole('dialog').getByRole('alert').allInnerTexts()).toEqual([])
})

it('the account page keeps the last passkey, and says what helps', async () => {
  const { bearer } = await addPasskeyOnly()
  const { page, press, problem } = await openPage(browser)
  await page.context().addCookies([{ name: 'latchkey', value: bearer, url: service.url }])
  await page.goto(`${service.url}/account#/passkeys`)
  await press('Remove Passkey')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await problem.getByText('This is your last way to sign in that works.').waitFor()
  expect(await findViolations(page)).toEqual([])
})
