import { afterEach, expect, it, vi } from 'vitest'
import { minute, second } from '../../lib/kernel/util/time.ts'
import { answerDevice, pollDevice, startDevice } from '../support/devices.ts'
import { addRelyingParty, exchangeCode, getCode, getTokens, refresh } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* How long a thief can use a code or a refresh token that its owner does not use. */

const service = await useService()
const person = await addSignedIn(service)
afterEach(() => vi.useRealTimers())

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
  const shop = await addRelyingParty(service, { refresh_token_lifetime: 600 })
  const { refresh_token } = await getTokens(service, shop, person.bearer)
  wait(6 * minute)
  const renewed = await refresh(service, shop, refresh_token)
  expect(renewed.status).toBe(200)
  vi.useRealTimers()
  wait(10 * minute + second)
  expect((await refresh(service, shop, renewed.body.refresh_token)).body.error).toBe('invalid_grant')
})

it('a device code is accepted for 10 minutes, and a device that asks too early waits longer for good', async () => {
  const tv = await addRelyingParty(service, { type: 'public', redirect_uris: [], device_authorization: true })
  const [first, late] = [await startDevice(service, tv), await startDevice(service, tv)]
  const poll = async ({ device_code } = first) => (await pollDevice(service, tv, device_code)).body.error
  expect([await poll(), await poll()]).toEqual(['authorization_pending', 'slow_down'])
  wait(6 * second)
  expect(await poll()).toBe('slow_down')
  vi.useRealTimers()
  wait(22 * second)
  expect(await poll()).toBe('authorization_pending')
  vi.useRealTimers()
  wait(30 * second)
  expect(await poll()).toBe('slow_down')
  vi.useRealTimers()
  wait(10 * minute + second)
  const { text } = await answerDevice(service, late.user_code, 'continue', person.bearer)
  expect(text).toContain('This code is wrong or has expired')
  expect([await poll(), await poll(late)]).toEqual(['expired_token', 'expired_token'])
})

it('an approved device that never asked gets no tokens after its code expired', async () => {
  const tv = await addRelyingParty(service, { type: 'public', redirect_uris: [], device_authorization: true })
  const { device_code, user_code } = await startDevice(service, tv)
  await answerDevice(service, user_code, 'continue', person.bearer)
  wait(10 * minute + second)
  expect((await pollDevice(service, tv, device_code)).body.error).toBe('expired_token')
})
