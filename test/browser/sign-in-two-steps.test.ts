import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { makeIdp } from '../support/idp.ts'
import { checkLooks, findOverflow } from '../support/looks.ts'
import { type BrowserPage, getFocused, openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { addProvider, vouchForDomains } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const ada = await addPerson(service, { email: `${randomUUID()}@elsewhere.example`, full_name: 'Ada' })
const company = await addProvider(service, await makeIdp(), { disabled_in_client: true, name: 'Company' })
await vouchForDomains(service, company, ['company.example'])
const browser = await shareBrowser()
let visit: BrowserPage
/** Where the page led to an identity provider. */
let started: URL[]
const open = async (options: Parameters<typeof openPage>[1] = {}): Promise<void> => {
  visit = await openPage(browser, options)
  started = []
  await visit.page.route('**/api/2/auth/saml/*/sso*', (route) => {
    started.push(new URL(route.request().url()))
    return route.fulfill({ contentType: 'text/html', body: '<h1>The provider</h1>' })
  })
}
beforeEach(() => open({ locale: 'en' }))

const atProvider = () => visit.page.getByRole('heading', { name: 'The provider' }).waitFor()
const name = () => visit.page.getByLabel('Username or email', { exact: true })
const password = () => visit.page.getByLabel('Password', { exact: true })

it('leads an address of the company to its provider, and keeps where the person came from', async () => {
  await visit.page.goto(`${service.url}/?return_to=/account&prompt=login`)
  await expect.poll(() => getFocused(visit.page)).toBe('username')
  // Only password managers find its field.
  expect(await visit.page.getByRole('textbox').count()).toBe(1)
  expect(await password().getAttribute('tabindex')).toBe('-1')
  await visit.fill({ 'Username or email': ' Ada@Company.example ' })
  await visit.page.keyboard.press('Enter')
  await atProvider()
  expect(started.map(({ pathname, search }) => pathname + search)).toEqual([
    `/api/2/auth/saml/${company.id}/sso?return_to=%2Faccount&force_authn=true`,
  ])
})

it('asks everyone else for the password, with the keyboard alone, and leads back', async () => {
  await visit.page.goto(service.url)
  await name().waitFor()
  await visit.press('Continue')
  await expect.poll(() => getFocused(visit.page)).toBe('username')
  await visit.page.keyboard.type('no-one@elsewhere.example')
  await visit.page.keyboard.press('Enter')
  await expect.poll(() => getFocused(visit.page)).toBe('password')
  await visit.press('Not you?')
  await expect.poll(() => getFocused(visit.page)).toBe('username')
  expect(await name().inputValue()).toBe('')
  await visit.page.keyboard.type(ada.user.username)
  await visit.page.keyboard.press('Enter')
  await expect.poll(() => getFocused(visit.page)).toBe('password')
  await visit.page.keyboard.type(ada.password)
  await visit.page.keyboard.press('Enter')
  await visit.state.getByText('as Ada').waitFor()
  expect(started).toEqual([])
})

it('lets people with an address of the company use their password here', async () => {
  await visit.page.goto(service.url)
  await visit.fill({ 'Username or email': 'root@company.example' })
  await visit.press('Use a password instead')
  await expect.poll(() => getFocused(visit.page)).toBe('password')
  expect(started).toEqual([])
})

it('still asks for the password if the lookup fails', async () => {
  await visit.page.route('**/api/2/auth/sign-in-route', (route) => route.abort())
  await visit.page.goto(service.url)
  await visit.fill({ 'Username or email': ada.user.username })
  await visit.press('Continue')
  await password().waitFor()
  await visit.problem.waitFor()
})

it.each(['login_hint=eve@company.example', 'domain_hint=company.example', 'connection=ID'])(
  'follows %s once, and shows the form to those who come back',
  async (hint) => {
    const address = `${service.url}/?return_to=/account&${hint.replace('ID', String(company.id))}`
    await visit.page.goto(address)
    await atProvider()
    expect(started[0]?.searchParams.get('return_to')).toBe('/account')
    await visit.page.goto(address)
    await name().waitFor()
    await visit.page.waitForLoadState('networkidle')
    expect(started).toHaveLength(1)
  },
)

it.each(['login_hint=eve@company.example', 'domain_hint=company.example', 'connection=ID'])(
  'offers the provider of %s to those who are to choose an account, and leads there after they did',
  async (hint) => {
    const address = `${service.url}/?return_to=/account&${hint.replace('ID', String(company.id))}`
    for (const prompt of ['select_account', 'login%20select_account']) {
      started = []
      await visit.page.goto(`${address}&prompt=${prompt}`)
      const link = visit.page.getByRole('link', { name: 'Continue with your company' })
      await link.waitFor()
      await visit.page.waitForLoadState('networkidle')
      expect(started).toEqual([])
      expect(await findViolations(visit.page)).toEqual([])
      await link.click()
      await atProvider()
      expect(started[0]?.searchParams.get('return_to')).toBe('/account')
      expect(started[0]?.searchParams.get('force_authn')).toBe(prompt === 'select_account' ? null : 'true')
    }
  },
)

it('has the provider of a hint ask again if the client wants a new sign-in', async () => {
  await visit.page.goto(`${service.url}/?return_to=/account&prompt=login&connection=${company.id}`)
  await atProvider()
  expect(started[0]?.searchParams.get('force_authn')).toBe('true')
})

it.each(['domain_hint=https://evil.example', 'connection=//evil.example', 'connection=999999'])(
  'ignores %s',
  async (hint) => {
    await visit.page.goto(`${service.url}/?${hint}`)
    await name().waitFor()
    await visit.page.waitForLoadState('networkidle')
    expect(started).toEqual([])
    expect(await visit.page.getByRole('button', { name: 'Continue' }).isVisible()).toBe(true)
  },
)

it('asks for the password at once if a hint names someone of another domain', async () => {
  await visit.page.goto(`${service.url}/?login_hint=ada@elsewhere.example`)
  await expect.poll(() => getFocused(visit.page)).toBe('password')
  expect(await name().inputValue()).toBe('ada@elsewhere.example')
})

it('looks right in both steps', async () => {
  await visit.page.goto(service.url)
  await name().waitFor()
  await checkLooks(visit.page, 'sign-in-name')
  await visit.fill({ 'Username or email': 'ada' })
  await visit.press('Continue')
  await password().waitFor()
  await checkLooks(visit.page, 'sign-in-named')
})

it.each(['ar', 'de', 'ja'])('fits a phone in %s', async (locale) => {
  await open({ locale, viewport: { width: 320, height: 568 } })
  await visit.page.goto(service.url)
  await visit.page.locator('[name=username]').fill('ada')
  expect(await findOverflow(visit.page)).toEqual([])
  await visit.page.locator('[type=submit]').click()
  await visit.page.locator('[name=password][required]').waitFor()
  expect(await findOverflow(visit.page)).toEqual([])
})

it('says that it needs JavaScript', async () => {
  await open({ javaScriptEnabled: false })
  await visit.page.goto(service.url)
  expect(await visit.page.locator('noscript p').innerText()).not.toBe('')
})
