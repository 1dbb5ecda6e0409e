import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { makePng } from '../support/images.ts'
import { addRelyingParty, getTokens, postToken, proveClient, refresh } from '../support/oidc.ts'
import {
  acceptShown,
  addOrganization,
  findOffer,
  inviteMember,
  newPersonAddress,
  readJoinToken,
  signUpInvited,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A product makes a customer an organization, its owner runs it, and the people in it sign in for it. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const expectOk = async (answer: Promise<Answer>): Promise<Answer['body']> => {
  const { status, text, body } = await answer
  expect(status, text).toBeLessThan(300)
  return body
}
const newSlug = () => `acme${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`

it('makes a customer an organization, which manages itself and signs its people in', async () => {
  const call = callAs(service, admin)
  // The product has an API token that can do this and nothing else.
  const { token } = await expectOk(
    call('POST', '/api/2/api-tokens', {
      name: 'Sign-up',
      scopes: ['organizations:manage', 'organizations:view'],
    }),
  )
  const product = (method: string, path: string, body?: object) =>
    service.client(method, path, { bearer: token, body })
  await expectOk(
    call('PUT', '/api/2/organization-roles', {
      roles: [{ key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] }],
    }),
  )
  const external_id = `crm-${randomUUID()}`
  const slug = newSlug()
  const created = await expectOk(
    product('POST', '/api/2/organizations', { name: 'Acme Studios', slug, external_id }),
  )
  const path = `/api/2/organizations/${created.id}`
  const owner = await addSignedIn(service, { email: `${randomUUID()}@people.example` })
  await expectOk(product('POST', `${path}/members`, { user: owner.user.id, roles: ['owner'] }))
  const [found] = await expectOk(product('GET', `/api/2/organizations?external_id=${external_id}`))
  expect(found).toMatchObject({ id: created.id, member_count: 1, is_ownerless: false })
  expect((await product('GET', '/api/2/users')).status).toBe(403)

  const bySlug = await expectOk(product('GET', '/api/2/organizations?ordering=slug&filter=acme studios'))
  expect(bySlug.map(({ id }: { readonly id: number }) => id)).toContain(created.id)

  // The owner renames it. Its former slug leads nowhere, and nobody else gets it.
  const asOwner = callAs(service, owner)
  const renamed = `${slug}x`
  await expectOk(asOwner('PATCH', path, { name: 'Acme Film Studios', slug: renamed }))
  expect((await asOwner('PATCH', path, { member_limit: 1000 })).status).toBe(403)
  expect(await expectOk(product('GET', `/api/2/organizations?slug=${slug}`))).toEqual([])
  const taken = await product('POST', '/api/2/organizations', { name: 'Other', slug })
  expect(taken.body.reason).toBe('slug_taken')
  await expectOk(product('PATCH', path, { external_id: null, member_limit: 3 }))

  const colleague = await addSignedIn(service, { email: `${randomUUID()}@people.example` })
  await expectOk(product('POST', `${path}/members`, { user: colleague.user.id, roles: ['editor'] }))
  const listed = await expectOk(asOwner('GET', `${path}/members?email=${colleague.user.email}`))
  expect(listed).toHaveLength(1)
  await expectOk(asOwner('PATCH', `${path}/members/${colleague.user.id}`, { roles: ['editor', 'admin'] }))
  const own = await expectOk(callAs(service, colleague)('GET', '/api/2/users/me/organizations'))
  expect(own[0]).toMatchObject({ id: created.id, slug: renamed, roles: ['editor', 'admin'] })

  const scopes = ['openid', 'permissions', 'organization', 'offline_access'] as const
  const party = await addRelyingParty(service, { scopes, permissions: ['films:edit'] })
  const asked = { scope: scopes.join(' '), organization: renamed }
  const tokens = await getTokens(service, party, colleague.bearer, asked)
  expect(decodeJwt(tokens.id_token)).toMatchObject({
    org_id: String(created.id),
    org_slug: renamed,
    org_name: 'Acme Film Studios',
    org_roles: ['editor', 'admin'],
    permissions: [],
    org_permissions: ['films:edit'],
  })
  // The sign-in page for it has its look.
  const logo = { content_type: 'image/png', data: makePng().toString('base64') }
  const branding = await expectOk(asOwner('PUT', `${path}/branding`, { name: 'Acme', logo }))
  expect(await expectOk(asOwner('GET', `${path}/branding`))).toEqual(branding)
  const page = await service.client('GET', `/?organization=${renamed}`)
  expect(page.text).toContain('Acme · Latchkey')
  expect((await service.client('GET', new URL(branding.logo.url).pathname)).status).toBe(200)
  await expectOk(asOwner('DELETE', `${path}/branding`))
  // What happened appears after a minute.
  expect(await expectOk(asOwner('GET', `${path}/events?event=organization.changed`))).toEqual([])
  await expectOk(asOwner('DELETE', `${path}/members/${colleague.user.id}`))
  expect((await refresh(service, party, tokens.refresh_token)).status).toBe(400)

  // The only owner stays: they can neither leave, nor ask for the deletion of their account.
  const policy = await expectOk(call('GET', '/api/2/system/sign-in-policy'))
  await expectOk(call('PUT', '/api/2/system/sign-in-policy', { ...policy, account_deletion: 'ask' }))
  const leaving = await asOwner('DELETE', `/api/2/users/me/organizations/${created.id}`)
  const deleting = await asOwner('POST', '/api/2/users/me/deletion', {})
  expect([leaving.body.reason, deleting.body.reason]).toEqual(['last_owner', 'last_owner'])
  await expectOk(call('PUT', '/api/2/system/sign-in-policy', policy))

  // Two accounts of the owner become one, which is the owner then.
  const kept = await addSignedIn(service)
  await expectOk(product('POST', `${path}/members`, { user: kept.user.id, roles: ['member'] }))
  await expectOk(call('POST', `/api/2/users/${kept.user.id}/merge`, { user: owner.user.id }))
  expect(await expectOk(product('GET', path))).toMatchObject({ member_count: 1, is_ownerless: false })
  const [membership] = await expectOk(product('GET', `/api/2/users/${kept.user.id}/organizations`))
  expect(membership.roles).toEqual(['member', 'owner'])

  // An account that is deleted leaves an organization without an owner, and the service says so.
  await expectOk(call('DELETE', `/api/2/users/${kept.user.id}`))
  expect(await expectOk(product('GET', path))).toMatchObject({ member_count: 0, is_ownerless: true })
  await expectOk(product('PATCH', path, { external_id }))
  await expectOk(call('DELETE', path))
  expect((await product('GET', path)).status).toBe(404)
})

it('invites people, who join with a new account and with one that they have', async () => {
  const organization = await addOrganization(service, admin, { name: 'Acme Studios' })
  const asOwner = callAs(service, organization.owner)
  const scopes = ['openid', 'permissions', 'organization'] as const
  const party = await addRelyingParty(service, { scopes, permissions: ['films:edit'] })
  const signInFor = async (bearer: string) => {
    const asked = { scope: scopes.join(' '), organization: String(organization.id) }
    return decodeJwt((await getTokens(service, party, bearer, asked)).id_token)
  }
  const claims = { org_id: String(organization.id), org_name: 'Acme Studios', org_roles: ['member'] }

  // A new person.
  const newcomer = await inviteMember(service, organization, organization.owner, {
    email: newPersonAddress(),
  })
  expect((await findOffer(service, newcomer.token)).body).toMatchObject({
    organization_name: 'Acme Studios',
    has_account: false,
  })
  const session = await signUpInvited(service, newcomer.token)
  await expectOk(acceptShown(service, session, newcomer.token))
  expect(await signInFor(session)).toMatchObject(claims)

  // A person with an account, whose invitation was sent again.
  const person = await addSignedIn(service, { email: newPersonAddress() })
  const email = person.user.email ?? ''
  const { id, token } = await inviteMember(service, organization, organization.owner, { email })
  expect(await expectOk(asOwner('GET', organization.path))).toHaveLength(1)
  await expectOk(asOwner('POST', `${organization.path}/${id}/resend`))
  const resent = await readJoinToken(service, email, [token])
  const own = callAs(service, person)
  expect(await expectOk(own('GET', 'users/me/organization-invitations'))).toHaveLength(1)
  await expectOk(acceptShown(service, person.bearer, resent))
  expect(await signInFor(person.bearer)).toMatchObject(claims)
  await expectOk(own('DELETE', `users/me/organizations/${organization.id}`))

  // Somebody else declines, and the owner revokes an invitation.
  const other = await addSignedIn(service, { email: newPersonAddress() })
  const invite = (address: string) =>
    inviteMember(service, organization, organization.owner, { email: address })
  const declined = await invite(other.user.email ?? '')
  await expectOk(callAs(service, other)('DELETE', `users/me/organization-invitations/${declined.id}`))
  const revoked = await invite(newPersonAddress())
  await expectOk(asOwner('DELETE', `${organization.path}/${revoked.id}`))
  const leaked = await invite(newPersonAddress())
  await expectOk(service.client('POST', '/api/2/auth/leaked', { body: { token: leaked.token } }))
  expect((await findOffer(service, leaked.token)).body.code).toBe('invalid_token')
})

it('lets the programs of a customer call, after the member who set them up has left', async () => {
  const call = callAs(service, admin)
  const found = async () =>
    expectOk(call('POST', '/api/2/organizations', { name: 'Acme Studios', slug: newSlug() }))
  const [acme, other] = [await found(), await found()]
  const path = `/api/2/organizations/${acme.id}`
  const join = async (roles: readonly string[]) => {
    const person = await addSignedIn(service)
    await expectOk(call('POST', `${path}/members`, { user: person.user.id, roles }))
    return person
  }
  await join(['owner'])
  const maker = await join(['owner'])
  const asMaker = callAs(service, maker)
  const permissions = ['org:members:manage', 'org:members:view']
  const created = await expectOk(asMaker('POST', `${path}/api-tokens`, { name: 'import', permissions }))
  const program = (method: string, address: string) =>
    service.client(method, address, { bearer: created.token })

  // The server of a product asks whose token it received.
  const audience = `https://${randomUUID()}.example/api`
  const registered = { name: `Films ${randomUUID()}`, audience, permissions: [], scopes: [] }
  const api = await expectOk(call('POST', '/api/2/protected-apis', registered))
  const server = await addRelyingParty(service, { apis: [{ id: api.id, audience, scopes: [] }] })
  const introspect = async () => {
    const raw = String(new URLSearchParams({ token: created.token, ...proveClient(server) }))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await service.client('POST', '/oauth2/introspect', { raw, headers })).body
  }
  expect(await introspect()).toMatchObject({ active: true, org_id: String(acme.id), permissions: [] })
  expect(await expectOk(program('GET', '/api/2/organizations/current'))).toMatchObject({
    org_id: String(acme.id),
    permissions,
  })
  expect((await program('GET', `/api/2/organizations/${other.id}`)).status).toBe(404)

  await expectOk(asMaker('DELETE', `/api/2/users/me/organizations/${acme.id}`))
  expect((await asMaker('GET', path)).status).toBe(404)
  expect(await expectOk(program('GET', `${path}/members`))).toHaveLength(1)
  const leaver = await join(['member'])
  await expectOk(program('DELETE', `${path}/members/${leaver.user.id}`))

  const [listed] = await expectOk(call('GET', `${path}/api-tokens`))
  expect(listed).toMatchObject({ id: created.id, created_by: maker.user.id })
  const spare = await expectOk(call('POST', `${path}/api-tokens`, { name: 'spare', permissions }))
  await expectOk(call('DELETE', `${path}/api-tokens/${spare.id}`))
  expect((await service.client('GET', path, { bearer: spare.token })).status).toBe(401)

  await expectOk(call('DELETE', path))
  expect((await program('GET', '/api/2/organizations/current')).status).toBe(401)
  expect(await introspect()).toEqual({ active: false })
})

it('shows two organizations in two tabs, and works for a customer without people', async () => {
  const call = callAs(service, admin)
  const person = await addSignedIn(service)
  const [first, second] = await Promise.all(
    ['First', 'Second'].map(async (name) => {
      const created = await expectOk(call('POST', '/api/2/organizations', { name, slug: newSlug() }))
      const members = `/api/2/organizations/${created.id}/members`
      await expectOk(call('POST', members, { user: person.user.id, roles: ['owner'] }))
      return created
    }),
  )
  const audience = `https://films-${randomUUID()}.example`
  const scopes = ['openid', 'organization', 'offline_access'] as const
  const pages = await addRelyingParty(service, {
    ...{ scopes, type: 'public', redirect_uris: ['https://pages.example/callback'] },
    organizations: 'required',
  })
  const tokens = await getTokens(service, pages, person.bearer, {
    scope: 'openid offline_access',
    organization: first.slug,
  })
  const other = await refresh(service, pages, tokens.refresh_token, { organization: second.slug })
  const { refresh_token: next, former_refresh_token: former } = other.body
  const [inSecond, inFirst] = [await refresh(service, pages, next), await refresh(service, pages, former)]
  expect(decodeJwt(inSecond.body.id_token)['org_id']).toBe(String(second.id))
  expect(decodeJwt(inFirst.body.id_token)['org_id']).toBe(String(first.id))
  // A thief of an old token ends both.
  await refresh(service, pages, inFirst.body.refresh_token)
  expect((await refresh(service, pages, former)).body.error).toBe('invalid_grant')
  expect((await refresh(service, pages, inSecond.body.refresh_token)).body.error).toBe('invalid_grant')

  // A nightly job of the product, for one customer.
  const machine = await addRelyingParty(service, {
    ...{ redirect_uris: [], audiences: [audience], machine_permissions: ['films:view'] },
    machine_organizations: true,
  })
  const asked = { grant_type: 'client_credentials', ...proveClient(machine), organization: second.slug }
  const { access_token: token } = (await postToken(service, asked)).body
  expect(decodeJwt(token)).toMatchObject({
    org_id: String(second.id),
    permissions: [],
    org_permissions: ['films:view'],
  })
  const introspect = async () =>
    (
      await service.client('POST', '/oauth2/introspect', {
        raw: String(new URLSearchParams({ token, ...proveClient(machine) })),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).body
  expect(await introspect()).toMatchObject({ active: true, org_name: 'Second' })
  await expectOk(call('PATCH', `/api/2/organizations/${second.id}`, { state: 'suspended' }))
  expect(await introspect()).toEqual({ active: false })
})

it('lets a customer begin alone, and invite the first colleague', async () => {
  const call = callAs(service, admin)
  const policy = { creation: 'everybody', creations_max: 1, company_sign_in: 'ask' }
  await expectOk(call('PUT', '/api/2/organization-policy', policy))
  const founder = await addSignedIn(service, { email: newPersonAddress() })
  const own = callAs(service, founder)
  const made = await expectOk(
    own('POST', '/api/2/users/me/organizations', { name: 'Begun alone', slug: newSlug() }),
  )
  const email = newPersonAddress()
  const path = `/api/2/organizations/${made.id}`
  const { token } = await inviteMember(service, { path: `${path}/invitations` }, founder, { email })
  const colleague = await addSignedIn(service, { email })
  await acceptShown(service, colleague.bearer, token)
  expect((await expectOk(own('GET', path))).member_count).toBe(2)
  expect(
    (await own('POST', '/api/2/users/me/organizations', { name: 'Another', slug: newSlug() })).body.reason,
  ).toBe('too_many_organizations')
  const provider = { issuer: 'https://idp.example.com', client_id: 'latchkey', client_secret: 'secret' }
  const brought = await expectOk(own('POST', `${path}/sign-in`, { kind: 'oidc', ...provider }))
  const connection = `${path}/sign-in/${brought.id}`
  const domain = 'begun-alone.example'
  const claimed = await expectOk(own('POST', `${connection}/domains`, { domain }))
  expect(claimed).toMatchObject({ state: 'in_setup', domains: [{ domain, state: 'pending' }] })
  // Nobody signs in with it yet, so nobody can be required to.
  const required = await own('PATCH', path, { required_connection: brought.id })
  expect(required.body.errors).toMatchObject([{ field: 'required_connection' }])
  // The founder signed in by password, and would be locked out. An administrator of the service is not.
  const rules = { requires_second_factor: true }
  expect((await own('PATCH', path, rules)).body.errors).toMatchObject([{ field: 'requires_second_factor' }])
  await expectOk(call('PATCH', path, rules))
  expect((await own('GET', `${path}/sign-in`)).body.reason).toBe('organization_sign_in_required')
  await expectOk(call('PATCH', path, { requires_second_factor: false }))
  await expectOk(own('DELETE', `${connection}/domains/${domain}`))
  expect(await expectOk(own('GET', `${path}/sign-in`))).toMatchObject([{ id: brought.id, domains: [] }])
  expect((await own('DELETE', connection)).status).toBe(204)
  await expectOk(call('PUT', '/api/2/organization-policy', {}))
})
