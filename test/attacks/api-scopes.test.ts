import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { openidScopes } from '../../lib/features/oauth/clients.models.ts'
import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { sendDeviceForm, startDevice } from '../support/devices.ts'
import { costsSince } from '../support/directory.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getCode,
  getTokens,
  postToken,
  proveClient,
  type RelyingParty,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What a client gets of an API: what its user has, what the scopes allow, and what the API knows. Nothing else. */

const films = 'https://films.example.com'
const music = 'https://music.example.com'
const texts = { en: 'x' }
const service = await useService({ RATE_LIMITS: 'lookUpFailures=1000/600', JWT_AUDIENCES: films })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const editor = await addSignedIn(service, { permissions: ['films:view', 'films:edit', 'music:play'] })

const call = callAs(service, admin)
const register = async (body: object): Promise<JsonValue> => {
  const { status, body: api, text } = await call('POST', 'protected-apis', body)
  expect(status, text).toBe(201)
  return api
}

const filmsApi: JsonValue = await register({
  ...{ name: 'Films', audience: films },
  permissions: ['films:view', 'films:edit', 'films:delete'].map((name) => ({ name, texts })),
  scopes: [
    { name: 'films.read', texts: { en: 'Read films' }, permissions: ['films:view'] },
    {
      name: 'films.all',
      texts: { en: 'Do everything' },
      permissions: ['films:view', 'films:edit', 'films:delete'],
    },
    { name: 'read', texts, permissions: ['films:view'] },
  ],
})
await register({
  ...{ name: 'Music', audience: music },
  permissions: [{ name: 'music:play', texts }],
  scopes: [
    { name: 'music.play', texts, permissions: ['music:play'] },
    { name: 'read', texts, permissions: ['music:play'] },
  ],
})
const patchApi = async (body: object) =>
  expect((await call('PATCH', `protected-apis/${filmsApi.id}`, body)).status).toBe(200)
const addClient = async (apis: object, fields: object = {}): Promise<RelyingParty> => {
  const body = { redirect_uris: ['https://app.example/cb'], scopes: openidScopes, apis, ...fields }
  const created = await call('POST', 'oidc-clients', { name: randomUUID(), ...body })
  expect(created.status, created.text).toBe(201)
  const { client_id: clientId, client_secret: secret, id } = created.body
  const party = await addRelyingParty(service)
  const client = { ...party.client, id, clientId, redirectUris: ['https://app.example/cb'] }
  return { client, secret }
}
const stated = ({ access_token: token }: JsonValue) => {
  const { aud, scope, permissions } = decodeJwt(token)
  return { aud, scope, permissions }
}
const ask = (party: RelyingParty, scope: string, { bearer } = editor, parameters = {}) =>
  getTokens(service, party, bearer, { scope, ...parameters })
/** The error that a client gets instead of a code. */
const findError = async (party: RelyingParty, parameters: Readonly<Record<string, string>>) => {
  const query = buildAuthorization(party, createPkce().challenge, parameters)
  return readRedirect(await service.client('GET', `/oauth2/authorize?${query}`, { bearer: editor.bearer }))[
    'error'
  ]
}
const introspect = async (party: RelyingParty, token: string): Promise<JsonValue> =>
  (
    await service.client('POST', '/oauth2/introspect', {
      raw: String(new URLSearchParams({ token, ...proveClient(party) })),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  ).body

describe('an access token', () => {
  it('states what its user has, its scopes allow and its API knows', async () => {
    const app = await addClient([{ audience: films, scopes: ['films.all', 'films.read'] }])
    expect(stated(await ask(app, 'openid films.read'))).toEqual({
      ...{ aud: films, scope: 'openid films.read', permissions: ['films:view'] },
    })
    expect(stated(await ask(app, 'openid films.all')).permissions).toEqual(['films:edit', 'films:view'])
    const all = ['films:delete', 'films:edit', 'films:view']
    expect(stated(await ask(app, 'openid films.all', admin)).permissions).toEqual(all)
  })

  it('states nothing of an API that it is not for, also with scopes of others', async () => {
    const app = await addClient(
      [
        { audience: films, scopes: ['films.read', 'read'] },
        { audience: music, scopes: ['music.play', 'read'] },
      ],
      { permissions: ['films:view', 'films:edit', 'music:play'] },
    )
    const scope = 'openid permissions films.read music.play read films.all system:admin-access'
    for (const [resource, permissions] of [
      [films, ['films:edit', 'films:view']],
      [music, ['music:play']],
    ] as const) {
      const { aud, ...rest } = stated(await ask(app, scope, admin, { resource }))
      const own = resource === films ? ['films.read'] : ['music.play']
      expect([aud, rest.permissions]).toEqual([resource, permissions])
      expect(String(rest.scope).split(' ').sort()).toEqual(['openid', 'permissions', 'read', ...own].sort())
    }
    expect(stated(await ask(app, 'openid read', admin, { resource: music })).permissions).toEqual([
      'music:play',
    ])
  })

  it('is for the API of its scopes, or for none if these are of several or not the client’s', async () => {
    const app = await addClient([
      { audience: films, scopes: ['films.read', 'read'] },
      { audience: music, scopes: ['music.play', 'read'] },
    ])
    expect(stated(await ask(app, 'openid music.play')).aud).toBe(music)
    for (const scope of ['openid', 'openid films.all', 'openid __proto__'])
      expect(stated(await ask(app, scope))).toEqual({
        ...{ aud: `${service.url}/oauth2/userinfo`, scope: 'openid', permissions: [] },
      })
    for (const scope of ['openid films.read music.play', 'openid read']) {
      expect(await findError(app, { scope })).toBe('invalid_target')
    }
  })

  it('is not for an API that the client was not allowed', async () => {
    const app = await addClient([{ audience: films, scopes: [] }])
    expect(await findError(app, { scope: 'openid', resource: music })).toBe('invalid_target')
    expect(stated(await ask(app, 'openid films.read', editor, { resource: films }))).toEqual({
      ...{ aud: films, scope: 'openid', permissions: [] },
    })
  })

  it('loses what the user, the client or the API loses, when it is introspected and renewed', async () => {
    const apis = [{ audience: films, scopes: ['films.all', 'films.read'] }]
    const app = await addClient(apis)
    const server = await addClient([{ audience: films, scopes: [] }])
    const tokens = await ask(app, 'openid offline_access films.all films.read', admin)
    const present = async () => {
      const { active, permissions } = await introspect(server, tokens.access_token)
      const { body } = await refresh(service, app, tokens.refresh_token)
      return [active, permissions, stated(body).permissions]
    }
    const everything = ['films:delete', 'films:edit', 'films:view']
    expect(await present()).toEqual([true, everything, everything])
    const [, , shortScope] = filmsApi.scopes
    await patchApi({ scopes: [filmsApi.scopes[0], shortScope] })
    expect(await present()).toEqual([true, ['films:view'], ['films:view']])
    await patchApi({ scopes: filmsApi.scopes })
    await call('PATCH', `oidc-clients/${app.client.id}`, {
      apis: [{ audience: films, scopes: ['films.read'] }],
    })
    expect(await present()).toEqual([true, ['films:view'], ['films:view']])
    const withoutView = filmsApi.permissions.slice(1)
    await patchApi({
      permissions: withoutView,
      scopes: [{ ...filmsApi.scopes[1], permissions: ['films:edit'] }],
    })
    expect(await present()).toEqual([true, [], []])
    await patchApi({ permissions: filmsApi.permissions, scopes: filmsApi.scopes })
  })
})

describe('a deleted API', () => {
  it('ends its tokens, and gives nothing to clients when another takes its audience', async () => {
    const audience = `https://${randomUUID()}.example`
    const parts = {
      permissions: [{ name: 'a:b', texts }],
      scopes: [{ name: 'a', texts, permissions: ['a:b'] }],
    }
    const api = await register({ name: randomUUID(), audience, ...parts })
    const app = await addClient([{ audience, scopes: ['a'] }], { machine_permissions: ['a:b'] })
    const machine = () => postToken(service, { grant_type: 'client_credentials', ...proveClient(app) })
    const code = await getCode(service, app, admin.bearer, { scope: 'openid a' })
    const tokens = await ask(app, 'openid offline_access a', admin)
    const own = await machine()
    expect([own.status, stated(own.body).permissions]).toEqual([200, ['a:b']])
    expect((await call('DELETE', `protected-apis/${api.id}`)).status).toBe(204)
    const isEnded = async () => {
      for (const token of [tokens.access_token, own.body.access_token])
        expect(await introspect(app, token)).toEqual({ active: false })
      for (const { status, body } of [
        await exchangeCode(service, app, await getCode(service, app, admin.bearer, { scope: 'openid a' })),
        await refresh(service, app, tokens.refresh_token),
        await machine(),
      ])
        expect([status, body.access_token]).toEqual([400, undefined])
    }
    await isEnded()
    expect((await exchangeCode(service, app, code)).status).toBe(400)
    const body = { name: randomUUID(), audience, ...parts, permissions: [{ name: 'a:b', texts }] }
    await register(body)
    await isEnded()
    // An administrator who saves the client again means the new API.
    const { status } = await call('PATCH', `oidc-clients/${app.client.id}`, {
      apis: [{ audience, scopes: ['a'] }],
    })
    expect([status, (await machine()).status]).toEqual([200, 200])
  })

  it('does not keep an administrator from changing its clients', async () => {
    const audience = `https://${randomUUID()}.example`
    const api = await register({ name: randomUUID(), audience })
    const { client } = await addClient([{ audience, scopes: [] }])
    expect((await call('GET', 'protected-apis?ordering=name')).status).toBe(200)
    await call('DELETE', `protected-apis/${api.id}`)
    const { body } = await call('GET', `oidc-clients/${client.id}`)
    expect((await call('PATCH', `oidc-clients/${client.id}`, { ...body, name: randomUUID() })).status).toBe(
      200,
    )
    expect((await call('PATCH', `oidc-clients/${client.id}`, { apis: [] })).body.apis).toEqual([])
  })
})

it('a device shows its user which scopes of an API it gets', async () => {
  const fields = { redirect_uris: [], type: 'public', device_authorization: true }
  const tv = await addClient([{ audience: films, scopes: ['films.read', 'films.all'] }], fields)
  const device = { ...tv, client: { ...tv.client, type: 'public' as const } }
  const { user_code } = await startDevice(service, device, { scope: 'openid films.read' })
  const page = await sendDeviceForm(service, '/device', { user_code }, editor)
  expect(page.text).toContain('Films (Read films)')
  expect(page.text).not.toContain('Do everything')
})

describe('a client that acts for itself', () => {
  const machine_permissions = ['films:view', 'films:edit', 'music:play']
  const askAs = (party: RelyingParty, scope?: string) =>
    postToken(service, {
      grant_type: 'client_credentials',
      ...proveClient(party),
      ...(scope ? { scope } : {}),
    })

  it('gets what it has and the API knows, or less by a scope', async () => {
    const party = await addClient([{ audience: films, scopes: ['films.read'] }], { machine_permissions })
    expect(stated((await askAs(party)).body).permissions).toEqual(['films:edit', 'films:view'])
    const { body } = await askAs(party, 'films.read')
    expect(stated(body)).toEqual({ aud: films, scope: 'films.read', permissions: ['films:view'] })
    expect((await introspect(party, body.access_token)).permissions).toEqual(['films:view'])
  })

  it('gets nothing for a scope that it may not have, or that is misspelt', async () => {
    const party = await addClient([{ audience: films, scopes: ['films.read'] }], { machine_permissions })
    for (const scope of ['films.all', 'films.raed', 'films.read music.play', '__proto__']) {
      const { status, body } = await askAs(party, scope)
      expect([scope, status, body.error]).toEqual([scope, 400, 'invalid_scope'])
    }
  })
})

describe('a route that needs a scope', () => {
  const scope = 'films.read'
  const environment = {
    ...{ AUTHORIZER_AUDIENCES: films, AUTHORIZER_MACHINES: 'true', AUTHORIZER_SCOPE: scope },
  }
  const byAuthorizer = async (bearer: string): Promise<JsonValue> => {
    const authorize = createAuthorizer({ ...process.env, ...environment })
    return authorize(httpEvent(bearer))
  }
  const byMiddleware = (bearer: string): Promise<JsonValue> =>
    createJwtMiddleware({ baseUrl: service.url, audience: films, acceptsMachines: true })
      .identifyUser(
        {
          method: 'GET',
          getHeader: (name) => (name === 'authorization' ? `Bearer ${bearer}` : undefined),
        },
        { scope },
      )
      .then(
        () => 'in',
        ({ status, headers }) => [status, headers['www-authenticate']],
      )

  it('lets in tokens of clients with this scope of this API, and nothing else', async () => {
    const app = await addClient(
      [
        { audience: films, scopes: ['films.all', 'films.read'] },
        { audience: music, scopes: ['read'] },
      ],
      { machine_permissions: ['films:view'] },
    )
    const form = { grant_type: 'client_credentials', resource: films, ...proveClient(app) }
    const machine = async (more: object = {}) =>
      (await postToken(service, { ...form, ...more })).body.access_token as string
    const right = [(await ask(app, 'openid films.read')).access_token, await machine({ scope })]
    for (const bearer of right) {
      const { isAuthorized, context } = await byAuthorizer(bearer)
      expect([isAuthorized, context.scopes.includes('"films.read"')]).toEqual([true, true])
      expect(await byMiddleware(bearer)).toBe('in')
    }
    const missing = [(await ask(app, 'openid films.all', admin)).access_token, await machine()]
    for (const bearer of missing) {
      expect(await byAuthorizer(bearer)).toEqual({ isAuthorized: false })
      expect(await byMiddleware(bearer)).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="films.read"',
      ])
    }
    const apiToken = { name: 'robot', scopes: ['films:view', 'profile:view'] }
    const others = [
      (await ask(app, 'openid read', admin, { resource: music })).access_token,
      (await ask(app, 'openid', admin)).access_token,
      (await call('POST', 'api-tokens', apiToken)).body.token,
      (await call('POST', 'auth/jwt', { audience: films })).body.token,
      admin.bearer,
    ]
    for (const bearer of others) {
      expect(await byAuthorizer(bearer)).toEqual({ isAuthorized: false })
      expect(await byMiddleware(bearer)).not.toBe('in')
    }
  })

  it('loses the callers whose client loses the scope', async () => {
    const app = await addClient([{ audience: films, scopes: [scope] }])
    const { access_token } = await ask(app, `openid ${scope}`)
    expect((await byAuthorizer(access_token)).isAuthorized).toBe(true)
    await call('PATCH', `oidc-clients/${app.client.id}`, { apis: [{ audience: films, scopes: [] }] })
    expect(await byAuthorizer(access_token)).toEqual({ isAuthorized: false })
  })
})

it('a token for an API costs no more calls of the table than one for userinfo', async () => {
  const app = await addClient([{ audience: films, scopes: ['films.read'] }])
  const count = async (scope: string) => {
    const issued = await getCode(service, app, editor.bearer, { scope })
    const start = service.log.length
    await exchangeCode(service, app, issued)
    return costsSince(service, start)[0]?.calls
  }
  await count('openid')
  expect(await count('openid films.read')).toBe(await count('openid'))
})
