import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { addLink, deleteLink, getLink } from '../support/links.ts'
import { addSignedIn, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let page: Page
let creator: Person & { readonly bearer: string }
beforeAll(async () => {
  service = await startService()
  creator = await addSignedIn(service, { permissions: ['media:access'] })
  browser = await launchChromium()
})
beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  page.on('pageerror', (error) => expect.unreachable(error.message))
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const state = () => page.getByRole('status')
const problem = () => page.getByRole('alert')
const viewsLeft = async (id: number) => (await getLink(service, creator.bearer, id)).body.view_limit_left

it('takes no view until the button is pressed, and then opens a session in the browser', async () => {
  const link = await addLink(service, creator.bearer, { view_limit: 1 })
  await page.goto(link.full_url)
  await state().getByText('Something was shared with you.').waitFor()
  expect(page.url()).toBe(`${service.url}/link`)
  expect(await viewsLeft(link.id)).toBe(1)
  await press('Open')
  await state().getByText(`You are in as ${link.user.display_name}.`).waitFor()
  expect(await viewsLeft(link.id)).toBe(0)
  const me = await page.request.get(`${service.url}/api/2/users/me`)
  expect((await me.json()).id).toBe(link.user.id)
})

it('asks for the password of a link that has one', async () => {
  const link = await addLink(service, creator.bearer, { view_limit: 1, password: 'for your eyes only' })
  await page.goto(link.full_url)
  await page.getByLabel('Password of the link').fill('not that')
  await press('Open')
  await problem().getByText('The password of the link is wrong.').waitFor()
  await page.getByLabel('Password of the link').fill('for your eyes only')
  await press('Open')
  await state().getByText('You are in as').waitFor()
})

it('leads to the sign-in page whom the link asks to sign in', async () => {
  const link = await addLink(service, creator.bearer, { user: creator.user.id })
  await page.goto(link.full_url)
  await press('Open')
  await problem().getByText('Sign in first').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
})

it('says plainly that a link doesn’t work', async () => {
  const link = await addLink(service, creator.bearer)
  await deleteLink(service, creator.bearer, link.id)
  for (const url of [link.full_url, `${service.url}/link`, `${service.url}/link#token=../users/me`]) {
    await page.goto('about:blank')
    await page.goto(url)
    await problem().getByText('This link doesn’t work').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  }
})
