import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { groupKey, type Key, userKey } from '../../lib/store/engine/keys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let admin: string
beforeAll(async () => {
  service = await startService()
  admin = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
})
afterAll(() => service.close())

/** Stores an item with the attribute names of version 0.1.0. */
const storeWithEarlierNames = async (key: Key, names: Readonly<Record<string, string>>): Promise<void> => {
  const { table } = service.services
  const item = await table.get(key)
  if (!item) throw new Error('the item does not exist')
  const { schemaVersion: _, ...attributes } = item
  const renamed = Object.entries(attributes).map(([name, value]) => [names[name] ?? name, value])
  await table.put({ ...key, ...Object.fromEntries(renamed) })
}

describe('a user stored by version 0.1.0', () => {
  it('signs in, is renamed, and frees the old name and address', async () => {
    const [username, email] = [`Ada-${randomUUID()}`, `${randomUUID()}@example.com`]
    const person = await addPerson(service, { username, email })
    await storeWithEarlierNames(userKey(person.user.id), {
      normalizedUsername: 'foldedUsername',
      normalizedEmail: 'foldedEmail',
    })
    expect(await signIn(service, person)).toMatch(/^lks_/)
    const edit = { username: `Grace-${randomUUID()}`, email: `${randomUUID()}@example.com` }
    const edited = await service.client('PATCH', `/api/2/users/${person.user.id}`, {
      bearer: admin,
      body: edit,
    })
    expect(edited.body).toMatchObject(edit)
    expect(await signIn(service, { ...person, user: { ...person.user, username: edit.username } })).toMatch(
      /^lks_/,
    )
    const successor = await service.client('POST', '/api/2/users', {
      bearer: admin,
      body: { username, email, permissions: [], groups: [] },
    })
    expect(successor.status).toBe(201)
  })
})

describe('a group stored by version 0.1.0', () => {
  it('is renamed and frees the old name', async () => {
    const name = `Group ${randomUUID()}`
    const create = () =>
      service.client('POST', '/api/2/groups', { bearer: admin, body: { name, permissions: [], members: [] } })
    const { body } = await create()
    await storeWithEarlierNames(groupKey(body.id), { normalizedName: 'foldedName' })
    const renamed = await service.client('PATCH', `/api/2/groups/${body.id}`, {
      bearer: admin,
      body: { name: `${name} renamed` },
    })
    expect(renamed.status).toBe(200)
    expect((await create()).status).toBe(201)
  })
})

describe('a user stored by a later version', () => {
  it('is neither read nor changed, and works again after the later version is deployed', async () => {
    const person = await addPerson(service, { username: `Hedy-${randomUUID()}` })
    const key = userKey(person.user.id)
    const { table } = service.services
    const item = await table.get(key)
    expect(item).toMatchObject({ schemaVersion: 2 })
    const later = { ...item, ...key, schemaVersion: 3 }
    await table.put(later)
    const call = service.client
    const credentials = { username: person.user.username, password: person.password }
    expect((await call('POST', '/api/2/auth/login', { body: credentials })).status).toBe(500)
    const edit = { bearer: admin, body: { full_name: 'Hedy' } }
    expect((await call('PATCH', `/api/2/users/${person.user.id}`, edit)).status).toBe(500)
    expect((await call('DELETE', `/api/2/users/${person.user.id}`, { bearer: admin })).status).toBe(500)
    expect(await table.get(key)).toEqual(later)
    await table.put({ ...later, schemaVersion: 2 })
    expect(await signIn(service, person)).toMatch(/^lks_/)
  })
})
