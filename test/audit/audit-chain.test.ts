import { afterEach, describe, expect, it } from 'vitest'
import { buildCommandContext } from '../../lib/accounts/callers/request-context.ts'
import { changeSteps } from '../../lib/accounts/events/change-event.ts'
import { userAuditFields } from '../../lib/accounts/users/user-field-names.models.prebuilt.ts'
import { describeEvent, hashBlock, hashText } from '../../lib/features/audit/chain/chain-blocks.ts'
import { formatCheckpoint, verifyAudit } from '../../lib/features/audit/chain/verify.ts'
import {
  chainBlockCodec,
  findChainHead,
  findHeadItem,
  readBlockItems,
  readCheckpointItems,
} from '../../lib/features/audit/chain.records.ts'
import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import { startAuditClock } from '../../lib/features/audit/start-clock.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { openLocalSigner } from '../../lib/kernel/secrets/local-keys.ts'
import { auditPartition } from '../../lib/kernel/table/keys/audit-keys.ts'
import { type AuditShard, auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import { eventValuesPrefix, userKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import type { Services } from '../../lib/services.ts'
import { addAuditEvents, readAuditItems } from '../support/audit-items.ts'
import { startAuditTable } from '../support/audit-table.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const audit = closeAfterTests(await startAuditTable(Date.parse('2026-05-10T10:00:00.000Z')))
const services: Services = audit.services
const signer = await openLocalSigner(services.config.auditKeyFile ?? '')
afterEach(() => audit.restore())

const run = () => maintainChains(services, services.log)
/** Moves the clock and runs the function, like the schedule does. */
const pass = async (ms: number) => {
  audit.passTime(ms)
  await run()
}
const addEvents = (count: number, at = services.now()) => addAuditEvents(services.table, count, at)
await addEvents(40)
await pass(minute)
await addEvents(30)
await pass(hour)
await pass(hour)
await audit.save()
const verify = async (expected?: string) => {
  const result = await verifyAudit({
    table: services.table,
    publicKey: await signer.getPublicKey(),
    nowMs: services.now(),
    expected,
  })
  return { ...result, verified: result.shards.reduce((sum, { verified }) => sum + verified, 0) }
}
const find = async (expected?: string) => {
  const { findings } = await verify(expected)
  return [...new Set(findings.map(({ kind }) => kind))].sort()
}
const listEvents = () => readAuditItems(services.table, [services.now(), services.now() - 3 * hour])
const anEvent = async (): Promise<Item> => {
  const [, , event] = await listEvents()
  if (!event) throw new Error('there is no event')
  return event
}
const remove = ({ pk, sk }: Item) => services.table.transact([{ delete: { pk, sk } }])
const readBlocks = async (shard: AuditShard) => {
  const blocks = []
  for await (const item of readBlockItems(services.table, shard, 0))
    blocks.push({ item, block: chainBlockCodec.decode(item) })
  return blocks
}
/** A shard with at least two blocks. */
const aLongChain = async () => {
  for (const shard of auditShards) {
    const blocks = await readBlocks(shard)
    const [first, second] = blocks
    if (first && second) return { shard, first, second }
  }
  throw new Error('there is no chain with two blocks')
}

describe('the audit log as the service wrote it', () => {
  it('has every event in a chain exactly once, and passes verification', async () => {
    const { findings, verified, uncovered, checkpoints } = await verify()
    expect({ findings, verified, uncovered }).toEqual({ findings: [], verified: 70, uncovered: 0 })
    expect(checkpoints.map(({ statement }) => statement.number)).toEqual([1, 2, 3])
    const chained = await Promise.all(auditShards.map(readBlocks))
    const entries = chained.flat().flatMap(({ block }) => block.entries)
    expect(entries.map((entry) => entry.split(' ')[0]).sort()).toEqual(
      (await listEvents()).map(({ sk }) => sk),
    )
  })

  it('is spread over many partitions', async () => {
    // Each event is in one of 16 at random, so some of them may have none.
    expect(new Set((await listEvents()).map(({ pk }) => pk)).size).toBeGreaterThanOrEqual(8)
  })

  it('has events that no checkpoint covers yet', async () => {
    const uncoveredSince = services.now()
    await addEvents(5)
    expect(await verify()).toMatchObject({ findings: [], verified: 70, uncovered: 5, uncoveredSince })
    await pass(minute)
    expect(await verify()).toMatchObject({ findings: [], verified: 70, uncovered: 5, uncoveredSince })
    await pass(hour)
    expect(await verify()).toMatchObject({ findings: [], verified: 75, uncovered: 0 })
  })

  it('knows whether former names of people are kept, erased or changed', async () => {
    const at = services.now()
    const context = { ...buildCommandContext(at, 'request'), actor: 1 }
    const rename = (user: number) =>
      services.table.transact(
        changeSteps(context, 'user.changed', {
          user,
          change: { fields: userAuditFields, before: { full_name: 'Ada' }, after: { full_name: 'Grace' } },
        }),
      )
    for (const user of [7, 8, 9]) await rename(user)
    await pass(minute)
    await pass(hour)
    expect(await verify()).toMatchObject({ findings: [], verified: 73, personal: { kept: 3, erased: 0 } })
    const valuesOf = async (user: number): Promise<Item> => {
      const [item] = await services.table.list(userKey(user).pk, eventValuesPrefix)
      if (!item) throw new Error('there are no values')
      return item
    }
    await remove(await valuesOf(7))
    expect(await verify()).toMatchObject({ findings: [], personal: { kept: 2, erased: 1 } })
    const item = await valuesOf(8)
    await services.table.put({ ...item, values: String(item['values']).replace('Ada', 'Eve') })
    expect(await find()).toEqual(['values_changed'])
  })

  it('is chained once by six runs at the same time', async () => {
    await addEvents(60)
    audit.passTime(2 * hour)
    await Promise.all(Array.from({ length: 6 }, run))
    expect(await verify()).toMatchObject({ findings: [], verified: 130, uncovered: 0 })
    expect((await verify()).checkpoints.map(({ statement }) => statement.number)).toEqual([1, 2, 3, 4])
  })

  it('includes events that were committed long after their time', async () => {
    const late = services.now() - 10 * minute
    await pass(minute)
    await addEvents(3, late)
    await pass(hour)
    await pass(hour)
    expect(await verify()).toMatchObject({ findings: [], verified: 73, uncovered: 0 })
  })

  it('passes after events, blocks and checkpoints have expired and were removed', async () => {
    audit.passTime(401 * day)
    await addEvents(20)
    for (const event of await listEventsOf(401 * day)) await remove(event)
    await pass(hour)
    await pass(3 * day)
    const expired = [...(await readCheckpointItems(services.table)).slice(0, 2)]
    for (const shard of auditShards)
      expired.push(...(await readBlocks(shard)).slice(0, -1).map(({ item }) => item))
    for (const item of expired) await remove(item)
    expect(await verify()).toMatchObject({ findings: [], verified: 20, uncovered: 0 })
  })

  const listEventsOf = async (ago: number) =>
    readAuditItems(services.table, [services.now() - ago, services.now() - ago - 3 * hour])
})

describe('verification finds', () => {
  it('a changed event', async () => {
    await services.table.put({ ...(await anEvent()), actor: 999 })
    expect(await find()).toEqual(['event_changed'])
  })

  it('an attribute that was added to an event', async () => {
    await services.table.put({ ...(await anEvent()), note: 'x' })
    expect(await find()).toEqual(['event_changed'])
  })

  it('a removed event', async () => {
    await remove(await anEvent())
    expect(await find()).toEqual(['event_missing'])
  })

  it('two events that swapped their places', async () => {
    const [first, , second] = await listEvents()
    if (!first || !second) throw new Error('there are no events')
    await services.table.put({ ...first, pk: second.pk, sk: second.sk })
    await services.table.put({ ...second, pk: first.pk, sk: first.sk })
    expect(await find()).toEqual(['event_changed'])
  })

  it('an event that was moved to another time', async () => {
    const event = await anEvent()
    await services.table.put({ ...event, sk: event.sk.replace(/\d{3}Z/, '999Z') })
    await remove(event)
    expect(await find()).toEqual(['event_added', 'event_missing'])
  })

  it('an event that was added with a time in the past', async () => {
    const event = await anEvent()
    await services.table.put({ ...event, sk: `${event.sk.slice(0, 25)}BBBBBBBBBBBB` })
    expect(await find()).toEqual(['event_added'])
  })

  it('removed newest events, with their block', async () => {
    const { shard } = await aLongChain()
    const last = (await readBlocks(shard)).at(-1)
    for (const entry of last?.block.entries ?? []) {
      const [sk = ''] = entry.split(' ')
      await remove({ pk: auditPartition(sk.slice(0, 7), shard), sk })
    }
    await remove(last?.item ?? fail())
    expect(await find()).toEqual(['block_missing'])
  })

  it('a chain that was cut off, with a head that was rolled back', async () => {
    const { shard, first } = await aLongChain()
    const head = (await findChainHead(services.table, shard)) ?? fail()
    for (const { item, block } of (await readBlocks(shard)).slice(1)) {
      await remove(item)
      for (const entry of block.entries) {
        const [sk = ''] = entry.split(' ')
        await remove({ pk: auditPartition(sk.slice(0, 7), shard), sk })
      }
    }
    const { number, hash, chainedAt } = first.block
    const headItem = { pk: `audit-chain#${shard}`, sk: 'head', ...head }
    await services.table.put({ ...headItem, number, hash, chainedAt, sequence: first.block.entries.length })
    expect(await find()).toEqual(['block_missing', 'head_changed'])
    await expect(pass(hour)).rejects.toThrow('block_missing: shard')
  })

  it('a changed block', async () => {
    const { first } = await aLongChain()
    await services.table.put({ ...first.item, entries: first.block.entries.slice(1) })
    expect(await find()).toContain('block_changed')
  })

  it('an event and a block that were changed together, with a new hash', async () => {
    const { shard, first } = await aLongChain()
    const [sk = ''] = first.block.entries[0]?.split(' ') ?? []
    const pk = auditPartition(sk.slice(0, 7), shard)
    const changed = { ...((await services.table.get({ pk, sk })) ?? fail()), actor: 999 }
    await services.table.put(changed)
    const block = {
      ...first.block,
      entries: [describeEvent({ ...changed, sk }), ...first.block.entries.slice(1)],
    }
    await services.table.put({ ...first.item, ...block, hash: hashBlock(block) })
    expect(await find()).toEqual(['block_changed'])
  })

  it('a removed block', async () => {
    await remove((await aLongChain()).first.item)
    expect(await find()).toContain('block_missing')
  })

  it('two blocks that swapped their places', async () => {
    const { first, second } = await aLongChain()
    await services.table.put({ ...second.item, sk: first.item.sk })
    await services.table.put({ ...first.item, sk: second.item.sk })
    expect(await find()).toContain('block_changed')
  })

  it('a removed head and a head that was rolled back', async () => {
    const { shard, first } = await aLongChain()
    const head = (await findChainHead(services.table, shard)) ?? fail()
    const item = { pk: `audit-chain#${shard}`, sk: 'head', ...head }
    await services.table.put({ ...item, number: first.block.number, hash: first.block.hash })
    expect(await find()).toEqual(['head_changed'])
    await remove(item)
    expect(await find()).toEqual(['head_changed'])
  })

  it('a changed checkpoint and one that was signed with another key', async () => {
    const [, second] = await readCheckpointItems(services.table)
    const statement = String(second?.['statement'])
    await services.table.put({
      ...(second ?? fail()),
      statement: statement.replace('"version":1', '"version": 1'),
    })
    expect(await find()).toContain('checkpoint_changed')
    const other = await openLocalSigner(`${services.config.auditKeyFile}.other`)
    await services.table.put({ ...(second ?? fail()), signature: await other.sign(statement) })
    expect(await find()).toContain('checkpoint_changed')
  })

  it('a removed checkpoint in the middle and at the beginning', async () => {
    const [first, second] = await readCheckpointItems(services.table)
    await remove(second ?? fail())
    expect(await find()).toEqual(['checkpoint_missing'])
    await remove(first ?? fail())
    expect(await find()).toEqual(['checkpoint_missing'])
  })

  it('everything rolled back together, if a later checkpoint was noted elsewhere', async () => {
    const noted = formatCheckpoint((await verify()).checkpoints.at(-1) ?? fail())
    expect(await find(noted)).toEqual([])
    for (const item of await readCheckpointItems(services.table)) await remove(item)
    for (const shard of auditShards) {
      for (const { item } of await readBlocks(shard)) await remove(item)
      await remove({ pk: `audit-chain#${shard}`, sk: 'head' })
    }
    await services.table.put({ ...(await anEvent()), actor: 999 })
    await run()
    expect(await find()).toEqual([])
    expect(await find(noted)).toEqual(['checkpoint_missing'])
  })
})

describe('the function', () => {
  it('logs each checkpoint in the form that a verification can expect', async () => {
    const lines = audit.log().filter(({ event }) => event === 'audit.checkpoint')
    const { checkpoints } = await verify()
    expect(lines.slice(0, 3).map(({ checkpoint }) => checkpoint)).toEqual(checkpoints.map(formatCheckpoint))
    expect(lines[0]?.['statement']).toContain('"version":1')
    expect(JSON.stringify(lines)).not.toContain('redacted')
  })

  it('logs a checkpoint unchanged, although a part of it looks like a credential', async () => {
    const { shard } = await aLongChain()
    const head = (await findChainHead(services.table, shard)) ?? fail()
    const { value } = mintCredential('session')
    const swept = `${head.swept.slice(0, 24)}#${value}`
    await services.table.put({ pk: `audit-chain#${shard}`, sk: 'head', ...head, swept, marked: swept })
    await pass(hour)
    const { number, statement, signature } = (await readCheckpointItems(services.table)).at(-1) ?? fail()
    expect(statement).toContain(value)
    expect(audit.log().findLast(({ event }) => event === 'audit.checkpoint')).toMatchObject({
      checkpoint: `${number}:${hashText(String(statement))}`,
      statement,
      signature,
    })
  })

  it('signs nothing more after the last signed block was replaced', async () => {
    const { shard } = await aLongChain()
    const { item, block } = (await readBlocks(shard)).at(-1) ?? fail()
    const changed = { ...block, chainedAt: block.chainedAt + 1 }
    const hash = hashBlock(changed)
    await services.table.put({ ...item, ...changed, hash })
    const head = (await findChainHead(services.table, shard)) ?? fail()
    await services.table.put({ pk: `audit-chain#${shard}`, sk: 'head', ...head, hash })
    const before = await readCheckpointItems(services.table)
    await expect(pass(hour)).rejects.toThrow('block_changed: shard')
    expect(await readCheckpointItems(services.table)).toEqual(before)
    expect(await find()).toContain('block_changed')
  })

  it('stops with an error when a chain goes on after its head', async () => {
    const { shard, first } = await aLongChain()
    const head = (await findChainHead(services.table, shard)) ?? fail()
    const { number, hash } = first.block
    await services.table.put({ pk: `audit-chain#${shard}`, sk: 'head', ...head, number, hash })
    for (let round = 0; round < 5; round++) await addEvents(20)
    audit.passTime(minute)
    await expect(run()).rejects.toThrow(`shard ${shard} has a block after its head`)
  })
})

const fail = (): never => {
  throw new Error('an item is missing')
}

describe('a clock that goes back', () => {
  const steps = [5 * minute, hour, day, 400 * day]
  it.each(steps)('by %d ms looks like no tampering, then or when its time comes again', async (ms) => {
    await addEvents(5)
    for (let passed = 0; passed < 25; passed++) await pass(minute)
    audit.passTime(-ms)
    const clockAt = services.now()
    await addEvents(5)
    await run()
    expect(await verify()).toMatchObject({ findings: [], uncovered: 10 })
    const moved = (await readAuditItems(services.table, [clockAt, clockAt + ms])).slice(-5)
    expect(moved.map((item) => item['clockAt'])).toEqual(moved.map((_, at) => clockAt + at))
    await pass(minute)
    await addEvents(5)
    audit.passTime(ms)
    await pass(hour)
    await pass(hour)
    expect(await verify()).toMatchObject({ findings: [], verified: 85, uncovered: 0 })
  })

  it('while the service does not run looks like no tampering', async () => {
    for (let passed = 0; passed < 25; passed++) await pass(minute)
    audit.passTime(-day)
    await startAuditClock(services.table, services.config.tableName)
    await addEvents(5)
    await run()
    await addEvents(5)
    expect(await verify()).toMatchObject({ findings: [], uncovered: 10 })
  })

  it('excuses no head that someone else moved to the future', async () => {
    const item = await findHeadItem(services.table, '3')
    if (!item) throw new Error('there is no head')
    await services.table.put({ ...item, cursor: new Date(services.now() + day).toISOString() })
    await expect(run()).rejects.toThrow('the service did not write the head of shard 3')
    expect(await find()).not.toEqual([])
  })
})
