import { expect, it } from 'vitest'
import { openSession } from '../../lib/accounts/sessions/session-rules.ts'
import { requireUser } from '../../lib/accounts/users/require-records.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { findViolations } from '../support/axe.ts'
import { findOverflow } from '../support/looks.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

/** Opens the sign-in page for a client with this name. */
const openFor = async (
  name: string,
  options: Parameters<typeof openPage>[1] = {},
  parameters: Readonly<Record<string, string>> = {},
  bearer?: string,
): Promise<BrowserPage> => {
  const visit = await openPage(browser, options)
  if (bearer !== undefined)
    await visit.page.context().addCookies([{ name: 'latchkey', value: bearer, url: service.url }])
  const client = await addRelyingParty(service, { name })
  const query = buildAuthorization(client, createPkce().challenge, parameters)
  await visit.page.goto(`${service.url}/oauth2/authorize?${query}`)
  await visit.page.getByRole('heading', { level: 1 }).waitFor()
  return visit
}

it('says into which client people sign in, and leads there', async () => {
  const visit = await openFor('Media Library')
  await expect.poll(() => visit.heading()).toBe('Sign in to Media Library')
  await expect.poll(() => visit.page.title()).toBe('Sign in to Media Library – Latchkey')
  // The page of someone else who gets the address.
  const other = await openPage(browser)
  await other.page.goto(visit.page.url())
  await expect.poll(() => other.heading()).toBe('Sign in to Latchkey')
  const { bearer } = await addSignedIn(service)
  const known = await openFor('Cutting Room', {}, { prompt: 'select_account' }, bearer)
  await known.page.getByRole('button', { name: 'Continue to Cutting Room' }).waitFor()
})

it('says that a client asks for a second factor', async () => {
  const parameters = { acr_values: 'urn:latchkey:acr:multi-factor' }
  const { bearer } = await addSignedIn(service)
  const known = await openFor('Bank', { locale: 'de-DE' }, parameters, bearer)
  await known.page.getByText('Bank verlangt eine stärkere Anmeldung.').waitFor()
  const visit = await openFor('Cashier', { viewport: { width: 360, height: 640 } }, parameters)
  await visit.page.getByText('Cashier asks for a stronger sign-in.').waitFor()
  expect(await findOverflow(visit.page)).toEqual([])
  expect(await findViolations(visit.page)).toEqual([])
})

it('asks for a code alone if the sign-in lacks nothing else', async () => {
  const person = await addSignedIn(service)
  const { authenticator } = await enableSecondFactor(service, person)
  const user = await requireUser(service.services.table, person.user.id)
  const context = { actor: null, requestId: 'x', address: '192.0.2.1', userAgent: '', at: Date.now() }
  const bearer = await openSession(service.services, user, context, { methods: ['oidc'], expiresAt: null })
  const { page, heading, fill, press } = await openFor(
    'Vault',
    {},
    { acr_values: 'urn:latchkey:acr:multi-factor' },
    bearer,
  )
  await expect.poll(heading).toBe('Enter your code')
  expect(await page.locator('input[type=password]').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  const label = 'Code from your authenticator app'
  await page.getByRole('button', { name: 'Continue to Vault' }).waitFor()
  await fill({ [label]: '000000' })
  await page.getByText('The code is wrong').waitFor()
  const arrived = page.waitForRequest((request) => request.url().includes('code='))
  await fill({ [label]: authenticator.code(1) })
  await press('Continue to Vault')
  expect(new URL((await arrived).url()).searchParams.get('state')).toBe('the state')
})

it('shows the longest name as text, also in a narrow window', async () => {
  const name = `<img src=x onerror=alert(1)>${'x'.repeat(200)}`
  const visit = await openFor(name, { locale: 'de-DE', viewport: { width: 320, height: 568 } })
  await expect.poll(() => visit.heading()).toBe(`Bei ${name} anmelden`)
  expect(await findOverflow(visit.page)).toEqual([])
  expect(await findViolations(visit.page)).toEqual([])
})
