import { afterAll, beforeAll, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { findOverflow } from '../support/looks.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'
import { shareBrowser } from '../support/shared-browser.ts'

let service: TestService
const browser = await shareBrowser()
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

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

it('shows the longest name as text, also in a narrow window', async () => {
  const name = `<img src=x onerror=alert(1)>${'x'.repeat(200)}`
  const visit = await openFor(name, { locale: 'de-DE', viewport: { width: 320, height: 568 } })
  await expect.poll(() => visit.heading()).toBe(`Bei ${name} anmelden`)
  expect(await findOverflow(visit.page)).toEqual([])
  expect(await findViolations(visit.page)).toEqual([])
})
