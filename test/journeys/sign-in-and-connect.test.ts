import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import {
  type CompanySignIn,
  companyKinds,
  decide,
  openQuestion,
  readNext,
} from '../support/company-sign-in.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { sessionOf, userOfSession } from '../support/saml.ts'
import { awaitReportToken } from '../support/security-emails.ts'
import { useService } from '../support/use-service.ts'

/* A person whose account at their company is connected to no account here signs in here, and connects the two. */

const service = await useService(
  { ALLOWED_ORIGINS: 'https://shop.example', ALLOW_PRIVATE_METADATA: 'true' },
  { sendsMail: true },
)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

describe.each(companyKinds)('a refused sign-in over $kind', ({ add }) => {
  let company: CompanySignIn
  beforeAll(async () => {
    company = await add(service, 'Example', { auto_create_users: false })
  })
  afterAll(() => company.close())

  /** Sends the form of the sign-in page. */
  const logIn = async (browser: TestBrowser, { user, password }: Person): Promise<void> => {
    const answer = await service.client('POST', '/api/2/auth/login', {
      body: { username: user.username, password },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    browser.keep(answer)
  }

  it.each([
    ['a user', []],
    ['an administrator', ['system:admin-access']],
  ])('leads %s to sign in here and to connect, and from then on signs them in', async (_, permissions) => {
    const account = `kim-${randomUUID()}@example.com`
    const kim = await addPerson(service, { email: `${randomUUID()}@example.com`, permissions })
    const browser = new TestBrowser(service)
    const query = `?return_to=${encodeURIComponent('https://shop.example/cart')}`
    const refused = await (await company.start(browser, { query }))(account)
    expect([refused.status, sessionOf(refused)]).toEqual([403, undefined])
    expect(refused.text).toContain('I have an account here: sign in and connect')

    const { path, page: lead } = await openQuestion(browser, refused)
    const signInPage = new URL(lead.headers.get('location') ?? '')
    expect([lead.status, signInPage.origin, signInPage.searchParams.get('return_to')]).toEqual([
      303,
      service.url,
      path,
    ])
    const shown = await browser.get(signInPage.href, 'same-origin')
    expect(shown.text).not.toContain('refused')
    await logIn(browser, kim)

    const page = await browser.get(path, 'same-origin')
    expect(page.text).toContain(
      `<h1>Connect ${account} of Example to your account ${kim.user.username}?</h1>`,
    )
    const connected = await decide(browser, { path, page }, 'yes')
    expect([connected.status, sessionOf(connected)]).toEqual([200, undefined])
    expect(connected.text).toContain('The accounts are connected')
    const back = await browser.get(readNext(connected), 'same-origin')
    expect(back.headers.get('location')).toMatch(/^https:\/\/shop\.example\/cart\?/)

    const second = await (await company.start(new TestBrowser(service)))(account)
    expect(await userOfSession(service, sessionOf(second) ?? '')).toBe(kim.user.id)
    const events = await service.client('GET', `/api/2/auth/audit-events?user=${kim.user.id}`, {
      bearer: admin.bearer,
    })
    expect(events.body).toContainEqual(
      expect.objectContaining({
        ...{ event: 'company_account.linked', actor: kim.user.id, target: company.target },
      }),
    )
    await awaitReportToken(service, kim, 'Another account was linked to yours')
  })
})
