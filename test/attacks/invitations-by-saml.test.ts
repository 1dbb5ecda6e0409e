import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { makeIdp } from '../support/idp.ts'
import { acceptInvitation, findInvitation, storeInvitation } from '../support/invitations.ts'
import { addPerson } from '../support/people.ts'
import {
  addProvider,
  patchProvider,
  sessionOf,
  signInBySaml,
  type TestProvider,
  userOfSession,
  vouchForDomains,
} from '../support/saml.ts'
import { startService, type TestService } from '../support/service.ts'

/*
 * An invited user accepts with the account of their company. It takes the link of the invitation and an assertion of the
 * same address. An attacker has one of the two.
 */

let service: TestService
let provider: TestProvider
beforeAll(async () => {
  service = await startService({
    PUBLIC_URL: 'https://auth.example.com',
    ALLOWED_ORIGINS: 'https://shop.example',
  })
  provider = await addProvider(service, await makeIdp(), {
    auto_create_users: false,
  })
  await vouchForDomains(service, provider, ['partner.example'])
})
afterAll(() => service.close())

const addInvited = async (domain = 'partner.example', fields: object = {}) => {
  const email = `${randomUUID()}@${domain}`
  const { user } = await addPerson(service, { email, emailVerified: false, ...fields })
  return { user, email, token: await storeInvitation(service, user.id) }
}

/** Starts the sign-in on the page of the invitation. */
const start = async (token: string) => {
  const browser = new TestBrowser(service)
  const path = `/api/2/auth/saml/${provider.id}/invitation`
  const answer = await service.client('POST', path, { body: { token } })
  browser.keep(answer)
  if (answer.status !== 200) return { browser, answer }
  const request = provider.idp.read(answer.body.url, [provider.own.pem])
  return { browser, answer, target: provider.idp.targetOf(request) }
}

/** The identity provider answers with an account that has this address. */
const answer = async (
  { browser, target }: Awaited<ReturnType<typeof start>>,
  email: string,
  nameId: string = randomUUID(),
) => {
  if (!target) throw new Error('the sign-in was not started')
  const { form } = await provider.idp.answer(target, { nameId, attributes: { email: [email] } })
  return browser.post(target.acsUrl, form)
}

describe('an invitation', () => {
  it('names the providers that an administrator trusts for the address, and no others', async () => {
    const [trusted, other] = [await addInvited(), await addInvited('elsewhere.example')]
    const providers = async (token: string) =>
      (await findInvitation(service, token)).body.providers.map(({ id }: { id: number }) => id)
    expect(await providers(trusted.token)).toEqual([provider.id])
    expect(await providers(other.token)).toEqual([])
    await patchProvider(service, provider, { disabled_in_client: true })
    expect(await providers(trusted.token)).toEqual([])
    await patchProvider(service, provider, { disabled_in_client: false })
  })

  it('is accepted with the account of the company, which signs in from then on', async () => {
    const { user, email, token } = await addInvited()
    const nameId = randomUUID()
    const accepted = await answer(await start(token), email, nameId)
    expect(accepted.status).toBe(303)
    expect(await userOfSession(service, sessionOf(accepted) ?? '')).toBe(user.id)
    const { session } = await signInBySaml(service, provider, { nameId, attributes: { email: [email] } })
    expect(await userOfSession(service, session)).toBe(user.id)
    const { body } = await service.client('GET', `/api/2/users/${user.id}`, { bearer: provider.admin })
    expect(body).toMatchObject({ email_verified: true, invitation: { state: 'accepted' } })
    const path = `/api/2/auth/audit-events?user=${user.id}`
    const { body: events } = await service.client('GET', path, { bearer: provider.admin })
    const target = `saml:${provider.id}`
    for (const event of ['saml_account.linked', 'invitation.accepted'])
      expect(events.filter((one: { event: string }) => one.event === event)).toMatchObject([
        { user: user.id, actor: user.id, target, outcome: 'succeeded' },
      ])
    expect((await findInvitation(service, token)).status).toBe(400)
  })

  it.each([
    ['the account', '/', 'https://auth.example.com/account'],
    [
      'the account instead of a page of the service',
      'https://auth.example.com/docs',
      'https://auth.example.com/account',
    ],
    ['the start page of the user', 'https://shop.example/home', 'https://shop.example/home'],
    [
      'the account instead of a page of another site',
      'https://evil.example/',
      'https://auth.example.com/account',
    ],
  ])('leads to %s', async (_, defaultPage, page) => {
    const { email, token } = await addInvited('partner.example', { defaultPage })
    const started = await start(token)
    const accepted = await answer(started, email)
    const returned = await started.browser.get(accepted.headers.get('location') ?? '')
    const { origin, pathname } = new URL(returned.headers.get('location') ?? '')
    expect(origin + pathname).toBe(page)
  })

  it('is not accepted with an account of another address, and stays valid', async () => {
    const { email, token } = await addInvited()
    for (const other of [`${randomUUID()}@partner.example`, `${email}.evil.example`, `x${email}`]) {
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
    await vouchForDomains(service, provider, ['other.example'])
    expect((await answer(started, trusted.email)).status).toBe(403)
    await vouchForDomains(service, provider, ['partner.example'])
    expect(email).toContain('elsewhere.example')
  })

  it('does not lead to the account without its link', async () => {
    const { email, token } = await addInvited()
    await expect(signInBySaml(service, provider, { attributes: { email: [email] } })).rejects.toThrow('403')
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
    const refused = await service.client('POST', `/api/2/auth/saml/${provider.id}/invitation`, {
      body: { token },
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('set-cookie')).toBeNull()
  })
})
