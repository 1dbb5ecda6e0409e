import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { groupKey, userTemplateKey } from '../../lib/store/engine/keys.ts'
import type { Json } from '../support/client.ts'
import { allPages, costsSince } from '../support/directory.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let manager: SignedInPerson
let viewer: SignedInPerson
beforeAll(async () => {
  service = await startService()
  manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
  viewer = await addSignedIn(service, { permissions: ['users:view'] })
})
afterAll(() => service.close())

const path = '/api/2/user-templates'
const uniqueName = () => `template-${randomUUID()}`
const call = (method: string, at: string, body?: object, bearer = manager.bearer) =>
  service.client(method, at, { bearer, ...(body ? { body } : {}) })
const create = (body: object = {}) => call('POST', path, { name: uniqueName(), ...body })
const at = (id: number) => `${path}/${id}`
const group = async (): Promise<number> =>
  (await call('POST', '/api/2/groups', { name: `group-${randomUUID()}` })).body.id

describe('a user template', () => {
  it('is made with defaults for all that is left out, and says where it is', async () => {
    const name = uniqueName()
    const made = await create({ name })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(at(made.body.id))
    expect(made.body).toEqual({
      id: made.body.id,
      name,
      permissions: [],
      groups: [],
      language: null,
      default_page: '/',
      is_external: false,
    })
    expect((await call('GET', at(made.body.id))).body).toEqual(made.body)
  })

  it('is replaced by PUT, changed by PATCH, and takes back what was read', async () => {
    const groups = [await group(), await group()]
    const given = {
      permissions: ['a:b', 'c:d'],
      groups,
      language: 'fr',
      default_page: '/f',
      is_external: true,
    }
    const made = (await create(given)).body
    expect(made).toMatchObject(given)
    expect((await call('PUT', at(made.id), { ...made, id: 1 })).body).toEqual(made)
    expect((await call('PATCH', at(made.id), {})).body).toEqual(made)
    expect((await service.services.table.get(userTemplateKey(made.id)))?.['version']).toBe(1)
    const patched = (await call('PATCH', at(made.id), { language: null, groups: [groups[1]] })).body
    expect(patched).toEqual({ ...made, language: null, groups: [groups[1]] })
    const name = uniqueName()
    expect((await call('PUT', at(made.id), { name })).body).toEqual({
      id: made.id,
      name,
      permissions: [],
      groups: [],
      language: null,
      default_page: '/',
      is_external: false,
    })
  })

  it('doesn’t show a group that was deleted, and can still be sent back', async () => {
    const groups = [await group(), await group()]
    const made = (await create({ groups })).body
    await service.services.table.transact([{ delete: groupKey(groups[0] ?? 0) }])
    const read = (await call('GET', at(made.id))).body
    expect(read.groups).toEqual([groups[1]])
    expect((await call('PUT', at(made.id), read)).status).toBe(200)
  })

  it('has a name of its own, in whatever spelling', async () => {
    const { name } = (await create()).body
    const other = (await create()).body
    expect((await create({ name: name.toUpperCase() })).status).toBe(409)
    expect((await call('PATCH', at(other.id), { name })).status).toBe(409)
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: `${name} again` })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it('is deleted once, and its name is free', async () => {
    const { id, name } = (await create()).body
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => call('DELETE', at(id))))).map(
      ({ status }) => status,
    )
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    for (const method of ['GET', 'DELETE']) expect((await call(method, at(id))).status).toBe(404)
    expect((await call('PATCH', at(id), {})).status).toBe(404)
    expect((await create({ name })).status).toBe(201)
  })

  it.each([
    [['name'], { name: 'a\nb' }],
    [['groups'], { groups: [2147483647] }],
    [['groups'], { groups: Array.from({ length: 201 }, (_, n) => n + 1) }],
    [['permissions.0'], { permissions: ['*'] }],
    [['language'], { language: 'tlh' }],
    [['default_page'], { default_page: null }],
    [['users'], { users: [1] }],
    [['name', 'groups'], { name: ' ', groups: [2147483647] }],
  ])('refuses unusable %j', async (fields, body) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })

  it('changed by ten at once tells those that lost', async () => {
    const { id } = (await create()).body
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => call('PATCH', at(id), { default_page: `/${turn}` })),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const told = answers.filter(({ status }) => status === 200).map(({ body }) => body.default_page)
    expect(told).toContain((await call('GET', at(id))).body.default_page)
  })
})

describe('the list of user templates', () => {
  it.each(['id', '-id', 'name', '-name'])('by %s in pages has each once, in order', async (ordering) => {
    for (let n = 0; n < 4; n++) await create()
    const rows = (await allPages<Json>(service, `${path}?ordering=${ordering}&limit=3`, viewer.bearer)).flat()
    const keys = rows.map(({ id, name }) => (ordering.endsWith('id') ? id : name.toLowerCase()))
    const expected = [...keys].sort((a, b) => (a < b ? -1 : 1))
    expect(keys).toEqual(ordering.startsWith('-') ? expected.reverse() : expected)
    expect(rows.length).toBeGreaterThan(6)
  })

  it('costs what its page costs', async () => {
    const place = service.log.length
    await call('GET', `${path}?limit=5`, undefined, viewer.bearer)
    expect(costsSince(service, place)[0]?.calls).toBeLessThanOrEqual(4)
  })

  it('needs users:view, and changes need users:manage', async () => {
    const { id } = (await create()).body
    const plain = await addSignedIn(service)
    for (const [method, where, body] of [
      ['GET', path],
      ['GET', at(id)],
      ['POST', path, { name: 'x' }],
      ['PUT', at(id), { name: 'x' }],
      ['PATCH', at(id), { name: 'x' }],
      ['DELETE', at(id)],
    ] as const) {
      expect((await service.client(method, where)).status).toBe(401)
      expect((await call(method, where, body, plain.bearer)).status).toBe(403)
      expect((await call(method, where, body, viewer.bearer)).status).toBe(method === 'GET' ? 200 : 403)
    }
  })
})
