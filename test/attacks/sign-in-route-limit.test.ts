import { expect, it } from 'vitest'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'signInRoutes=5/600' }, { sendsMail: false })

it('counts each lookup of a domain before it, also in parallel', async () => {
  const ask = async (at: number): Promise<number> => {
    const body = { username: `a@domain-${at}.example` }
    return (await service.client('POST', '/api/2/auth/sign-in-route', { body })).status
  }
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(at)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(35)
})
