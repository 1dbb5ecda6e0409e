import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { countEvent } from '../../lib/kernel/rates/rates.ts'
import { getNetwork } from '../../lib/kernel/util/network.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { inOneBrowser, loadPlainWords } from '../support/personas.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { startSignInFlow } from '../support/sign-in-flow.ts'
import { useService } from '../support/use-service.ts'

/* Someone creates an account by a provider for everybody, and accepts the terms before. */

const service = await useService(
  { ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'samlStarts=20/3600' },
  { hostname: 'localhost' },
)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const upstream = closeAfterTests(await startUpstream())
await addPublicConnection(service, admin.bearer, upstream)
const terms = { terms_version: '2026-01', terms_url: 'https://www.example.com/terms' }
const policy = await callAs(service, admin)('PUT', 'system/sign-up-policy', { mode: 'off', ...terms })
if (policy.status !== 200) throw new Error(policy.text)

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)
  const plain = await loadPlainWords(persona)

  it('accepts the terms, which the page asks for, before the account exists', async () => {
    upstream.behave({ claims: newGoogleAccount({ email: 'grace.hopper@gmail.com' }) })
    const { page, open, activate, look, press, t } = await startSignInFlow(service, browser, persona)
    await open('/')
    await activate(page.getByRole('link', { name: t('useProvider', { name: 'Google' }) }))
    const heading = (name: string) => page.getByRole('heading', { name, exact: true })
    await heading(plain('createQuestion')).waitFor()
    await look()
    const link = page.getByRole('link', { name: plain('terms', { version: terms.terms_version }) })
    expect(await link.getAttribute('href')).toBe(terms.terms_url)
    // The browser names the box that is missing.
    await press(plain('createYes'))
    await heading(plain('createQuestion')).waitFor()
    await page.getByRole('checkbox').check()
    await press(plain('createYes'))
    await page.waitForURL((url) => url.pathname === '/')
    const { id } = await (await page.request.get(`${service.url}/api/2/users/me`)).json()
    expect((await findUser(service.services.table, id))?.acceptedTerms?.version).toBe('2026-01')
  })

  it('proves work where the network is above its limit, and comes to the provider without a click', async () => {
    const { table, config, now } = service.services
    const limit = config.rateLimits.samlStarts
    for (const address of ['127.0.0.1', '::1'])
      for (let at = 0; at <= limit.max; at++) await countEvent(table, limit, getNetwork(address), now())
    upstream.behave({ claims: newGoogleAccount() })
    const { page, open, activate, t } = await startSignInFlow(service, browser, persona)
    await open('/')
    await activate(page.getByRole('link', { name: t('useProvider', { name: 'Google' }) }))
    await page.getByRole('heading', { name: plain('createQuestion'), exact: true }).waitFor()
  })
})
