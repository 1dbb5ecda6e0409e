import { expect, it } from 'vitest'
import { useService } from '../support/use-service.ts'

const service = await useService({ API_REFERENCE: 'off' })

it.each(['/docs', '/docs/tickets', '/docs/search.json'])(
  'has no %s if the setting turns it off',
  async (path) => {
    const { status, body } = await service.client('GET', path)
    expect(status).toBe(404)
    expect(body.code).toBe('not_found')
  },
)

it('is not named by a 404', async () => {
  const { body } = await service.client('GET', '/api/2/userz')
  expect(body.detail).toBe('Nothing has this path. Compare it with the API reference.')
})
