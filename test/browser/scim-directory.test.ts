import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { awaitMails } from '../support/await-mails.ts'
import { findViolations } from '../support/axe.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { companyKinds } from '../support/company-sign-in.ts'
import { openConsole } from '../support/console.ts'
import { openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { vouchForDomains } from '../support/saml.ts'
import { addDirectory, schemas, storeConnection } from '../support/scim.ts'
import { addScimCompany } from '../support/scim-company.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const browser = await shareBrowser()

it('connects a directory from the page alone, shows what it sends, and says what a leaver’s request does', async () => {
  const kind = companyKinds.find(({ kind: name }) => name === 'OpenID Connect')
  if (!kind) throw new Error('no connection')
  const company = closeAfterTests(await kind.add(service, 'Acme', { auto_create_users: true }))
  const domain = `${randomUUID()}.example`
  await vouchForDomains(service, { id: company.id, admin: admin.bearer }, [domain])
  const visit = await openConsole(service, browser)
  const { page } = visit
  await visit.open(`/connections/oidc/${company.id}`)
  await visit.openTab('Directory (SCIM)')
  await visit.press('Turn on')
  await page.getByText('The directory can send people and groups.').waitFor()
  await visit.press('Create token')
  const token = await page.locator('code.secret').innerText()
  const baseUrl = await page.locator('.field', { hasText: 'Base URL' }).first().locator('code').innerText()
  await visit.press('I have stored it')
  await page.getByText('Token', { exact: false }).first().waitFor()
  expect(await page.locator('code.secret').count()).toBe(0)
  expect(await page.content()).not.toContain(token)

  // Okta sends a person, who then signs in.
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify(body),
    })
    const sent: { readonly id: string; readonly active: boolean } = JSON.parse(await answer.text())
    return { status: answer.status, body: sent }
  }
  const userName = `ada@${domain}`
  const created = await send('POST', '/Users', { schemas: [schemas.user], userName, active: true })
  expect(created.status).toBe(201)
  const { id } = created.body
  const person = new TestBrowser(service)
  await (await company.start(person))(userName)
  const { status, body: account } = await person.get('/api/2/users/me')
  expect(status).toBe(200)

  const open = (name: string) => page.locator('summary', { hasText: name }).click()
  await open('People')
  const shown = page.getByRole('listitem').filter({ hasText: userName }).first()
  await shown.getByText(`The account uses ${userName}.`, { exact: false }).waitFor()
  await open('Last 200 requests')
  await page.getByText('POST Users 201').waitFor()

  await open('What would happen')
  const leaves = { schemas: [schemas.patch], Operations: [{ op: 'replace', value: { active: false } }] }
  await visit.fill({ ID: id, Body: JSON.stringify(leaves) })
  await visit.press('Check')
  await page.getByText('The request would be accepted (200).').waitFor()
  await page.getByText('The person can no longer sign in through this connection.').waitFor()
  await page.getByText('Everything that the account holds ends', { exact: false }).waitFor()
  expect((await person.get('/api/2/users/me')).status).toBe(200)
  expect(await findViolations(page)).toEqual([])

  expect((await send('PATCH', `/Users/${id}`, leaves)).body.active).toBe(false)
  expect((await person.get('/api/2/users/me')).status).toBe(401)
  await visit.press('Refresh')
  await page.getByText('PATCH Users 200').waitFor()
  await page.reload()
  await open('People')
  await page.getByText('Ended by the directory.', { exact: false }).waitFor()

  // The log names the account, and a person who never signed in by the ID in the directory.
  const waiting = await send('POST', '/Users', { schemas: [schemas.user], userName: `eve@${domain}` })
  await visit.open('/audit-events?event=scim.user_ended')
  await page
    .getByRole('button', {
      name: `The directory of Acme ended the access of ${account.username}.`,
      exact: true,
    })
    .waitFor()
  await visit.open('/audit-events?event=scim.user_created')
  await page
    .getByRole('button', { name: `The directory of Acme sent ${waiting.body.id}.`, exact: true })
    .waitFor()
  expect(await page.getByText(`eve@${domain}`).count()).toBe(0)
})

it('shows what the directory keeps of an account, lets a setting free it, and assigns who came back', async () => {
  const company = await addScimCompany(service, admin)
  const { name, id, user } = await company.bring()
  const visit = await openConsole(service, browser)
  const { page } = visit
  await visit.open(`/users/${user}`)
  const fullName = page.getByLabel('Full name')
  await page.getByText('Only the directory of Acme changes this.').first().waitFor()
  expect(await fullName.getAttribute('readonly')).not.toBeNull()
  expect(await findViolations(page)).toEqual([])

  await visit.open(`/connections/saml/${company.connectionId}`)
  await visit.openTab('Directory (SCIM)')
  await page.getByLabel('Also let people change here what the directory gave').check()
  await page.getByRole('form', { name: 'How a first sign-in finds its person' }).getByText('Save').click()
  await page.getByText('Saved').first().waitFor()
  await page.locator('summary', { hasText: 'People' }).click()
  const person = page.getByRole('listitem').filter({ hasText: name }).first()
  await person.getByText('This is the same person as…').click()
  expect(await page.getByLabel('Number of the account').inputValue()).toBe(String(user))
  await visit.fill({ 'Number of the account': '2147483647' })
  await page.getByRole('dialog').getByText('Save').click()
  await page.getByText('This connection never signed in to an account with this number.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await visit.fill({ 'Number of the account': String(user) })
  await page.getByRole('dialog').getByText('Save').click()
  await page.getByText('The account was assigned.').first().waitFor()
  const events = await callAs(service, admin)(
    'GET',
    `auth/audit-events?event=scim.user_assigned&user=${user}`,
  )
  expect(events.body).toMatchObject([{ target: `${company.connectionId} ${id}` }])

  await visit.open(`/users/${user}`)
  await fullName.waitFor()
  expect(await fullName.getAttribute('readonly')).toBeNull()
})

it('opens what the directory sent from the email about many leavers', async () => {
  const connectionId = await storeConnection(service)
  const directory = await addDirectory(service, connectionId, {}, admin)
  const email = `${randomUUID()}@people.example`
  const { user, password } = await addPerson(service, { email, permissions: ['system:admin-access'] })
  for (let at = 0; at < 51; at++) {
    const { body } = await directory.addUser({ userName: `leaver-${at}` })
    expect((await directory.patch(body.id, { active: false })).body.active).toBe(false)
  }
  await awaitMails(service)
  const mail = service.mailbox
    .mailsTo(email)
    .find(({ subject }) => subject.startsWith('Many people left the directory of a connection'))
  const link = /href="([^"]+\/admin#[^"]+)"/.exec(mail?.html ?? '')?.[1] ?? ''
  const { page } = await openPage(browser)
  const data = { username: user.username, password }
  await page.request.post(`${service.url}/api/2/auth/login`, { data })
  await page.goto(link)
  await page.locator('summary', { hasText: 'People' }).click()
  const first = page.getByRole('listitem').filter({ hasText: 'leaver-0' }).first()
  await first.getByText('Ended by the directory.', { exact: false }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await first.getByRole('button', { name: /^Bring back/ }).click()
  await page.getByText('leaver-0 gets back the account', { exact: false }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Bring back', exact: true }).click()
  await first.getByText('Active.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Bring back everyone who left in the last 24 hours' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bring back', exact: true }).click()
  await page.getByText('50 people can sign in again.').waitFor()
  const people = await directory.call('GET', '/Users?count=100')
  expect(people.body.Resources.map(({ active }: { active: boolean }) => active)).not.toContain(false)
})

it('lets an administrator choose which attributes the directory fills', async () => {
  const staff = callAs(service, admin)
  await staff('PUT', 'system/user-attributes', {
    attributes: [
      { name: 'department', type: 'text' },
      { name: 'staff_number', type: 'number' },
    ],
  })
  const company = await addScimCompany(service, admin)
  const visit = await openConsole(service, browser, { browserOptions: { locale: 'en' } })
  const { page } = visit
  await visit.open(`/connections/saml/${company.connectionId}?tab=directory`)
  await page.getByLabel('department', { exact: true }).selectOption('department')
  await page.getByLabel('staff_number', { exact: true }).selectOption('employee_number')
  expect(await findViolations(page)).toEqual([])
  const form = page.getByRole('form', { name: 'Attributes from the directory' })
  await form.getByRole('button', { name: 'Save' }).click()
  await visit.seeToast('Saved.')
  const { body } = await staff('GET', `auth/connections/${company.connectionId}/scim`)
  expect(body.user_attributes).toEqual([
    { from: 'department', to: 'department' },
    { from: 'employee_number', to: 'staff_number' },
  ])
  await page.getByLabel('department', { exact: true }).selectOption({ label: 'Not from the directory' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(
      async () => (await staff('GET', `auth/connections/${company.connectionId}/scim`)).body.user_attributes,
    )
    .toEqual([{ from: 'employee_number', to: 'staff_number' }])
})
