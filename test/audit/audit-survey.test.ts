import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { buildAuditStep } from '../../lib/accounts/events/records.ts'
import { ChainBroken } from '../../lib/features/audit/chain/findings.ts'
import { findAuditSurvey } from '../../lib/features/audit/survey.records.ts'
import { auditPartition } from '../../lib/kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import type { Json } from '../support/client.ts'
import { allPages, costsSince } from '../support/directory.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const path = '/api/2/auth/audit-events'
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const auditRetentionMs = 400 * day
/** The middle of a month, so that a number of days back is in the same month on each day of the test. */
const start = Date.parse('2026-05-15T12:00:00.000Z')
/** What authentication, usernames of a page and the survey cost in addition to queries of shards. */
const constant = 4

const folder = mkdtempSync(join(tmpdir(), 'latchkey-survey-'))
vi.useFakeTimers({ toFake: ['Date'], now: start })
const service = await useService({ LOCAL_AUDIT_KEY_FILE: join(folder, 'audit.key') })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => vi.setSystemTime(start))
afterAll(async () => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

/** Runs the function of the chain with the clock ahead of the list by some milliseconds. */
const runChain = async (aheadMs = 0) => {
  const { maintainChains } = await import('../../lib/features/audit/maintain-chains.ts')
  const { services } = service
  await maintainChains({ ...services, now: () => Date.now() + aheadMs }, services.log).catch(
    (error: unknown) => {
      // Tests set the clock back, which the chains report as tampering. That does not stop the survey.
      if (!(error instanceof ChainBroken)) throw error
    },
  )
}
let stored = 0
/** Stores an event of a past time with a unique target. Returns the target. */
const addEvent = async (at: number): Promise<string> => {
  stored += 1
  const target = `past-${stored}`
  const unknown = { user: null, actor: null, address: '', requestId: '', outcome: 'succeeded' }
  const step = buildAuditStep({ at, event: 'logout.succeeded', target, ...unknown })
  if (!('put' in step)) throw new Error('an event is no item')
  // As it was written at its time. A new event would get the time of the chains.
  await service.services.table.put({ ...step.put, expires_at: (at + auditRetentionMs) / 1000 })
  return target
}
const list = async (query = '') => {
  const logStart = service.log.length
  const { body, status, text } = await service.client('GET', `${path}${query}`, { bearer: admin.bearer })
  if (status !== 200) throw new Error(text)
  const targets: string[] = body.map(({ target }: Json) => target)
  return { targets, calls: costsSince(service, logStart)[0]?.calls ?? 0 }
}
const wholeTime = `since=${new Date(start - auditRetentionMs).toISOString()}&until=${new Date(start + day).toISOString()}`
const queries = ['', '?ordering=created_at', `?${wholeTime}`, '?event=group.created', '?offset=5&limit=1']
const twoRounds = 2 * auditShards.length

describe('a service with few events', () => {
  it('reads all months before the first survey', async () => {
    expect((await list()).calls).toBeGreaterThan(12 * auditShards.length)
    const old = await addEvent(start - 390 * day)
    expect((await list()).targets).toContain(old)
  })

  it.each(queries)('lists a page with two rounds of the shards: %s', async (query) => {
    await runChain()
    // The event of the test before is in a partition of its own.
    expect((await list(query)).calls).toBeLessThanOrEqual(twoRounds + constant + 1)
  })

  it('is surveyed once an hour', async () => {
    const { table } = service.services
    await runChain()
    const first = await findAuditSurvey(table)
    vi.setSystemTime(start + 59 * minute)
    await runChain()
    expect(await findAuditSurvey(table)).toEqual(first)
    vi.setSystemTime(start + 61 * minute)
    await runChain()
    expect((await findAuditSurvey(table))?.at).toBe(Date.now())
  })

  it('has a survey that one read unit is enough for', async () => {
    await runChain()
    const survey = await findAuditSurvey(service.services.table)
    expect(Buffer.byteLength((survey?.empty ?? []).join('')) + 100).toBeLessThan(4096)
  })
})

describe('a service with events in each month', () => {
  it('lists all of them, for one query of each partition with events', async () => {
    const targets: string[] = []
    for (let month = 0; month < 14; month++) {
      const first = Date.UTC(2026, 4 - month, 1)
      // The first and the last moment of a month are included.
      for (const at of [first, Date.UTC(2026, 5 - month, 1) - 1])
        if (at > start - auditRetentionMs && at < start) targets.push(await addEvent(at))
    }
    await runChain(2 * hour)
    for (const query of ['?limit=1000', '?limit=1000&ordering=created_at', `?limit=1000&${wholeTime}`]) {
      const page = await list(query)
      expect(page.targets).toEqual(expect.arrayContaining(targets))
      expect(page.calls).toBeLessThanOrEqual(twoRounds + constant + stored)
    }
    const pages = await allPages<Json>(service, `${path}?limit=3&event=logout.succeeded`, admin.bearer)
    expect(new Set(pages.flat().map(({ target }) => target)).size).toBe(stored)
    expect(pages.flat()).toHaveLength(stored)
  })
})

describe('an event is listed', () => {
  const findEmptyPartition = async (month: string): Promise<string> => {
    for (const shard of auditShards) {
      const pk = auditPartition(month, shard)
      if ((await service.services.table.list(pk, '20')).length === 0) return pk
    }
    throw new Error('every partition has events')
  }

  /** The day is in a partition without other events, in a month that surveys cover, except if they are old. */
  const addAlone = async (at: number): Promise<string> => {
    const sk = `${new Date(at).toISOString()}#AAAAAAAAAAAA`
    stored += 1
    const target = `alone-${stored}`
    const pk = await findEmptyPartition(sk.slice(0, 7))
    await service.services.table.put({
      ...{ pk, sk, at, event: 'logout.succeeded', target },
      ...{ user: null, actor: null, address: '', requestId: '', outcome: 'succeeded' },
      expires_at: (at + auditRetentionMs) / 1000,
    })
    return target
  }

  it.each([
    ['of the previous month that is stored after a survey', -40, 0],
    ['of an hour ago that is stored after a survey', 0, 0],
    ['of a time when the function has been stopped for two months', 1, 61],
    ['of a time when the function has been stopped for a year', 90, 365],
  ])('%s', async (_, eventDay, listDay) => {
    await runChain(3 * hour)
    await runChain()
    const target = await addAlone(start + eventDay * day - hour)
    vi.setSystemTime(start + listDay * day)
    const { bearer } =
      listDay === 0 ? admin : await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { body } = await service.client('GET', `${path}?limit=1000`, { bearer })
    expect(body.map((event: Json) => event['target'])).toContain(target)
  })

  it('although the clock of the function was months ahead', async () => {
    await runChain(70 * day)
    const target = await addAlone(start - 2 * hour)
    vi.setSystemTime(start + hour)
    expect((await list('?limit=1000')).targets).toContain(target)
    await runChain()
    expect((await findAuditSurvey(service.services.table))?.at).toBe(Date.now())
  })

  it('within an hour after it was copied into an old month', async () => {
    vi.setSystemTime(start + 2 * hour)
    await runChain()
    const target = await addAlone(start - 200 * day)
    vi.setSystemTime(start + 3 * hour)
    await runChain()
    expect((await list('?limit=1000')).targets).toContain(target)
  })

  it('a day after it was copied into an old month, although the function has stopped', async () => {
    await runChain()
    const { at = 0 } = (await findAuditSurvey(service.services.table)) ?? {}
    const target = await addAlone(start - 300 * day)
    vi.setSystemTime(at + day)
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { body } = await service.client('GET', `${path}?limit=1000`, { bearer })
    expect(body.map((event: Json) => event['target'])).toContain(target)
  })
})
