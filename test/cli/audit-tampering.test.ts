import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runVerify } from '../../cli/audit/run-verify.ts'
import { ChainBroken } from '../../lib/features/audit/chain/findings.ts'
import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import { openLocalSigner } from '../../lib/kernel/secrets/local-keys.ts'
import { auditPartition } from '../../lib/kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { createAuditAttacker, need } from '../support/audit-attacker.ts'
import { addAuditEvents } from '../support/audit-items.ts'
import { startAuditTable } from '../support/audit-table.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeFolder } from './command.ts'

/*
 * The attacker can write every item of the table, and cannot sign. The command runs as it does for operators. The log
 * ends five hours ago, so that the service can go on after each attack.
 */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const folder = makeFolder()
const startedAt = Date.now() - 2 * day
const audit = closeAfterTests(await startAuditTable(startedAt))
const attacker = createAuditAttacker(audit.services.table, [...new Set([startedAt, Date.now()])])
const publicKey = await (await openLocalSigner(audit.services.config.auditKeyFile ?? '')).getPublicKey()
const publicKeyFile: string = folder.file('audit.pem', publicKey)

const run = () => maintainChains(audit.services, audit.services.log)
const pass = async (ms: number): Promise<void> => {
  audit.passTime(ms)
  await run()
}
const addEvents = (count: number) => addAuditEvents(audit.services.table, count, audit.services.now())
await addEvents(60)
await pass(minute)
for (let round = 0; round < 2; round++) await pass(hour)
const readAll = async (): Promise<readonly Item[]> => {
  const chains = auditShards.map(async (shard) => [
    ...(await attacker.blocks(shard)),
    await attacker.head(shard),
  ])
  const lists = await Promise.all([attacker.events(), attacker.checkpoints(), ...chains])
  return lists.flat()
}

/** The table of the day before, and the newest checkpoint. */
const backup: readonly Item[] = await readAll()
audit.passTime(2 * day - 10 * hour)
for (const count of [40, 30]) {
  await addEvents(count)
  await pass(minute)
  await pass(hour)
}

// The search for late events passes the newest ones.
await pass(hour)
await pass(hour)
await audit.save()
const verify = async (expected?: string, target = audit) => {
  let stdout = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text
    return true
  })
  try {
    const table = target.services.config.tableName
    const { signal } = new AbortController()
    const code = await runVerify({ name: 'verify', table, publicKeyFile, expected }, signal)
    return { code, stdout }
  } finally {
    write.mockRestore()
  }
}

const newest = need(/\d+:[\w-]{43}/.exec((await verify()).stdout)?.[0])
beforeEach(() => audit.restore())
afterAll(() => folder.remove())

/** The service writes more events, and its function runs again. Returns the error of the function. */
const goOn = async (): Promise<unknown> => {
  await addEvents(31)
  let failure: unknown
  for (const ms of [minute, hour]) await pass(ms).catch((error: unknown) => (failure ??= error))
  return failure
}

const aShard = async (blocks = 2) => need((await attacker.longChains(blocks))[0])
const twoShards = async () => {
  const [first, second] = await attacker.longChains()
  return [need(first), need(second)] as const
}
const anEvent = async () => need((await attacker.events())[2])
const aBlock = async () => need((await attacker.blocks(await aShard()))[0])
const checkpoint = async (position: number) => need((await attacker.checkpoints()).at(position))
/** The log becomes what the backup has. */
const restoreBackup = async () => {
  await attacker.remove(await readAll())
  for (const item of backup) await audit.services.table.put(item)
}
const newHead = {
  number: 0,
  hash: '',
  chainedAt: 0,
  sequence: 0,
  sweptBlock: 0,
  markedBlock: 0,
}

interface Attack {
  readonly attack: string
  readonly run: () => Promise<unknown>
  readonly finds: string
  /** Whether the function stops with an error, so that an alarm reports it. */
  readonly alarm?: true
}

const attacks: readonly Attack[] = [
  // Events
  { attack: 'deletes an event', run: async () => attacker.remove([await anEvent()]), finds: 'event_missing' },
  {
    attack: 'changes an event',
    run: async () => attacker.change(await anEvent(), { actor: 999 }),
    finds: 'event_changed',
  },
  {
    attack: 'lets an event expire soon',
    run: async () => attacker.change(await anEvent(), { expires_at: 1 }),
    finds: 'event_changed',
  },
  {
    attack: 'swaps the content of two events',
    run: async () => {
      const [first, second] = await attacker.events()
      const [{ pk, sk }, other] = [need(first), need(second)]
      await attacker.change(other, { pk, sk })
      await attacker.change(need(first), { pk: other.pk, sk: other.sk })
    },
    finds: 'event_changed',
  },
  {
    attack: 'adds an event with an old time',
    run: async () =>
      attacker.change(await anEvent(), { sk: `${(await anEvent()).sk.slice(0, 25)}BBBBBBBBBBBB` }),
    finds: 'event_added',
  },
  {
    attack: 'adds an event with a time of the last hours that a checkpoint covers',
    run: async () => {
      const sk = `${new Date(audit.services.now() - 90 * minute).toISOString()}#BBBBBBBBBBBB`
      await attacker.change(await anEvent(), { sk, pk: auditPartition(sk.slice(0, 7), '3') })
    },
    finds: 'event_added',
  },
  {
    attack: 'moves an event to another shard',
    run: async () => {
      const [from, to] = await twoShards()
      const event = need((await attacker.eventsOf(from))[0])
      await attacker.remove([event])
      await attacker.change(event, { pk: auditPartition(event.sk.slice(0, 7), to) })
    },
    finds: 'event_missing',
  },
  {
    attack: 'swaps events of two shards',
    run: async () => {
      const [from, to] = await twoShards()
      const [a, b] = [need((await attacker.eventsOf(from))[0]), need((await attacker.eventsOf(to))[0])]
      await attacker.remove([a, b])
      await attacker.change(a, { pk: b.pk })
      await attacker.change(b, { pk: a.pk })
    },
    finds: 'event_added',
  },
  {
    attack: 'deletes all events, but no blocks',
    run: async () => attacker.remove(await attacker.events()),
    finds: 'event_missing',
  },
  // Emptied logs
  {
    attack: 'empties the log, and sets the times of the heads to 0',
    run: async () => {
      await attacker.empty()
      await attacker.changeHeads({ chainedAt: 0 })
    },
    finds: 'block_missing',
    alarm: true,
  },
  {
    attack: 'empties one shard, and sets the time of its head to 0',
    run: async () => {
      const shard = await aShard()
      await attacker.empty([shard])
      await attacker.change(await attacker.head(shard), { chainedAt: 0 })
    },
    finds: 'block_missing',
    alarm: true,
  },
  { attack: 'empties the log', run: () => attacker.empty(), finds: 'block_missing', alarm: true },
  {
    attack: 'empties the log with all heads',
    run: async () => {
      await attacker.empty()
      await attacker.remove(await Promise.all(auditShards.map(attacker.head)))
    },
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'empties the log, and writes heads of new chains',
    run: async () => {
      await attacker.empty()
      await attacker.changeHeads(newHead)
    },
    finds: 'block_missing',
    alarm: true,
  },
  {
    attack: 'empties a shard, and adds a block that says that everything before it has expired',
    run: async () => {
      const shard = await aShard()
      await attacker.empty([shard])
      await attacker.forgeBlock(shard, { previousAt: 1 })
    },
    finds: 'block_missing',
    alarm: true,
  },
  {
    attack: 'empties the log, and keeps the last block of each chain',
    run: async () => {
      for (const shard of auditShards)
        await attacker.remove([
          ...(await attacker.eventsOf(shard)),
          ...(await attacker.blocks(shard)).slice(0, -1),
        ])
    },
    finds: 'block_missing',
  },
  // Blocks
  { attack: 'deletes a block', run: async () => attacker.remove([await aBlock()]), finds: 'block_missing' },
  {
    attack: 'lets a block expire soon',
    run: async () => attacker.change(await aBlock(), { expires_at: 1 }),
    finds: 'block_changed',
  },
  {
    attack: 'writes a block of a later version',
    run: async () => attacker.change(await aBlock(), { schemaVersion: 99 }),
    finds: 'block_changed',
  },
  {
    attack: 'adds a block without a number',
    run: async () => attacker.change(await aBlock(), { sk: 'block#x' }),
    finds: 'block_changed',
  },
  {
    attack: 'replaces a block by the signed block of another shard',
    run: async () => {
      const [from, to] = await twoShards()
      const { pk } = need((await attacker.blocks(to))[0])
      await attacker.change(need((await attacker.blocks(from))[0]), { pk })
    },
    finds: 'block_changed',
  },
  {
    attack: 'swaps the blocks of two shards with their names',
    run: async () => {
      const [from, to] = await twoShards()
      const [a, b] = [need((await attacker.blocks(from))[0]), need((await attacker.blocks(to))[0])]
      await attacker.change(a, { pk: b.pk, shard: to })
      await attacker.change(b, { pk: a.pk, shard: from })
    },
    finds: 'block_changed',
  },
  {
    attack: 'replaces the last signed block by an earlier one',
    run: async () => {
      const blocks = await attacker.blocks(await aShard())
      await attacker.change(need(blocks[0]), { sk: need(blocks.at(-1)).sk })
    },
    finds: 'block_changed',
    alarm: true,
  },
  {
    attack: 'writes a chain without one event, consistent in itself',
    run: async () => {
      const shard = await aShard()
      await attacker.remove((await attacker.eventsOf(shard)).slice(0, 1))
      await attacker.rewriteChain(shard, (block) =>
        block.number === 1 ? { ...block, entries: block.entries.slice(1) } : block,
      )
    },
    finds: 'block_changed',
    alarm: true,
  },
  {
    attack: 'writes a chain whose blocks would have expired',
    run: async () =>
      attacker.rewriteChain(await aShard(), (block) => ({
        ...block,
        chainedAt: block.chainedAt - 500 * day,
      })),
    finds: 'block_changed',
    alarm: true,
  },
  {
    attack: 'adds a block with a sequence number that is used already',
    run: async () => attacker.forgeBlock(await aShard(), { firstSequence: 1 }),
    finds: 'block_changed',
    alarm: true,
  },
  {
    attack: 'adds a block with an event that is chained already',
    run: async () => {
      const block = await aBlock()
      const entries = [block['entries']].flat().map(String)
      await attacker.forgeBlock(await aShard(), { entries })
    },
    finds: 'event_repeated',
  },
  {
    attack: 'adds a block that would expire at once',
    run: async () => attacker.forgeBlock(await aShard(), { chainedAt: 1 }),
    finds: 'block_changed',
    alarm: true,
  },
  // Heads
  {
    attack: 'sets the times of the heads to 0',
    run: () => attacker.changeHeads({ chainedAt: 0 }),
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'moves a head back by a block',
    run: async () => {
      const shard = await aShard()
      const { number, hash, chainedAt, firstSequence, entries } = need((await attacker.blocks(shard)).at(-2))
      const sequence = Number(firstSequence) + [entries].flat().length - 1
      await attacker.change(await attacker.head(shard), { number, hash, chainedAt, sequence })
    },
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'moves a head ahead',
    run: async () => attacker.change(await attacker.head(await aShard()), { number: 99 }),
    finds: 'block_missing',
    alarm: true,
  },
  {
    attack: 'changes the sequence number of a head',
    run: async () => attacker.change(await attacker.head(await aShard()), { sequence: 1 }),
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'swaps the heads of two shards',
    run: async () => {
      const [from, to] = await twoShards()
      const [a, b] = [await attacker.head(from), await attacker.head(to)]
      await attacker.change(a, { pk: b.pk })
      await attacker.change(b, { pk: a.pk })
    },
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'lets the heads expire soon',
    run: () => attacker.changeHeads({ expires_at: 1 }),
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'moves the heads into the future, so that nothing more is chained',
    run: () => attacker.changeHeads({ cursor: '2999-01-01T00:00:00.000Z' }),
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'writes heads whose position is no time',
    run: () => attacker.changeHeads({ cursor: 'zzz', marked: '', swept: '' }),
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'moves the heads back, so that covered times count as new',
    run: () => attacker.changeHeads({ swept: new Date(0).toISOString() }),
    finds: 'head_changed',
    alarm: true,
  },
  {
    attack: 'writes a head of a later version',
    run: async () => attacker.change(await attacker.head(await aShard()), { schemaVersion: 99 }),
    finds: 'head_changed',
    alarm: true,
  },
  // Checkpoints
  {
    attack: 'deletes a checkpoint in the middle',
    run: async () => attacker.remove([await checkpoint(-2)]),
    finds: 'checkpoint_missing',
  },
  {
    attack: 'deletes all checkpoints but the newest',
    run: async () => attacker.remove((await attacker.checkpoints()).slice(0, -1)),
    finds: 'checkpoint_missing',
  },
  {
    attack: 'lets a checkpoint expire soon',
    run: async () => attacker.change(await checkpoint(0), { expires_at: 1 }),
    finds: 'checkpoint_changed',
  },
  {
    attack: 'replaces the newest checkpoint by an earlier one',
    run: async () => attacker.change(await checkpoint(0), { sk: (await checkpoint(-1)).sk }),
    finds: 'checkpoint_changed',
    alarm: true,
  },
  {
    attack: 'stores an earlier checkpoint with the next number',
    run: async () => {
      const next = Number((await checkpoint(-1))['number']) + 1
      const { statement } = await checkpoint(0)
      await attacker.change(await attacker.forgeCheckpoint(await checkpoint(0), { number: next }), {
        statement,
        number: 1,
      })
    },
    finds: 'checkpoint_changed',
    alarm: true,
  },
  {
    attack: 'empties the log, and writes a checkpoint of empty chains with another time',
    run: async () => {
      await attacker.forgeCheckpoint(await checkpoint(-1), { chains: [], at: 1, previousAt: 0 })
      await attacker.empty()
      await attacker.remove(await Promise.all(auditShards.map(attacker.head)))
    },
    finds: 'checkpoint_changed',
    alarm: true,
  },
  {
    attack: 'writes a checkpoint of the future, so that no other is signed',
    run: async () => {
      const number = Number((await checkpoint(-1))['number']) + 1
      await attacker.forgeCheckpoint(await checkpoint(-1), { number, at: Date.now() + 999 * day })
    },
    finds: 'checkpoint_changed',
    alarm: true,
  },
  {
    attack: 'lets the function sign new chains after a forged checkpoint, and removes that one',
    run: async () => {
      await attacker.empty()
      await attacker.remove(await Promise.all(auditShards.map(attacker.head)))
      const forged = await attacker.forgeCheckpoint(await checkpoint(-1), { chains: [], at: 1 })
      await attacker.remove((await attacker.checkpoints()).filter(({ sk }) => sk !== forged.sk))
      await expect(run()).rejects.toThrow(ChainBroken)
      await attacker.remove([forged])
    },
    finds: 'checkpoint_missing',
  },
]

it('accepts an untouched log, and names the signed numbers and what is not covered', async () => {
  const clean = { code: 0, stdout: expect.stringContaining('130 events signed, 130 verified, 0 expired.\n') }
  expect(await verify()).toMatchObject(clean)
  expect(await verify(newest)).toMatchObject(clean)
  await addEvents(5)
  const since = new Date(audit.services.now()).toISOString()
  const { code, stdout } = await verify(newest)
  expect(code).toBe(0)
  expect(stdout).toContain(`Not yet covered: 5 events since ${since}.\n`)
  expect(stdout).toMatch(/^Newest checkpoint: number \d+, 20.*Z$/m)
  expect(await goOn()).toBeUndefined()
  const signed = { code: 0, stdout: expect.stringContaining('166 events signed, 166 verified, 0 expired.\n') }
  expect(await verify(newest)).toMatchObject(signed)
})

describe.each(attacks)('someone who $attack', ({ run: attack, finds, alarm }) => {
  it('is found, also after the service went on', async () => {
    await attack()
    const { code, stdout } = await verify()
    expect(stdout).toContain(`${finds}: `)
    expect(stdout).toContain('The audit log was tampered with.\n')
    expect(code).toBe(1)
    const failure = await goOn()
    if (alarm) expect(failure).toBeInstanceOf(Error)
    expect((await verify()).code).toBe(1)
  })
})

/* A table that is consistent in itself, as it was at an earlier time or as if it were new. */
const rollbacks = [
  { attack: 'restores the backup of the day before', run: restoreBackup, code: 0 },
  {
    attack: 'restores the backup of the day before, and the service goes on',
    run: async () => {
      await restoreBackup()
      expect(await goOn()).toBeUndefined()
    },
    code: 0,
  },
  {
    attack: 'deletes the newest checkpoint',
    run: async () => attacker.remove([await checkpoint(-1)]),
    code: 0,
  },
  {
    attack: 'deletes everything, with the checkpoints',
    run: async () => attacker.remove(await readAll()),
    code: 2,
  },
  {
    attack: 'deletes everything, with the checkpoints, and the service goes on',
    run: async () => {
      await attacker.remove(await readAll())
      expect(await goOn()).toBeUndefined()
    },
    code: 0,
  },
]

describe.each(rollbacks)('someone who $attack', ({ run: attack, code }) => {
  it('is found with the expected checkpoint alone', async () => {
    await attack()
    const alone = await verify()
    expect(alone.code).toBe(code)
    if (code === 0) expect(alone.stdout).toContain('Keep the newest checkpoint outside, and --expect it.\n')
    const { stdout, ...expected } = await verify(newest)
    expect(expected.code).toBe(1)
    expect(stdout).toContain(`the expected checkpoint ${newest}`)
  })
})

it('accepts a log whose old events, blocks and checkpoints have expired', async () => {
  const startedAt = Date.now() - 410 * day
  const old = await startAuditTable(startedAt)
  const services = { ...old.services, config: { ...old.services.config } }
  const maintain = async (ms: number) => {
    old.passTime(ms)
    const { auditKeyFile } = audit.services.config
    await maintainChains({ ...services, config: { ...services.config, auditKeyFile } }, services.log)
  }
  const add = (count: number) => addAuditEvents(services.table, count, services.now())
  const attack = createAuditAttacker(services.table, [startedAt, startedAt + 9 * day, Date.now()])
  await add(50)
  for (const ms of [minute, hour, 9 * day]) await maintain(ms)
  await add(20)
  for (const ms of [minute, hour, 401 * day - 10 * hour]) await maintain(ms)
  await add(30)
  for (const ms of [minute, hour, hour]) await maintain(ms)
  const clean = { code: 0, stdout: expect.stringContaining('100 events signed, 30 verified, 70 expired.\n') }
  const isExpired = (item: Item) => Number(item['expires_at']) * 1000 <= Date.now()
  await attack.remove((await attack.events()).filter(isExpired))
  expect(await verify(undefined, old)).toMatchObject(clean)
  const chains = (await Promise.all(auditShards.map(attack.blocks))).flat().filter(isExpired)
  expect(chains.length).toBeGreaterThan(0)
  // DynamoDB removes expired items in any order.
  await attack.remove(chains.slice(chains.length / 2))
  expect(await verify(undefined, old)).toMatchObject(clean)
  await attack.remove([...chains, ...(await attack.checkpoints()).filter(isExpired)])
  expect(await verify(undefined, old)).toMatchObject(clean)
  await add(10)
  await maintain(hour)
  expect(await verify(undefined, old)).toMatchObject({ code: 0 })
  await attack.empty()
  expect((await verify(undefined, old)).code).toBe(1)
  old.close()
})
