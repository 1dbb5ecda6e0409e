import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import { findAuthorizerRefusal } from '../support/api-gateway-jwt.ts'
import { addLink, bundle } from '../support/links.ts'
import { addPerson, addSignedIn, type SignedInPerson, trySignIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

const audience = 'https://shop.example.com'
const service = await useService({ JWT_AUDIENCES: `${audience}, urn:example:reports` })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service, { permissions: ['downloads:view'] })
beforeEach(() => {
  vi.useRealTimers()
})
afterEach(() => vi.useRealTimers())

const create = (bearer: string, body: unknown = {}) =>
  service.client('POST', '/api/2/auth/jwt', { bearer, body })
const tokenOf = async (bearer: string, body: unknown = {}): Promise<string> => {
  const answer = await create(bearer, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.token
}
const readKeys = async () => (await service.client('GET', '/.well-known/jwks.json')).body
const verify = async (token: string, expected = audience): Promise<JWTPayload> => {
  const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
  const options = { issuer: service.url, audience: expected, typ: 'at+jwt', algorithms: ['RS256'] }
  return (await jwtVerify(token, keys, options)).payload
}
const storedUser = async ({ user }: SignedInPerson) => {
  const found = await findUser(service.services.table, user.id)
  if (!found) throw new Error('the user was not found')
  return found
}

describe('the key set', () => {
  it('is public, can be cached, and contains only public parts', async () => {
    const answer = await service.client('GET', '/.well-known/jwks.json', { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(answer.body.keys).toHaveLength(2)
    for (const key of answer.body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
      expect(Buffer.from(key.n, 'base64url')).toHaveLength(256)
    }
  })

  it('answers HEAD, and 304 to a client that has the present keys', async () => {
    const head = await service.client('HEAD', '/.well-known/jwks.json')
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('etag')).toMatch(/^W\/"/)
    const headers = { 'if-none-match': head.headers.get('etag') ?? '' }
    expect((await service.client('GET', '/.well-known/jwks.json', { headers })).status).toBe(304)
    const other = { 'if-none-match': '"other"' }
    expect((await service.client('GET', '/.well-known/jwks.json', { headers: other })).status).toBe(200)
  })
})

describe('a JWT', () => {
  it('is verified by libraries of others and by the rules of API Gateway', async () => {
    const answer = await create(person.bearer, { audience })
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 600 })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { token } = answer.body
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })
    expect(await verify(token)).toMatchObject({
      iss: service.url,
      sub: String(person.user.id),
      aud: audience,
      client_id: 'latchkey',
      amr: ['pwd'],
      preferred_username: person.user.username,
      groups: [],
      permissions: ['downloads:view'],
      jti: expect.any(String),
      auth_time: expect.any(Number),
    })
    const { iat = 0, exp = 0 } = decodeJwt(token)
    expect(exp - iat).toBe(600)
    const authorizer = { issuer: service.url, audiences: [audience], keySet: await readKeys() }
    expect(findAuthorizerRefusal(authorizer, `Bearer ${token}`, Date.now())).toBeUndefined()
    const others = { ...authorizer, audiences: ['https://other.example.com'] }
    expect(findAuthorizerRefusal(others, `Bearer ${token}`, Date.now())).toBe('the audience is another one')
    expect(findAuthorizerRefusal(authorizer, token, (exp + 1) * 1000)).toBe('expired')
  })

  it('is for this service without an audience, with an empty body or none', async () => {
    for (const body of [{}, null, undefined]) {
      const token = (await service.client('POST', '/api/2/auth/jwt', { bearer: person.bearer, body })).body
        .token
      expect((await verify(token, service.url)).aud).toBe(service.url)
    }
    await expect(verify(await tokenOf(person.bearer))).rejects.toThrow('unexpected "aud" claim value')
  })

  it.each([
    'https://shop.example.com/',
    'https://SHOP.example.com',
    'shop.example.com',
    '*',
    ' ',
    '',
    'x'.repeat(256),
    'x'.repeat(50_000),
    [audience],
    [audience, 'https://other.example.com'],
    { audience },
    7,
    null,
    true,
  ])('is refused for an audience that is not on the list: %j', async (given) => {
    const answer = await create(person.bearer, { audience: given })
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    expect(answer.body.errors).toMatchObject([{ field: 'audience' }])
    expect(answer.text.length).toBeLessThan(1000)
  })

  it('is refused if the audience is given twice or in the query', async () => {
    const raw = `{"audience":"${audience}","audience":"urn:example:reports"}`
    const twice = await service.client('POST', '/api/2/auth/jwt', {
      bearer: person.bearer,
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(twice.status).toBe(400)
    const path = `/api/2/auth/jwt?audience=${audience}`
    expect((await service.client('POST', path, { bearer: person.bearer, body: {} })).status).toBe(400)
  })

  it('names neither the credential nor its hash, and the same session ID each time', async () => {
    const [first, second] = [decodeJwt(await tokenOf(person.bearer)), decodeJwt(await tokenOf(person.bearer))]
    expect(first['sid']).toBe(second['sid'])
    expect(first.jti).not.toBe(second.jti)
    const other = await trySignIn(service, person)
    expect(decodeJwt(await tokenOf(other.body.session_key))['sid']).not.toBe(first['sid'])
    expect(JSON.stringify(first)).not.toMatch(/lks_|[0-9a-f]{64}/)
  })

  it('has the groups by name, and the permissions that they give', async () => {
    const member = await addSignedIn(service, { permissions: ['own:permission'] })
    const name = `Editors of ${member.user.id}`
    const body = { name, permissions: ['projects:view'], members: [{ id: member.user.id }] }
    await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body })
    expect(decodeJwt(await tokenOf(member.bearer))).toMatchObject({
      groups: [name],
      permissions: ['own:permission', 'projects:view'],
    })
  })

  it('is refused if groups and permissions do not fit into a header', async () => {
    const permissions = Array.from({ length: 200 }, (_, at) => `product:${'long'.repeat(8)}${at}`)
    const { bearer } = await addSignedIn(service, { permissions })
    const answer = await create(bearer)
    expect([answer.status, answer.body.reason]).toEqual([409, 'token_too_large'])
  })
})

describe('the caller', () => {
  const createApiToken = async (given: object) =>
    (await service.client('POST', '/api/2/api-tokens', { bearer: admin.bearer, body: given })).body

  it('can be an API token, whose scopes limit the permissions', async () => {
    const all = await createApiToken({ name: 'all' })
    const claims = decodeJwt(await tokenOf(all.token))
    expect(claims).toMatchObject({ permissions: ['system:admin-access'], amr: [] })
    expect(claims).not.toHaveProperty('auth_time')
    const scopes = ['jwts:create', 'users:view', 'profile:view']
    const limited = await createApiToken({ name: 'limited', scopes })
    expect(decodeJwt(await tokenOf(limited.token))).toMatchObject({ permissions: ['users:view'], groups: [] })
    const other = await createApiToken({ name: 'other', scopes: ['users:view'] })
    expect((await create(other.token)).body.reason).toBe('insufficient_scope')
  })

  it('gets no JWT beyond the end of an API token, and none after it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 1000) * 1000 })
    const expires = new Date(Date.now() + 90_000).toISOString()
    const { token } = await createApiToken({ name: 'short', expires })
    const answer = await create(token)
    expect(answer.body.expires_in).toBe(90)
    vi.setSystemTime(Date.now() + 90_000)
    expect((await create(token)).status).toBe(401)
  })

  it('gets no JWT after the session ended or the user was disabled', async () => {
    const ended = await addSignedIn(service)
    await tokenOf(ended.bearer)
    await service.client('POST', '/api/2/auth/logout', { bearer: ended.bearer })
    expect((await create(ended.bearer)).status).toBe(401)
    const disabled = await addSignedIn(service)
    await editUser(service.services.table, await storedUser(disabled), { is_enabled: false })
    expect((await create(disabled.bearer)).status).toBe(401)
    const changed = await addSignedIn(service)
    await editUserEndingSessions(service.services.table, await storedUser(changed), {})
    expect((await create(changed.bearer)).status).toBe(401)
  })

  it('gets a JWT that ends with the account', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 1000) * 1000 })
    const short = await addSignedIn(service, { expiresAt: Date.now() + 30_200 })
    expect((await create(short.bearer)).body.expires_in).toBe(30)
    vi.setSystemTime(Date.now() + 30_100)
    expect((await create(short.bearer)).status).toBe(401)
  })

  it('must be authenticated, and a JWT is not a credential of this service', async () => {
    expect((await service.client('POST', '/api/2/auth/jwt', { body: {} })).status).toBe(401)
    const token = await tokenOf(person.bearer)
    expect((await create(token)).status).toBe(401)
    expect((await service.client('GET', '/api/2/users/me', { bearer: token })).status).toBe(401)
  })

  it('can use the cookie of a page of the service, but not from another origin', async () => {
    const send = (headers: Readonly<Record<string, string>>) =>
      service.client('POST', '/api/2/auth/jwt', {
        body: {},
        headers: { cookie: `latchkey=${person.bearer}`, ...headers },
      })
    const own = await send({ origin: service.url, 'sec-fetch-site': 'same-origin' })
    expect(decodeJwt(own.body.token).sub).toBe(String(person.user.id))
    for (const site of ['same-site', 'cross-site'])
      expect((await send({ origin: 'https://evil.example.com', 'sec-fetch-site': site })).status).toBe(403)
  })

  it('gets no JWT with a session that can only set up a second factor', async () => {
    const { user, password } = await addPerson(service)
    await storeSignInPolicy(service, {
      second_factor_for_everybody: true,
    })
    const body = { username: user.username, password, second_factor_setup: true }
    const { session_key } = (await service.client('POST', '/api/2/auth/login', { body })).body
    await storeSignInPolicy(service, {})
    const answer = await create(session_key)
    expect([answer.status, answer.body.reason]).toEqual([403, 'second_factor_setup_required'])
  })

  it('gets no JWT as a user whom the administrator may no longer impersonate', async () => {
    const actor = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const target = await addPerson(service)
    const body = { user: target.user.id }
    await service.client('POST', '/api/2/auth/impersonation', { bearer: actor.bearer, body })
    await editUser(service.services.table, await storedUser(actor), { is_enabled: false })
    expect((await create(actor.bearer)).status).toBe(401)
  })

  it('is the impersonated user, and the JWT names the administrator', async () => {
    const actor = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const target = await addPerson(service, { permissions: ['downloads:view'] })
    const body = { user: target.user.id }
    await service.client('POST', '/api/2/auth/impersonation', { bearer: actor.bearer, body })
    const started = await service.client('GET', '/api/2/users/me', { bearer: actor.bearer })
    expect(started.body.id).toBe(target.user.id)
    expect(decodeJwt(await tokenOf(actor.bearer))).toMatchObject({
      sub: String(target.user.id),
      permissions: ['downloads:view'],
      act: { sub: String(actor.user.id), preferred_username: actor.user.username },
    })
  })

  it('is the guest of an access link without any permission, and the JWT names the link', async () => {
    const link = await addLink(service, admin.bearer, { bundles: [bundle()], email: 'guest@example.com' })
    const { session_key } = (
      await service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token: link.token } })
    ).body
    const claims = decodeJwt(await tokenOf(session_key))
    expect(claims).toMatchObject({
      aud: expect.stringMatching(/^urn:latchkey:guests:/),
      access_link: link.id,
      groups: [],
      permissions: [],
      amr: ['link'],
    })
    await service.client('DELETE', `/api/2/auth/access-tokens/${link.id}`, { bearer: admin.bearer })
    expect((await create(session_key)).status).toBe(401)
  })
})
