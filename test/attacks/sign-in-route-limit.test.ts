import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'signInRoutes=5/600' }, { sendsMail: false })
})
afterAll(() => service.close())

it('counts each lookup of a domain before it, also in parallel', async () => {
  const ask = async (at: number): Promise<number> => {
    const body = { username: `a@domain-${at}.example` }
    return (await service.client('POST', '/api/2/auth/sign-in-route', { body })).status
  }
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(at)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(35)
})
