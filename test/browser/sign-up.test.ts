import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { addSignedIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'
import { shareBrowser } from '../support/shared-browser.ts'

let service: TestService
const browser = await shareBrowser()
beforeAll(async () => {
  service = await startService({}, { hostname: 'localhost' })
})
afterAll(() => service.close())

it('leads from the sign-in page over an email and an approval to an account', async () => {
  const { page: console, open } = await openConsole(service, browser)
  await open('/sign-up')
  await console.getByLabel('Who may sign up').selectOption('approval')
  await console.getByLabel('Version of the terms').fill('2026-01')
  await console.getByLabel('Web address of the terms').fill('https://www.example.com/terms')
  expect(await findViolations(console)).toEqual([])
  await console.getByRole('button', { name: 'Save' }).click()
  await console.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })

  const email = `${randomUUID()}@example.com`
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${service.url}/sign-up`)
  await page.getByLabel('Email address').fill(email)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('a link is on its way').waitFor()
  await page.goto(await readMailedLink(service, email, 'sign-up'))
  await page.getByLabel('Your full name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Request an account' }).click()
  await page.getByText('Accept the terms to continue.').waitFor()
  await page.getByLabel('I accept the terms of use').check()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Request an account' }).click()
  await page.getByRole('heading', { name: 'Your request was received' }).waitFor()

  await console.reload()
  const approve = console.getByRole('button', { name: `Approve ${email}` })
  await approve.waitFor()
  expect(await findViolations(console)).toEqual([])
  await approve.click()
  await console.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await console.getByText('No one waits for an account.').waitFor()
  await page.goto(await readMailedLink(service, email, 'invite'))
  await page.getByText(`Your username is ${email}`).waitFor()
})

it('offers a passkey before a password to those who sign up', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  await service.client('PUT', '/api/2/system/sign-up-policy', {
    bearer: admin.bearer,
    body: { mode: 'open' },
  })
  const email = `${randomUUID()}@example.com`
  await service.client('POST', '/api/2/auth/sign-up', { body: { email } })
  const page = await (await browser.newContext()).newPage()
  await page.goto(await readMailedLink(service, email, 'sign-up'))
  await page.getByLabel('Your full name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Continue' }).click()
  const buttons = page.getByRole('main').getByRole('button')
  await page.getByRole('button', { name: 'Create a passkey' }).waitFor()
  expect(await buttons.first().textContent()).toContain('Create a passkey')
  await page.getByLabel('Choose a password', { exact: true }).fill('violet tractor under nine moons')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.waitForURL(`${service.url}/account**`)
})
