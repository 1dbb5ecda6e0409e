import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import type { JsonValue } from '../support/client.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A change that depends on what fields still are, such as undoing an event. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const send = (
  method: string,
  path: string,
  body: object | undefined,
  ifUnchanged: unknown,
  bearer = admin.bearer,
) =>
  service.client(method, `/api/2/${path}`, {
    bearer,
    body,
    headers: {
      'latchkey-if-unchanged': typeof ifUnchanged === 'string' ? ifUnchanged : JSON.stringify(ifUnchanged),
    },
  })
const read = async (path: string): Promise<JsonValue> =>
  (await service.client('GET', `/api/2/${path}`, { bearer: admin.bearer })).body
const create = async (path: string, body: object): Promise<JsonValue> =>
  (await service.client('POST', `/api/2/${path}`, { bearer: admin.bearer, body })).body
const countEvents = async (): Promise<number> => (await read('auth/audit-events?limit=1000')).length

const { user } = await addPerson(service, { permissions: ['films:view'] })
const group = await create('groups', { name: `g-${randomUUID()}`, permissions: ['films:edit'] })
const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
const organization = await create('organizations', { name: 'Films', slug })
const member = await addPerson(service)
await create(`organizations/${organization.id}/members`, { user: member.user.id, roles: ['member'] })

interface Case {
  readonly path: string
  readonly change: object
  readonly unchanged: Readonly<Record<string, unknown>>
}

/** For each operation: a change, and what one of its fields is before it. Settings are sent as they are, with one other field. */
const cases: Readonly<Record<string, () => Promise<Case>>> = {
  patch_user: async () => ({
    path: `users/${user.id}`,
    change: { permissions: [] },
    unchanged: { permissions: ['films:view'], is_enabled: true },
  }),
  patch_group: async () => ({
    path: `groups/${group.id}`,
    change: { permissions: [] },
    unchanged: { permissions: ['films:edit'] },
  }),
  patch_organization: async () => ({
    path: `organizations/${organization.id}`,
    change: { member_limit: 77 },
    unchanged: { member_limit: (await read(`organizations/${organization.id}`)).member_limit },
  }),
  patch_organization_member: async () => ({
    path: `organizations/${organization.id}/members/${member.user.id}`,
    change: { roles: ['admin'] },
    unchanged: { roles: ['member'] },
  }),
  update_password_policy: () => ofSettings('update_password_policy', 'min_length'),
  update_sign_in_policy: () => ofSettings('update_sign_in_policy', 'allow_email_codes'),
  update_sign_up_policy: () => ofSettings('update_sign_up_policy', 'refused_domains'),
  update_agent_policy: () => ofSettings('update_agent_policy', 'hosts'),
  update_organization_policy: () => ofSettings('update_organization_policy', 'creations_max'),
}

/** As the page sends it: the condition names all fields. */
const ofSettings = async (id: string, name: string): Promise<Case> => {
  const path = operations.find((one) => one.id === id)?.path.replace('/api/2/', '') ?? ''
  const now = await read(path)
  const value = now[name]
  const other = Array.isArray(value)
    ? ['agent.example']
    : typeof value === 'number' || name === 'min_length'
      ? Number(value) + 12
      : !value
  return { path, change: { ...now, [name]: other }, unchanged: now }
}

const accepting = operations.filter(({ acceptsIfUnchanged }) => acceptsIfUnchanged)

it('has a case for each operation that accepts the header', () => {
  expect(accepting.map(({ id }) => id).sort()).toEqual(Object.keys(cases).sort())
})

describe.each(accepting.map(({ id, method }) => [id, method] as const))('%s', (id, method) => {
  const caseOf = async (): Promise<Case> => {
    const build = cases[id]
    if (!build) throw new Error(id)
    return build()
  }

  it('changes nothing if a field has another value by now', async () => {
    const { path, change, unchanged } = await caseOf()
    const [name = ''] = Object.keys(unchanged)
    const [before, events] = [await read(path.replace(/\/members\/\d+$/, '')), await countEvents()]
    const answer = await send(method, path, change, { ...unchanged, [name]: 'something else' })
    expect(answer.body, answer.text).toMatchObject({ status: 409, code: 'conflict', reason: 'changed_since' })
    expect(answer.body.detail).toContain(name)
    expect(await read(path.replace(/\/members\/\d+$/, ''))).toEqual(before)
    expect(await countEvents()).toBe(events)
  })

  it('refuses a name that is no field, and what is no object', async () => {
    const { path, change } = await caseOf()
    for (const wrong of [
      '{"nothing":1}',
      '{"__proto__":{}}',
      '{"constructor":1}',
      '[]',
      '{}',
      'null',
      '1',
      '{',
    ]) {
      const answer = await send(method, path, change, wrong)
      expect(answer.status, wrong).toBe(400)
      expect(answer.text, wrong).toContain('Latchkey-If-Unchanged')
    }
  })

  it('makes the change while the fields are the same, and not once more', async () => {
    const { path, change, unchanged } = await caseOf()
    const first = await send(method, path, change, unchanged)
    expect(first.status, first.text).toBe(200)
    expect((await send(method, path, change, unchanged)).status).toBe(409)
  })
})

it('is refused by operations that cannot depend on it, and never ignored', async () => {
  const refused = [
    await send('PUT', `groups/${group.id}`, { name: group.name }, { name: group.name }),
    await send('POST', 'groups', { name: 'x' }, { name: 'x' }),
    await send('DELETE', `groups/${group.id}`, undefined, { name: group.name }),
    await send('GET', `groups/${group.id}`, undefined, { name: group.name }),
  ]
  for (const answer of refused) {
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('is not supported by this operation')
  }
})

it('lets one of many requests make the change', async () => {
  const { user: target } = await addPerson(service)
  await service.client('PATCH', `/api/2/users/${target.id}`, {
    bearer: admin.bearer,
    body: { is_enabled: false },
  })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      send('PATCH', `users/${target.id}`, { is_enabled: true }, { is_enabled: false }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const events = await read(`auth/audit-events?user=${target.id}&field=is_enabled`)
  expect(events).toHaveLength(2)
})

it('gives no right to change anything', async () => {
  const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
  const strong = await addPerson(service, { permissions: ['system:admin-access'] })
  for (const unchanged of [{ is_enabled: true }, { is_enabled: false }]) {
    const path = `users/${strong.user.id}`
    const answer = await send('PATCH', path, { is_enabled: false }, unchanged, manager.bearer)
    expect([403, 409]).toContain(answer.status)
  }
  expect((await read(`users/${strong.user.id}`)).is_enabled).toBe(true)
})
