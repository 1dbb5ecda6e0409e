import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { emailKey, memberKey, userKey, usernameKey } from '../../lib/kernel/table/keys/keys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

// Managers give only permissions that they have.
const given = ['a:b', 'media:access']
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', ...given] })

const uniqueName = () => `name-${randomUUID()}`
const at = (id: number) => `/api/2/users/${id}`
const get = (id: number) => service.client('GET', at(id), { bearer: manager.bearer })
const put = (id: number, body: object, bearer = manager.bearer) =>
  service.client('PUT', at(id), { bearer, body })
const patch = (id: number, body: object, bearer = manager.bearer) =>
  service.client('PATCH', at(id), { bearer, body })
const remove = (id: number, bearer = manager.bearer) => service.client('DELETE', at(id), { bearer })
const me = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
const addGroup = async (permissions: readonly string[] = []): Promise<number> => {
  const body = { name: `group-${randomUUID()}`, permissions }
  return (await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body })).body.id
}

describe('update_user', () => {
  it('replaces the whole user: omitted fields return to their defaults', async () => {
    const group = await addGroup()
    const full = {
      username: uniqueName(),
      email: `${randomUUID()}@example.com`,
      full_name: 'Before',
      permissions: ['media:access'],
      groups: [group],
      language: 'de',
      default_page: '/x',
      fm_bookmarks: ['/a'],
      gid: 1,
      uid: 2,
      home: 3,
      ldap: { a: 1 },
      ldap_dn: 'cn=x',
      shaper_rate: 5,
      shaper_ceiling: 6,
      unix_username: 'x',
      expiry: '2031-01-01T00:00:00.000Z',
      is_cloud: true,
      is_external: true,
      allow_wan_login: true,
      allow_changing_password: false,
    }
    const { user } = await addPerson(service)
    const filled = await put(user.id, full)
    expect(filled.status).toBe(200)
    expect(filled.body).toMatchObject(full)
    const username = uniqueName()
    const bare = await put(user.id, { username, permissions: [], groups: [] })
    const fresh = await service.client('POST', '/api/2/users', {
      bearer: manager.bearer,
      body: { username: uniqueName(), permissions: [], groups: [] },
    })
    expect(bare.body).toEqual({
      ...fresh.body,
      id: user.id,
      username,
      display_name: username,
      sync_id: filled.body.sync_id,
      created_at: filled.body.created_at,
      rights_limit: filled.body.rights_limit,
      has_password: true,
    })
    expect((await get(user.id)).body).toEqual(bare.body)
  })

  it('accepts a body as it was returned, and changes nothing', async () => {
    const group = await addGroup(['users:view'])
    const { user } = await addPerson(service, { full_name: 'Somebody', groups: [group] })
    const read = (await get(user.id)).body
    const answer = await put(user.id, { ...read, effective_permissions: ['system:admin-access'], id: 1 })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(read)
    expect((await service.services.table.get(userKey(user.id)))?.['version']).toBe(1)
  })

  it('requires all required fields, and reports every invalid field', async () => {
    const { user } = await addPerson(service)
    const answer = await put(user.id, { is_enabled: 'no', version: 3, email: 'no address' })
    expect(answer.status).toBe(400)
    const fields = answer.body.errors.map(({ field }: { field: string }) => field).sort()
    expect(fields).toEqual(['groups', 'is_enabled', 'permissions', 'username', 'version'])
    const invalid = { username: ' x', email: 'no address', groups: [2147483647], permissions: [] }
    const { errors } = (await put(user.id, invalid)).body
    expect(errors.map(({ field }: { field: string }) => field)).toEqual(['username', 'email', 'groups'])
  })

  it('responds 404 for an unknown user, as do patch_user and delete_user', async () => {
    expect((await put(2147483647, { username: 'x', permissions: [], groups: [] })).status).toBe(404)
    expect((await patch(2147483647, {})).status).toBe(404)
    expect((await remove(2147483647)).status).toBe(404)
  })
})

describe('patch_user', () => {
  it('changes the fields in the body and keeps the others', async () => {
    const { user } = await addPerson(service, { full_name: 'Before', language: 'de', permissions: ['a:b'] })
    const before = (await get(user.id)).body
    const answer = await patch(user.id, { full_name: 'After', gid: 7 })
    expect(answer.body).toEqual({ ...before, full_name: 'After', display_name: 'After', gid: 7 })
    expect((await patch(user.id, {})).body).toEqual(answer.body)
    expect((await service.services.table.get(userKey(user.id)))?.['version']).toBe(2)
  })

  it('responds 200 or 409 to 10 concurrent changes', async () => {
    const { user } = await addPerson(service)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => patch(user.id, { full_name: `name ${turn}` })),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const written = answers.filter(({ status }) => status === 200).map(({ body }) => body.full_name)
    expect(written).toContain((await get(user.id)).body.full_name)
  })
})

describe('a username and an email address', () => {
  it('can be changed: the new ones work at once, and the old ones become free', async () => {
    const person = await addPerson(service, { email: `${randomUUID()}@example.com` })
    const [username, email] = [uniqueName(), `${randomUUID()}@Example.com`]
    expect((await patch(person.user.id, { username, email })).body).toMatchObject({ username, email })
    expect(await signIn(service, { ...person, user: { ...person.user, username } })).toMatch(/^lks_/)
    await expect(signIn(service, person)).rejects.toThrow('login_failed')
    const successor = await service.client('POST', '/api/2/users', {
      bearer: manager.bearer,
      body: { username: person.user.username, email: person.user.email, permissions: [], groups: [] },
    })
    expect(successor.status).toBe(201)
  })

  it('are rejected with 409 if another user has them in any spelling, and nothing changes', async () => {
    const other = (await addPerson(service, { email: `${randomUUID()}@example.com` })).user
    const { user } = await addPerson(service)
    const before = (await get(user.id)).body
    for (const body of [
      { username: other.username, full_name: 'x' },
      { username: other.username.toUpperCase() },
      { email: other.email?.toUpperCase(), full_name: 'x' },
      { username: uniqueName(), email: other.email },
    ])
      expect((await patch(user.id, body)).status).toBe(409)
    expect((await get(user.id)).body).toEqual(before)
  })

  it('can be written differently, cleared, and set again for the same user', async () => {
    const { user } = await addPerson(service, { email: `${randomUUID()}@example.com` })
    const username = user.username.toUpperCase()
    expect((await patch(user.id, { username })).body.username).toBe(username)
    expect((await patch(user.id, { email: null })).body.email).toBeNull()
    expect(await service.services.table.get(emailKey(user.email ?? ''))).toBeUndefined()
    expect((await patch(user.id, { email: user.email })).body.email).toBe(user.email)
  })

  it('are given to exactly one of 20 users concurrently', async () => {
    const username = uniqueName()
    const people = await Promise.all(Array.from({ length: 20 }, () => addPerson(service)))
    const answers = await Promise.all(people.map(({ user }) => patch(user.id, { username })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  it('keep their uniqueness records when two users swap them concurrently', async () => {
    const [a, b] = [await addPerson(service), await addPerson(service)]
    await Promise.all([
      patch(a.user.id, { username: b.user.username }),
      patch(b.user.id, { username: a.user.username }),
    ])
    for (const { user } of [a, b]) {
      const { username } = (await get(user.id)).body
      expect((await service.services.table.get(usernameKey(username)))?.['userId']).toBe(user.id)
    }
  })
})

describe('the groups of a user', () => {
  it('can be set on the user or on the group', async () => {
    const ids = await Promise.all(Array.from({ length: 90 }, () => addGroup()))
    const { user } = await addPerson(service)
    const all = await patch(user.id, { groups: ids })
    expect(all.body.groups).toEqual(ids)
    const members = async (group: number) =>
      (await service.client('GET', `/api/2/groups/${group}`, { bearer: manager.bearer })).body.members
    expect((await members(ids[0] ?? 0)).map(({ id }: { id: number }) => id)).toEqual([user.id])
    expect((await members(ids.at(-1) ?? 0)).map(({ id }: { id: number }) => id)).toEqual([user.id])
    const few = await patch(user.id, { groups: ids.slice(88) })
    expect(few.body.groups).toEqual(ids.slice(88))
    expect(await members(ids[0] ?? 0)).toEqual([])
    const created = await service.client('POST', '/api/2/users', {
      bearer: manager.bearer,
      body: { username: uniqueName(), permissions: [], groups: ids },
    })
    expect(created.body.groups).toEqual(ids)
    expect((await remove(created.body.id)).status).toBe(204)
    expect(await members(ids[3] ?? 0)).toEqual([])
    expect(await service.services.table.get(memberKey(ids[89] ?? 0, created.body.id))).toBeUndefined()
  })

  it('omit deleted groups, and a body as it was returned is accepted', async () => {
    const [deleted, kept] = [await addGroup(), await addGroup()]
    const { user } = await addPerson(service, { groups: [deleted, kept] })
    await service.services.table.transact([{ delete: { pk: `group#${deleted}`, sk: 'group' } }])
    const read = (await get(user.id)).body
    expect(read.groups).toEqual([kept])
    expect((await put(user.id, read)).status).toBe(200)
  })
})

describe('a user who loses access', () => {
  it.each([
    ['disabled', { is_enabled: false }, { is_enabled: true }],
    ['expired', { expiry: '2020-01-01T00:00:00.000Z' }, { expiry: null }],
  ])(
    'by being %s is signed out at once, and their old session and tickets stay invalid afterwards',
    async (_, block, restore) => {
      const { user, bearer, password } = await addSignedIn(service)
      const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer })).body
      expect((await patch(user.id, block)).status).toBe(200)
      expect((await me(bearer)).status).toBe(401)
      expect((await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status).toBe(
        404,
      )
      expect((await patch(user.id, restore)).status).toBe(200)
      expect((await me(bearer)).status).toBe(401)
      expect((await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status).toBe(
        404,
      )
      expect((await me(await signIn(service, { user, password }))).status).toBe(200)
    },
  )

  it('by losing a permission keeps their session', async () => {
    const { user, bearer } = await addSignedIn(service, { permissions: ['users:view'] })
    expect((await service.client('GET', at(user.id), { bearer })).status).toBe(200)
    await patch(user.id, { permissions: [] })
    expect((await service.client('GET', at(user.id), { bearer })).status).toBe(403)
    expect((await me(bearer)).status).toBe(200)
  })
})

describe('end_user_sessions', () => {
  const end = (id: number, bearer = manager.bearer) =>
    service.client('DELETE', `${at(id)}/sessions`, { bearer })

  it('signs a user out everywhere, including tickets, and can be repeated', async () => {
    const person = await addSignedIn(service)
    const second = await signIn(service, person)
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: second })).body
    expect((await end(person.user.id)).status).toBe(204)
    for (const bearer of [person.bearer, second]) expect((await me(bearer)).status).toBe(401)
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status).toBe(404)
    expect((await end(person.user.id)).status).toBe(204)
    expect((await me(await signIn(service, person))).status).toBe(200)
    expect((await end(2147483647)).status).toBe(404)
  })

  it('wins against concurrent edits of the user', async () => {
    const { user, bearer } = await addSignedIn(service)
    const results = await Promise.all([
      end(user.id),
      ...Array.from({ length: 5 }, (_, turn) => patch(user.id, { full_name: `name ${turn}` })),
    ])
    expect(results[0]?.status).toBe(204)
    expect((await me(bearer)).status).toBe(401)
  })
})

describe('delete_user', () => {
  it('removes sessions, names, and memberships of the user', async () => {
    const group = await addGroup(['users:view'])
    const person = await addSignedIn(service, { groups: [group], email: `${randomUUID()}@example.com` })
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: person.bearer })).body
    expect((await remove(person.user.id)).status).toBe(204)
    expect((await me(person.bearer)).status).toBe(401)
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status).toBe(404)
    expect((await get(person.user.id)).status).toBe(404)
    expect((await remove(person.user.id)).status).toBe(404)
    const { table } = service.services
    const keys = [
      usernameKey(person.user.normalizedUsername),
      emailKey(person.user.normalizedEmail ?? ''),
      memberKey(group, person.user.id),
    ]
    expect(await table.getMany(keys)).toEqual([undefined, undefined, undefined])
    expect(await table.page({ pk: userKey(person.user.id).pk, limit: 10 })).toEqual([])
    const successor = await addSignedIn(service, { username: person.user.username })
    expect(successor.user.id).toBeGreaterThan(person.user.id)
    expect((await me(person.bearer)).status).toBe(401)
  })

  it('completes an interrupted deletion', async () => {
    const { user } = await addSignedIn(service)
    await service.services.table.transact([{ delete: userKey(user.id) }])
    expect((await remove(user.id)).status).toBe(204)
    expect(await service.services.table.page({ pk: userKey(user.id).pk, limit: 10 })).toEqual([])
    expect((await remove(user.id)).status).toBe(404)
  })

  it('deletes a user with 10 concurrent requests', async () => {
    const { user } = await addPerson(service)
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => remove(user.id)))).map(
      ({ status }) => status,
    )
    expect(statuses).toContain(204)
    for (const status of statuses) expect([204, 404, 409]).toContain(status)
    expect((await get(user.id)).status).toBe(404)
  })

  it('removes hundreds of sessions', async () => {
    const { table } = service.services
    const { user } = await addPerson(service)
    for (let batch = 0; batch < 3; batch++)
      await table.transact(
        Array.from({ length: 80 }, (_, n) => ({
          put: { ...userKey(user.id), sk: `session#${batch}-${n}` },
        })),
      )
    expect((await remove(user.id)).status).toBe(204)
    expect(await table.page({ pk: userKey(user.id).pk, limit: 10 })).toEqual([])
  })
})
