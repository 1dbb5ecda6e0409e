import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSection, startAccountFlow } from '../support/account-flows.ts'
import { ageProofs, signInBrowser } from '../support/account-pages.ts'
import { authenticatorOf } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startIdpSite } from '../support/idp-site.ts'
import { addSharer, shareLink } from '../support/mailed-links.ts'
import { addPerson } from '../support/people.ts'
import { inOneBrowser } from '../support/personas.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { hostname: 'localhost' })
const site = closeAfterTests(await startIdpSite())

// The browser finds the service at `localhost`, and the provider on another site.
const ssoUrl = site.ssoUrl.replace('localhost', '127.0.0.1')
const provider = await addProvider(service, site.idp, { name: 'Example University', sso_url: ssoUrl })
site.trust([provider.own.pem])

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('confirms the identity through the provider, and goes on where it was', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, activate, fill, press, check, look, seeDone, words } = flow
    const { access, session } = words
    site.answerWith({ nameId: `${randomUUID()}@example.com` })
    await page.goto(`${service.url}/api/2/auth/saml/${provider.id}/sso?return_to=/account%23/api-tokens`)
    await press('Go on')
    await page.getByText(access('noTokens')).waitFor()
    const { id } = await (await page.request.get(`${service.url}/api/2/users/me`)).json()
    await ageProofs(service, { user: { id } })
    const create = async () => {
      await press(access('newToken'))
      await fill({ [access('tokenName')]: 'Backup' })
      await check(page.getByLabel(access('scopeProfileView')))
      await press(access('create'))
    }
    await create()
    await page.getByRole('dialog', { name: session('confirmHeading') }).waitFor()
    await look()
    await press(session('confirmWithProvider'))
    await press('Go on')
    await page.waitForURL(`${service.url}/account#/api-tokens`)
    await activate(page.getByRole('navigation').getByRole('link', { name: words.account('apiTokens') }))
    await create()
    await seeDone(access('tokenCreated'))
  })

  it('shows whom an administrator impersonates, and what they may not do', async () => {
    const admin = await addPerson(service, { permissions: ['system:admin-access'], full_name: 'Grace' })
    const ada = await addPerson(service, { full_name: 'Ada' })
    const flow = await startAccountFlow(service, browser, persona, admin)
    const { page, activate, press, look, words } = flow
    const { account, access, kit } = words
    await openSection(service, flow, 'profile')
    const administration = page.getByRole('link', { name: account('administration') })
    await expect.poll(() => administration.getAttribute('href')).toBe('/admin')
    await look()
    await page.request.post(`${service.url}/api/2/auth/impersonation`, {
      data: { user: ada.user.id },
      headers: { origin: service.url },
    })
    await page.reload()
    const banner = page.getByRole('complementary', { name: kit('impersonation') })
    await banner.getByText(kit('actAs', { admin: 'Grace', name: 'Ada' })).waitFor()
    const links = page.getByRole('navigation').getByRole('link')
    await expect
      .poll(() => links.allInnerTexts())
      .toEqual([account('profile'), account('sessions'), account('apiTokens')])
    expect(await page.getByLabel(account('newEmail')).count()).toBe(0)
    await look()
    await activate(links.last())
    await page.getByText(access('noTokens')).waitFor()
    expect(await page.getByRole('button', { name: access('newToken') }).count()).toBe(0)
    await look()
    await press(kit('stopActing'))
    await banner.waitFor({ state: 'detached' })
    await page.getByText('Grace', { exact: true }).waitFor()
  })

  it('shows guests of access links that there is no account', async () => {
    const sharer = await addSharer(service)
    const link = await shareLink(service, sharer)
    const { page, heading, press, look, words } = await startAccountFlow(service, browser, persona)
    await page.request.post(`${service.url}/api/2/auth/access-tokens/redeem`, { data: { token: link.token } })
    await page.goto(`${service.url}/account#/api-tokens`)
    await expect.poll(() => heading()).toBe(words.account('guestHeading'))
    expect(await page.locator('#app').getAttribute('data-page')).not.toContain('effective_permissions')
    await look()
    await press(words.account('signOut'))
    await page.waitForURL(`${service.url}/`)
  })

  it('sets up the second factor that the organization requires, and goes on to the account', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, heading, fill, press, look, seeDone, person, words } = flow
    const { account, security } = words
    await storeSignInPolicy(service, {
      second_factor_for_everybody: true,
    })
    await signInBrowser(service, flow, person, { second_factor_setup: true })
    await page.goto(`${service.url}/account#/profile`)
    const links = page.getByRole('navigation').getByRole('link')
    await links.first().waitFor()
    await expect.poll(() => heading()).toBe(account('twoStep'))
    await page.getByText(account('setupRequired')).waitFor()
    await expect.poll(() => links.allInnerTexts()).toEqual([account('twoStep'), account('passkeys')])
    await look()
    await press(security('setUp'))
    const { code } = authenticatorOf((await page.locator('.secret').innerText()).replaceAll(' ', ''))
    await fill({ [security('code')]: code() })
    await seeDone(security('turnedOn'))
    await press(security('codesStored'))
    await page.getByLabel(account('fullName')).waitFor()
    await expect.poll(() => page.getByText(account('setupRequired')).count()).toBe(0)
    await expect.poll(() => links.count()).toBe(9)
    await look()
    await storeSignInPolicy(service, {})
  })
})
