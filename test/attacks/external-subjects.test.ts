import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { createJwtMiddleware } from '../../lib/middleware/index.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { getDeviceTokens } from '../support/devices.ts'
import { startLogoutReceiver } from '../support/logout-receiver.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getCode,
  getTokens,
  proveClient,
  type RelyingParty,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A product moved from another system, and knows its users by their IDs there. Somebody wants to be another user to it. */

const source = 'old-system'
const api = 'https://films.example'
const service = await useService({}, { sendsMail: false })
const receiver = closeAfterTests(await startLogoutReceiver(service))
const moved = await addRelyingParty(service, { subject_source: source, audiences: [api] })
const product = await addRelyingParty(service, { audiences: [api] })

const addImported = (id: string = randomUUID(), from = source) =>
  addSignedIn(service, { externalId: { source: from, id } })
const getUserinfo = async (token: string) =>
  (await service.client('GET', '/oauth2/userinfo', { bearer: token })).body
/** The subject of ID tokens and of userinfo, which have to be the same (OpenID Connect Core 5.3.2). */
const readSubject = async (person: SignedInPerson, party = moved): Promise<string> => {
  const tokens = await getTokens(service, party, person.bearer)
  const { sub } = decodeJwt(tokens.id_token)
  expect((await getUserinfo(tokens.access_token)).sub).toBe(sub)
  return String(sub)
}

describe('the subject for a client that came from another system', () => {
  it('is the ID there, for ID tokens of codes and of refresh tokens', async () => {
    const person = await addImported('0b0f1c52-7d5e-4a43-9a2b-8f0f3f3f6c1d')
    const tokens = await getTokens(service, moved, person.bearer)
    const refreshed = await refresh(service, moved, tokens.refresh_token)
    for (const { id_token } of [tokens, refreshed.body])
      expect(decodeJwt(id_token).sub).toBe('0b0f1c52-7d5e-4a43-9a2b-8f0f3f3f6c1d')
    expect(await readSubject(person, product)).toBe(String(person.user.id))
  })

  it('is the ID there for devices and native apps, at several addresses', async () => {
    const app = await addRelyingParty(service, {
      ...{ type: 'public', subject_source: source, device_authorization: true },
      redirect_uris: ['https://one.example/cb', 'https://two.example/cb', 'com.example.app:/cb'],
    })
    const person = await addImported()
    const tokens = await getDeviceTokens(service, app, person.bearer)
    expect(decodeJwt(tokens.id_token).sub).toBe(person.user.externalId?.id)
    const code = await getCode(service, app, person.bearer, { redirect_uri: 'https://two.example/cb' })
    const { body } = await exchangeCode(service, app, code, { redirect_uri: 'https://two.example/cb' })
    expect(decodeJwt(body.id_token).sub).toBe(person.user.externalId?.id)
  })

  it('is never that of another user, also if IDs are the same', async () => {
    const native = await addSignedIn(service)
    const own = String(native.user.id)
    const namesake = await addImported(own)
    expect(await readSubject(namesake)).toBe(own)
    expect(await readSubject(native)).toBe(`latchkey:${own}`)
    for (const other of [await addImported(own, 'else'), await addImported('é'), await addImported('a b')])
      expect(await readSubject(other)).toBe(`latchkey:${other.user.id}`)
  })

  it('is one everywhere: two people never have the same, in all that a client and its APIs see', async () => {
    const victim = await addSignedIn(service)
    const thief = await addImported(String(victim.user.id))
    const introspect = async (token: string, party: RelyingParty) => {
      const answer = await fetch(`${service.url}/oauth2/introspect`, {
        method: 'POST',
        body: new URLSearchParams({ ...proveClient(party), token }),
      })
      return (await answer.json()) as JsonValue
    }
    const seen = async ({ bearer }: SignedInPerson, party = moved) => {
      const opening = await getTokens(service, party, bearer)
      const code = await getCode(service, party, bearer, { resource: api, scope: 'openid offline_access' })
      const { access_token, refresh_token, id_token } = (await exchangeCode(service, party, code)).body
      const again = (await refresh(service, party, refresh_token)).body
      const subjects = [
        decodeJwt(opening.id_token).sub,
        decodeJwt(opening.access_token).sub,
        (await getUserinfo(opening.access_token)).sub,
        (await introspect(opening.access_token, party)).sub,
        decodeJwt(id_token).sub,
        decodeJwt(access_token).sub,
        decodeJwt(again.access_token).sub,
        (await introspect(access_token, party)).sub,
        // Another client whose API the token is for sees what the API sees.
        (await introspect(access_token, product)).sub,
        (await introspect(refresh_token, party)).sub,
      ]
      expect(new Set(subjects).size).toBe(1)
      return { sub: subjects[0], access_token, refresh_token }
    }
    const [ofThief, ofVictim] = [await seen(thief), await seen(victim)]
    expect([ofThief.sub, ofVictim.sub]).toEqual([String(victim.user.id), `latchkey:${victim.user.id}`])
    // The API of several clients finds the user by the ID here.
    for (const [{ user }, { access_token, refresh_token }] of [
      [thief, ofThief],
      [victim, ofVictim],
    ] as const) {
      const user_id = String(user.id)
      expect(decodeJwt(access_token)).toMatchObject({ user_id })
      for (const token of [access_token, refresh_token])
        expect(await introspect(token, moved)).toMatchObject({ active: true, user_id })
      const { identifyUser } = createJwtMiddleware({ baseUrl: service.url, audience: api })
      const getHeader = () => `Bearer ${access_token}`
      expect((await identifyUser({ method: 'GET', getHeader })).id).toBe(user.id)
    }
    const plain = await seen(thief, product)
    expect(plain.sub).toBe(String(thief.user.id))
    expect(decodeJwt(plain.access_token)).not.toHaveProperty('user_id')
  })

  it('is never that of a machine, and ends tokens when it changes', async () => {
    const posing = await addImported(`client:${moved.client.clientId}`)
    expect(await readSubject(posing)).toBe(`latchkey:${posing.user.id}`)
    const party = await addRelyingParty(service, { subject_source: source, audiences: [api] })
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const person = await addImported()
    const { access_token } = await getTokens(service, party, person.bearer)
    expect((await getUserinfo(access_token)).sub).toBe(person.user.externalId?.id)
    const path = `/api/2/oidc-clients/${party.client.id}`
    await service.client('PATCH', path, { bearer, body: { subject_source: null } })
    expect((await service.client('GET', '/oauth2/userinfo', { bearer: access_token })).status).toBe(401)
  })

  it('of the hint of a request that waits keeps its refresh token', async () => {
    const person = await addImported()
    const { id_token } = await getTokens(service, moved, person.bearer)
    const { challenge, verifier } = createPkce()
    const wanted = { prompt: 'login', scope: 'openid offline_access', id_token_hint: id_token }
    const started = await service.client(
      'GET',
      `/oauth2/authorize?${buildAuthorization(moved, challenge, wanted)}`,
      { headers: { accept: 'text/html', cookie: `latchkey=${person.bearer}` } },
    )
    const returnTo = new URL(
      new URL(started.headers.get('location') ?? '').searchParams.get('return_to') ?? '',
    )
    const session = await signIn(service, person)
    const cookies = [`latchkey=${session}`, ...started.cookies.map((cookie) => cookie.split(';')[0])]
    const done = await service.client('GET', returnTo.pathname + returnTo.search, {
      headers: { accept: 'text/html', cookie: cookies.join('; ') },
    })
    const { code = '' } = readRedirect(done)
    const issued = await exchangeCode(service, moved, { code, verifier })
    expect([issued.status, typeof issued.body.refresh_token]).toEqual([200, 'string'])
  })

  it('is compared with the ID token of a request', async () => {
    const [person, other] = [await addImported(), await addImported()]
    const hint = (await getTokens(service, moved, person.bearer)).id_token
    const ask = async (bearer: string, id_token_hint: string) => {
      const query = buildAuthorization(moved, createPkce().challenge, { prompt: 'none', id_token_hint })
      return readRedirect(await service.client('GET', `/oauth2/authorize?${query}`, { bearer }))
    }
    expect(await ask(person.bearer, hint)).toHaveProperty('code')
    expect(await ask(other.bearer, hint)).toMatchObject({ error: 'login_required' })
    // The ID of one is the ID that the other had.
    const namesake = await addImported(String(person.user.id))
    const theirs = (await getTokens(service, product, person.bearer)).id_token
    for (const bearer of [namesake.bearer, person.bearer])
      expect(await ask(bearer, theirs)).not.toHaveProperty('code')
  })

  it('is not in logout tokens, which name the session', async () => {
    const client = await receiver.addClient({ subject_source: source })
    const person = await addImported()
    const tokens = await getTokens(service, client, person.bearer)
    await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    await service.informClients()
    expect(client.tokens).toHaveLength(1)
    const claims = decodeJwt(client.tokens[0] ?? '')
    expect(claims).toMatchObject({ aud: client.client.clientId, sid: decodeJwt(tokens.id_token)['sid'] })
    expect(claims).not.toHaveProperty('sub')
  })

  it('ends the session by its ID token', async () => {
    const person = await addImported()
    const { id_token } = await getTokens(service, moved, person.bearer)
    const query = new URLSearchParams({ id_token_hint: id_token })
    const headers = { cookie: `latchkey=${person.bearer}`, accept: 'text/html' }
    await service.client('GET', `/oauth2/logout?${query}`, { headers })
    expect((await service.client('GET', '/api/2/users/me', { bearer: person.bearer })).status).toBe(401)
  })

  it('has a source that is a name of an import', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const create = (subject_source: unknown) =>
      service.client('POST', '/api/2/oidc-clients', {
        bearer,
        body: { name: randomUUID(), redirect_uris: ['https://shop.example/cb'], subject_source },
      })
    for (const wrong of ['__proto__', 'Old System', '', 'x'.repeat(41), 7, ['old-system'], { source }])
      expect(await create(wrong)).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'subject_source' }] },
      })
    const made = (await create(source)).body
    const path = `/api/2/oidc-clients/${made.id}`
    const change = (subject_source: unknown) =>
      service.client('PATCH', path, { bearer, body: { subject_source } })
    expect((await change(null)).body.subject_source).toBeNull()
    expect((await change('else')).body.subject_source).toBe('else')
  })
})
