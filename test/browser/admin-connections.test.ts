import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { makeCertificate } from '../support/certificates.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { makeIdp } from '../support/idp.ts'
import { startIdpSite } from '../support/idp-site.ts'
import { addSignedIn } from '../support/people.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const site = closeAfterTests(await startIdpSite())
const browser = await shareBrowser()
let visit: ConsoleVisit
let page: Page
beforeEach(async () => {
  visit = await openConsole(service, browser)
  page = visit.page
})

const read = async (path: string) => (await page.request.get(service.url + path)).json()
const goOn = () => visit.press('Continue')
/** Names a connection, and shows the values for its provider. */
const begin = async (name: string) => {
  await visit.fill({ Name: name })
  await goOn()
  await page.getByRole('heading', { name: 'Enter these values at the provider' }).waitFor()
}
const idInAddress = () => Number(/connections\/saml\/(\d+)/.exec(page.url())?.[1])

/** Creates a provider with the assistant, by the address of its metadata. Leaves its page open. */
const setUp = async (name: string) => {
  await visit.open('/connections')
  await page.getByRole('link', { name: 'Set up a connection' }).click()
  await page.getByRole('link', { name: 'Set up a SAML connection' }).click()
  await begin(name)
  await goOn()
  await visit.fill({ 'Metadata address': site.metadataUrl })
  await visit.press('Read metadata')
  await page.getByText('Read. Check the values below').waitFor()
  await goOn()
  await page.getByLabel('Create users at their first sign-in').check()
  await goOn()
  await page.getByRole('button', { name: 'Go live' }).dblclick()
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
  expect(page.url()).toContain(`/admin#/connections/saml/${provider.id}/tests/`)
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
  await page.goto(`${service.url}/admin#/connections/saml/${provider.id}/tests/unknown`)
  await page.getByText('This result is no longer available.').waitFor()
})

it('reads metadata from a file or a text, warns of certificates and explains what is missing', async () => {
  const old = await makeCertificate({ name: 'old', days: { from: -1, to: 5 } })
  await visit.open('/connections/saml/new')
  await goOn()
  await page.getByText('Fill in this field.').waitFor()
  await begin('From a file')
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
  await visit.press('Go live')
  await visit.seeToast('Created From a file.')
  await visit.problem.getByText('A certificate of the provider has expired or expires soon.').waitFor()
  await visit.open('/connections')
  await page.getByRole('row').filter({ hasText: 'From a file' }).getByText('Expires soon:').waitFor()
})

it('lists the connections of all kinds in one order, each once', async () => {
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const idp = await makeIdp()
  const add = (path: string, body: object) => service.client('POST', path, { bearer, body })
  const two = (number: number) => String(number).padStart(2, '0')
  // More than two pages of either kind, of which one kind ends before the other begins.
  const names = Array.from({ length: 56 }, (_, at) => `Paged ${two(at)}`)
  for (const [at, name] of names.entries())
    if (at % 3 === 0 || at > 40)
      await add('/api/2/auth/oidc-connections', {
        name,
        issuer: `https://idp${at}.example.com`,
        client_id: 'latchkey',
        client_secret: 'secret',
      })
    else
      await add(
        '/api/2/auth/saml',
        idp.providerBody({ name: name.toUpperCase(), entity_id: `https://idp${at}.example.com` }),
      )
  const listed = async () => {
    const links = await page
      .getByRole('table')
      .getByRole('link', { name: /^paged/i })
      .allInnerTexts()
    return links.map((name) => name.toLowerCase())
  }
  const readAll = async () => {
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    const more = page.getByRole('button', { name: 'Show more' })
    for (let count = -1; (await more.count()) > 0 && count !== (await listed()).length; ) {
      count = (await listed()).length
      await more.click()
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    }
    return listed()
  }
  const ordered = names.map((name) => name.toLowerCase())
  await visit.open('/connections')
  await page.getByRole('table').waitFor()
  expect((await listed()).length).toBeLessThan(names.length)
  expect(await readAll()).toEqual(ordered)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect.poll(listed).not.toEqual(ordered)
  expect(await readAll()).toEqual(ordered.toReversed())
})

it('says that an address names no page, instead of an unknown kind', async () => {
  await visit.open('/connections/ldap/1')
  await expect.poll(() => visit.heading()).toBe('Page not found')
  await visit.open('/connections/__proto__/1')
  await expect.poll(() => visit.heading()).toBe('Page not found')
})

it('shows nothing of a provider to a user without rights', async () => {
  const {
    page: other,
    open,
    heading,
  } = await openConsole(service, browser, { permissions: ['users:manage'] })
  await open('/connections')
  await expect.poll(() => heading()).toBe('You cannot see this page')
  expect(await other.getByRole('link', { name: 'Company sign-in' }).count()).toBe(0)
})
