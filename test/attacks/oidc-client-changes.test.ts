import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getCode,
  getTokens,
  type RelyingParty,
  readRedirect,
  readReturnPath,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What an administrator takes from a client counts at once, also for authorizations and codes that are on their way. */

const kept = 'https://app.example/cb'
const removed = 'https://old.example/cb'
const audience = 'https://api.example'
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service)
afterEach(() => vi.useRealTimers())

const addParty = () => addRelyingParty(service, { redirect_uris: [removed, kept], audiences: [audience] })
const patch = async ({ client }: RelyingParty, body: object) => {
  const path = `/api/2/oidc-clients/${client.id}`
  expect((await service.client('PATCH', path, { bearer: admin.bearer, body })).status).toBe(200)
}
const remove = async ({ client }: RelyingParty) => {
  const path = `/api/2/oidc-clients/${client.id}`
  expect((await service.client('DELETE', path, { bearer: admin.bearer })).status).toBe(204)
}

/** Starts an authorization in a browser that is not signed in, and returns a function that completes it. */
const startWaiting = async (party: RelyingParty, parameters: Readonly<Record<string, string>> = {}) => {
  const query = buildAuthorization(party, createPkce().challenge, parameters)
  const { headers, cookies } = await service.client('GET', `/oauth2/authorize?${query}`)
  const path = readReturnPath({ headers })
  const cookie = [`latchkey=${person.bearer}`, ...cookies.map((text) => text.split(';')[0])].join('; ')
  return () => service.client('GET', path, { headers: { cookie, accept: 'text/html' } })
}

describe('an authorization that waits for a sign-in', () => {
  it('never leads to an address that was removed, or to a client that was deleted', async () => {
    const party = await addParty()
    const complete = await startWaiting(party)
    const deleted = await addParty()
    const completeDeleted = await startWaiting(deleted)
    await patch(party, { redirect_uris: [kept] })
    await remove(deleted)
    for (const answer of [await complete(), await completeDeleted()])
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it.each([
    ['scope', { scopes: ['openid'] }, 'invalid_scope'],
    ['API', { apis: [] }, 'invalid_target'],
  ])('gives no code for a %s that was removed', async (_, changes, error) => {
    const party = await addParty()
    const complete = await startWaiting(party, { resource: audience })
    await patch(party, changes)
    const sent = readRedirect(await complete())
    expect([sent['error'], sent['code']]).toEqual([error, undefined])
  })
})

describe('a code', () => {
  it('is worthless after its address was removed, or its client was deleted', async () => {
    const party = await addParty()
    const issued = await getCode(service, party, person.bearer)
    await patch(party, { redirect_uris: [kept] })
    expect((await exchangeCode(service, party, issued)).body.error).toBe('invalid_grant')
    const deleted = await addParty()
    const other = await getCode(service, deleted, person.bearer)
    await remove(deleted)
    expect((await exchangeCode(service, deleted, other)).body.error).toBe('invalid_client')
  })

  it('gives no scope that was removed', async () => {
    const party = await addParty()
    const scope = 'openid profile email groups offline_access'
    const issued = await getCode(service, party, person.bearer, { scope })
    await patch(party, { scopes: ['openid', 'profile'] })
    const { status, body } = await exchangeCode(service, party, issued)
    expect([status, body.scope, body.refresh_token]).toEqual([200, 'openid profile', undefined])
    expect(decodeJwt(body.access_token)['scope']).toBe('openid profile')
    const claims = decodeJwt(body.id_token)
    expect(claims).toMatchObject({ sub: String(person.user.id), preferred_username: person.user.username })
    expect(claims).not.toHaveProperty('email_verified')
    expect(claims).not.toHaveProperty('groups')
  })

  it('gives no token for an API that was removed', async () => {
    const party = await addParty()
    const issued = await getCode(service, party, person.bearer, { resource: audience })
    await patch(party, { apis: [] })
    const { status, body } = await exchangeCode(service, party, issued)
    expect([status, body.access_token]).toEqual([400, undefined])
  })
})

it('a refresh token gives no scope and no API that was removed', async () => {
  const party = await addParty()
  const tokens = await getTokens(service, party, person.bearer, { resource: audience })
  await patch(party, { scopes: ['openid', 'offline_access'] })
  const { status, body } = await refresh(service, party, tokens.refresh_token)
  expect([status, decodeJwt(body.access_token)['scope']]).toEqual([200, 'openid offline_access'])
  expect(decodeJwt(body.id_token)).not.toHaveProperty('preferred_username')
  await patch(party, { apis: [] })
  expect((await refresh(service, party, body.refresh_token)).status).toBe(400)
})

describe('a code that was used', () => {
  it('ends its tokens when it is presented again, however late', async () => {
    const party = await addParty()
    const issued = await getCode(service, party, person.bearer, { scope: 'openid offline_access' })
    const { body } = await exchangeCode(service, party, issued, { redirect_uri: removed })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 3_600_000 })
    const later = (await refresh(service, party, body.refresh_token)).body
    expect((await exchangeCode(service, party, issued)).body.error).toBe('invalid_grant')
    expect((await refresh(service, party, later.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('ends nothing in the hands of another client, or without the verifier', async () => {
    const party = await addParty()
    const stranger = await addParty()
    const issued = await getCode(service, party, person.bearer, { scope: 'openid offline_access' })
    const { body } = await exchangeCode(service, party, issued)
    await exchangeCode(service, stranger, issued)
    await exchangeCode(service, party, { ...issued, verifier: createPkce().verifier })
    await exchangeCode(service, party, issued, { client_secret: stranger.secret })
    expect((await refresh(service, party, body.refresh_token)).status).toBe(200)
  })

  it('does not work after its lifetime if it was not used', async () => {
    const party = await addParty()
    const issued = await getCode(service, party, person.bearer)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect((await exchangeCode(service, party, issued)).body.error).toBe('invalid_grant')
  })
})
