import { expect, it } from 'vitest'
import { languages } from '../../lib/kernel/i18n/languages.ts'
import { findViolations } from '../support/axe.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startGithub } from '../support/github-upstream.ts'
import { makeIdp } from '../support/idp.ts'
import { checkLooks, findOverflow } from '../support/looks.ts'
import { startMicrosoft } from '../support/microsoft-upstream.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { openPage } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { addPublicConnection } from '../support/public-upstream.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

/* Four providers for everybody, two companies, a passkey, and sign-up for everybody: people see all of it without scrolling. */

// Browsers offer passkeys on this name, but not for IP addresses.
const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' }, { hostname: 'localhost' })
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const open = await service.client('PUT', '/api/2/system/sign-up-policy', { bearer, body: { mode: 'open' } })
if (open.status !== 200) throw new Error(open.text)
const google = closeAfterTests(await startUpstream())
const presets = {
  Google: { upstream: google, fields: {} },
  Microsoft: { upstream: closeAfterTests(await startMicrosoft()), fields: { public_provider: 'microsoft' } },
  GitHub: {
    upstream: { ...google, issuer: closeAfterTests(await startGithub()).issuer },
    fields: { public_provider: 'github', token_endpoint_auth_method: 'client_secret_post' },
  },
  LinkedIn: { upstream: closeAfterTests(await startUpstream()), fields: { public_provider: 'oidc' } },
}
for (const [name, { upstream, fields }] of Object.entries(presets))
  await addPublicConnection(service, bearer, upstream, { name, ...fields })
await addProvider(service, await makeIdp(), { name: 'Example Media' })
await addProvider(service, await makeIdp(), { name: 'Northwind' })
const browser = await shareBrowser()

const phone = { width: 360, height: 640 }

it.each(languages)('in %s, seven other ways to sign in are on one screen of a phone', async (locale) => {
  const { page } = await openPage(browser, { locale, viewport: phone, colorScheme: 'dark' })
  await page.goto(service.url)
  const ways = page.locator('.actions .button')
  await ways.last().waitFor()
  expect(await ways.count()).toBe(7)
  expect(await findOverflow(page)).toEqual([])
  const heights = await ways.evaluateAll((buttons) =>
    buttons.map((button) => button.getBoundingClientRect().height),
  )
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(phone.height)
  expect(await findViolations(page, 'html', locale === 'en' ? 'all' : 'look')).toEqual([])
  // The one that was used last moves above the form.
  const kept = JSON.stringify({ value: 'passkey', until: Date.now() + 86_400_000 })
  await page.evaluate(`localStorage.setItem('last-way', ${JSON.stringify(kept)})`)
  await page.reload()
  await page.locator('.used-last').waitFor()
  expect(await ways.count()).toBe(6)
  expect(await findOverflow(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(phone.height)
})

it('the page looks as in the reference, and longer names make it longer instead of wider', async () => {
  const { page } = await openPage(browser)
  await page.goto(service.url)
  await page.locator('.actions .button').last().waitFor()
  await checkLooks(page, 'sign-in-many-ways')
})
