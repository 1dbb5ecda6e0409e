import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { describe, expect, it } from 'vitest'
import { buildEmailState } from '../../lib/accounts/names/email-confirmations.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { editConnectionOf } from '../../lib/features/connections/records.ts'
import { findSamlConnection, samlKind } from '../../lib/features/connections/saml/records.ts'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { makeIdp } from '../support/idp.ts'
import { acceptInvitation, storeInvitation } from '../support/invitations.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import {
  addProvider,
  patchProvider,
  signInByConnection,
  userOfSession,
  vouchForDomains,
} from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/* People of a company that requires its own sign-in, who look for another way in. */

const domain = 'required.example'
const unicode = 'bücher-firma.example'
const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
await vouchForDomains(service, provider, [domain, unicode])
await patchProvider(service, provider, { required_for_domains: true })

const post = (path: string, body: object) => service.client('POST', `/api/2${path}`, { body })
const login = ({ user, password }: Person, otherPassword = password) =>
  post('/auth/login', { username: user.username, password: otherPassword })
const newAddress = (at = domain) => `${randomUUID()}@${at}`
const addAt = (email: string, fields: object = {}) => addPerson(service, { email, ...fields })
/** Someone who signed in before the company required its own sign-in. */
const addInside = async () => moveInside(await addSignedIn(service))
const moveInside = async <Inside extends Person>(person: Inside): Promise<Inside> => {
  const email = newAddress()
  const { table } = service.services
  const user = await findUser(table, person.user.id)
  if (!user) throw new Error('the user was not found')
  const changes = { email, normalizedEmail: email, ...buildEmailState('administrator') }
  return { ...person, user: await editUser(table, user, changes) }
}
const refusal = (code: string) => ({
  status: 403,
  body: {
    ...{ code, reason: 'sso_required' },
    saml_provider: { id: provider.id, login_url: provider.loginUrl },
  },
})

describe('a required provider', () => {
  it('refuses a right password, and answers a wrong one as before', async () => {
    const person = await addAt(newAddress())
    expect(await login(person)).toMatchObject(refusal('login_incomplete'))
    const wrong = await login(person, 'a wrong password')
    expect(wrong).toMatchObject({ status: 401, body: { reason: 'invalid_credentials' } })
    expect(wrong.text).not.toContain(String(provider.loginUrl))
  })

  it('counts no right password as a guess', async () => {
    const person = await addAt(newAddress())
    for (let at = 0; at < 12; at++) expect((await login(person)).status).toBe(403)
  })

  it.each(['REQUIRED.example', unicode, domainToASCII(unicode)])('knows its domain as %s', async (at) => {
    expect((await login(await addAt(newAddress(at)))).status).toBe(403)
  })

  it('concerns no other domain, no subdomain, and no unverified address', async () => {
    const open = [
      await addAt(newAddress('other.example')),
      await addAt(newAddress(`mail.${domain}`)),
      await addAt(newAddress(`${domain}.other.example`)),
      await addAt(newAddress(), { emailVerified: false }),
      await addPerson(service),
    ]
    for (const person of open) expect((await login(person)).status).toBe(200)
  })

  it('refuses passkeys', async () => {
    const person = await addSignedIn(service)
    const { passkey } = await addPasskey(service, person)
    await moveInside(person)
    expect(await signInWithPasskey(service, passkey)).toMatchObject(refusal('login_incomplete'))
  })

  it('refuses reset links and invitations, which stay unused', async () => {
    const { table } = service.services
    const { user } = await addAt(newAddress())
    const { value, steps } = mintResetToken(service.services, user)
    await table.transact(steps)
    const reset = { token: value, password: 'violet tractor under nine moons' }
    expect(await post('/auth/reset-password', reset)).toMatchObject(refusal('permission_denied'))
    const invited = await addAt(newAddress(), { emailVerified: false })
    const token = await storeInvitation(service, invited.user.id)
    const accept = () => acceptInvitation(service, token, reset.password)
    expect(await accept()).toMatchObject(refusal('permission_denied'))
    await patchProvider(service, provider, { exempt_users: [user.id, invited.user.id] })
    expect((await post('/auth/reset-password', reset)).status).toBe(204)
    expect((await accept()).status).toBe(200)
    await patchProvider(service, provider, { exempt_users: [] })
  })

  it('refuses emailed codes', async () => {
    await storeSignInPolicy(service, { allow_email_codes: true })
    const { user } = await addAt(newAddress())
    const { body } = await post('/auth/email-code', { username: user.username })
    const readCode = () =>
      service.mailbox.mailsTo(user.email).flatMap(({ text }) => /^\d{4} \d{4}$/m.exec(text)?.[0] ?? [])[0]
    await waitFor(() => expect(readCode()).toBeDefined())
    const answer = await post('/auth/email-code/login', { request_id: body.request_id, code: readCode() })
    expect(answer).toMatchObject(refusal('login_incomplete'))
  })

  it('keeps people from leaving its domain with a change of their address', async () => {
    const { user, bearer } = await addInside()
    const { session } = await signInByConnection(service, provider, {
      nameId: randomUUID(),
      attributes: { email: [user.email ?? ''] },
    })
    const change = (one: string) =>
      service.client('POST', '/api/2/users/me/email', {
        bearer: one,
        body: { email: newAddress('other.example') },
      })
    expect(await change(session)).toMatchObject(refusal('permission_denied'))
    // The connection took the account by its address, which ended the session from before.
    expect((await change(bearer)).status).toBe(401)
  })

  it('leaves sessions, its own sign-in and impersonation as they are', async () => {
    const { user, bearer } = await addInside()
    expect(await userOfSession(service, bearer)).toBe(user.id)
    const { session } = await signInByConnection(service, provider, {
      nameId: randomUUID(),
      attributes: { email: [user.email ?? ''] },
    })
    expect(await userOfSession(service, session)).toBe(user.id)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const body = { user: user.id }
    expect(
      (await service.client('POST', '/api/2/auth/impersonation', { bearer: admin.bearer, body })).status,
    ).toBe(204)
  })

  it('refuses other connections that the account has, and not its own', async () => {
    const other = await addProvider(service, await makeIdp(), { auto_create_users: true })
    const { user } = await addAt(newAddress('other.example'))
    await vouchForDomains(service, other, ['other.example'])
    const given = { nameId: randomUUID(), attributes: { email: [user.email ?? ''] } }
    const first = await signInByConnection(service, other, given)
    expect(await userOfSession(service, first.session)).toBe(user.id)
    const stored = await findUser(service.services.table, user.id)
    const email = newAddress()
    if (stored) await editUser(service.services.table, stored, { email, normalizedEmail: email })
    await expect(signInByConnection(service, other, given)).rejects.toThrow('rejected: 403')
  })

  it('is required only while the domain is proven', async () => {
    const person = await addAt(newAddress())
    const { table } = service.services
    const change = async (state: 'lost' | 'vouched') => {
      const stored = await findSamlConnection(table, provider.id)
      if (!stored) throw new Error('the provider was not found')
      const domains = stored.domains.map((one) => (one.name === domain ? { ...one, state } : one))
      await editConnectionOf(table, samlKind, stored, { domains }, [])
    }
    await change('lost')
    expect((await login(person)).status).toBe(200)
    await change('vouched')
    expect((await login(person)).status).toBe(403)
  })

  it('survives a change of the sign-in policy', async () => {
    const person = await addAt(newAddress())
    await storeSignInPolicy(service, { password_only_min_length: 15 })
    expect((await login(person)).status).toBe(403)
  })

  it('follows a user whose verified address changes', async () => {
    const person = await addAt(newAddress('other.example'))
    expect((await login(person)).status).toBe(200)
    const user = await findUser(service.services.table, person.user.id)
    const email = newAddress()
    if (user) await editUser(service.services.table, user, { email, normalizedEmail: email })
    expect((await login(person)).status).toBe(403)
  })
})

describe('the settings of a required provider', () => {
  const patch = (body: object, bearer = provider.admin) =>
    service.client('PATCH', `/api/2/auth/saml/${provider.id}`, { bearer, body })

  it('refuse unknown users, too many users, and other types', async () => {
    for (const ids of [[2 ** 31], Array.from({ length: 21 }, (_, at) => at + 1), ['__proto__'], {}, [-1]])
      expect((await patch({ exempt_users: ids })).status, JSON.stringify(ids)).toBe(400)
  })

  it('do not lock out the administrator who changes them', async () => {
    const other = await addProvider(service, await makeIdp())
    await vouchForDomains(service, other, ['own.example'])
    const admin = await addSignedIn(service, {
      email: newAddress('own.example'),
      permissions: ['system:admin-access'],
    })
    const change = (body: object) =>
      service.client('PATCH', `/api/2/auth/saml/${other.id}`, { bearer: admin.bearer, body })
    const refused = await change({ required_for_domains: true })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'required_for_domains' }] } })
    const exempt = { required_for_domains: true, exempt_users: [admin.user.id] }
    expect((await change(exempt)).status).toBe(200)
    expect((await change({ exempt_users: [] })).status).toBe(400)
    expect((await login(admin)).status).toBe(200)
  })

  it('are deleted with the provider', async () => {
    const other = await addProvider(service, await makeIdp())
    await vouchForDomains(service, other, ['deleted.example'])
    await patchProvider(service, other, { required_for_domains: true })
    const person = await addAt(newAddress('deleted.example'))
    expect((await login(person)).status).toBe(403)
    const path = `/api/2/auth/saml/${other.id}`
    expect((await service.client('DELETE', path, { bearer: other.admin })).status).toBe(204)
    expect((await login(person)).status).toBe(200)
  })

  it('are not shown to others', async () => {
    const { body } = await service.client('GET', `/api/2/auth/saml/${provider.id}`)
    expect(Object.keys(body)).not.toContain('exempt_users')
    expect(Object.keys(body)).not.toContain('required_for_domains')
  })
})
