import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { userKey } from '../../lib/store/keys/keys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let admin: string
beforeAll(async () => {
  service = await startService()
  admin = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
})
afterAll(() => service.close())

it('neither reads nor changes a user of a later version, who works again once that version is deployed', async () => {
  const person = await addPerson(service, { username: `Hedy-${randomUUID()}` })
  const key = userKey(person.user.id)
  const { table } = service.services
  const item = await table.get(key)
  const later = { ...item, ...key, schemaVersion: 2 }
  await table.put(later)
  const call = service.client
  const credentials = { username: person.user.username, password: person.password }
  expect((await call('POST', '/api/2/auth/login', { body: credentials })).status).toBe(500)
  const edit = { bearer: admin, body: { full_name: 'Hedy' } }
  expect((await call('PATCH', `/api/2/users/${person.user.id}`, edit)).status).toBe(500)
  expect((await call('DELETE', `/api/2/users/${person.user.id}`, { bearer: admin })).status).toBe(500)
  expect(await table.get(key)).toEqual(later)
  await table.put({ ...item, ...key })
  expect(await signIn(service, person)).toMatch(/^lks_/)
})
