import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { findViolations } from '../support/axe.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { createInvited } from '../support/invitations.ts'
import { getFocused, saveFile } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person, signIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()
let visit: ConsoleVisit
let page: Page
let ada: Person
beforeEach(async () => {
  visit = await openConsole(service, browser)
  page = visit.page
  ada = await addPerson(service, { email: `${randomUUID()}@example.com`, full_name: 'Ada' })
})

const openAda = () => visit.open(`/users/${ada.user.id}`)
const dialog = () => page.getByRole('dialog')
const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
/** What the API says about the user now. */
const readUser = async ({ user }: Person = ada) => {
  const answer = await page.request.get(`${service.url}/api/2/users/${user.id}`)
  return answer.json()
}

it('creates a user with a group and a permission, once even with a double click', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const group = { name: `Editors ${randomUUID()}` }
  await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body: group })
  await visit.open('/users')
  await page.getByRole('link', { name: 'New user' }).click()
  await expect.poll(() => getFocused(page)).toBe('New user')
  await visit.press('Create')
  await page.getByText('Fill in this field.').waitFor()
  const username = `new-${randomUUID()}`
  await visit.fill({ Username: username, 'Full name': 'Grace Hopper' })
  await page.getByLabel(group.name).check()
  await page.getByLabel('Create access links').check()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create' }).dblclick()
  await visit.seeToast(`Created ${username}.`)
  await expect.poll(() => visit.heading()).toBe('Grace Hopper')
  await visit.openTab('Permissions')
  await expect.poll(() => page.getByLabel(group.name).isChecked()).toBe(true)
  const found = await page.request.get(`${service.url}/api/2/users?username=${username}`)
  expect(await found.json()).toMatchObject([{ full_name: 'Grace Hopper', permissions: ['media:access'] }])
  await visit.open('/users/new')
  await visit.fill({ Username: username })
  await visit.press('Create')
  await page.getByText('This is already taken. Choose another one.').waitFor()
})

it('changes a user, asks before changes are lost, and keeps them for those who stay', async () => {
  await openAda()
  await visit.fill({ 'Full name': 'Ada Lovelace', 'First page after sign-in': '/projects' })
  await page.getByRole('main').getByLabel('Language').selectOption('Français')
  await page.getByLabel('May change their own password').uncheck()
  // What was entered in a tab stays while another one is open, and so does the bar that saves it.
  await visit.openTab('Permissions')
  await page.getByText('You have unsaved changes.').waitFor()
  await page.getByLabel('Permission of a product').fill('not a permission')
  await page.getByRole('button', { name: 'Add Permission of a product' }).click()
  await page.getByText('Two or three words').waitFor()
  await page.getByLabel('Permission of a product').fill('projects:view')
  await page.getByRole('button', { name: 'Add Permission of a product' }).click()
  await page.getByRole('link', { name: 'Groups' }).first().click()
  await dialog().getByText('Discard your changes?').waitFor()
  expect(await findViolations(page)).toEqual([])
  await confirm('Cancel')
  expect(page.url()).toContain(`#/users/${ada.user.id}`)
  await visit.press('Save')
  await visit.seeToast('Saved.')
  await expect.poll(() => visit.heading()).toBe('Ada Lovelace')
  expect(await readUser()).toMatchObject({
    full_name: 'Ada Lovelace',
    language: 'fr',
    default_page: '/projects',
    allow_changing_password: false,
    permissions: ['projects:view'],
  })
  await visit.openTab('Profile')
  await visit.fill({ 'Full name': 'Someone else' })
  await page.getByRole('link', { name: 'Groups' }).first().click()
  await confirm('Discard changes')
  await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor()
  expect(await readUser()).toMatchObject({ full_name: 'Ada Lovelace' })
})

it('shows what the API says about a field', async () => {
  await openAda()
  await visit.fill({ 'Email address': 'no address' })
  await visit.press('Save')
  await visit.problem.getByText('Check the marked fields.').waitFor()
  const field = page.getByLabel('Email address')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
})

it('shows when two administrators changed the same field, and loses nothing', async () => {
  await openAda()
  const other = await openConsole(service, browser)
  await other.open(`/users/${ada.user.id}`)
  await visit.fill({ 'Full name': 'Ada of one', 'First page after sign-in': '/one' })
  await other.fill({ 'Full name': 'Ada of the other' })
  await other.press('Save')
  await other.seeToast('Saved.')
  await visit.press('Save')
  await dialog().getByText('someone else saved other values for: Full name.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await confirm('Use their values')
  await expect.poll(() => page.getByLabel('Full name').inputValue()).toBe('Ada of the other')
  await expect.poll(() => page.getByLabel('First page after sign-in').inputValue()).toBe('/one')
  await visit.press('Save')
  await visit.seeToast('Saved.')
  expect(await readUser()).toMatchObject({ full_name: 'Ada of the other', default_page: '/one' })
  await visit.fill({ 'Full name': 'Ada of one' })
  await other.fill({ 'Full name': 'Ada again' })
  await other.press('Save')
  await other.seeToast('Saved.')
  await visit.press('Save')
  await confirm('Save my values')
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(async () => (await readUser()).full_name).toBe('Ada of one')
})

it('disables a user, whose sessions end', async () => {
  const bearer = await signIn(service, ada)
  await openAda()
  await page.getByLabel('May sign in').uncheck()
  await visit.press('Save')
  await visit.seeToast('Saved.')
  await page.getByText('Disabled', { exact: true }).waitFor()
  expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
})

it('sends a reset link, ends sessions and removes a second factor after a question', async () => {
  const grace = await addSignedIn(service, { email: `${randomUUID()}@example.com`, full_name: 'Grace' })
  await enableSecondFactor(service, grace)
  await visit.open(`/users/${grace.user.id}`)
  await visit.pressIn('Actions', 'Send a password reset email')
  await dialog().getByText('Grace gets an email').waitFor()
  await confirm('Send a password reset email')
  await visit.seeToast('The email is on its way.')
  await visit.pressIn('Actions', 'Remove the authenticator app')
  await confirm('Remove the authenticator app')
  await visit.seeToast('The authenticator app is removed.')
  expect(await readUser(grace)).toMatchObject({ totp_enabled: false })
  await visit.openTab('Sign-in')
  await visit.press('End all sessions')
  await confirm('End all sessions')
  await visit.seeToast('All sessions ended.')
  const { bearer } = grace
  expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
})

it('sets a suggested password that the user replaces at the next sign-in', async () => {
  await openAda()
  await visit.pressIn('Actions', 'Set a password')
  await confirm('Set a password')
  await dialog().getByText('Fill in this field.').waitFor()
  await confirm('Suggest a password')
  const field = dialog().getByLabel('New password', { exact: true })
  await expect.poll(() => field.inputValue()).not.toBe('')
  const password = await field.inputValue()
  expect(await findViolations(page)).toEqual([])
  await confirm('Set a password')
  await visit.seeToast('The new password is set.')
  const body = { username: ada.user.username, password }
  const answer = await service.client('POST', '/api/2/auth/login', { body })
  expect(answer.body.reason).toBe('password_change_required')
})

it('shows users to those who may only see them, without anything to change', async () => {
  const viewer = await openConsole(service, browser, { permissions: ['users:view'] })
  await viewer.open(`/users/${ada.user.id}`)
  await expect.poll(() => viewer.page.getByLabel('Full name').isDisabled()).toBe(true)
  expect(
    await viewer.page.getByRole('button', { name: /Actions|Delete|Set a password|Act as/ }).count(),
  ).toBe(0)
  expect(await viewer.page.getByRole('link', { name: /API tokens|New user/ }).count()).toBe(0)
})

it('refuses to let a manager change an administrator', async () => {
  const manager = await openConsole(service, browser, { permissions: ['users:view', 'users:manage'] })
  await manager.open(`/users/${visit.person.user.id}`)
  await manager.openTab('Permissions')
  await expect.poll(() => manager.page.getByLabel('Administrator').isDisabled()).toBe(true)
  await manager.openTab('Profile')
  await manager.fill({ 'Full name': 'Mallory' })
  await manager.press('Save')
  await manager.problem.getByText('permissions that you do not have').waitFor()
  expect(await readUser(visit.person)).toMatchObject({ full_name: 'Root' })
})

it('shows names as text, not as HTML', async () => {
  const name = '<img src=x onerror=document.title="stolen"><b>Ada</b>'
  const mallory = await addPerson(service, { full_name: name, username: `mallory-${randomUUID()}` })
  await visit.open('/users?filter=mallory')
  await page.getByText(name).waitFor()
  await visit.open(`/users/${mallory.user.id}`)
  await expect.poll(() => visit.heading()).toBe(name)
  expect(await page.locator('main img, main b').count()).toBe(0)
  await expect.poll(() => page.title()).toContain(name)
})

it('says so when a user does not exist', async () => {
  await page.goto(`${service.url}/admin#/users/999999`)
  await visit.problem.getByText('no longer exists').waitFor()
})

it('finds users with an open invitation, and those whose address is not confirmed', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { user: invited } = await createInvited(service, admin.bearer)
  const claimed = await addPerson(service, { email: `${randomUUID()}@example.com`, emailVerified: false })
  const names = page.locator('tbody tr td:first-child a')
  await visit.open('/users')
  await page.getByRole('button', { name: 'Invited' }).click()
  await expect.poll(() => names.allInnerTexts()).toEqual([invited['username']])
  await page.getByRole('button', { name: 'Invitation expired' }).click()
  await page.getByText('Nothing matches your search.').waitFor()
  await page.getByRole('button', { name: 'Reset search and filters' }).click()
  await page.getByRole('combobox', { name: 'Email address' }).selectOption('Not confirmed')
  await expect.poll(() => names.allInnerTexts()).toEqual([claimed.user.username])
  expect(page.url()).toContain('email=unverified')
  expect(await findViolations(page)).toEqual([])
  await page.reload()
  await expect.poll(() => names.allInnerTexts()).toEqual([claimed.user.username])
})

it('shows the last sign-ins of a user, what they may do and through which group', async () => {
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const name = `Sharers ${randomUUID()}`
  const body = { name, permissions: ['media:access'], members: [{ id: ada.user.id }] }
  await service.client('POST', '/api/2/groups', { bearer, body })
  await service.client('POST', '/api/2/auth/login', {
    body: { username: ada.user.username, password: 'wrong' },
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0' },
  })
  await openAda()
  await visit.openTab('Sign-in')
  const signIns = page.getByRole('region', { name: 'Last sign-ins' })
  await signIns.getByText('Wrong name or password').waitFor()
  await signIns.getByText('Firefox · Windows').waitFor()
  await visit.openTab('Permissions')
  const mayDo = page.getByRole('region', { name: 'What this user may do' })
  await mayDo.getByText('Create access links').waitFor()
  await mayDo.getByRole('link', { name: `From the group ${name}` }).waitFor()
  expect(await findViolations(page)).toEqual([])
  const manager = await openConsole(service, browser, { permissions: ['users:manage', 'users:view'] })
  await manager.open(`/users/${ada.user.id}`)
  await manager.openTab('Permissions')
  await manager.page.getByRole('region', { name: 'What this user may do' }).waitFor()
  await manager.openTab('Sign-in')
  await manager.page.getByRole('tab', { name: 'Sign-in', selected: true }).waitFor()
  expect(await manager.page.getByRole('region', { name: 'Last sign-ins' }).count()).toBe(0)
  expect(await manager.page.getByRole('link', { name: 'Events', exact: true }).count()).toBe(0)
})

it('shows that the password of a user is still at the old system', async () => {
  const { user } = await addPerson(service, {
    passwordHash: null,
    legacySignIn: { username: 'ada', email: null },
  })
  await visit.open(`/users/${user.id}`)
  await page.getByText('At the old system', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
})

it('disables a user and enables them again', async () => {
  await openAda()
  for (const [action, isEnabled] of [
    ['Disable', false],
    ['Enable', true],
  ] as const) {
    await visit.pressIn('Actions', action)
    await confirm(action)
    await expect.poll(async () => (await readUser()).is_enabled).toBe(isEnabled)
  }
})

it('disables 30 pasted names with four actions, and reports who is left', async () => {
  const leavers = await Promise.all(
    Array.from({ length: 29 }, () => addPerson(service, { email: `${randomUUID()}@example.com` })),
  )
  const boss = await addPerson(service, { permissions: ['system:admin-access'] })
  const manager = await openConsole(service, browser, { permissions: ['users:view', 'users:manage'] })
  const { page } = manager
  // The service asks to slow down once.
  let refusals = 1
  await page.route('**/api/2/users/*', (route) => {
    if (route.request().method() !== 'PATCH' || refusals-- <= 0) return route.continue()
    return route.fulfill({
      status: 429,
      headers: { 'retry-after': '1', 'content-type': 'application/problem+json' },
      body: JSON.stringify({ code: 'too_many_requests', status: 429, title: 'Too many requests' }),
    })
  })
  await manager.open('/users')
  const names = [...leavers.map(({ user }, at) => (at % 2 ? user.username : user.email)), boss.user.username]
  await page.getByRole('button', { name: 'Find several users' }).click()
  await page.getByLabel('Usernames or email addresses').fill([...names, 'missing-name'].join('\n'))
  await page.getByRole('dialog').getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('30 users selected').waitFor()
  await page.getByText('Not found: missing-name').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByRole('heading', { name: 'Disable: 30 users' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByText('Done: 29. Failed: 1. Not tried: 0.').waitFor()
  const failure = page.getByRole('dialog').getByRole('listitem')
  expect(await failure.innerText()).toContain(boss.user.username)
  expect(await failure.innerText()).toContain('permissions that you do not have')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  // What failed stays selected.
  await page.getByText('1 user selected').waitFor()
  await expect.poll(() => page.locator('tbody').getByText('Disabled', { exact: true }).count()).toBe(29)
  for (const leaver of leavers) expect(await readUser(leaver)).toMatchObject({ is_enabled: false })
})

it('saves what the service stores about a user, with their events', async () => {
  await signIn(service, ada)
  await openAda()
  const { text } = await saveFile(page, () => visit.pressIn('Actions', 'Save their data'))
  const data = JSON.parse(text)
  expect(data.user).toMatchObject({ id: ada.user.id, email: ada.user.email })
  expect(data.sessions).toHaveLength(1)
  expect(data.audit_events).toContainEqual(
    expect.objectContaining({ event: 'login.succeeded', user: ada.user.id }),
  )
  expect(text).not.toContain('bcrypt')
})

it('finds users without a second factor, whom no one has seen for long, apart from guests', async () => {
  const secured = await addSignedIn(service)
  await enableSecondFactor(service, secured)
  const search = ada.user.username.slice(0, 12)
  await visit.open(`/users?filter=${search}`)
  const rows = page.getByRole('table').locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByText('More filters').click()
  await page.getByRole('combobox', { name: 'Last seen' }).selectOption('Not for 90 days or more')
  await page.getByLabel('Kind').selectOption('All')
  await expect.poll(() => rows.count()).toBe(1)
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Second factor').selectOption('On')
  await expect.poll(() => rows.count()).toBe(0)
  await page.reload()
  // The address has the filters.
  await expect.poll(() => page.getByLabel('Kind').inputValue()).toBe('all')
  await visit.open(`/users?filter=${secured.user.username}&factor=with`)
  await expect.poll(() => rows.count()).toBe(1)
})
