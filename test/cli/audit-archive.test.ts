import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { archiveLog, type WriteObject } from '../../lib/features/audit/archive-bucket.ts'
import { findArchiveProgress } from '../../lib/features/audit/chain.records.ts'
import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import { openLocalSigner } from '../../lib/kernel/secrets/local-keys.ts'
import { createAuditAttacker } from '../support/audit-attacker.ts'
import { addAuditEvents } from '../support/audit-items.ts'
import { startAuditTable } from '../support/audit-table.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { environmentOf, makeFolder, runAudit } from './command.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.parse('2026-03-30T10:00:00.000Z')
const folder = makeFolder()
const audit = closeAfterTests(await startAuditTable(start))
const signer = await openLocalSigner(audit.services.config.auditKeyFile ?? '')
const key: string = folder.file('audit.pem', await signer.getPublicKey())
/** The folder that stands for the bucket. */
const bucket = () => join(folder.path, 'bucket')
const names = (within = bucket()) =>
  readdirSync(within, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.gz'))
    .sort()
const writeObject: WriteObject = async (name, content) => {
  const file = join(bucket(), name)
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, content, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
/** An hour of the service: some events, a checkpoint, and the archive. */
const passHour = async (events: number, ms = hour): Promise<void> => {
  if (events > 0) await addAuditEvents(audit.services.table, events, audit.services.now())
  audit.passTime(ms)
  await maintainChains(audit.services, audit.services.log)
}

for (let hours = 0; hours < 20; hours++) await passHour(5)
const archive = (write = writeObject) => archiveLog(audit.services, write)
for (let run = 0; run < 3; run++) await archive()
const verify = (path = bucket()) => runAudit(['verify', '--file', path, '--public-key', key], environmentOf())
const linesOf = (name: string): readonly string[] =>
  gunzipSync(readFileSync(join(bucket(), name)))
    .toString()
    .trimEnd()
    .split('\n')
afterAll(() => folder.remove())

describe('the archive of the audit log', () => {
  it('proves everything after its first checkpoint, also when the table has forgotten it', async () => {
    const proven = {
      code: 0,
      stdout: expect.stringContaining('100 events signed, 95 verified, 5 expired.\n'),
    }
    expect(await verify()).toMatchObject(proven)
    const attacker = createAuditAttacker(audit.services.table, [start, start + day])
    await audit.save()
    await attacker.remove(await attacker.events())
    audit.passTime(500 * day)
    expect(await verify()).toMatchObject(proven)
    await audit.restore()
  })

  it('has a folder for each day, and can be verified in parts', async () => {
    expect(names().map((name) => name.slice(0, 10))).toEqual(
      expect.arrayContaining(['2026/03/30', '2026/03/31']),
    )
    const { code, stdout } = await verify(join(bucket(), '2026/03/31'))
    expect({ code, findings: /_changed|_missing|_added/.exec(stdout) }).toEqual({ code: 0, findings: null })
    expect(stdout).toMatch(/First checkpoint: number 1\d, 2026-03-31/)
  })

  const isEvent = (line: string) => line.includes('"pk":"audit#')
  const isBlock = (line: string) => line.includes('"sk":"block#')
  const isCheckpoint = (line: string) => line.includes('"sk":"checkpoint#')
  it.each([
    ['event_missing', isEvent, () => undefined],
    ['event_changed', isEvent, (line: string) => line.replace('192.0.2.1', '192.0.2.2')],
    ['block_missing', isBlock, () => undefined],
    ['block_changed', isBlock, (line: string) => line.replace(/"expiresAt":\d+/, '"expiresAt":1')],
    ['checkpoint_missing', isCheckpoint, () => undefined],
    ['checkpoint_changed', isCheckpoint, (line: string) => line.replace('version', 'Version')],
  ] as const)('shows a finding %s after one line was tampered with', async (kind, matches, change) => {
    const name = names().find((one) => linesOf(one).some(isEvent) && !one.includes('000000001')) ?? ''
    const file = join(bucket(), name)
    const content = readFileSync(file)
    const lines = linesOf(name)
    const at = lines.findIndex(matches)
    const changed = lines.flatMap((line, index) => (index === at ? (change(line) ?? []) : line))
    writeFileSync(file, gzipSync(`${changed.join('\n')}\n`))
    const { code, stdout } = await verify()
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(`${kind}: `) })
    writeFileSync(file, content)
  })

  it('shows that it begins later after the first objects were removed', async () => {
    const [first = '', second = ''] = names()
    const removed = [first, second].map((name) => ({ name, content: readFileSync(join(bucket(), name)) }))
    for (const { name } of removed) rmSync(join(bucket(), name))
    const { code, stdout } = await verify()
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('First checkpoint: number 3'),
    })
    for (const { name, content } of removed) writeFileSync(join(bucket(), name), content)
  })

  it('refuses two different items with one key', async () => {
    const forged = join(bucket(), '2026/03/30/zzz.jsonl')
    const event = linesOf(names().at(-1) ?? '').find(isEvent) ?? ''
    writeFileSync(forged, `${event.replace('192.0.2.1', '192.0.2.9')}\n`)
    expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringContaining('differs from another') })
    rmSync(forged)
  })

  it('continues after a write that failed, and after progress that was lost', async () => {
    for (let hours = 0; hours < 3; hours++) await passHour(90)
    let writes = 0
    const failing: WriteObject = async (name, content) => {
      writes += 1
      if (writes === 2) throw new Error('S3 is not available')
      await writeObject(name, content)
    }
    await expect(archive(failing)).rejects.toThrow('S3 is not available')
    const before = await findArchiveProgress(audit.services.table)
    await Promise.all([archive(), archive()])
    await audit.services.table.put({ pk: 'audit-archive', sk: 'progress', ...before })
    const count = names().length
    await archive()
    expect(names()).toHaveLength(count)
    expect((await verify()).stdout).toContain('370 events signed, 365 verified, 5 expired.\n')
  })

  it('splits what a busy hour signed into several objects', async () => {
    for (let part = 0; part < 60; part++)
      await addAuditEvents(audit.services.table, 100, audit.services.now() + part * 1000)
    await passHour(0, hour)
    await passHour(0, hour)
    await archive()
    expect(names().filter((name) => name.includes('-shard-'))).toHaveLength(1)
    expect((await verify()).stdout).toContain('6,370 events signed, 6,365 verified, 5 expired.\n')
  })

  it('begins, in a table with old events, where none of the following ones has expired', async () => {
    const old = await startAuditTable(start - 395 * day)
    const now = audit.services.now
    const services = { ...old.services }
    const step = async (events: number, ms: number): Promise<void> => {
      await addAuditEvents(services.table, events, services.now())
      old.passTime(ms)
      await maintainChains(services, services.log)
    }
    for (const ms of [hour, hour, 9 * day, hour, 394 * day, hour, hour]) await step(10, ms)
    const found: string[] = []
    await archiveLog(services, async (name) => {
      found.push(name)
    })
    expect(services.now()).toBeGreaterThan(now() - 30 * day)
    expect(found[0]).toMatch(/checkpoint-00000000[34]-end/)
    old.close()
  })
})
