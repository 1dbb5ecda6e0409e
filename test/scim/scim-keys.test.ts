import { randomUUID } from 'node:crypto'
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { addRelyingParty, getCode, postToken, proveClient } from '../support/oidc.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { schemas, scimSettings, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* A directory that proves itself by a key of a client (RFC 7523), and others who want to be one. */

const service = await useService({ RATE_LIMITS: 'lookUpFailures=1000/600' }, { sendsMail: false })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manage = callAs(service, admin)

interface Key {
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}
interface KeyClient {
  readonly id: number
  readonly clientId: string
  readonly key: Key
}
const makeKey = async (): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return { privateKey, publicJwk: await exportJWK(publicKey) }
}
const addKeyClient = async (fields: object = {}): Promise<KeyClient> => {
  const key = await makeKey()
  const body = { name: randomUUID(), redirect_uris: [], public_keys: [key.publicJwk], ...fields }
  const added = await manage('POST', 'oidc-clients', body)
  expect(added.status, added.text).toBe(201)
  return { id: added.body.id, clientId: added.body.client_id, key }
}
const setScim = (connectionId: number, settings: object) =>
  manage('PUT', `auth/connections/${connectionId}/scim`, { ...scimSettings, ...settings })
const addDirectoryOf = async ({ clientId }: KeyClient, fields: object = {}): Promise<number> => {
  const id = await storeConnection(service, fields)
  const set = await setScim(id, { client_id: clientId })
  expect([set.status, set.body.client_id], set.text).toEqual([200, clientId])
  return id
}
const addressOf = (connectionId: number): string => `${service.url}/scim/v2/${connectionId}`
const prove = async ({ clientId, key }: KeyClient, signed: Key = key) => {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: service.url,
    jti: randomUUID(),
    iat: now,
    exp: now + 60,
  }
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(signed.privateKey),
  }
}
const ask = async (client: KeyClient, connectionId: number, form: Readonly<Record<string, string>> = {}) =>
  postToken(service, {
    ...{ grant_type: 'client_credentials', scope: 'scim', resource: addressOf(connectionId) },
    ...(await prove(client)),
    ...form,
  })
const getToken = async (client: KeyClient, connectionId: number): Promise<string> => {
  const { status, body } = await ask(client, connectionId)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.access_token
}
const list = (bearer: string, connectionId: number) =>
  service.client('GET', `/scim/v2/${connectionId}/Users`, { bearer })
const statusOf = async (bearer: string, connectionId: number): Promise<number> =>
  (await list(bearer, connectionId)).status

describe('a directory with a key', () => {
  it('gets a token of ten minutes for its connection, and nothing else', async () => {
    const client = await addKeyClient({ access_token_lifetime: 3600 })
    const id = await addDirectoryOf(client)
    const { body } = await ask(client, id)
    expect(body).toEqual({
      ...{ access_token: body.access_token, token_type: 'Bearer', expires_in: 600, scope: 'scim' },
    })
    const { iat = 0, exp = 0, jti, ...claims } = decodeJwt(body.access_token)
    expect([exp - iat, typeof jti]).toEqual([600, 'string'])
    expect(claims).toEqual({
      ...{ sub: `client:${client.clientId}`, client_id: client.clientId, iss: service.url },
      ...{ aud: addressOf(id), scope: 'scim', permissions: [] },
    })
    const userName = randomUUID()
    const created = await service.client('POST', `/scim/v2/${id}/Users`, {
      bearer: body.access_token,
      body: { schemas: [schemas.user], userName },
    })
    expect(created.status, created.text).toBe(201)
    const events = await manage('GET', `auth/audit-events?event=scim.user_created&target=${id}`)
    expect(events.body[0]).toMatchObject({ actor: null, credential: 'scim_token' })
    for (const path of [
      '/api/2/users/me',
      '/oauth2/userinfo',
      '/api/2/users',
      `/api/2/auth/connections/${id}/scim`,
    ])
      expect((await service.client('GET', path, { bearer: body.access_token })).status, path).toBe(401)
  })

  it('is a client that an organization named for its own connection', async () => {
    const client = await addKeyClient()
    const { id: organizationId } = await addOrganization(service, admin)
    const id = await addDirectoryOf(client, { organization_id: organizationId })
    const token = await getToken(client, id)
    expect(await statusOf(token, id)).toBe(200)
    for (const [state, status] of [
      ['suspended', 401],
      ['active', 200],
    ] as const) {
      await manage('PATCH', `organizations/${organizationId}`, { state })
      expect(await statusOf(token, id)).toBe(status)
    }
  })

  it('keeps its client if the settings do not name one, until they say null', async () => {
    const client = await addKeyClient()
    const id = await addDirectoryOf(client)
    expect((await setScim(id, { match_to: 'external_id' })).body.client_id).toBe(client.clientId)
    expect((await setScim(id, { client_id: null })).body.client_id).toBeNull()
  })
})

describe('a token of a directory is refused from the next request on', () => {
  it.each<[string, (client: KeyClient, id: number, token: string) => Promise<unknown>]>([
    ['once its client was deleted', ({ id }) => manage('DELETE', `oidc-clients/${id}`)],
    [
      'once its client has no keys',
      ({ id }) =>
        manage('PATCH', `oidc-clients/${id}`, { public_keys: [], redirect_uris: ['https://a.example/'] }),
    ],
    ['once the connection names no client', (_, id) => setScim(id, { client_id: null })],
    [
      'once the connection names another client',
      async (_, id) => setScim(id, { client_id: (await addKeyClient()).clientId }),
    ],
    ['once the connection takes nobody', (_, id) => setScim(id, { enabled: false })],
    ['once the connection was deleted', (_, id) => manage('DELETE', `auth/oidc-connections/${id}`)],
    [
      'once the client revoked it',
      async (client, _, token) =>
        service.client('POST', '/oauth2/revoke', {
          raw: String(new URLSearchParams({ token, ...(await prove(client)) })),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
    ],
  ])('%s', async (_, end) => {
    const client = await addKeyClient()
    const id = await addDirectoryOf(client)
    const token = await getToken(client, id)
    expect(await statusOf(token, id)).toBe(200)
    await end(client, id, token)
    const refused = await list(token, id)
    const unknown = await list('lkm_x', id)
    expect([refused.status, refused.body]).toEqual([401, unknown.body])
  })
})

describe('no token of a directory gets', () => {
  it('a client that the connection does not name, or with another audience, scope or grant', async () => {
    const [client, other] = [await addKeyClient(), await addKeyClient()]
    const [id, others] = [await addDirectoryOf(client), await addDirectoryOf(other)]
    for (const form of [
      { resource: addressOf(others) },
      { resource: `${addressOf(id)}/` },
      { resource: `${addressOf(id)}/Users` },
      { resource: addressOf(id).replace('/v2/', '/v2/0') },
      { resource: `${service.url}/scim/v2/2147483646` },
      { resource: service.url },
      { resource: '' },
      { scope: '' },
      { scope: 'openid' },
      { scope: 'scim openid' },
      { scope: 'scim scim2' },
      { scope: 'SCIM' },
      { grant_type: 'authorization_code', code: 'x' },
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
      { client_secret: 'x' },
      { client_id: other.clientId },
      await prove(client, await makeKey()),
    ])
      expect((await ask(client, id, form)).body.access_token, JSON.stringify(form)).toBeUndefined()
    expect((await ask(other, id)).body.error).toBe('invalid_request')
  })

  it('a client with a secret, although it has keys as well', async () => {
    const client = await addKeyClient()
    const id = await addDirectoryOf(client)
    const renewed = await manage('POST', `oidc-clients/${client.id}/secret`)
    expect(renewed.status, renewed.text).toBeLessThan(300)
    const secret = renewed.body.client_secret
    const form = { grant_type: 'client_credentials', scope: 'scim', resource: addressOf(id) }
    const named = { client_id: client.clientId, client_secret: secret }
    expect(typeof secret).toBe('string')
    expect((await postToken(service, { ...form, ...named })).body.access_token).toBeUndefined()
    const basic = `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}`
    expect((await postToken(service, form, { authorization: basic })).body.access_token).toBeUndefined()
    expect(
      (await postToken(service, { ...form, client_id: client.clientId })).body.access_token,
    ).toBeUndefined()
  })

  it('a user, a public client, or one with an API of the same address', async () => {
    const id = await addDirectoryOf(await addKeyClient())
    const address = addressOf(id)
    const app = await addRelyingParty(service)
    const page = await addRelyingParty(service, { type: 'public' })
    for (const party of [app, page]) {
      const form = {
        grant_type: 'client_credentials',
        scope: 'scim',
        resource: address,
        ...proveClient(party),
      }
      expect((await postToken(service, form)).body.access_token).toBeUndefined()
      await expect(
        getCode(service, party, admin.bearer, { scope: 'openid scim', resource: address }),
      ).rejects.toThrow()
      const issued = await getCode(service, party, admin.bearer, { scope: 'openid scim' })
      const tokens = await postToken(service, {
        ...{ grant_type: 'authorization_code', code: issued.code, code_verifier: issued.verifier },
        ...{ redirect_uri: 'https://app.example/cb', ...proveClient(party) },
      })
      expect(tokens.body.scope).not.toContain('scim')
      expect(await statusOf(tokens.body.access_token, id)).toBe(401)
    }
    for (const audience of [address, `${service.url}/scim/v2/7`, `${service.url}/scim/`]) {
      const api = { name: randomUUID(), audience, permissions: [], scopes: [] }
      expect((await manage('POST', 'protected-apis', api)).status, audience).toBe(400)
    }
  })

  it('the path of another connection with the token of this one', async () => {
    const client = await addKeyClient()
    const [id, second] = [await addDirectoryOf(client), await addDirectoryOf(client)]
    const token = await getToken(client, id)
    expect([await statusOf(token, id), await statusOf(token, second)]).toEqual([200, 401])
    for (const at of ['__proto__', 'NaN', `0${id}`, `${id}.0`, `+${id}`])
      expect((await service.client('GET', `/scim/v2/${at}/Users`, { bearer: token })).status, at).toBe(401)
    const jwt = await manage('POST', 'auth/jwt', {})
    expect(await statusOf(jwt.body.token ?? jwt.body.jwt ?? 'x', id)).toBe(401)
  })

  it('a connection whose settings name what cannot be a directory', async () => {
    const id = await storeConnection(service)
    const page = await addRelyingParty(service, { type: 'public' })
    const app = await addRelyingParty(service)
    const bound = await addKeyClient({ requires_dpop: true })
    for (const clientId of [
      page.client.clientId,
      app.client.clientId,
      bound.clientId,
      '__proto__',
      '9-x',
      '',
    ])
      expect((await setScim(id, { client_id: clientId })).status, clientId).toBe(400)
  })
})
