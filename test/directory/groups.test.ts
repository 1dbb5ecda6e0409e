import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { groupKey, memberKey, userKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Json } from '../support/client.ts'
import { allPages, costsSince, seedUsers } from '../support/directory.ts'
import { addPerson, addSignedIn, callAs, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

// Managers give only permissions that they have.
const given = ['a:b', 'both:right', 'new:right', 'old:right']
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', ...given] })
const plain = await addSignedIn(service)

const path = '/api/2/groups'
const uniqueName = () => `group-${randomUUID()}`
const call = callAs(service, manager)
const create = (body: object = {}) => call('POST', path, { name: uniqueName(), ...body })
const get = (id: number) => call('GET', `${path}/${id}`)
const put = (id: number, body: object) => call('PUT', `${path}/${id}`, body)
const patch = (id: number, body: object) => call('PATCH', `${path}/${id}`, body)
const remove = (id: number) => call('DELETE', `${path}/${id}`)
const user = async (id: number) => (await call('GET', `/api/2/users/${id}`)).body
const references = (people: readonly Person[]) => people.map(({ user: { id } }) => ({ id }))
const memberIds = (body: { members: { id: number }[] }) => body.members.map(({ id }) => id)
const people = (count: number) => Promise.all(Array.from({ length: count }, () => addPerson(service)))
const sortIds = (ids: readonly number[]) => [...ids].sort((a, b) => a - b)

describe('create_group', () => {
  it('adds a group with defaults for omitted fields, and returns its location', async () => {
    const name = uniqueName()
    const created = await create({ name })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${path}/${created.body.id}`)
    expect(created.body).toEqual({
      id: created.body.id,
      name,
      permissions: [],
      effective_permissions: [],
      members: [],
      members_preview: [],
      ldap: null,
      ldap_dn: null,
      ldap_guid: null,
      unix_groupname: null,
      gid: null,
    })
    expect((await get(created.body.id)).body).toEqual(created.body)
  })

  it('keeps every field, and adds the members', async () => {
    const [one, two] = await people(2)
    const members = references([one, two] as Person[])
    const given = {
      permissions: ['users:view', 'a:b'],
      ldap: { id: 7, x: [1] },
      ldap_dn: 'cn=g',
      ldap_guid: 'g',
      unix_groupname: 'wheel',
      gid: -3,
    }
    const created = await create({ ...given, members: [...members, members[0]] })
    expect(created.body).toMatchObject({ ...given, permissions: ['a:b', 'users:view'] })
    expect(memberIds(created.body)).toEqual(sortIds(members.map(({ id }) => id)))
    expect(created.body.members_preview).toHaveLength(2)
    expect(created.body.members[0]).toMatchObject({
      effective_permissions: ['a:b', 'users:view'],
      ldap: null,
    })
    expect(await user(one?.user.id ?? 0)).toMatchObject({
      groups: [created.body.id],
      group_permissions: ['a:b', 'users:view'],
    })
    const rows = (await call('GET', `${path}?ordering=-id&limit=1`)).body
    expect(rows).toEqual([{ ...created.body, members: memberIds(created.body), ldap: 7 }])
  })

  it('rejects a name that is taken in another spelling, and adds no members then', async () => {
    const { name } = (await create({ name: `Straße ${randomUUID()}` })).body
    const [person] = await people(1)
    for (const taken of [name, name.toUpperCase().replace('SS', 'ß'), name.replace('S', 'Ｓ')]) {
      const answer = await create({ name: taken, members: references([person as Person]) })
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    }
    expect((await user(person?.user.id ?? 0)).groups).toEqual([])
    const names = (await call('GET', `${path}?limit=1000`)).body.map((row: Json) => row['name'])
    expect(names.filter((one: string) => one === name)).toHaveLength(1)
  })

  it('creates exactly one of 50 concurrent groups with the same name', async () => {
    const name = uniqueName()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ name })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  })

  it.each([
    [['name'], { name: '' }],
    [['name'], { name: ' x' }],
    [['name'], { name: 'a\u0000b' }],
    [['name'], { name: 'x'.repeat(256) }],
    [['permissions.0'], { permissions: ['everything'] }],
    [['permissions'], { permissions: Array.from({ length: 501 }, (_, at) => `a:b${at}`) }],
    [['members'], { members: [{ id: 2147483647 }] }],
    [['members.0.id'], { members: [{ id: 0 }] }],
    [['members'], { members: [2147483647] }],
    [['members.0.id'], { members: [1.5] }],
    [['members.0'], { members: ['5'] }],
    [['members.0'], { members: [[5]] }],
    [['members.0.is_admin'], { members: [{ id: 5, is_admin: true }] }],
    [['members'], { members: Array.from({ length: 1001 }, (_, at) => ({ id: at + 1 })) }],
    [['name', 'members'], { name: ' ', members: [{ id: 2147483647 }] }],
    [['gid'], { gid: 2 ** 31 }],
    [['is_admin'], { is_admin: true }],
  ])('rejects invalid %j', async (fields, body) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })
})

describe('update_group', () => {
  it('replaces the whole group: omitted fields return to their defaults, including members', async () => {
    const [person] = await people(1)
    const created = (await create({ permissions: ['a:b'], gid: 4, members: references([person as Person]) }))
      .body
    const name = uniqueName()
    const answer = await put(created.id, { name })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: created.id, name, permissions: [], gid: null, members: [] })
    expect(await user(person?.user.id ?? 0)).toMatchObject({ groups: [], group_permissions: [] })
  })

  it('accepts a body as it was returned, and changes nothing', async () => {
    const created = (await create({ permissions: ['a:b'], ldap: [1], members: references(await people(5)) }))
      .body
    const answer = await put(created.id, {
      ...created,
      id: 1,
      effective_permissions: [],
      members_preview: [],
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(created)
    expect((await service.services.table.get(groupKey(created.id)))?.['version']).toBe(1)
  })

  it('renames a group: the old name becomes free and the new one is taken', async () => {
    const created = (await create()).body
    const name = uniqueName()
    await put(created.id, { name })
    expect((await create({ name })).status).toBe(409)
    expect((await create({ name: created.name })).status).toBe(201)
    expect((await put(created.id, { name: name.toUpperCase() })).body.name).toBe(name.toUpperCase())
    expect((await put(created.id, { name: created.name })).status).toBe(409)
  })

  it('changes nothing if the name is taken or a member is unknown', async () => {
    const taken = (await create()).body.name
    const [oldMember, newMember] = await people(2)
    const created = (await create({ members: references([oldMember as Person]) })).body
    const members = references([newMember as Person])
    expect((await put(created.id, { name: taken, members, permissions: ['a:b'] })).status).toBe(409)
    const unknown = [...members, { id: 2147483647 }]
    expect((await put(created.id, { name: uniqueName(), members: unknown })).status).toBe(400)
    expect((await get(created.id)).body).toEqual(created)
  })

  it('responds 404 for an unknown group, as do all other operations', async () => {
    for (const answer of [
      await get(2147483647),
      await put(2147483647, { name: 'x' }),
      await patch(2147483647, {}),
      await remove(2147483647),
    ])
      expect(answer.status).toBe(404)
  })
})

describe('patch_group', () => {
  it('changes the fields in the body and keeps the others, including members', async () => {
    const created = (await create({ permissions: ['a:b'], gid: 4, members: references(await people(2)) }))
      .body
    const name = uniqueName()
    expect((await patch(created.id, { name })).body).toEqual({ ...created, name })
    expect((await patch(created.id, {})).body).toEqual({ ...created, name })
    expect((await patch(created.id, { members: [] })).body).toEqual({
      ...created,
      name,
      members: [],
      members_preview: [],
    })
  })

  it('responds 200 or 409 to 10 concurrent changes, and keeps both sides of membership consistent', async () => {
    const { id } = (await create()).body
    const members = await people(10)
    const answers = await Promise.all(
      members.map((person, at) => patch(id, { gid: at, members: references([person]) })),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    const { body } = await get(id)
    // The group and the users agree on who is a member.
    for (const { user: one } of members)
      expect((await user(one.id)).groups).toEqual(memberIds(body).includes(one.id) ? [id] : [])
  })
})

describe('the permissions of a group', () => {
  it('apply to its members at once, and end when a member leaves or the group loses them', async () => {
    const member = await addSignedIn(service)
    const listStatus = async () => (await call('GET', path, undefined, member)).status
    const { id } = (await create({ members: references([member]) })).body
    expect(await listStatus()).toBe(403)
    await patch(id, { permissions: ['users:view'] })
    expect(await listStatus()).toBe(200)
    await patch(id, { permissions: [] })
    expect(await listStatus()).toBe(403)
    await patch(id, { permissions: ['users:view'] })
    await patch(id, { members: [] })
    expect(await listStatus()).toBe(403)
    await patch(id, { members: references([member]) })
    expect(await listStatus()).toBe(200)
    expect((await remove(id)).status).toBe(204)
    expect(await listStatus()).toBe(403)
    expect(await user(member.user.id)).toMatchObject({ groups: [], effective_permissions: [] })
  })

  it('never apply to former or future members while the group changes', async () => {
    const before = await people(60)
    const after = await people(60)
    const { id } = (await create({ permissions: ['old:right', 'both:right'], members: references(before) }))
      .body
    const watched = [before[59], after[0]].map((person) => person?.user.id ?? 0)
    const seen = new Set<string>()
    let isDone = false
    const watch = (async () => {
      while (!isDone)
        for (const one of watched) seen.add(`${one} ${(await user(one)).group_permissions.join()}`)
    })()
    const body = { name: uniqueName(), permissions: ['both:right', 'new:right'], members: references(after) }
    expect((await put(id, body)).status).toBe(200)
    isDone = true
    await watch
    expect(
      [...seen].filter((text) => text.startsWith(`${watched[0]} `) && text.includes('new:right')),
    ).toEqual([])
    expect(
      [...seen].filter((text) => text.startsWith(`${watched[1]} `) && text.includes('old:right')),
    ).toEqual([])
    expect((await user(watched[1] ?? 0)).group_permissions).toEqual(['both:right', 'new:right'])
    expect((await user(watched[0] ?? 0)).group_permissions).toEqual([])
  })
})

it('accepts a group as the list returns it, with members by id', async () => {
  const [one, two] = await people(2)
  const created = (
    await create({ members: references([one as Person, two as Person]), permissions: ['a:b'] })
  ).body
  const rows = (await call('GET', `${path}?limit=1000`)).body
  const row = rows.find(({ id }: Json) => id === created.id)
  expect(row.members).toHaveLength(2)
  const back = await put(created.id, row)
  expect(back.status).toBe(200)
  expect(back.body).toEqual(created)
})

describe('a group with many members', () => {
  const firstId = 500_000
  beforeAll(() => seedUsers(service, 1100, firstId, (at) => ({ username: `many-${at}` })))

  it('accepts and removes 1000 members in one request each', async () => {
    const members = Array.from({ length: 1000 }, (_, at) => ({ id: firstId + at }))
    const created = await create({ members, permissions: ['a:b'] })
    expect(created.status).toBe(201)
    expect(memberIds(created.body)).toEqual(members.map(({ id }) => id))
    const read = (await get(created.body.id)).body
    expect(JSON.stringify(read).length).toBeGreaterThan(500_000)
    const back = await put(created.body.id, read)
    expect({ status: back.status, body: back.body }).toEqual({ status: 200, body: read })
    const shifted = members.map(({ id }) => ({ id: id + 100 }))
    expect(memberIds((await patch(created.body.id, { members: shifted })).body)).toEqual(
      shifted.map(({ id }) => id),
    )
    expect((await user(firstId)).groups).toEqual([])
    expect((await user(firstId + 1099)).groups).toEqual([created.body.id])
    expect((await remove(created.body.id)).status).toBe(204)
    expect((await user(firstId + 1099)).groups).toEqual([])
    expect(await service.services.table.get(memberKey(created.body.id, firstId + 1099))).toBeUndefined()
  })

  it('shows the first 1000 members, and rejects changes that would remove the others', async () => {
    const members = Array.from({ length: 1000 }, (_, at) => ({ id: firstId + at }))
    const { id, name } = (await create({ members })).body
    for (let at = 1000; at < 1002; at++)
      expect((await call('PATCH', `/api/2/users/${firstId + at}`, { groups: [id] })).status).toBe(200)
    const read = (await get(id)).body
    expect(read.members).toHaveLength(1000)
    for (const answer of [
      await put(id, { name }),
      await patch(id, { members: [] }),
      await patch(id, { members }),
    ]) {
      expect(answer.status).toBe(409)
      expect(answer.body.detail).toContain('1000')
    }
    expect((await patch(id, { name: uniqueName() })).status).toBe(200)
    expect((await user(firstId + 1001)).groups).toEqual([id])
    const listed = await allPages<Json>(service, `/api/2/users?groups=${id}&limit=500`, manager.bearer)
    expect(listed.flat()).toHaveLength(1002)
    const row = async () => (await call('GET', `${path}?ordering=-id&limit=1`)).body[0]
    expect((await row()).members).toEqual(members.map((member) => member.id))
    expect((await call('PATCH', `/api/2/users/${firstId}`, { groups: [] })).status).toBe(200)
    expect((await row()).members).toEqual(
      members
        .slice(1)
        .map((member) => member.id)
        .concat(firstId + 1000),
    )
  })

  it('rejects a user who is already in 200 groups', async () => {
    const [person] = (await people(1)) as [Person]
    const filler = Array.from({ length: 200 }, (_, at) => 900_000 + at)
    await service.services.table.update(userKey(person.user.id), (x) => ({
      set: [`${x.path('groups')} = ${x.value(filler)}`],
    }))
    const answer = await create({ members: references([person]) })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].message).toContain('200 groups')
  })
})

describe('delete_group', () => {
  it('completes an interrupted deletion', async () => {
    const members = await people(30)
    const created = (await create({ permissions: ['users:view'], members: references(members) })).body
    await service.services.table.transact([{ delete: groupKey(created.id) }])
    const [first] = members
    expect(await user(first?.user.id ?? 0)).toMatchObject({ groups: [], effective_permissions: [] })
    expect((await service.services.table.get(userKey(first?.user.id ?? 0)))?.['groups']).toEqual([created.id])
    expect((await remove(created.id)).status).toBe(204)
    expect((await service.services.table.get(userKey(first?.user.id ?? 0)))?.['groups']).toEqual([])
    expect((await remove(created.id)).status).toBe(404)
  })

  it('leaves no permissions to any member when it runs 10 times while members are added', async () => {
    const members = await people(10)
    const { id } = (await create({ permissions: ['users:view'], members: references(members.slice(0, 5)) }))
      .body
    const [, ...answers] = await Promise.all([
      ...members.slice(5).map(({ user: one }) => call('PATCH', `/api/2/users/${one.id}`, { groups: [id] })),
      ...Array.from({ length: 10 }, () => remove(id)),
    ])
    for (const { status } of answers) expect([200, 204, 400, 404, 409]).toContain(status)
    expect((await get(id)).status).toBe(404)
    for (const { user: one } of members)
      expect(await user(one.id)).toMatchObject({ groups: [], effective_permissions: [] })
  })
})

describe('the list of groups', () => {
  it.each(['id', '-id', 'name', '-name'])(
    'returns every group once by %s, page by page',
    async (ordering) => {
      const rows = (
        await allPages<Json>(service, `${path}?ordering=${ordering}&limit=5`, manager.bearer)
      ).flat()
      const keys = rows.map(({ id, name }) => (ordering.endsWith('id') ? id : name.toLowerCase()))
      const expected = [...keys].sort((a, b) => (a < b ? -1 : 1))
      expect(keys).toEqual(ordering.startsWith('-') ? expected.reverse() : expected)
      expect(rows.length).toBeGreaterThan(10)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    },
  )

  it('shows the same members as the group itself after concurrent changes from both sides', async () => {
    const members = await people(12)
    const { id } = (await create({ members: references(members.slice(0, 6)) })).body
    const changes = members.flatMap(({ user: one }, at) => [
      call('PATCH', `/api/2/users/${one.id}`, { groups: at % 2 === 0 ? [id] : [] }),
      patch(id, { members: references(members.slice(at % 4, 8)) }),
    ])
    for (const { status } of await Promise.all(changes)) expect([200, 409]).toContain(status)
    await call('DELETE', `/api/2/users/${members[3]?.user.id}`)
    const rows: readonly Json[] = (await call('GET', `${path}?ordering=-id&limit=1`)).body
    const [row] = rows
    expect(row?.['members']).toEqual(sortIds(memberIds((await get(id)).body)))
    expect(row?.['id']).toBe(id)
  })

  it('shows the ids of all members and a preview of the first three', async () => {
    const members = await people(5)
    const created = (await create({ members: references(members) })).body
    const [row] = (await call('GET', `${path}?ordering=-id&limit=1`)).body
    expect(row).toMatchObject({ id: created.id, members: memberIds(created) })
    expect(row.members_preview).toEqual(
      created.members.slice(0, 3).map(({ id, email }: Json) => ({ id, avatar: null, email })),
    )
  })

  it('costs as many calls for 30 groups as for 10, with and without members', async () => {
    for (let at = 0; at < 30; at++) await create({ members: references(await people(1)) })
    const measure = async (query: string) => {
      const logStart = service.log.length
      const rows: readonly Json[] = (await call('GET', `${path}?ordering=-id&${query}`)).body
      return { rows, calls: costsSince(service, logStart)[0]?.calls ?? Number.NaN }
    }
    const small = await measure('limit=10')
    expect(small.rows.map(({ members }) => (members as unknown as Json[]).length)).toEqual(Array(10).fill(1))
    const large = await measure('limit=30')
    expect([large.rows.length, large.calls]).toEqual([30, small.calls])
    const names = await measure('limit=30&include_members=false')
    expect(names.rows).toEqual(large.rows.map((row) => ({ ...row, members: [], members_preview: [] })))
    expect(names.calls).toBeLessThan(small.calls)
  })

  it('requires users:view, and changes require users:manage', async () => {
    const viewer = await addSignedIn(service, { permissions: ['users:view'] })
    const { id } = (await create()).body
    const tries = [
      ['GET', path],
      ['GET', `${path}/${id}`],
      ['POST', path, { name: 'x' }],
      ['PUT', `${path}/${id}`, { name: 'x' }],
      ['PATCH', `${path}/${id}`, { name: 'x' }],
      ['DELETE', `${path}/${id}`],
    ] as const
    for (const [method, at, body] of tries) {
      expect((await service.client(method, at)).status).toBe(401)
      expect((await call(method, at, body, plain)).status).toBe(403)
      expect((await call(method, at, body, viewer)).status).toBe(method === 'GET' ? 200 : 403)
    }
    expect((await get(id)).status).toBe(200)
  })
})
