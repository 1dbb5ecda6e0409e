import { afterAll, expect, it, vi } from 'vitest'
import { storeTestResult } from '../../lib/features/connections/flows.records.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
afterAll(() => vi.useRealTimers())

it('a result of a test sign-in ends after a day, even if DynamoDB deletes it later', async () => {
  const receivedAt = Date.now()
  const diagnosis = JSON.stringify({ accepted: true, steps: [], subject: null })
  await storeTestResult(service.services.table, 1, 'request', { receivedAt, diagnosis }, receivedAt)
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const read = () => service.client('GET', '/api/2/auth/connections/1/tests/request', { bearer })
  vi.useFakeTimers({ toFake: ['Date'], now: receivedAt + 86_399_000 })
  expect((await read()).status).toBe(200)
  vi.setSystemTime(receivedAt + 86_400_000)
  expect((await read()).status).toBe(404)
})
