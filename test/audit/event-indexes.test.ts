import { describe, expect, it } from 'vitest'
import { type AuditEventRecord, buildAuditStep } from '../../lib/accounts/events/records.ts'
import {
  listActorEvents,
  listCredentialEvents,
  listOrganizationEvents,
} from '../../lib/kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import type { Json } from '../support/client.ts'
import { allPages, costsSince } from '../support/directory.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Indexes find the events of a user, of an actor, of a credential and of an organization. A page takes the same calls to the table with
 * any number of events. Set AUDIT_EVENTS for more of them.
 */

const path = '/api/2/auth/audit-events'
/** When the first event happened. The others follow, one each millisecond. */
const beganAt = Date.now() - 86_400_000
const total = Number(process.env['AUDIT_EVENTS'] ?? 20_000)
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const get = (query: object) =>
  service.client('GET', `${path}?${new URLSearchParams({ ...query } as Record<string, string>)}`, {
    bearer: admin.bearer,
  })

const [actor, token, organization, user] = [900_001, 900_002, 900_003, 900_004]
const plain = {
  event: 'user.changed',
  user: null,
  actor: null,
  address: '192.0.2.1',
  requestId: '',
  target: null,
  outcome: 'succeeded',
} as const
const kinds: readonly Partial<AuditEventRecord>[] = [
  { user, actor: 900_009, credential: 'session', credentialId: 5 },
  { actor, user: 900_008, credential: 'session', credentialId: 5 },
  { actor: 900_007, credential: 'api_token', credentialId: token },
  { actor: 900_006, organization },
  { actor, user: actor, credential: 'session', credentialId: 5 },
]
const filters = {
  user: { user },
  actor: { actor },
  session: { credential: 'session', credential_id: 5, actor },
  token: { credential: 'api_token', credential_id: token },
  organization: { organization },
} as const

const store = async (first: number, count: number): Promise<void> => {
  const groups = Array.from({ length: Math.ceil(count / 100) }, (_, at) => first + at * 100)
  await mapInBatches(groups, 12, (from) =>
    service.services.table.transact(
      Array.from({ length: Math.min(100, first + count - from) }, (_, at) =>
        buildAuditStep({ ...plain, ...kinds[(from + at) % kinds.length], at: beganAt + from + at }),
      ),
    ),
  )
}

const countCalls = async (query: object): Promise<number> => {
  const start = service.log.length
  const answer = await get({ ...query, limit: 50 })
  expect(answer.body).toHaveLength(50)
  return costsSince(service, start)[0]?.calls ?? 0
}

describe('a page of events', () => {
  it('takes the same calls to the table with few events as with very many', async () => {
    await store(0, 1000)
    // The first requests also renew what is kept for a while.
    const warmUp = async () => {
      for (const query of Object.values(filters)) await countCalls(query)
    }
    await warmUp()
    const before: Record<string, number> = {}
    for (const [name, query] of Object.entries(filters)) before[name] = await countCalls(query)
    await store(1000, total - 1000)
    await warmUp()
    const after: Record<string, number> = {}
    for (const [name, query] of Object.entries(filters)) after[name] = await countCalls(query)
    expect(after['user']).toBeLessThanOrEqual(7)
    // Chance decides how many events of a page are in one shard. It needs a second query if they are more than twice its share.
    const mostAgain = 3
    for (const [name, calls] of Object.entries(after)) {
      expect(calls, name).toBeLessThanOrEqual((before[name] ?? 0) + mostAgain)
      // Authentication, the events, the names of users, and the values of changes.
      expect(calls, name).toBeLessThanOrEqual(auditShards.length + 7 + mostAgain)
    }
  })

  it('leads on to all events of a filter in order, each once, and to no others', async () => {
    for (const [name, query] of Object.entries(filters)) {
      const asked = `${path}?${new URLSearchParams({ ...query, limit: '1000' } as unknown as Record<string, string>)}`
      const rows = (await allPages<Json>(service, asked, admin.bearer)).flat()
      const share = name === 'actor' || name === 'session' ? 2 : 1
      expect(rows, name).toHaveLength((share * total) / kinds.length)
      const ids = rows.map(({ id }) => id)
      expect(ids, name).toEqual([...new Set(ids)].sort().reverse())
      for (const row of rows) {
        const { credential_id: id, ...others } = query as Json
        expect(row).toMatchObject(id === undefined ? others : { ...others, credential_id: id })
      }
    }
  })

  it('has the same events from the index as without it', async () => {
    const since = new Date(beganAt).toISOString()
    const until = new Date(beganAt + 500).toISOString()
    const byIndex = await get({ organization, since, until, limit: 1000 })
    const byTime = await get({ since, until, limit: 1000, event: 'user.changed' })
    expect(byIndex.body).toHaveLength(500 / kinds.length)
    expect(byIndex.body).toEqual(byTime.body.filter((row: Json) => row['organization'] === organization))
  })
})

describe('a filter by credential', () => {
  it('finds the same events without the kind, among others with the same ID', async () => {
    const since = new Date(beganAt).toISOString()
    const until = new Date(beganAt + 500).toISOString()
    const byIndex = await get({ credential: 'api_token', credential_id: token, since, until })
    expect(byIndex.body).toHaveLength(500 / kinds.length)
    expect((await get({ credential_id: token, since, until })).body).toEqual(byIndex.body)
  })

  it('finds no event of a session of somebody else with the same ID', async () => {
    const found = await get({ credential: 'session', credential_id: 5, actor: 900_009, limit: 1000 })
    expect(found.body.length).toBeGreaterThan(0)
    for (const row of found.body) expect(row.actor).toBe(900_009)
  })
})

it('spreads the events of one actor, credential or organization over all shards evenly', async () => {
  const { table } = service.services
  for (const lists of [
    listActorEvents(actor),
    listCredentialEvents(`api_token#${token}`),
    listOrganizationEvents(organization),
  ]) {
    const shards = lists.filter(({ isShard }) => isShard)
    const counts = await Promise.all(
      shards.map(async ({ pk, index }) => (await table.page({ pk, index, limit: total })).length),
    )
    const sum = counts.reduce((all, count) => all + count, 0)
    expect(sum).toBe(total / kinds.length)
    for (const count of counts) {
      expect(count).toBeGreaterThan(sum / counts.length / 2)
      expect(count).toBeLessThan((sum / counts.length) * 2)
    }
  }
})
