import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { groupKey, userTemplateKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Json } from '../support/client.ts'
import { allPages, costsSince } from '../support/directory.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

// Managers give only permissions that they have.
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', 'a:b', 'c:d'] })
const viewer = await addSignedIn(service, { permissions: ['users:view'] })

const path = '/api/2/user-templates'
const uniqueName = () => `template-${randomUUID()}`
const call = callAs(service, manager)
const create = (body: object = {}) => call('POST', path, { name: uniqueName(), ...body })
const at = (id: number) => `${path}/${id}`
const group = async (): Promise<number> =>
  (await call('POST', '/api/2/groups', { name: `group-${randomUUID()}` })).body.id

describe('a user template', () => {
  it('is created with defaults for omitted fields, and its location is returned', async () => {
    const name = uniqueName()
    const created = await create({ name })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(at(created.body.id))
    expect(created.body).toEqual({
      id: created.body.id,
      name,
      permissions: [],
      groups: [],
      language: null,
      default_page: '/',
      is_external: false,
    })
    expect((await call('GET', at(created.body.id))).body).toEqual(created.body)
  })

  it('is replaced by PUT, changed by PATCH, and accepts a body as it was returned', async () => {
    const groups = [await group(), await group()]
    const given = {
      permissions: ['a:b', 'c:d'],
      groups,
      language: 'fr',
      default_page: '/f',
      is_external: true,
    }
    const created = (await create(given)).body
    expect(created).toMatchObject(given)
    expect((await call('PUT', at(created.id), { ...created, id: 1 })).body).toEqual(created)
    expect((await call('PATCH', at(created.id), {})).body).toEqual(created)
    expect((await service.services.table.get(userTemplateKey(created.id)))?.['version']).toBe(1)
    const patched = (await call('PATCH', at(created.id), { language: null, groups: [groups[1]] })).body
    expect(patched).toEqual({ ...created, language: null, groups: [groups[1]] })
    const name = uniqueName()
    expect((await call('PUT', at(created.id), { name })).body).toEqual({
      id: created.id,
      name,
      permissions: [],
      groups: [],
      language: null,
      default_page: '/',
      is_external: false,
    })
  })

  it('omits deleted groups, and accepts a body as it was returned', async () => {
    const groups = [await group(), await group()]
    const created = (await create({ groups })).body
    await service.services.table.transact([{ delete: groupKey(groups[0] ?? 0) }])
    const read = (await call('GET', at(created.id))).body
    expect(read.groups).toEqual([groups[1]])
    expect((await call('PUT', at(created.id), read)).status).toBe(200)
  })

  it('has a name that is unique in any spelling', async () => {
    const { name } = (await create()).body
    const other = (await create()).body
    expect((await create({ name: name.toUpperCase() })).status).toBe(409)
    expect((await call('PATCH', at(other.id), { name })).status).toBe(409)
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: `${name} again` })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it('is deleted exactly once, and its name becomes free', async () => {
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
  ])('rejects invalid %j', async (fields, body) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })

  it('responds 200 or 409 to 10 concurrent changes', async () => {
    const { id } = (await create()).body
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => call('PATCH', at(id), { default_page: `/${turn}` })),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const written = answers.filter(({ status }) => status === 200).map(({ body }) => body.default_page)
    expect(written).toContain((await call('GET', at(id))).body.default_page)
  })
})

describe('the list of user templates', () => {
  it.each(['id', '-id', 'name', '-name'])(
    'returns every template once by %s, page by page',
    async (ordering) => {
      for (let n = 0; n < 4; n++) await create()
      const rows = (
        await allPages<Json>(service, `${path}?ordering=${ordering}&limit=3`, viewer.bearer)
      ).flat()
      const keys = rows.map(({ id, name }) => (ordering.endsWith('id') ? id : name.toLowerCase()))
      const expected = [...keys].sort((a, b) => (a < b ? -1 : 1))
      expect(keys).toEqual(ordering.startsWith('-') ? expected.reverse() : expected)
      expect(rows.length).toBeGreaterThan(6)
    },
  )

  it('costs at most four table calls', async () => {
    const logStart = service.log.length
    await call('GET', `${path}?limit=5`, undefined, viewer)
    expect(costsSince(service, logStart)[0]?.calls).toBeLessThanOrEqual(4)
  })

  it('requires users:view, and changes require users:manage', async () => {
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
      expect((await call(method, where, body, plain)).status).toBe(403)
      expect((await call(method, where, body, viewer)).status).toBe(method === 'GET' ? 200 : 403)
    }
  })
})
