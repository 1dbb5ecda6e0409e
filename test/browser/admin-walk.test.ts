import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { openConsole } from '../support/console.ts'
import { type IdpSite, startIdpSite } from '../support/idp-site.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let site: IdpSite
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_METADATA: 'true' })
  site = await startIdpSite()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await service.close()
})

const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

/* Only what the page shows leads on: the menu, links and buttons. The test knows no address of a section. */
it('leads an administrator from a new provider over an invitation to the audit log', async () => {
  const { page, fill, press, seeToast, state } = await openConsole(service, browser)
  await follow(page, 'SAML providers')
  await follow(page, 'Set up a provider')
  await fill({ Name: 'Acme' })
  await press('Continue')
  await fill({ 'Metadata address': site.metadataUrl })
  await press('Read metadata')
  await state.getByText('Read. Check the values below').waitFor()
  await press('Continue')
  await page.getByLabel('Create users at their first sign-in').check()
  await press('Continue')
  await press('Create provider')
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()

  // The provider reads the metadata of the service at the address that the page shows.
  const address = await page.getByText(/\/api\/2\/auth\/saml\/\d+\/metadata$/).innerText()
  const metadata = await (await fetch(address)).text()
  const base64 = /X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? ''
  site.trust([`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`])
  site.answerWith({ nameId: 'maria@acme.example' })
  await follow(page, 'Start test sign-in')
  await page.getByRole('button', { name: 'Go on' }).click()
  await state.getByText('Everything works. People can sign in with Acme.').waitFor()

  await follow(page, 'Users')
  await follow(page, 'New user')
  const email = `${randomUUID()}@example.com`
  await fill({ Username: email, 'Full name': 'Maria', 'Email address': email })
  await press('Create')
  await seeToast(`Created ${email}.`)
  expect((await service.mailbox.mailTo(email)).text).toContain('/invite')

  await follow(page, 'Audit log')
  const log = page.getByRole('table')
  await log.getByRole('button', { name: 'SAML provider created' }).first().waitFor()
  const invited = log.getByRole('row').filter({ hasText: 'User invited' })
  await invited.filter({ hasText: email }).first().waitFor()
})
