import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { groupKey, memberKey, userKey } from '../../lib/store/engine/keys.ts'
import type { Json } from '../support/client.ts'
import { allPages, costsSince, seedUsers } from '../support/directory.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let manager: SignedInPerson
let plain: SignedInPerson
beforeAll(async () => {
  service = await startService()
  manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
  plain = await addSignedIn(service)
})
afterAll(() => service.close())

const path = '/api/2/groups'
const uniqueName = () => `group-${randomUUID()}`
const call = (method: string, at: string, body?: object, bearer = manager.bearer) =>
  service.client(method, at, { bearer, ...(body ? { body } : {}) })
const create = (body: object = {}) => call('POST', path, { name: uniqueName(), ...body })
const get = (id: number) => call('GET', `${path}/${id}`)
const put = (id: number, body: object) => call('PUT', `${path}/${id}`, body)
const patch = (id: number, body: object) => call('PATCH', `${path}/${id}`, body)
const remove = (id: number) => call('DELETE', `${path}/${id}`)
const user = async (id: number) => (await call('GET', `/api/2/users/${id}`)).body
const references = (people: readonly Person[]) => people.map(({ user: { id } }) => ({ id }))
const memberIds = (body: { members: { id: number }[] }) => body.members.map(({ id }) => id)
const people = (count: number) => Promise.all(Array.from({ length: count }, () => addPerson(service)))
const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b)

describe('create_group', () => {
  it('adds a group with defaults for all that was left out, and says where it is', async () => {
    const name = uniqueName()
    const made = await create({ name })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${path}/${made.body.id}`)
    expect(made.body).toEqual({
      id: made.body.id,
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
    expect((await get(made.body.id)).body).toEqual(made.body)
  })

  it('keeps every field as given, and makes its members', async () => {
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
    const made = await create({ ...given, members: [...members, members[0]] })
    expect(made.body).toMatchObject({ ...given, permissions: ['a:b', 'users:view'] })
    expect(memberIds(made.body)).toEqual(sorted(members.map(({ id }) => id)))
    expect(made.body.members_preview).toHaveLength(2)
    expect(made.body.members[0]).toMatchObject({ effective_permissions: ['a:b', 'users:view'], ldap: null })
    expect(await user(one?.user.id ?? 0)).toMatchObject({
      groups: [made.body.id],
      group_permissions: ['a:b', 'users:view'],
    })
    const rows = (await call('GET', `${path}?ordering=-id&limit=1`)).body
    expect(rows).toEqual([{ ...made.body, members: memberIds(made.body), ldap: 7 }])
  })

  it('takes a name once, in whatever spelling, and leaves nothing behind when it is taken', async () => {
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

  it('fifty times at once with one name makes one group', async () => {
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
  ])('refuses unusable %j', async (fields, body) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })
})

describe('update_group', () => {
  it('replaces: what is left out returns to its default, the members too', async () => {
    const [person] = await people(1)
    const made = (await create({ permissions: ['a:b'], gid: 4, members: references([person as Person]) }))
      .body
    const name = uniqueName()
    const answer = await put(made.id, { name })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: made.id, name, permissions: [], gid: null, members: [] })
    expect(await user(person?.user.id ?? 0)).toMatchObject({ groups: [], group_permissions: [] })
  })

  it('takes back a body that was read, whole, and changes nothing by it', async () => {
    const made = (await create({ permissions: ['a:b'], ldap: [1], members: references(await people(5)) }))
      .body
    const answer = await put(made.id, { ...made, id: 1, effective_permissions: [], members_preview: [] })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(made)
    expect((await service.services.table.get(groupKey(made.id)))?.['version']).toBe(1)
  })

  it('moves the name: the old one is free, and the new one taken', async () => {
    const made = (await create()).body
    const name = uniqueName()
    await put(made.id, { name })
    expect((await create({ name })).status).toBe(409)
    expect((await create({ name: made.name })).status).toBe(201)
    expect((await put(made.id, { name: name.toUpperCase() })).body.name).toBe(name.toUpperCase())
    expect((await put(made.id, { name: made.name })).status).toBe(409)
  })

  it('with a taken name or an unknown member changes nothing at all', async () => {
    const taken = (await create()).body.name
    const [stays, comes] = await people(2)
    const made = (await create({ members: references([stays as Person]) })).body
    const members = references([comes as Person])
    expect((await put(made.id, { name: taken, members, permissions: ['a:b'] })).status).toBe(409)
    const unknown = [...members, { id: 2147483647 }]
    expect((await put(made.id, { name: uniqueName(), members: unknown })).status).toBe(400)
    expect((await get(made.id)).body).toEqual(made)
  })

  it('is a 404 for none', async () => {
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
  it('changes what the body names and keeps the rest, the members too', async () => {
    const made = (await create({ permissions: ['a:b'], gid: 4, members: references(await people(2)) })).body
    const name = uniqueName()
    expect((await patch(made.id, { name })).body).toEqual({ ...made, name })
    expect((await patch(made.id, {})).body).toEqual({ ...made, name })
    expect((await patch(made.id, { members: [] })).body).toEqual({
      ...made,
      name,
      members: [],
      members_preview: [],
    })
  })

  it('by ten at once lets those win that were in time, and tells the others', async () => {
    const { id } = (await create()).body
    const crowd = await people(10)
    const answers = await Promise.all(
      crowd.map((person, at) => patch(id, { gid: at, members: references([person]) })),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    const { body } = await get(id)
    // Whoever is told to be a member is one by its own record too, and nobody else.
    for (const { user: one } of crowd)
      expect((await user(one.id)).groups).toEqual(memberIds(body).includes(one.id) ? [id] : [])
  })
})

describe('the permissions of a group', () => {
  it('are its members’ at once, and not any more when it loses them or they leave it', async () => {
    const member = await addSignedIn(service)
    const sees = async () => (await call('GET', path, undefined, member.bearer)).status
    const { id } = (await create({ members: references([member]) })).body
    expect(await sees()).toBe(403)
    await patch(id, { permissions: ['users:view'] })
    expect(await sees()).toBe(200)
    await patch(id, { permissions: [] })
    expect(await sees()).toBe(403)
    await patch(id, { permissions: ['users:view'] })
    await patch(id, { members: [] })
    expect(await sees()).toBe(403)
    await patch(id, { members: references([member]) })
    expect(await sees()).toBe(200)
    expect((await remove(id)).status).toBe(204)
    expect(await sees()).toBe(403)
    expect(await user(member.user.id)).toMatchObject({ groups: [], effective_permissions: [] })
  })

  it('are never anybody’s who is in the group only before or only after, while it changes', async () => {
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

it('can be sent back as a list shows it, its members by id', async () => {
  const [one, two] = await people(2)
  const made = (await create({ members: references([one as Person, two as Person]), permissions: ['a:b'] }))
    .body
  const rows = (await call('GET', `${path}?limit=1000`)).body
  const row = rows.find(({ id }: Json) => id === made.id)
  expect(row.members).toHaveLength(2)
  const back = await put(made.id, row)
  expect(back.status).toBe(200)
  expect(back.body).toEqual(made)
})

describe('a group of many', () => {
  it('takes a thousand members and lets them go, in a request each', async () => {
    await seedUsers(service, 1100, 500_000, (at) => ({ username: `many-${at}` }))
    const members = Array.from({ length: 1000 }, (_, at) => ({ id: 500_000 + at }))
    const made = await create({ members, permissions: ['a:b'] })
    expect(made.status).toBe(201)
    expect(memberIds(made.body)).toEqual(members.map(({ id }) => id))
    const read = (await get(made.body.id)).body
    expect(JSON.stringify(read).length).toBeGreaterThan(500_000)
    const back = await put(made.body.id, read)
    expect({ status: back.status, body: back.body }).toEqual({ status: 200, body: read })
    const shifted = members.map(({ id }) => ({ id: id + 100 }))
    expect(memberIds((await patch(made.body.id, { members: shifted })).body)).toEqual(
      shifted.map(({ id }) => id),
    )
    expect((await user(500_000)).groups).toEqual([])
    expect((await user(501_099)).groups).toEqual([made.body.id])
    expect((await remove(made.body.id)).status).toBe(204)
    expect((await user(501_099)).groups).toEqual([])
    expect(await service.services.table.get(memberKey(made.body.id, 501_099))).toBeUndefined()
  })

  it('of more than a body can tell shows the first, and isn’t emptied by accident', async () => {
    await seedUsers(service, 1050, 600_000, (at) => ({ username: `more-${at}` }))
    const members = Array.from({ length: 1000 }, (_, at) => ({ id: 600_000 + at }))
    const { id, name } = (await create({ members })).body
    for (let at = 1000; at < 1002; at++)
      expect((await call('PATCH', `/api/2/users/${600_000 + at}`, { groups: [id] })).status).toBe(200)
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
    expect((await user(601_001)).groups).toEqual([id])
    const listed = await allPages<Json>(service, `/api/2/users?groups=${id}&limit=500`, manager.bearer)
    expect(listed.flat()).toHaveLength(1002)
  })

  it('isn’t one for who is in two hundred groups already', async () => {
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
  it('that was interrupted is finished by the next one', async () => {
    const crowd = await people(30)
    const made = (await create({ permissions: ['users:view'], members: references(crowd) })).body
    await service.services.table.transact([{ delete: groupKey(made.id) }])
    const [first] = crowd
    expect(await user(first?.user.id ?? 0)).toMatchObject({ groups: [], effective_permissions: [] })
    expect((await service.services.table.get(userKey(first?.user.id ?? 0)))?.['groups']).toEqual([made.id])
    expect((await remove(made.id)).status).toBe(204)
    expect((await service.services.table.get(userKey(first?.user.id ?? 0)))?.['groups']).toEqual([])
    expect((await remove(made.id)).status).toBe(404)
  })

  it('by ten at once, and with members coming in all the while, leaves nobody with its permissions', async () => {
    const crowd = await people(10)
    const { id } = (await create({ permissions: ['users:view'], members: references(crowd.slice(0, 5)) }))
      .body
    const [, ...answers] = await Promise.all([
      ...crowd.slice(5).map(({ user: one }) => call('PATCH', `/api/2/users/${one.id}`, { groups: [id] })),
      ...Array.from({ length: 10 }, () => remove(id)),
    ])
    for (const { status } of answers) expect([200, 204, 400, 404, 409]).toContain(status)
    expect((await get(id)).status).toBe(404)
    for (const { user: one } of crowd)
      expect(await user(one.id)).toMatchObject({ groups: [], effective_permissions: [] })
  })
})

describe('the list of groups', () => {
  it.each(['id', '-id', 'name', '-name'])(
    'by %s in pages has every group once, in order',
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

  it('shows the ids of members and the first few at a glance', async () => {
    const crowd = await people(5)
    const made = (await create({ members: references(crowd) })).body
    const [row] = (await call('GET', `${path}?ordering=-id&limit=1`)).body
    expect(row).toMatchObject({ id: made.id, members: memberIds(made) })
    expect(row.members_preview).toEqual(
      made.members.slice(0, 3).map(({ id, email }: Json) => ({ id, avatar: null, email })),
    )
  })

  it('costs a query for each group and a few reads besides', async () => {
    const place = service.log.length
    const rows = (await call('GET', `${path}?limit=10`)).body
    expect(rows).toHaveLength(10)
    expect(costsSince(service, place)[0]?.calls).toBeLessThanOrEqual(10 + 4)
  })

  it('needs users:view, and changes need users:manage', async () => {
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
      expect((await call(method, at, body, plain.bearer)).status).toBe(403)
      expect((await call(method, at, body, viewer.bearer)).status).toBe(method === 'GET' ? 200 : 403)
    }
    expect((await get(id)).status).toBe(200)
  })
})
