import { describe, expect, it } from 'vitest'
import { buildCommandContext } from '../../lib/accounts/callers/request-context.ts'
import { changeSteps } from '../../lib/accounts/events/change-event.ts'
import { userAuditFields } from '../../lib/accounts/users/user-field-names.models.prebuilt.ts'
import { eventValuesPrefix, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { day } from '../../lib/kernel/util/time.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { useAuditLog } from '../support/audit-log.ts'
import type { JsonValue } from '../support/client.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* The audit log is kept for years, and goes to archives and other systems. What people were called must not. */

const service = await useService({ AUDIT_PERSONAL_DAYS: '45' })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const { call, made, change, findEvents, findEvent } = useAuditLog(service, admin)
const listValues = (userId: number) => table.list(userKey(userId).pk, eventValuesPrefix)

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

describe('the indexes of events', () => {
  it('find what a user and an API token did, and what happened in an organization, and nothing of others', async () => {
    const other = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const token = await made('api-tokens', { name: 'Indexed' })
    const { user } = await addPerson(service)
    const organization = await made('organizations', { name: 'Indexed', slug: 'indexed-films' })
    const rename = (full_name: string, bearer: string) =>
      service.client('PATCH', `/api/2/users/${user.id}`, { bearer, body: { full_name } })
    expect((await rename('By the other', other.bearer)).status).toBe(200)
    expect((await rename('By the token', token.token)).status).toBe(200)
    const ofOther = await findEvents(`actor=${other.user.id}&event=user.changed`)
    expect(ofOther.map(({ actor }: JsonValue) => actor)).toEqual([other.user.id])
    const ofToken = await findEvents(`credential=api_token&credential_id=${token.id}`)
    expect(ofToken.map(({ user: about }: JsonValue) => about)).toEqual([user.id])
    const ofOrganization = await findEvents(`organization=${organization.id}`)
    expect(ofOrganization.map(({ event }: JsonValue) => event)).toContain('organization.created')
    for (const row of ofOrganization) expect(row.organization).toBe(organization.id)
  })
})
