import { expect, it } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Who looks for what a session or an API token did finds it in the events. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = (method: string, path: string, bearer: string, body?: object) =>
  service.client(method, `/api/2/${path}`, { bearer, body })
const findEvent = async (event: string, user: number) =>
  (await call('GET', `auth/audit-events?event=${event}&user=${user}`, admin.bearer)).body[0]

it('names the session and the API token that made a change, and nothing where none did', async () => {
  const { user, password } = await addPerson(service)
  const { body: token } = await call('POST', 'api-tokens', admin.bearer, { name: 'Script' })
  const rename = (full_name: string, bearer: string) =>
    call('PATCH', `users/${user.id}`, bearer, { full_name })

  const [session] = (await call('GET', `users/${admin.user.id}/sessions`, admin.bearer)).body
  expect((await rename('Ada', admin.bearer)).status).toBe(200)
  expect(await findEvent('user.changed', user.id)).toMatchObject({
    credential: 'session',
    credential_id: session.id,
  })
  expect((await rename('Ada Lovelace', token.token)).status).toBe(200)
  expect(await findEvent('user.changed', user.id)).toMatchObject({
    credential: 'api_token',
    credential_id: token.id,
  })
  const did = await call(
    'GET',
    `auth/audit-events?credential=api_token&credential_id=${token.id}&actor=${admin.user.id}`,
    admin.bearer,
  )
  expect(did.body.map(({ event }: JsonValue) => event)).toEqual(['user.changed'])
  const names = await call('GET', `auth/audit-events?field=full_name&user=${user.id}`, admin.bearer)
  expect(names.body).toHaveLength(2)
  const none = await call('GET', `auth/audit-events?field=email&user=${user.id}`, admin.bearer)
  expect(none.body).toEqual([])
  expect((await call('GET', 'auth/audit-events?credential=password', admin.bearer)).status).toBe(400)
  await service.client('POST', '/api/2/auth/login', { body: { username: user.username, password } })
  expect(await findEvent('login.succeeded', user.id)).not.toHaveProperty('credential_id')
})
