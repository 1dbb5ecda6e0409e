import { afterEach, expect, it, vi } from 'vitest'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  getTokens,
  proveClient,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Anyone who finds a browser that its user left long ago must not find a session that a product kept active. */

const minute = 60_000
const idleMinutes = 30
const service = await useService({ SESSION_LIFETIMES: `users=86400/${idleMinutes * 60}` })
const shop = await addRelyingParty(service, { access_token_lifetime: 3600 })
afterEach(() => vi.useRealTimers())

const goForward = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
const getMe = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const callUserinfo = async (bearer: string) =>
  (await service.client('GET', '/oauth2/userinfo', { bearer })).status
const startAuthorization = (bearer: string) =>
  service.client('GET', `/oauth2/authorize?${buildAuthorization(shop, createPkce().challenge)}`, { bearer })
const introspect = async (token: string): Promise<boolean> => {
  const answer = await service.client('POST', '/oauth2/introspect', {
    raw: String(new URLSearchParams({ token, ...proveClient(shop) })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return answer.body.active
}

it('a product that refreshes and asks in the background does not keep the session of an idle user', async () => {
  const { bearer } = await addSignedIn(service)
  let tokens = await getTokens(service, shop, bearer)
  const { token: jwt } = (await service.client('POST', '/api/2/auth/jwt', { bearer, body: {} })).body
  for (let passed = 0; passed < idleMinutes - 6; passed += 6) {
    goForward(6 * minute)
    tokens = (await refresh(service, shop, tokens.refresh_token)).body
    expect(await callUserinfo(tokens.access_token)).toBe(200)
    expect(await introspect(tokens.access_token)).toBe(true)
    await introspect(jwt)
  }
  goForward(8 * minute)
  // What the user started in the browser is over, and only what they gave the product for later goes on.
  expect(await getMe(bearer)).toBe(401)
  expect(await introspect(jwt)).toBe(false)
  const location = (await startAuthorization(bearer)).headers.get('location')
  expect(location).toContain('/?return_to=')
  tokens = (await refresh(service, shop, tokens.refresh_token)).body
  expect(await callUserinfo(tokens.access_token)).toBe(200)
  expect(await getMe(bearer)).toBe(401)
})

it('a product without refresh tokens gets nothing from the session of an idle user', async () => {
  const { bearer } = await addSignedIn(service)
  const { access_token: token } = await getTokens(service, shop, bearer, { scope: 'openid' })
  for (let passed = 0; passed < idleMinutes; passed += 6) {
    expect(await callUserinfo(token)).toBe(200)
    expect(await introspect(token)).toBe(true)
    goForward(6 * minute)
  }
  expect(await introspect(token)).toBe(false)
  expect(await callUserinfo(token)).toBe(401)
})

it('a user who uses the service keeps their session', async () => {
  const { bearer } = await addSignedIn(service)
  for (let passed = 0; passed < 2 * idleMinutes; passed += 20) {
    goForward(20 * minute)
    expect(await getMe(bearer)).toBe(200)
  }
})
