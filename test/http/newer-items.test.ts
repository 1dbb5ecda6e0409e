import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

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
  const edit = { bearer: admin.bearer, body: { full_name: 'Hedy' } }
  expect((await call('PATCH', `/api/2/users/${person.user.id}`, edit)).status).toBe(500)
  expect((await call('DELETE', `/api/2/users/${person.user.id}`, { bearer: admin.bearer })).status).toBe(500)
  expect(await table.get(key)).toEqual(later)
  await table.put({ ...item, ...key })
  expect(await signIn(service, person)).toMatch(/^lks_/)
})

describe('a list with records of a later version', () => {
  const create = async (path: string, body: object): Promise<{ readonly id: number }> => {
    const answer = await service.client('POST', path, { bearer: admin.bearer, body })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const get = (path: string) => service.client('GET', path, { bearer: admin.bearer })

  it('leaves them out, and says so in the log and a metric', async () => {
    const person = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const group = await create('/api/2/groups', { name: `Later ${randomUUID()}` })
    for (const { id } of [person.user, admin.user]) {
      const joining = { bearer: admin.bearer, body: { groups: [group.id] } }
      expect((await service.client('PATCH', `/api/2/users/${id}`, joining)).status).toBe(200)
    }
    await create('/api/2/api-tokens', { name: 'later' })
    await addPasskey(service, admin)
    await addPerson(service, { username: `Other-${randomUUID()}` })
    // Everything that the administrator needs to call the service stays readable.
    const needed = new Set([userKey(admin.user.id).sk])
    const items = await readItems(service.tableName)
    const isNeeded = ({ pk, sk }: { readonly pk: string; readonly sk: string }) =>
      (pk === userKey(admin.user.id).pk && (needed.has(sk) || sk.startsWith('session#'))) ||
      sk === `group#${group.id}` ||
      pk === `group#${group.id}`
    const later = items.filter((item) => !isNeeded(item) && !/policy|first-admin/.test(item.pk + item.sk))
    for (const item of later) await service.services.table.put({ ...item, schemaVersion: 9 })
    expect(later.length).toBeGreaterThan(20)

    const failed: string[] = []
    const lists = operations.filter(
      ({ method, path }) =>
        method === 'GET' && path.startsWith('/api/') && !/[{]|logout|organizations\/current/.test(path),
    )
    expect(lists.length).toBeGreaterThan(15)
    for (const { path } of [
      ...lists,
      { path: `/api/2/groups/${group.id}` },
      { path: `/api/2/users?groups=${group.id}` },
    ]) {
      const answer = await get(path)
      if (answer.status !== 200) failed.push(`${path}: ${answer.status} ${answer.text}`)
    }
    expect(failed).toEqual([])
    const listed = await get('/api/2/users')

    expect(listed.body.map(({ id }: { readonly id: number }) => id)).toEqual([admin.user.id])
    const reported = service.log.filter((line) => line.includes('"item.unreadable"'))
    expect(reported.join('\n')).toContain('"ItemUnreadable":1')
    expect(reported.join('\n')).toMatch(
      /A stored user has the schema version 9, but this version of Latchkey knows only 1/,
    )
  })
})
