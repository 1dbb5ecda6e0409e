import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startIdpSite } from '../support/idp-site.ts'
import { addLink } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { startProduct } from '../support/product.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const product = closeAfterTests(await startProduct())

/*
 * A real browser between this service and an identity provider on another site, over plain HTTP. `localhost` and
 * `127.0.0.1` are different sites, so the browser decides which cookies it sends.
 */

const service = await useService({ ALLOWED_ORIGINS: product.url })
product.trust(service.url)
const home: string = service.url.replace('127.0.0.1', 'localhost')

// Handlers read the address when they are loaded, which is at their first request.
process.env['PUBLIC_URL'] = home
const site = closeAfterTests(await startIdpSite())
site.answerWith({ nameId: 'ada@example.com' })

// The browser finds the service at `localhost`, and the provider on another site.
const ssoUrl = site.ssoUrl.replace('localhost', '127.0.0.1')
const provider = await addProvider(service, site.idp, { name: 'Example IdP', sso_url: ssoUrl })
site.trust([provider.own.pem])
const browser = closeAfterTests(await shareBrowser())
let page: Page
beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  page.on('pageerror', (error) => expect.unreachable(error.message))
})

it('shows an error on the sign-in page after an incomplete sign-in', async () => {
  await page.goto(`${home}/api/2/auth/saml/${provider.id}/sso/return`)
  await page.getByRole('alert').getByText('The sign-in was not completed.').waitFor()
})

const signInAtProvider = async () => {
  await page.getByRole('link', { name: 'Continue with Example IdP' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
}

it('leads back to the product or the page that the user came from', async () => {
  await page.goto(`${home}/?return_to=${encodeURIComponent(`${product.url}/cart?item=5`)}`)
  await signInAtProvider()
  await page.getByRole('heading', { name: 'Hello ada' }).waitFor()
  await page.getByText('/cart?item=5', { exact: true }).waitFor()
  await page.goto(`${home}/?return_to=/account&prompt=login`)
  await page.getByText('Sign in again to continue.').waitFor()
  const link = page.getByRole('link', { name: 'Continue with Example IdP' })
  await expect.poll(() => link.getAttribute('href')).toMatch(/force_authn=true$/)
  await signInAtProvider()
  await page.waitForURL(`${home}/account`)
})

it('does not hand a refused address on to the provider', async () => {
  await page.goto(`${home}/?return_to=${encodeURIComponent('https://evil.example/')}`)
  await page.getByRole('alert').getByText('cannot be opened').waitFor()
  await signInAtProvider()
  await page.getByRole('status').getByText('You are signed in as ada.').waitFor()
  expect(page.url()).toBe(`${home}/`)
})

it('opens a link for one person after their sign-in at the provider', async () => {
  const creator = await addSignedIn(service, { permissions: ['media:access'] })
  await page.goto(home)
  await signInAtProvider()
  await page.getByRole('status').getByText('You are signed in as').waitFor()
  const me = await (await page.request.get(`${home}/api/2/users/me`)).json()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Username or email').waitFor()
  const link = await addLink(service, creator.bearer, { user: me.id, require_login: true })
  await page.goto(link.full_url)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  const address = await page.getByRole('link', { name: 'Continue with Example IdP' }).getAttribute('href')
  expect(address).not.toContain('lka_')
  await signInAtProvider()
  await page.waitForURL(`${home}/link`)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('status').getByText('The link is open. You are signed in as ada').waitFor()
})
