import { afterAll, expect, it, vi } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import type { Answer } from '../support/client.ts'
import { addSignedIn } from '../support/people.ts'
import { openRememberingBrowser } from '../support/remembered-devices.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useWatchedService } from '../support/watched-table.ts'

vi.useFakeTimers({ toFake: ['Date'] })
const service = await useWatchedService()
afterAll(() => vi.useRealTimers())

let calls = 0
service.watch(() => {
  calls += 1
  return undefined
})
const count = async (send: () => Promise<Answer>, status: number): Promise<number> => {
  // Nothing of the sign-in before is still recent.
  vi.setSystemTime(Date.now() + 10 * 60_000)
  calls = 0
  expect((await send()).status).toBe(status)
  return calls
}

it('a policy with remembered devices costs sign-ins without one no table call', async () => {
  const person = await addSignedIn(service)
  const other = await addSignedIn(service)
  const { authenticator } = await enableSecondFactor(service, person)
  const wrong = { ...person, password: 'a wrong one' }
  const none = openRememberingBrowser(service)
  const remembered = openRememberingBrowser(service)
  const countAll = async (browser = none) => [
    await count(() => none.signIn(person), 403),
    await count(() => none.signIn(person, { otp: authenticator.code() }), 200),
    await count(() => none.signIn(person, { otp: '000000', remember_device: true }), 403),
    await count(() => browser.signIn(other), 200),
    await count(() => browser.signIn(wrong), 401),
  ]
  await countAll()
  const withoutPolicy = await countAll()
  await storeSignInPolicy(service, { remembered_device_days: 30 })
  expect(await countAll()).toEqual(withoutPolicy)
  const remember = () => remembered.signIn(person, { otp: authenticator.code(), remember_device: true })
  const [, withCode = 0] = withoutPolicy
  expect(await count(remember, 200)).toBe(withCode + 1)
  expect(await countAll(remembered)).toEqual(withoutPolicy)
  // No guess of a code is counted and refunded.
  expect(await count(() => remembered.signIn(person), 200)).toBeLessThan(withCode)
})
