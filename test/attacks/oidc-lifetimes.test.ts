import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { minute, second } from '../../lib/util/durations.ts'
import { addRelyingParty, exchangeCode, getCode, getTokens, refresh } from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/* How long a thief can use a code or a refresh token that its owner does not use. */

let service: TestService
let person: SignedInPerson
beforeAll(async () => {
  service = await startService()
  person = await addSignedIn(service)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.close())

const wait = (ms: number) => vi.useFakeTimers({ now: Date.now() + ms, toFake: ['Date'] })

it('a code is accepted for a minute', async () => {
  const shop = await addRelyingParty(service)
  const [first, late] = [
    await getCode(service, shop, person.bearer),
    await getCode(service, shop, person.bearer),
  ]
  wait(50 * second)
  expect((await exchangeCode(service, shop, first)).status).toBe(200)
  vi.useRealTimers()
  wait(minute + second)
  expect((await exchangeCode(service, shop, late)).body.error).toBe('invalid_grant')
})

it('refresh tokens end at a fixed time after the sign-in, however often they are renewed', async () => {
  const shop = await addRelyingParty(service, { refreshTokenLifetimeMs: 10 * minute })
  const { refresh_token } = await getTokens(service, shop, person.bearer)
  wait(6 * minute)
  const renewed = await refresh(service, shop, refresh_token)
  expect(renewed.status).toBe(200)
  vi.useRealTimers()
  wait(10 * minute + second)
  expect((await refresh(service, shop, renewed.body.refresh_token)).body.error).toBe('invalid_grant')
})
