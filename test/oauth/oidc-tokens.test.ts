import { createHmac, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import {
  type ClientRecord,
  deleteClientRecord,
  findClient,
} from '../../lib/features/oauth/clients.records.ts'
import {
  deleteOAuthGrant,
  type OAuthGrantRecord,
  putOAuthGrant,
} from '../../lib/features/oauth/grants.records.ts'
import { useOAuthToken } from '../../lib/features/oauth/tokens.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { addLink, redeem } from '../support/links.ts'
import { addStoredClient } from '../support/oidc-clients.ts'
import { addGrant, addRefreshToken, signToken } from '../support/oidc-tokens.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const audience = 'https://api.example'

interface App {
  readonly client: ClientRecord
  readonly secret: string
}

const service = await useService({ JWT_AUDIENCES: audience })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })
const person = await addSignedIn(service, {
  email: 'ada@example.com',
  full_name: 'Ada Lovelace',
  language: 'en',
  permissions: ['downloads:view'],
})

/** The client of most tokens, a server that verifies them, a client without relation to them, and an app. */
const app = await addStoredClient(table, {
  audiences: [audience],
  permissions: ['a:b', 'c:d', 'downloads:view'],
})
const api = await addStoredClient(table, { audiences: [audience] })
const stranger = await addStoredClient(table, { audiences: ['https://other.example'] })
const phone = await addStoredClient(table, { type: 'public' })

// The keys are created by the first request to this function.
await service.client('GET', '/.well-known/jwks.json')
afterEach(() => vi.useRealTimers())

const post = (
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  service.client('POST', `/oauth2/${path}`, {
    raw: String(new URLSearchParams(form)),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const byForm = ({ client, secret }: App) => ({ client_id: client.clientId, client_secret: secret })
const byHeader = ({ client, secret }: App) => ({
  authorization: `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}`,
})
const introspect = async (token: string, by = api) =>
  (await post('introspect', { token, ...byForm(by) })).body
const isActive = async (token: string, by = api): Promise<boolean> => (await introspect(token, by)).active
const userinfo = (bearer: string) => service.client('GET', '/oauth2/userinfo', { bearer })
const createJwt = async (bearer: string): Promise<string> =>
  (await service.client('POST', '/api/2/auth/jwt', { bearer, body: { audience } })).body.token
const signInAgain = async (fields: Parameters<typeof addSignedIn>[1] = {}) => addSignedIn(service, fields)
/** The access token of a grant that opens userinfo. */
const signForUserinfo = (grant: OAuthGrantRecord, overrides: Readonly<Record<string, unknown>> = {}) =>
  signToken(service, grant, {
    aud: `${service.url}/oauth2/userinfo`,
    groups: [],
    permissions: [],
    ...overrides,
  })
/** Tokens of one grant: for the API, for userinfo, and to refresh. */
const issue = async (by: SignedInPerson, client = app.client) => {
  const grant = await addGrant(service, by, { client })
  const access = await signToken(service, grant)
  return {
    grant,
    access,
    opening: await signForUserinfo(grant),
    refresh: await addRefreshToken(service, grant),
  }
}
const storedUser = async ({ user }: SignedInPerson) => {
  const found = await findUser(service.services.table, user.id)
  if (!found) throw new Error('the user was not found')
  return found
}

describe('userinfo', () => {
  it('returns the claims of each scope, and nothing else', async () => {
    const sub = String(person.user.id)
    const claims = {
      profile: { preferred_username: person.user.username, name: 'Ada Lovelace', locale: 'en' },
      email: { email: 'ada@example.com', email_verified: true },
      groups: { groups: [] },
      permissions: { permissions: ['downloads:view'] },
      offline_access: {},
    }
    for (const [scope, expected] of Object.entries(claims)) {
      const grant = await addGrant(service, person, { client: app.client, scopes: ['openid', scope] })
      const answer = await userinfo(await signForUserinfo(grant))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.body).toEqual({ sub, ...expected })
    }
  })

  it('takes the access token in the form, but not twice', async () => {
    const { opening: access } = await issue(person)
    expect((await post('userinfo', { access_token: access })).status).toBe(200)
    const byBearer = { authorization: `Bearer ${access}` }
    expect((await service.client('POST', '/oauth2/userinfo', { bearer: access })).status).toBe(200)
    const twice = await post('userinfo', { access_token: access }, byBearer)
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
    expect((await service.client('GET', `/oauth2/userinfo?access_token=${access}`)).status).toBe(400)
  })

  it('answers a request without a token with a plain challenge', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: 'Bearer' }]) {
      const answer = await service.client('GET', '/oauth2/userinfo', { headers })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
  })

  it('requires the scope openid', async () => {
    const grant = await addGrant(service, person, { client: app.client, scopes: ['profile'] })
    const { status, body, headers } = await userinfo(await signForUserinfo(grant))
    expect([status, body.error]).toEqual([403, 'insufficient_scope'])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="insufficient_scope", error_description="/)
  })

  it('names the administrator while they impersonate the user', async () => {
    const impersonator = await signInAgain({ permissions: ['system:admin-access'] })
    const own = await issue(impersonator)
    const other = await addPerson(service)
    const { bearer } = impersonator
    await service.client('POST', '/api/2/auth/impersonation', { bearer, body: { user: other.user.id } })
    const grant = await addGrant(service, impersonator, { client: app.client, userId: other.user.id })
    const act = { sub: String(impersonator.user.id) }
    const token = await signForUserinfo(grant, { act })
    const { body } = await userinfo(token)
    expect([body.sub, body.act]).toEqual([String(other.user.id), act])
    // The session is that of the other user by now.
    expect((await userinfo(own.opening)).status).toBe(401)
    await service.client('POST', '/api/2/auth/impersonation/stop', { bearer, body: {} })
    expect((await userinfo(token)).status).toBe(401)
    // For clients, it is another session now.
    expect((await userinfo(own.opening)).status).toBe(401)
  })

  it('leaves out scopes that the client has lost since', async () => {
    const { table } = service.services
    const { client } = await addStoredClient(table)
    const { opening: access } = await issue(person, client)
    expect((await userinfo(access)).body).toHaveProperty('email')
    const body = { scopes: ['openid', 'profile'] }
    const path = `/api/2/oidc-clients/${client.id}`
    expect((await service.client('PATCH', path, { bearer: admin.bearer, body })).status).toBe(200)
    expect((await userinfo(access)).body).not.toHaveProperty('email')
  })
})

describe('introspection', () => {
  it('describes an access token to its client and to the server that it is for', async () => {
    const { access, grant } = await issue(person)
    const expected = {
      active: true,
      sub: String(person.user.id),
      aud: audience,
      iss: service.url,
      client_id: app.client.clientId,
      jti: expect.stringMatching(new RegExp(`^${grant.id}\\.`)),
      iat: expect.any(Number),
      exp: expect.any(Number),
      auth_time: expect.any(Number),
      acr: 'urn:latchkey:acr:single-factor',
      token_type: 'Bearer',
      username: person.user.username,
      scope: 'openid profile email groups permissions offline_access',
      groups: [],
      permissions: ['downloads:view'],
    }
    for (const by of [app, api]) expect(await introspect(access, by)).toEqual(expected)
    const byBasic = await post(
      'introspect',
      { token: access, token_type_hint: 'refresh_token', x: 'y' },
      byHeader(api),
    )
    expect(byBasic.body).toEqual(expected)
    expect(await introspect(access, stranger)).toEqual({ active: false })
  })

  it('describes a refresh token to its own client only', async () => {
    const { refresh } = await issue(person)
    expect(await introspect(refresh, app)).toMatchObject({
      active: true,
      client_id: app.client.clientId,
      sub: String(person.user.id),
    })
    expect(await introspect(refresh, api)).toEqual({ active: false })
    await useOAuthToken(service.services.table, 'refresh_token', refresh, { usedAt: Date.now() })
    expect(await introspect(refresh, app)).toEqual({ active: false })
  })

  it('describes a token of create_jwt, of a session and of an API token', async () => {
    const one = await signInAgain({ permissions: ['users:view'] })
    const byToken = await service.client('POST', '/api/2/api-tokens', {
      bearer: one.bearer,
      body: { name: 'script', scopes: ['jwts:create'] },
    })
    const [bySession, byApiToken] = [await createJwt(one.bearer), await createJwt(byToken.body.token)]
    expect(await introspect(bySession)).toMatchObject({
      active: true,
      client_id: 'latchkey',
      permissions: ['users:view'],
    })
    expect(await introspect(bySession)).not.toHaveProperty('scope')
    expect(await introspect(byApiToken)).toMatchObject({ active: true, permissions: [] })
    expect(await isActive(bySession, stranger)).toBe(false)
    const path = `/api/2/api-tokens/${byToken.body.id}`
    await service.client('DELETE', path, { bearer: one.bearer })
    expect([await isActive(bySession), await isActive(byApiToken)]).toEqual([true, false])
    await service.client('POST', '/api/2/auth/logout', { bearer: one.bearer })
    expect(await isActive(bySession)).toBe(false)
  })

  it('describes permissions as they are now', async () => {
    const one = await signInAgain({ permissions: ['a:b', 'c:d'] })
    const tokens = [(await issue(one)).access, await createJwt(one.bearer)]
    await editUser(service.services.table, await storedUser(one), { permissions: ['a:b'] })
    for (const token of tokens) expect((await introspect(token)).permissions).toEqual(['a:b'])
  })

  it('requires a client with a secret', async () => {
    const { access } = await issue(person)
    const wrong = [
      {},
      { client_id: api.client.clientId },
      { ...byForm(api), client_secret: stranger.secret },
      { client_id: phone.client.clientId },
      { client_id: '1-000000000000000000000000', client_secret: api.secret },
    ]
    for (const form of wrong) {
      const { status, body, headers } = await post('introspect', { token: access, ...form })
      expect([status, body.error]).toEqual([401, 'invalid_client'])
      expect(headers.get('www-authenticate')).toMatch(/^Basic /)
    }
    const twoWays = await post('introspect', { token: access, ...byForm(api) }, byHeader(api))
    expect(twoWays.status).toBe(401)
  })

  it('refuses a malformed request in the form of OAuth', async () => {
    const twice = `token=a&token=b&${new URLSearchParams(byForm(api))}`
    const form = 'application/x-www-form-urlencoded'
    const requests = [
      [{ raw: String(new URLSearchParams(byForm(api))), headers: { 'content-type': form } }, 400],
      [{ raw: twice, headers: { 'content-type': form } }, 400],
      [{ body: { token: 'x', ...byForm(api) } }, 415],
      [{ raw: `token=${'x'.repeat(70_000)}`, headers: { 'content-type': form } }, 413],
    ] as const
    for (const [options, status] of requests) {
      const answer = await service.client('POST', '/oauth2/introspect', options)
      expect([answer.status, answer.body.error]).toEqual([status, 'invalid_request'])
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
    }
  })
})

describe('revocation', () => {
  it('ends an access token alone', async () => {
    const { access, opening, refresh, grant } = await issue(person)
    const other = await signToken(service, grant)
    for (const token of [access, access, opening])
      expect((await post('revoke', { token, ...byForm(app) })).status).toBe(200)
    expect((await userinfo(opening)).status).toBe(401)
    expect(await Promise.all([access, other].map((token) => isActive(token)))).toEqual([false, true])
    expect(await isActive(refresh, app)).toBe(true)
  })

  it('of a refresh token ends everything of its grant', async () => {
    const { access, opening, refresh } = await issue(person)
    const others = await issue(person)
    const answers = await Promise.all(
      [1, 2, 3].map(() => post('revoke', { token: refresh, token_type_hint: 'access_token' }, byHeader(app))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([await isActive(access), await isActive(refresh, app)]).toEqual([false, false])
    expect((await userinfo(opening)).status).toBe(401)
    expect([await isActive(others.access), await isActive(others.refresh, app)]).toEqual([true, true])
  })

  it('of a used refresh token ends the tokens that replaced it', async () => {
    const { access, refresh } = await issue(person)
    await useOAuthToken(service.services.table, 'refresh_token', refresh, { usedAt: Date.now() })
    expect((await post('revoke', { token: refresh, ...byForm(app) })).status).toBe(200)
    expect(await isActive(access)).toBe(false)
  })

  it('is not possible for another client', async () => {
    const { access, refresh } = await issue(person)
    for (const token of [access, refresh])
      for (const form of [byForm(stranger), byForm(api), { client_id: phone.client.clientId }]) {
        const { status, body } = await post('revoke', { token, ...form })
        expect([status, body.error]).toEqual([400, 'unauthorized_client'])
      }
    const own = await createJwt(person.bearer)
    expect((await post('revoke', { token: own, ...byForm(api) })).status).toBe(400)
    expect([await isActive(access), await isActive(refresh, app), await isActive(own)]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('is possible for an app by its identifier, and for no unknown client', async () => {
    const { opening: access } = await issue(person, phone.client)
    const form = { token: access, client_id: phone.client.clientId }
    expect((await post('revoke', { ...form, client_secret: 'x' })).status).toBe(401)
    expect((await post('revoke', { token: access })).status).toBe(401)
    expect((await userinfo(access)).status).toBe(200)
    expect((await post('revoke', form)).status).toBe(200)
    expect((await userinfo(access)).status).toBe(401)
  })

  it('succeeds for texts that are no token', async () => {
    const { bearer } = person
    for (const token of ['x', 'eyJhbGciOiJub25lIn0.e30.', bearer, `eyJ${'A'.repeat(60_000)}`]) {
      const { status, text } = await post('revoke', { token, ...byForm(app) })
      expect([status, text]).toEqual([200, '{}'])
    }
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
  })
})

describe('the tokens of a client end at once with', () => {
  const endings: Readonly<
    Record<string, (one: SignedInPerson, grant: OAuthGrantRecord, client: ClientRecord) => Promise<unknown>>
  > = {
    'their session': ({ bearer }) => service.client('POST', '/api/2/auth/logout', { bearer }),
    'all sessions of the user': ({ user }) =>
      service.client('DELETE', `/api/2/users/${user.id}/sessions`, { bearer: admin.bearer }),
    'a new password': async (one) =>
      editUserEndingSessions(service.services.table, await storedUser(one), { passwordHash: 'x' }),
    'a disabled user': async (one) =>
      editUser(service.services.table, await storedUser(one), { is_enabled: false }),
    'the deleted user': ({ user }) =>
      service.client('DELETE', `/api/2/users/${user.id}`, { bearer: admin.bearer }),
    'the grant': (_, { id }) => deleteOAuthGrant(service.services.table, id),
    'the end of the grant': (_, grant) =>
      putOAuthGrant(service.services.table, { ...grant, expiresAt: service.services.now() }),
    'the client': async (_, __, { clientId }) => {
      const { table } = service.services
      const stored = await findClient(table, clientId)
      if (stored) await deleteClientRecord(table, stored, [])
    },
  }

  it.each(Object.entries(endings))('%s', async (name, end) => {
    const one = await signInAgain()
    const { table } = service.services
    const own = await addStoredClient(table, { audiences: [audience] })
    const { access, opening, refresh, grant } = await issue(one, own.client)
    expect((await userinfo(opening)).status).toBe(200)
    expect([await isActive(access), await isActive(refresh, own)]).toEqual([true, true])
    await end(one, grant, own.client)
    expect((await userinfo(opening)).status).toBe(401)
    expect(await isActive(access)).toBe(false)
    if (name !== 'the client') expect(await isActive(refresh, own)).toBe(false)
  })

  it('their expiry', async () => {
    const { access, opening } = await issue(person)
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    expect((await userinfo(opening)).status).toBe(401)
    expect(await isActive(access)).toBe(false)
  })
})

describe('an access token', () => {
  it('is refused if its session is one of an access link', async () => {
    const { token } = await addLink(service, admin.bearer)
    const { session_key: bearer, user } = (await redeem(service, token)).body
    const stored = await findUser(service.services.table, user.id)
    if (!stored) throw new Error('the guest was not found')
    const grant = await addGrant(service, { bearer, user: stored }, { client: app.client })
    for (const token of [await signToken(service, grant), await signForUserinfo(grant)])
      expect([(await userinfo(token)).status, await isActive(token)]).toEqual([401, false])
  })

  it.each(['userinfo', 'an API'])('for %s is refused in every form that is not issued', async (target) => {
    const { table } = service.services
    const aud = target === 'userinfo' ? `${service.url}/oauth2/userinfo` : audience
    const grant = await addGrant(service, person, { client: app.client })
    const other = await addGrant(service, await signInAgain(), { client: app.client })
    const good = await signToken(service, grant, { aud })
    const [head = '', claims = '', signature = ''] = good.split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const decoded = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const keys = (await service.client('GET', '/.well-known/jwks.json')).body.keys
    const modulus = keys.find((key: { kid: string }) => key.kid === kid).n
    const hmacHead = encode({ alg: 'HS256', typ: 'at+jwt', kid })
    const hmac = createHmac('sha256', modulus).update(`${hmacHead}.${claims}`).digest('base64url')
    const bySelf = (header: object) =>
      new SignJWT(decoded)
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
        .sign(privateKey)
    const sign = (overrides: object, header: object = {}) =>
      signToken(service, grant, { aud, ...overrides }, { ...header })
    const now = Math.floor(Date.now() / 1000)
    const refused: Readonly<Record<string, string>> = {
      'no algorithm': `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${claims}.`,
      'no signature': `${head}.${claims}.`,
      'changed claims': `${head}.${encode({ ...decoded, sub: String(admin.user.id) })}.${signature}`,
      'the public key as a secret': `${hmacHead}.${claims}.${hmac}`,
      'another key of the same name': await bySelf({}),
      'a key in the header': await bySelf({ jwk: keys[0] }),
      'an address of keys': await bySelf({ jku: 'https://evil.example/keys', kid: 'evil' }),
      'an unknown key': await sign({}, { kid: 'unknown' }),
      'no key': await sign({}, { kid: undefined }),
      'the type of an ID token': await sign({}, { typ: 'JWT' }),
      'no type': await sign({}, { typ: undefined }),
      'another issuer': await sign({ iss: 'https://evil.example' }),
      'no subject': await sign({ sub: undefined }),
      'a number as subject': await sign({ sub: person.user.id }),
      'another user': await sign({ sub: String(admin.user.id) }),
      'a session': await sign({ sid: grant.sid }),
      'the grant of another user': await sign({ jti: `${other.id}.x` }),
      'no grant': await sign({ jti: 'x' }),
      'an empty grant': await sign({ jti: '.x' }),
      'another client': await sign({ client_id: api.client.clientId }),
      'the client of create_jwt for another user': await sign({ client_id: 'latchkey', sub: '1' }),
      'two audiences': await sign({ aud: [aud, 'https://other.example'] }),
      'no audience': await sign({ aud: undefined }),
      'an audience that the client has not': await sign({ aud: 'https://other.example' }),
      'the service itself': await sign({ aud: service.url }),
      'no expiry': await sign({ exp: undefined }),
      'the past': await sign({ exp: now - 1 }),
      'the far future as text': await sign({ exp: '99999999999' }),
      'a time before which it is not valid': await sign({ nbf: now + 600 }),
      'more than a header holds': `${good}${'A'.repeat(9000)}`,
      'four parts': `${good}.x`,
    }
    for (const [name, token] of Object.entries(refused)) {
      expect([name, (await userinfo(token)).status]).toEqual([name, 401])
      expect([name, await isActive(token)]).toEqual([name, false])
      expect([name, (await post('revoke', { token, ...byForm(stranger) })).status]).toEqual([
        name,
        expect.any(Number),
      ])
    }
    expect([(await userinfo(good)).status, await isActive(good)]).toEqual(
      target === 'userinfo' ? [200, false] : [401, true],
    )
    expect(await findClient(table, app.client.clientId)).toBeDefined()
  })

  it('cannot be replaced by any other credential', async () => {
    const { refresh } = await issue(person)
    const { bearer } = person
    const create = async (path: string, body: object) =>
      (await service.client('POST', `/api/2/${path}`, { bearer, body })).body
    const credentials = [
      bearer,
      (await create('api-tokens', { name: 'script' })).token,
      (await create('auth/ticket', {})).ticket,
      (await addLink(service, admin.bearer)).token,
      mintCredential('reset_token', person.user.id).value,
      refresh,
      app.secret,
    ]
    for (const token of credentials) {
      expect((await userinfo(token)).status).toBe(401)
      expect(await isActive(token)).toBe(false)
    }
  })

  it('is no credential of the API, for any audience', async () => {
    const grant = await addGrant(service, admin, { client: app.client })
    for (const aud of [audience, service.url, app.client.clientId]) {
      const bearer = await signToken(service, grant, { aud })
      for (const path of ['users/me', 'users', 'oidc-clients', 'auth/sessions'])
        expect((await service.client('GET', `/api/2/${path}`, { bearer })).status).toBe(401)
      expect((await service.client('POST', '/api/2/auth/jwt', { bearer, body: {} })).status).toBe(401)
      const cookie = { cookie: `latchkey=${bearer}` }
      expect((await service.client('GET', '/api/2/users/me', { headers: cookie })).status).toBe(401)
    }
  })
})
