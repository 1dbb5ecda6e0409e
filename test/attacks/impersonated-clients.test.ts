import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { type ReceivingClient, startLogoutReceiver, verifyLogoutToken } from '../support/logout-receiver.ts'
import {
  addRelyingParty,
  exchangeCode,
  getCode,
  getTokens,
  type RelyingParty,
  refresh,
} from '../support/oidc.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * What clients know about a session must end when it begins to act as another user: also with a bearer credential, which
 * stays the same.
 */

const service = await useService({}, { sendsMail: false })
const receiver = closeAfterTests(await startLogoutReceiver(service))
let admin: SignedInPerson
let target: Person
let product: ReceivingClient
let shop: RelyingParty
beforeEach(async () => {
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  target = await addPerson(service)
  product = await receiver.addClient()
  const { backchannel_logout_uri: backchannelLogoutUri } = product.client
  shop = await addRelyingParty(service, { type: 'public', backchannel_logout_uri: backchannelLogoutUri })
})
afterEach(() => vi.useRealTimers())

const start = async () => {
  const body = { user: target.user.id }
  const path = '/api/2/auth/impersonation'
  expect((await service.client('POST', path, { bearer: admin.bearer, body })).status).toBe(204)
}
const stop = () =>
  service.client('POST', '/api/2/auth/impersonation/stop', { bearer: admin.bearer, body: {} })
const logOut = () => service.client('POST', '/api/2/auth/logout', { bearer: admin.bearer })
const isUserinfoGiven = async (bearer: string) =>
  (await service.client('GET', '/oauth2/userinfo', { bearer })).status === 200

/** Signs the session in at the client. Returns what its ID token states. */
const signInAtClient = async () => {
  const tokens = await getTokens(service, shop, admin.bearer)
  const { sid, sub } = decodeJwt(tokens.id_token)
  return { tokens, sid, sub }
}
/** Takes the logout tokens that the client got since the last call. */
const takeLogouts = async () => {
  await service.informClients()
  const received = product.tokens.splice(0)
  return Promise.all(
    received.map(async (token) => {
      const { payload } = await verifyLogoutToken(service, token, shop.client)
      return { sid: payload['sid'], sub: payload.sub }
    }),
  )
}
const last = <Entry>(entries: readonly Entry[]): Entry => {
  const entry = entries.at(-1)
  if (entry === undefined) throw new Error('There is none.')
  return entry
}
const nameOf = ({ sid, sub }: { readonly sid: unknown; readonly sub: string | undefined }) => ({ sid, sub })

describe('an impersonation by bearer', () => {
  it('has a new sid at each start and stop, and clients learn that the one before ended', async () => {
    const seen = [await signInAtClient()]
    for (let round = 0; round < 2; round++) {
      await start()
      expect(await takeLogouts()).toEqual([nameOf(last(seen))])
      seen.push(await signInAtClient())
      expect((await stop()).status).toBe(204)
      expect(await takeLogouts()).toEqual([nameOf(last(seen))])
      seen.push(await signInAtClient())
    }
    const [own, other] = [String(admin.user.id), String(target.user.id)]
    expect(seen.map(({ sub }) => sub)).toEqual([own, other, own, other, own])
    expect(new Set(seen.map(({ sid }) => sid)).size).toBe(5)
    await logOut()
    expect(await takeLogouts()).toEqual([nameOf(last(seen))])
  })

  it('ends tokens and codes of the user before, and they stay ended', async () => {
    const own = await signInAtClient()
    const ownCode = await getCode(service, shop, admin.bearer)
    await start()
    const other = await signInAtClient()
    const otherCode = await getCode(service, shop, admin.bearer)
    await stop()
    for (const { tokens } of [own, other]) {
      expect((await refresh(service, shop, tokens.refresh_token)).body.error).toBe('invalid_grant')
      expect(await isUserinfoGiven(tokens.access_token)).toBe(false)
    }
    for (const code of [ownCode, otherCode])
      expect((await exchangeCode(service, shop, code)).body.error).toBe('invalid_grant')
    await start()
    expect(await isUserinfoGiven(other.tokens.access_token)).toBe(false)
  })

  it('that is over after an hour gives no sid of the impersonated user to the administrator', async () => {
    await start()
    const other = await signInAtClient()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 })
    const own = await signInAtClient()
    expect([own.sub, other.sub]).toEqual([String(admin.user.id), String(target.user.id)])
    expect(own.sid).not.toBe(other.sid)
    expect(await isUserinfoGiven(other.tokens.access_token)).toBe(false)
    await logOut()
    const informed = await takeLogouts()
    expect(informed).toHaveLength(2)
    expect(informed).toEqual(expect.arrayContaining([nameOf(own), nameOf(other)]))
  })

  it('ends JWTs of the service for the user before', async () => {
    const create = async (): Promise<string> =>
      (await service.client('POST', '/api/2/auth/jwt', { bearer: admin.bearer, body: {} })).body.token
    const party = await addRelyingParty(service, { audiences: [service.url] })
    const isActive = async (token: string) => {
      const form = { token, client_id: party.client.clientId, client_secret: party.secret }
      const answer = await service.client('POST', '/oauth2/introspect', {
        raw: String(new URLSearchParams(form)),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      return answer.body.active
    }
    const own = await create()
    expect(await isActive(own)).toBe(true)
    await start()
    const other = await create()
    expect([await isActive(own), await isActive(other)]).toEqual([false, true])
    await stop()
    expect([await isActive(own), await isActive(other)]).toEqual([false, false])
    expect(await isActive(await create())).toBe(true)
  })
})

it('one of 10 concurrent starts informs the client once', async () => {
  const own = await signInAtClient()
  const body = { user: target.user.id }
  const path = '/api/2/auth/impersonation'
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => service.client('POST', path, { bearer: admin.bearer, body })),
  )
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(await takeLogouts()).toEqual([nameOf(own)])
})
