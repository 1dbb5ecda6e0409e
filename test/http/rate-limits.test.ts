import { afterEach, expect, it, vi } from 'vitest'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'passwordToolUses=2/120, addressFailures=3/60' })
afterEach(() => vi.useRealTimers())

it('applies a custom limit for its custom period', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-01T12:00:00.000Z') })
  const { bearer } = await addSignedIn(service)
  const generate = () => service.client('POST', '/api/2/auth/generate-password', { bearer })
  expect([(await generate()).status, (await generate()).status]).toEqual([200, 200])
  const refused = await generate()
  expect(refused.status).toBe(429)
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(60)
  expect(seconds).toBeLessThanOrEqual(140)
  // The rejected request counted too. Its slice of the window has ended by then.
  vi.setSystemTime(Date.now() + 140_000)
  expect((await generate()).status).toBe(200)
})

it('blocks password guessing by the custom limit and period', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-02T12:00:00.000Z') })
  const { user, password } = await addPerson(service)
  const login = (guess: string, username = user.username) =>
    service.client('POST', '/api/2/auth/login', { body: { username, password: guess } })
  for (const suffix of ['a', 'b', 'c']) expect((await login('wrong', `unknown-${suffix}`)).status).toBe(401)
  expect((await login(password)).status).toBe(429)
  vi.setSystemTime(Date.now() + 71_000)
  expect((await login(password)).status).toBe(200)
})
