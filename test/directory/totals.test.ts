import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { deleteUser } from '../../lib/features/directory/deletion/delete-user.records.ts'
import { totalsKey } from '../../lib/kernel/table/keys/keys.ts'
import { costsSince, seedUsers } from '../support/directory.ts'
import { addLink } from '../support/links.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { expectExactTotals, getTotals } from '../support/totals.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const send = callAs(service, admin)
const newUser = (fields: object = {}) =>
  send('POST', 'users', { username: randomUUID(), permissions: [], groups: [], ...fields })
const check = () => expectExactTotals(service, admin.bearer)
const address = () => `${randomUUID()}@example.com`

describe('the totals', () => {
  it('are exact after 50 concurrent creations and deletions of users and groups', async () => {
    const before = await check()
    const made = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => [
        await newUser(),
        await send('POST', 'groups', { name: `${at}-${randomUUID()}` }),
      ]),
    )
    expect(made.flat().map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 201))
    expect(await check()).toEqual({
      ...before,
      users: Number(before['users']) + 50,
      groups: Number(before['groups']) + 50,
    })
    const deletions = made.flatMap(([user, group]) => [
      ...[`users/${user?.body.id}`, `users/${user?.body.id}`],
      ...[`groups/${group?.body.id}`, `groups/${group?.body.id}`],
    ])
    const answers = await Promise.all(deletions.map((path) => send('DELETE', path)))
    expect(answers.filter(({ status }) => status === 204).length).toBeGreaterThanOrEqual(100)
    expect(await check()).toEqual(before)
  })

  it('count a name once of which 20 concurrent requests want to create a user', async () => {
    const before = await check()
    const username = randomUUID()
    await Promise.all(Array.from({ length: 20 }, () => newUser({ username })))
    expect(await check()).toEqual({ ...before, users: Number(before['users']) + 1 })
  })

  it('count a user once whose deletion was interrupted and is repeated', async () => {
    const { user, bearer } = await addSignedIn(service)
    await service.client('POST', '/api/2/api-tokens', { bearer, body: { name: 'script' } })
    const before = await check()
    const { table } = service.services
    const stored = await findUser(table, user.id)
    if (stored) await deleteUser(table, stored, [])
    expect(await check()).toEqual({ ...before, users: Number(before['users']) - 1 })
    await send('DELETE', `users/${user.id}`)
    await send('DELETE', `users/${user.id}`)
    expect(await check()).toEqual({ ...before, users: Number(before['users']) - 1 })
  })

  it('count merged users as one', async () => {
    const [kept, other] = [await addPerson(service), await addPerson(service)]
    const before = await check()
    const path = `users/${kept.user.id}/merge`
    const answers = await Promise.all([1, 2].map(() => send('POST', path, { user: other.user.id })))
    expect(answers.map(({ status }) => status)).toContain(200)
    expect(await check()).toEqual({ ...before, users: Number(before['users']) - 1 })
  })

  it('count guests apart, who become users and guests again with their rights', async () => {
    const before = await check()
    const email = address()
    await addLink(service, admin.bearer, { email })
    const [guest] = (await send('GET', `users?email=${email}`)).body
    const [users, guests, groups] = [before['users'], before['guests'], before['groups']].map(Number)
    if (users === undefined || guests === undefined || groups === undefined) throw new Error('no totals')
    expect(await check()).toEqual({ users, guests: guests + 1, groups })
    const { id: group } = (await send('POST', 'groups', { name: randomUUID() })).body
    const asUser = { users: users + 1, guests, groups: groups + 1 }
    const asGuest = { users, guests: guests + 1, groups: groups + 1 }
    await send('PATCH', `users/${guest.id}`, { groups: [group] })
    expect(await check()).toEqual(asUser)
    await send('PATCH', `groups/${group}`, { members: [] })
    expect(await check()).toEqual(asGuest)
    await send('PATCH', `users/${guest.id}`, { permissions: ['media:access'] })
    expect(await check()).toEqual(asUser)
    await send('PATCH', `users/${guest.id}`, { permissions: [] })
    expect(await check()).toEqual(asGuest)
    expect((await send('DELETE', `users/${guest.id}`)).status).toBe(204)
    expect(await check()).toEqual({ ...asGuest, guests })
  })

  it('count a guest no more whose verified address an account gets', async () => {
    const email = address()
    await addLink(service, admin.bearer, { email })
    const before = await check()
    expect((await newUser({ email })).status).toBe(201)
    expect(await check()).toEqual({
      ...before,
      users: Number(before['users']) + 1,
      guests: Number(before['guests']) - 1,
    })
  })

  it('cost one call besides authentication, for any number of users', async () => {
    const measure = async () => {
      const start = service.log.length
      const totals = await getTotals(service, admin.bearer)
      return { totals, calls: costsSince(service, start)[0]?.calls }
    }
    const small = await measure()
    expect(small.calls).toBeLessThanOrEqual(3)
    await seedUsers(service, 1000, 50_000)
    await service.services.table.transact([{ addTo: totalsKey(3), amounts: { user: 1_000_000 } }])
    const large = await measure()
    expect(large.totals['users']).toBe(Number(small.totals['users']) + 1_000_000)
    expect(large.calls).toBe(small.calls)
  })
})
