import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildScheduleContext } from '../../lib/accounts/callers/request-context.ts'
import { type GroupRecord, groupKind } from '../../lib/accounts/groups/groups.records.ts'
import { endAllSessions } from '../../lib/accounts/sessions/end-sessions.records.ts'
import { LastAdmin } from '../../lib/accounts/users/admins.records.ts'
import { findUser, findUsers } from '../../lib/accounts/users/find-users.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { NotUnique } from '../../lib/accounts/users/stored-user.records.ts'
import { createUser, editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import { cleanUpDeletedUser } from '../../lib/features/directory/deletion/clean-up-user.ts'
import { deleteUser } from '../../lib/features/directory/deletion/delete-user.records.ts'
import { newGroup } from '../../lib/features/directory/field-names.models.prebuilt.ts'
import {
  changeMembers,
  findMemberIds,
  removeStaleMembers,
} from '../../lib/features/directory/groups/memberships.records.ts'
import { adminsKey, memberKey, userKey, usernameKey } from '../../lib/kernel/table/keys/keys.ts'
import { getListing, readEntries, readPage } from '../../lib/kernel/table/listing.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { EditConflict } from '../../lib/kernel/table/transaction.ts'
import {
  createUniqueNameRecord,
  deleteUniqueNameRecord,
  editUniqueNameRecord,
  NameTaken,
} from '../../lib/kernel/table/unique-name-records.ts'
import { noClientFields } from '../../lib/published-clients/stored-fields.ts'
import { availableEngines } from '../support/available-engines.ts'
import { buildPerson } from '../support/people.ts'
import { tableIn } from '../table/engines.ts'

describe.each(availableEngines)('on %s', (engine) => {
  let table: Table
  beforeAll(async () => {
    table = await tableIn(engine)
  })

  const add = (fields: Partial<UserRecord> = {}) =>
    createUser(table, buildPerson({ username: `u-${randomUUID()}`, ...fields }), Date.now())
  const addMany = (count: number) => Promise.all(Array.from({ length: count }, () => add()))
  const addGroup = (name = `g-${randomUUID()}`): Promise<GroupRecord> => {
    const fields = {
      ...newGroup,
      ...{ name, normalizedName: name, permissions: ['a:b'], clientFields: noClientFields },
    }
    return createUniqueNameRecord(table, groupKind, fields, () => [])
  }
  const join = (group: GroupRecord, ids: readonly number[], joins = true) =>
    changeMembers(table, group, { ids, joins, extraSteps: () => [] })
  const readGroupLists = async (ids: readonly number[]) =>
    (await findUsers(table, ids)).map((user) => user?.groups)

  describe('a page of a partition', () => {
    const pk = `test#${randomUUID()}`
    beforeAll(async () => {
      for (const sk of ['a', 'b', 'c', 'd', 'é', '😀'])
        await table.put({ pk, sk, lpk: pk, lsk: `l-${sk}`, filler: 'x'.repeat(300_000) })
    })
    const keys = async (query: object) => (await table.page({ pk, limit: 100, ...query })).map(({ sk }) => sk)

    it('is in order of bytes in both directions, also for large items', async () => {
      expect(await keys({})).toEqual(['a', 'b', 'c', 'd', 'é', '😀'])
      expect(await keys({ isDescending: true, limit: 5 })).toEqual(['😀', 'é', 'd', 'c', 'b'])
    })

    it('stays within its bounds, both included, and may be empty', async () => {
      expect(await keys({ from: 'b', to: 'd' })).toEqual(['b', 'c', 'd'])
      expect(await keys({ from: 'c' })).toEqual(['c', 'd', 'é', '😀'])
      expect(await keys({ to: 'b', isDescending: true })).toEqual(['b', 'a'])
      expect(await keys({ from: 'd', to: 'b' })).toEqual([])
      expect(await keys({ from: '😀', to: '\uffee' })).toEqual([])
    })

    it('of the index contains only keys', async () => {
      const [first] = await table.page({ pk, index: 'listing', from: 'l-b', limit: 1 })
      expect(first).toEqual({ pk, sk: 'b', lpk: pk, lsk: 'l-b' })
    })

    it('continues after an entry within the bounds', async () => {
      const listing = { pk, from: 'b', to: 'd' }
      const readAfter = async (indexKey: string | undefined, isDescending = false) =>
        (await readEntries(table, listing, { after: indexKey, limit: 2, isDescending })).map(
          (entry) => entry.indexKey,
        )
      expect(await readAfter(undefined)).toEqual(['b', 'c'])
      expect(await readAfter('b')).toEqual(['c', 'd'])
      expect(await readAfter('d')).toEqual([])
      expect(await readAfter('a')).toEqual(['b', 'c'])
      expect(await readAfter('😀')).toEqual([])
      expect(await readAfter('d', true)).toEqual(['c', 'b'])
      expect(await readAfter('😀', true)).toEqual(['d', 'c'])
      expect(await readAfter('a', true)).toEqual([])
    })

    it('has a next page only if there are more entries', async () => {
      const read = async (entries: readonly { indexKey: string }[]) => entries.map(({ indexKey }) => indexKey)
      const page = (limit: number, skip = 0) =>
        readPage(table, { pk, index: 'listing' }, { skip, limit, isDescending: false }, read)
      expect((await page(6)).next).toBeUndefined()
      expect((await page(5)).next).toEqual({ after: 'l-é', skip: 0 })
      expect((await page(2, 4)).next).toBeUndefined()
      expect((await page(2, 7)).rows).toEqual([])
    })
  })

  describe('the last administrator', () => {
    const adminAccess = ['system:admin-access']
    const readAdminIds = async () =>
      [...(((await table.get(adminsKey))?.['ids'] as Set<number>) ?? [])].sort()

    it('cannot be removed by any edit, unlike others', async () => {
      const first = await add({ permissions: adminAccess })
      expect(await readAdminIds()).toEqual([first.id])
      for (const changes of [
        { is_enabled: false },
        { permissions: [] },
        { expiresAt: 1 },
        { expiresAt: 9e12 },
      ]) {
        await expect(editUser(table, first, changes)).rejects.toBeInstanceOf(LastAdmin)
        await expect(editUserEndingSessions(table, first, changes)).rejects.toBeInstanceOf(LastAdmin)
      }
      await expect(deleteUser(table, first, [])).rejects.toBeInstanceOf(LastAdmin)
      const second = await add()
      const promoted = await editUser(table, second, { permissions: adminAccess })
      expect(await readAdminIds()).toEqual([first.id, second.id])
      await deleteUser(table, first, [])
      expect(await readAdminIds()).toEqual([second.id])
      await expect(editUser(table, promoted, { is_enabled: false })).rejects.toBeInstanceOf(LastAdmin)
    })

    it('remains if 21 administrators are demoted concurrently', async () => {
      const others = await Promise.all(Array.from({ length: 20 }, () => add({ permissions: adminAccess })))
      const all = [...(await findUsers(table, (await readAdminIds()).map(Number)))].filter(
        (user) => user !== undefined,
      )
      expect(all).toHaveLength(21)
      const results = await Promise.allSettled(all.map((user) => editUser(table, user, { permissions: [] })))
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      expect(await readAdminIds()).toHaveLength(1)
      expect(others).toHaveLength(20)
    })
  })

  describe('all sessions', () => {
    it('end although a concurrent edit read the user before, and the edit conflicts', async () => {
      const user = await add()
      expect(await endAllSessions(table, user, [])).toBe(true)
      await expect(editUserEndingSessions(table, user, {})).rejects.toBeInstanceOf(EditConflict)
      expect((await findUser(table, user.id))?.credentialEpoch).toBe(2)
      expect(await endAllSessions(table, { id: 2_147_483_647 }, [])).toBe(false)
    })
  })

  describe('a name', () => {
    it('changes together with the entry in the list by name', async () => {
      const user = await add({ username: 'zz-mover' })
      await editUser(table, user, { username: 'aa-mover', normalizedUsername: 'aa-mover' })
      expect(await table.get(usernameKey('zz-mover'))).toBeUndefined()
      const [first] = await readEntries(table, getListing('user', 'name'), { limit: 1, isDescending: false })
      expect(first?.indexKey).toBe(`aa-mover\t${String(user.id).padStart(10, '0')}`)
    })

    it('of another user is rejected, and so is an email address, with the field', async () => {
      const email = `${randomUUID()}@example.com`
      const [user, other] = [await add(), await add({ email })]
      const { username, normalizedUsername } = other
      const both = { username, normalizedUsername, email, normalizedEmail: email }
      await expect(editUser(table, user, both)).rejects.toMatchObject({ taken: ['username', 'email'] })
      await expect(editUser(table, user, { email, normalizedEmail: email })).rejects.toBeInstanceOf(NotUnique)
    })

    it('of a group is unique, and free again after the group is deleted', async () => {
      const group = await addGroup('named')
      await expect(addGroup('named')).rejects.toBeInstanceOf(NameTaken)
      const other = await addGroup()
      const rename = { name: 'named', normalizedName: 'named' }
      await expect(editUniqueNameRecord(table, groupKind, other, { changes: rename })).rejects.toBeInstanceOf(
        NameTaken,
      )
      await deleteUniqueNameRecord(table, groupKind, group, [])
      await expect(deleteUniqueNameRecord(table, groupKind, group, [])).rejects.toBeInstanceOf(EditConflict)
      expect((await editUniqueNameRecord(table, groupKind, other, { changes: rename })).version).toBe(2)
    })
  })

  describe('members', () => {
    it('can be added and removed in any number, and repeatedly', async () => {
      const group = await addGroup()
      const ids = (await addMany(130)).map(({ id }) => id).sort((a, b) => a - b)
      await join(group, ids)
      await join(group, ids)
      expect(await findMemberIds(table, group.id, 1000)).toEqual(ids)
      expect(await readGroupLists(ids)).toEqual(ids.map(() => [group.id]))
      await join(group, ids.slice(1), false)
      await join(group, ids.slice(1), false)
      expect(await findMemberIds(table, group.id, 1000)).toEqual(ids.slice(0, 1))
      expect(await readGroupLists(ids)).toEqual([[group.id], ...ids.slice(1).map(() => [])])
    })

    it('are not changed if the group was changed after it was read', async () => {
      const group = await addGroup()
      const ids = (await addMany(3)).map(({ id }) => id)
      const changed = await editUniqueNameRecord(table, groupKind, group, { changes: { permissions: [] } })
      await expect(join(group, ids)).rejects.toBeInstanceOf(EditConflict)
      expect(await findMemberIds(table, group.id, 10)).toEqual([])
      await join(changed, ids)
      expect(await findMemberIds(table, group.id, 10)).toHaveLength(3)
    })

    it('are added while each of them is being edited, and no edit is lost', async () => {
      const group = await addGroup()
      const users = await addMany(30)
      const edits = users.map(async ({ id }) => {
        for (let done = 0; done < 3; ) {
          const user = await findUser(table, id)
          if (!user) throw new Error('the user does not exist')
          const edited = await editUser(table, user, { full_name: `${done}` }).catch(() => undefined)
          if (edited) done += 1
        }
      })
      await Promise.all([
        join(
          group,
          users.map(({ id }) => id),
        ),
        ...edits,
      ])
      const after = await findUsers(
        table,
        users.map(({ id }) => id),
      )
      for (const user of after) expect(user).toMatchObject({ groups: [group.id], full_name: '2', version: 5 })
    })

    it('of a deleted group are removed, including deleted users', async () => {
      const group = await addGroup()
      const ids = (await addMany(40)).map(({ id }) => id)
      await join(group, ids)
      await deleteUniqueNameRecord(table, groupKind, { ...group }, [])
      await table.transact([{ delete: userKey(ids[0] ?? 0) }])
      expect(await removeStaleMembers(table, group.id, 25)).toBe(true)
      expect(await findMemberIds(table, group.id, 100)).toHaveLength(15)
      expect(await removeStaleMembers(table, group.id, 100)).toBe(true)
      expect(await removeStaleMembers(table, group.id, 100)).toBe(false)
      expect(await readGroupLists(ids)).toEqual([undefined, ...ids.slice(1).map(() => [])])
    })

    it('match the user records after concurrent changes from both sides', async () => {
      const groups = await Promise.all(Array.from({ length: 4 }, () => addGroup()))
      const users = await addMany(6)
      const changes = Array.from({ length: 60 }, async (_, at) => {
        const [user, group] = [users[at % 6], groups[(at * 7) % 4]]
        if (!user || !group) throw new Error('missing')
        if (at % 2) return join(group, [user.id], at % 4 === 1)
        const now = await findUser(table, user.id)
        return (
          now && editUser(table, now, { groups: groups.filter((_g, n) => (at >> n) % 2).map(({ id }) => id) })
        )
      })
      await Promise.allSettled(changes)
      for (const { id } of users) {
        const recorded = (await findUser(table, id))?.groups ?? []
        const found = await table.getMany(groups.map((group) => memberKey(group.id, id)))
        const listed = groups.filter((_, at) => found[at] !== undefined).map((group) => group.id)
        expect([...recorded].sort()).toEqual(listed.sort())
      }
    })
  })

  describe('cleaning up a user', () => {
    it('does nothing while the user exists', async () => {
      const user = await add()
      expect(await cleanUpDeletedUser(table, user.id, buildScheduleContext(0, 'a test'))).toBe(false)
      expect(await findUser(table, user.id)).toBeDefined()
    })
  })
})
