import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { addLink, deleteLink } from '../support/links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const creator = await addSignedIn(service, { full_name: 'Grace Hopper', permissions: ['media:access'] })
const browser = await shareBrowser()
let page: Page
beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(10_000)
  page.on('pageerror', (error) => expect.unreachable(error.message))
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const state = () => page.getByRole('status')
const problem = () => page.getByRole('alert')

it('keeps the link open after a reload until the guest signs out', async () => {
  const link = await addLink(service, creator.bearer, { view_limit: 1 })
  await page.goto(link.full_url)
  await press('Open')
  await state().getByText('The link is open.').waitFor()
  await page.reload()
  await state().getByText('The link is open. You are signed in as a guest').waitFor()
  await page.getByRole('listitem').getByText(link.shared_bundles[0].name).waitFor()
  await press('Sign out')
  await state().getByText('You are signed out.').waitFor()
  expect((await page.request.get(`${service.url}/api/2/users/me`)).status()).toBe(401)
  await page.reload()
  await state().getByText('You are signed out.').waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
})

it('sends the recipient to the sign-in page and back to the link', async () => {
  const link = await addLink(service, creator.bearer, { user: creator.user.id })
  await page.goto(link.full_url)
  await press('Open')
  await problem().getByText('This link is for one person only. Sign in first').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Username or email').fill(creator.user.username)
  await page.getByLabel('Password', { exact: true }).fill(creator.password)
  expect(page.url()).toBe(`${service.url}/`)
  await press('Sign in')
  await state()
    .getByText('Grace Hopper shared something with you. You are signed in as Grace Hopper.')
    .waitFor()
  expect(page.url()).toBe(`${service.url}/link`)
  await press('Open')
  await state().getByText('You are signed in as Grace Hopper').waitFor()
})

it('still shows the link after going back from the sign-in page and after a reload', async () => {
  const link = await addLink(service, creator.bearer, { user: creator.user.id })
  await page.goto(link.full_url)
  await press('Open')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Username or email').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Open' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Open' }).waitFor()
  expect(await problem().isVisible()).toBe(false)
  expect(page.url()).toBe(`${service.url}/link`)
})

it('follows only access links of this service after sign-in', async () => {
  for (const link of ['//evil.example', 'https://evil.example', 'javascript:alert(1)', 'lka_x/../../x', '']) {
    await page.goto('about:blank')
    await page.goto(`${service.url}/#link=${encodeURIComponent(link)}`)
    await page.getByLabel('Username or email').fill(creator.user.username)
    await page.getByLabel('Password', { exact: true }).fill(creator.password)
    await press('Sign in')
    await state().getByText('You are signed in as').waitFor()
    expect(page.url()).toBe(`${service.url}/`)
    await page.context().clearCookies()
  }
})

it('keeps the session of a person who opens a link for a guest', async () => {
  const ada = await addPerson(service, { full_name: 'Ada' })
  const link = await addLink(service, creator.bearer, { view_limit: 1 })
  await page.request.post(`${service.url}/api/2/auth/login`, {
    data: { username: ada.user.username, password: ada.password },
  })
  await page.goto(link.full_url)
  await state().getByText('You are signed in as Ada. You stay signed in when you open the link.').waitFor()
  await press('Open')
  for (const again of [false, true]) {
    if (again) await page.reload()
    await state().getByText('The link is open. You are signed in as Ada in this browser.').waitFor()
    await page.getByRole('listitem').getByText(link.shared_bundles[0].name).waitFor()
    const me = await page.request.get(`${service.url}/api/2/users/me`)
    expect((await me.json()).id).toBe(ada.user.id)
  }
})

it('does not name what a link with a password shares before it is open', async () => {
  const link = await addLink(service, creator.bearer, { password: 'for your eyes only' })
  await page.goto(link.full_url)
  await state().getByText('Grace Hopper shared something with you.').waitFor()
  expect(await page.getByRole('listitem').count()).toBe(0)
})

it('keeps a recipient signed in with all their rights when they open their own link', async () => {
  const ada = await addPerson(service, { full_name: 'Ada', permissions: ['users:view'] })
  const link = await addLink(service, creator.bearer, { user: ada.user.id })
  await page.request.post(`${service.url}/api/2/auth/login`, {
    data: { username: ada.user.username, password: ada.password },
  })
  await page.goto(link.full_url)
  await state()
    .getByText('Grace Hopper shared something with you. You are signed in as Ada.', { exact: true })
    .waitFor()
  await press('Open')
  await state().getByText('You are signed in as Ada').waitFor()
  const readUsers = async () => (await page.request.get(`${service.url}/api/2/users`)).status()
  expect(await readUsers()).toBe(200)
  await press('Sign out')
  await state().getByText('You are signed out.').waitFor()
  expect(await readUsers()).toBe(401)
})

it('shows another user that the link is for someone else, and which account is signed in', async () => {
  const ada = await addPerson(service, { full_name: 'Ada' })
  const link = await addLink(service, creator.bearer, { user: creator.user.id })
  await page.request.post(`${service.url}/api/2/auth/login`, {
    data: { username: ada.user.username, password: ada.password },
  })
  await page.goto(link.full_url)
  await press('Open')
  await problem().getByText('This link is for someone else. You are signed in as Ada.').waitFor()
  await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
  await press('Sign out')
  await page.getByLabel('Username or email').fill(creator.user.username)
  await page.getByLabel('Password', { exact: true }).fill(creator.password)
  await press('Sign in')
  await press('Open')
  await state().getByText('You are signed in as Grace Hopper').waitFor()
})

it('reports an unusable link and accepts a working one in the same tab', async () => {
  const link = await addLink(service, creator.bearer)
  await deleteLink(service, creator.bearer, link.id)
  const good = await addLink(service, creator.bearer)
  for (const [url, sentence] of [
    [link.full_url, 'This link is invalid or has expired.'],
    [`${service.url}/link`, 'This link is incomplete.'],
    [`${service.url}/link#token=`, 'This link is incomplete.'],
    [`${service.url}/link#token=../users/me`, 'This link is invalid or has expired.'],
  ]) {
    await page.goto('about:blank')
    await page.goto(url)
    await problem().getByText(sentence).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    // Pasting a link into the tab only changes the fragment.
    await page.evaluate(`location.assign(${JSON.stringify(good.full_url)})`)
    await page.getByRole('button', { name: 'Open' }).waitFor()
    expect(await problem().isVisible()).toBe(false)
    expect(page.url()).toBe(`${service.url}/link`)
    await page.goBack()
    await problem().getByText(sentence).waitFor()
  }
})

it('shows the matching link in each entry of the tab history', async () => {
  const [first, second] = [await addLink(service, creator.bearer), await addLink(service, creator.bearer)]
  await page.goto(first.full_url)
  await page.getByRole('button', { name: 'Open' }).waitFor()
  await page.evaluate(`location.assign(${JSON.stringify(second.full_url)})`)
  await press('Open')
  await state().getByText('The link is open.').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Open' }).waitFor()
  await expect.poll(() => page.title()).toBe('Shared with you – Latchkey')
  await page.goForward()
  await state().getByText('The link is open.').waitFor()
  await press('Sign out')
  await state().getByText('You are signed out.').waitFor()
  await page.goBack()
  await press('Open')
  await state().getByText('The link is open.').waitFor()
  await page.goForward()
  await state().getByText('You are signed out.').waitFor()
})
