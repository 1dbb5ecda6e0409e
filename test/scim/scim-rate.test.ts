import { expect, it } from 'vitest'
import { rateLimitDefaults } from '../../lib/kernel/limits/rate-limits.ts'
import { addDirectory, schemas, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'scimRequests=3/600' }, { sendsMail: false })

it('a directory has at least 25 requests a second, and those above the limit are refused with a time', async () => {
  const { max, windowMs } = rateLimitDefaults.scimRequests
  expect((max / windowMs) * 1000).toBeGreaterThanOrEqual(25)
  const { call } = await addDirectory(service, await storeConnection(service))
  for (let at = 0; at < 3; at++) expect((await call('GET', '/Users')).status).toBe(200)
  const refused = await call('GET', '/ServiceProviderConfig')
  expect(refused.body).toMatchObject({ schemas: [schemas.error], status: '429' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
