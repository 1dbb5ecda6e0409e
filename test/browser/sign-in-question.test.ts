import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startIdpSite } from '../support/idp-site.ts'
import { addPerson } from '../support/people.ts'
import { inOneBrowser, loadPlainWords } from '../support/personas.ts'
import { startProduct } from '../support/product.ts'
import { addProvider, patchProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { startSignInFlow } from '../support/sign-in-flow.ts'
import { useService } from '../support/use-service.ts'

/* The service at `localhost` and the identity provider at `127.0.0.1` are different sites for a browser. */

const name = 'Example Inc'
const product = closeAfterTests(await startProduct())
const service = await useService({ ALLOWED_ORIGINS: product.url }, { hostname: 'localhost' })
product.trust(service.url)
const site = closeAfterTests(await startIdpSite())
const ssoUrl = site.ssoUrl.replace('localhost', '127.0.0.1')
const provider = await addProvider(service, site.idp, { name, sso_url: ssoUrl })
site.trust([provider.own.pem])

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)
  const plain = await loadPlainWords(persona)
  let account: string
  beforeEach(() => {
    account = `${randomUUID()}@example.com`
    site.answerWith({ nameId: account })
  })

  const open = async () => {
    const flow = await startSignInFlow(service, browser, persona)
    const { page, t, activate, press } = flow
    const useProvider = async () => {
      await activate(page.getByRole('link', { name: t('useProvider', { name }) }))
      await press('Go on')
    }
    const seeHeading = (text: string) => page.getByRole('heading', { name: text, exact: true }).waitFor()
    const whoIs = async () =>
      (await (await page.request.get(`${service.url}/api/2/users/me`)).json()).username
    return { ...flow, useProvider, seeHeading, whoIs }
  }

  it('connects the account at the company after a refused sign-in, which signs in from then on', async () => {
    await patchProvider(service, provider, { auto_create_users: false })
    const kim = await addPerson(service, { full_name: 'Kim' })
    const user = kim.user.username
    const flow = await open()
    const { page, activate, press, look, enter, signOut, useProvider, seeHeading, whoIs } = flow
    await flow.open(`${product.url}/cart`)
    await useProvider()
    await page.getByRole('alert').getByText(account).waitFor()
    await look()
    await activate(page.getByRole('link', { name: plain('connectAccounts') }))
    await enter(kim, kim.password)
    await seeHeading(plain('connectQuestion', { account, provider: name, user }))
    await look()
    await press(plain('connectYes'))
    await flow.seeGreeting('Kim')
    await page.goto(service.url)
    await signOut()
    await useProvider()
    await flow.seeSignedIn('Kim')
    expect(await whoIs()).toBe(user)
    await patchProvider(service, provider, { auto_create_users: true })
  })

  it('asks before another account replaces the one that is signed in', async () => {
    const kim = await addPerson(service, { full_name: 'Kim' })
    const user = kim.user.username
    // The company has proven no domain, so its people are not named by their addresses.
    const username = account.split('@')[0] ?? ''
    const { page, press, look, enter, seeSignedIn, seeHeading, whoIs, ...flow } = await open()
    await page.goto(service.url)
    await enter(kim, kim.password)
    await seeSignedIn('Kim')
    const start = async () => {
      const query = new URLSearchParams({ return_to: `${product.url}/cart` })
      await page.goto(`${product.url}/`)
      await page.evaluate(`location.assign(${JSON.stringify(`${provider.loginUrl}?${query}`)})`)
      await press('Go on')
      await seeHeading(plain('switchQuestion', { account }))
    }
    await start()
    await look()
    await press(plain('switchNo', { user }))
    await page.waitForURL(`${service.url}/account`)
    expect(await whoIs()).toBe(user)
    await start()
    await press(plain('switchYes', { account }))
    await flow.seeGreeting(username)
    expect(await whoIs()).toBe(username)
  })
})
