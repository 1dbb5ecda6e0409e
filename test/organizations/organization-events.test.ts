import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { putAuditEvent } from '../../lib/accounts/events/records.ts'
import type { OrganizationEvent } from '../../lib/features/organizations/events.models.ts'
import { copyOrganizationEvents } from '../../lib/features/organizations/events.records.ts'
import { organizationEventKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import { readAuditItems } from '../support/audit-items.ts'
import type { Answer } from '../support/client.ts'
import { allPages, costsSince } from '../support/directory.ts'
import {
  acceptShown,
  addMember,
  addOrganization,
  inviteMember,
  newPersonAddress,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-organization-events-'))
vi.useFakeTimers({ toFake: ['Date'], now: Date.now(), shouldAdvanceTime: true, advanceTimeDelta: 1 })
const service = await useService({ LOCAL_AUDIT_KEY_FILE: join(folder, 'audit.key') })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], username: 'the-operator' })
const staff = callAs(service, admin)
afterAll(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

/** Runs the function of the chains after a minute, which shows what happened until then. */
const showEvents = async () => {
  vi.setSystemTime(Date.now() + 60_000)
  const { maintainChains } = await import('../../lib/features/audit/maintain-chains.ts')
  await maintainChains(service.services, service.services.log)
}
const eventsOf = (id: number | string, query = '') => `/api/2/organizations/${id}/events${query}`
const read = (id: number | string, { bearer }: Pick<SignedInPerson, 'bearer'>, query = '') =>
  service.client('GET', eventsOf(id, query), { bearer })
const listed = async (id: number, who: Pick<SignedInPerson, 'bearer'>, query = '') => {
  const { status, body, text } = await read(id, who, query)
  if (status !== 200) throw new Error(text)
  return body as readonly OrganizationEvent[]
}
const namesOf = (events: readonly OrganizationEvent[]) => events.map(({ event }) => event)

describe('the events of an organization', () => {
  it('say who did what, newest first, to those whose role allows it', async () => {
    const { id, path, owner } = await addOrganization(service, admin)
    const asOwner = callAs(service, owner)
    const person = await addSignedIn(service, { email: newPersonAddress() })
    const { token } = await inviteMember(service, { path }, owner, { email: person.user.email ?? '' })
    await acceptShown(service, person.bearer, token)
    await asOwner('PATCH', `organizations/${id}/members/${person.user.id}`, { roles: ['admin'] })
    await asOwner('PATCH', `organizations/${id}`, { name: 'Acme Films' })
    expect(await listed(id, owner)).toEqual([])
    await showEvents()
    const events = await listed(id, owner)
    const times = events.map(({ created_at: at }) => at)
    expect(times).toEqual(times.toSorted().toReversed())
    // What happened in one transaction has no order.
    expect(namesOf(events).toSorted()).toEqual(
      [
        ...['organization.changed', 'organization.created', 'organization.invitation_accepted'],
        ...['organization.invited', 'organization.member_added', 'organization.member_added'],
        'organization.member_changed',
      ].toSorted(),
    )
    expect(events[0]).toEqual({
      ...{ id: expect.any(String), created_at: expect.any(String), event: 'organization.changed' },
      ...{ user: null, user_name: null, actor: owner.user.id, actor_name: owner.user.username },
      ...{ api_token: null, target: `${id} name` },
      changes: [{ field: 'name', from: 'Acme Studios', to: 'Acme Films' }],
    })
    expect(events[1]).toMatchObject({
      ...{ event: 'organization.member_changed', target: `${id} admin` },
      ...{ user: person.user.id, user_name: person.user.username, actor: owner.user.id },
      changes: [
        { field: 'roles', from: 'member', to: null },
        { field: 'roles', from: null, to: 'admin' },
      ],
    })
    // An administrator of the organization reads the same, page by page.
    const pages = await allPages<OrganizationEvent>(service, eventsOf(id, '?limit=2'), person.bearer)
    expect(pages.flat()).toEqual(events)
    const oldest = await listed(id, owner, '?ordering=created_at')
    expect(oldest).toEqual(events.toReversed())
    expect(namesOf(await listed(id, owner, '?event=organization.invited'))).toEqual(['organization.invited'])
    const since = events[1]?.created_at ?? ''
    expect(await listed(id, owner, `?since=${since}`)).toEqual(events.slice(0, 2))
    expect(await listed(id, owner, `?until=${since}`)).toEqual(events.slice(2))
  })

  it('do not name who acts for the service, or what people are called after they left', async () => {
    const { id, owner } = await addOrganization(service, admin)
    const leaver = await addMember(service, admin, id, ['admin'])
    const asLeaver = callAs(service, leaver)
    await asLeaver('PATCH', `organizations/${id}`, { name: 'By the leaver' })
    await asLeaver('DELETE', `users/me/organizations/${id}`)
    await staff('PATCH', `organizations/${id}`, { member_limit: 7 })
    // Who impersonates a member is not one.
    const asThem = callAs(service, await addSignedIn(service, { permissions: ['system:admin-access'] }))
    expect((await asThem('POST', 'auth/impersonation', { user: owner.user.id })).status).toBe(204)
    expect((await asThem('PATCH', `organizations/${id}`, { name: 'Changed as them' })).status).toBe(200)
    await showEvents()
    const answer = await read(id, owner)
    expect(answer.text).not.toContain('the-operator')
    expect(answer.text).not.toContain(leaver.user.username)
    const events = answer.body as readonly OrganizationEvent[]
    const actors = new Set(events.map(({ actor }) => actor))
    expect(actors).toEqual(new Set([null, leaver.user.id]))
    const removed = events.find(({ event }) => event === 'organization.member_removed')
    const limited = events.find(({ target }) => target === `${id} member_limit`)
    expect(limited?.changes).toEqual([{ field: 'member_limit', from: null, to: 7 }])
    expect(removed).toMatchObject({ user: leaver.user.id, user_name: null, actor: leaver.user.id })
    for (const leaked of ['ip', 'user_agent', 'request_id', 'credential', 'actor_principal'])
      expect(events.every((event) => !Object.hasOwn(event, leaked))).toBe(true)
  })

  it('do not say who declined an invitation, or what happened to a member elsewhere', async () => {
    const { id, path, owner } = await addOrganization(service, admin)
    const elsewhere = await addOrganization(service, admin)
    const person = await addSignedIn(service, { email: newPersonAddress() })
    const invited = await inviteMember(service, { path }, owner, { email: person.user.email ?? '' })
    const own = callAs(service, person)
    expect((await own('DELETE', `users/me/organization-invitations/${invited.id}`)).status).toBe(204)
    await staff('POST', `organizations/${elsewhere.id}/members`, { user: owner.user.id, roles: ['member'] })
    await showEvents()
    const [declined, ...others] = await listed(id, owner)
    expect(declined).toMatchObject({ event: 'organization.invitation_declined', user: null, actor: null })
    expect(others.every(({ target }) => target?.startsWith(String(id)))).toBe(true)
  })

  it('name API tokens, which read them if they may', async () => {
    const { id, owner } = await addOrganization(service, admin)
    const asOwner = callAs(service, owner)
    const create = async (...permissions: readonly string[]) =>
      (await asOwner('POST', `organizations/${id}/api-tokens`, { name: 'export', permissions })).body
    const key = await create('org:events:view', 'org:settings:manage')
    const weak = await create('org:members:view')
    const asKey = callAs(service, { bearer: key.token })
    await asKey('PATCH', `organizations/${id}`, { name: 'By a program' })
    await showEvents()
    const [changed] = await listed(id, { bearer: key.token })
    expect(changed).toMatchObject({ event: 'organization.changed', actor: null, api_token: key.id })
    // The token may not see members, so it gets no names.
    expect((await listed(id, { bearer: key.token })).every(({ actor_name: name }) => name === null)).toBe(
      true,
    )
    expect((await read(id, { bearer: weak.token })).status).toBe(403)
    const other = await addOrganization(service, admin)
    expect((await read(other.id, { bearer: key.token })).status).toBe(404)
    await asOwner('DELETE', `organizations/${id}/api-tokens/${key.id}`)
    expect((await read(id, { bearer: key.token })).status).toBe(401)
  })

  it('are refused to everybody else, as if there were no organization', async () => {
    const { id, owner } = await addOrganization(service, admin)
    const other = await addOrganization(service, admin)
    const former = await addMember(service, admin, id, ['owner'])
    const plain = await addMember(service, admin, id, ['member'])
    await showEvents()
    const { headers } = await read(id, former, '?limit=1')
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? ''
    expect(cursor).not.toBe('')
    expect((await read(id, owner, `?limit=1&cursor=${cursor}`)).status).toBe(400)
    expect((await read(other.id, other.owner, `?limit=1&cursor=${cursor}`)).status).toBe(400)
    expect((await read(id, plain)).status).toBe(403)
    await staff('DELETE', `organizations/${id}/members/${former.user.id}`)
    const refused = async (who: Pick<SignedInPerson, 'bearer'>, query = '') => {
      const shape = async (of: number) => {
        const { cost, answer } = await costOf(() => read(of, who, query))
        return [answer.status, answer.body.code, answer.body.detail, cost]
      }
      const [real, unknown] = [await shape(id), await shape(2_000_000_000)]
      expect(real).toEqual(unknown)
      expect(real[0]).toBe(404)
    }
    await refused(former)
    await refused(former, `?limit=1&cursor=${cursor}`)
    await refused(other.owner)
    for (const name of ['__proto__', 'constructor', '0', '-1', 'acme'])
      expect([400, 404]).toContain((await read(name, other.owner)).status)
    for (const query of ['?event=__proto__', '?event=login.succeeded', '?since=yesterday', '?user=1'])
      expect((await read(id, owner, query)).status).toBe(400)
    await staff('PATCH', `organizations/${id}`, { state: 'suspended' })
    expect((await read(id, owner)).status).toBe(200)
    await staff('DELETE', `organizations/${id}`)
    await refused(owner)
    await refused(former)
    expect((await read(id, admin)).status).toBe(404)
  })

  it('are copied once however often that is done, and only as far as people may see them', async () => {
    const { table } = service.services
    const { id, owner } = await addOrganization(service, admin)
    const fields = { address: '192.0.2.7', requestId: 'r', target: 'secret', organization: id }
    vi.setSystemTime(Date.now() + 1000)
    const at = Date.now()
    const who = { user: admin.user.id, actor: admin.user.id }
    const add = (changes: object) =>
      putAuditEvent(table, {
        ...{ ...fields, ...who, at, event: 'organization.invited', outcome: 'succeeded' },
        ...changes,
      })
    await add({ event: 'login.succeeded' })
    await add({ event: 'user.changed' })
    await add({ outcome: 'permission_denied' })
    await add({ organization: '__proto__' })
    await add({ event: 'constructor' })
    await add({ event: 'organization.created', target: 'shown' })
    await showEvents()
    const before = await listed(id, owner)
    expect(before.filter(({ created_at: time }) => Date.parse(time) >= at)).toMatchObject([
      { event: 'organization.created', user: null, actor: null, target: 'shown' },
    ])
    const items = await readAuditItems(table)
    await Promise.all([copyOrganizationEvents(table, items), copyOrganizationEvents(table, items)])
    expect(await listed(id, owner)).toEqual(before)
    // A copy ends with its event.
    const [copy] = await table.list(organizationEventKey(id, '').pk, '')
    const event = items.find(({ sk }) => sk === copy?.sk)
    expect(copy?.['expires_at']).toBe(event?.['expires_at'])
    expect(copy?.['expires_at']).toEqual(expect.any(Number))
  })

  it('cost the same however many there are', async () => {
    const { id, owner } = await addOrganization(service, admin)
    await showEvents()
    const one = await costOf(() => read(id, owner, '?limit=2'))
    for (let at = 0; at < 5; at++) await addMember(service, admin, id, ['member'])
    await showEvents()
    const other = await costOf(() => read(id, owner, '?limit=2'))
    expect(other.cost).toEqual(one.cost)
  })
})

const costOf = async (run: () => Promise<Answer>): Promise<{ answer: Answer; cost: unknown }> => {
  const start = service.log.length
  const answer = await run()
  return { answer, cost: costsSince(service, start).map(({ calls }) => calls) }
}
