import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  addRelyingParty,
  buildAuthorization,
  postToken,
  proveClient,
  type RelyingParty,
} from '../support/oidc.ts'
import type { ClientOverrides } from '../support/oidc-clients.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Clients that get tokens for themselves (RFC 6749 4.4), and what others can do with such tokens. */

const films = 'https://films.example'
const music = 'https://music.example'
const service = await useService({ RATE_LIMITS: 'lookUpFailures=1000/600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const api = await addRelyingParty(service, { audiences: [films] })

const addMachine = (overrides: ClientOverrides = {}) =>
  addRelyingParty(service, {
    ...{ redirect_uris: [], audiences: [films], machine_permissions: ['films:view', 'films:edit'] },
    ...overrides,
  })
const ask = (party: RelyingParty, form: Readonly<Record<string, string>> = {}) =>
  postToken(service, { grant_type: 'client_credentials', ...proveClient(party), ...form })
const getToken = async (party: RelyingParty): Promise<string> => (await ask(party)).body.access_token
const post = async (path: string, token: string, party: RelyingParty) =>
  (
    await service.client('POST', `/oauth2/${path}`, {
      raw: String(new URLSearchParams({ token, ...proveClient(party) })),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  ).body
const callAdmin = callAs(service, admin)
const patch = ({ client }: RelyingParty, body: object) =>
  service.client('PATCH', `/api/2/oidc-clients/${client.id}`, { bearer: admin.bearer, body })

describe('a client that gets a token for itself', () => {
  it('is no user in it', async () => {
    const machine = await addMachine()
    const { status, body, headers } = await ask(machine)
    expect([status, body.token_type, headers.get('cache-control')]).toEqual([200, 'Bearer', 'no-store'])
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'token_type'])
    expect(decodeProtectedHeader(body.access_token)['typ']).toBe('at+jwt')
    const { clientId } = machine.client
    const { iat = 0, exp = 0, jti, ...claims } = decodeJwt(body.access_token)
    expect(claims).toEqual({
      ...{ sub: `client:${clientId}`, client_id: clientId, aud: films, iss: service.url },
      permissions: ['films:view', 'films:edit'],
    })
    expect([exp - iat, body.expires_in, typeof jti]).toEqual([600, 600, 'string'])
  })

  it('is described to the API, and to no other', async () => {
    const machine = await addMachine()
    const token = await getToken(machine)
    for (const party of [api, machine])
      expect(await post('introspect', token, party)).toMatchObject({
        ...{ active: true, sub: `client:${machine.client.clientId}`, aud: films },
        permissions: ['films:view', 'films:edit'],
      })
    const stranger = await addRelyingParty(service, { audiences: [music] })
    expect(await post('introspect', token, stranger)).toEqual({ active: false })
  })

  it('is in the audit log with each token', async () => {
    const machine = await addMachine()
    await getToken(machine)
    const path = '/api/2/auth/audit-events?event=oidc_client.token_issued'
    const { body } = await service.client('GET', path, { bearer: admin.bearer })
    const targets = body.map(({ target, user }: { target: string; user: null }) => [target, user])
    expect(targets).toContainEqual([String(machine.client.id), null])
  })

  it('names its API if it has several', async () => {
    const machine = await addMachine({ audiences: [films, music] })
    expect((await ask(machine)).body.error).toBe('invalid_target')
    const { body } = await ask(machine, { resource: music })
    expect(decodeJwt(body.access_token).aud).toBe(music)
  })

  it('cannot get one for the service, for userinfo, or for the API of another', async () => {
    const machine = await addMachine()
    for (const resource of [service.url, `${service.url}/oauth2/userinfo`, music, `${films}/`, 'x'])
      expect((await ask(machine, { resource })).body.access_token).toBeUndefined()
  })

  it('loses its token with its permission, its audience, itself, and by revocation', async () => {
    const ends: readonly ((machine: RelyingParty, token: string) => Promise<unknown>)[] = [
      (machine) => patch(machine, { machine_permissions: null, redirect_uris: ['https://a.example/'] }),
      (machine) => patch(machine, { apis: [{ audience: music, scopes: [] }] }),
      (machine, token) => post('revoke', token, machine),
      ({ client }) => service.client('DELETE', `/api/2/oidc-clients/${client.id}`, { bearer: admin.bearer }),
    ]
    for (const end of ends) {
      const machine = await addMachine()
      const token = await getToken(machine)
      await post('revoke', token, api)
      expect((await post('introspect', token, api)).active).toBe(true)
      await end(machine, token)
      expect(await post('introspect', token, api)).toEqual({ active: false })
    }
    const machine = await addMachine()
    const token = await getToken(machine)
    expect((await patch(machine, { machine_permissions: ['films:edit', 'films:delete'] })).status).toBe(200)
    expect((await post('introspect', token, api)).permissions).toEqual(['films:edit'])
  })

  it('has the permissions of its groups as they are now, and no more than its API knows', async () => {
    const permissions = ['films:edit', 'music:edit', 'system:admin-access']
    const group = await callAdmin('POST', '/api/2/groups', { name: `g-${randomUUID()}`, permissions })
    const machine = await addMachine({ machine_permissions: ['films:view'] })
    expect((await patch(machine, { machine_groups: [group.body.id] })).status).toBe(200)
    const token = await getToken(machine)
    expect(decodeJwt(token)['permissions']).toEqual(['films:edit', 'films:view'])
    const shown = async () => (await post('introspect', token, api)).permissions
    expect(await shown()).toEqual(['films:edit', 'films:view'])
    expect((await callAdmin('DELETE', `/api/2/groups/${group.body.id}`)).status).toBe(204)
    expect(await shown()).toEqual(['films:view'])
    const { body } = await callAdmin('GET', `/api/2/oidc-clients/${machine.client.id}`)
    expect((await patch(machine, { machine_groups: body.machine_groups })).status).toBe(200)
    expect((await patch(machine, { machine_groups: [] })).body.machine_groups).toEqual([])
    expect((await patch(machine, { machine_groups: body.machine_groups })).status).toBe(400)
  })

  it('is slowed down if it asks for a token with each of its requests', async () => {
    const machine = await addMachine()
    const answers = await Promise.all(Array.from({ length: 130 }, () => ask(machine)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })
})

describe('no token for itself gets', () => {
  it('a client that may not have one, or does not prove who it is', async () => {
    const page = await addRelyingParty(service, { type: 'public', audiences: [films] })
    const machine = await addMachine()
    for (const party of [api, page]) expect((await ask(party)).body.error).toBe('invalid_request')
    for (const form of [
      { client_secret: '' },
      { client_secret: api.secret },
      { client_id: api.client.clientId },
    ])
      expect((await ask(machine, form)).body.access_token).toBeUndefined()
  })

  it('a person, although the client has no address to sign in at', async () => {
    const machine = await addMachine()
    const query = buildAuthorization(machine, 'x'.repeat(43), { redirect_uri: 'https://app.example/cb' })
    const answer = await service.client('GET', `/oauth2/authorize?${query}`, { bearer: admin.bearer })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })
})

it('a token of a machine is no credential of this service', async () => {
  const bearer = await getToken(await addMachine())
  for (const path of ['/api/2/users/me', '/oauth2/userinfo', '/api/2/users'])
    expect((await service.client('GET', path, { bearer })).status).toBe(401)
})

describe('an administrator cannot register', () => {
  const register = (body: object) =>
    service.client('POST', '/api/2/oidc-clients', { bearer: admin.bearer, body: { name: 'x', ...body } })
  const apis = [{ audience: films, scopes: [] }]
  it.each([
    [{ type: 'public', apis, machine_permissions: [], redirect_uris: ['https://a.example/'] }],
    [{ apis, machine_permissions: ['system:admin-access'], redirect_uris: [] }],
    [{ apis: [], machine_permissions: ['films:view'], redirect_uris: [] }],
    [{ apis, machine_permissions: null, redirect_uris: [] }],
    [{ machine_groups: [1], redirect_uris: ['https://a.example/'] }],
    [{ apis, machine_permissions: [], machine_groups: [2_147_483_646], redirect_uris: [] }],
    [{ apis, machine_permissions: ['__proto__'], redirect_uris: [] }],
    [{ apis, machine_permissions: Array(101).fill('films:view'), redirect_uris: [] }],
  ])('%j', async (body) => {
    expect((await register(body)).status).toBe(400)
  })
})
