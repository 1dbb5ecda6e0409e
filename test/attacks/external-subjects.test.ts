import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getDeviceTokens } from '../support/devices.ts'
import { type LogoutReceiver, startLogoutReceiver } from '../support/logout-receiver.ts'
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
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/* A product moved from another system, and knows its users by their IDs there. Somebody wants to be another user to it. */

const source = 'old-system'
const api = 'https://films.example'
let service: TestService
let receiver: LogoutReceiver
let moved: RelyingParty
let product: RelyingParty
beforeAll(async () => {
  service = await startService({}, { sendsMail: false })
  receiver = await startLogoutReceiver(service)
  moved = await addRelyingParty(service, { subjectSource: source, audiences: [api] })
  product = await addRelyingParty(service, { audiences: [api] })
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

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
      ...{ type: 'public', subjectSource: source, deviceAuthorization: true },
      redirectUris: ['https://one.example/cb', 'https://two.example/cb', 'com.example.app:/cb'],
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

  it('names one person in access tokens, which stay those of the service', async () => {
    const victim = await addSignedIn(service)
    const thief = await addImported(String(victim.user.id))
    const code = await getCode(service, moved, thief.bearer, { resource: api, scope: 'openid' })
    const { body } = await exchangeCode(service, moved, code)
    const claims = decodeJwt(body.access_token)
    expect(claims).toMatchObject({ sub: String(thief.user.id), external_id: String(victim.user.id) })
    const asked = { ...proveClient(moved), token: body.access_token }
    const answer = await fetch(`${service.url}/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams(asked),
    })
    expect(await answer.json()).toMatchObject({
      active: true,
      sub: claims.sub,
      username: thief.user.username,
    })
    const { refresh_token } = await getTokens(service, moved, thief.bearer)
    const own = await fetch(`${service.url}/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ ...asked, token: refresh_token }),
    })
    expect(await own.json()).toMatchObject({
      active: true,
      sub: String(victim.user.id),
      username: thief.user.username,
    })
    // A client of this service gets no ID of another system.
    const plain = await getCode(service, product, thief.bearer, { resource: api, scope: 'openid' })
    const issued = (await exchangeCode(service, product, plain)).body
    expect(decodeJwt(issued.access_token)).not.toHaveProperty('external_id')
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
    const client = await receiver.addClient({ subjectSource: source })
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
