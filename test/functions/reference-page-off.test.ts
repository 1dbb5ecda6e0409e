import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ API_REFERENCE: 'off' })
})
afterAll(() => service.close())

it.each(['/docs', '/docs/tickets', '/docs/search.json'])(
  'has no %s if the setting turns it off',
  async (path) => {
    const { status, body } = await service.client('GET', path)
    expect(status).toBe(404)
    expect(body.code).toBe('not_found')
  },
)
