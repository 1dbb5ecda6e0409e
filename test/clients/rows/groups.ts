import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { JsonValue } from '../../support/client.ts'
import { addPerson } from '../../support/people.ts'
import { type Answered, type Call, once, type Row, type Trial, type World } from '../row.ts'
import { statusOf } from './people.ts'

const post = async ({ service, admin: { bearer } }: World, body: object): Promise<JsonValue> =>
  (await service.client('POST', '/api/2/groups', { bearer, body })).body

/** Adds three groups whose names begin alike. */
const addGroups = async (world: World): Promise<Call> => {
  const prefix = randomUUID()
  const ids: number[] = []
  for (const name of ['b', 'c', 'a']) ids.push((await post(world, { name: `${prefix} ${name}` })).id)
  return { bearer: world.admin.bearer, context: { prefix, ids } }
}

const addGroup = async (world: World): Promise<Call> => {
  const group = await post(world, { name: randomUUID(), permissions: ['media:access'] })
  return { bearer: world.admin.bearer, path: { id: group.id }, context: group }
}

/** Expects these of the three groups, in this order. Groups of other tests do not count. */
const expectGroups =
  (...wanted: readonly number[]) =>
  ({ call, body }: Answered): void => {
    const { ids } = call.context
    const shown = body.map(({ id }: JsonValue) => id).filter((id: number) => ids.includes(id))
    expect(shown).toEqual(wanted.map((at) => ids[at]))
  }

const expectField =
  (field: string) =>
  ({ call, body }: Answered): void =>
    expect(body[field]).toEqual(call.body?.[field])

const stored = (field: string, value: unknown): Trial => ({ value, expect: expectField(field) })

const fields: Readonly<Record<string, Trial>> = {
  permissions: stored('permissions', ['projects:view', 'tasks:view']),
  ldap: stored('ldap', { id: 3 }),
  ldap_dn: stored('ldap_dn', 'cn=editors,dc=example,dc=com'),
  ldap_guid: { ...stored('ldap_guid', 'b5b0e3c2'), only: 'python' },
  unix_groupname: stored('unix_groupname', 'editors'),
  gid: stored('gid', 2147483647),
}

/** Members are named by references. */
const memberTrial = (addMember: (world: World) => Promise<Call>): Trial => ({
  value: ({ context }: Call) => [{ id: context.memberId }],
  arrange: async (world) => {
    const { user } = await addPerson(world.service)
    const call = await addMember(world)
    return { ...call, context: { ...call.context, memberId: user.id } }
  },
  alone: true,
  expect: ({ call, body }) => expect(body.members).toMatchObject([{ id: call.context.memberId }]),
})

const namedGroup = (world: World): Promise<Call> =>
  Promise.resolve({ bearer: world.admin.bearer, body: { name: `Gruppe ${randomUUID()}` } })

const renamedGroup = async (world: World): Promise<Call> => ({
  ...(await addGroup(world)),
  body: { name: `Gruppe ${randomUUID()}` },
})

const unchangedGroup = async (world: World): Promise<Call> => ({ ...(await addGroup(world)), body: {} })

export const groupRows: readonly Row[] = [
  {
    npm: 'MainApi.getAllGroups',
    python: 'MainApi.get_all_groups',
    returns: 'ServiceGroup[]',
    arrange: once(addGroups),
    expect: expectGroups(0, 1, 2),
    optional: {
      name: { value: ({ context }: Call) => `${context.prefix} c`, expect: expectGroups(1) },
      ordering: { value: '-name', expect: expectGroups(1, 0, 2) },
      limit: { value: 1, expect: ({ body }) => expect(body).toHaveLength(1) },
      offset: { value: 1, expect: ({ body }) => expect(body.length).toBeGreaterThan(0) },
      filter: {
        value: ({ context }: Call) => context.prefix.toUpperCase(),
        only: 'python',
        expect: ({ call, body }) => expect(body).toHaveLength(call.context.ids.length),
      },
      filtering_mode: [
        { value: 'exact', along: { filter: '-' }, only: 'python', expect: expectGroups() },
        { value: 'fuzzy', along: { filter: '-' }, only: 'python', expect: expectGroups(0, 1, 2) },
      ],
    },
  },
  {
    npm: 'MainApi.createGroup',
    python: 'MainApi.create_group',
    required: ['name'],
    returns: 'ServiceGroupDetail',
    status: 201,
    arrange: namedGroup,
    expect: expectField('name'),
    optional: { ...fields, members: memberTrial(namedGroup) },
  },
  {
    npm: 'MainApi.getGroup',
    python: 'MainApi.get_group',
    required: ['id'],
    returns: 'ServiceGroupDetail',
    arrange: addGroup,
    expect: ({ call, body }) => expect(body.name).toBe(call.context.name),
  },
  {
    npm: 'MainApi.updateGroup',
    python: 'MainApi.update_group',
    required: ['id', 'name'],
    returns: 'ServiceGroupDetail',
    arrange: renamedGroup,
    expect: expectField('name'),
    optional: { ...fields, members: memberTrial(renamedGroup) },
  },
  {
    npm: 'MainApi.patchGroup',
    python: 'MainApi.patch_group',
    required: ['id'],
    returns: 'ServiceGroupDetail',
    arrange: unchangedGroup,
    expect: ({ call, body }) => expect(body.permissions).toEqual(call.context.permissions),
    optional: { ...fields, name: stored('name', randomUUID), members: memberTrial(unchangedGroup) },
  },
  {
    npm: 'MainApi.deleteGroup',
    python: 'MainApi.delete_group',
    required: ['id'],
    returns: null,
    arrange: addGroup,
    expect: async ({ world, call }) =>
      expect(await statusOf(world, 'GET', `/api/2/groups/${call.context.id}`, call.bearer)).toBe(404),
  },
]
