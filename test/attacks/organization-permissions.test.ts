import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import { createMiddleware } from '../../lib/middleware/identify-user.ts'
import type { Requirement } from '../../lib/middleware/requirement.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  getTokens,
  postToken,
  proveClient,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import { newPersonAddress } from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * A user who creates an organization gives themselves every role of members there. Then they try each of their credentials on routes
 * of products that ask for a permission.
 */

const audience = 'https://films.example/api'
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const texts = { en: 'Films' }
await call('PUT', '/api/2/organization-roles', {
  roles: [
    { key: 'editor', texts, permissions: ['films:edit'] },
    { key: 'auditor', texts, permissions: ['films:audit'], given_by: 'service' },
  ],
})
await call('PUT', '/api/2/organization-policy', { creation: 'everybody' })
const names = ['films:edit', 'films:audit']
const api = await call('POST', '/api/2/protected-apis', {
  name: 'Films',
  audience,
  permissions: names.map((name) => ({ name, texts })),
  scopes: [{ name: 'films', texts, permissions: names }],
})
const apis = [{ id: api.body.id, audience, scopes: ['films'] }]
const party = await addRelyingParty(service, { scopes: ['openid', 'organization', 'offline_access'], apis })
const plainParty = await addRelyingParty(service, { scopes: ['openid', 'offline_access'], apis })
const machine = await addRelyingParty(service, {
  ...{ redirect_uris: [], audiences: [audience], machine_permissions: ['films:edit'] },
  machine_organizations: true,
})

interface Organization {
  readonly id: number
  readonly slug: string
}
const createOwn = async (person: SignedInPerson): Promise<Organization> => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  const { status, body } = await callAs(service, person)('POST', '/api/2/users/me/organizations', {
    name: `Own ${slug}`,
    slug,
  })
  expect(status).toBe(201)
  const { id } = body
  const roles = ['owner', 'editor']
  const path = `/api/2/organizations/${id}/members/${person.user.id}`
  expect((await callAs(service, person)('PATCH', path, { roles })).status).toBe(200)
  return { id, slug }
}

const stranger = await addSignedIn(service, { email: newPersonAddress() })
const own = await createOwn(stranger)
/** Somebody with the permission in their account, and without a role that has it. */
const editor = await addSignedIn(service, { permissions: ['films:edit'] })
await call('POST', `/api/2/organizations/${own.id}/members`, { user: editor.user.id, roles: ['member'] })

const ask = { scope: 'openid offline_access films', resource: audience }
const tokenOf = async (person: SignedInPerson, organization?: string): Promise<string> =>
  (await getTokens(service, party, person.bearer, { ...ask, organization })).access_token
const createKey = async (permissions: readonly string[]) =>
  (
    await callAs(service, stranger)('POST', `/api/2/organizations/${own.id}/api-tokens`, {
      name: randomUUID(),
      permissions,
    })
  ).body.token as string
const createApiToken = async ({ bearer }: SignedInPerson): Promise<string> =>
  (await service.client('POST', '/api/2/api-tokens', { bearer, body: { name: randomUUID() } })).body.token

interface Credential {
  readonly bearer: string
  readonly header?: string
}
const credentials: Readonly<Record<string, () => Promise<Credential>>> = {
  'token without an organization': async () => ({ bearer: await tokenOf(stranger) }),
  'token for their own organization': async () => ({ bearer: await tokenOf(stranger, own.slug) }),
  'token after a refresh for their own organization': async () => {
    const { refresh_token } = await getTokens(service, party, stranger.bearer, ask)
    const { body } = await refresh(service, party, refresh_token, {
      organization: own.slug,
      resource: audience,
    })
    return { bearer: body.access_token }
  },
  session: async () => ({ bearer: stranger.bearer }),
  'session with the header': async () => ({ bearer: stranger.bearer, header: own.slug }),
  'API token with the header': async () => ({ bearer: await createApiToken(stranger), header: own.slug }),
  'JWT of the session': async () => ({
    bearer: (await callAs(service, stranger)('POST', '/api/2/auth/jwt', {})).body.token,
  }),
  'API token of their organization': async () => ({ bearer: await createKey(['films:edit']) }),
  'token of a machine for their organization': async () => ({
    bearer: (
      await postToken(service, {
        grant_type: 'client_credentials',
        ...proveClient(machine),
        resource: audience,
        organization: own.slug,
      })
    ).body.access_token,
  }),
  'token of an editor without an organization': async () => ({ bearer: await tokenOf(editor) }),
  'token of an editor for the organization': async () => ({ bearer: await tokenOf(editor, own.slug) }),
}

const base = { ...process.env, AUTHORIZER_PERMISSION: 'films:edit', AUTHORIZER_AUDIENCES: audience }
const machines = { ...base, AUTHORIZER_MACHINES: 'true' }
const authorizers = {
  none: createAuthorizer(base),
  required: createAuthorizer({ ...base, AUTHORIZER_ORGANIZATION: 'required' }),
  optional: createAuthorizer({ ...base, AUTHORIZER_ORGANIZATION: 'optional' }),
  'machines, none': createAuthorizer(machines),
  'machines, required': createAuthorizer({ ...machines, AUTHORIZER_ORGANIZATION: 'required' }),
  'keys, required': createAuthorizer({
    ...base,
    AUTHORIZER_ORGANIZATION: 'required',
    AUTHORIZER_ORGANIZATION_TOKENS: 'true',
  }),
}
type Route = keyof typeof authorizers

/** The routes that admit each credential. Every other one refuses it. */
const admitted: Readonly<Record<string, readonly Route[]>> = {
  'token without an organization': [],
  'token for their own organization': ['required', 'optional', 'machines, required', 'keys, required'],
  'token after a refresh for their own organization': [
    'required',
    'optional',
    'machines, required',
    'keys, required',
  ],
  session: [],
  'session with the header': ['required', 'optional', 'machines, required', 'keys, required'],
  'API token with the header': ['required', 'optional', 'machines, required', 'keys, required'],
  'JWT of the session': [],
  'API token of their organization': ['keys, required'],
  'token of a machine for their organization': ['machines, required'],
  'token of an editor without an organization': ['none', 'optional', 'machines, none'],
  'token of an editor for the organization': [],
}

const sessions = createMiddleware({ baseUrl: service.url })
const tokens = createJwtMiddleware({ baseUrl: service.url, audience, acceptsMachines: true })
const requirements: Readonly<Record<'none' | 'required' | 'optional', Requirement>> = {
  none: { permission: 'films:edit' },
  required: { permission: 'films:edit', organization: true },
  optional: { permission: 'films:edit', organization: 'optional' },
}

/** Whether a credential acts in the organization. */
const isFor = (name: string): boolean =>
  ['their own organization', 'their organization', 'for the organization', 'the header'].some((end) =>
    name.endsWith(end),
  )

describe.each(Object.keys(credentials))('a %s', (name) => {
  it('opens no route of an authorizer but those that say where the permission counts', async () => {
    const { bearer, header } = (await credentials[name]?.()) ?? { bearer: '' }
    expect(bearer).toBeTruthy()
    const headers = [
      ['Authorization', `Bearer ${bearer}`],
      ...(header === undefined ? [] : [['Latchkey-Organization', header]]),
    ] as [string, string][]
    const opened: string[] = []
    for (const [route, authorizer] of Object.entries(authorizers)) {
      const answer: JsonValue = await authorizer(httpEvent(undefined, { headers }))
      if (!answer.isAuthorized) continue
      opened.push(route)
      // The product sees where the permission counts.
      const { org_id, permissions_claim, permissions, org_permissions = '[]' } = answer.context
      expect(org_id).toBe(isFor(name) ? String(own.id) : undefined)
      const [counting, other] =
        org_id === undefined ? [permissions, org_permissions] : [org_permissions, permissions]
      expect([JSON.parse(counting).includes('films:edit'), JSON.parse(other)]).toEqual([true, []])
      const knowsOrganizations = route !== 'none' && route !== 'machines, none'
      const named = org_id === undefined ? 'permissions' : 'org_permissions'
      expect(permissions_claim).toBe(knowsOrganizations ? named : undefined)
    }
    expect(opened).toEqual(admitted[name])
  })

  it('opens no route of the middleware but those that say where the permission counts', async () => {
    const { bearer, header } = (await credentials[name]?.()) ?? { bearer: '' }
    const isJwt = bearer.startsWith('eyJ')
    const { web } = isJwt ? tokens : sessions
    const headers = {
      authorization: `Bearer ${bearer}`,
      ...(header !== undefined && { 'latchkey-organization': header }),
    }
    const opened: string[] = []
    for (const [route, requirement] of Object.entries(requirements)) {
      const visit = web(() => new Response(), requirement)
      const { status } = await visit(new Request('https://films.example/films', { headers }))
      if (status === 200) opened.push(route)
    }
    const expected = (['none', 'required', 'optional'] as const).filter((route) => {
      const known = admitted[name] ?? []
      // One middleware accepts machines, and none accepts API tokens of organizations.
      if (name.includes('machine')) return route !== 'none'
      return name.startsWith('API token of') ? false : known.includes(route)
    })
    expect(opened).toEqual(expected)
  })
})

it('states what counts in an organization apart, so that a server without the middleware is safe', async () => {
  const { id_token, access_token } = await getTokens(service, party, stranger.bearer, {
    ...ask,
    organization: own.slug,
  })
  expect(decodeJwt(access_token)).toMatchObject({ permissions: [], org_permissions: ['films:edit'] })
  expect(decodeJwt(id_token)['permissions'] ?? []).toEqual([])
  const raw = String(new URLSearchParams({ token: access_token, ...proveClient(party) }))
  const { body } = await service.client('POST', '/oauth2/introspect', {
    raw,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(body).toMatchObject({ permissions: [], org_permissions: ['films:edit'] })
})

describe('a client that knows no organizations', () => {
  it('gets no tokens for one by any way, whatever its user adds to the address', async () => {
    const { challenge } = createPkce()
    for (const name of ['organization', 'organization_id']) {
      const asked = { ...ask, [name]: own.slug }
      const query = buildAuthorization(plainParty, challenge, asked)
      const answer = await service.client('GET', `/oauth2/authorize?${query}`, { bearer: stranger.bearer })
      expect(readRedirect(answer)).toMatchObject({ error: 'invalid_request' })
      const pushed = await fetch(`${service.url}/oauth2/par`, {
        method: 'POST',
        body: new URLSearchParams({ ...Object.fromEntries(query), ...proveClient(plainParty) }),
      })
      expect([pushed.status, ((await pushed.json()) as JsonValue).error]).toEqual([400, 'invalid_request'])
      const { refresh_token } = await getTokens(service, plainParty, stranger.bearer, ask)
      const renewed = await refresh(service, plainParty, refresh_token, { [name]: own.slug })
      expect(renewed.body.error).toBe('invalid_request')
      const again = await refresh(service, plainParty, refresh_token)
      expect(decodeJwt(again.body.access_token)).not.toHaveProperty('org_id')
    }
  })
})

describe('a role that only the service gives', () => {
  const asOwner = callAs(service, stranger)
  const members = `/api/2/organizations/${own.id}/members`

  it('is no role that an owner gives to anybody, by any way', async () => {
    const refused = { status: 403, body: { code: 'permission_denied' } }
    for (const user of [stranger, editor]) {
      const path = `${members}/${user.user.id}`
      expect(await asOwner('PATCH', path, { roles: ['owner', 'auditor'] })).toMatchObject(refused)
    }
    const invitation = { email: `${randomUUID()}@example.com`, roles: ['auditor'] }
    const invitations = `/api/2/organizations/${own.id}/invitations`
    expect(await asOwner('POST', invitations, invitation)).toMatchObject(refused)
    const key = { name: randomUUID(), permissions: ['films:audit'] }
    expect(await asOwner('POST', `/api/2/organizations/${own.id}/api-tokens`, key)).toMatchObject(refused)
  })

  it('stays with its member while owners change other roles, and ends with the membership', async () => {
    const member = await addSignedIn(service)
    const path = `${members}/${member.user.id}`
    const added = await call('POST', members, { user: member.user.id, roles: ['auditor', 'member'] })
    expect(added.status).toBe(201)
    expect((await asOwner('PATCH', path, { roles: ['auditor', 'editor'] })).status).toBe(200)
    expect((await asOwner('PATCH', path, { roles: ['editor'] })).status).toBe(403)
    expect(decodeJwt(await tokenOf(member, own.slug))['org_permissions']).toEqual([
      'films:audit',
      'films:edit',
    ])
    expect((await asOwner('DELETE', path)).status).toBe(204)
  })

  it('is never a built-in role', async () => {
    const roles = [{ key: 'owner', texts, permissions: [], given_by: 'service' }]
    expect(await call('PUT', '/api/2/organization-roles', { roles })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'roles.0.given_by' }] },
    })
  })
})
