import { describe, expect, it, vi } from 'vitest'
import { readClientId } from '../../lib/features/oauth/clients.records.ts'
import { useOAuthToken } from '../../lib/features/oauth/tokens.records.ts'
import {
  addRelyingParty,
  createPkce,
  exchangeCode,
  getCode,
  getTokens,
  postToken,
  proveClient,
  type RelyingParty,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What a thief, another client or a retry can do with codes and refresh tokens. */

const service = await useService({ RATE_LIMITS: 'lookUpFailures=1000/600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service)
const shop = await addRelyingParty(service)
const other = await addRelyingParty(service)
const app = await addRelyingParty(service, { type: 'public' })

const errorOf = ({ status, body }: Awaited<ReturnType<typeof postToken>>) => [status, body.error]
const invalidGrant = [400, 'invalid_grant']
const offline = { scope: 'openid offline_access' }

describe('a code', () => {
  it('that is used again ends everything that it gave', async () => {
    const issued = await getCode(service, shop, person.bearer, offline)
    const { body } = await exchangeCode(service, shop, issued)
    expect(errorOf(await exchangeCode(service, shop, issued))).toEqual(invalidGrant)
    expect(errorOf(await refresh(service, shop, body.refresh_token))).toEqual(invalidGrant)
  })

  it('gives tokens once to concurrent requests, and those end', async () => {
    const issued = await getCode(service, shop, person.bearer, offline)
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchangeCode(service, shop, issued)))
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeLessThanOrEqual(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(errorOf(answer)).toEqual(invalidGrant)
    for (const { body } of good)
      expect(errorOf(await refresh(service, shop, body.refresh_token))).toEqual(invalidGrant)
  })

  it('is worthless without its verifier, its client and its address', async () => {
    const issued = await getCode(service, shop, person.bearer)
    const { verifier } = createPkce()
    const attempts = [
      exchangeCode(service, shop, { ...issued, verifier }),
      exchangeCode(service, shop, { ...issued, verifier: '' }),
      exchangeCode(service, shop, { ...issued, verifier: 'x'.repeat(10_000) }),
      exchangeCode(service, shop, issued, { redirect_uri: 'https://app.example/cb/' }),
      exchangeCode(service, shop, issued, { redirect_uri: '' }),
      exchangeCode(service, other, issued),
      exchangeCode(service, app, issued),
      exchangeCode(service, shop, issued, { client_secret: other.secret }),
      exchangeCode(service, shop, issued, { client_secret: '' }),
      exchangeCode(service, shop, issued, { client_id: other.client.clientId }),
      exchangeCode(service, shop, issued, { client_id: app.client.clientId }),
      exchangeCode(service, shop, issued, { client_id: 'unknown' }),
      exchangeCode(service, shop, issued, { resource: 'https://evil.example' }),
    ]
    for (const answer of await Promise.all(attempts)) {
      expect([400, 401]).toContain(answer.status)
      expect(answer.body.access_token).toBeUndefined()
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('of a public client needs no secret, and one with a secret is refused', async () => {
    const issued = await getCode(service, app, person.bearer)
    const answer = await exchangeCode(service, app, issued, { client_secret: shop.secret })
    expect(answer.status).toBe(401)
    expect((await exchangeCode(service, app, issued)).status).toBe(200)
  })

  it('is exchanged with a secret in the header, and not with two', async () => {
    const basic = ({ client }: RelyingParty, secret = shop.secret) =>
      `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}`
    const { code, verifier } = await getCode(service, shop, person.bearer)
    const form = {
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
      redirect_uri: shop.client.redirect_uris[0] ?? '',
    }
    const both = await postToken(service, { ...form, ...proveClient(shop) }, { authorization: basic(shop) })
    expect(errorOf(both)).toEqual([400, 'invalid_request'])
    const wrong = await postToken(service, form, { authorization: basic(shop, other.secret) })
    expect(errorOf(wrong)).toEqual([401, 'invalid_client'])
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect((await postToken(service, form, { authorization: basic(shop) })).status).toBe(200)
  })
})

describe('the audit log', () => {
  it('names each sign-in at a client, and once that a token came from a thief', async () => {
    const customer = await addSignedIn(service)
    const issued = await getCode(service, app, customer.bearer, offline)
    const { body } = await exchangeCode(service, app, issued)
    const next = (await refresh(service, app, body.refresh_token)).body
    await refresh(service, app, next.refresh_token)
    for (let tries = 0; tries < 3; tries++) await refresh(service, app, body.refresh_token)
    const { user } = customer
    const path = `/api/2/auth/audit-events?user=${user.id}`
    const events = (await service.client('GET', path, { bearer: admin.bearer })).body
    const found = events
      .filter(({ event }: { event: string }) => event.startsWith('oidc_client.'))
      .map(({ event, target }: { event: string; target: string }) => [event, target])
    const target = String(readClientId(app.client.clientId))
    expect(found).toEqual([
      ['oidc_client.token_reused', target],
      ['oidc_client.authorized', target],
    ])
  })
})

describe('a refresh token', () => {
  it('of a public client gives the same next one again for ten seconds', async () => {
    const first = await getTokens(service, app, person.bearer)
    const second = (await refresh(service, app, first.refresh_token)).body
    const again = (await refresh(service, app, first.refresh_token)).body
    expect(again.refresh_token).toBe(second.refresh_token)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await refresh(service, app, again.refresh_token)).status).toBe(200)
  })

  it('of a public client that is used again later ends the newer one', async () => {
    const first = await getTokens(service, app, person.bearer)
    const second = (await refresh(service, app, first.refresh_token)).body
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_001 })
    try {
      expect(errorOf(await refresh(service, app, first.refresh_token))).toEqual(invalidGrant)
      expect(errorOf(await refresh(service, app, second.refresh_token))).toEqual(invalidGrant)
    } finally {
      vi.useRealTimers()
    }
  })

  it('of a public client that is used again after its next one ends all', async () => {
    const first = await getTokens(service, app, person.bearer)
    const second = (await refresh(service, app, first.refresh_token)).body
    const third = (await refresh(service, app, second.refresh_token)).body
    expect(errorOf(await refresh(service, app, first.refresh_token))).toEqual(invalidGrant)
    expect(errorOf(await refresh(service, app, third.refresh_token))).toEqual(invalidGrant)
  })

  it('of a public client gives 20 concurrent requests one and the same next one', async () => {
    const { refresh_token } = await getTokens(service, app, person.bearer)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(service, app, refresh_token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const next = new Set(answers.map(({ body }) => body.refresh_token))
    expect(next.size).toBe(1)
    expect((await refresh(service, app, [...next][0])).status).toBe(200)
  })

  it('of a public client still works if the answer was lost before the next one was stored', async () => {
    const { refresh_token } = await getTokens(service, app, person.bearer)
    await useOAuthToken(service.services.table, 'refresh_token', refresh_token, {
      ...{ usedAt: Date.now(), salt: 'a salt' },
    })
    const { status, body } = await refresh(service, app, refresh_token)
    expect(status).toBe(200)
    expect((await refresh(service, app, body.refresh_token)).status).toBe(200)
  })

  it('of a public client repeats nothing for another client, also in the first ten seconds', async () => {
    const phone = await addRelyingParty(service, { type: 'public' })
    const first = await getTokens(service, app, person.bearer)
    const second = (await refresh(service, app, first.refresh_token)).body
    for (const party of [phone, other])
      expect(errorOf(await refresh(service, party, first.refresh_token))).toEqual(invalidGrant)
    expect((await refresh(service, app, second.refresh_token)).status).toBe(200)
  })

  it('of a confidential client stays, also for 20 concurrent requests', async () => {
    const { refresh_token } = await getTokens(service, shop, person.bearer)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(service, shop, refresh_token)))
    expect(answers.map(({ body }) => body.refresh_token)).toEqual(answers.map(() => refresh_token))
  })

  it('is worthless to other clients, and stays good for its owner', async () => {
    const { refresh_token } = await getTokens(service, shop, person.bearer)
    for (const party of [other, app])
      expect(errorOf(await refresh(service, party, refresh_token))).toEqual(invalidGrant)
    const unproved = { client_id: shop.client.clientId, client_secret: '' }
    expect((await refresh(service, shop, refresh_token, unproved)).status).toBe(401)
    expect((await refresh(service, shop, refresh_token)).status).toBe(200)
  })

  it('gives no scope and no resource that the user did not grant', async () => {
    const { refresh_token } = await getTokens(service, shop, person.bearer, offline)
    const wider = await refresh(service, shop, refresh_token, { scope: 'openid email' })
    expect(errorOf(wider)).toEqual([400, 'invalid_scope'])
    const elsewhere = await refresh(service, shop, refresh_token, { resource: 'https://evil.example' })
    expect(elsewhere.status).toBe(400)
  })

  it('is not another kind of credential, and no other kind is one', async () => {
    const { refresh_token, access_token, id_token } = await getTokens(service, shop, person.bearer)
    const { code } = await getCode(service, shop, person.bearer)
    for (const value of [access_token, id_token, code, person.bearer, shop.secret, '', 'x'.repeat(20_000)])
      expect((await refresh(service, shop, value)).status).toBe(400)
    for (const value of [refresh_token, access_token, person.bearer])
      expect(
        (await exchangeCode(service, shop, { code: value, verifier: createPkce().verifier })).status,
      ).toBe(400)
    for (const bearer of [refresh_token, access_token, id_token, code, shop.secret])
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect((await refresh(service, shop, refresh_token)).status).toBe(200)
  })
})

describe('what ends a session ends its refresh tokens at once', () => {
  const signedInWithTokens = async () => {
    const someone = await addSignedIn(service)
    const tokens = await getTokens(service, app, someone.bearer)
    const code = await getCode(service, app, someone.bearer)
    return { someone, tokens, code }
  }
  const ends: Record<string, (someone: SignedInPerson) => Promise<unknown>> = {
    'a logout': ({ bearer }) => service.client('POST', '/api/2/auth/logout', { bearer }),
    // Only the session that changes it stays.
    'a changed password': async (someone) =>
      service.client('POST', '/api/2/users/me/password', {
        bearer: await signIn(service, someone),
        body: { current_password: someone.password, password: 'Another good and long password' },
      }),
    'a disabled user': ({ user }) =>
      service.client('PATCH', `/api/2/users/${user.id}`, {
        bearer: admin.bearer,
        body: { is_enabled: false },
      }),
    'a deleted user': ({ user }) =>
      service.client('DELETE', `/api/2/users/${user.id}`, { bearer: admin.bearer }),
  }

  it.each(Object.keys(ends))('%s', async (name) => {
    const { someone, tokens, code } = await signedInWithTokens()
    await ends[name]?.(someone)
    expect(errorOf(await refresh(service, app, tokens.refresh_token))).toEqual(invalidGrant)
    expect(errorOf(await exchangeCode(service, app, code))).toEqual(invalidGrant)
  })

  it('the deletion of the client', async () => {
    const doomed = await addRelyingParty(service)
    const { refresh_token } = await getTokens(service, doomed, person.bearer)
    await service.client('DELETE', `/api/2/oidc-clients/${doomed.client.id}`, { bearer: admin.bearer })
    expect(errorOf(await refresh(service, doomed, refresh_token))).toEqual([401, 'invalid_client'])
  })

  it('the end of an impersonation, whose tokens name both users', async () => {
    const session = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const body = { user: person.user.id }
    await service.client('POST', '/api/2/auth/impersonation', { bearer: session.bearer, body })
    const tokens = await getTokens(service, app, session.bearer)
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ sub: String(person.user.id), act: { sub: String(session.user.id) } })
    const renewed = await refresh(service, app, tokens.refresh_token)
    expect(renewed.status).toBe(200)
    await service.client('POST', '/api/2/auth/impersonation/stop', { bearer: session.bearer })
    expect(errorOf(await refresh(service, app, renewed.body.refresh_token))).toEqual(invalidGrant)
  })
})

describe('the token endpoint', () => {
  it.each([
    ['', 'invalid_request'],
    ['grant_type=authorization_code', 'invalid_request'],
    ['grant_type=password&username=a&password=b', 'unsupported_grant_type'],
    ['grant_type=client_credentials', 'invalid_request'],
    ['grant_type=implicit', 'unsupported_grant_type'],
    ['grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=x', 'invalid_request'],
    ['grant_type=refresh_token', 'invalid_request'],
    ['grant_type=refresh_token&refresh_token=x&refresh_token=y', 'invalid_request'],
    ['grant_type=refresh_token&grant_type=refresh_token', 'invalid_request'],
    ['grant_type=__proto__', 'unsupported_grant_type'],
  ])('refuses %j with %s', async (form, error) => {
    const proof = String(new URLSearchParams(proveClient(shop)))
    expect(errorOf(await postToken(service, `${form}&${proof}`))).toEqual([400, error])
  })

  it('answers bodies of other types and sizes with errors of OAuth', async () => {
    const json = await service.client('POST', '/oauth2/token', { body: proveClient(shop) })
    expect([json.status, json.body.error]).toEqual([415, 'invalid_request'])
    const large = await postToken(service, { ...proveClient(shop), code: 'x'.repeat(70_000) })
    expect(errorOf(large)).toEqual([413, 'invalid_request'])
    for (const authorization of ['Basic', 'Basic !', `Bearer ${person.bearer}`, 'Basic Og=='])
      expect((await postToken(service, { grant_type: 'refresh_token' }, { authorization })).status).toBe(400)
  })
})
