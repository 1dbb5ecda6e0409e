import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocateUserIds, claimsPerCall, findClaims } from '../../lib/accounts/names/user-claims.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { NotUnique } from '../../lib/accounts/users/stored-user.records.ts'
import { createUser, createUserWithId } from '../../lib/accounts/users/write-users.records.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { availableEngines } from '../support/available-engines.ts'
import { buildPerson } from '../support/people.ts'
import { tableIn } from '../table/engines.ts'

describe.each(availableEngines)('on %s', (engine) => {
  let table: Table
  beforeAll(async () => {
    table = await tableIn(engine)
  })

  const fields = () => buildPerson({ username: `u-${randomUUID()}`, email: `${randomUUID()}@example.com` })

  it('allocates blocks of IDs that never overlap, also concurrently', async () => {
    const blocks = await Promise.all(Array.from({ length: 20 }, () => allocateUserIds(table, 7)))
    const ids = blocks.flatMap((first) => Array.from({ length: 7 }, (_, at) => first + at))
    expect(new Set(ids).size).toBe(140)
    expect(Math.min(...ids)).toBe(1)
    // The rest of a block is lost after a second, so on a busy machine the next ID is not always 141.
    expect((await createUser(table, fields(), Date.now())).id).toBeGreaterThan(Math.max(...ids))
  })

  it('creates one user with an allocated ID', async () => {
    const id = await allocateUserIds(table, 1)
    const user = fields()
    await createUserWithId(table, id, user, { nowMs: Date.now(), origin: 'a line' })
    expect((await findUser(table, id))?.username).toBe(user.username)
    await expect(createUserWithId(table, id, fields(), { nowMs: Date.now() })).rejects.toThrow()
    const again = createUserWithId(table, await allocateUserIds(table, 1), user, {
      nowMs: Date.now(),
      origin: 'a line',
    })
    await expect(again).rejects.toBeInstanceOf(NotUnique)
  })

  it('finds who has usernames and email addresses, in their order and with their origin', async () => {
    const users = Array.from({ length: claimsPerCall }, fields)
    const [imported, added] = [users[3] ?? fields(), users[7] ?? fields()]
    const id = await allocateUserIds(table, 1)
    await createUserWithId(table, id, imported, { nowMs: Date.now(), origin: 'a line' })
    const other = await createUser(table, added, Date.now())
    const claims = await findClaims(
      table,
      users.map(({ normalizedUsername, normalizedEmail }) => ({
        normalizedUsername,
        normalizedEmail: normalizedEmail ?? undefined,
      })),
    )
    expect(claims).toHaveLength(claimsPerCall)
    expect(claims[3]).toEqual({
      username: { userId: id, origin: 'a line' },
      email: { userId: id, origin: 'a line' },
    })
    expect(claims[7]?.username).toEqual({ userId: other.id, origin: undefined })
    const others = claims.filter((_, at) => at !== 3 && at !== 7)
    expect(others.every(({ username, email }) => !username && !email)).toBe(true)
    expect(await findClaims(table, [{}, { normalizedUsername: added.normalizedUsername }])).toMatchObject([
      { username: undefined, email: undefined },
      { username: { userId: other.id } },
    ])
  })
})
