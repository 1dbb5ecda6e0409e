import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expiryOf } from '../../lib/features/audit/chain/chain-blocks.ts'
import { verifyAudit } from '../../lib/features/audit/chain/verify.ts'
import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import { openLocalSigner } from '../../lib/kernel/secrets/local-keys.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { createServices } from '../../lib/services.ts'
import { createAuditAttacker } from '../support/audit-attacker.ts'
import { addAuditEvents } from '../support/audit-items.ts'
import { type AuditTable, startAuditTable } from '../support/audit-table.ts'
import { addSignedIn } from '../support/people.ts'
import { startService } from '../support/service.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.parse('2026-01-10T10:00:00.000Z')

describe('auditRetentionDays', () => {
  it('must be a number of days that a log can have as well', () => {
    for (const days of ['29', '3654', 'forever', '1e9'])
      expect(() => createServices({ TABLE_NAME: 'a', AUDIT_RETENTION_DAYS: days })).toThrow(
        'AUDIT_RETENTION_DAYS must be a whole number from 30 to 3653',
      )
  })

  it('decides when events expire, and which ones a list shows', async () => {
    const service = await startService({ AUDIT_RETENTION_DAYS: '30' })
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { table, now } = service.services
    await addAuditEvents(table, 3, now() - 31 * day)
    await addAuditEvents(table, 2, now() - 29 * day)
    const since = new Date(now() - 40 * day).toISOString()
    const { body } = await service.client(
      'GET',
      `/api/2/auth/audit-events?since=${since}&until=${new Date(now() - day).toISOString()}`,
      { bearer: admin.bearer },
    )
    expect(body).toHaveLength(2)
    const attacker = createAuditAttacker(table, [now()])
    const [event] = await attacker.events()
    expect(Number(event?.['expires_at'])).toBe(Math.ceil((Number(event?.['at']) + 30 * day) / 1000))
    await service.close()
  })
})

describe('a service whose retention was lowered from 400 days to 30', () => {
  let audit: AuditTable
  let attacker: ReturnType<typeof createAuditAttacker>
  const withDays = (days: string) => {
    const { table, config } = createServices({
      ...process.env,
      TABLE_NAME: audit.services.config.tableName,
      PUBLIC_URL: 'http://127.0.0.1',
      LOCAL_AUDIT_KEY_FILE: audit.services.config.auditKeyFile,
      AUDIT_RETENTION_DAYS: days,
    })
    return { ...audit.services, table, config }
  }
  const pass = async (services: AuditTable['services'], ms: number) => {
    audit.passTime(ms)
    await maintainChains(services, services.log)
  }
  const now = () => audit.services.now()
  const isExpired = (item: Item) => Number(item['expires_at']) * 1000 <= now()
  const verify = async () => {
    const { auditKeyFile = '' } = audit.services.config
    const { findings, shards } = await verifyAudit({
      table: audit.services.table,
      publicKey: await (await openLocalSigner(auditKeyFile)).getPublicKey(),
      nowMs: now(),
    })
    const sum = (name: 'signed' | 'verified' | 'ended') => shards.reduce((all, one) => all + one[name], 0)
    const kinds = [...new Set(findings.map(({ kind }) => kind))]
    return { kinds, signed: sum('signed'), verified: sum('verified'), ended: sum('ended') }
  }

  beforeAll(async () => {
    audit = await startAuditTable(start)
    const [long, short] = [withDays('400'), withDays('30')]
    attacker = createAuditAttacker(audit.services.table, [start, start + 2 * day, start + 50 * day])
    await addAuditEvents(long.table, 40, start)
    for (const ms of [minute, hour, day]) await pass(long, ms)
    await addAuditEvents(short.table, 30, now())
    for (const ms of [minute, hour, hour]) await pass(short, ms)
    audit.passTime(40 * day)
    await audit.save()
  })
  afterEach(() => audit.restore())
  afterAll(() => audit.close())

  it('proves all events, for as long as each was to be kept', async () => {
    expect(await verify()).toEqual({ kinds: [], signed: 70, verified: 70, ended: 0 })
    const expired = (await attacker.events()).filter(isExpired)
    expect(expired).toHaveLength(30)
    await attacker.remove(expired)
    expect(await verify()).toEqual({ kinds: [], signed: 70, verified: 40, ended: 30 })
    await attacker.remove((await attacker.events()).slice(0, 1))
    expect(await verify()).toMatchObject({ kinds: ['event_missing'] })
  })

  it('keeps blocks and checkpoints until the events before them have expired', async () => {
    const chains = (await Promise.all(auditShards.map(attacker.blocks))).flat()
    const checkpoints = await attacker.checkpoints()
    const expiredEvents = (block: Item) =>
      [block['entries']].flat().filter((entry) => expiryOf(String(entry)) * 1000 <= now())
    const early = chains
      .filter(isExpired)
      .filter((block) => expiredEvents(block).length < [block['entries']].flat().length)
    expect([...early, ...checkpoints.filter(isExpired)]).toEqual([])
    for (let month = 0; month < 13; month++) await pass(withDays('30'), 31 * day)
    await attacker.remove([...(await attacker.events()), ...chains, ...checkpoints].filter(isExpired))
    await pass(withDays('30'), hour)
    expect(await verify()).toMatchObject({ kinds: [] })
  })

  it('finds a shorter life that someone wrote into a signed event', async () => {
    const [event] = await attacker.events()
    expect(event).toBeDefined()
    await attacker.change(event ?? { pk: '', sk: '' }, { expires_at: Math.floor(now() / 1000) - 1 })
    expect(await verify()).toMatchObject({ kinds: ['event_changed'] })
    await attacker.remove(event ? [event] : [])
    expect(await verify()).toMatchObject({ kinds: ['event_missing'] })
  })

  it('keeps no block longer than ten years because of an event with a wrong life', async () => {
    const short = withDays('30')
    await addAuditEvents(short.table, 1, now())
    const latest = (await createAuditAttacker(short.table, [now()]).events()).at(-1)
    await attacker.change(latest ?? { pk: '', sk: '' }, { expires_at: 9e15 })
    await pass(short, minute)
    const chains = (await Promise.all(auditShards.map(attacker.blocks))).flat()
    for (const { expires_at } of chains)
      expect(Number(expires_at) * 1000).toBeLessThan(now() + 3653 * day + 3 * day)
  })
})
