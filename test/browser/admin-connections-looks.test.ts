import { expect, it } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { openConsole } from '../support/console.ts'
import { startIdpSite } from '../support/idp-site.ts'
import { walkThrough } from '../support/keyboard.ts'
import { checkLooks, hide } from '../support/looks.ts'
import { clientId, clientSecret, startUpstream } from '../support/oidc-upstream.ts'
import { signIn } from '../support/people.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const site = closeAfterTests(await startIdpSite())
const upstream = closeAfterTests(await startUpstream())
const certificate = await makeCertificate({ name: 'acme', days: { from: -1, to: 400 } })
const browser = await shareBrowser()
const visit = await openConsole(service, browser, { username: 'root', browserOptions: { locale: 'en' } })

/** What is made anew in each run: keys and their dates, times, and the port of the service. */
const varying = ['.tags', 'code', '.tested']

const look = async (name: string) => {
  const { page } = visit
  await expect.poll(() => page.locator('.loading').count()).toBe(0)
  await hide(page, '.toasts')
  const mask = [
    ...varying.map((selector) => page.locator(selector)),
    ...['Metadata text', 'Certificates of the provider'].map((label) => page.getByLabel(label)),
  ]
  await checkLooks(page, `console-connections-${name}`, { mask })
}

it('shows each step of the assistant as in the references', async () => {
  const { page, open, fill, press, state } = visit
  await open('/connections/saml/new')
  await look('saml-step-name')
  await fill({ Name: 'Acme' })
  await press('Continue')
  await page.getByRole('heading', { name: 'Enter these values at the provider' }).waitFor()
  await look('saml-step-values')
  await press('Continue')
  await look('saml-step-metadata')
  await page.getByLabel('How do you have the metadata?').selectOption('As text to paste')
  const facts = { entityId: 'https://acme.example/saml', ssoUrl: 'https://acme.example/saml/sign-in' }
  await fill({ 'Metadata text': plainMetadata({ ...facts, certificates: [certificate] }) })
  await press('Read metadata')
  await state.getByText('Read. Check the values below').waitFor()
  await look('saml-step-metadata-read')
  expect((await walkThrough(page)).length).toBeGreaterThan(8)
  await press('Continue')
  await page.getByLabel('Create users at their first sign-in').check()
  await page.getByLabel('Take groups from the provider').check()
  await look('saml-step-users')
  await press('Continue')
  await look('saml-step-review')
  await press('Go live')
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
  await look('saml')
  expect((await walkThrough(page)).length).toBeGreaterThan(20)
  await visit.openTab('Settings')
  await look('saml-settings')
  const added = await service.client('POST', '/api/2/auth/oidc-connections', {
    bearer: await signIn(service, visit.person),
    body: {
      name: 'Hooli',
      issuer: upstream.issuer,
      client_id: clientId,
      client_secret: clientSecret,
    },
  })
  expect(added.status).toBe(201)
  await open('/connections')
  await look('list')
  await open('/connections/new')
  await look('kinds')
  expect((await walkThrough(page)).length).toBeGreaterThan(2)
  await open('/connections/oidc/new')
  await look('oidc-new')
  await open(`/connections/oidc/${added.body.id}`)
  await look('oidc')
})

it('shows the result of a test sign-in as in the references', async () => {
  const { page, person } = visit
  const { body: provider } = await service.client('POST', '/api/2/auth/saml', {
    bearer: await signIn(service, person),
    body: site.idp.providerBody({ name: 'Initech', sso_url: site.ssoUrl }),
  })
  site.trust([provider.sp_certificate])
  const test = async () => {
    await page.goto(`${service.url}/api/2/auth/saml/${provider.id}/sso?test=true`)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('heading', { level: 1, name: 'Result of the test sign-in' }).waitFor()
  }
  site.answerWith({ nameId: 'ada', audiences: ['https://other.example'] })
  await test()
  // The advice names the address of the service, whose port differs.
  await page.locator('.items p').evaluateAll((texts) => {
    for (const text of texts) text.textContent = text.textContent?.replace(/:\d+/, ':8080') ?? null
  })
  await look('test-refused')
  site.answerWith({ nameId: 'ada' })
  await test()
  await look('test-accepted')
})
