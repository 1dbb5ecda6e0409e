import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { JsonValue } from '../../support/client.ts'
import { addPerson } from '../../support/people.ts'
import { type Answered, type Call, once, type Row, type Trial, type World } from '../row.ts'
import { statusOf } from './people.ts'
import { userFields } from './user-fields.ts'

/** Adds three users, and a group of the last one. */
const addUsers = async (world: World): Promise<Call> => {
  const { service, admin } = world
  const prefix = randomUUID()
  const { body: group } = await service.client('POST', '/api/2/groups', {
    bearer: admin.bearer,
    body: { name: prefix },
  })
  const ids: number[] = []
  for (const name of ['b', 'c', 'a']) {
    const isLast = name === 'a'
    const { body: user } = await service.client('POST', '/api/2/users', {
      bearer: admin.bearer,
      body: {
        username: `${prefix}-${name}`,
        full_name: `${name} of ${prefix}`,
        email: `${name}@${prefix}.example.com`,
        is_enabled: !isLast,
        is_cloud: isLast,
        // Clients read the list with a number here, and the single user with any value.
        ldap: { id: 3 },
        permissions: [],
        groups: isLast ? [group.id] : [],
      },
    })
    ids.push(user.id)
  }
  return { bearer: admin.bearer, context: { prefix, ids, groupId: group.id } }
}

const addUser = async ({ service, admin: { bearer } }: World): Promise<Call> => {
  const { user } = await addPerson(service, { permissions: ['media:access'] })
  return { bearer, path: { id: user.id }, context: user }
}

/** Expects these of the three users, in this order. Users of other tests do not count. */
const expectUsers =
  (...wanted: readonly number[]) =>
  ({ call, body }: Answered): void => {
    const { ids } = call.context
    const shown = body.map(({ id }: JsonValue) => id).filter((id: number) => ids.includes(id))
    expect(shown).toEqual(wanted.map((at) => ids[at]))
  }

const pythonFilter = (value: unknown, ...wanted: readonly number[]): Trial => ({
  value,
  only: 'python',
  expect: expectUsers(...wanted),
})

const includes: Readonly<Record<string, Trial>> = {
  include_allowed_fs_paths: { value: true },
  include_effective_permissions: { value: true, only: 'python' },
}

export const userRows: readonly Row[] = [
  {
    npm: 'MainApi.getAllUsers',
    python: 'MainApi.get_all_users',
    returns: 'ServiceUser[]',
    added: ['groups', 'invitation', 'accepted_terms', 'created_at', 'attributes'],
    arrange: once(addUsers),
    expect: (answered) => {
      expectUsers(0, 1, 2)(answered)
      const [shown] = answered.body.filter(({ id }: JsonValue) => id === answered.call.context.ids[0])
      expect(shown.ldap).toBe(3)
    },
    optional: {
      username: { value: ({ context }: Call) => `${context.prefix}-c`, expect: expectUsers(1) },
      home: { value: '7', expect: expectUsers() },
      full_name: { value: ({ context }: Call) => `b of ${context.prefix}`, expect: expectUsers(0) },
      ordering: { value: '-username', expect: expectUsers(1, 0, 2) },
      limit: { value: 1, expect: ({ body }) => expect(body).toHaveLength(1) },
      offset: { value: 1, expect: expectUsers(0, 1, 2) },
      ...includes,
      groups: pythonFilter(({ context }: Call) => context.groupId, 2),
      is_cloud: pythonFilter(true, 2),
      is_enabled: pythonFilter(true, 0, 1),
      filter: pythonFilter(({ context }: Call) => `OF C@${context.prefix}`, 1),
      filtering_mode: [
        { ...pythonFilter('exact'), along: { filter: 'of' } },
        { ...pythonFilter('fuzzy', 0, 1, 2), along: { filter: 'of' } },
      ],
    },
  },
  {
    npm: 'MainApi.getUser',
    python: 'MainApi.get_user',
    required: ['id'],
    returns: 'ServiceUserDetail',
    arrange: once(addUser),
    expect: ({ body }) => expect(body.effective_permissions).toEqual(['media:access']),
    optional: includes,
  },
  {
    npm: 'MainApi.createUser',
    python: 'MainApi.create_user',
    required: ['username', 'permissions', 'groups'],
    returns: 'ServiceUserDetail',
    status: 201,
    arrange: ({ admin: { bearer } }) => ({
      bearer,
      body: { username: `müller-${randomUUID()}`, permissions: ['media:access'], groups: [] },
    }),
    expect: ({ call, body }) => expect(body).toMatchObject(call.body ?? {}),
    optional: userFields,
  },
  {
    npm: 'MainApi.updateUser',
    python: 'MainApi.update_user',
    required: ['id', 'username', 'permissions', 'groups'],
    returns: 'ServiceUserDetail',
    arrange: async (world) => {
      const call = await addUser(world)
      return { ...call, body: { username: call.context.username, permissions: [], groups: [] } }
    },
    expect: ({ call, body }) => expect(body).toMatchObject(call.body ?? {}),
    optional: userFields,
  },
  {
    npm: 'MainApi.patchUser',
    python: 'MainApi.patch_user',
    required: ['id'],
    returns: 'ServiceUserDetail',
    arrange: async (world) => ({ ...(await addUser(world)), body: {} }),
    expect: ({ body }) => expect(body.permissions).toEqual(['media:access']),
    optional: {
      ...userFields,
      username: {
        value: randomUUID,
        expect: ({ call, body }) => expect(body.username).toBe(call.body?.['username']),
      },
      permissions: {
        value: ['tasks:view'],
        expect: ({ body }) => expect(body.permissions).toEqual(['tasks:view']),
      },
      groups: { value: [], expect: ({ body }) => expect(body.groups).toEqual([]) },
    },
  },
  {
    npm: 'MainApi.deleteUser',
    python: 'MainApi.delete_user',
    required: ['id'],
    returns: null,
    arrange: addUser,
    expect: async ({ world, call }) =>
      expect(await statusOf(world, 'GET', `/api/2/users/${call.context.id}`, call.bearer)).toBe(404),
  },
]
