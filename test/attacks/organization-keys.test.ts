import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { organizationApiTokensMax } from '../../lib/kernel/limits/limits.ts'
import { hashCredential, mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { organizationTokenKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { costsSince } from '../support/directory.ts'
import { addRelyingParty, postToken, proveClient } from '../support/oidc.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What attackers try with API tokens of organizations. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const path = '/api/2/organizations'
const audience = `https://${randomUUID()}.example/api`
const texts = { en: 'Films' }
await call('PUT', '/api/2/organization-roles', {
  roles: [
    { key: 'editor', texts, permissions: ['films:edit'] },
    { key: 'keeper', texts, permissions: ['org:keys:manage', 'org:members:manage', 'org:members:view'] },
  ],
})
const api = await call('POST', '/api/2/protected-apis', {
  name: `Films ${randomUUID()}`,
  audience,
  permissions: [{ name: 'films:edit', texts }],
  scopes: [],
})
const server = await addRelyingParty(service, {
  apis: [{ id: api.body.id, audience, scopes: [] }],
})
const authorize = createAuthorizer({
  ...process.env,
  AUTHORIZER_ORGANIZATION: 'required',
  AUTHORIZER_ORGANIZATION_TOKENS: 'true',
})
const authorizePeople = createAuthorizer({ ...process.env })

interface Organization {
  readonly id: number
  readonly slug: string
}
const found = async (): Promise<Organization> => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  return (await call('POST', path, { name: 'Acme', slug })).body
}
const join = async (id: number, roles: readonly string[]): Promise<SignedInPerson> => {
  const person = await addSignedIn(service)
  const added = await call('POST', `${path}/${id}/members`, { user: person.user.id, roles })
  expect(added.status, added.text).toBe(201)
  return person
}
const create = (id: number, by: SignedInPerson, body: object = {}) =>
  callAs(service, by)('POST', `${path}/${id}/api-tokens`, {
    name: 'import',
    permissions: ['films:edit', 'org:members:view'],
    ...body,
  })
const makeKey = async (id: number, by: SignedInPerson, body: object = {}): Promise<string> => {
  const created = await create(id, by, body)
  expect(created.status, created.text).toBe(201)
  return created.body.token
}
const send = (key: string, method: string, address: string, body?: object) =>
  service.client(method, address, { bearer: key, ...(body && { body }) })
/** The bytes of an answer, without the ID of its request. */
const shown = ({ text }: { readonly text: string }) => text.replaceAll(/"request_id":"[^"]*"/g, '')
const current = (key: string) => send(key, 'GET', `${path}/current`)
const introspect = async (token: string): Promise<JsonValue> => {
  const body = new URLSearchParams({ token, ...proveClient(server) })
  return (await fetch(`${service.url}/oauth2/introspect`, { method: 'POST', body })).json()
}
const isLetIn = async (key: string): Promise<boolean> => {
  const answer: JsonValue = await authorize(httpEvent(key))
  return answer.isAuthorized
}
/** Where the key works: as itself, for a member list, at introspection and at an authorizer. */
const works = async (id: number, key: string) => [
  (await current(key)).status,
  (await send(key, 'GET', `${path}/${id}/members`)).status,
  (await introspect(key)).active,
  await isLetIn(key),
]
const alive = [200, 200, true, true]
const dead = [401, 401, false, false]

const acme = await found()
const owner = await join(acme.id, ['owner'])
const key = await makeKey(acme.id, owner)

describe('an API token of an organization', () => {
  it('says what it is for, flat and without a user, and shows its value once', async () => {
    const created = await create(acme.id, owner, { expires: '2099-01-01T00:00:00Z' })
    const value: string = created.body.token
    expect(value).toMatch(/^lkg_/)
    const claims = { org_id: String(acme.id), org_slug: acme.slug, org_name: 'Acme' }
    expect((await current(value)).body).toEqual({
      ...claims,
      token_id: created.body.id,
      token_name: 'import',
      expires: '2099-01-01T00:00:00.000Z',
      permissions: ['films:edit', 'org:members:view'],
    })
    const introspected = await introspect(value)
    // The API knows no permissions of this service.
    expect(introspected).toMatchObject({
      active: true,
      ...claims,
      permissions: [],
      org_permissions: ['films:edit'],
    })
    expect(introspected.sub).toBe(`organization-token:${created.body.id}`)
    const answer: JsonValue = await authorize(httpEvent(value))
    expect(answer.context).toEqual({
      ...claims,
      kind: 'organization',
      permissions: '[]',
      org_permissions: JSON.stringify(['films:edit', 'org:members:view']),
      permissions_claim: 'org_permissions',
    })
    const listed = await callAs(service, owner)('GET', `${path}/${acme.id}/api-tokens`)
    expect(listed.text).not.toContain(value)
    expect(listed.body.at(-1)).toMatchObject({ id: created.body.id, created_by: owner.user.id })
    expect(listed.body.at(-1).last_used_at).not.toBeNull()
  })

  it('lives after its maker has left, and after their account was deleted', async () => {
    const { id } = await found()
    await join(id, ['owner'])
    const maker = await join(id, ['owner'])
    const left = await makeKey(id, maker)
    expect((await callAs(service, maker)('DELETE', `/api/2/users/me/organizations/${id}`)).status).toBe(204)
    expect(await works(id, left)).toEqual(alive)
    expect((await call('DELETE', `/api/2/users/${maker.user.id}`)).status).toBeLessThan(300)
    expect(await works(id, left)).toEqual(alive)
  })

  it('is dead at once when it is deleted', async () => {
    const { body } = await create(acme.id, owner)
    expect(await works(acme.id, body.token)).toEqual(alive)
    const remove = () => callAs(service, owner)('DELETE', `${path}/${acme.id}/api-tokens/${body.id}`)
    const results = await Promise.all([remove(), remove(), remove()])
    expect(results.map(({ status }) => status).sort()).toEqual([204, 404, 404])
    expect(await works(acme.id, body.token)).toEqual(dead)
  })

  it('rests while the organization is suspended, and is dead after its end', async () => {
    const { id } = await found()
    const own = await makeKey(id, await join(id, ['owner']))
    const setState = (state: string) => call('PATCH', `${path}/${id}`, { state })
    await setState('suspended')
    expect(await works(id, own)).toEqual(dead)
    await setState('active')
    expect(await works(id, own)).toEqual(alive)
    await call('DELETE', `${path}/${id}`)
    expect(await works(id, own)).toEqual(dead)
  })

  it('is dead after its expiry', async () => {
    const { services } = service
    const expiring = await makeKey(acme.id, owner, { expires: '2099-01-01T00:00:00Z' })
    await services.table.update(organizationTokenKey(acme.id, hashCredential(expiring)), (x) => ({
      set: [`${x.path('expiresAt')} = ${x.value(services.now())}`],
    }))
    expect(await works(acme.id, expiring)).toEqual(dead)
    expect((await current(expiring)).body.reason).toBe('credential_expired')
  })

  it('loses a permission that no role has any more', async () => {
    const before = (await call('GET', '/api/2/organization-roles')).body
    const roles = before.roles.filter((one: { key: string }) => one.key !== 'editor')
    await call('PUT', '/api/2/organization-roles', { roles })
    expect((await current(key)).body.permissions).toEqual(['org:members:view'])
    await call('PUT', '/api/2/organization-roles', before)
    expect((await current(key)).body.permissions).toEqual(['films:edit', 'org:members:view'])
  })
})

describe('an API token of an organization is refused', () => {
  it('in another organization as in one that does not exist, with the same bytes and table calls', async () => {
    const other = await found()
    await join(other.id, ['owner'])
    await current(key)
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['GET', '/members', undefined],
      ['PATCH', '/members/1', { roles: ['member'] }],
      ['DELETE', '/members/1', undefined],
    ] as const) {
      const start = service.log.length
      const answers = []
      for (const id of [other.id, 2_147_483_000])
        answers.push(await send(key, method, `${path}/${id}${rest}`, body))
      const [first, second] = answers.map((answer) => [answer.status, shown(answer)])
      expect(first, method + rest).toEqual(second)
      expect(first?.[0]).toBe(404)
      const [theirs, unknown] = costsSince(service, start)
      expect(theirs).toEqual(unknown)
      expect(theirs?.calls).toBe(1)
    }
  })

  it('like a value that never existed, with one table call', async () => {
    const start = service.log.length
    const answer = await current(mintCredential('organization_token', acme.id).value)
    const foreign = await current(mintCredential('organization_token', 2_147_483_000).value)
    expect([answer.status, shown(answer)]).toEqual([401, shown(foreign)])
    expect(costsSince(service, start).map(({ calls }) => calls)).toEqual([1, 1])
  })

  it.each([
    ['GET', '/api/2/users/me', undefined],
    ['PATCH', '/api/2/users/me', { full_name: 'Mallory' }],
    ['POST', '/api/2/auth/jwt', {}],
    ['POST', '/api/2/auth/ticket', {}],
    ['POST', '/api/2/auth/impersonation', { user: 1 }],
    ['POST', '/api/2/api-tokens', { name: 'mine' }],
    ['GET', '/api/2/users', undefined],
    ['GET', path, undefined],
    ['POST', path, { name: 'Mine', slug: 'mine' }],
    ['GET', '/oauth2/userinfo', undefined],
    ['GET', `${path}/${acme.id}/api-tokens`, undefined],
    ['POST', `${path}/${acme.id}/api-tokens`, { name: 'more', permissions: ['films:edit'] }],
    ['DELETE', `${path}/${acme.id}/api-tokens/1`, undefined],
    ['DELETE', `${path}/${acme.id}`, undefined],
  ] as const)('%s %s, without a look-up', async (method, address, body) => {
    const start = service.log.length
    const answer = await send(key, method, address, body)
    expect(answer.status, answer.text).toBe(401)
    if (address.startsWith('/api')) expect(costsSince(service, start)[0]?.calls).toBe(0)
  })

  it('as a session cookie, and where only people may call', async () => {
    const asCookie = { headers: { cookie: `latchkey=${key}` } }
    for (const address of ['/api/2/users/me', `${path}/current`, `${path}/${acme.id}`])
      expect((await service.client('GET', address, asCookie)).status).toBe(401)
    expect(await authorizePeople(httpEvent(key))).toEqual({ isAuthorized: false })
  })

  it('at the token endpoint, in every grant', async () => {
    for (const form of [
      { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', subject_token: key },
      { grant_type: 'refresh_token', refresh_token: key },
      { grant_type: 'authorization_code', code: key, code_verifier: 'x'.repeat(43) },
      { grant_type: 'client_credentials', client_assertion: key },
    ]) {
      const answer = await postToken(service, { ...form, ...proveClient(server) })
      expect([400, 401]).toContain(answer.status)
      expect(answer.body.access_token).toBeUndefined()
    }
  })

  it('by a client that serves no API', async () => {
    const none = await addRelyingParty(service)
    const body = new URLSearchParams({ token: key, ...proveClient(none) })
    const answer = await fetch(`${service.url}/oauth2/introspect`, { method: 'POST', body })
    expect(await answer.json()).toEqual({ active: false })
  })
})

describe('an API token of an organization never allows', () => {
  it('what its permissions do not', async () => {
    const reader = await makeKey(acme.id, owner, { permissions: ['films:edit'] })
    expect((await send(reader, 'GET', `${path}/${acme.id}`)).status).toBe(200)
    for (const [method, rest, body] of [
      ['PATCH', '', { name: 'Mine' }],
      ['GET', '/members', undefined],
      ['PATCH', `/members/${owner.user.id}`, { roles: ['member'] }],
      ['DELETE', `/members/${owner.user.id}`, undefined],
    ] as const)
      expect((await send(reader, method, `${path}/${acme.id}${rest}`, body)).status).toBe(403)
  })

  it('making owners, changing owners, giving roles that allow more, and what the service decides', async () => {
    const permissions = ['org:members:manage', 'org:members:view', 'org:settings:manage']
    const manager = await makeKey(acme.id, owner, { permissions })
    const { user } = await join(acme.id, ['member'])
    const setRoles = (id: number, roles: readonly string[]) =>
      send(manager, 'PATCH', `${path}/${acme.id}/members/${id}`, { roles })
    for (const roles of [['owner'], ['admin'], ['editor'], ['keeper']])
      expect((await setRoles(user.id, roles)).status, roles[0]).toBe(403)
    expect((await setRoles(owner.user.id, ['member'])).status).toBe(403)
    expect((await send(manager, 'DELETE', `${path}/${acme.id}/members/${owner.user.id}`)).status).toBe(403)
    for (const body of [{ state: 'suspended' }, { member_limit: 1 }, { external_id: 'x' }])
      expect((await send(manager, 'PATCH', `${path}/${acme.id}`, body)).status).toBe(403)
    expect((await send(manager, 'PATCH', `${path}/${acme.id}`, { name: 'Acme' })).status).toBe(200)
    expect((await send(manager, 'DELETE', `${path}/${acme.id}/members/${user.id}`)).status).toBe(204)
    const events = await call('GET', '/api/2/auth/audit-events?event=organization.member_removed&limit=1')
    expect(events.body[0]).toMatchObject({
      actor: null,
      credential: 'organization_token',
      actor_principal: expect.stringMatching(/^organization-token:\d+$/),
    })
  })
})

describe('nobody creates an API token', () => {
  it('with more than they have', async () => {
    const keeper = await join(acme.id, ['keeper'])
    expect((await create(acme.id, keeper)).status).toBe(403)
    expect((await create(acme.id, keeper, { permissions: ['org:settings:manage'] })).status).toBe(403)
    expect((await create(acme.id, keeper, { permissions: ['org:members:view'] })).status).toBe(201)
  })

  it.each([
    [['org:keys:manage']],
    [['system:admin-access']],
    [['users:manage']],
    [['films:delete']],
    [['org:everything']],
    [['__proto__']],
    [['constructor:name']],
    [[]],
    [Array(101).fill('films:edit')],
    ['films:edit'],
    [null],
  ])('with the permissions %j', async (permissions) => {
    const refused = await create(acme.id, owner, { permissions })
    expect([refused.status, refused.body.errors[0].field.split('.')[0]]).toEqual([400, 'permissions'])
  })

  it('that has already expired, without a name, or with an owner of their choice', async () => {
    expect((await create(acme.id, owner, { expires: '2020-01-01T00:00:00Z' })).status).toBe(400)
    expect((await create(acme.id, owner, { name: '' })).status).toBe(400)
    const body = { organization_id: 1, created_by: 1, token: 'x'.repeat(40) }
    const created = await create(acme.id, owner, body)
    if (created.status === 201) expect(created.body).toMatchObject({ created_by: owner.user.id })
    else expect(created.status).toBe(400)
  })

  it.each([['admin'], ['member'], ['editor']])('as %s', async (role) => {
    expect((await create(acme.id, await join(acme.id, [role]))).status).toBe(403)
  })

  it('in an organization of others, which looks like none', async () => {
    const stranger = await addSignedIn(service)
    const [foreign, unknown] = [await create(acme.id, stranger), await create(2_147_483_000, stranger)]
    expect([foreign.status, shown(foreign)]).toEqual([404, shown(unknown)])
  })

  it('with an API token of their own', async () => {
    const { body } = await callAs(service, owner)('POST', '/api/2/api-tokens', { name: 'mine' })
    const refused = await send(body.token, 'POST', `${path}/${acme.id}/api-tokens`, {
      name: 'x',
      permissions: ['films:edit'],
    })
    expect(refused.status).toBe(403)
  })

  it('beyond the limit, with 110 requests at once', async () => {
    const { id } = await found()
    const many = await join(id, ['owner'])
    const wanted = organizationApiTokensMax + 10
    const created = await Promise.all(Array.from({ length: wanted }, () => create(id, many)))
    const later = await Promise.all(
      created.filter(({ status }) => status !== 201).map(() => create(id, many)),
    )
    const listed = await callAs(service, many)('GET', `${path}/${id}/api-tokens?limit=200`)
    expect(listed.body.length).toBeLessThanOrEqual(organizationApiTokensMax)
    const statuses = new Set([...created, ...later].map(({ status }) => status))
    expect([...statuses].every((status) => [201, 409, 429, 503].includes(status))).toBe(true)
    for (let at = listed.body.length; at < organizationApiTokensMax; at++) await makeKey(id, many)
    const refused = await create(id, many)
    expect([refused.status, refused.body.reason]).toEqual([409, 'too_many_organization_tokens'])
  })
})
