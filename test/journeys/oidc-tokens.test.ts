import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { openidScopes } from '../../lib/features/oauth/clients.models.ts'
import { findClient } from '../../lib/features/oauth/clients.records.ts'
import { exchangeCode, getCode, getTokens, proveClient, type RelyingParty, refresh } from '../support/oidc.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const audience = 'https://api.example'
const apis = [{ audience, scopes: [] }]
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service, { email: 'ada@example.com', permissions: ['downloads:view'] })
await ensureApi(service.services.table, audience, { permissions: ['downloads:view'] })

const register = async (fields: object): Promise<RelyingParty> => {
  const redirect_uris = ['https://shop.example/callback']
  const body = { name: randomUUID(), redirect_uris, scopes: openidScopes, ...fields }
  const created = (await service.client('POST', '/api/2/oidc-clients', { bearer: admin.bearer, body })).body
  const client = await findClient(service.services.table, created.client_id)
  if (!client) throw new Error('the client was not found')
  return { client, secret: created.client_secret }
}

const shop = await register({ apis, permissions: ['downloads:view'] })
const api = await register({ apis })
const post = async (path: string, form: Readonly<Record<string, string>>) =>
  service.client('POST', `/oauth2/${path}`, {
    raw: String(new URLSearchParams(form)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const isActive = async (token: string, by = api): Promise<boolean> =>
  (await post('introspect', { token, ...proveClient(by) })).body.active
const userinfo = (bearer: string) => service.client('GET', '/oauth2/userinfo', { bearer })
const authenticate = async (bearer: string) =>
  (await service.client('GET', '/api/2/users/me', { bearer })).status

it('gives a registered client tokens that userinfo and introspection describe', async () => {
  const opening = (await getTokens(service, shop, person.bearer)).access_token
  const { access_token, refresh_token, id_token } = await getTokens(service, shop, person.bearer, {
    resource: audience,
  })
  const sub = String(person.user.id)
  expect((await userinfo(opening)).body).toMatchObject({
    sub,
    preferred_username: person.user.username,
    email: 'ada@example.com',
    email_verified: true,
    groups: [],
    permissions: ['downloads:view'],
  })
  expect((await post('userinfo', { access_token: opening })).body.sub).toBe(sub)
  expect((await post('introspect', { token: access_token, ...proveClient(api) })).body).toMatchObject({
    active: true,
    sub,
    aud: audience,
    client_id: shop.client.clientId,
    permissions: ['downloads:view'],
    acr: 'urn:latchkey:acr:single-factor',
  })
  expect(await isActive(refresh_token, shop)).toBe(true)
  expect([await isActive(refresh_token), await isActive(id_token), await isActive(id_token, shop)]).toEqual([
    false,
    false,
    false,
  ])
  for (const bearer of [id_token, refresh_token, access_token])
    expect((await userinfo(bearer)).status).toBe(401)
  for (const bearer of [id_token, refresh_token, access_token, opening])
    expect(await authenticate(bearer)).toBe(401)
})

it('gives a client, and the API of its tokens, what an administrator added for them', async () => {
  const claims = [
    {
      ...{ name: 'department', place: 'top', source: 'attribute', value: 'department' },
      outputs: ['id_token', 'userinfo', 'access_token', 'introspection'],
      ...{ clients: [shop.client.clientId, api.client.clientId], apis: [audience] },
    },
  ]
  const body = { attributes: [{ name: 'department', type: 'text' }], claims }
  const path = '/api/2/system/user-attributes'
  const saved = await service.client('PUT', path, { bearer: admin.bearer, body })
  expect(saved.body.claims).toEqual(claims)
  await service.client('PATCH', `/api/2/users/${person.user.id}`, {
    bearer: admin.bearer,
    body: { attributes: [{ name: 'department', value: 'Sales' }] },
  })
  const scope = 'openid attributes'
  const { id_token, access_token } = await getTokens(service, shop, person.bearer, {
    scope,
    resource: audience,
  })
  const opening = (await getTokens(service, shop, person.bearer, { scope })).access_token
  const introspected = await post('introspect', { token: access_token, ...proveClient(api) })
  const stated = [
    ...[decodeJwt(id_token), decodeJwt(access_token)],
    ...[(await userinfo(opening)).body, introspected.body],
  ]
  expect(stated.map(({ department }) => department)).toEqual(Array(4).fill('Sales'))
})

it('replaces the refresh token of an app with each use', async () => {
  const { client_id, redirect_uris } = (
    await service.client('POST', '/api/2/oidc-clients', {
      bearer: admin.bearer,
      body: {
        ...{ name: randomUUID(), type: 'public', redirect_uris: ['https://app.example/callback'] },
        scopes: ['openid', 'offline_access'],
      },
    })
  ).body
  const app = {
    client: { clientId: client_id, redirect_uris: redirect_uris, type: 'public' },
    secret: '',
  } as const
  const issued = await getCode(service, app, person.bearer, { scope: 'openid offline_access' })
  const first = (await exchangeCode(service, app, issued)).body
  const second = (await refresh(service, app, first.refresh_token)).body
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect((await refresh(service, app, first.refresh_token)).body.refresh_token).toBe(second.refresh_token)
  expect((await refresh(service, app, second.refresh_token)).status).toBe(200)
})

it('ends an access token, and then everything of its sign-in', async () => {
  const first = await getTokens(service, shop, person.bearer, { resource: audience })
  const { access_token, refresh_token } = (await refresh(service, shop, first.refresh_token)).body
  expect(refresh_token).toBe(first.refresh_token)
  expect((await post('revoke', { token: first.access_token, ...proveClient(shop) })).status).toBe(200)
  expect([await isActive(first.access_token), await isActive(access_token)]).toEqual([false, true])
  expect((await post('revoke', { token: refresh_token, ...proveClient(shop) })).status).toBe(200)
  expect([await isActive(access_token), await isActive(refresh_token, shop)]).toEqual([false, false])
  expect((await userinfo(access_token)).status).toBe(401)
  expect((await refresh(service, shop, refresh_token)).status).toBe(400)
})

it('ends the tokens of a session with its logout, and those of a client with the client', async () => {
  const other = await addSignedIn(service)
  const ended = await getTokens(service, shop, other.bearer, { resource: audience })
  await service.client('POST', '/api/2/auth/logout', { bearer: other.bearer })
  expect([await isActive(ended.access_token), await isActive(ended.refresh_token, shop)]).toEqual([
    false,
    false,
  ])
  expect((await refresh(service, shop, ended.refresh_token)).status).toBe(400)
  const doomed = await register({ apis })
  const { access_token } = await getTokens(service, doomed, person.bearer, { resource: audience })
  expect(await isActive(access_token)).toBe(true)
  const path = `/api/2/oidc-clients/${doomed.client.id}`
  expect((await service.client('DELETE', path, { bearer: admin.bearer })).status).toBe(204)
  expect([await isActive(access_token), (await userinfo(access_token)).status]).toEqual([false, 401])
})

it('lists the apps of a user, and ends their tokens when the user or an administrator ends their access', async () => {
  const uri = 'https://shop.example/backchannel-logout'
  const informed = await register({ apis, backchannel_logout_uri: uri })
  const own = '/api/2/users/me/apps'
  for (const bearer of [person.bearer, admin.bearer]) {
    const owner = await addSignedIn(service)
    const { access_token, refresh_token } = await getTokens(service, informed, owner.bearer)
    const [path, by] =
      bearer === admin.bearer ? [`/api/2/users/${owner.user.id}/apps`, bearer] : [own, owner.bearer]
    const { body } = await service.client('GET', path, { bearer: by })
    expect(body).toMatchObject([{ id: informed.client.id, apis: [{ audience, scopes: [] }] }])
    const ended = await service.client('DELETE', `${path}/${informed.client.id}`, { bearer: by })
    expect(ended.status, ended.text).toBe(204)
    expect((await userinfo(access_token)).status).toBe(401)
    expect((await refresh(service, informed, refresh_token)).status).toBe(400)
  }
})
