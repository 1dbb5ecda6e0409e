import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildAuditStep } from '../../lib/accounts/events/records.ts'
import type { AuditEventName } from '../../lib/kernel/contract/audit-events.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import type { Json } from '../support/client.ts'
import { allPages, costsSince } from '../support/directory.ts'
import { findNextPath } from '../support/next-page.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const path = '/api/2/auth/audit-events'
const day = 86_400_000
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
const plain = await addSignedIn(service)

const call = callAs(service, manager)
const list = (query: Readonly<Record<string, string | number>> = {}, bearer = admin.bearer) =>
  service.client('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`, { bearer })
const events = async (query: Record<string, string | number> = {}): Promise<Json[]> => {
  const answer = await list(query)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const brief = (rows: readonly Json[]) => rows.map(({ event, target }) => [event, target])

/** Stores past audit events, `everyMs` apart and ending now. */
const seed = async (
  count: number,
  everyMs: number,
  facts: { user?: number; actor?: number; event?: AuditEventName; outcome?: string; address?: string },
) => {
  const now = Date.now()
  for (let from = 0; from < count; from += 100)
    await service.services.table.transact(
      Array.from({ length: Math.min(100, count - from) }, (_, n) =>
        buildAuditStep({
          at: now - (from + n + 1) * everyMs,
          event: 'logout.succeeded',
          user: null,
          actor: null,
          address: '',
          requestId: '',
          target: String(from + n),
          outcome: 'succeeded',
          ...facts,
        }),
      ),
    )
}

describe('a change of users and groups', () => {
  it('is recorded with its actor, target, address, and request', async () => {
    const created = await call('POST', 'users', {
      username: `u-${randomUUID()}`,
      permissions: [],
      groups: [],
    })
    const { id, username } = created.body
    const [record] = await events({ user: id })
    expect(record).toEqual({
      id: expect.stringMatching(/^\d{4}-.*Z#[\w-]{12}$/),
      created_at: record?.['id'].slice(0, 24),
      event: 'user.created',
      user: id,
      actor: manager.user.id,
      target: null,
      outcome: 'succeeded',
      credential: 'session',
      credential_id: expect.any(Number),
      user_agent: 'node',
      user_name: username,
      actor_name: manager.user.username,
      ip: '127.0.0.1',
      request_id: created.headers.get('x-request-id'),
    })
  })

  it('is recorded once for each change, newest first, and not at all if nothing changed', async () => {
    const { id } = (
      await call('POST', 'users', { username: `u-${randomUUID()}`, permissions: [], groups: [] })
    ).body
    await call('PATCH', `users/${id}`, { full_name: 'X', fm_bookmarks: ['/'], gid: 4 })
    await call('PATCH', `users/${id}`, { full_name: 'X' })
    await call('PATCH', `users/${id}`, { permissions: ['system:admin-access'] }, admin)
    await call('PATCH', `users/${id}`, { username: `v-${randomUUID()}`, permissions: [] }, admin)
    const group = (await call('POST', 'groups', { name: `g-${randomUUID()}`, members: [{ id }] })).body.id
    await call('PATCH', `groups/${group}`, { members: [] })
    await call('DELETE', `users/${id}/sessions`)
    await call('DELETE', `users/${id}`)
    const rows = await events({ user: id })
    const times = rows.map(({ created_at }) => created_at)
    expect(times).toEqual([...times].sort().reverse())
    // Events of one transaction have the same time and no order.
    expect(brief(rows).map(String).sort()).toEqual(
      [
        'user.created,',
        'user.changed,full_name fm_bookmarks gid',
        'user.changed,permissions',
        'admin_access.given,',
        'user.changed,permissions username',
        'admin_access.taken,',
        `group.member_added,${group}`,
        `group.member_removed,${group}`,
        'session.ended,all',
        'user.deleted,',
      ].sort(),
    )
  })

  it('still shows the names of the user and the actor after both are deleted', async () => {
    const formerManager = await addSignedIn(service, { permissions: ['users:manage'] })
    const deletedUser = await addPerson(service)
    await call('DELETE', `users/${deletedUser.user.id}`, undefined, formerManager)
    await call('DELETE', `users/${formerManager.user.id}`)
    const [deleted] = await events({ user: deletedUser.user.id, event: 'user.deleted' })
    expect(deleted).toMatchObject({
      user_name: deletedUser.user.username,
      actor: formerManager.user.id,
      actor_name: formerManager.user.username,
    })
  })

  it('is recorded for groups and templates with their ids', async () => {
    const name = `g-${randomUUID()}`
    const permissions = ['system:admin-access']
    const { id } = (await call('POST', 'groups', { name, permissions }, admin)).body
    await call('PATCH', `groups/${id}`, { permissions: [], gid: 1 }, admin)
    await call('DELETE', `groups/${id}`)
    const template = (await call('POST', 'user-templates', { name })).body.id
    await call('PATCH', `user-templates/${template}`, { language: 'de', is_external: true })
    await call('DELETE', `user-templates/${template}`)
    const rows = await events({ limit: 8 })
    expect(new Set(brief(rows).map((pair) => pair.join(': ')))).toEqual(
      new Set([
        `group.created: ${id}`,
        `admin_access.given: ${id}`,
        `group.changed: ${id} permissions gid`,
        `admin_access.taken: ${id}`,
        `group.deleted: ${id}`,
        `user_template.created: ${template}`,
        `user_template.changed: ${template} language is_external`,
        `user_template.deleted: ${template}`,
      ]),
    )
  })

  it('is recorded for an API token with its id', async () => {
    const owner = await addSignedIn(service)
    const { id } = (await call('POST', 'api-tokens', { name: 'script' }, owner)).body
    await call('PATCH', `api-tokens/${id}`, { name: 'other' }, owner)
    await call('DELETE', `api-tokens/${id}`, undefined, owner)
    expect(
      brief(await events({ user: owner.user.id }))
        .map(String)
        .sort(),
    ).toEqual([
      `api_token.changed,${id}`,
      `api_token.created,${id}`,
      `api_token.deleted,${id}`,
      'login.succeeded,',
    ])
  })

  it('is not recorded when it is rejected', async () => {
    const before = await events({ limit: 1 })
    await call('POST', 'groups', { name: ' ' })
    await call('PATCH', 'users/2147483647', { full_name: 'x' })
    await call('POST', 'users', { username: manager.user.username, permissions: [], groups: [] })
    expect(await events({ limit: 1 })).toEqual(before)
  })
})

describe('a caller who lacks a permission', () => {
  it('is recorded with the operation, whether they lack it altogether or for this target', async () => {
    await call('GET', 'users', undefined, plain)
    await call('DELETE', `users/${manager.user.id}`, undefined, plain)
    await call('PATCH', `users/${admin.user.id}`, { full_name: 'x' })
    const denied = { event: 'access.denied', outcome: 'permission_denied' }
    expect(await events({ user: plain.user.id, event: 'access.denied' })).toMatchObject([
      { ...denied, target: 'delete_user', actor: plain.user.id },
      { ...denied, target: 'get_all_users', actor: plain.user.id },
    ])
    expect(await events({ user: manager.user.id, event: 'access.denied' })).toMatchObject([
      { ...denied, target: 'patch_user', actor: manager.user.id },
    ])
  })

  it('costs one write, and an anonymous caller costs none', async () => {
    const before = service.log.length
    await call('GET', 'groups', undefined, plain)
    await service.client('GET', '/api/2/groups')
    expect(costsSince(service, before).map(({ calls }) => calls)).toEqual([2, 0])
  })
})

describe('the list of audit events', () => {
  it('is for administrators only', async () => {
    expect((await service.client('GET', path)).status).toBe(401)
    for (const { bearer } of [plain, manager]) expect((await list({}, bearer)).status).toBe(403)
  })

  it('pages through months of events exactly once each, in both orders', async () => {
    await seed(230, 1.5 * day, {})
    const pages = await allPages<Json>(service, `${path}?event=logout.succeeded&limit=40`, admin.bearer)
    const rows = pages.flat()
    expect(rows.map(({ target }) => Number(target))).toEqual(Array.from({ length: 230 }, (_, at) => at))
    const oldestFirst = await allPages<Json>(
      service,
      `${path}?event=logout.succeeded&limit=100&ordering=created_at`,
      admin.bearer,
    )
    expect(oldestFirst.flat()).toEqual(rows.reverse())
    const skipped = await events({ event: 'logout.succeeded', offset: 200, limit: 1000 })
    expect(skipped.map(({ target }) => Number(target))).toEqual(
      Array.from({ length: 30 }, (_, at) => 200 + at),
    )
  })

  it('includes the start of a time range and excludes its end', async () => {
    const [newest, , third] = await events({ event: 'logout.succeeded', limit: 3 })
    const [since, until] = [third?.['created_at'], newest?.['created_at']]
    const between = await events({ event: 'logout.succeeded', since, until })
    expect(between.map(({ target }) => target)).toEqual(['1', '2'])
    expect(await events({ since: until, until: since })).toEqual([])
    expect(await events({ until: '0001-01-01T00:00:00Z' })).toEqual([])
    expect(await events({ since: '9999-12-31T23:59:59Z' })).toEqual([])
    const pages = await allPages<Json>(
      service,
      `${path}?${new URLSearchParams({ event: 'logout.succeeded', since, limit: '1' })}`,
      admin.bearer,
    )
    expect(pages.flat().map(({ target }) => target)).toEqual(['0', '1', '2'])
  })

  it('does not reach back further than the retention period', async () => {
    await seed(2, 399.9 * day, { event: 'users.imported' })
    expect(brief(await events({ event: 'users.imported', since: '2001-01-01T00:00:00Z' }))).toEqual([
      ['users.imported', '0'],
    ])
  })

  it('of one user is read from the index, without the cost of other users’ events', async () => {
    const { user } = await addPerson(service)
    await seed(30, 1000, { user: user.id, actor: plain.user.id })
    const logStart = service.log.length
    const rows = await events({ user: user.id, limit: 10 })
    expect(rows.map(({ target }) => target)).toEqual(Array.from({ length: 10 }, (_, at) => String(at)))
    // Authentication, users who were merged into this one, two lists of the index, the events, and the names of users.
    expect(costsSince(service, logStart)[0]?.calls).toBeLessThanOrEqual(6)
    const all = await allPages<Json>(service, `${path}?user=${user.id}&limit=7`, admin.bearer)
    expect(all.flat()).toHaveLength(30)
    expect(await events({ user: user.id, actor: admin.user.id })).toEqual([])
    expect(await events({ user: user.id, actor: plain.user.id })).toHaveLength(30)
  })

  it('reads a limited number of events per request, and returns a cursor to continue', async () => {
    await seed(2500, 10, { address: '198.51.100.77' })
    const logStart = service.log.length
    const answer = await list({ ip: '198.51.100.78' })
    expect(answer.body).toEqual([])
    // Two queries of each shard, and what authentication takes.
    expect(costsSince(service, logStart)[0]?.calls).toBeLessThanOrEqual(2 * auditShards.length + 2)
    expect(findNextPath(answer.headers)).toBeDefined()
    const found = await allPages<Json>(service, `${path}?ip=198.51.100.77&limit=1000`, admin.bearer)
    expect(found.flat()).toHaveLength(2500)
  })

  it('finds events by several names, a target, an address and a request, and all filters must match', async () => {
    const created = await call('POST', 'groups', { name: `g-${randomUUID()}` })
    const group = created.body.id
    await call('PATCH', `groups/${group}`, { gid: 5 })
    const template = (await call('POST', 'user-templates', { name: `t-${randomUUID()}` })).body.id
    const request = created.headers.get('x-request-id') ?? ''
    const both = 'group.created,group.changed'
    expect(brief(await events({ event: both, target: group })).map(String)).toEqual([
      `group.changed,${group} gid`,
      `group.created,${group}`,
    ])
    expect(brief(await events({ event: `${both},user_template.created`, target: template }))).toContainEqual([
      'user_template.created',
      String(template),
    ])
    expect(brief(await events({ request_id: request }))).toEqual([['group.created', String(group)]])
    expect(await events({ request_id: request, event: 'group.changed' })).toEqual([])
    expect(await events({ request_id: request, ip: '127.0.0.1' })).toHaveLength(1)
    expect(await events({ request_id: request, ip: '127.0.0' })).toEqual([])
    expect(await events({ target: `${group} g` })).toEqual([])
  })

  it('finds the events of an organization and its members alone', async () => {
    const { user } = await addPerson(service)
    const change = async (method: 'POST' | 'PATCH' | 'DELETE', rest: string, body?: object) => {
      const { bearer } = admin
      const answer = await service.client(method, `/api/2/organizations${rest}`, { bearer, body })
      expect(answer.status).toBeLessThan(300)
      return answer.body
    }
    const [one, other] = [
      await change('POST', '', { name: 'One', slug: 'audited-one' }),
      await change('POST', '', { name: 'Other', slug: 'audited-other' }),
    ]
    await change('PATCH', `/${one.id}`, { name: 'First' })
    await change('POST', `/${one.id}/members`, { user: user.id, roles: ['owner'] })
    await change('DELETE', `/${one.id}/members/${user.id}`)
    await change('DELETE', `/${one.id}`)
    expect((await events({ organization: one.id })).map(({ event }) => event)).toEqual([
      'organization.deleted',
      'organization.member_removed',
      'organization.member_added',
      'organization.changed',
      'organization.created',
    ])
    expect(await events({ organization: other.id })).toHaveLength(1)
    expect(await events({ organization: one.id, user: user.id })).toHaveLength(2)
    expect((await list({ organization: '1,2' })).status).toBe(400)
  })

  it('finds what failed without the steps of a sign-in that goes on', async () => {
    const { user } = await addPerson(service)
    for (const outcome of ['succeeded', 'invalid_credentials', 'otp_required'])
      await seed(1, 1000, { user: user.id, event: 'login.failed', outcome })
    await seed(1, 1000, { user: user.id, event: 'mail.given_up', outcome: 'otp_required' })
    const outcomes = async (failed: string) =>
      (await events({ user: user.id, failed })).map(({ event, outcome }) => `${event} ${outcome}`).sort()
    expect(await outcomes('true')).toEqual(['login.failed invalid_credentials', 'mail.given_up otp_required'])
    expect(await outcomes('false')).toEqual(['login.failed otp_required', 'login.failed succeeded'])
  })

  it('takes as many calls to the table for each filter as for any other', async () => {
    const hostile = { target: '__proto__', ip: 'x'.repeat(1023), request_id: 'constructor' }
    for (const [name, text] of Object.entries(hostile)) {
      const logStart = service.log.length
      const answer = await list({ [name]: text })
      expect([answer.status, answer.body]).toEqual([200, []])
      expect(costsSince(service, logStart)[0]?.calls).toBeLessThanOrEqual(2 * auditShards.length + 2)
    }
  })

  it.each(['event', 'target', 'ip', 'request_id', 'failed'])('rejects %s twice', async (name) => {
    const value = name === 'failed' ? 'true' : 'login.failed'
    const answer = await service.client('GET', `${path}?${name}=${value}&${name}=${value}`, {
      bearer: admin.bearer,
    })
    expect(answer.status).toBe(400)
  })

  it.each([
    ['event', { event: 'no.such.event' }],
    ['event', { event: '__proto__' }],
    ['event', { event: 'login.failed,__proto__' }],
    ['event', { event: 'login.failed,' }],
    ['event', { event: 'login.failed,'.repeat(201) }],
    ['event', { event: 'x'.repeat(4096) }],
    ['target', { target: '' }],
    ['ip', { ip: 'x'.repeat(1024) }],
    ['request_id', { request_id: 'x'.repeat(1024) }],
    ['failed', { failed: 'maybe' }],
    ['user', { user: 0 }],
    ['since', { since: 'yesterday' }],
    ['until', { until: '2026-13-01T00:00:00Z' }],
    ['ordering', { ordering: 'id' }],
    ['limit', { limit: 0 }],
    ['secret', { secret: 1 }],
    ['cursor', { cursor: 'x' }],
  ] as const)('rejects an invalid %s', async (field, query) => {
    const answer = await list(query as Record<string, string>)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })

  it('accepts a cursor only from the same caller and for the same query', async () => {
    const first = findNextPath((await list({ limit: 1 })).headers) ?? ''
    const other = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect((await service.client('GET', first, { bearer: admin.bearer })).status).toBe(200)
    expect((await service.client('GET', first, { bearer: other.bearer })).status).toBe(400)
    expect((await service.client('GET', `${first}&user=1`, { bearer: admin.bearer })).status).toBe(400)
  })
})
