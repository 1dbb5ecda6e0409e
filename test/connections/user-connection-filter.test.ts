import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Json } from '../support/client.ts'
import { connectAccount } from '../support/connected-accounts.ts'
import { allPages, costsSince } from '../support/directory.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { addProvider, signInByConnection, type TestProvider, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const provider = await addProvider(service, await makeIdp())
const other = await addProvider(service, await makeIdp())

const send = callAs(service, admin)
const list = (query: Record<string, string>) => send('GET', `/api/2/users?${new URLSearchParams(query)}`)
const find = async (query: Record<string, string>): Promise<readonly number[]> => {
  const answer = await list(query)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.map((row: Json) => row['id'])
}
const connect = (user: { readonly id: number }, { id }: TestProvider) =>
  connectAccount(service, user, { providerId: id, manager: admin.bearer })
const idText = ({ id }: TestProvider): string => String(id)

describe('the filter connection', () => {
  it('finds who signed in through it, and no one else', async () => {
    const { session } = await signInByConnection(service, provider)
    expect(await find({ connection: idText(provider) })).toEqual([await userOfSession(service, session)])
    expect(await find({ connection: idText(other) })).toEqual([])
  })

  it('shows a user with several accounts once, in every order and on every page', async () => {
    const people = await Promise.all(
      Array.from({ length: 7 }, (_, at) => addPerson(service, { username: `linked-${at}-${randomUUID()}` })),
    )
    for (const { user } of people) {
      await connect(user, other)
      if (user.id % 2 === 0) await connect(user, other)
    }
    const ids = people.map(({ user: { id } }) => id).sort((a, b) => a - b)
    for (const ordering of ['id', '-id', 'username', '-username'])
      for (const limit of [1, 2, 3, 100]) {
        const path = `/api/2/users?connection=${other.id}&ordering=${ordering}&limit=${limit}`
        const rows = (await allPages<Json>(service, path, admin.bearer)).flat()
        const found = rows.map(({ id }) => Number(id))
        expect(new Set(found).size, path).toBe(found.length)
        expect(
          found.toSorted((a, b) => a - b),
          path,
        ).toEqual(ids)
        if (ordering.endsWith('id')) expect(found).toEqual(ordering === 'id' ? ids : ids.toReversed())
      }
  })

  it('can be combined with every other filter', async () => {
    const { body: group } = await send('POST', '/api/2/groups', { name: randomUUID() })
    const email = `${randomUUID()}@example.com`
    const [one, two] = [await addPerson(service, { email }), await addPerson(service)]
    await connect(one.user, provider)
    await connect(two.user, other)
    for (const { user } of [one, two]) await send('PATCH', `/api/2/users/${user.id}`, { groups: [group.id] })
    const connection = idText(provider)
    for (const query of [
      { groups: String(group.id) },
      { groups: String(group.id), is_enabled: 'true' },
      { username: one.user.username },
      { email },
      { filter: one.user.username, has_second_factor: 'false' },
      { filter: one.user.username, created_since: '2020-01-01T00:00:00Z' },
    ])
      expect(await find({ connection, ...query })).toEqual([one.user.id])
    expect(await find({ connection, username: two.user.username })).toEqual([])
    expect(await find({ connection, created_before: '2020-01-01T00:00:00Z' })).toEqual([])
  })

  it('follows an account that is removed, and one that is moved to another user', async () => {
    const [kept, merged] = [await addPerson(service), await addPerson(service)]
    const account = await connect(merged.user, provider)
    const filter = { connection: idText(provider) }
    expect(await find(filter)).toContain(merged.user.id)
    expect((await send('POST', `/api/2/users/${kept.user.id}/merge`, { user: merged.user.id })).status).toBe(
      200,
    )
    expect(await find(filter)).toContain(kept.user.id)
    expect(await find(filter)).not.toContain(merged.user.id)
    await send('DELETE', `/api/2/users/${kept.user.id}/company-accounts/${account['id']}`)
    expect(await find(filter)).not.toContain(kept.user.id)
  })

  it('finds no one for a connection that was deleted or never existed', async () => {
    const deleted = await addProvider(service, await makeIdp())
    const { user } = await addPerson(service)
    await connect(user, deleted)
    expect(await find({ connection: idText(deleted) })).toEqual([user.id])
    expect((await send('DELETE', `/api/2/auth/saml/${deleted.id}`)).status).toBe(204)
    for (const connection of [idText(deleted), '2147483647']) expect(await find({ connection })).toEqual([])
  })

  it('costs as many calls for 300 users as for 30', async () => {
    const crowded = await addProvider(service, await makeIdp())
    const measure = async () => {
      const start = service.log.length
      expect(await find({ connection: idText(crowded), limit: '20' })).toHaveLength(20)
      return costsSince(service, start)[0]?.calls
    }
    const fill = async (count: number) => {
      for (let at = 0; at < count; at += 30)
        await Promise.all(
          Array.from({ length: 30 }, async () => connect((await addPerson(service)).user, crowded)),
        )
    }
    await fill(30)
    const small = await measure()
    await fill(270)
    expect(await measure()).toBe(small)
  })
})

describe('the filters created_since and created_before', () => {
  it('select by the shown time, the first included and the last not', async () => {
    const { user } = await addPerson(service, { username: `created-${randomUUID()}` })
    const [row] = (await list({ username: user.username })).body
    const created: string = row.created_at
    const later = new Date(Date.parse(created) + 1).toISOString()
    const isFound = async (query: Record<string, string>) =>
      (await find({ filter: user.username, ...query })).includes(user.id)
    expect(await isFound({ created_since: created })).toBe(true)
    expect(await isFound({ created_since: later })).toBe(false)
    expect(await isFound({ created_before: created })).toBe(false)
    expect(await isFound({ created_before: later, created_since: created, ordering: '-username' })).toBe(true)
  })

  it('use the time when a person registered in the system before', async () => {
    const { user } = await addPerson(service, { registeredAt: Date.parse('2019-05-01T00:00:00Z') })
    const found = await find({ created_before: '2019-06-01T00:00:00Z' })
    expect(found).toEqual([user.id])
  })
})
