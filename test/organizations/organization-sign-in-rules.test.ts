import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getTokens,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import {
  addConnection,
  backchannelLogoutEvent,
  clientId,
  signInByUpstream,
  signWith,
  startUpstream,
  type TestConnection,
} from '../support/oidc-upstream.ts'
import { addSignedIn, callAs, type Person, type SignedInPerson } from '../support/people.ts'
import { openRememberingBrowser } from '../support/remembered-devices.ts'
import { sessionOf } from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* How an organization has its members sign in, and what a sign-in for it adds to one that is there. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,accountFailures=1000/60',
})
const upstream = closeAfterTests(await startUpstream())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const scope = 'openid organization offline_access'
const party = await addRelyingParty(service, { scopes: scope.split(' ') })

afterEach(() => vi.useRealTimers())

const newDomain = () => `${randomUUID()}.example`
const newOrganization = async (): Promise<{ id: number; slug: string }> => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  return (await call('POST', 'organizations', { name: 'Customer', slug })).body
}
const connect = async (organization: { id: number } | undefined, domain: string): Promise<TestConnection> => {
  const connection = await addConnection(service, admin.bearer, upstream.issuer, {
    organization_id: organization?.id ?? null,
    auto_create_users: true,
  })
  const path = `auth/connections/${connection.id}/domains`
  expect((await call('POST', path, { domain })).status).toBe(201)
  expect((await call('POST', `${path}/${domain}/vouch`)).status).toBe(200)
  return connection
}
const join = async ({ id }: { id: number }, { user }: Person, roles: readonly string[]) =>
  expect((await call('POST', `organizations/${id}/members`, { user: user.id, roles })).status).toBe(201)
const openBrowser = async (person: Person): Promise<TestBrowser & { bearer: string }> => {
  const browser = new TestBrowser(service)
  const body = { username: person.user.username, password: person.password }
  const answer = await service.client('POST', '/api/2/auth/login', { body })
  browser.keep(answer)
  return Object.assign(browser, { bearer: String(answer.body.session_key) })
}
const signInAt = async (
  connection: TestConnection,
  email: string,
  browser: TestBrowser,
  claims: object = {},
) => {
  const { answer } = await signInByUpstream(connection, upstream, { sub: email, email, ...claims }, browser)
  expect(answer.status, answer.text).toBe(303)
  return sessionOf(answer) ?? ''
}
const authorize = async (bearer: string, overrides: Readonly<Record<string, string | undefined>>) => {
  const { challenge, verifier } = createPkce()
  const query = buildAuthorization(party, challenge, { scope, ...overrides })
  const answer = await service.client('GET', `/oauth2/authorize?${query}`, { bearer })
  return { ...readRedirect(answer), verifier }
}
const ownOf = async (bearer: string, { id }: { id: number }) => {
  const { body } = await service.client('GET', '/api/2/users/me/organizations', { bearer })
  return body.find((one: { id: number }) => one.id === id)
}

/** An organization with a connection, and an owner who signed in there and by password in one browser. */
const createWorld = async () => {
  const organization = await newOrganization()
  const domain = newDomain()
  const connection = await connect(organization, domain)
  const owner: SignedInPerson & { email: string } = await (async () => {
    const email = `owner-${randomUUID()}@${domain}`
    return { ...(await addSignedIn(service, { email })), email }
  })()
  await join(organization, owner, ['owner'])
  const browser = await openBrowser(owner)
  const joint = await signInAt(connection, owner.email, browser)
  return { organization, domain, connection, owner, browser, joint, path: `organizations/${organization.id}` }
}

describe('a sign-in for an organization in a browser that is signed in', () => {
  it('adds to what was proven, and takes nothing away', async () => {
    const { organization, owner, joint, connection } = await createWorld()
    const other = await newOrganization()
    await join(other, owner, ['member'])
    // The account and another organization count as before.
    const me = await service.client('GET', '/api/2/users/me', { bearer: joint })
    expect(me.body).toMatchObject({ id: owner.user.id, email: owner.email })
    for (const { id } of [organization, other]) {
      const tokens = await getTokens(service, party, joint, { scope, organization: String(id) })
      expect(decodeJwt(tokens.id_token)['org_id']).toBe(String(id))
    }
    const limited = await signInAt(connection, owner.email, new TestBrowser(service))
    const refused = await service.client('GET', '/api/2/users/me/sessions', { bearer: limited })
    expect(refused.body.reason).toBe('service_sign_in_required')
  })

  it('keeps the proofs of up to five organizations', async () => {
    const owner = await addSignedIn(service, { email: `${randomUUID()}@${newDomain()}` })
    const browser = new TestBrowser(service)
    const made = []
    let bearer = ''
    for (let count = 0; count < 6; count += 1) {
      const organization = await newOrganization()
      await join(organization, owner, ['member'])
      const domain = owner.user.email?.split('@')[1] ?? ''
      const connection = await connect(organization, domain)
      made.push(organization)
      bearer = await signInAt(connection, owner.user.email ?? '', browser)
      // The domain goes to the next organization, and the account stays known to this one.
      await call('DELETE', `auth/connections/${connection.id}/domains/${domain}`)
    }
    const proven = []
    for (const { id } of made) {
      const answer = await authorize(bearer, { organization: String(id), prompt: 'none' })
      proven.push('code' in answer)
    }
    expect(proven).toEqual([false, true, true, true, true, true])
  })

  it('ends with each of its providers, and with the earlier of its ends', async () => {
    const { owner, browser, connection } = await createWorld()
    const second = await newOrganization()
    await join(second, owner, ['member'])
    await call('DELETE', `auth/connections/${connection.id}/domains/${owner.email.split('@')[1]}`)
    const other = await connect(second, owner.email.split('@')[1] ?? '')
    const both = await signInAt(other, owner.email, browser)
    // The first provider ends the session although another one opened it.
    const claims = {
      iss: upstream.issuer,
      aud: clientId,
      iat: Math.floor(Date.now() / 1000),
      jti: randomUUID(),
    }
    const token = await signWith(upstream.key, {
      ...claims,
      sub: owner.email,
      events: { [backchannelLogoutEvent]: {} },
    })
    const sent = await service.client(
      'POST',
      `/api/2/auth/oidc-connections/${connection.id}/backchannel-logout`,
      {
        raw: new URLSearchParams({ logout_token: token }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    )
    expect(sent.status, sent.text).toBe(200)
    expect((await service.client('GET', '/api/2/users/me', { bearer: both })).status).toBe(401)
  })

  it('takes nothing from another person, from an impersonation, or from a session that ended on the way', async () => {
    const { connection, domain, owner } = await createWorld()
    const email = `other-${randomUUID()}@${domain}`
    const ended = await openBrowser(owner)
    const started = await connection.start(ended)
    await service.client('POST', '/api/2/auth/logout', { bearer: ended.bearer })
    const location = upstream.authorize(started.location, { sub: owner.email, email: owner.email })
    const answer = await ended.get(location.pathname + location.search, 'cross-site')
    const bearer = sessionOf(answer) ?? ''
    const refused = await service.client('GET', '/api/2/users/me/sessions', { bearer })
    expect(refused.body.reason).toBe('service_sign_in_required')
    const { answer: asked } = await signInByUpstream(
      connection,
      upstream,
      { sub: email, email },
      await openBrowser(owner),
    )
    // Another person than the one who is signed in is asked first.
    expect(sessionOf(asked)).toBeUndefined()
  })
})

describe('the rules of an organization', () => {
  it('lead a member from a product over the company sign-in to tokens', async () => {
    const { path, organization, connection, owner, joint, domain } = await createWorld()
    const saved = await service.client('PATCH', `/api/2/${path}`, {
      bearer: joint,
      body: { required_connection: connection.id },
    })
    expect([saved.status, saved.body.required_connection]).toEqual([200, connection.id])
    const member = await addSignedIn(service, { email: `m-${randomUUID()}@${domain}` })
    await join(organization, member, ['admin'])
    const browser = await openBrowser(member)
    // The password counts elsewhere, but not here.
    const { challenge, verifier } = createPkce()
    const query = buildAuthorization(party, challenge, { scope, organization: organization.slug })
    const started = readRedirect(await browser.get(`/oauth2/authorize?${query}`))
    expect(started).toMatchObject({ prompt: 'login', connection: String(connection.id) })
    const silent = await authorize(member.bearer, { organization: organization.slug, prompt: 'none' })
    expect(silent).toMatchObject({ error: 'login_required' })
    const target = new URL(started['return_to'] ?? '')
    await signInAt(connection, member.user.email ?? '', browser)
    const done = readRedirect(await browser.get(target.pathname + target.search))
    const tokens = await exchangeCode(service, party, { code: done['code'] ?? '', verifier })
    expect(decodeJwt(tokens.body.id_token)).toMatchObject({ org_id: String(organization.id) })
    expect(owner.user.id).not.toBe(member.user.id)
  })

  it('keep members out of its administration, and let them see and leave it', async () => {
    const { path, organization, connection, joint, domain } = await createWorld()
    const member = await addSignedIn(service, { email: `m-${randomUUID()}@${domain}` })
    await join(organization, member, ['admin'])
    const token = await service.client('POST', '/api/2/api-tokens', {
      bearer: member.bearer,
      body: { name: 'x' },
    })
    const as = callAs(service, member)
    expect((await as('GET', `${path}/members`)).status).toBe(200)
    const tokens = await getTokens(service, party, member.bearer, { scope, organization: organization.slug })
    await service.client('PATCH', `/api/2/${path}`, {
      bearer: joint,
      body: { required_connection: connection.id },
    })
    for (const bearer of [member.bearer, token.body.token ?? token.body.value ?? member.bearer]) {
      const answer = await service.client('GET', `/api/2/${path}/members`, { bearer })
      expect([answer.status, answer.body.reason]).toEqual([403, 'organization_sign_in_required'])
    }
    // Tokens that were given before stop being renewed.
    const renewed = await refresh(service, party, tokens.refresh_token)
    expect([renewed.status, renewed.body.error]).toEqual([400, 'invalid_grant'])
    const own = await ownOf(member.bearer, organization)
    expect(own).toMatchObject({ roles: ['admin'], permissions: [] })
    expect(own.sign_in_url).toBe(`${service.url}/?prompt=login&connection=${connection.id}`)
    expect((await as('GET', path)).status).toBe(200)
    expect((await as('DELETE', `users/me/organizations/${organization.id}`)).status).toBe(204)
  })

  it('count for the one who signed in, and for nobody whom they act as', async () => {
    const { path, organization, connection, owner, joint, domain } = await createWorld()
    const rules = { required_connection: connection.id }
    expect((await service.client('PATCH', `/api/2/${path}`, { bearer: joint, body: rules })).status).toBe(200)
    const member = await addSignedIn(service, { email: `m-${randomUUID()}@${domain}` })
    await join(organization, member, ['admin'])
    expect(
      (await call('PATCH', `users/${owner.user.id}`, { permissions: ['system:admin-access'] })).status,
    ).toBe(200)
    expect((await ownOf(joint, organization)).sign_in_url).toBe(null)
    const body = { user: member.user.id }
    const started = await service.client('POST', '/api/2/auth/impersonation', { bearer: joint, body })
    expect(started.status, started.text).toBe(204)
    expect(await ownOf(joint, organization)).toMatchObject({ roles: ['admin'], permissions: [] })
    const refused = await service.client('GET', `/api/2/${path}/members`, { bearer: joint })
    expect([refused.status, refused.body.reason]).toEqual([403, 'organization_sign_in_required'])
  })

  it('ask for a second factor, and for a sign-in that is not too old', async () => {
    const organization = await newOrganization()
    const owner = await addSignedIn(service)
    await join(organization, owner, ['owner'])
    const path = `/api/2/organizations/${organization.id}`
    const send = (bearer: string, body: object) => service.client('PATCH', path, { bearer, body })
    const refused = await send(owner.bearer, { requires_second_factor: true })
    expect(refused.body.errors).toMatchObject([{ field: 'requires_second_factor' }])
    const { authenticator } = await enableSecondFactor(service, owner)
    const login = await service.client('POST', '/api/2/auth/login', {
      body: { username: owner.user.username, password: owner.password, otp: authenticator.code(1) },
    })
    const strong = login.body.session_key
    const saved = await send(strong, { requires_second_factor: true, sign_in_max_age: 600 })
    expect(saved.body).toMatchObject({ requires_second_factor: true, sign_in_max_age: 600 })
    const member = await addSignedIn(service)
    await join(organization, member, ['member'])
    const weak = await authorize(member.bearer, { organization: organization.slug })
    expect(weak).toMatchObject({ prompt: 'login', factors: '2' })
    const tokens = await getTokens(service, party, strong, { scope, organization: organization.slug })
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    const late = await refresh(service, party, tokens.refresh_token)
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
    expect(await authorize(strong, { organization: organization.slug })).toMatchObject({ prompt: 'login' })
    expect((await ownOf(strong, organization)).sign_in_url).toBe(`${service.url}/?prompt=login`)
  })

  it('of an age are met by no remembered browser, which proves no second factor, however it goes on', async () => {
    await storeSignInPolicy(service, { remembered_device_days: 30 })
    const { organization, domain, connection, path } = await createWorld()
    const member = await addSignedIn(service, { email: `${randomUUID()}@${domain}` })
    await join(organization, member, ['member'])
    const { authenticator } = await enableSecondFactor(service, member)
    const device = openRememberingBrowser(service)
    await device.signIn(member, { otp: authenticator.code(1), remember_device: true })
    expect((await call('PATCH', path, { sign_in_max_age: 600 })).status).toBe(200)
    const { body } = await device.signIn(member)
    const remembered = String(body.session_key)
    expect(await authorize(remembered, { organization: organization.slug })).toMatchObject({
      prompt: 'login',
    })
    expect((await ownOf(remembered, organization)).sign_in_url).toBe(`${service.url}/?prompt=login`)
    expect(await authorize(remembered, { scope: 'openid' })).toHaveProperty('code')
    expect(await authorize(remembered, { scope: 'openid', max_age: '3600' })).toMatchObject({
      prompt: 'login',
    })
    // A sign-in for the organization in this browser does not make more of what the session was before.
    const browser = new TestBrowser(service)
    browser.keep({ cookies: [`latchkey=${remembered}; Path=/; HttpOnly; SameSite=Lax`] })
    const joint = await signInAt(connection, member.user.email ?? '', browser)
    const options = await service.client('POST', '/api/2/users/me/passkeys/options', { bearer: joint })
    expect(options.body.reason).toBe('reauthentication_required')
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
    const full = await device.signIn(member, { otp: authenticator.code(1), ask_second_factor: true })
    expect(await authorize(full.body.session_key, { organization: organization.slug })).toHaveProperty('code')
  })

  it('are changed by a role for it, with a recent sign-in that meets them', async () => {
    const { path, organization, connection, owner, joint } = await createWorld()
    const foreign = await createWorld()
    const send = (bearer: string, body: object) => service.client('PATCH', `/api/2/${path}`, { bearer, body })
    // The password alone would lock its owner out.
    const password = await send(owner.bearer, { required_connection: connection.id })
    expect(password.body.errors).toMatchObject([{ field: 'required_connection' }])
    for (const id of [foreign.connection.id, 999_999]) {
      const answer = await send(joint, { required_connection: id })
      expect(answer.body.errors).toEqual([
        {
          field: 'required_connection',
          message: 'is not the ID of a connection of the organization that people can sign in with',
        },
      ])
    }
    const adminOf = await addSignedIn(service)
    await join(organization, adminOf, ['admin'])
    const created = await service.client('POST', `/api/2/${path}/api-tokens`, {
      bearer: joint,
      body: { name: 'Key', permissions: ['org:settings:manage', 'org:members:view'] },
    })
    for (const bearer of [created.body.token, foreign.joint, foreign.owner.bearer])
      expect((await send(bearer ?? '', { sign_in_max_age: 600 })).status).toBeGreaterThanOrEqual(400)
    for (const body of [
      { sign_in_max_age: 299 },
      { sign_in_max_age: 2_592_001 },
      { sign_in_max_age: '600' },
      { requires_second_factor: 'yes' },
      { required_connection: { toString: 'x' } },
    ])
      expect((await send(joint, body)).status).toBe(400)
    // An administrator of the service opens what a broken provider closed.
    expect((await send(joint, { required_connection: connection.id })).status).toBe(200)
    expect((await call('PATCH', path, { required_connection: null })).body.required_connection).toBe(null)
  })

  it('keep the connection that they require, also from administrators and at the same moment', async () => {
    const { path, connection, joint } = await createWorld()
    const rule = { required_connection: connection.id }
    expect((await service.client('PATCH', `/api/2/${path}`, { bearer: joint, body: rule })).status).toBe(200)
    const remove = () => call('DELETE', `auth/oidc-connections/${connection.id}`)
    const refused = await remove()
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('requires its members'),
    ])
    expect((await call('PATCH', path, { required_connection: null })).status).toBe(200)
    const [removed] = await Promise.all([
      remove(),
      ...Array.from({ length: 5 }, () =>
        service.client('PATCH', `/api/2/${path}`, { bearer: joint, body: rule }),
      ),
    ])
    const { body } = await call('GET', path)
    const isThere = (await call('GET', `auth/oidc-connections/${connection.id}`)).status === 200
    expect(
      [removed?.status === 204, body.required_connection === connection.id].filter(Boolean).length,
    ).toBeLessThan(2)
    expect(isThere || body.required_connection === null).toBe(true)
    if (isThere) expect((await call('PATCH', path, { required_connection: null })).status).toBe(200)
    expect([204, 404]).toContain((await remove()).status)
  })

  it('give a session of the connection alone no private address, and no factors of the account', async () => {
    const { connection, domain } = await createWorld()
    const person = await addSignedIn(service, { email: `${randomUUID()}@${domain}` })
    await enableSecondFactor(service, person)
    await service.client('PUT', '/api/2/users/me/email', {
      bearer: person.bearer,
      body: { email: `${randomUUID()}@private.example`, current_password: person.password },
    })
    const limited = await signInAt(connection, person.user.email ?? '', new TestBrowser(service))
    const { body } = await service.client('GET', '/api/2/users/me', { bearer: limited })
    expect(body).toMatchObject({
      id: person.user.id,
      pending_email: null,
      has_password: false,
      totp_enabled: false,
    })
    expect(body).not.toHaveProperty('recovery_codes_left')
    expect(body).not.toHaveProperty('second_factor_required_from')
  })
})
