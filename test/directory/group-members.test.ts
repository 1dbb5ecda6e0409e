import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/client.ts'
import { allPages, costsSince, seedUsers } from '../support/directory.ts'
import { addPerson, addSignedIn, callAs, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

let writing = 0
let mostWriting = 0
const service = await useService(
  {},
  {
    tableHooks: {
      refuse: async ({ action, input }) => {
        if (action !== 'TransactWriteItems' || !JSON.stringify(input).includes('group.member_'))
          return undefined
        writing += 1
        mostWriting = Math.max(mostWriting, writing)
        await sleep(5)
        writing -= 1
        return undefined
      },
    },
  },
)
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', 'a:b'] })
const call = callAs(service, manager)

const create = async (body: object = {}): Promise<number> =>
  (await call('POST', '/api/2/groups', { name: `group-${randomUUID()}`, ...body })).body.id
const change = (group: number, body: unknown) => call('POST', `/api/2/groups/${group}/members`, body)
const list = (group: number, query = '') =>
  call('GET', `/api/2/users?groups=${group}&ordering=username${query}`)
const namesIn = async (group: number, query = ''): Promise<string[]> =>
  (await list(group, query)).body.map(({ username }: Json) => username)
const idsOf = (people: readonly Person[]) => people.map(({ user }) => user.id)
const addPeople = (count: number) => Promise.all(Array.from({ length: count }, () => addPerson(service)))

describe('change_group_members', () => {
  it('adds and removes users, and leaves all other members alone', async () => {
    const people = await addPeople(4)
    const [one = 0, two = 0, three = 0, four = 0] = idsOf(people)
    const group = await create({ members: [one, two], permissions: ['a:b'] })
    const answer = await change(group, { add: [two, three, three, four], remove: [one, 999_999_999] })
    expect(answer).toMatchObject({ status: 200, body: { added: 2, removed: 1 } })
    const read = (await call('GET', `/api/2/groups/${group}`)).body
    expect(read.members.map(({ id }: Json) => id)).toEqual([two, three, four])
    expect((await call('GET', `/api/2/users/${three}`)).body.effective_permissions).toContain('a:b')
    expect((await call('GET', `/api/2/users/${one}`)).body.effective_permissions).not.toContain('a:b')
    expect((await change(group, { add: [two], remove: [one] })).body).toEqual({ added: 0, removed: 0 })
    expect((await change(group, {})).body).toEqual({ added: 0, removed: 0 })
  })

  it('names every wrong ID, and changes nothing then', async () => {
    const [one = 0, two = 0] = idsOf(await addPeople(2))
    const group = await create({ members: [one] })
    const answer = await change(group, { add: [two, 999_999_998, 999_999_999], remove: [one, two] })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([
      { field: 'add', message: 'contains unknown user IDs: 999999998, 999999999' },
      { field: 'remove', message: `contains IDs that \`add\` contains as well: ${two}` },
    ])
    for (const body of [
      { add: 'all' },
      { add: [0] },
      { add: [1.5] },
      { add: [{ id: two }] },
      { members: [two] },
      { add: null },
      [],
    ])
      expect((await change(group, body)).status, JSON.stringify(body)).toBe(400)
    const many = Array.from({ length: 1001 }, (_, at) => 5_000_000 + at)
    const tooMany = await change(group, { add: many.slice(500), remove: many.slice(0, 500) })
    expect(tooMany.body.errors).toEqual([
      { field: 'add', message: 'must be at most 1000 entries long together with `remove`' },
    ])
    expect((await call('GET', `/api/2/groups/${group}`)).body.members).toMatchObject([{ id: one }])
    expect((await change(999_999_999, { add: [one] })).status).toBe(404)
  })

  it('lets callers change only groups and users within their own permissions', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const asAdmin = callAs(service, admin)
    const name = `admins-${randomUUID()}`
    const body = { name, permissions: ['system:admin-access'], members: [admin.user.id] }
    const admins = (await asAdmin('POST', '/api/2/groups', body)).body.id
    const group = await create()
    const [one = 0] = idsOf(await addPeople(1))
    expect((await change(admins, { add: [manager.user.id] })).status).toBe(403)
    expect((await change(admins, { remove: [admin.user.id] })).status).toBe(403)
    expect((await change(group, { add: [admin.user.id] })).status).toBe(403)
    // A change of nothing is allowed to those who may see the group.
    expect((await change(admins, { remove: [one] })).body).toEqual({ added: 0, removed: 0 })
    expect((await asAdmin('GET', `/api/2/groups/${admins}`)).body.members).toMatchObject([
      { id: admin.user.id },
    ])
  })

  it('adds and removes many users without transactions that are in the way of each other', async () => {
    await seedUsers(service, 100, 40_000, (at) => ({ username: `crowd-${at}` }))
    const ids = Array.from({ length: 100 }, (_, at) => 40_000 + at)
    const group = await create()
    mostWriting = 0
    expect(await change(group, { add: ids })).toMatchObject({ status: 200, body: { added: 100 } })
    expect(await change(group, { remove: ids })).toMatchObject({ status: 200, body: { removed: 100 } })
    expect(mostWriting).toBe(1)
  })

  it('adds each user once when requests run at the same time', async () => {
    const ids = idsOf(await addPeople(6))
    const group = await create()
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) => change(group, { add: ids.slice(0, 3 + at) })),
    )
    for (const { status } of answers) expect([200, 409, 429, 503]).toContain(status)
    expect((await change(group, { add: ids })).status).toBe(200)
    expect((await call('GET', `/api/2/groups/${group}`)).body.members).toHaveLength(ids.length)
    expect(await namesIn(group)).toHaveLength(ids.length)
  })
})

describe('the members of a group by name', () => {
  it('are found by the beginning of a username, an address and a name, and follow renames', async () => {
    const tag = randomUUID().slice(0, 8)
    const [ada, grace, other] = [
      await addPerson(service, {
        username: `b-${tag}`,
        email: `ada-${tag}@example.com`,
        full_name: 'Ada Étoile',
      }),
      await addPerson(service, { username: `a-${tag}`, full_name: 'Grace Hopper' }),
      await addPerson(service, { username: `c-${tag}`, full_name: 'Ada Other' }),
    ]
    const group = await create()
    await change(group, { add: idsOf([ada, grace]) })
    expect(await namesIn(group)).toEqual([`a-${tag}`, `b-${tag}`])
    const search = (text: string) =>
      namesIn(group, `&filtering_mode=startswith&filter=${encodeURIComponent(text)}`)
    expect(await search('A-')).toEqual([`a-${tag}`])
    expect(await search(`ada-${tag}@`)).toEqual([`b-${tag}`])
    expect(await search('ADA étoile')).toEqual([`b-${tag}`])
    expect(await namesIn(group, '&filter=hopper')).toEqual([`a-${tag}`])
    expect(await namesIn(group, '&is_enabled=false')).toEqual([])
    const renamed = { username: `z-${tag}`, full_name: 'Grace Murray' }
    expect((await call('PATCH', `/api/2/users/${grace.user.id}`, renamed)).status).toBe(200)
    expect(await namesIn(group)).toEqual([`b-${tag}`, `z-${tag}`])
    expect(await search('grace h')).toEqual([])
    expect(await search('grace m')).toEqual([`z-${tag}`])
    await call('PATCH', `/api/2/users/${grace.user.id}`, { groups: [] })
    await call('PATCH', `/api/2/users/${other.user.id}`, { groups: [group] })
    expect(await namesIn(group)).toEqual([`b-${tag}`, `c-${tag}`])
    expect((await call('DELETE', `/api/2/users/${other.user.id}`)).status).toBe(204)
    expect(await namesIn(group)).toEqual([`b-${tag}`])
    expect((await call('DELETE', `/api/2/groups/${group}`)).status).toBe(204)
    expect(await namesIn(group)).toEqual([])
  })

  it('follow the rename of a user who is in more groups than one transaction holds', async () => {
    const tag = randomUUID().slice(0, 8)
    const user = await addPerson(service, { username: `b-${tag}` })
    const groups = await Promise.all(Array.from({ length: 130 }, () => create()))
    const { id } = user.user
    expect((await call('PATCH', `/api/2/users/${id}`, { groups })).status).toBe(200)
    const renamed = { username: `z-${tag}`, groups: groups.slice(1) }
    expect((await call('PATCH', `/api/2/users/${id}`, renamed)).status).toBe(200)
    const found = await Promise.all(
      groups.map((group) => namesIn(group, `&filtering_mode=startswith&filter=z-${tag}`)),
    )
    expect(found).toEqual(groups.map((_, at) => (at === 0 ? [] : [`z-${tag}`])))
  })

  describe('of a large group', () => {
    const firstId = 700_000
    const size = 5000
    let group = 0
    beforeAll(async () => {
      await seedUsers(service, size, firstId, (at) => ({
        // Another order than that of the IDs.
        username: `large-${String((at * 7919) % size).padStart(5, '0')}`,
        email: `person-${at}@example.com`,
        full_name: `Person ${at}`,
      }))
      group = await create()
      const ids = Array.from({ length: size }, (_, at) => firstId + at)
      for (let from = 0; from < size; from += 1000) {
        const answer = await change(group, { add: ids.slice(from, from + 1000) })
        expect(answer).toMatchObject({ status: 200, body: { added: 1000, removed: 0 } })
      }
    }, 120_000)

    it('cost as many calls as those of a small group, from the first page to the last', async () => {
      const small = await create()
      await change(small, { add: Array.from({ length: 30 }, (_, at) => firstId + at) })
      const costOf = async (path: string): Promise<number> => {
        const logStart = service.log.length
        expect((await call('GET', path)).status).toBe(200)
        return costsSince(service, logStart)[0]?.calls ?? Number.NaN
      }
      const page = (of: number) => `/api/2/users?groups=${of}&ordering=username&is_guest=false&limit=20`
      const calls = await costOf(page(small))
      expect(await costOf(page(group))).toBe(calls)
      const pages = await allPages<Json>(
        service,
        `/api/2/users?groups=${group}&ordering=username&limit=1000`,
        manager.bearer,
      )
      const names = pages.flat().map(({ username }) => username)
      expect(names).toEqual(Array.from({ length: size }, (_, at) => `large-${String(at).padStart(5, '0')}`))
      expect(await namesIn(group, '&filtering_mode=exact&filter=person 4321')).toEqual(
        await namesIn(group, '&filter=person-4321@'),
      )
    }, 60_000)

    it('leave in bulk', async () => {
      const ids = Array.from({ length: 1000 }, (_, at) => firstId + at)
      expect((await change(group, { remove: ids })).body).toEqual({ added: 0, removed: 1000 })
      expect(await namesIn(group, '&filter=person-7@example.com')).toEqual([])
      expect(await namesIn(group, `&filter=person-1007@`)).toHaveLength(1)
    }, 60_000)
  })
})
