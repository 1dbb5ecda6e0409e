import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { Answer } from '../support/client.ts'
import { addRelyingParty, exchangeCode, getCode, postToken, type RelyingParty } from '../support/oidc.ts'
import { addSignedIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Pages of a public client sign users in without a setting, and nothing else is open to them. */

const page = 'https://player.example.com'
const allowed = 'https://shop.example.com'
const evil = 'https://evil.example'
const service = await useService({ ALLOWED_ORIGINS: allowed, RATE_LIMITS: 'lookUpFailures=1000/600' })
const person = await addSignedIn(service)
const scopes = ['openid', 'profile', 'offline_access']
const redirectUris = [`${page}/callback`, 'http://localhost:5173/callback', 'com.example.player:/callback']
const player = await addRelyingParty(service, { type: 'public', scopes, redirect_uris: redirectUris })
const server = await addRelyingParty(service, { scopes, redirect_uris: [`${page}/server`] })

/** The origin that may read an answer. */
const readerOf = ({ headers }: Pick<Answer, 'headers'>): string | null =>
  headers.get('access-control-allow-origin')

const preflight = (path: string, origin: string, method = 'POST') =>
  service.client('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization',
    },
  })

const getTokensAt = async (party: RelyingParty, origin: string) => {
  const issued = await getCode(service, party, person.bearer, { scope: 'openid profile offline_access' })
  return postToken(
    service,
    {
      ...{ grant_type: 'authorization_code', code: issued.code, code_verifier: issued.verifier },
      ...{ redirect_uri: party.client.redirect_uris[0] ?? '', client_id: party.client.clientId },
      ...(party.client.type === 'confidential' ? { client_secret: party.secret } : {}),
    },
    { origin },
  )
}

const getUserinfo = (token: string, origin: string) =>
  service.client('GET', '/oauth2/userinfo', { headers: { origin, authorization: `Bearer ${token}` } })

describe('a page of a public client', () => {
  it.each([page, 'http://localhost:5173'])('at %s gets tokens and reads userinfo', async (origin) => {
    expect((await preflight('/oauth2/token', origin)).status).toBe(204)
    const tokens = await getTokensAt(player, origin)
    expect([tokens.status, readerOf(tokens)]).toEqual([200, origin])
    expect(tokens.headers.get('vary')).toBe('origin')
    const asked = await preflight('/oauth2/userinfo', origin, 'GET')
    expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization,content-type,dpop,latchkey-organization',
    ])
    const userinfo = await getUserinfo(tokens.body.access_token, origin)
    expect([userinfo.status, readerOf(userinfo)]).toEqual([200, origin])
    const renewed = await postToken(
      service,
      {
        grant_type: 'refresh_token',
        refresh_token: tokens.body.refresh_token,
        client_id: player.client.clientId,
      },
      { origin },
    )
    expect([renewed.status, readerOf(renewed)]).toEqual([200, origin])
  })

  it('reads why it was refused', async () => {
    const wrong = await postToken(
      service,
      { grant_type: 'authorization_code', code: 'x', client_id: player.client.clientId },
      { origin: page },
    )
    expect([wrong.status, readerOf(wrong)]).toEqual([400, '*'])
    const ended = await getUserinfo('x', page)
    expect([ended.status, readerOf(ended)]).toEqual([401, '*'])
    expect(ended.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  })

  it('never sends or gets cookies', async () => {
    for (const answer of [await getTokensAt(player, page), await preflight('/oauth2/token', page)])
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })

  it('reads no other operation, neither as itself nor as its user', async () => {
    const session = mintCredential('session', 5).value
    const readable: string[] = []
    for (const { id, method, path } of operations) {
      const target = path.replaceAll(/\{\w+\}/g, '1')
      const headers = { origin: page }
      const asked = await preflight(target, page, method)
      const answer = await service.client(method, target, { bearer: session, headers })
      if (asked.status === 204 || readerOf(asked) !== null || readerOf(answer) !== null) readable.push(id)
    }
    expect(readable.sort()).toEqual([
      'get_authorization_server_metadata',
      'get_jwks',
      'get_openid_configuration',
      'get_userinfo',
      'get_userinfo_by_form',
      'issue_tokens',
      'push_authorization_request',
      'revoke_token',
    ])
  })

  it('is not added to the addresses that users are redirected to', async () => {
    const { user, password } = person
    const answer = await trySignIn(service, { user, password }, { return_to: `${page}/stolen` })
    expect(JSON.stringify(answer.body)).not.toContain('stolen')
    expect(answer.headers.get('location') ?? '').not.toContain('stolen')
  })
})

describe('another page', () => {
  it.each([
    evil,
    'https://player.example.com.evil.example',
    'http://player.example.com',
    'https://player.example.com:8443',
    'https://PLAYER.example.com',
    'http://localhost:5174',
    'null',
    '*',
  ])('of %s reads no tokens and no claims, even with a code of its own', async (origin) => {
    const tokens = await getTokensAt(player, origin)
    expect([tokens.status, readerOf(tokens)]).toEqual([200, null])
    const userinfo = await getUserinfo(tokens.body.access_token, origin)
    expect([userinfo.status, readerOf(userinfo)]).toEqual([200, null])
  })

  it('reads nothing of a client with a secret, because it cannot be one of its pages', async () => {
    const tokens = await getTokensAt(server, page)
    expect([tokens.status, readerOf(tokens)]).toEqual([200, null])
    expect(readerOf(await getUserinfo(tokens.body.access_token, page))).toBeNull()
  })

  it('reads nothing of the tokens of another client', async () => {
    const other = await addRelyingParty(service, { type: 'public', redirect_uris: [`${evil}/callback`] })
    const tokens = await exchangeCode(service, player, await getCode(service, player, person.bearer))
    expect(readerOf(await getUserinfo(tokens.body.access_token, evil))).toBeNull()
    const own = await exchangeCode(service, other, await getCode(service, other, person.bearer))
    expect(readerOf(await getUserinfo(own.body.access_token, evil))).toBe(evil)
  })

  it('no longer reads anything when its address was taken from the client', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { client } = await addRelyingParty(service, {
      type: 'public',
      redirect_uris: [`${page}/a`, `${allowed}/b`, `${evil}/c`],
    })
    const party = { client, secret: '' }
    const tokens = await exchangeCode(service, party, await getCode(service, party, person.bearer))
    expect(readerOf(await getUserinfo(tokens.body.access_token, evil))).toBe(evil)
    const { status } = await service.client('PATCH', `/api/2/oidc-clients/${client.id}`, {
      bearer: admin.bearer,
      body: { redirect_uris: [`${page}/a`] },
    })
    expect(status).toBe(200)
    expect(readerOf(await getUserinfo(tokens.body.access_token, evil))).toBeNull()
    expect(readerOf(await getUserinfo(tokens.body.access_token, allowed))).toBe(allowed)
  })
})

describe('pages of allowed origins', () => {
  it('may not use the authorization endpoint, where only people go', async () => {
    expect((await preflight('/oauth2/authorize', allowed)).status).toBe(405)
    const answer = await service.client('GET', '/oauth2/authorize', { headers: { origin: allowed } })
    expect(readerOf(answer)).toBeNull()
  })

  it('read the public documents as everyone does, however they were cached', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
      const answer = await service.client('GET', path, { headers: { origin: allowed } })
      expect([answer.status, readerOf(answer)]).toEqual([200, '*'])
      const etag = answer.headers.get('etag') ?? ''
      const again = await service.client('GET', path, { headers: { origin: evil, 'if-none-match': etag } })
      expect([again.status, readerOf(again), again.headers.get('vary')]).toEqual([
        304,
        '*',
        'accept-encoding',
      ])
    }
  })
})
