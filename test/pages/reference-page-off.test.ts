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
