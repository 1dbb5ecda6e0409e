import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { costsSince } from '../support/directory.ts'
import { addRelyingParty, postToken, proveClient, type RelyingParty } from '../support/oidc.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Tokens that a client gets for itself in an organization. */

const films = 'https://films.example'
const service = await useService({ RATE_LIMITS: 'lookUpFailures=1000/600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const api = await addRelyingParty(service, { audiences: [films] })
const addMachine = (overrides: object = {}) =>
  addRelyingParty(service, {
    ...{ redirect_uris: [], audiences: [films], machine_permissions: ['films:view'] },
    ...{ machine_organizations: true, ...overrides },
  })
const machine = await addMachine()
const newOrganization = async () => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  return (await call('POST', '/api/2/organizations', { name: 'Acme', slug })).body as {
    id: number
    slug: string
  }
}
const acme = await newOrganization()
const ask = (form: Readonly<Record<string, string>>, party: RelyingParty = machine) =>
  postToken(service, { grant_type: 'client_credentials', ...proveClient(party), ...form })
const introspect = async (token: string) =>
  (
    await service.client('POST', '/oauth2/introspect', {
      raw: String(new URLSearchParams({ token, ...proveClient(api) })),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  ).body
const claims = {
  org_id: String(acme.id),
  org_slug: acme.slug,
  org_name: 'Acme',
  permissions: [],
  org_permissions: ['films:view'],
}

describe('a token of a client for itself in an organization', () => {
  it.each(['slug', 'id'] as const)('states it by the %s, and no user', async (name) => {
    const { status, body } = await ask({ organization: String(acme[name]) })
    expect(status).toBe(200)
    const stated = decodeJwt(body.access_token)
    expect(stated).toMatchObject({ ...claims, sub: `client:${machine.client.clientId}` })
    expect(stated).not.toHaveProperty('org_roles')
    // The first request of the server of an API remembers its network.
    expect(await introspect(body.access_token)).toMatchObject({ active: true, ...claims })
    const start = service.log.length
    expect(await introspect(body.access_token)).toMatchObject({ active: true, ...claims })
    const forOne = costsSince(service, start).map(({ calls }) => calls)
    const without = (await ask({})).body.access_token
    expect(decodeJwt(without)).not.toHaveProperty('org_id')
    const next = service.log.length
    expect(await introspect(without)).not.toHaveProperty('org_id')
    // The organization is read together with the client.
    expect(forOne).toEqual(costsSince(service, next).map(({ calls }) => calls))
  })

  it('accepts organization_id, and refuses two different ones', async () => {
    const alias = await ask({ organization_id: acme.slug })
    expect(decodeJwt(alias.body.access_token)).toMatchObject(claims)
    const both = await ask({ organization: acme.slug, organization_id: 'other' })
    expect(both.body.error).toBe('access_denied')
  })

  it('is refused for one that does not exist and one that is suspended alike, with the same table calls', async () => {
    const suspended = await newOrganization()
    await call('PATCH', `/api/2/organizations/${suspended.id}`, { state: 'suspended' })
    const outcomes = []
    for (const organization of [suspended.slug, 'no-such-one', String(suspended.id), '2147483646']) {
      const start = service.log.length
      const { status, body } = await ask({ organization })
      outcomes.push({ status, body, costs: costsSince(service, start).map(({ calls }) => calls) })
    }
    expect(outcomes[0]).toMatchObject({ status: 400, body: { error: 'access_denied' } })
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[2]).toEqual(outcomes[3])
    for (const organization of ['__proto__', '', ' ', '0', '-1', '1e3', 'x'.repeat(2000)])
      expect((await ask({ organization })).body.error).toBe('access_denied')
  })

  it('ends while the organization is suspended, when it is deleted, and when the client may not have it', async () => {
    const { id, slug } = await newOrganization()
    const other = await addMachine()
    const { access_token: token } = (await ask({ organization: slug }, other)).body
    const edit = (body: object) => call('PATCH', `/api/2/organizations/${id}`, body)
    const editClient = (body: object) => call('PATCH', `/api/2/oidc-clients/${other.client.id}`, body)
    const isActive = async () => (await introspect(token)).active
    for (const [end, begin] of [
      [() => edit({ state: 'suspended' }), () => edit({ state: 'active' })],
      [() => editClient({ machine_organizations: false }), () => editClient({ machine_organizations: true })],
    ] as const) {
      expect((await end()).status).toBe(200)
      expect(await isActive()).toBe(false)
      expect((await begin()).status).toBe(200)
      expect(await isActive()).toBe(true)
    }
    // It says what the organization is called now.
    await edit({ name: 'Acme Studios' })
    expect((await introspect(token)).org_name).toBe('Acme Studios')
    await call('DELETE', `/api/2/organizations/${id}`)
    expect(await isActive()).toBe(false)
  })

  it('is not for clients without the field, which only administrators give', async () => {
    const plain = await addMachine({ machine_organizations: false })
    expect((await ask({ organization: acme.slug }, plain)).body.error).toBe('unauthorized_client')
    const manager = await addSignedIn(service, { permissions: ['organizations:manage'] })
    const body = { machine_organizations: true }
    const refused = await callAs(service, manager)('PATCH', `/api/2/oidc-clients/${plain.client.id}`, body)
    expect(refused.status).toBe(403)
    const useless = await call('POST', '/api/2/oidc-clients', {
      name: `c-${randomUUID()}`,
      redirect_uris: ['https://x.example/callback'],
      machine_organizations: true,
    })
    expect([useless.status, useless.body.errors[0].field]).toEqual([400, 'machine_organizations'])
  })

  it('opens nothing of the service', async () => {
    const { access_token: bearer } = (await ask({ organization: acme.slug })).body
    for (const path of ['users/me', `organizations/${acme.id}`, 'organizations/current'])
      expect((await service.client('GET', `/api/2/${path}`, { bearer })).status).toBe(401)
  })
})
