import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SessionPrincipal } from '../../lib/accounts/callers/principal.ts'
import { findUser, findUsers } from '../../lib/accounts/users/find-users.records.ts'
import { deleteUser } from '../../lib/features/directory/deletion/deletion.use-cases.ts'
import { deleteGroup } from '../../lib/features/directory/groups/delete-group.use-cases.ts'
import { findMemberIds } from '../../lib/features/directory/groups/memberships.records.ts'
import { updateGroup } from '../../lib/features/directory/groups/update-group.use-cases.ts'
import { patchUser } from '../../lib/features/directory/users/update-user.use-cases.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import type { Services } from '../../lib/services.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Requests with several transactions are interrupted before the first transaction, then retried and interrupted before
 * the next one, and so on. A Lambda function that runs out of time is interrupted the same way.
 */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const interruption = new Error('interrupted')

/** The services with a table that fails after this number of transactions. */
const failAfter = (transactions: number): Services => {
  const { table } = service.services
  let left = transactions
  const transact: Table['transact'] = async (steps) => {
    if (left-- <= 0) throw interruption
    return table.transact(steps)
  }
  return { ...service.services, table: { ...table, transact } }
}

const request = <Body>(id: number, body: Body) => ({
  params: { id },
  body,
  query: undefined,
  principal: { user: admin.user } as SessionPrincipal,
  context: { address: '', userAgent: '', requestId: '', actor: admin.user.id, at: Date.now() },
  target: { path: '', rawQuery: '' },
  isFromOwnOrigin: true,
  isFromOwnPage: true,
  acceptsHtml: false,
  usesCookie: false,
  origin: 'unknown' as const,
  authorizationHeader: undefined,
  dpopHeader: undefined,
  cookies: [],
})
const post = async (path: string, body: object) =>
  (await service.client('POST', path, { bearer: admin.bearer, body })).body
const addGroup = (permissions: readonly string[] = [], members: readonly number[] = []) =>
  post('/api/2/groups', { name: `g-${randomUUID()}`, permissions, members: members.map((id) => ({ id })) })
const addPeople = async (count: number) => {
  const people = await Promise.all(Array.from({ length: count }, () => addPerson(service)))
  return people.map(({ user }) => user.id).sort((a, b) => a - b)
}
const permissionsOf = async (id: number): Promise<string[]> =>
  (await service.client('GET', `/api/2/users/${id}`, { bearer: admin.bearer })).body.group_permissions

/** Interrupts the work before its first transaction, then its second, and so on. Returns the number of interruptions. */
const interruptEverywhere = async (
  work: (services: Services) => Promise<unknown>,
  inBetween: () => Promise<void>,
): Promise<number> => {
  for (let transactions = 0; transactions < 50; transactions++)
    try {
      await work(failAfter(transactions))
      return transactions
    } catch (error) {
      if (error !== interruption) throw error
      await inBetween()
    }
  throw new Error('the work was never completed')
}

/** Expects the same members on the group and on the users. */
const expectConsistent = async (group: number, candidates: readonly number[]) => {
  const users = await findUsers(service.services.table, candidates)
  const membersByUser = candidates.filter((_, at) => users[at]?.groups.includes(group))
  expect(membersByUser).toEqual(await findMemberIds(service.services.table, group, 1000))
}

describe('after an interruption at any transaction and a retry', () => {
  it('a change of many members and permissions never gives a user permissions that were meant for others', async () => {
    const [before, after] = [await addPeople(60), await addPeople(60)]
    const { id, name } = await addGroup(['old:right', 'both:right'], before)
    const body = {
      name,
      permissions: ['both:right', 'new:right'],
      members: [...before.slice(50), ...after].map((user) => ({ id: user })),
    }
    const interruptions = await interruptEverywhere(
      (services) => updateGroup(request(id, body), services),
      async () => {
        await expectConsistent(id, [...before, ...after])
        for (const formerMember of [before[0], before[49]])
          expect(await permissionsOf(formerMember ?? 0)).not.toContain('new:right')
        for (const newMember of [after[0], after[59]])
          expect(await permissionsOf(newMember ?? 0)).not.toContain('old:right')
      },
    )
    expect(interruptions).toBeGreaterThan(1)
    expect(await findMemberIds(service.services.table, id, 1000)).toEqual([...before.slice(50), ...after])
    expect(await permissionsOf(after[59] ?? 0)).toEqual(['both:right', 'new:right'])
    expect(await permissionsOf(before[0] ?? 0)).toEqual([])
  })

  it('the deletion of a group leaves its permissions to no one once it has started', async () => {
    const members = await addPeople(70)
    const { id } = await addGroup(['some:right'], members)
    let interruptions = 0
    await interruptEverywhere(
      (services) => deleteGroup(request(id, undefined), services),
      async () => {
        interruptions += 1
        // The first interruption is before any change.
        if (interruptions > 1)
          for (const member of [members[0], members[69]]) expect(await permissionsOf(member ?? 0)).toEqual([])
      },
    )
    expect(interruptions).toBeGreaterThan(2)
    expect(await findMemberIds(service.services.table, id, 10)).toEqual([])
    for (const user of await findUsers(service.services.table, members)) expect(user?.groups).toEqual([])
  })

  it('the deletion of a group with few members changes nothing or everything', async () => {
    const members = await addPeople(24)
    const { id } = await addGroup(['some:right'], members)
    const interruptions = await interruptEverywhere(
      (services) => deleteGroup(request(id, undefined), services),
      async () => expect(await findMemberIds(service.services.table, id, 30)).toEqual(members),
    )
    expect(interruptions).toBe(1)
    expect(await findMemberIds(service.services.table, id, 1)).toEqual([])
    for (const user of await findUsers(service.services.table, members)) expect(user?.groups).toEqual([])
  })

  it('a change of many groups of a user is completed', async () => {
    const [user = 0] = await addPeople(1)
    const groups: number[] = []
    for (let at = 0; at < 100; at++) groups.push((await addGroup()).id)
    const [old, next] = [groups.slice(0, 50), groups.slice(25).reverse()]
    await patchUser(request(user, { groups: old }), service.services)
    const interruptions = await interruptEverywhere(
      (services) => patchUser(request(user, { groups: next }), services),
      async () => {
        const storedGroups = (await findUser(service.services.table, user))?.groups ?? []
        for (const group of groups)
          expect((await findMemberIds(service.services.table, group, 1)).length > 0).toBe(
            storedGroups.includes(group),
          )
      },
    )
    expect(interruptions).toBeGreaterThan(0)
    expect((await findUser(service.services.table, user))?.groups).toEqual(next)
  })

  it('the deletion of a user in many groups signs them out first, and leaves no records', async () => {
    const groups: number[] = []
    for (let at = 0; at < 180; at++) groups.push((await addGroup()).id)
    const person = await addSignedIn(service, { groups })
    const { id } = person.user
    let interruptions = 0
    await interruptEverywhere(
      (services) => deleteUser(request(id, undefined), services),
      async () => {
        interruptions += 1
        const { status } = await service.client('GET', '/api/2/users/me', { bearer: person.bearer })
        expect(status).toBe(interruptions > 1 ? 401 : 200)
      },
    )
    expect(interruptions).toBeGreaterThan(2)
    await service.client('DELETE', `/api/2/users/${id}`, { bearer: admin.bearer })
    expect(await service.services.table.page({ pk: `user#${id}`, limit: 10 })).toEqual([])
    for (const group of groups) expect(await findMemberIds(service.services.table, group, 1)).toEqual([])
  })

  it('the deletion of a user whose cleanup failed is completed by the next request', async () => {
    const { user } = await addSignedIn(service)
    const itemsOf = () => service.services.table.page({ pk: `user#${user.id}`, limit: 10 })
    await deleteUser(request(user.id, undefined), failAfter(1))
    expect(await itemsOf()).not.toEqual([])
    for (const status of [204, 404])
      expect(
        (await service.client('DELETE', `/api/2/users/${user.id}`, { bearer: admin.bearer })).status,
      ).toBe(status)
    expect(await itemsOf()).toEqual([])
  })
})
