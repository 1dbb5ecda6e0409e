import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { makeCertificate } from '../support/certificates.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { type IdpSite, startIdpSite } from '../support/idp-site.ts'
import { addPerson } from '../support/people.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { startService, type TestService } from '../support/service.ts'
import { shareBrowser } from '../support/shared-browser.ts'

let service: TestService
const browser = await shareBrowser()
let site: IdpSite
let visit: ConsoleVisit
let page: Page
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_METADATA: 'true' })
  site = await startIdpSite()
})
beforeEach(async () => {
  visit = await openConsole(service, browser)
  page = visit.page
})
afterAll(async () => {
  await site.close()
  await service.close()
})

const read = async (path: string) => (await page.request.get(service.url + path)).json()
const goOn = () => visit.press('Continue')
const idInAddress = () => Number(/saml-providers\/(\d+)/.exec(page.url())?.[1])

/** Creates a provider with the assistant, by the address of its metadata. Leaves its page open. */
const setUp = async (name: string) => {
  await visit.open('/saml-providers')
  await page.getByRole('link', { name: 'Set up a provider' }).click()
  await visit.fill({ Name: name })
  await goOn()
  await visit.fill({ 'Metadata address': site.metadataUrl })
  await visit.press('Read metadata')
  await page.getByText('Read. Check the values below').waitFor()
  await goOn()
  await page.getByLabel('Create users at their first sign-in').check()
  await goOn()
  await page.getByRole('button', { name: 'Create provider' }).dblclick()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  const id = idInAddress()
  const provider = await read(`/api/2/auth/saml/${id}`)
  site.trust([provider.sp_certificate])
  return provider
}

it('explains in plain words why a test sign-in fails, and shows that it works afterwards', async () => {
  const provider = await setUp('Example')
  // The button was pressed twice.
  expect(await read('/api/2/auth/saml')).toHaveLength(1)
  const test = async (link: string) => {
    await page.getByRole('link', { name: link }).click()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('heading', { level: 1, name: 'Result of the test sign-in' }).waitFor()
  }
  const stateOf = (check: string) => page.getByRole('listitem').filter({ hasText: check }).innerText()
  site.answerWith({ nameId: '<b>ada-lovelace</b>', audiences: ['https://other.example'] })
  await test('Start test sign-in')
  expect(page.url()).toContain(`/admin#/saml-providers/${provider.id}/tests/`)
  await visit.problem.getByText('Signing in with Example does not work yet.').waitFor()
  await page
    .getByText(`Enter exactly this entity ID (audience) at the provider: ${provider.metadata_url}.`)
    .waitFor()
  await expect
    .poll(() => stateOf('The answer is for this service and this sign-in'))
    .toContain('Needs a change')
  await expect.poll(() => stateOf('The answer is genuine')).toContain('Works')
  await page.getByText('Technical details').click()
  await page.getByText('The assertion was issued for another service.').waitFor()
  expect(await findViolations(page)).toEqual([])

  site.answerWith({ nameId: '<b>ada-lovelace</b>' })
  await test('Test again')
  await visit.state.getByText('Everything works. People can sign in with Example.').waitFor()
  await page.getByText('<b>ada-lovelace</b>', { exact: true }).waitFor()
  expect(await read('/api/2/users?filter=ada-lovelace')).toEqual([])
  await page.goto(`${service.url}/admin#/saml-providers/${provider.id}/tests/unknown`)
  await page.getByText('This result is no longer available.').waitFor()
})

it('reads metadata from a file or a text, warns of certificates and explains what is missing', async () => {
  const old = await makeCertificate({ name: 'old', days: { from: -1, to: 5 } })
  await visit.open('/saml-providers/new')
  await goOn()
  await page.getByText('Fill in this field.').waitFor()
  await visit.fill({ Name: 'From a file' })
  await goOn()
  await goOn()
  await visit.problem.getByText('Read the metadata first.').waitFor()
  await visit.fill({ 'Metadata address': 'http://127.0.0.1:1/metadata' })
  await visit.press('Read metadata')
  await visit.problem.getByText('The address cannot be read.').waitFor()
  await page.getByLabel('How do you have the metadata?').selectOption('As text to paste')
  await visit.fill({ 'Metadata text': '<html onload="alert(1)">' })
  await visit.press('Read metadata')
  await visit.problem.getByText('This is not the metadata of a provider.').waitFor()
  await visit.fill({ 'Metadata text': plainMetadata({ certificates: [] }) })
  await visit.press('Read metadata')
  await visit.problem.getByText('The metadata contains no certificate.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('How do you have the metadata?').selectOption('As a file')
  const content = plainMetadata({ entityId: 'https://file.example/"><script>', certificates: [old] })
  await page.getByLabel('Metadata file').setInputFiles({
    name: 'metadata.xml',
    mimeType: 'application/xml',
    buffer: Buffer.from(content.replaceAll('"><script>', '&quot;&gt;&lt;script&gt;')),
  })
  await visit.press('Read metadata')
  await page.getByText('Read. Check the values below').waitFor()
  await expect
    .poll(() => page.getByLabel('ID of the provider').inputValue())
    .toBe('https://file.example/"><script>')
  await goOn()
  await goOn()
  await page.getByText('Expires soon:').waitFor()
  await visit.press('Create provider')
  await visit.seeToast('Created From a file.')
  await visit.problem.getByText('A certificate of the provider has expired or expires soon.').waitFor()
  await visit.open('/saml-providers')
  await page.getByRole('row').filter({ hasText: 'From a file' }).getByText('Expires soon:').waitFor()
})

it('gives the customer a link to set a connection up, and ends it', async () => {
  await visit.open('/saml-providers/new')
  await visit.fill({ Name: 'Customer' })
  await goOn()
  await visit.press('Create a set-up link')
  await page.getByText('Send this link to the customer’s administrator.').waitFor()
  const link = (await page.getByText('/setup#token=').innerText()).trim()
  expect(await findViolations(page)).toEqual([])
  await visit.press('Open Customer')
  await page.getByRole('heading', { level: 1, name: 'Customer' }).waitFor()
  await page.getByText('Last used: never').waitFor()
  const token = new URL(link).hash.slice('#token='.length)
  const find = () => page.request.post(`${service.url}/api/2/auth/saml-setup`, { data: { token } })
  expect((await find()).status()).toBe(200)
  await page.getByRole('button', { name: 'Revoke the link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the link' }).click()
  await visit.seeToast('Link revoked.')
  expect((await find()).status()).toBe(400)
  await visit.press('Create a set-up link')
  await expect.poll(() => page.getByText('/setup#token=').innerText()).not.toContain(token)
  expect(await findViolations(page)).toEqual([])
})

it('connects an account of a company to a user', async () => {
  const [provider] = await read('/api/2/auth/saml')
  const { id } = (await read('/api/2/users'))[0]
  await visit.open(`/users/${id}`)
  await visit.press('Connect an account')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Company connection').selectOption(String(provider.id))
  await dialog.getByLabel('Name of the person there').fill('subject-1')
  await dialog.getByRole('button', { name: 'Connect an account' }).click()
  await visit.seeToast('Account connected.')
  await page.getByText('subject-1').waitFor()
  expect(await findViolations(page)).toEqual([])
})

it('connects the people of a list, and says what is wrong with it', async () => {
  const people = [await addPerson(service), await addPerson(service)]
  const [{ id }] = await read('/api/2/auth/saml')
  await visit.open(`/saml-providers/${id}`)
  await visit.press('Connect from a list')
  const dialog = page.getByRole('dialog')
  const check = async (text: string) => {
    await dialog.getByLabel('People').fill(text)
    await dialog.getByRole('button', { name: 'Check the list' }).click()
  }
  await check('only-a-name')
  await dialog.getByText('These lines have no name of the provider: 1.').waitFor()
  await check('unknown-person,subject-1')
  await dialog.getByText('These names lead to no user, or to several: unknown-person.').waitFor()
  const lines = people.map(({ user }, at) => `${user.username};"list, ${id} ${at}"`)
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
  await dialog.getByLabel('Or a CSV file').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Check the list' }).click()
  await dialog.getByText('2 accounts will be connected.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await visit.seeToast('2 accounts connected.')
  for (const [at, { user }] of people.entries())
    expect(await read(`/api/2/users/${user.id}/saml-accounts`)).toMatchObject([
      { provider: { id }, name: `list, ${id} ${at}` },
    ])
})

it('merges two users after the name of the one who ends was typed', async () => {
  const [kept, other] = [await addPerson(service), await addPerson(service)]
  await visit.open(`/users/${kept.user.id}`)
  await visit.press('Merge a user')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill(other.user.username)
  await dialog.getByRole('button', { name: /^Choose/ }).click()
  const merge = dialog.getByRole('button', { name: 'Merge a user' })
  await merge.click()
  await dialog.getByText('This must be exactly').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('textbox').fill(other.user.username)
  await merge.click()
  await visit.seeToast(`${other.user.username} was merged.`)
  await expect.poll(async () => (await read(`/api/2/users/${kept.user.id}`)).id).toBe(kept.user.id)
})

it('shows nothing of a provider to a user without rights', async () => {
  const {
    page: other,
    open,
    heading,
  } = await openConsole(service, browser, { permissions: ['users:manage'] })
  await open('/saml-providers')
  await expect.poll(() => heading()).toBe('You cannot see this page')
  expect(await other.getByRole('link', { name: 'SAML providers' }).count()).toBe(0)
})
