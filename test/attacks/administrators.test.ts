import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ensureFirstAdmin } from '../../lib/features/directory/users/first-admin.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* How a user with users:manage could become an administrator, or remove all administrators. */

const adminAccess = 'system:admin-access'
const managing = ['users:manage', 'users:view']
const service = await useService()
await ensureFirstAdmin(service.services, { readPassword: () => 'the password of the first one' })
const first: Person = {
  user: (await service.services.table.get({ pk: 'user#1', sk: 'user' })) as unknown as Person['user'],
  password: 'the password of the first one',
}
const root = { ...first, bearer: await signIn(service, first) }
// They have the permission of the plain groups below, so that only admin access is out of their reach.
const manager = await addSignedIn(service, { permissions: [...managing, 'a:b'] })

const call = (method: string, path: string, bearer: string, body?: object) =>
  service.client(method, `/api/2/${path}`, { bearer, body })
const group = async (permissions: readonly string[], members: readonly Person[] = []) =>
  (
    await call('POST', 'groups', root.bearer, {
      name: `group-${randomUUID()}`,
      permissions,
      members: members.map(({ user }) => ({ id: user.id })),
    })
  ).body
const user = async (id: number) => (await call('GET', `users/${id}`, root.bearer)).body
const fields = (person: Person) => ({ username: person.user.username, permissions: [], groups: [] })

it('a new service wants 15 characters of a password that is the only factor', async () => {
  const policy = await call('GET', 'system/sign-in-policy', root.bearer)
  expect(policy.body.password_only_min_length).toBe(15)
  const person = await addSignedIn(service)
  const change = (password: string) =>
    call('POST', 'users/me/password', person.bearer, { current_password: person.password, password })
  expect((await change('zebra-lamp-4q.')).body.errors).toMatchObject([
    { message: 'The password must have at least 15 characters.' },
  ])
  expect((await change('zebra-lamp-4q.m')).status).toBe(204)
})

describe('a user with users:manage', () => {
  it('cannot grant administrator access to anyone in any way', async () => {
    const victim = await addPerson(service)
    const admins = await group([adminAccess])
    const plain = await group(['a:b'], [manager, victim])
    const template = { name: `t-${randomUUID()}` }
    const made = { username: `made-${randomUUID()}`, permissions: [], groups: [] }
    for (const id of [manager.user.id, victim.user.id]) {
      const tries: readonly [string, string, object][] = [
        ['POST', 'users', { ...made, permissions: [adminAccess] }],
        ['POST', 'users', { ...made, groups: [admins.id] }],
        ['PUT', `users/${id}`, { ...made, permissions: [...managing, adminAccess] }],
        ['PUT', `users/${id}`, { ...made, groups: [admins.id] }],
        ['PATCH', `users/${id}`, { permissions: [adminAccess] }],
        ['PATCH', `users/${id}`, { permissions: ['a:b', adminAccess, 'c:d'] }],
        ['PATCH', `users/${id}`, { groups: [admins.id] }],
        ['PATCH', `users/${id}`, { groups: [plain.id, admins.id] }],
        ['POST', 'groups', { name: `g-${randomUUID()}`, permissions: [adminAccess] }],
        ['POST', 'groups', { name: `g-${randomUUID()}`, permissions: [adminAccess], members: [{ id }] }],
        ['PATCH', `groups/${plain.id}`, { permissions: [adminAccess] }],
        ['PUT', `groups/${plain.id}`, { name: plain.name, permissions: [adminAccess], members: [{ id }] }],
        ['PATCH', `groups/${admins.id}`, { members: [{ id }] }],
        ['PATCH', `groups/${admins.id}`, { name: 'x', members: [{ id }] }],
        ['PUT', `groups/${admins.id}`, { ...admins, members: [{ id }] }],
        ['PUT', `groups/${admins.id}`, { ...admins, permissions: [], members: [{ id }] }],
        ['POST', 'user-templates', { ...template, permissions: [adminAccess] }],
        ['POST', 'user-templates', { ...template, groups: [admins.id] }],
      ]
      for (const [method, path, body] of tries) {
        const answer = await call(method, path, manager.bearer, body)
        expect([answer.status, answer.body.code], `${method} ${path} ${JSON.stringify(body)}`).toEqual([
          403,
          'permission_denied',
        ])
      }
      expect((await user(id)).effective_permissions).not.toContain(adminAccess)
    }
    expect((await call('GET', `groups/${admins.id}`, root.bearer)).body).toMatchObject({ members: [] })
    expect((await call('GET', 'user-templates', manager.bearer)).body).toEqual([])
  })

  it.each([
    ['itself', async () => addPerson(service, { permissions: [adminAccess] })],
    [
      'by a group',
      async () => {
        const person = await addPerson(service)
        await group([adminAccess], [person])
        return person
      },
    ],
  ])('cannot change the account of an administrator: %s', async (_, make) => {
    const target = await make()
    const plain = await group(['a:b'])
    const before = await user(target.user.id)
    const path = `users/${target.user.id}`
    const tries: readonly [string, string, object | undefined][] = [
      ['PUT', path, { ...before, permissions: [], groups: [] }],
      ['PUT', path, before],
      ['PATCH', path, {}],
      ['PATCH', path, { email: 'mine@example.com' }],
      ['PATCH', path, { is_enabled: false }],
      ['PATCH', path, { expiry: '2020-01-01T00:00:00Z' }],
      ['PATCH', path, { permissions: [] }],
      ['PATCH', path, { groups: [] }],
      ['DELETE', path, undefined],
      ['DELETE', `${path}/sessions`, undefined],
      ['POST', `${path}/password`, { password: 'a password of my choice' }],
      ['PATCH', `groups/${plain.id}`, { members: [{ id: target.user.id }] }],
      ['POST', 'groups', { name: `g-${randomUUID()}`, members: [{ id: target.user.id }] }],
    ]
    for (const [method, at, body] of tries)
      expect((await call(method, at, manager.bearer, body)).status, `${method} ${at}`).toBe(403)
    expect(await user(target.user.id)).toEqual(before)
  })

  it('cannot remove an administrator from a group or delete an administrator group', async () => {
    const target = await addPerson(service, { permissions: [adminAccess] })
    const [mixed, admins] = [await group(['a:b'], [target]), await group([adminAccess], [target])]
    expect((await call('PATCH', `groups/${mixed.id}`, manager.bearer, { members: [] })).status).toBe(403)
    expect((await call('DELETE', `groups/${admins.id}`, manager.bearer)).status).toBe(403)
    expect((await call('PUT', `groups/${mixed.id}`, manager.bearer, { name: mixed.name })).status).toBe(403)
    expect((await user(target.user.id)).groups.sort()).toEqual([mixed.id, admins.id].sort())
    // A manager may still edit the group itself, as long as its members stay the same.
    expect(
      (await call('PATCH', `groups/${mixed.id}`, manager.bearer, { name: `n-${mixed.id}` })).status,
    ).toBe(200)
  })

  it('gets administrator access by group and directly, and loses it with the group at once', async () => {
    const person = await addSignedIn(service)
    const managers = await group(managing, [person])
    const victim = await addPerson(service)
    const rename = () => call('PATCH', `users/${victim.user.id}`, person.bearer, { full_name: 'x' })
    expect((await rename()).status).toBe(200)
    expect((await call('DELETE', `groups/${managers.id}`, root.bearer)).status).toBe(204)
    expect((await rename()).status).toBe(403)
  })

  it('loses the race against an administrator who turns a group into an administrator group', async () => {
    for (let round = 0; round < 10; round++) {
      const victim = await addPerson(service)
      const plain = await group(['a:b'])
      const make = { permissions: [adminAccess], members: [] }
      const give = () => call('PATCH', `groups/${plain.id}`, root.bearer, make)
      const tries = ['PATCH', 'PUT', 'PATCH', 'PATCH'].map((method) =>
        call(method, `users/${victim.user.id}`, manager.bearer, { ...fields(victim), groups: [plain.id] }),
      )
      const join = call('PATCH', `groups/${plain.id}`, manager.bearer, { members: [{ id: victim.user.id }] })
      let given = await give()
      for (const { status } of [...(await Promise.all(tries)), await join])
        expect([200, 403, 409]).toContain(status)
      while (given.status === 409) given = await give()
      expect(given.body.members).toEqual([])
      expect((await user(victim.user.id)).effective_permissions).not.toContain(adminAccess)
    }
  })
})

describe('an administrator', () => {
  it('may do all of these', async () => {
    const target = await addPerson(service, { permissions: [adminAccess] })
    const path = `users/${target.user.id}`
    expect((await call('PATCH', path, root.bearer, { full_name: 'x' })).status).toBe(200)
    expect((await call('DELETE', `${path}/sessions`, root.bearer)).status).toBe(204)
    expect((await call('PATCH', path, root.bearer, { permissions: [] })).status).toBe(200)
    const admins = await group([adminAccess], [target])
    expect((await user(target.user.id)).effective_permissions).toEqual([adminAccess])
    expect((await call('PATCH', `groups/${admins.id}`, root.bearer, { members: [] })).status).toBe(200)
    expect((await call('DELETE', `groups/${admins.id}`, root.bearer)).status).toBe(204)
    expect((await call('DELETE', path, root.bearer)).status).toBe(204)
  })

  it('cannot create administrators through a template', async () => {
    const admins = await group([adminAccess])
    for (const body of [{ permissions: [adminAccess] }, { groups: [admins.id] }]) {
      const answer = await call('POST', 'user-templates', root.bearer, { name: `t-${randomUUID()}`, ...body })
      expect(answer.status).toBe(400)
      expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(Object.keys(body))
    }
  })
})

describe('the last administrator', () => {
  const lastOnes = async () => {
    const found = (await call('GET', 'users?is_enabled=true&limit=1000', root.bearer)).body
    const others = found.filter(
      ({ id, permissions }: { id: number; permissions: string[] }) =>
        id !== root.user.id && permissions.includes(adminAccess),
    )
    for (const { id } of others) await call('PATCH', `users/${id}`, root.bearer, { permissions: [] })
  }
  const path = () => `users/${root.user.id}`

  it('cannot be deleted, disabled, demoted, or given an expiry, even by their own request', async () => {
    await lastOnes()
    const byGroup = await addSignedIn(service)
    await group([adminAccess], [byGroup, root])
    const before = await user(root.user.id)
    for (const bearer of [root.bearer, byGroup.bearer])
      for (const [method, body] of [
        ['PUT', fields(root)],
        ['PUT', { ...before, permissions: [] }],
        ['PATCH', { permissions: [] }],
        ['PATCH', { permissions: managing, full_name: 'x' }],
        ['PATCH', { is_enabled: false }],
        ['PATCH', { expiry: '2020-01-01T00:00:00Z' }],
        ['PATCH', { expiry: '2040-01-01T00:00:00Z' }],
        ['PATCH', { groups: [], is_enabled: false }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await call(method, path(), bearer, body)
        expect([answer.status, answer.body?.code], `${method} ${JSON.stringify(body)}`).toEqual([
          409,
          'conflict',
        ])
        expect(answer.body.detail).toContain('at least one administrator')
      }
    expect({ ...(await user(root.user.id)), last_seen: null }).toEqual({ ...before, last_seen: null })
  })

  it('does not count disabled, expiring, or group-based administrators as successors', async () => {
    await lastOnes()
    await addPerson(service, { permissions: [adminAccess], is_enabled: false })
    await addPerson(service, { permissions: [adminAccess], expiresAt: Date.now() + 1e9 })
    await group([adminAccess], [await addPerson(service)])
    expect((await call('PATCH', path(), root.bearer, { is_enabled: false })).status).toBe(409)
  })

  it('can be demoted once there is another, and can be changed in all other respects', async () => {
    await lastOnes()
    expect((await call('PATCH', path(), root.bearer, { full_name: 'Root', groups: [] })).status).toBe(200)
    const other = await addSignedIn(service)
    const otherPath = `users/${other.user.id}`
    expect((await call('PATCH', otherPath, root.bearer, { permissions: [adminAccess] })).status).toBe(200)
    expect((await call('PATCH', path(), other.bearer, { permissions: managing })).status).toBe(200)
    expect((await call('PATCH', otherPath, other.bearer, { permissions: [] })).status).toBe(409)
    expect((await call('PATCH', path(), other.bearer, { permissions: [adminAccess] })).status).toBe(200)
    expect((await call('DELETE', otherPath, root.bearer)).status).toBe(204)
    expect((await call('DELETE', path(), root.bearer)).status).toBe(409)
  })

  it.each([
    ['demote', (id: number) => ['PATCH', `users/${id}`, { permissions: [] }] as const],
    ['disable', (id: number) => ['PATCH', `users/${id}`, { is_enabled: false }] as const],
    ['delete', (id: number) => ['DELETE', `users/${id}`, undefined] as const],
  ])('remains when all administrators %s each other concurrently', async (_, attack) => {
    for (let round = 0; round < 5; round++) {
      await lastOnes()
      const others = await Promise.all(
        Array.from({ length: 3 }, () => addSignedIn(service, { permissions: [adminAccess] })),
      )
      // The four demote each other in a circle. Root is needed for the next round and is not attacked.
      const everybody = [...others, ...others]
      const answers = await Promise.all(
        others.map((one, at) => {
          const [method, path, body] = attack(everybody[at + 1]?.user.id ?? 0)
          return call(method, path, one.bearer, body)
        }),
      )
      for (const { status } of answers) expect([200, 204, 401, 403, 409]).toContain(status)
      const left = (await service.services.table.get({ pk: 'setup#admins', sk: 'admins' }))?.[
        'ids'
      ] as Set<number>
      expect(left.has(root.user.id)).toBe(true)
      for (const { user: one } of others) {
        const stored = await service.services.table.get({ pk: `user#${one.id}`, sk: 'user' })
        const counts = Boolean(
          stored?.['is_enabled'] && (stored['permissions'] as string[]).includes(adminAccess),
        )
        expect(left.has(one.id)).toBe(counts)
      }
    }
  })

  it('remains when two administrators demote each other a hundred times', async () => {
    await lastOnes()
    let [one, two]: SignedInPerson[] = [root, await addSignedIn(service, { permissions: [adminAccess] })]
    for (let round = 0; round < 30; round++) {
      if (!one || !two) throw new Error('somebody is missing')
      const demote = (by: SignedInPerson, whom: SignedInPerson) =>
        call('PATCH', `users/${whom.user.id}`, by.bearer, { permissions: [] })
      const answers = await Promise.all([demote(one, two), demote(two, one)])
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      for (const status of statuses) expect([200, 403, 409]).toContain(status)
      const winner: SignedInPerson = statuses[0] === 200 ? one : two
      const loser: SignedInPerson = statuses[0] === 200 ? two : one
      const again = await call('PATCH', `users/${loser.user.id}`, winner.bearer, {
        permissions: [adminAccess],
      })
      expect(again.status).toBe(200)
      ;[one, two] = [two, one]
    }
  })
})
