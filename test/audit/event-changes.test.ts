import { describe, expect, it } from 'vitest'
import { buildCommandContext } from '../../lib/accounts/callers/request-context.ts'
import { changeSteps } from '../../lib/accounts/events/change-event.ts'
import { userAuditFields } from '../../lib/accounts/users/user-field-names.models.prebuilt.ts'
import { eventValuesPrefix, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { day } from '../../lib/kernel/util/time.ts'
import { readAuditItems } from '../support/audit-items.ts'
import type { JsonValue } from '../support/client.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Who asks what changed reads it in the event, and nobody reads there what must not stay. */

const service = await useService({ AUDIT_PERSONAL_DAYS: '45' })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const made = async (path: string, body: object): Promise<JsonValue> => {
  const answer = await call('POST', path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const change = async (method: string, path: string, body: object): Promise<void> => {
  const answer = await call(method, path, body)
  expect(answer.status, answer.text).toBe(200)
}
const findEvents = async (query: string, bearer = admin.bearer): Promise<readonly JsonValue[]> =>
  (await service.client('GET', `/api/2/auth/audit-events?${query}`, { bearer })).body
const findEvent = async (query: string, bearer?: string): Promise<JsonValue> =>
  (await findEvents(query, bearer))[0]
const listValues = (userId: number) => table.list(userKey(userId).pk, eventValuesPrefix)

describe('an event says', () => {
  it('what was disabled, and which right was given and taken', async () => {
    const { user } = await addPerson(service)
    const path = `users/${user.id}`
    const told = async (body: object) => {
      await change('PATCH', path, body)
      return (await findEvent(`event=user.changed&user=${user.id}`)).changes
    }
    expect(await told({ is_enabled: false })).toEqual([{ field: 'is_enabled', from: true, to: false }])
    expect(await told({ is_enabled: true })).toEqual([{ field: 'is_enabled', from: false, to: true }])
    expect(await told({ permissions: ['films:edit', 'films:view'] })).toEqual([
      { field: 'permissions', from: null, to: 'films:edit' },
      { field: 'permissions', from: null, to: 'films:view' },
    ])
    expect(await told({ permissions: ['films:view'] })).toEqual([
      { field: 'permissions', from: 'films:edit', to: null },
    ])
    const { id: group } = await made('groups', { name: 'Editors', members: [] })
    expect(await told({ groups: [group] })).toEqual([{ field: 'groups', from: null, to: group }])
    expect(await told({ expiry: '2030-01-31T00:00:00.000Z' })).toEqual([
      { field: 'expiry', from: null, to: '2030-01-31T00:00:00.000Z' },
    ])
  })

  it('with which rights somebody and something began', async () => {
    const group = await made('groups', { name: 'Cutters', permissions: ['films:cut'], members: [] })
    const user = await made('users', { username: 'edith', permissions: ['films:edit'], groups: [group.id] })
    expect((await findEvent(`event=user.created&user=${user.id}`)).changes).toEqual([
      { field: 'permissions', from: null, to: 'films:edit' },
      { field: 'groups', from: null, to: group.id },
    ])
    expect((await findEvent('event=group.created')).changes).toEqual([
      { field: 'name', from: null, to: 'Cutters' },
      { field: 'permissions', from: null, to: 'films:cut' },
    ])
    const token = await made('api-tokens', { name: 'Deploy robot', scopes: ['users:view'] })
    const created = await findEvent('event=api_token.created')
    expect(created).toMatchObject({ target: String(token.id) })
    expect(created.changes).toEqual([{ field: 'scopes', from: null, to: 'users:view' }])
  })

  const policies: readonly (readonly [string, string, object, readonly object[]])[] = [
    [
      'system/sign-in-policy',
      'sign_in_policy.changed',
      { allow_email_codes: true },
      [{ field: 'allow_email_codes', from: false, to: true }],
    ],
    [
      'system/password-policy',
      'password_policy.changed',
      { min_length: 14, no_pwned: true },
      [{ field: 'min_length', from: 12, to: 14 }],
    ],
    [
      'organization-policy',
      'organization_policy.changed',
      { creations_max: 7 },
      [{ field: 'creations_max', from: 3, to: 7 }],
    ],
    [
      'organization-roles',
      'organization_roles.changed',
      {
        roles: [{ key: 'cutter', texts: { en: 'Cutter' }, permissions: ['films:cut'], given_by: 'members' }],
      },
      [
        { field: 'cutter.texts.en', from: null, to: 'Cutter' },
        { field: 'cutter.permissions', from: null, to: 'films:cut' },
        { field: 'cutter.given_by', from: null, to: 'members' },
      ],
    ],
    // The addresses of people who approve are theirs.
    [
      'system/sign-up-policy',
      'sign_up_policy.changed',
      { mode: 'approval', approvers: ['root@company.example'] },
      [{ field: 'mode', from: 'off', to: 'approval' }, { field: 'approvers' }],
    ],
  ]
  it.each(policies)('what became of %s', async (path, event, body, expected) => {
    await change('PUT', path, body)
    const { changes } = await findEvent(`event=${event}`)
    expect(changes).toHaveLength(expected.length)
    expect(changes).toEqual(expect.arrayContaining([...expected]))
  })

  it('which role a member got, and the limit of an organization', async () => {
    const { id, owner } = await addOrganization(service, admin)
    const { user } = await addPerson(service)
    await made(`organizations/${id}/members`, { user: user.id, roles: ['member'] })
    await callAs(service, owner)('PATCH', `organizations/${id}/members/${user.id}`, { roles: ['admin'] })
    await change('PATCH', `organizations/${id}`, { member_limit: 50 })
    expect(await findEvent(`event=organization.member_changed&user=${user.id}`)).toMatchObject({
      ...{ organization: id, actor: owner.user.id, credential: 'session', credential_id: expect.any(Number) },
      changes: [
        { field: 'roles', from: 'member', to: null },
        { field: 'roles', from: null, to: 'admin' },
      ],
    })
    expect((await findEvent(`event=organization.changed&organization=${id}`)).changes).toEqual([
      { field: 'member_limit', from: null, to: 50 },
    ])
  })

  it('how many changes it leaves out', async () => {
    const permissions = Array.from({ length: 60 }, (_, n) => `films:view${n}`)
    const { id } = await made('groups', { name: 'Many rights', members: [] })
    await change('PATCH', `groups/${id}`, { permissions })
    const { changes, changes_omitted: omitted } = await findEvent('event=group.changed')
    expect(changes).toHaveLength(50)
    expect(omitted).toBe(10)
  })
})

describe('a secret and what no declaration shows', () => {
  it('stands in no event', async () => {
    const secret = 'a-secret-of-the-provider-4711'
    const connection = await made('auth/oidc-connections', {
      ...{ name: 'Northwind', issuer: 'https://idp.example', client_id: 'latchkey', client_secret: secret },
    })
    const path = `auth/oidc-connections/${connection.id}`
    await change('PATCH', path, { client_secret: `${secret}-2`, hosted_domain: null, client_id: 'other' })
    const { changes } = await findEvent('event=oidc_connection.changed')
    expect(changes).toEqual([
      { field: 'client_secret' },
      { field: 'client_id', from: 'latchkey', to: 'other' },
    ])
    const stored = JSON.stringify(await readAuditItems(table))
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain('root@company.example')
  })
})

describe('names, addresses and attributes of people', () => {
  const names = { username: 'ada.old', email: 'ada.old@home.example', full_name: 'Ada Byron' }
  const later = { username: 'ada.new', email: 'ada.new@home.example', full_name: 'Ada Lovelace' }
  const addRenamed = async (suffix: string) => {
    const mark = (fields: typeof names) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, `${suffix}${value}`]))
    const user = await made('users', { ...mark(names), permissions: [], groups: [] })
    await change('PATCH', `users/${user.id}`, mark(later))
    return {
      id: Number(user.id),
      query: `event=user.changed&user=${user.id}`,
      first: mark(names),
      last: mark(later),
    }
  }

  it('are shown with the event to those who may see users, and stand in no event', async () => {
    const { query, first, last } = await addRenamed('a')
    const { changes } = await findEvent(query)
    expect(changes).toEqual(
      expect.arrayContaining(
        Object.keys(names).map((field) => ({ field, from: first[field], to: last[field] })),
      ),
    )
    const stored = JSON.stringify(await readAuditItems(table))
    for (const value of [...Object.values(first), ...Object.values(last)]) expect(stored).not.toContain(value)
    const { token } = await made('api-tokens', { name: 'SIEM', scopes: ['audit-events:view'] })
    const { changes: withheld } = await findEvent(query, token)
    expect(withheld).toEqual(
      expect.arrayContaining(Object.keys(names).map((field) => ({ field, state: 'withheld' }))),
    )
    expect(JSON.stringify(withheld)).not.toContain('Ada')
  })

  it('have the names of attributes, and end after auditPersonalDays', async () => {
    const attribute = { name: 'department', type: 'text', labels: [{ language: 'en', label: 'Department' }] }
    await change('PUT', 'system/user-attributes', { attributes: [attribute] })
    const { user } = await addPerson(service)
    await change('PATCH', `users/${user.id}`, { attributes: [{ name: 'department', value: 'Sales' }] })
    const { changes } = await findEvent(`event=user.changed&user=${user.id}`)
    expect(changes).toEqual([{ field: 'attributes.department', from: null, to: 'Sales' }])
    const [item] = await listValues(user.id)
    expect(item?.['expires_at']).toBe(Math.ceil((Number(item?.['at']) + 45 * day) / 1000))
  })

  it('are erased with the person, and the event stays', async () => {
    const { id, query } = await addRenamed('b')
    expect(await listValues(id)).toHaveLength(1)
    expect((await call('DELETE', `users/${id}`)).status).toBe(204)
    expect(await listValues(id)).toEqual([])
    const { changes, target } = await findEvent(query)
    expect(target.split(' ').toSorted()).toEqual(Object.keys(names).toSorted())
    expect(changes).toEqual(
      expect.arrayContaining(Object.keys(names).map((field) => ({ field, state: 'erased' }))),
    )
  })

  it('are erased in a merge', async () => {
    const { id } = await addRenamed('c')
    const kept = await addPerson(service)
    expect((await call('POST', `users/${kept.user.id}/merge`, { user: id })).status).toBeLessThan(300)
    expect(await listValues(id)).toEqual([])
    expect(await listValues(kept.user.id)).toEqual([])
  })

  it('are read for more events than one call of the table returns', async () => {
    const { user } = await addPerson(service)
    const context = { ...buildCommandContext(service.services.now(), 'many'), actor: admin.user.id }
    const rename = (n: number) =>
      changeSteps(context, 'user.changed', {
        user: user.id,
        change: { fields: userAuditFields, before: { full_name: null }, after: { full_name: `Ada ${n}` } },
      })
    for (let from = 0; from < 120; from += 40)
      await table.transact(Array.from({ length: 40 }, (_, n) => rename(from + n)).flat())
    const events = await findEvents(`event=user.changed&user=${user.id}&limit=200`)
    expect(events).toHaveLength(120)
    const names = events.map(({ changes }) => changes[0].to)
    expect(new Set(names).size).toBe(120)
  })

  it('cannot be replaced by others in the table', async () => {
    const { id, query } = await addRenamed('d')
    const [item] = await listValues(id)
    if (!item) throw new Error('no values')
    await table.put({ ...item, values: String(item['values']).replaceAll('Ada', 'Eve') })
    const { changes } = await findEvent(query)
    expect(changes.map(({ state }: JsonValue) => state)).toEqual(['erased', 'erased', 'erased'])
  })
})
