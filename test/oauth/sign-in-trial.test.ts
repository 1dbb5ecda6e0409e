import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

/* Administrators see what an app gets when they sign in to it, and get nothing that the app accepts. */

const service = await useService()
const admin = await addSignedIn(service, {
  permissions: ['system:admin-access', 'films:view'],
  full_name: 'Ada Lovelace',
  email: 'ada@example.com',
})
const call = callAs(service, admin)
const scopes = ['openid', 'profile', 'email', 'groups', 'attributes', 'offline_access'] as const
const shop = await addRelyingParty(service, { scopes })
const audience = 'https://films.example.com/trials'
const texts = { en: 'Films' }
await call('POST', 'protected-apis', {
  ...{ name: 'Trials', audience, permissions: [{ name: 'films:view', texts }] },
  scopes: [{ name: 'films.trial', texts, permissions: ['films:view'] }],
})

const send = (bearer: string, id: number | string = shop.client.id, body: object = {}) =>
  service.client('POST', `/api/2/oidc-clients/${id}/sign-in-trials`, { bearer, body })
interface Claim {
  readonly name: string
  readonly value: string
}
const read = (claims: readonly Claim[]) =>
  Object.fromEntries(claims.map(({ name, value }) => [name, JSON.parse(value)]))
const createClient = async (fields: object) => {
  const { body, status } = await call('POST', 'oidc-clients', {
    ...{ name: `Trial ${crypto.randomUUID()}`, redirect_uris: ['https://films.example.com/callback'] },
    ...fields,
  })
  expect(status).toBe(201)
  return Number(body.id)
}

describe('a trial of a sign-in', () => {
  it('shows what the ID token, the access token and userinfo state after a real sign-in', async () => {
    const { status, body } = await send(admin.bearer)
    expect([status, body.outcome, body.error]).toEqual([200, 'tokens', null])
    const scope = scopes.filter((name) => name !== 'offline_access').join(' ')
    const tokens = await getTokens(service, shop, admin.bearer, { scope })
    const variable = { exp: expect.any(Number), iat: expect.any(Number) }
    const { nonce: _, at_hash: _h, sid: _s, jti: _j, ...stated } = decodeJwt(tokens.id_token)
    expect(read(body.id_token)).toEqual({ ...stated, ...variable })
    const { sid: _sid, jti: _jti, ...access } = decodeJwt(tokens.access_token)
    expect(read(body.access_token)).toEqual({ ...access, ...variable })
    const userinfo = await service.client('GET', '/oauth2/userinfo', { bearer: tokens.access_token })
    expect(read(body.userinfo)).toEqual(userinfo.body)
  })

  it('contains no token, code or identifier of the session', async () => {
    const { body, text } = await send(admin.bearer)
    expect(body.outcome).toBe('tokens')
    expect(text).not.toMatch(/eyJ|lk[a-z]_/)
    const names = [...body.id_token, ...body.access_token].map(({ name }: Claim) => name)
    expect(names).not.toContain('sid')
    expect(names).not.toContain('jti')
  })

  it('ends its grant, so that nobody could use what it got', async () => {
    const own = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect((await send(own.bearer)).body.outcome).toBe('tokens')
    const grants = await readItems(
      service.tableName,
      ({ pk, userId }) => pk.startsWith(partitions.oauthGrant) && userId === own.user.id,
    )
    expect(grants).toEqual([])
    const events = await call('GET', `auth/audit-events?user=${own.user.id}&event=oidc_client.authorized`)
    expect(events.body).toHaveLength(1)
  })

  it('says that the caller has to sign in again, after they ended the access of the client', async () => {
    const own = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await send(own.bearer)
    const ended = await service.client('DELETE', `/api/2/users/me/apps/${shop.client.id}`, {
      bearer: own.bearer,
    })
    expect(ended.status).toBe(204)
    const { body } = await send(own.bearer)
    expect(body).toMatchObject({ outcome: 'sign_in', error: null, id_token: [], access_token: [] })
  })

  it('asks for an API, with the permissions of the caller there', async () => {
    const id = await createClient({
      apis: [{ audience, scopes: ['films.trial'] }],
      permissions: ['films:view'],
    })
    const { body } = await send(admin.bearer, id, { audience })
    expect(read(body.access_token)).toMatchObject({
      aud: audience,
      permissions: ['films:view'],
      scope: expect.stringContaining('films.trial'),
    })
    const other = await send(admin.bearer, id, { audience: 'https://other.example.com' })
    expect([other.status, other.body.errors[0].field]).toEqual([400, 'audience'])
  })

  it.each<readonly [string, object]>([
    ['a public client', { type: 'public' }],
    ['an app on the machine of its user', { type: 'public', redirect_uris: ['http://127.0.0.1/cb'] }],
    ['a client that must send its requests itself', { requires_par: true }],
    ['a client that must prove a key', { requires_dpop: true }],
    ['a client without PKCE', { requires_pkce: false }],
  ])('works for %s', async (_, fields) => {
    const { body } = await send(admin.bearer, await createClient(fields))
    expect([body.outcome, body.error_description]).toEqual(['tokens', null])
  })

  it('is refused for a client that signs nobody in', async () => {
    const id = await createClient({
      ...{ redirect_uris: [], apis: [{ audience, scopes: ['films.trial'] }] },
      machine_permissions: ['films:view'],
    })
    expect((await send(admin.bearer, id)).status).toBe(409)
  })

  it('leaves the tokens of a real sign-in as they are, also twenty times at once', async () => {
    const tokens = await getTokens(service, shop, admin.bearer, { scope: 'openid' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(admin.bearer)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await service.client('GET', '/oauth2/userinfo', { bearer: tokens.access_token })).status).toBe(
      200,
    )
  })

  it('is for administrators with a recent proof in a session of their own', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const token = await call('POST', 'api-tokens', { name: 'all' })
    expect((await send(manager.bearer)).status).toBe(403)
    expect((await send(token.body.token)).status).toBe(403)
    expect(
      (await service.client('POST', `/api/2/oidc-clients/${shop.client.id}/sign-in-trials`, { body: {} }))
        .status,
    ).toBe(401)
    expect((await send(admin.bearer, 9_999_999)).status).toBe(404)
    expect((await send(admin.bearer, '__proto__')).status).toBe(400)
    const other = await addSignedIn(service)
    const body = { user: other.user.id }
    const started = await service.client('POST', '/api/2/auth/impersonation', { bearer: admin.bearer, body })
    expect(started.status).toBeLessThan(300)
    expect((await send(admin.bearer)).status).toBe(403)
  })
})
