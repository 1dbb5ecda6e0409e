import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { addPerson, addSignedIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'passwordToolUses=2/120, addressFailures=3/60' })
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.close())

it('a limit that was set holds, for as long as was set', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-01T12:00:00.000Z') })
  const { bearer } = await addSignedIn(service)
  const generate = () => service.client('POST', '/api/2/auth/generate-password', { bearer })
  expect([(await generate()).status, (await generate()).status]).toEqual([200, 200])
  const refused = await generate()
  expect(refused.status).toBe(429)
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(60)
  expect(seconds).toBeLessThanOrEqual(140)
  // The refused one counted too, and its slice of the window is over by now.
  vi.setSystemTime(Date.now() + 140_000)
  expect((await generate()).status).toBe(200)
})

it('guessing is stopped sooner where that was set, and goes on sooner', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-02T12:00:00.000Z') })
  const { user, password } = await addPerson(service)
  const login = (given: string, username = user.username) =>
    service.client('POST', '/api/2/auth/login', { body: { username, password: given } })
  for (const stranger of ['a', 'b', 'c'])
    expect((await login('wrong', `nobody-${stranger}`)).status).toBe(401)
  expect((await login(password)).status).toBe(429)
  vi.setSystemTime(Date.now() + 71_000)
  expect((await login(password)).status).toBe(200)
})
