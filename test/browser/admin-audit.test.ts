import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { putAuditEvent } from '../../lib/accounts/events/records.ts'
import { findViolations } from '../support/axe.ts'
import { addLink } from '../support/links.ts'
import { type BrowserPage, openPage, saveFile } from '../support/pages.ts'
import { addPerson, addSignedIn, callAs, trySignIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()
let visit: BrowserPage
beforeEach(async () => {
  visit = await openLog()
})

const openLog = async (): Promise<BrowserPage> => {
  const opened = await openPage(browser)
  const { user, password } = await addPerson(service, { permissions: ['system:admin-access'] })
  const data = { username: user.username, password }
  await opened.page.request.post(`${service.url}/api/2/auth/login`, { data })
  await opened.page.goto(`${service.url}/admin#/audit-events`)
  await opened.page.getByRole('table').waitFor()
  return opened
}

const failSignIn = (username: string, userAgent: string) =>
  service.client('POST', '/api/2/auth/login', {
    body: { username, password: 'wrong' },
    headers: { 'user-agent': userAgent },
  })

it('shows events in words, with their details', async () => {
  await failSignIn('<img src=x onerror=alert(1)>', '<script>alert(2)</script>')
  const { page } = visit
  await page.getByLabel('Event', { exact: true }).selectOption('Sign-in refused')
  await page
    .getByRole('button', { name: /^A sign-in as .* was refused\.$/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('<script>alert(2)</script>').waitFor()
  await dialog.getByText('A sign-in as someone was refused.').waitFor()
  await dialog.getByText('login.failed').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.count()).toBe(0)
  expect(page.url()).toContain('#/audit-events?event=login.failed')
  await page.getByText('Wrong name or password').first().waitFor()
})

it('says who disabled whom, who gave which permission, and what changed', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { user } = await addPerson(service, { full_name: 'Ada Byron' })
  const change = async (body: object) => {
    const { status, text } = await callAs(service, admin)('PATCH', `users/${user.id}`, body)
    expect(status, text).toBe(200)
  }
  await change({ is_enabled: false })
  await change({ permissions: ['films:edit', 'films:view'] })
  await change({ full_name: 'Ada Lovelace', permissions: ['films:view'], default_page: '/films' })
  const { page } = visit
  await page.goto(`${service.url}/admin#/audit-events?user=${user.id}`)
  const { username: by } = admin.user
  await page.getByRole('button', { name: `${by} disabled ${user.username}.` }).waitFor()
  const given = `${by} gave ${user.username} permissions: films:edit, films:view.`
  await page.getByRole('button', { name: given }).click()
  const dialog = page.getByRole('dialog')
  const row = (name: string) => dialog.getByRole('row').filter({ hasText: name })
  await row('films:edit').getByText('–').waitFor()
  await page.keyboard.press('Escape')
  const sentence = `${by} changed the account of ${user.username}: `
  await page
    .getByRole('button', { name: new RegExp(`^${sentence}.*Full name Ada Byron → Ada Lovelace`) })
    .click()
  await row('Ada Byron').getByText('Ada Lovelace').waitFor()
  // The label of the form, with the name that the API has.
  await row('First page after sign-in').getByText('default_page').waitFor()
  await row('default_page').getByText('changed, without its values').waitFor()
  await row('films:edit').getByText('–').waitFor()
  expect(await findViolations(page)).toEqual([])
})

it('leads from an API token to what it did', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { body: token } = await callAs(service, admin)('POST', 'api-tokens', { name: 'Deploy robot' })
  const { user } = await addPerson(service)
  const path = `/api/2/users/${user.id}`
  await service.client('PATCH', path, { bearer: token.token, body: { permissions: ['films:edit'] } })
  await service.client('PATCH', path, { bearer: admin.bearer, body: { permissions: ['films:view'] } })
  const { page } = visit
  await page.goto(`${service.url}/admin#/api-tokens`)
  await page.getByRole('link', { name: 'Deploy robot' }).click()
  await page.getByRole('heading', { level: 1, name: 'Deploy robot' }).waitFor()
  const given = `The API token Deploy robot gave ${user.username} permissions: films:edit.`
  await page.getByRole('region', { name: 'History' }).getByText(given).waitFor()
  const network = page.getByRole('region', { name: 'Networks' }).getByText('127.0.0.1')
  await network.waitFor()
  await page.getByRole('region', { name: 'API token' }).getByText('Everything that the user may do').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Open in the audit log' }).click()
  await page.getByRole('button', { name: given }).waitFor()
  expect(await page.getByRole('table').getByRole('button').count()).toBe(1)
  await page.goBack()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The API token is revoked.').waitFor()
  const refused = await service.client('GET', '/api/2/users/me', { bearer: token.token })
  expect(refused.status).toBe(401)
  await page.goBack()
  await page.getByText('It has ended. What was done with it stays in the audit log.').waitFor()
  await page.getByRole('region', { name: 'History' }).getByText(given).waitFor()
})

it('leads from a session and from an API token of an organization to what was done with it', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const call = callAs(service, admin)
  const { user } = await addPerson(service)
  await call('PATCH', `users/${user.id}`, { permissions: ['films:edit'] })
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  const { body: organization } = await call('POST', 'organizations', { name: 'Film archive', slug })
  const path = `organizations/${organization.id}`
  const owner = await addSignedIn(service)
  await call('POST', `${path}/members`, { user: owner.user.id, roles: ['owner'] })
  const permissions = ['org:members:manage', 'org:members:view']
  const { body: token } = await callAs(service, owner)('POST', `${path}/api-tokens`, {
    name: 'Import',
    permissions,
  })
  await call('POST', `${path}/members`, { user: user.id, roles: ['member'] })
  const removed = await service.client('DELETE', `/api/2/${path}/members/${user.id}`, { bearer: token.token })
  expect(removed.status, removed.text).toBe(204)
  const { page } = visit
  await page.goto(`${service.url}/admin#/users/${admin.user.id}?tab=sign-in`)
  await page.getByRole('region', { name: 'Sessions' }).getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: /^Session of / }).waitFor()
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText(`gave ${user.username} permissions: films:edit.`).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.goto(`${service.url}/admin#/organizations/${organization.id}?tab=api-tokens`)
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
  await page.getByRole('region', { name: 'Networks' }).getByText('127.0.0.1').waitFor()
  await history.getByText('Import').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('heading', { level: 1, name: 'Film archive' }).waitFor()
  await page.goBack()
  await page.getByText('It has ended. What was done with it stays in the audit log.').waitFor()
})

it('undoes an event, and nothing if it was changed since', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const call = callAs(service, admin)
  const { user } = await addPerson(service)
  const read = async () => (await call('GET', `users/${user.id}`)).body
  await call('PATCH', `users/${user.id}`, { permissions: ['films:view'] })
  await call('PATCH', `users/${user.id}`, { is_enabled: false })
  const { body: policy } = await call('GET', 'system/password-policy')
  await call('PUT', 'system/password-policy', { ...policy, min_length: 19 })
  const { page } = visit
  const open = async (query: string, name: RegExp) => {
    await page.goto(`${service.url}/admin#/audit-events?${query}`)
    await page.getByRole('button', { name }).first().click()
  }
  const undo = () => page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await open(`user=${user.id}`, / disabled /)
  expect(await findViolations(page)).toEqual([])
  await undo()
  await page.getByText('Undone.').waitFor()
  await page.getByRole('button', { name: / enabled / }).waitFor()
  expect((await read()).is_enabled).toBe(true)
  await open(`user=${user.id}&field=permissions`, /films:view/)
  await call('PATCH', `users/${user.id}`, { permissions: ['films:edit'] })
  await undo()
  await page.getByText('This has changed since. Nothing was undone.').waitFor()
  expect((await read()).permissions).toEqual(['films:edit'])
  await open('field=min_length', /19/)
  await undo()
  await expect.poll(async () => (await call('GET', 'system/password-policy')).body).toEqual(policy)
})

it('filters by who acted, credential, organization and field with clicks, and takes each off again', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const call = callAs(service, admin)
  const { username } = admin.user
  const { body: token } = await call('POST', 'api-tokens', { name: 'Nightly job' })
  const { user } = await addPerson(service)
  const { body: acme } = await call('POST', 'organizations', { name: 'Acme', slug: `acme-${user.id}` })
  const change = (bearer: string, permissions: readonly string[]) =>
    service.client('PATCH', `/api/2/users/${user.id}`, { bearer, body: { permissions } })
  await change(admin.bearer, ['films:edit'])
  await change(token.token, ['films:view'])
  const { page } = visit
  const rows = page.getByRole('table').getByRole('button')
  const onlyOf = (text: string) => page.getByRole('button', { name: `Only ${text}`, exact: false })
  const open = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const choose = async (link: string) => {
    await page.getByRole('dialog').getByRole('link', { name: link, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  // Who acted is found by their name.
  await page.getByText('More filters').click()
  await page.getByLabel('Find who acted').fill(username)
  await page.getByRole('button', { name: `Show events ${username}` }).click()
  await onlyOf(`events by ${username}`).waitFor()
  await expect.poll(() => rows.allTextContents()).toHaveLength(5)

  // The credential of an event leads to what else it did.
  await open(/^The API token Nightly job changed the account/)
  await choose('Only events with: the API token Nightly job')
  await expect.poll(() => rows.count()).toBe(1)
  const address = page.url()
  expect(address).toContain('credential=api_token')
  await onlyOf('events with').click()
  await expect.poll(() => rows.count()).toBe(5)
  await onlyOf('events by').click()
  await expect.poll(() => page.url()).not.toContain('actor')

  // So does the organization, and a field.
  await page.goto(`${service.url}/admin#/audit-events?actor=${admin.user.id}`)
  await open(`${username} created the organization Acme.`)
  await choose('Only events of: Acme')
  await onlyOf('events of: Acme').waitFor()
  expect(page.url()).toContain(`organization=${acme.id}`)
  await onlyOf('events of: Acme').click()
  await page.getByLabel('Changed field').selectOption('permissions')
  await onlyOf('changes of: Permissions').waitFor()
  expect(page.url()).toContain('field=permissions')

  // The address alone shows the same to others.
  const other = await openLog()
  await other.page.goto(address)
  await other.page.getByRole('button', { name: 'Only events with: the API token Nightly job' }).waitFor()
  await expect.poll(() => other.page.getByRole('table').getByRole('button').count()).toBe(1)
  expect(await findViolations(page)).toEqual([])
})

it('says on the page of a policy who changed what and when, once it is asked', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const call = callAs(service, admin)
  const { body: policy } = await call('GET', 'system/password-policy')
  const { body: acme } = await call('POST', 'organizations', {
    name: 'Acme',
    slug: `history-${admin.user.id}`,
  })
  await call('PATCH', `organizations/${acme.id}`, { member_limit: 50 })
  await call('PUT', 'system/password-policy', { ...policy, min_length: 17 })
  const { page } = visit
  await page.goto('about:blank')
  const requests = countRequests(page)
  await page.goto(`${service.url}/admin#/policies`)
  await page.getByLabel('Minimum length').waitFor()
  expect(requests.count).toBe(0)
  await page.getByText('History', { exact: true }).click()
  const change = `${admin.user.username} changed the password rules: Minimum length in characters ${policy.min_length ?? '–'} → 17.`
  const entry = page.locator('.timeline > li').filter({ hasText: change })
  await entry.locator('time').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Open in the audit log' }).click()
  await page.getByRole('button', { name: 'Last 30 days' }).click()
  await page.getByRole('button', { name: change }).waitFor()
  await page.goto(`${service.url}/admin#/organizations/${acme.id}`)
  await page.getByText('History', { exact: true }).click()
  const limit = `${admin.user.username} changed the organization Acme: Most members – → 50.`
  await page.locator('.timeline > li').filter({ hasText: limit }).waitFor()
})

it('calls the guest of a link without a recipient anyone with the link', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { user } = await addLink(service, admin.bearer)
  const { page } = visit
  await page.goto(`${service.url}/admin#/audit-events?user=${user.id}`)
  await page
    .getByRole('button', {
      name: `${admin.user.username} created the account of a guest for an access link.`,
    })
    .click()
  await page.getByRole('dialog').getByRole('link', { name: 'Anyone with the link', exact: true }).waitFor()
  await page.goto(`${service.url}/admin#/access-links`)
  await page.getByRole('cell').getByRole('link', { name: 'Anyone with the link', exact: true }).waitFor()
})

it('shows twelve events in a small window, each in a line', async () => {
  const { user } = await addPerson(service)
  for (let count = 0; count < 14; count += 1)
    await putAuditEvent(service.services.table, {
      ...{ ...event, event: 'user.changed', user: user.id, actor: user.id, at: Date.now() },
      ...{ outcome: 'succeeded', target: 'is_external', credential: 'api_token', credentialId: 4711 },
      changes: ['is_external', 'password_change_required', 'allow_changing_password'].map((field) => ({
        ...{ field, from: false, to: true },
      })),
    })
  const { page } = visit
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await page
    .getByRole('button', { name: /^An API token of .* changed the account of .* no → yes/ })
    .nth(13)
    .waitFor()
  const boxes = await Promise.all(
    (await page.locator('tbody tr').all()).slice(0, 12).map((row) => row.boundingBox()),
  )
  for (const box of boxes) expect(box?.height).toBeLessThan(45)
  expect((boxes[11]?.y ?? 800) + (boxes[11]?.height ?? 800)).toBeLessThanOrEqual(800)
})

const event = {
  event: 'login.failed',
  user: null,
  actor: null,
  address: '192.0.2.7',
  requestId: 'the-request',
  target: null,
  userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0',
} as const

/** The requests that the page sends for events. */
const countRequests = (page: Page): { count: number } => {
  const requests = { count: 0 }
  page.on('request', (request) => {
    if (request.url().includes('/audit-events?')) requests.count += 1
  })
  return requests
}

it('names the object of an event, and leads to it', async () => {
  const { page } = visit
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const name = '<b>Editors</b> of films'
  const { body } = await callAs(service, admin)('POST', 'groups', { name, permissions: [] })
  await putAuditEvent(service.services.table, {
    ...{ ...event, event: 'oidc_client.authorized', target: '4711', at: Date.now(), outcome: 'succeeded' },
  })
  await page.goto(`${service.url}/admin#/audit-events?event=group.created`)
  const table = page.getByRole('table')
  await visit.press('Columns')
  await page.getByRole('checkbox', { name: 'Object', exact: true }).check()
  await page.keyboard.press('Escape')
  await expect.poll(() => table.getByRole('link', { name }).getAttribute('href')).toBe(`#/groups/${body.id}`)
  await table.getByRole('button', { name: `${admin.user.username} created the group ${name}.` }).waitFor()
  await page.goto(`${service.url}/admin#/audit-events?event=oidc_client.authorized`)
  // It does not exist, so it has no name, and no link that would lead nowhere.
  await table.getByText('App 4711', { exact: true }).waitFor()
  // No one is known who did it.
  await table.getByRole('button', { name: 'Someone signed in to the app App 4711.' }).waitFor()
  expect(await table.getByRole('link', { name: 'App 4711' }).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
})

it('exports the sign-ins of yesterday with their addresses after two choices', async () => {
  const { page } = visit
  // Noon of yesterday is the same day wherever the browser is.
  const yesterday = new Date()
  yesterday.setHours(12, 0, 0, 0)
  const at = yesterday.getTime() - 86_400_000
  const signIn = { ...event, event: 'login.succeeded', outcome: 'succeeded' } as const
  await putAuditEvent(service.services.table, { ...signIn, at, address: '192.0.2.44' })
  await putAuditEvent(service.services.table, { ...signIn, at, event: 'group.created' })
  await page.getByRole('button', { name: 'Yesterday', exact: true }).click()
  await page.getByRole('button', { name: 'Sign-ins', exact: true }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await page.getByText('192.0.2.44').waitFor()
  await page.getByText('Firefox · Windows').waitFor()
  await visit.press('Export')
  const { text } = await saveFile(page, () => visit.press('Export as CSV'))
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('192.0.2.44')
  expect(await findViolations(page)).toEqual([])
})

it('shows the events of a person one click after their page', async () => {
  const { page } = visit
  const { user, password } = await addPerson(service, {})
  await trySignIn(service, { user, password })
  await page.goto(`${service.url}/admin#/users/${user.id}`)
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByText(`Only events of user ${user.username}`).waitFor()
  await page.getByRole('button', { name: `${user.username} signed in.`, exact: true }).waitFor()
  await visit.press('Columns')
  await page.getByRole('checkbox', { name: 'User', exact: true }).check()
  await page.getByRole('cell').getByRole('link', { name: user.username }).first().waitFor()
  for (const name of await page.locator('tbody tr td:nth-child(2) a').allTextContents())
    expect(name).toBe(user.username)
})

it('tells on the page of a person what happened to them, in sentences and page by page', async () => {
  const { page } = visit
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const call = callAs(service, admin)
  const { user, password } = await addPerson(service, { full_name: 'Grace' })
  const name = user.username
  const { body: group } = await call('POST', 'groups', { name: `Cutters ${name}`, permissions: [] })
  await call('POST', `groups/${group.id}/members`, { add: [user.id] })
  for (let count = 0; count < 30; count += 1)
    await putAuditEvent(service.services.table, {
      ...{ ...event, event: 'session.reauthenticated', user: user.id, actor: user.id, at: Date.now() },
      outcome: 'succeeded',
    })
  await trySignIn(service, { user, password: 'wrong' })
  await trySignIn(service, { user, password })
  await page.goto(`${service.url}/admin#/users/${user.id}`)
  await page.getByRole('tab', { name: 'Activity', exact: true }).click()
  const rows = page.locator('.timeline > li')
  await rows.first().getByText(`${name} signed in.`).waitFor()
  await rows.nth(1).getByText(`A sign-in as ${name} was refused.`).waitFor()
  await rows.nth(1).getByText('Wrong name or password').waitFor()
  await rows.nth(2).getByText('From 192.0.2.7 with Firefox · Windows').waitFor()
  expect(await rows.count()).toBe(20)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('tabpanel').getByRole('button', { name: 'Show more' }).click()
  const added = rows.filter({
    hasText: `${admin.user.username} added ${name} to the group Cutters ${name}.`,
  })
  await added.getByText(`By ${admin.user.username}`).waitFor()
  await page.setViewportSize({ width: 360, height: 700 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  // Who may not read the audit log has no such tab.
  const viewer = await openPage(browser)
  const other = await addPerson(service, { permissions: ['users:view'] })
  const data = { username: other.user.username, password: other.password }
  await viewer.page.request.post(`${service.url}/api/2/auth/login`, { data })
  await viewer.page.goto(`${service.url}/admin#/users/${user.id}`)
  await viewer.page.getByRole('tab', { name: 'Profile' }).waitFor()
  expect(await viewer.page.getByRole('tab', { name: 'Activity' }).count()).toBe(0)
})

it('finds a person by name, several groups of events, an address and a request', async () => {
  const { page } = visit
  const { user } = await addPerson(service, {})
  await failSignIn(user.username, 'a browser')
  await page.getByLabel('Find a person').fill(user.username.slice(0, 12))
  await page.getByRole('button', { name: `Show events ${user.username}` }).click()
  await page.getByRole('button', { name: /^A sign-in as .* was refused\.$/ }).waitFor()
  for (const kind of ['Users and groups', 'Tokens and links'])
    await page.getByRole('button', { name: kind, exact: true }).click()
  await page.getByText('Nothing matches your search.').waitFor()
  expect(new URL(page.url().replace('#/', '')).searchParams.get('groups')).toBe('people,access')
  await page.getByRole('button', { name: 'Sign-ins', exact: true }).click()
  await page.getByRole('button', { name: /^A sign-in as .* was refused\.$/ }).waitFor()
  await page.getByRole('button', { name: 'Reset search and filters' }).waitFor({ state: 'detached' })
  await putAuditEvent(service.services.table, { ...event, at: Date.now(), outcome: 'otp_required' })
  await page.goto(`${service.url}/admin#/audit-events?find=192.0.2.7`)
  await page.getByRole('button', { name: 'First step of a sign-in' }).first().waitFor()
  await page.getByText('Second factor needed').first().waitFor()
  await page.getByLabel('IP address or request ID').fill('the-request')
  await page.waitForURL(/find=the-request/)
  await page.getByRole('button', { name: 'First step of a sign-in' }).first().waitFor()
})

it('says how far it searched, and goes on or stops', async () => {
  const { page } = visit
  await page.route('**/audit-events?*', async (route) => {
    const position = Buffer.from('2026-11-03T10:00:00.000Z#AAAAAAAAAAAA').toString('base64url')
    const link = `<${service.url}/api/2/auth/audit-events?cursor=${'x'.repeat(16)}${position}>; rel="next"`
    await route.fulfill({ json: [], headers: { link } })
  })
  const requests = countRequests(page)
  await page.getByLabel('IP address or request ID').fill('192.0.2.99')
  const on = page.getByRole('button', { name: 'Search further back' })
  await on.waitFor()
  await page
    .getByText(/^Searched back to Nov 3, 2026/)
    .last()
    .waitFor()
  expect(requests.count).toBe(20)
  expect(await findViolations(page)).toEqual([])
  await on.click()
  await page.getByRole('button', { name: 'Stop the search' }).waitFor()
  await on.waitFor()
  expect(requests.count).toBeLessThanOrEqual(40)
})

it('keeps the filters in the address and takes them off again', async () => {
  const { page } = visit
  await page.getByLabel('IP address or request ID').fill('no-such-request')
  await page.getByText('Nothing matches your search.').waitFor()
  await page.reload()
  await page.getByText('Nothing matches your search.').waitFor()
  await page.getByRole('button', { name: 'Reset search and filters' }).click()
  await page.getByRole('table').waitFor()
})

it('breaks reasons without a text between their words on narrow screens', async () => {
  const now = Date.now()
  await putAuditEvent(service.services.table, { ...event, at: now, outcome: 'a_reason_of_a_later_version' })
  const { page } = visit
  await page.setViewportSize({ width: 320, height: 568 })
  await page.reload()
  await page.getByText('a_reason_of_a_later_version').first().waitFor()
  const brokenWords = await page.evaluate(`[...document.querySelectorAll('.tag')].flatMap((tag) => {
    const walker = document.createTreeWalker(tag, NodeFilter.SHOW_TEXT)
    const words = []
    while (walker.nextNode())
      for (const { index, 0: word } of walker.currentNode.data.matchAll(/[^_\\s]+_?/g)) {
        const range = document.createRange()
        range.setStart(walker.currentNode, index)
        range.setEnd(walker.currentNode, index + word.length)
        if (range.getClientRects().length > 1) words.push(word)
      }
    return words
  })`)
  expect(brokenWords).toEqual([])
})
