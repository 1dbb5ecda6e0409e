import { randomBytes, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { deleteClientRecord } from '../../lib/features/oauth/clients.records.ts'
import { deleteOAuthGrant } from '../../lib/features/oauth/grants.records.ts'
import { revokeAccessToken } from '../../lib/features/oauth/token-state.records.ts'
import {
  earlierHttpEvent,
  graphqlEvent,
  httpEvent,
  methodArn,
  restEvent,
  stageArn,
  tokenEvent,
} from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { addLink, bundle } from '../support/links.ts'
import { addStoredClient } from '../support/oidc-clients.ts'
import { addGrant, signToken } from '../support/oidc-tokens.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

const audience = 'https://shop.example.com'
const service = await useService({ JWT_AUDIENCES: `${audience},urn:example:other` })
afterEach(() => vi.useRealTimers())

/** The handler with settings that the construct passes as variables. */
const createWith = (settings: Readonly<Record<string, string>>) =>
  createAuthorizer({ ...process.env, ...settings })

const authorize = createWith({ AUTHORIZER_AUDIENCES: audience })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service, { permissions: ['films:view'] })
const contextOf = async (bearer: string, handler = authorize): Promise<JsonValue> => {
  const answer: JsonValue = await handler(httpEvent(bearer))
  expect(answer.isAuthorized).toBe(true)
  return answer.context
}
const isAuthorized = async (bearer: string, handler = authorize): Promise<boolean> => {
  const answer: JsonValue = await handler(httpEvent(bearer))
  return answer.isAuthorized
}
const post = async (path: string, body: object, bearer = admin.bearer): Promise<JsonValue> => {
  const answer = await service.client('POST', `/api/2/${path}`, { bearer, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const createJwt = async (bearer: string, body: object = { audience }): Promise<string> =>
  (await post('auth/jwt', body, bearer)).token
const edit = async ({ user }: Pick<SignedInPerson, 'user'>, changes: Parameters<typeof editUser>[2]) => {
  const found = await findUser(service.services.table, user.id)
  if (!found) throw new Error('the user was not found')
  await editUser(service.services.table, found, changes)
}
const policy = (effect: 'Allow' | 'Deny') => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: stageArn }],
})

describe('the answer', () => {
  it('to an HTTP API is simple for payload 2.0', async () => {
    expect(await authorize(httpEvent(person.bearer))).toEqual({
      isAuthorized: true,
      context: {
        user_id: String(person.user.id),
        username: person.user.username,
        permissions: '["films:view"]',
        groups: '[]',
        kind: 'session',
        session_id: expect.stringMatching(/^[\w-]{22}$/),
      },
    })
    expect(await authorize(httpEvent('lks_unknown'))).toEqual({ isAuthorized: false })
    expect(await authorize(httpEvent())).toEqual({ isAuthorized: false })
  })

  it('to payload 2.0 is a policy with the setting for it', async () => {
    const handler = createWith({ AUTHORIZER_ANSWER: 'policy' })
    const allowed: JsonValue = await handler(httpEvent(person.bearer))
    expect(allowed).toMatchObject({
      principalId: String(person.user.id),
      policyDocument: policy('Allow'),
      context: { kind: 'session' },
    })
    expect(await handler(httpEvent('unknown'))).toEqual({
      principalId: 'unknown',
      policyDocument: policy('Deny'),
    })
  })

  it('to payload 1.0 is a policy for all methods of the stage, because API Gateway caches it', async () => {
    expect(methodArn).not.toBe(stageArn)
    expect(await authorize(earlierHttpEvent(person.bearer))).toMatchObject({
      principalId: String(person.user.id),
      policyDocument: policy('Allow'),
      context: { username: person.user.username },
    })
    expect(await authorize(earlierHttpEvent('unknown'))).toMatchObject({ policyDocument: policy('Deny') })
  })

  it.each(['TOKEN', 'REQUEST'])(
    'to a REST API of type %s is a policy, or the error for 401',
    async (type) => {
      const eventOf = (bearer: string) =>
        type === 'TOKEN' ? tokenEvent(`Bearer ${bearer}`) : restEvent(bearer)
      expect(await authorize(eventOf(person.bearer))).toMatchObject({ policyDocument: policy('Allow') })
      await expect(authorize(eventOf('unknown'))).rejects.toThrow(/^Unauthorized$/)
      const handler = createWith({ AUTHORIZER_PERMISSION: 'films:edit' })
      const refused: JsonValue = await handler(eventOf(person.bearer))
      expect(refused).toEqual({ principalId: String(person.user.id), policyDocument: policy('Deny') })
    },
  )

  it('to AppSync has a context for resolvers, and is not cached unless the product wants it', async () => {
    for (const token of [person.bearer, `Bearer ${person.bearer}`])
      expect(await authorize(graphqlEvent(token))).toEqual({
        isAuthorized: true,
        resolverContext: expect.objectContaining({ user_id: String(person.user.id), kind: 'session' }),
        ttlOverride: 0,
      })
    for (const token of ['unknown', '', 'Bearer', 'Basic YTpi', `a ${person.bearer}`])
      expect(await authorize(graphqlEvent(token))).toEqual({ isAuthorized: false, ttlOverride: 0 })
    const caching = createWith({ AUTHORIZER_CACHE_SECONDS: '300' })
    expect(await caching(graphqlEvent(person.bearer))).toMatchObject({ ttlOverride: 300 })
    const ending = await addSignedIn(service, { expiresAt: Date.now() + 60_000 })
    const answer: JsonValue = await caching(graphqlEvent(ending.bearer))
    expect(answer.ttlOverride).toBeGreaterThan(0)
    expect(answer.ttlOverride).toBeLessThanOrEqual(60)
  })

  it('has only texts in its context', async () => {
    const { token } = await post('api-tokens', { name: 'all', scopes: ['profile:view', 'users:view'] })
    for (const bearer of [person.bearer, token, await createJwt(person.bearer)])
      for (const value of Object.values(await contextOf(bearer))) expect(value).toBeTypeOf('string')
  })
})

describe('the caller', () => {
  it('has the names of their groups and the permissions that these give', async () => {
    const member = await addSignedIn(service, { permissions: ['own:permission'] })
    const name = `Editors, "A" & é ${randomUUID()}`
    await post('groups', { name, permissions: ['films:view'], members: [{ id: member.user.id }] })
    expect(await contextOf(member.bearer)).toMatchObject({
      groups: JSON.stringify([name]),
      permissions: '["films:view","own:permission"]',
    })
  })

  it('costs one table call for a session, as everywhere', async () => {
    const calls = async (bearer: string) => {
      await authorize(httpEvent(bearer))
      const line = service.log.findLast((text) => text.includes('"authorization"'))
      return JSON.parse(line ?? '{}').table_calls
    }
    expect(await calls(person.bearer)).toBe(1)
    const jwt = await createJwt(person.bearer)
    await authorize(httpEvent(jwt))
    // This process knows the keys and the session by now.
    expect(await calls(jwt)).toBe(1)
    expect(await calls('unknown')).toBe(0)
  })

  it('can use an API token, also one that they chose', async () => {
    const { token } = await post('api-tokens', { name: 'all' }, person.bearer)
    expect(await contextOf(token)).toMatchObject({
      kind: 'api_token',
      user_id: String(person.user.id),
      permissions: '["films:view"]',
    })
    expect(await contextOf(token)).not.toHaveProperty('scopes')
    const chosen = randomBytes(32).toString('base64url')
    await post('api-tokens', { name: 'chosen', token: chosen }, person.bearer)
    expect(await contextOf(chosen)).toMatchObject({ kind: 'api_token', user_id: String(person.user.id) })
  })

  it('has only the permissions that the scopes of their API token name', async () => {
    const scopes = ['profile:view', 'users:view']
    const { token } = await post('api-tokens', { name: 'limited', scopes })
    expect(await contextOf(token)).toMatchObject({
      scopes: JSON.stringify(scopes),
      permissions: '["users:view"]',
      groups: '[]',
    })
    expect(await isAuthorized(token, createWith({ AUTHORIZER_PERMISSION: 'users:view' }))).toBe(true)
    expect(await isAuthorized(token, createWith({ AUTHORIZER_PERMISSION: 'films:view' }))).toBe(false)
  })

  it('cannot use an API token that is for something else', async () => {
    const { token } = await post('api-tokens', { name: 'address', scopes: ['users:view'] })
    expect(await isAuthorized(token)).toBe(false)
  })

  it('needs the required permission, which administrators have', async () => {
    const handler = createWith({ AUTHORIZER_PERMISSION: 'films:view' })
    expect(await isAuthorized(person.bearer, handler)).toBe(true)
    expect(await isAuthorized(admin.bearer, handler)).toBe(true)
    expect(await isAuthorized((await addSignedIn(service)).bearer, handler)).toBe(false)
    const part = await addSignedIn(service, { permissions: ['films:viewer'] })
    expect(await isAuthorized(part.bearer, handler)).toBe(false)
  })

  it('is the impersonated user, and the context names the administrator', async () => {
    const actor = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const before = await createJwt(actor.bearer)
    await post('auth/impersonation', { user: person.user.id }, actor.bearer)
    const during = await createJwt(actor.bearer)
    for (const bearer of [actor.bearer, during])
      expect(await contextOf(bearer)).toMatchObject({
        user_id: String(person.user.id),
        permissions: '["films:view"]',
        actor_id: String(actor.user.id),
        actor_username: actor.user.username,
      })
    // A JWT never becomes another user.
    expect(await isAuthorized(before)).toBe(false)
    await post('auth/impersonation/stop', {}, actor.bearer)
    expect(await isAuthorized(during)).toBe(false)
    // Tokens from before name a session that is over.
    expect(await isAuthorized(before)).toBe(false)
  })

  it('is a guest of an access link without permissions, also with a JWT', async () => {
    const link = await addLink(service, admin.bearer, {
      bundles: [bundle()],
      email: `${randomUUID()}@example.com`,
    })
    const { session_key } = await post('auth/access-tokens/redeem', { token: link.token })
    const jwt = await createJwt(session_key)
    const acceptsGuests = createWith({ AUTHORIZER_AUDIENCES: audience, AUTHORIZER_GUESTS: 'true' })
    const viewersAndGuests = createWith({ AUTHORIZER_PERMISSION: 'films:view', AUTHORIZER_GUESTS: 'true' })
    for (const bearer of [session_key, jwt]) {
      expect(await isAuthorized(bearer)).toBe(false)
      expect(await contextOf(bearer, acceptsGuests)).toMatchObject({
        kind: 'access_link',
        access_link: String(link.id),
        permissions: '[]',
        groups: '[]',
      })
      expect(await isAuthorized(bearer, viewersAndGuests)).toBe(false)
    }
    await service.client('DELETE', `/api/2/auth/access-tokens/${link.id}`, { bearer: admin.bearer })
    for (const bearer of [session_key, jwt]) expect(await isAuthorized(bearer, acceptsGuests)).toBe(false)
  })

  it('is refused with a session that can only set up a second factor', async () => {
    const { user, password } = await addPerson(service, { permissions: ['films:view'] })
    await storeSignInPolicy(service, {
      second_factor_for_everybody: true,
    })
    const body = { username: user.username, password, second_factor_setup: true }
    const { session_key } = (await service.client('POST', '/api/2/auth/login', { body })).body
    await storeSignInPolicy(service, {})
    expect(await authorize(httpEvent(session_key))).toEqual({ isAuthorized: false })
    expect(await authorize(restEvent(session_key))).toMatchObject({ policyDocument: policy('Deny') })
  })
})

describe('a JWT', () => {
  it('is accepted for the audiences of the authorizer and for the service itself', async () => {
    const context = await contextOf(person.bearer)
    for (const body of [{ audience }, {}])
      expect(await contextOf(await createJwt(person.bearer, body))).toEqual({ ...context, kind: 'jwt' })
    const other = await createJwt(person.bearer, { audience: 'urn:example:other' })
    expect(await isAuthorized(other)).toBe(false)
    expect(await isAuthorized(await createJwt(person.bearer), createWith({}))).toBe(false)
  })

  it('ends with its session, user, permissions and API token at once', async () => {
    const ended = await addSignedIn(service)
    const ofSession = await createJwt(ended.bearer)
    expect(await isAuthorized(ofSession)).toBe(true)
    await service.client('POST', '/api/2/auth/logout', { bearer: ended.bearer })
    expect(await isAuthorized(ofSession)).toBe(false)

    const changed = await addSignedIn(service, { permissions: ['films:view', 'films:edit'] })
    const ofUser = await createJwt(changed.bearer)
    await edit(changed, { permissions: ['films:view', 'users:view'] })
    expect(await contextOf(ofUser)).toMatchObject({ permissions: '["films:view"]' })
    expect(await contextOf(changed.bearer)).toMatchObject({ permissions: '["films:view","users:view"]' })
    await edit(changed, { is_enabled: false })
    expect(await isAuthorized(ofUser)).toBe(false)
    expect(await isAuthorized(changed.bearer)).toBe(false)

    const { token, id } = await post('api-tokens', { name: 'token' }, person.bearer)
    const ofToken = await createJwt(token)
    expect(await contextOf(ofToken)).toMatchObject({ kind: 'jwt', user_id: String(person.user.id) })
    await service.client('DELETE', `/api/2/api-tokens/${id}`, { bearer: person.bearer })
    expect(await isAuthorized(ofToken)).toBe(false)
  })

  it('of a client ends with its revocation, its grant and its client at once', async () => {
    const { table } = service.services
    const { client } = await addStoredClient(table, { audiences: [audience] })
    const grant = await addGrant(service, person, { client })
    const [token, other] = [
      await signToken(service, grant, { aud: audience }),
      await signToken(service, grant, { aud: audience }),
    ]
    expect([await isAuthorized(token), await isAuthorized(other)]).toEqual([true, true])
    await revokeAccessToken(table, String(decodeJwt(token).jti), Date.now() + 600_000)
    expect([await isAuthorized(token), await isAuthorized(other)]).toEqual([false, true])
    await deleteOAuthGrant(table, grant.id)
    expect(await isAuthorized(other)).toBe(false)
    const last = await signToken(service, await addGrant(service, person, { client }), { aud: audience })
    expect(await isAuthorized(last)).toBe(true)
    await deleteClientRecord(table, client, [])
    expect(await isAuthorized(last)).toBe(false)
  })

  it('of an API token stays within its scopes', async () => {
    const scopes = ['jwts:create', 'users:view']
    const { token } = await post('api-tokens', { name: 'limited', scopes })
    expect(await contextOf(await createJwt(token))).toMatchObject({
      kind: 'jwt',
      permissions: '["users:view"]',
      scopes: JSON.stringify(scopes),
    })
  })

  it('expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 1000) * 1000 })
    const jwt = await createJwt(person.bearer)
    vi.setSystemTime(Date.now() + 599_000)
    expect(await isAuthorized(jwt)).toBe(true)
    vi.setSystemTime(Date.now() + 1_000)
    expect(await isAuthorized(jwt)).toBe(false)
  })
})

describe('a failure', () => {
  it('is no refusal, and is counted by the alarm', async () => {
    const failing = createWith({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })
    await expect(failing(restEvent(person.bearer))).rejects.toThrow('The caller could not be identified.')
    expect(service.log.findLast((line) => line.includes('authorizer.failed'))).toContain(
      '"AuthorizerFailed":1',
    )
  })

  it('of the settings stops the function before it answers', () => {
    expect(() => createWith({ AUTHORIZER_COOKIE: 'true', AUTHORIZER_CACHE_SECONDS: '60' })).toThrow(
      'AUTHORIZER_COOKIE does not work',
    )
    for (const seconds of ['-1', '3601', '1.5', 'x'])
      expect(() => createWith({ AUTHORIZER_CACHE_SECONDS: seconds })).toThrow('AUTHORIZER_CACHE_SECONDS')
    expect(() => createWith({ AUTHORIZER_AUDIENCES: 'a b' })).toThrow('AUTHORIZER_AUDIENCES')
  })

  it('of a requirement that is misspelt or empty lets no one in', () => {
    for (const name of ['PERMISSIONS', 'PERMISION', 'permission', 'SCOPES', 'Scope', 'CLIENT', 'AUDIENCE'])
      expect(() => createWith({ [`AUTHORIZER_${name}`]: 'films:edit' })).toThrow(
        /"AUTHORIZER_\w+" is not a variable of the authorizer\. Did you mean AUTHORIZER_\w+\?/,
      )
    for (const name of ['AUTHORIZER_PERMISSION', 'AUTHORIZER_SCOPE'])
      expect(() => createWith({ [name]: '' })).toThrow(`${name} must not be empty`)
  })
})
