import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { awaitMails } from '../support/await-mails.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { invite, readInvitationToken } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson } from '../support/people.ts'
import {
  addProvider,
  patchProvider,
  sessionOf,
  signInByConnection,
  startSignIn,
  vouchForDomains,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* People whom their company signs in get to manage users here, and connect their company account again. */

const domain = 'example.com'
const password = 'orange kettle beside seven rivers'
const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
await vouchForDomains(service, provider, [domain])

const asAdmin = async (method: string, path: string, body?: object): Promise<JsonValue> => {
  const sent = { bearer: provider.admin, body }
  const answer = await service.client(method, `/api/2/${path}`, sent)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const whoAmI = (bearer: string | undefined): Promise<Answer> =>
  service.client('GET', '/api/2/users/me', { ...(bearer ? { bearer } : {}) })

/** A user whom the company created with a first sign-in. */
const addEmployee = async () => {
  const [nameId, email] = [randomUUID(), `${randomUUID()}@${domain}`]
  const attributes = { email: [email] }
  const { session } = await signInByConnection(service, provider, { nameId, attributes })
  const { id, username } = (await whoAmI(session)).body
  const signIn = async () => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, { nameId, attributes })
    return sessionOf(await browser.post(target.acsUrl, form))
  }
  return { id, username, email, nameId, attributes, session, signIn }
}

describe('an employee whom their company created', () => {
  it('sets a password and connects the company account again after they got users:manage', async () => {
    const { id, username, email, nameId, attributes, session, signIn } = await addEmployee()
    const before = await asAdmin('GET', `users/${id}`)
    expect(before.rights_limit).toEqual({ permissions: ['system:admin-access'], excludes_privileged: true })
    const promoted = await asAdmin('PATCH', `users/${id}`, { permissions: ['users:manage'] })
    expect(promoted).not.toHaveProperty('rights_limit')
    expect((await whoAmI(session)).status).toBe(401)
    expect(await signIn()).toBeUndefined()
    expect(await asAdmin('GET', `users/${id}/company-accounts`)).toEqual([])

    await awaitMails(service)
    expect(
      service.mailbox
        .mailsTo(email)
        .map(({ text }) => text)
        .join('\n'),
    ).toContain('connect your company account again')
    const token = await readMailedToken(service, email, 'reset')
    const reset = await service.client('POST', '/api/2/auth/reset-password', { body: { token, password } })
    expect(reset.status).toBe(204)
    const browser = new TestBrowser(service)
    const signedIn = await service.client('POST', '/api/2/auth/login', { body: { username, password } })
    expect(signedIn.status).toBe(200)
    browser.keep(signedIn)

    const start = await browser.get(`${provider.loginUrl}?link=true`, 'same-origin')
    const request = provider.idp.read(start.headers.get('location') ?? '', [provider.own.pem])
    const { form } = await provider.idp.answer(provider.idp.targetOf(request), { nameId, attributes })
    expect((await browser.post(provider.assertionUrl, form)).status).toBe(303)
    const { body } = await whoAmI(await signIn())
    expect(body).toMatchObject({ id, effective_permissions: ['users:manage'] })
  })

  it('gets the permission of a group once an administrator has connected the company account', async () => {
    const { id, nameId, session, signIn } = await addEmployee()
    await asAdmin('POST', 'groups', {
      name: randomUUID(),
      permissions: ['users:manage'],
      members: [{ id }],
    })
    expect((await whoAmI(session)).body.effective_permissions).toEqual([])
    expect((await asAdmin('GET', `users/${id}`)).withheld_permissions).toEqual(['users:manage'])
    const link = { provider: provider.id, name: nameId }
    await asAdmin('POST', `users/${id}/company-accounts`, link)
    expect((await whoAmI(session)).status).toBe(401)
    const { body } = await whoAmI(await signIn())
    expect(body).toMatchObject({ id, effective_permissions: ['users:manage'] })
    // A repetition changes nothing.
    const [account] = await asAdmin('GET', `users/${id}/company-accounts`)
    expect(await asAdmin('POST', `users/${id}/company-accounts`, link)).toEqual(account)
  })

  it('keeps it with a permission that the connection does not lack', async () => {
    const { id, session, signIn } = await addEmployee()
    await asAdmin('PATCH', `users/${id}`, { permissions: ['media:access'] })
    for (const bearer of [session, await signIn()])
      expect((await whoAmI(bearer)).body.effective_permissions).toEqual(['media:access'])
  })

  it('keeps it when the account merges with another one without more rights', async () => {
    const { id, signIn } = await addEmployee()
    const { user } = await addPerson(service, { permissions: ['media:access'] })
    await asAdmin('POST', `users/${user.id}/merge`, { user: id })
    expect((await whoAmI(await signIn())).body.id).toBe(user.id)
    expect(await asAdmin('GET', `users/${user.id}`)).toHaveProperty('rights_limit')
  })

  it('accepts an invitation with it where the company requires its sign-in', async () => {
    const { id, email, nameId, attributes, signIn } = await addEmployee()
    await patchProvider(service, provider, { required_for_domains: true })
    await asAdmin('PATCH', `users/${id}`, { permissions: ['users:manage'] })
    expect(await signIn()).toBeUndefined()
    expect((await invite(service, provider.admin, id)).status).toBe(200)
    const browser = new TestBrowser(service)
    const start = await service.client('POST', `/api/2/auth/connections/${provider.id}/invitation`, {
      body: { token: await readInvitationToken(service, email) },
    })
    expect(start.status).toBe(200)
    browser.keep(start)
    const request = provider.idp.read(start.body.url, [provider.own.pem])
    const { form } = await provider.idp.answer(provider.idp.targetOf(request), { nameId, attributes })
    const accepted = await browser.post(provider.assertionUrl, form)
    for (const bearer of [sessionOf(accepted), await signIn()])
      expect((await whoAmI(bearer)).body).toMatchObject({ id, effective_permissions: ['users:manage'] })
    await patchProvider(service, provider, { required_for_domains: false })
  })
})
