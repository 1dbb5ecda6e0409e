import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { addRelyingParty, getCode, getTokens, postToken, proveClient, refresh } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Access tokens of OpenID Connect clients at the APIs of products. */

const audience = 'https://api.shop.example'
const service = await useService()
const authorize = createAuthorizer({ ...process.env, AUTHORIZER_AUDIENCES: audience })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const shop = await addRelyingParty(service, { audiences: [audience, 'reports'], permissions: ['films:view'] })

const ask = async (bearer: string): Promise<JsonValue> => authorize(httpEvent(bearer))
const denied = { isAuthorized: false }

describe('a token that a client got for itself', () => {
  const getToken = async (fields: object = {}) => {
    const machine = await addRelyingParty(service, {
      ...{ redirect_uris: [], audiences: [audience], machine_permissions: ['films:view'] },
      ...fields,
    })
    const form = { grant_type: 'client_credentials', ...proveClient(machine) }
    return { machine, token: (await postToken(service, form)).body.access_token as string }
  }
  const accepting = (settings: object = {}) =>
    createAuthorizer({
      ...process.env,
      ...{ AUTHORIZER_AUDIENCES: audience, AUTHORIZER_MACHINES: 'true', ...settings },
    })

  it('is refused, unless the authorizer accepts machines', async () => {
    const { machine, token } = await getToken()
    expect(await ask(token)).toEqual(denied)
    expect(await accepting()(httpEvent(token))).toEqual({
      isAuthorized: true,
      context: { permissions: '["films:view"]', kind: 'machine', client_id: machine.client.clientId },
    })
  })

  it('says which organization it is for, and ends while that is suspended', async () => {
    const call = (method: string, path: string, body: object) =>
      service.client(method, `/api/2/organizations${path}`, { bearer: admin.bearer, body })
    const { body: acme } = await call('POST', '', { name: 'Acme', slug: 'acme-machines' })
    const { machine } = await getToken({ machine_organizations: true })
    const form = { grant_type: 'client_credentials', ...proveClient(machine), organization: acme.slug }
    const token = (await postToken(service, form)).body.access_token
    const context = { kind: 'machine', org_id: String(acme.id), org_slug: acme.slug, org_name: 'Acme' }
    const inOrganization = accepting({ AUTHORIZER_ORGANIZATION: 'required' })
    expect(await inOrganization(httpEvent(token))).toMatchObject({ isAuthorized: true, context })
    await call('PATCH', `/${acme.id}`, { state: 'suspended' })
    expect(await inOrganization(httpEvent(token))).toEqual(denied)
  })

  it('opens what its permissions allow, and ends with its client', async () => {
    const { machine, token } = await getToken()
    const decide = (AUTHORIZER_PERMISSION: string) =>
      accepting({ AUTHORIZER_PERMISSION })(httpEvent(token)) as JsonValue
    expect([await decide('films:view'), await decide('films:edit')]).toMatchObject([
      { isAuthorized: true },
      denied,
    ])
    expect(await decide('system:admin-access')).toEqual(denied)
    const others = accepting({ AUTHORIZER_CLIENTS: shop.client.clientId })
    expect(await others(httpEvent(token))).toEqual(denied)
    expect(await accepting({ AUTHORIZER_AUDIENCES: 'https://x.example' })(httpEvent(token))).toEqual(denied)
    const path = `/api/2/oidc-clients/${machine.client.id}`
    expect((await service.client('DELETE', path, { bearer: admin.bearer })).status).toBe(204)
    expect(await decide('films:view')).toEqual(denied)
  })
})

describe('an access token of a client', () => {
  it('identifies its user, and names the client', async () => {
    const person = await addSignedIn(service, { permissions: ['films:view'] })
    const { access_token, id_token, refresh_token } = await getTokens(service, shop, person.bearer, {
      resource: audience,
    })
    expect(await ask(access_token)).toEqual({
      isAuthorized: true,
      context: {
        user_id: String(person.user.id),
        username: person.user.username,
        permissions: '["films:view"]',
        groups: '[]',
        scopes: JSON.stringify(shop.client.scopes),
        kind: 'jwt',
        client_id: shop.client.clientId,
      },
    })
    const { code } = await getCode(service, shop, person.bearer)
    for (const other of [id_token, refresh_token, code, shop.secret, shop.client.clientId])
      expect(await ask(other)).toEqual(denied)
  })

  it('for another audience is refused', async () => {
    const { bearer } = await addSignedIn(service)
    const resource = 'urn:latchkey:audience:reports'
    const { access_token } = await getTokens(service, shop, bearer, { resource })
    expect(decodeJwt(access_token).aud).toBe('reports')
    expect(await ask(access_token)).toEqual(denied)
  })

  it('ends with its session, its grant, its client, and its revocation', async () => {
    const person = await addSignedIn(service)
    const tokens = () => getTokens(service, shop, person.bearer, { resource: audience })
    const ofSession = await tokens()

    const revoked = (await tokens()).access_token
    expect(await ask(revoked)).toMatchObject({ isAuthorized: true })
    const body = String(new URLSearchParams({ token: revoked, ...proveClient(shop) }))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await service.client('POST', '/oauth2/revoke', { raw: body, headers })).status).toBe(200)
    expect(await ask(revoked)).toEqual(denied)

    const page = await addRelyingParty(service, { type: 'public', audiences: [audience] })
    const stolen = await getTokens(service, page, person.bearer, { resource: audience })
    const renewed = await refresh(service, page, stolen.refresh_token)
    expect((await refresh(service, page, renewed.body.refresh_token)).status).toBe(200)
    expect(await ask(stolen.access_token)).toMatchObject({ isAuthorized: true })
    expect((await refresh(service, page, stolen.refresh_token)).status).toBe(400)
    expect(await ask(stolen.access_token)).toEqual(denied)

    const other = await addRelyingParty(service, { audiences: [audience] })
    const ofClient = (await getTokens(service, other, person.bearer, { resource: audience })).access_token
    expect(await ask(ofClient)).toMatchObject({ isAuthorized: true })
    const path = `/api/2/oidc-clients/${other.client.id}`
    expect((await service.client('DELETE', path, { bearer: admin.bearer })).status).toBe(204)
    expect(await ask(ofClient)).toEqual(denied)

    expect(await ask(ofSession.access_token)).toMatchObject({ isAuthorized: true })
    await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    expect(await ask(ofSession.access_token)).toEqual(denied)
  })
})
