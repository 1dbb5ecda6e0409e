import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  getTokens,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import {
  addConnection,
  signInByUpstream,
  startUpstream,
  type TestConnection,
} from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs, type Person, signIn, trySignIn } from '../support/people.ts'
import { countSessions, sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * A customer runs the identity provider of its organization, and can assert anything there: the address of a member of another
 * customer, that of an administrator of the service, groups with the names of roles.
 */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  ALLOWED_ORIGINS: 'https://media.example.com',
  RATE_LIMITS: 'samlStarts=100000/60',
})
const upstream = closeAfterTests(await startUpstream())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const scope = 'openid profile permissions groups organization offline_access'
const party = await addRelyingParty(service, {
  scopes: ['openid', 'profile', 'permissions', 'groups', 'organization', 'offline_access'],
  permissions: ['users:manage', 'system:admin-access'],
})

const newOrganization = async (fields: object = {}): Promise<{ id: number; slug: string }> => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  return (await call('POST', 'organizations', { name: 'Customer', slug, ...fields })).body
}
const join = async (organization: { id: number }, { user }: Person, roles: readonly string[]) =>
  expect(
    (await call('POST', `organizations/${organization.id}/members`, { user: user.id, roles })).status,
  ).toBe(201)
const newDomain = () => `${randomUUID()}.example`
/** A connection of an organization with a domain that counts. */
const connect = async (
  organization: { id: number } | undefined,
  domain: string,
  fields: object = {},
): Promise<TestConnection> => {
  const connection = await addConnection(service, admin.bearer, upstream.issuer, {
    organization_id: organization?.id ?? null,
    auto_create_users: true,
    ...fields,
  })
  const path = `auth/connections/${connection.id}/domains`
  expect((await call('POST', path, { domain })).status).toBe(201)
  expect((await call('POST', `${path}/${domain}/vouch`)).status).toBe(200)
  return connection
}
/** A person with a verified address in a domain, who was here before the customer connected its provider. */
const addVictim = (domain: string, fields: Parameters<typeof addPerson>[1] = {}) => {
  const email = `victim-${randomUUID()}@${domain}`
  return addPerson(service, { email, ...fields }).then((person) => ({
    ...person,
    email,
  }))
}
const assert = (connection: TestConnection, email: string, claims: object = {}) =>
  signInByUpstream(connection, upstream, { sub: email, email, ...claims })
const open = async (connection: TestConnection, email: string, claims: object = {}): Promise<string> => {
  const { answer } = await assert(connection, email, claims)
  expect(answer.status, answer.text).toBe(303)
  return sessionOf(answer) ?? ''
}
const authorize = async (bearer: string, overrides: Readonly<Record<string, string | undefined>>) => {
  const { challenge } = createPkce()
  const query = buildAuthorization(party, challenge, { scope, ...overrides })
  return service.client('GET', `/oauth2/authorize?${query}`, { bearer })
}
const listMembers = async ({
  id,
}: {
  id: number
}): Promise<readonly { roles: string[]; user: { id: number } }[]> =>
  (await call('GET', `organizations/${id}/members`)).body

const [acme, beta] = [await newOrganization(), await newOrganization()]
const acmeDomain = newDomain()
const acmeConnection = await connect(acme, acmeDomain)
const victim = await addVictim(acmeDomain)
await join(acme, victim, ['member'])
await join(beta, victim, ['owner'])
const session = await open(acmeConnection, victim.email)

describe('a session that the connection of an organization opened', () => {
  it('is of the account with the address, and shows nothing of its rights elsewhere', async () => {
    const group = await call('POST', 'groups', { name: randomUUID(), permissions: ['films:edit'] })
    const member = await addVictim(acmeDomain, { permissions: ['films:edit'], groups: [group.body.id] })
    await join(beta, member, ['owner'])
    const bearer = await open(acmeConnection, member.email)
    const me = await service.client('GET', '/api/2/users/me', { bearer })
    expect(me.body).toMatchObject({ id: member.user.id, effective_permissions: [] })
    const own = await service.client('GET', '/api/2/users/me/organizations', { bearer })
    expect(own.body.map(({ id }: { id: number }) => id)).toEqual([acme.id])
  })

  it('gives tokens of this organization, also again', async () => {
    const tokens = await getTokens(service, party, session, { scope, organization: acme.slug })
    expect(decodeJwt(tokens.id_token)).toMatchObject({ org_id: String(acme.id), org_roles: ['member'] })
    const renewed = await refresh(service, party, tokens.refresh_token)
    expect(decodeJwt(renewed.body.id_token)['org_id']).toBe(String(acme.id))
    // Without a name, the only organization that the session proves.
    const chosen = await getTokens(service, party, session, { scope })
    expect(decodeJwt(chosen.id_token)['org_id']).toBe(String(acme.id))
  })

  it.each<[string, Record<string, string>]>([
    ['another organization of the user', { organization: beta.slug }],
    ['another organization by its ID', { organization: String(beta.id) }],
    ['an organization that does not exist', { organization: 'nowhere' }],
    ['no organization', { scope: 'openid profile permissions' }],
  ])('gives no tokens of %s', async (_, overrides) => {
    const silent = await authorize(session, { ...overrides, prompt: 'none' })
    expect(readRedirect(silent)).toMatchObject({ error: 'login_required' })
    const shown = await authorize(session, overrides)
    expect(readRedirect(shown)).toMatchObject({ prompt: 'login' })
  })

  it('completes no authorization that waited for another proof', async () => {
    const { answer, browser } = await assert(acmeConnection, victim.email)
    expect(answer.status).toBe(303)
    const { challenge } = createPkce()
    const query = buildAuthorization(party, challenge, { scope, organization: beta.slug })
    const started = await browser.get(`/oauth2/authorize?${query}`)
    const target = new URL(readRedirect(started)['return_to'] ?? '')
    const resumed = await browser.get(target.pathname + target.search)
    expect(readRedirect(resumed)).toMatchObject({ prompt: 'login' })
    expect(resumed.headers.get('location')).not.toContain('code=')
  })

  const isClosed = ({ access, allowsOrganizationSession }: Operation) =>
    access.allow !== 'anyone' &&
    access.allow !== 'role' &&
    !allowsOrganizationSession &&
    access.by.includes('session')
  const closed = Object.values<Operation>(operations).filter(isClosed)
  it('reaches no operation of the account and of the service', async () => {
    expect(closed.length).toBeGreaterThan(150)
    for (const { id, method, path } of closed) {
      const address = path.replaceAll(/\{[^}]+\}/g, '1')
      const body = method === 'GET' || method === 'DELETE' ? undefined : {}
      const answer = await service.client(method, address, { bearer: session, body })
      expect([id, answer.status, answer.body.reason]).toEqual([id, 403, 'service_sign_in_required'])
    }
  })

  it('is admitted to few operations, each of which a review named', () => {
    const admitted = Object.values<Operation>(operations)
      .filter(({ allowsOrganizationSession }) => allowsOrganizationSession)
      .map(({ id }) => id)
    expect(admitted.sort()).toEqual([
      'account_page',
      'answer_consent',
      'answer_sign_in_question',
      'confirm_logout_for_client',
      'get_current_user',
      'get_organization_roles',
      'get_own_organizations',
      'logout',
      'logout_for_client',
      'logout_page',
      'organization_page',
      'resume_authorization',
      'return_from_oidc_sign_in',
      'return_from_saml_auth',
      'show_sign_in_question',
      'start_authorization',
      'start_oidc_sign_in',
      'start_saml_auth',
      'start_saml_logout',
    ])
  })

  it('acts in this organization by the roles there, and in no other one', async () => {
    const owner = await addVictim(acmeDomain)
    await join(acme, owner, ['owner'])
    await join(beta, owner, ['owner'])
    const bearer = await open(acmeConnection, owner.email)
    const as = callAs(service, { bearer })
    expect((await as('GET', `organizations/${acme.id}/members`)).status).toBe(200)
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/members', undefined],
      ['PATCH', '', { name: 'Taken over' }],
      ['DELETE', `/members/${victim.user.id}`, undefined],
    ] as const)
      expect((await as(method, `organizations/${beta.id}${path}`, body)).status).toBe(404)
  })

  it('links no account of another provider to the account', async () => {
    const { browser } = await assert(acmeConnection, victim.email)
    const other = await connect(undefined, newDomain())
    const answer = await browser.get(
      `/api/2/auth/oidc-connections/${other.id}/start?link=true`,
      'same-origin',
    )
    expect(answer.status).toBe(403)
  })

  it('gives no ticket to a product, at the start and at the end', async () => {
    const refused = await acmeConnection.start(
      undefined,
      `?return_to=${encodeURIComponent('https://media.example.com/page')}`,
    )
    expect(refused.answer.status).toBe(400)
    const member = await addVictim(acmeDomain, { default_page: 'https://media.example.com/' })
    const { answer, browser } = await assert(acmeConnection, member.email)
    const end = await browser.get(answer.headers.get('location') ?? '', 'cross-site')
    expect(end.headers.get('location')).toBe(`${service.url}/account`)
  })

  it('is no session for pages of the service', async () => {
    const { browser } = await assert(acmeConnection, victim.email)
    for (const path of ['/admin', '/']) {
      const { status, text } = await browser.get(path)
      expect(status).toBeLessThan(400)
      expect(text).not.toContain(victim.user.username)
    }
    const account = await browser.get('/account')
    expect(account.text).toContain(victim.user.username)
    expect(account.text).not.toContain(victim.email)
  })
})

describe('a hostile provider of an organization', () => {
  it('does not get to the account of an administrator of the service by its address', async () => {
    const target = await addVictim(acmeDomain, { permissions: ['system:admin-access'] })
    const { answer } = await assert(acmeConnection, target.email)
    expect(answer.status).toBe(403)
    expect(sessionOf(answer)).toBeUndefined()
    const user = await call('GET', `users/${target.user.id}`)
    expect(user.body.groups).toEqual([])
  })

  it('does not get to an account outside of the domains of the organization', async () => {
    const target = await addVictim(newDomain())
    await join(acme, target, ['admin'])
    const { answer } = await assert(acmeConnection, target.email)
    expect([answer.status, sessionOf(answer)]).toEqual([403, undefined])
  })

  it('gives nobody a role by the name of a group', async () => {
    const email = `eve@${acmeDomain}`
    const names = ['owner', 'admin', 'member owner', 'organizations:manage']
    const bearer = await open(acmeConnection, email, { groups: names, roles: names, org_roles: names })
    const own = await service.client('GET', '/api/2/users/me/organizations', { bearer })
    expect(own.body).toMatchObject([{ id: acme.id, roles: ['member'], permissions: [] }])
  })

  it('gets no user into an organization whose connection lets nobody join', async () => {
    const closedOne = await newOrganization()
    const domain = newDomain()
    const connection = await connect(closedOne, domain, { default_organization_roles: null })
    const before = await countSessions(service)
    const { answer } = await assert(connection, `ada@${domain}`)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('You are not a member of this organization')
    expect([await listMembers(closedOne), await countSessions(service)]).toEqual([[], before])
  })

  it.each([{ state: 'suspended' }, undefined])(
    'opens nothing for an organization with %o',
    async (change) => {
      const ended = await newOrganization()
      const domain = newDomain()
      const connection = await connect(ended, domain)
      const bearer = await open(connection, `ada@${domain}`)
      const path = `organizations/${ended.id}`
      expect((await (change ? call('PATCH', path, change) : call('DELETE', path))).status).toBeLessThan(300)
      const { answer } = await assert(connection, `ada@${domain}`)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('Your organization cannot be used here')
      expect(readRedirect(await authorize(bearer, { organization: String(ended.id) }))).toMatchObject({
        error: 'access_denied',
      })
    },
  )

  it('cannot use a domain of another organization, or of the service', async () => {
    const domain = newDomain()
    const first = await connect(acme, domain)
    for (const organization of [beta, undefined]) {
      const other = await addConnection(service, admin.bearer, upstream.issuer, {
        organization_id: organization?.id ?? null,
      })
      const answer = await call('POST', `auth/connections/${other.id}/domains`, { domain })
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    }
    // After the domain was moved, the old provider reaches nobody new, and those it had only in its own organization.
    const moved = await addVictim(domain)
    const known = await addVictim(domain)
    await join(beta, known, ['owner'])
    const bearer = await open(first, known.email)
    await call('DELETE', `auth/connections/${first.id}/domains/${domain}`)
    await connect(beta, domain)
    const { answer } = await assert(first, moved.email)
    expect([answer.status, sessionOf(answer)]).toEqual([403, undefined])
    const again = await open(first, known.email)
    for (const one of [bearer, again])
      expect(readRedirect(await authorize(one, { organization: beta.slug, prompt: 'none' }))).toMatchObject({
        error: 'login_required',
      })
  })
})

describe('joining by the connection of an organization', () => {
  it('happens once, with the default roles', async () => {
    const email = `new@${acmeDomain}`
    for (const _ of [1, 2]) await open(acmeConnection, email)
    const { body } = await call('GET', `organizations/${acme.id}/members?email=${email}`)
    expect(body).toMatchObject([{ roles: ['member'], source: 'connection', roles_given_by: null }])
  })

  it('gives the default roles again to a member who was removed', async () => {
    const member = await addVictim(acmeDomain)
    await join(acme, member, ['admin'])
    await open(acmeConnection, member.email)
    await call('DELETE', `organizations/${acme.id}/members/${member.user.id}`)
    await open(acmeConnection, member.email)
    const found = (await listMembers(acme)).find(({ user }) => user.id === member.user.id)
    expect(found?.roles).toEqual(['member'])
  })

  it('lets exactly as many of 20 concurrent people in as have a place', async () => {
    const small = await newOrganization({ member_limit: 3 })
    const domain = newDomain()
    const connection = await connect(small, domain)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => assert(connection, `person-${at}@${domain}`)),
    )
    const statuses = answers.map(({ answer }) => answer.status)
    expect(statuses.filter((status) => status === 303).length).toBeLessThanOrEqual(3)
    expect(statuses.every((status) => [303, 403, 409, 429, 503].includes(status))).toBe(true)
    // Those who met a race try again.
    for (let at = 0; at < 20; at++) await assert(connection, `person-${at}@${domain}`)
    expect(await listMembers(small)).toHaveLength(3)
    const { answer } = await assert(connection, `late@${domain}`)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('as many members here as it can')
  })
})

describe('what the connection of an organization gives to an account with the address', () => {
  const listOwn = async (bearer: string): Promise<readonly number[]> =>
    (await service.client('GET', '/api/2/users/me/organizations', { bearer })).body.map(
      ({ id }: { id: number }) => id,
    )
  /** The password of the account could be that of a stranger, who was here with the address first. */
  const take = async () => {
    const member = await addVictim(acmeDomain)
    const stranger = await signIn(service, member)
    const bearer = await open(acmeConnection, member.email)
    expect(await listOwn(bearer)).toEqual([acme.id])
    return { member, stranger, bearer }
  }

  it('counts in no session that was opened in another way', async () => {
    const { member, stranger, bearer } = await take()
    for (const other of [stranger, await signIn(service, member)]) {
      expect(await listOwn(other)).toEqual([])
      expect((await service.client('GET', `/api/2/organizations/${acme.id}`, { bearer: other })).status).toBe(
        404,
      )
      const answer = await authorize(other, { organization: acme.slug })
      expect(answer.headers.get('location')).toContain('error=access_denied')
    }
    const token = await service.client('POST', '/api/2/api-tokens', {
      bearer: stranger,
      body: { name: 'CI', scopes: ['profile:view'] },
    })
    expect(await listOwn(token.body.token)).toEqual([])
    // Roles that an administrator gives because of it are no others'.
    const path = `organizations/${acme.id}/members/${member.user.id}`
    expect((await call('PATCH', path, { roles: ['admin'] })).status).toBe(200)
    expect(await listOwn(stranger)).toEqual([])
    expect(await listOwn(bearer)).toEqual([acme.id])
    const tokens = await getTokens(service, party, bearer, { scope, organization: acme.slug })
    expect(decodeJwt(tokens.id_token)).toMatchObject({ org_id: String(acme.id), org_roles: ['admin'] })
    expect((await listMembers(acme)).some(({ user }) => user.id === member.user.id)).toBe(true)
  })

  it('counts in all of them, after both ways were shown in one browser', async () => {
    const { member, stranger } = await take()
    const again = await open(acmeConnection, member.email)
    expect([await listOwn(again), await listOwn(stranger)]).toEqual([[acme.id], []])
    const browser = new TestBrowser(service)
    browser.keep(await trySignIn(service, member))
    const both = await signInByUpstream(
      acmeConnection,
      upstream,
      { sub: member.email, email: member.email },
      browser,
    )
    expect(both.answer.status).toBe(303)
    expect(await listOwn(sessionOf(both.answer) ?? '')).toEqual([acme.id])
    expect(await listOwn(stranger)).toEqual([acme.id])
  })

  it('leaves the account its own ways, and what it had in the organization before', async () => {
    const member = await addVictim(acmeDomain)
    await join(acme, member, ['member'])
    const own = await signIn(service, member)
    await open(acmeConnection, member.email)
    expect(await listOwn(own)).toEqual([acme.id])
    expect((await trySignIn(service, member)).status).toBe(200)
  })
})

describe('the fields of a connection', () => {
  const create = (body: object) =>
    call('POST', 'auth/oidc-connections', {
      ...{ name: 'Upstream', issuer: upstream.issuer, client_id: 'a', client_secret: 'b' },
      ...body,
    })
  it('refuse what a customer must not decide, and list every error', async () => {
    const answer = await create({
      organization_id: 999_999,
      default_organization_roles: ['owner', 'nothing'],
      required_for_domains: true,
      auto_sync_groups: true,
      auto_create_groups: true,
    })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'required_for_domains',
      'auto_create_groups',
      'auto_sync_groups',
      'organization_id',
      'default_organization_roles',
      'default_organization_roles',
    ])
    expect((await create({ default_organization_roles: ['member'] })).status).toBe(400)
  })

  it('never change their organization, also in a set-up', async () => {
    const oidc = (await create({ organization_id: acme.id })).body
    expect(oidc).toMatchObject({ organization_id: acme.id, default_organization_roles: ['member'] })
    const path = `auth/oidc-connections/${oidc.id}`
    for (const organization_id of [beta.id, null])
      expect((await call('PATCH', path, { organization_id })).status).toBe(400)
    expect((await call('PATCH', path, { organization_id: acme.id, name: 'Other' })).status).toBe(200)
    const setup = await call('POST', 'auth/saml-setups', { name: 'Acme', organization_id: acme.id })
    expect(setup.status, setup.text).toBe(201)
    const saml = `auth/saml/${setup.body.saml_provider}`
    expect((await call('GET', saml)).body).toMatchObject({
      organization_id: acme.id,
      default_organization_roles: ['member'],
    })
    expect((await call('PATCH', saml, { organization_id: beta.id })).status).toBe(400)
    const refused = await call('POST', 'auth/saml-setups', { name: 'Acme', organization_id: 999_999 })
    expect(refused.status).toBe(400)
  })
})

describe('a connection of the whole service', () => {
  it('opens sessions as before, which give tokens of every organization of the user', async () => {
    const domain = newDomain()
    const connection = await connect(undefined, domain)
    const person = await addVictim(domain)
    await join(beta, person, ['member'])
    const bearer = await open(connection, person.email)
    const tokens = await getTokens(service, party, bearer, { scope, organization: beta.slug })
    expect(decodeJwt(tokens.id_token)['org_id']).toBe(String(beta.id))
    expect((await service.client('GET', '/api/2/auth/sessions', { bearer })).status).toBe(200)
  })
})
