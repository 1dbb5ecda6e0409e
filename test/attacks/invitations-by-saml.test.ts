import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { decide, openQuestion } from '../support/company-sign-in.ts'
import { makeIdp } from '../support/idp.ts'
import { acceptInvitation, findInvitation, storeInvitation } from '../support/invitations.ts'
import { addConnection, openCallback, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, trySignIn } from '../support/people.ts'
import { addProvider, sessionOf, userOfSession, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * An invited user accepts with the account of their company, by SAML or OpenID Connect. It takes the link of the invitation and an
 * answer of the provider with the same address. An attacker has one of the two.
 */

const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example',
  ALLOW_PRIVATE_METADATA: 'true',
})
const upstream = closeAfterTests(await startUpstream())
const saml = await addProvider(service, await makeIdp(), { auto_create_users: false })
const admin: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer

/** How a person of the company signs in at the provider, and comes back. */
interface Company {
  readonly id: number
  readonly path: string
  readonly domain: string
  /** How audit events name the connection. */
  readonly target: string
  /** The provider answers the request of this URL with an account. */
  readonly answer: (browser: TestBrowser, url: string, email: string, subject: string) => Promise<Answer>
}

const addSamlCompany = async (): Promise<Company> => ({
  id: saml.id,
  path: `/api/2/auth/saml/${saml.id}`,
  domain: 'saml.example',
  target: `saml:${saml.id}`,
  answer: async (browser, url, email, nameId) => {
    const target = saml.idp.targetOf(saml.idp.read(url, [saml.own.pem]))
    const { form } = await saml.idp.answer(target, { nameId, attributes: { email: [email] } })
    // Over HTTP, browsers send the cookie of the flow with the post of another site for a moment only.
    return browser.post(target.acsUrl, form, 'same-site')
  },
})

const addOidcCompany = async (): Promise<Company> => {
  const { id } = await addConnection(service, admin, upstream.issuer)
  return {
    id,
    path: `/api/2/auth/oidc-connections/${id}`,
    domain: 'oidc.example',
    target: `oidc:${id}`,
    answer: (browser, url, email, sub) => openCallback(browser, upstream.authorize(url, { sub, email })),
  }
}

const kinds = [
  { kind: 'SAML', start: 'sso', addCompany: addSamlCompany },
  { kind: 'OpenID Connect', start: 'start', addCompany: addOidcCompany },
]

describe.each(kinds)('an invitation, with $kind', ({ start: startName, addCompany }) => {
  let company: Company
  beforeAll(async () => {
    company = await addCompany()
    await vouch([company.domain])
  })

  const vouch = (domains: readonly string[]) => vouchForDomains(service, { id: company.id, admin }, domains)
  const patch = async (body: object) => {
    const answer = await service.client('PATCH', company.path, { bearer: admin, body })
    expect(answer.status, answer.text).toBe(200)
  }
  const addInvited = async (domain = company.domain, fields: object = {}) => {
    const email = `${randomUUID()}@${domain}`
    const { user } = await addPerson(service, { email, emailVerified: false, ...fields })
    return { user, email, token: await storeInvitation(service, user.id) }
  }
  const readProviders = async (token: string) => (await findInvitation(service, token)).body.providers
  const acceptUrl = () => `${service.url}/api/2/auth/connections/${company.id}/invitation`

  /** Starts the sign-in on the page of the invitation. */
  const start = async (token: string) => {
    const browser = new TestBrowser(service)
    const answer = await service.client('POST', new URL(acceptUrl()).pathname, { body: { token } })
    browser.keep(answer)
    return { browser, answer, url: answer.body.url as string }
  }
  /** The identity provider answers with an account that has this address. */
  const answer = (
    { browser, url }: Pick<Awaited<ReturnType<typeof start>>, 'browser' | 'url'>,
    email: string,
    subject: string = randomUUID(),
  ) => company.answer(browser, url, email, subject)
  const signIn = async (email: string, subject: string) => {
    const browser = new TestBrowser(service)
    const { headers } = await browser.get(`${company.path}/${startName}`)
    return company.answer(browser, headers.get('location') ?? '', email, subject)
  }

  it('names the connection that an administrator trusts for the address, and its address, and no others', async () => {
    const [trusted, other] = [await addInvited(), await addInvited('elsewhere.example')]
    expect(await readProviders(trusted.token)).toMatchObject([{ id: company.id, accept_url: acceptUrl() }])
    expect(await readProviders(other.token)).toEqual([])
    await patch({ disabled_in_client: true })
    expect(await readProviders(trusted.token)).toEqual([])
    // Those without another way need it.
    const only = await addInvited(company.domain, { allow_changing_password: false })
    expect(await readProviders(only.token)).toMatchObject([{ id: company.id }])
    await patch({ disabled_in_client: false })
  })

  it.each([false, true])('offers a required connection alone, also if it is hidden: %s', async (isHidden) => {
    const { user, email, token } = await addInvited()
    await patch({ required_for_domains: true, disabled_in_client: isHidden })
    const { body } = await findInvitation(service, token)
    expect(body).toMatchObject({
      ...{ allows_password: false, password_policy: null, allows_passkey: false },
      providers: [{ id: company.id, accept_url: acceptUrl() }],
    })
    expect((await acceptInvitation(service, token, 'violet tractor under nine moons')).body.reason).toBe(
      'sso_required',
    )
    const accepted = await answer(await start(token), email)
    expect(await userOfSession(service, sessionOf(accepted) ?? '')).toBe(user.id)
    await patch({ required_for_domains: false, disabled_in_client: false })
  })

  it('is accepted after a question if another person is signed in, and replaces no session before', async () => {
    const [kim, { user, email, token }] = [await addPerson(service), await addInvited()]
    const started = await start(token)
    const { browser } = started
    browser.keep(await trySignIn(service, kim))
    const session = browser.cookie('latchkey') ?? ''
    const asked = await answer(started, email)
    expect([asked.status, sessionOf(asked)]).toEqual([303, undefined])
    expect((await findInvitation(service, token)).status).toBe(200)
    expect([browser.cookie('latchkey'), await userOfSession(service, session)]).toEqual([
      session,
      kim.user.id,
    ])
    const question = await openQuestion(browser, asked)
    expect(question.page.text).toContain(`<h1>Continue as ${user.username}?</h1>`)
    const accepted = await decide(browser, question, 'yes')
    expect(await userOfSession(service, sessionOf(accepted) ?? '')).toBe(user.id)
    expect((await findInvitation(service, token)).status).toBe(400)
  })

  it('is accepted with the account of the company, which signs in from then on', async () => {
    const { user, email, token } = await addInvited()
    const subject = randomUUID()
    const accepted = await answer(await start(token), email, subject)
    expect(accepted.status).toBe(303)
    expect(await userOfSession(service, sessionOf(accepted) ?? '')).toBe(user.id)
    const again = await signIn(email, subject)
    expect(await userOfSession(service, sessionOf(again) ?? '')).toBe(user.id)
    const { body } = await service.client('GET', `/api/2/users/${user.id}`, { bearer: admin })
    expect(body).toMatchObject({ email_verified: true, invitation: { state: 'accepted' } })
    const path = `/api/2/auth/audit-events?user=${user.id}`
    const { body: events } = await service.client('GET', path, { bearer: admin })
    const { target } = company
    for (const event of ['company_account.linked', 'invitation.accepted'])
      expect(events.filter((one: { event: string }) => one.event === event)).toMatchObject([
        { user: user.id, actor: user.id, target, outcome: 'succeeded' },
      ])
    expect((await findInvitation(service, token)).status).toBe(400)
  })

  it.each([
    ['the account', '/', 'SERVICE/account'],
    ['the account instead of a page of the service', 'SERVICE/docs', 'SERVICE/account'],
    ['the start page of the user', 'https://shop.example/home', 'https://shop.example/home'],
    ['the account instead of a page of another site', 'https://evil.example/', 'SERVICE/account'],
  ])('leads to %s', async (_, defaultPage, page) => {
    const { email, token } = await addInvited(company.domain, {
      default_page: defaultPage.replace('SERVICE', service.url),
    })
    const started = await start(token)
    const accepted = await answer(started, email)
    const returned = await started.browser.get(accepted.headers.get('location') ?? '')
    const { origin, pathname } = new URL(returned.headers.get('location') ?? '')
    expect(origin + pathname).toBe(page.replace('SERVICE', service.url))
  })

  it('is not accepted with an account of another address, and stays valid', async () => {
    const { email, token } = await addInvited()
    for (const other of [`${randomUUID()}@${company.domain}`, `${email}.evil.example`, `x${email}`]) {
      const refused = await answer(await start(token), other)
      expect(refused.status).toBe(403)
      expect(sessionOf(refused)).toBeUndefined()
    }
    expect((await findInvitation(service, token)).status).toBe(200)
  })

  it('is not accepted by a provider that is not trusted for the address', async () => {
    const { email, token } = await addInvited('elsewhere.example')
    expect((await start(token)).answer.status).toBe(403)
    const trusted = await addInvited()
    const started = await start(trusted.token)
    await vouch(['other.example'])
    expect((await answer(started, trusted.email)).status).toBe(403)
    await vouch([company.domain])
    expect(email).toContain('elsewhere.example')
  })

  it('does not lead to the account without its link', async () => {
    const { email, token } = await addInvited()
    expect((await signIn(email, randomUUID())).status).toBe(403)
    expect((await findInvitation(service, token)).status).toBe(200)
  })

  it('is not accepted after it was accepted another way in the meantime', async () => {
    const { email, token } = await addInvited()
    const started = await start(token)
    await acceptInvitation(service, token, 'violet tractor under nine moons')
    const refused = await answer(started, email)
    expect(refused.status).toBe(401)
    expect(sessionOf(refused)).toBeUndefined()
  })

  it('is accepted by one of several sign-ins at once', async () => {
    const { email, token } = await addInvited()
    const started = await Promise.all(Array.from({ length: 5 }, () => start(token)))
    const answers = await Promise.all(started.map((one) => answer(one, email)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  })

  it('is not accepted in another browser, nor with the account of another user', async () => {
    const { user, email, token } = await addInvited()
    const started = await start(token)
    expect((await answer({ ...started, browser: new TestBrowser(service) }, email)).status).toBe(401)
    const other = await addInvited()
    const nameId = randomUUID()
    await answer(await start(other.token), other.email, nameId)
    const taken = await answer(await start(token), email, nameId)
    expect(taken.status).toBe(409)
    expect(user.id).not.toBe(other.user.id)
  })

  it('cannot be started by a page of another site', async () => {
    const { token } = await addInvited()
    const refused = await service.client('POST', `/api/2/auth/connections/${company.id}/invitation`, {
      body: { token },
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('set-cookie')).toBeNull()
  })
})
