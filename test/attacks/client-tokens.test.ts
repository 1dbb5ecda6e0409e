import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import type { Middleware } from '../../lib/middleware/connect-frameworks.ts'
import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import { createMiddleware } from '../../lib/middleware/identify-user.ts'
import { findAuthorizerRefusal } from '../support/api-gateway-jwt.ts'
import {
  earlierHttpEvent,
  graphqlEvent,
  httpEvent,
  restEvent,
  tokenEvent,
} from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { addLink, redeem } from '../support/links.ts'
import {
  addRelyingParty,
  exchangeCode,
  getCode,
  getTokens,
  proveClient,
  type RelyingParty,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What an access token of a client is worth, in the hands of the client and of everyone who gets hold of it. */

const audience = 'https://films.example.com'
const service = await useService({ JWT_AUDIENCES: audience })

const callAs = ({ bearer }: Pick<SignedInPerson, 'bearer'>, method: string, path: string, body?: object) =>
  service.client(method, path, { bearer, body })

const create = async (name: string): Promise<number> =>
  (await callAs(first, 'POST', '/api/2/groups', { name, permissions: [] })).body.id
const first = await addSignedIn(service, { permissions: ['system:admin-access'] })
const groups = [await create('Editors')]
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'], groups })
const editor = await addSignedIn(service, { permissions: ['films:edit', 'films:view'], groups })

/** Trusted least: it has no API and no secret. */
const newsletter = await addRelyingParty(service, { type: 'public', permissions: ['films:edit'] })
const studio = await addRelyingParty(service, { audiences: [audience], permissions: ['films:edit'] })
const userinfo = (bearer: string) => service.client('GET', '/oauth2/userinfo', { bearer })
const introspect = async (token: string, by: RelyingParty): Promise<JsonValue> =>
  (
    await service.client('POST', '/oauth2/introspect', {
      raw: String(new URLSearchParams({ token, ...proveClient(by) })),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  ).body
const createJwt = async (bearer: string, body: object = {}): Promise<string> =>
  (await callAs({ bearer }, 'POST', '/api/2/auth/jwt', body)).body.token
const getApiToken = async (party: RelyingParty, { bearer }: SignedInPerson, changes = {}): Promise<string> =>
  (await getTokens(service, party, bearer, { resource: audience, ...changes })).access_token

/** Whether each platform lets a bearer in. They always agree. */
const isAuthorized = async (bearer: string, settings: Readonly<Record<string, string>>): Promise<boolean> => {
  const authorize = createAuthorizer({ ...process.env, ...settings })
  const events = [httpEvent, earlierHttpEvent, restEvent, graphqlEvent].map((build) => build(bearer))
  const answers = await Promise.all(
    [...events, tokenEvent(`Bearer ${bearer}`)].map((event) =>
      authorize(event).then(
        (answer) => /"isAuthorized":true|"Effect":"Allow"/.test(JSON.stringify(answer)),
        () => false,
      ),
    ),
  )
  expect(new Set(answers).size).toBe(1)
  return answers[0] === true
}
/** Whether a JWT authorizer of API Gateway lets a bearer in. */
const passesApiGateway = async (token: string, ...audiences: readonly string[]): Promise<boolean> => {
  const { body: keySet } = await service.client('GET', '/.well-known/jwks.json')
  const authorizer = { issuer: service.url, audiences, keySet }
  return findAuthorizerRefusal(authorizer, `Bearer ${token}`, Date.now()) === undefined
}
const identify = (middleware: Pick<Middleware<object>, 'identifyUser'>, bearer: string): Promise<JsonValue> =>
  middleware
    .identifyUser({
      method: 'GET',
      getHeader: (name) => (name === 'authorization' ? `Bearer ${bearer}` : undefined),
    })
    .catch(({ status }) => status)
const verify = (bearer: string, options: object = {}) =>
  identify(createJwtMiddleware({ baseUrl: service.url, audience, ...options }), bearer)
const ask = (bearer: string, options: object = {}) =>
  identify(createMiddleware({ baseUrl: service.url, ...options }), bearer)

describe('the token of an administrator at a client without an API', () => {
  const own = () => [service.url, `${service.url}/oauth2/userinfo`]
  let token: string
  beforeAll(async () => {
    const scope = 'openid profile groups permissions'
    token = (await getTokens(service, newsletter, admin.bearer, { scope })).access_token
  })

  it('opens userinfo, and states no rights', async () => {
    expect((await userinfo(token)).body).toMatchObject({ sub: String(admin.user.id) })
    expect(decodeJwt(token)).toMatchObject({ aud: own()[1], groups: [], permissions: [] })
  })

  it('is refused by authorizers with any settings, on every platform', async () => {
    const list = [undefined, audience, ...own(), [audience, ...own()].join(',')]
    for (const audiences of list)
      for (const settings of [{}, { AUTHORIZER_CLIENTS: newsletter.client.clientId }])
        expect([
          audiences,
          await isAuthorized(token, {
            ...settings,
            ...(audiences ? { AUTHORIZER_AUDIENCES: audiences } : {}),
          }),
        ]).toEqual([audiences, false])
  })

  it('is refused by a JWT authorizer for the API, or for the service', async () => {
    for (const name of [audience, service.url]) expect(await passesApiGateway(token, name)).toBe(false)
  })

  it('is refused by both middlewares, for any audience', async () => {
    for (const name of [audience, ...own(), [audience, ...own()]])
      expect([name, await verify(token, { audience: name })]).toEqual([name, 401])
    expect(await ask(token)).toBe(401)
  })

  it('is not active for other clients, and worth nothing at the service', async () => {
    expect(await introspect(token, studio)).toEqual({ active: false })
    for (const [method, path, body] of [
      ['GET', '/api/2/users/me'],
      ['GET', '/api/2/users'],
      ['POST', '/api/2/auth/jwt', {}],
      ['POST', '/api/2/auth/ticket', {}],
      ['POST', '/api/2/api-tokens', { name: 'mine' }],
    ] as const)
      expect((await callAs({ bearer: token }, method, path, body)).status).toBe(401)
  })

  it('differs from a JWT of the administrator for the service', async () => {
    const jwt = await createJwt(admin.bearer)
    expect(await isAuthorized(jwt, { AUTHORIZER_PERMISSION: 'films:edit' })).toBe(true)
    expect(await passesApiGateway(jwt, service.url)).toBe(true)
    expect(await verify(jwt, { audience: service.url })).toMatchObject({ id: admin.user.id })
    expect((await userinfo(jwt)).status).toBe(401)
  })

  it('never becomes one for an API, for the service, or for a guest', async () => {
    const guests = `urn:latchkey:guests:${audience}`
    for (const resource of [audience, service.url, `${service.url}/`, guests]) {
      await expect(getCode(service, newsletter, admin.bearer, { resource })).rejects.toThrow('invalid_target')
      const first = await getTokens(service, newsletter, admin.bearer)
      const renewed = await refresh(service, newsletter, first.refresh_token, { resource })
      expect([renewed.status, renewed.body.error]).toEqual([400, 'invalid_target'])
    }
  })
})

describe('the token of a client for an API', () => {
  it.each([
    ['nothing by default', [], [[], [], []]],
    ['what the client may ask for', ['films:edit'], [['films:edit'], ['films:edit'], []]],
    ['nothing that the user lacks', ['films:delete'], [['films:delete'], [], []]],
    [
      'all rights of an administrator only if the client may ask for them',
      ['films:view', 'system:admin-access'],
      [['films:view', 'system:admin-access'], ['films:view'], []],
    ],
  ])('states %s', async (_, permissions, expected) => {
    const party = await addRelyingParty(service, { audiences: [audience], permissions })
    const people = [admin, editor, await addSignedIn(service)]
    for (const [at, person] of people.entries()) {
      const tokens = await getTokens(service, party, person.bearer, { resource: audience })
      const opening = await getTokens(service, party, person.bearer)
      const stated = [
        decodeJwt(tokens.access_token),
        decodeJwt(tokens.id_token),
        (await userinfo(opening.access_token)).body,
        await introspect(tokens.access_token, studio),
        await verify(tokens.access_token),
        JSON.parse(
          JSON.stringify(
            await createAuthorizer({ ...process.env, AUTHORIZER_AUDIENCES: audience })(
              httpEvent(tokens.access_token),
            ),
          ),
          (key, value) => (key === 'permissions' ? JSON.parse(value) : value),
        ).context,
      ]
      for (const { permissions: found } of stated) expect(found).toEqual(expected[at])
    }
  })

  it('states groups and permissions for their scopes alone', async () => {
    const stated = async (scope: string) => decodeJwt(await getApiToken(studio, editor, { scope }))
    expect(await stated('openid')).toMatchObject({ groups: [], permissions: [] })
    expect(await stated('openid groups')).toMatchObject({ groups: ['Editors'], permissions: [] })
    expect(await stated('openid permissions')).toMatchObject({ groups: [], permissions: ['films:edit'] })
    const first = await getTokens(service, studio, editor.bearer, { resource: audience })
    const smaller = await refresh(service, studio, first.refresh_token, { scope: 'openid' })
    expect(decodeJwt(smaller.body.access_token)).toMatchObject({ groups: [], permissions: [] })
  })

  it('is worth less at once when its client may ask for less', async () => {
    const party = await addRelyingParty(service, { audiences: [audience], permissions: ['films:edit'] })
    const token = await getApiToken(party, editor)
    const settings = { AUTHORIZER_AUDIENCES: audience, AUTHORIZER_PERMISSION: 'films:edit' }
    const patch = async (body: object) =>
      expect((await callAs(admin, 'PATCH', `/api/2/oidc-clients/${party.client.id}`, body)).status).toBe(200)
    expect(await isAuthorized(token, settings)).toBe(true)
    await patch({ permissions: ['films:view'] })
    expect(await isAuthorized(token, settings)).toBe(false)
    expect(await introspect(token, studio)).toMatchObject({ active: true, permissions: [] })
    await patch({ permissions: ['films:edit'], apis: [] })
    expect(await isAuthorized(token, settings)).toBe(false)
    expect(await introspect(token, studio)).toEqual({ active: false })
  })

  it('does not open userinfo, neither for the API nor for the client', async () => {
    const token = await getApiToken(studio, editor)
    for (const answer of [
      await userinfo(token),
      await service.client('POST', '/oauth2/userinfo', {
        raw: String(new URLSearchParams({ access_token: token })),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token'])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", /)
    }
    const resource = `${service.url}/oauth2/userinfo`
    const code = await getCode(service, studio, editor.bearer, { resource: audience })
    const exchanged = await exchangeCode(service, studio, code, { resource })
    expect([exchanged.status, exchanged.body.error]).toEqual([400, 'invalid_target'])
  })

  it('can be limited to some clients', async () => {
    const other = await addRelyingParty(service, { audiences: [audience] })
    const { clientId } = studio.client
    const tokens = {
      listed: await getApiToken(studio, editor),
      other: await getApiToken(other, editor),
      own: await createJwt(editor.bearer, { audience }),
    }
    for (const [clients, accepted] of [
      [[clientId], ['listed']],
      [
        [clientId, 'latchkey'],
        ['listed', 'own'],
      ],
      [['latchkey'], ['own']],
      [[`${clientId}0`, clientId.slice(0, -1), '__proto__'], []],
    ] as const) {
      const settings = { AUTHORIZER_AUDIENCES: audience, AUTHORIZER_CLIENTS: clients.join(',') }
      for (const [name, token] of Object.entries(tokens)) {
        const isAccepted = accepted.some((one) => one === name)
        expect([name, clients, await isAuthorized(token, settings)]).toEqual([name, clients, isAccepted])
        expect([name, clients, (await verify(token, { clients })) !== 401]).toEqual([
          name,
          clients,
          isAccepted,
        ])
      }
    }
    // An option from a missing variable accepts no one by mistake.
    expect(
      await isAuthorized(tokens.listed, { AUTHORIZER_AUDIENCES: audience, AUTHORIZER_CLIENTS: '' }),
    ).toBe(false)
    for (const clients of [[], [''], [undefined]])
      expect(() => verify(tokens.listed, { clients })).toThrow('clients must name')
  })
})

describe('a guest of an access link', () => {
  let session: string
  let jwt: string
  let link: JsonValue
  beforeAll(async () => {
    link = await addLink(service, admin.bearer)
    session = (await redeem(service, link.token)).body.session_key
    jwt = await createJwt(session, { audience })
  })

  it('is refused by both middlewares unless they accept guests', async () => {
    expect([await ask(session), await verify(jwt)]).toEqual([403, 403])
    expect([
      await ask(session, { acceptsGuests: false }),
      await verify(jwt, { acceptsGuests: false }),
    ]).toEqual([403, 403])
    const guest = { kind: 'access_link', permissions: [] }
    expect(await ask(session, { acceptsGuests: true })).toMatchObject({
      ...guest,
      profile: { access_link: link.id },
    })
    expect(await verify(jwt, { acceptsGuests: true })).toMatchObject({ ...guest, accessLink: link.id })
  })

  it('is refused by middleware that keeps answers, and with the cookie', async () => {
    const { identifyUser } = createMiddleware({
      baseUrl: service.url,
      cacheMs: 60_000,
      acceptsCookie: true,
    })
    const getHeader = (name: string) => (name === 'cookie' ? `latchkey=${session}` : undefined)
    for (let round = 0; round < 2; round++)
      await expect(identifyUser({ method: 'GET', getHeader })).rejects.toMatchObject({
        status: 403,
        code: 'permission_denied',
      })
  })

  it('is refused by authorizers on every platform unless they accept guests', async () => {
    const settings = { AUTHORIZER_AUDIENCES: audience }
    for (const bearer of [session, jwt, await createJwt(session)]) {
      expect(await isAuthorized(bearer, settings)).toBe(false)
      expect(await isAuthorized(bearer, { ...settings, AUTHORIZER_GUESTS: 'true' })).toBe(true)
      expect(
        await isAuthorized(bearer, {
          ...settings,
          AUTHORIZER_GUESTS: 'true',
          AUTHORIZER_PERMISSION: 'films:view',
        }),
      ).toBe(false)
    }
  })

  it('is refused by servers that only check issuer and audience', async () => {
    expect(await passesApiGateway(jwt, audience, service.url)).toBe(false)
    expect(await passesApiGateway(jwt, `urn:latchkey:guests:${audience}`)).toBe(true)
    expect(await introspect(jwt, studio)).toMatchObject({ active: true, access_link: link.id })
    expect((await callAs({ bearer: session }, 'POST', '/api/2/auth/jwt', {})).status).toBe(200)
    const forged = await callAs({ bearer: editor.bearer }, 'POST', '/api/2/auth/jwt', {
      audience: `urn:latchkey:guests:${audience}`,
    })
    expect(forged.status).toBe(400)
  })
})

describe('the profile', () => {
  it('names the access link in its sessions alone', async () => {
    const link = await addLink(service, admin.bearer)
    const { session_key: bearer } = (await redeem(service, link.token)).body
    expect((await callAs({ bearer }, 'GET', '/api/2/users/me')).body.access_link).toBe(link.id)
    expect((await callAs(editor, 'GET', '/api/2/users/me')).body).not.toHaveProperty('access_link')
    const { token } = (await callAs(editor, 'POST', '/api/2/api-tokens', { name: 'script' })).body
    expect((await callAs({ bearer: token }, 'GET', '/api/2/users/me')).body).not.toHaveProperty('access_link')
  })
})
