import { expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

// The key of the vault cannot be read, as if the permission to use it was missing.
const service = await useService({ LOCAL_KEY_FILE: '/dev/null/vault.key' })

it('a health check answers 503 if a part does not work, and 200 if the function answers', async () => {
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const deep = await service.client('GET', '/api/2/health?deep=true', { bearer })
  expect(deep).toMatchObject({ status: 503, body: { status: 'failing' } })
  expect(deep.body.checks).toMatchObject([
    { name: 'table', status: 'ok' },
    { name: 'vault', status: 'failing' },
    { name: 'mail', status: 'ok' },
  ])
  expect(deep.text).not.toContain('vault.key')
  expect(await service.client('GET', '/api/2/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
})
