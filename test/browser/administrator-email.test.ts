import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findUser } from '../../lib/store/directory/users.ts'
import { findViolations } from '../support/axe.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson, type Person } from '../support/people.ts'
import { type Product, startProduct } from '../support/product.ts'
import { startService, type TestService } from '../support/service.ts'
import { shareBrowser } from '../support/shared-browser.ts'

/* Administrators without a confirmed email address are asked for one after they have signed in. */

let product: Product
let service: TestService
const browser = await shareBrowser()
beforeAll(async () => {
  product = await startProduct()
  service = await startService({ ALLOWED_ORIGINS: product.url })
  product.trust(service.url)
})
afterAll(async () => {
  await service.close()
  await product.close()
})

const addAdministrator = (fields: object = {}) =>
  addPerson(service, { permissions: ['system:admin-access'], fullName: 'Grace', ...fields })
const signIn = async (visit: BrowserPage, { user, password }: Person) => {
  await visit.page.goto(`${service.url}/?return_to=${encodeURIComponent(`${product.url}/cart`)}&prompt=login`)
  await visit.fill({ 'Username or email': user.username, Password: password })
  await visit.press('Sign in')
}
const heading = (visit: BrowserPage, name: string) =>
  visit.page.getByRole('heading', { name, exact: true }).waitFor()

it('asks until the address is confirmed, and leads on', async () => {
  const [visit, admin, email] = [
    await openPage(browser),
    await addAdministrator(),
    `${randomUUID()}@example.com`,
  ]
  await signIn(visit, admin)
  await heading(visit, 'Add your email address')
  await visit.fill({ 'Email address': 'grace' })
  await visit.press('Send the link')
  await visit.page.getByText('Enter an email address such as name@example.com.').waitFor()
  expect(await findViolations(visit.page)).toEqual([])
  await visit.fill({ 'Email address': email })
  await visit.press('Send the link')
  await visit.state.getByText(`A link is on its way to ${email}.`).waitFor()
  await visit.press('Continue')
  await heading(visit, 'Hello Grace')

  await visit.page.goto(await readMailedLink(service, email, 'confirm'))
  await visit.press('Confirm address')
  await visit.state.waitFor()
  await expect.poll(() => findUser(service.services.table, admin.user.id)).toMatchObject({ email })
  await signIn(visit, admin)
  await heading(visit, 'Hello Grace')
})

it('asks later if they put it off, and shows an address that is not confirmed', async () => {
  const email = `${randomUUID()}@example.com`
  const admin = await addAdministrator({ email, emailVerified: false })
  const visit = await openPage(browser)
  await signIn(visit, admin)
  await heading(visit, 'Add your email address')
  expect(await visit.page.getByLabel('Email address').inputValue()).toBe(email)
  await visit.press('Later')
  await heading(visit, 'Hello Grace')
  await signIn(visit, admin)
  await heading(visit, 'Hello Grace')
  // Another browser does not know that.
  const other = await openPage(browser)
  await signIn(other, admin)
  await heading(other, 'Add your email address')
})

it('asks no one else', async () => {
  const visit = await openPage(browser)
  await signIn(visit, await addPerson(service, { fullName: 'Ada' }))
  await heading(visit, 'Hello Ada')
})
