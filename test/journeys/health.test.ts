import { expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

it('shows everyone that the service answers, and administrators that its parts work', async () => {
  const get = (query: string, bearer?: string) =>
    service.client('GET', `/api/2/health${query}`, bearer === undefined ? {} : { bearer })
  expect((await get('')).body.status).toBe('ok')
  expect((await get('?deep=true')).status).toBe(401)
  expect((await get('?deep=true', (await addSignedIn(service)).bearer)).status).toBe(403)
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { body } = await get('?deep=true', bearer)
  expect(body).toMatchObject({
    status: 'ok',
    checks: [
      { name: 'table', status: 'ok' },
      { name: 'vault', status: 'ok' },
      { name: 'mail', status: 'ok' },
    ],
  })
})

it('shows the parts to no session that an access link opened', async () => {
  const { bearer } = await addSignedIn(service, { permissions: ['media:access'] })
  const link = await service.client('POST', '/api/2/auth/access-tokens', { bearer, body: { bundles: [7] } })
  const guest = await service.client('POST', '/api/2/auth/access-tokens/redeem', {
    body: { token: link.body.token },
  })
  const answer = await service.client('GET', '/api/2/health?deep=true', { bearer: guest.body.session_key })
  expect(answer.status).toBe(403)
})
