import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addPerson, addSignedIn, type Person, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/* How a user with users:manage, who is not an administrator, could get or give what they do not have. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', 'own:right'] })

const callAs = ({ bearer }: SignedInPerson, method: string, path: string, body?: object) =>
  service.client(method, `/api/2/${path}`, { bearer, body })
const get = async (path: string) => (await callAs(admin, 'GET', path)).body
const unique = (what: string) => `${what}-${randomUUID()}`
const newUser = (given: object = {}) => ({ username: unique('made'), permissions: [], groups: [], ...given })
const makeGroup = async (permissions: readonly string[], members: readonly Person[] = []) =>
  (
    await callAs(admin, 'POST', 'groups', {
      name: unique('group'),
      permissions,
      members: members.map(({ user }) => ({ id: user.id })),
    })
  ).body
const makeTemplate = async (given: object) =>
  (await callAs(admin, 'POST', 'user-templates', { name: unique('template'), ...given })).body
const expectRefused = async (attempts: readonly (readonly [string, string, object?])[]) => {
  for (const [method, path, body] of attempts) {
    const answer = await callAs(manager, method, path, body)
    expect([answer.status, answer.body?.code], `${method} ${path} ${JSON.stringify(body)}`).toEqual([
      403,
      'permission_denied',
    ])
  }
}

describe('a user manager', () => {
  it('manages users, groups and templates within their own rights', async () => {
    const group = (await callAs(manager, 'POST', 'groups', { name: unique('g'), permissions: ['own:right'] }))
      .body
    const user = (
      await callAs(manager, 'POST', 'users', newUser({ permissions: ['users:view'], groups: [group.id] }))
    ).body
    const template = { name: unique('t'), permissions: ['own:right'], groups: [group.id] }
    for (const [method, path, body, status] of [
      ['PATCH', `users/${user.id}`, { permissions: ['users:manage'], groups: [] }, 200],
      ['PUT', `users/${user.id}`, newUser({ permissions: ['own:right'] }), 200],
      ['PATCH', `groups/${group.id}`, { permissions: [], members: [{ id: user.id }] }, 200],
      ['POST', `users/${user.id}/password`, { password: 'a password of the manager' }, 204],
      ['DELETE', `users/${user.id}/totp`, undefined, 204],
      ['DELETE', `users/${user.id}/sessions`, undefined, 204],
      ['POST', 'user-templates', template, 201],
      ['DELETE', `groups/${group.id}`, undefined, 204],
      ['DELETE', `users/${user.id}`, undefined, 204],
    ] as const)
      expect((await callAs(manager, method, path, body)).status, `${method} ${path}`).toBe(status)
  })

  it.each(['media:access', 'downloads:view', 'host:product:thing'])(
    'cannot give %s to any user, neither directly nor through a group or a template',
    async (permission) => {
      const { user } = await addPerson(service)
      const more = await makeGroup([permission])
      const plain = await makeGroup(['own:right'])
      const template = await makeTemplate({})
      for (const id of [user.id, manager.user.id])
        await expectRefused([
          ['PATCH', `users/${id}`, { permissions: ['users:manage', 'users:view', 'own:right', permission] }],
          ['PUT', `users/${id}`, newUser({ permissions: [permission] })],
          ['PATCH', `users/${id}`, { groups: [more.id] }],
          ['PATCH', `users/${id}`, { groups: [plain.id, more.id] }],
          ['PATCH', `groups/${more.id}`, { members: [{ id }] }],
          ['PUT', `groups/${more.id}`, { name: unique('g'), permissions: [], members: [{ id }] }],
          ['POST', 'groups', { name: unique('g'), permissions: [permission], members: [{ id }] }],
        ])
      await expectRefused([
        ['POST', 'users', newUser({ permissions: [permission] })],
        ['POST', 'users', newUser({ groups: [more.id] })],
        ['POST', 'groups', { name: unique('g'), permissions: ['own:right', permission] }],
        ['PATCH', `groups/${plain.id}`, { permissions: [permission] }],
        ['POST', 'user-templates', { name: unique('t'), permissions: [permission] }],
        ['POST', 'user-templates', { name: unique('t'), groups: [more.id] }],
        ['PATCH', `user-templates/${template.id}`, { permissions: [permission] }],
        ['PUT', `user-templates/${template.id}`, { name: unique('t'), groups: [more.id] }],
      ])
      expect((await get(`users/${user.id}`)).effective_permissions).toEqual([])
    },
  )

  it.each([
    ['directly', async () => addPerson(service, { permissions: ['media:access'] })],
    [
      'through a group',
      async () => {
        const person = await addPerson(service)
        await makeGroup(['downloads:view'], [person])
        return person
      },
    ],
  ])('changes nothing about a user who has more rights %s', async (_, make) => {
    const { user } = await make()
    const path = `users/${user.id}`
    const before = await get(path)
    const plain = await makeGroup([])
    await expectRefused([
      ['PATCH', path, { email: 'mallory@example.com' }],
      ['PATCH', path, { full_name: 'x' }],
      ['PATCH', path, { is_enabled: false }],
      ['PATCH', path, { permissions: [] }],
      ['PATCH', path, { groups: [] }],
      ['PATCH', path, { groups: [...before.groups, plain.id] }],
      ['PUT', path, { ...before, email: 'mallory@example.com' }],
      ['PATCH', `groups/${plain.id}`, { members: [{ id: user.id }] }],
      ['POST', `${path}/password`, { password: 'a password of the attacker' }],
      ['POST', `${path}/password/reset`],
      ['DELETE', `${path}/totp`],
      ['DELETE', `${path}/sessions`],
      ['DELETE', path],
    ])
    expect(await get(path)).toEqual(before)
  })

  it('changes no group or template that gives more, not even its name, but may send it back', async () => {
    const group = await makeGroup(['own:right', 'media:access'], [await addPerson(service)])
    const template = await makeTemplate({ groups: [group.id] })
    await expectRefused([
      ['PATCH', `groups/${group.id}`, { name: unique('renamed') }],
      ['PATCH', `groups/${group.id}`, { permissions: ['own:right'] }],
      ['PATCH', `groups/${group.id}`, { permissions: [] }],
      ['PATCH', `groups/${group.id}`, { members: [] }],
      ['PATCH', `groups/${group.id}`, { gid: 5 }],
      ['DELETE', `groups/${group.id}`],
      ['PATCH', `user-templates/${template.id}`, { groups: [] }],
      ['PATCH', `user-templates/${template.id}`, { name: unique('renamed') }],
      ['DELETE', `user-templates/${template.id}`],
    ])
    for (const path of [`groups/${group.id}`, `user-templates/${template.id}`]) {
      const before = await get(path)
      expect((await callAs(manager, 'PUT', path, before)).body).toEqual(before)
      expect((await callAs(manager, 'PATCH', path, {})).body).toEqual(before)
    }
  })

  it('loses their power over others together with their own rights', async () => {
    const former = await addSignedIn(service, { permissions: ['users:manage'] })
    const group = await makeGroup(['host:right'], [former])
    const { user } = await addPerson(service, { permissions: ['host:right'] })
    const rename = async () =>
      (await callAs(former, 'PATCH', `users/${user.id}`, { full_name: unique('n') })).status
    expect(await rename()).toBe(200)
    expect((await callAs(admin, 'DELETE', `groups/${group.id}`)).status).toBe(204)
    expect(await rename()).toBe(403)
  })

  it('loses the race against an administrator who gives a group more', async () => {
    const { user } = await addPerson(service)
    const plain = await makeGroup([])
    const promote = () =>
      callAs(admin, 'PATCH', `groups/${plain.id}`, { permissions: ['media:access'], members: [] })
    const joining = Array.from({ length: 4 }, () =>
      callAs(manager, 'PATCH', `users/${user.id}`, { groups: [plain.id] }),
    )
    const joined = callAs(manager, 'PATCH', `groups/${plain.id}`, { members: [{ id: user.id }] })
    await waitFor(async () => expect((await promote()).status).toBe(200))
    for (const { status } of await Promise.all([...joining, joined]))
      expect([200, 403, 409]).toContain(status)
    expect((await get(`users/${user.id}`)).effective_permissions).not.toContain('media:access')
  })
})
