import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAuditFile } from '../../cli/audit/audit-file.ts'
import { readAuditArguments } from '../../cli/audit/command.ts'
import { readSignedTime } from '../../cli/audit/run-verify.ts'
import { verifyAudit } from '../../lib/features/audit/chain/verify.ts'
import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import { openLocalSigner } from '../../lib/kernel/secrets/local-keys.ts'
import { addAuditEvents, readAuditItems } from '../support/audit-items.ts'
import { startAuditTable } from '../support/audit-table.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { environmentOf, makeFolder, runAudit } from './command.ts'

const hour = 3_600_000
const folder = makeFolder()
const audit = closeAfterTests(await startAuditTable(Date.now() - 3 * hour))
const { table, config, now, log } = audit.services
await addAuditEvents(table, 30, now())
for (const wait of [hour / 60, hour, hour]) {
  audit.passTime(wait)
  await maintainChains(audit.services, log)
}
const publicKey = await (await openLocalSigner(config.auditKeyFile ?? '')).getPublicKey()
const options: readonly string[] = [
  '--table',
  config.tableName,
  '--public-key',
  folder.file('audit.pem', publicKey),
]
afterAll(() => folder.remove())

const run = (...args: readonly string[]) => runAudit(args, environmentOf())

it('prints help that fits a terminal', async () => {
  const { code, stdout, stderr } = await runAudit(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('npm exec --no -- latchkey audit ')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

describe('verify', () => {
  it('ends with 0 for an untouched log, and prints a checkpoint that it accepts as expected', async () => {
    const { code, stdout, stderr } = await run('verify', ...options)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('30 events signed, 30 verified, 0 expired.\n')
    expect(stdout).toContain('No tampering was found.\n')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    const [checkpoint = ''] = /3:[\w-]{43}/.exec(stdout) ?? []
    expect((await run('verify', '--expect', checkpoint, ...options)).code).toBe(0)
    const listed = await run('checkpoints', ...options)
    expect(listed.code).toBe(0)
    expect(listed.stdout.trim().split('\n')).toHaveLength(3)
    expect(listed.stdout).toContain(checkpoint)
  })

  it('follows a change of the key, and rejects an earlier key from then on', async () => {
    await audit.save()
    const { config, log } = audit.services
    const [earlier, later] = [config.auditKeyFile ?? '', join(folder.path, 'later.key')]
    const signWith = async (auditKeyFile: string): Promise<void> => {
      audit.passTime(hour)
      // The function reports each change of the key.
      await expect(
        maintainChains({ ...audit.services, config: { ...config, auditKeyFile } }, log),
      ).rejects.toThrow('another key signed checkpoint')
    }
    const readKey = async (file: string) => (await openLocalSigner(file)).getPublicKey()
    await signWith(later)
    const keys = folder.file('both.pem', `${await readKey(earlier)}${await readKey(later)}`)
    const verify = () => run('verify', '--table', config.tableName, '--public-key', keys)
    expect((await verify()).code).toBe(0)
    expect((await run('verify', ...options)).stdout).toContain('checkpoint_changed: 1\n')
    await signWith(earlier)
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('checkpoint_changed: 1\n'),
    })
    await audit.restore()
  })

  it('says that the clock of the service was ahead', async () => {
    await audit.save()
    const { log } = audit.services
    expect((await run('verify', ...options)).stdout).not.toContain('was ahead')
    audit.passTime(30 * 24 * hour)
    await maintainChains(audit.services, log)
    expect((await run('verify', ...options)).stdout).toMatch(/was ahead when it signed checkpoint \d+:/)
    audit.passTime(-30 * 24 * hour)
    await audit.restore()
  })

  describe('of an export', () => {
    let file: string
    let lines: readonly string[]
    const publicKey = () => options.slice(2)
    const verifyLines = (changed: readonly string[], name: string) =>
      run('verify', '--file', folder.file(name, `${changed.join('\n')}\n`), ...publicKey())
    const isEvent = (line: string) => line.includes('"pk":"audit#')

    beforeAll(async () => {
      file = join(folder.path, 'audit.jsonl')
      const { code, stderr } = await run('export', file, ...options.slice(0, 2))
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    })

    it('proves all of its events without the table, and accepts the expected checkpoint', async () => {
      const { code, stdout } = await run('verify', '--file', file, ...publicKey())
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining('30 events signed, 30 verified, 0 expired.\n'),
      })
      const [checkpoint = ''] = /3:[\w-]{43}/.exec(stdout) ?? []
      expect((await run('verify', '--file', file, '--expect', checkpoint, ...publicKey())).code).toBe(0)
      expect(lines.filter(isEvent)).toHaveLength(30)
    })

    it('takes its time from the newest checkpoint, because a later one would excuse missing events', async () => {
      const { table } = await openAuditFile(file)
      const key = readFileSync(publicKey()[1] ?? '', 'utf8')
      const countAt = async (nowMs: number) => {
        const { shards, findings } = await verifyAudit({ table, publicKey: key, nowMs })
        expect(findings).toEqual([])
        return shards.reduce((sum, { verified }) => sum + verified, 0)
      }
      expect(await countAt(Date.now() + 2000 * 24 * hour)).toBe(0)
      expect(await countAt(await readSignedTime(table, key))).toBe(30)
    })

    const isBlock = (line: string) => line.includes('"sk":"block#')
    const isCheckpoint = (line: string) => line.includes('"sk":"checkpoint#')

    it.each([
      ['event_changed', (line: string) => line.replace('192.0.2.1', '192.0.2.2'), isEvent],
      ['event_missing', () => undefined, isEvent],
      ['block_changed', (line: string) => line.replace('"firstSequence":1', '"firstSequence":2'), isBlock],
      ['checkpoint_changed', (line: string) => line.replace('"signature":"', '"signature":"A'), isCheckpoint],
    ] as const)('finds %s', async (finding, change, isTarget) => {
      const at = lines.findIndex(isTarget)
      const changed = lines.flatMap((line, index) => (index === at ? (change(line) ?? []) : [line]))
      const { code, stdout } = await verifyLines(changed, `${finding}.jsonl`)
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(`${finding}: `) })
    })

    it('replaces no file, and reads no other one', async () => {
      expect(await run('export', file, ...options.slice(0, 2))).toMatchObject({
        code: 2,
        stderr: `${file} already exists. Choose another file.\n`,
      })
      expect(await verifyLines(['{"pk":1}'], 'other.jsonl')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is not an item of an audit log.'),
      })
      expect(await run('verify', '--file', file)).toMatchObject({
        code: 2,
        stderr: 'Pass --public-key, or set AUDIT_KEY_ID to the key that signed the checkpoints.\n',
      })
    })
  })

  it('ends with 1 and names what was changed', async () => {
    const { table, now } = audit.services
    const [event] = await readAuditItems(table, [now(), now() - 3 * hour])
    await table.put({ ...event, pk: event?.pk ?? '', sk: event?.sk ?? '', actor: 999 })
    const { code, stdout } = await run('verify', ...options)
    expect(code).toBe(1)
    expect(stdout).toContain('event_changed: 1\n')
    expect(stdout).toContain(event?.sk)
    expect(stdout).toContain('The audit log was tampered with.\n')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('ends with 2 when it cannot check', async () => {
    expect(await run('verify', '--table', 'no-such-table', ...options.slice(2))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The table does not exist'),
    })
    expect(await run('verify', '--table', 'x')).toMatchObject({
      code: 2,
      stderr: 'Set AUDIT_KEY_ID to the output AuditKeyArn of the stack, or pass --public-key.\n',
    })
    const noKey = await run('verify', ...options.slice(0, 2), '--public-key', join(folder.path, 'none.pem'))
    expect(noKey).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read') })
  })
})

it.each([
  [[], 'Use verify, export or checkpoints. See --help.'],
  [['export'], 'export needs FILE.'],
  [['verify', '--file', 'x', '--table', 'y'], '--file and --table must not be used together.'],
  [['verfy'], 'Unknown command "verfy".'],
  [['verify', 'x'], 'verify takes no "x".'],
  [['verify', '--force'], 'Unknown option --force. See --help.'],
  [['verify', '--expect', '12'], '--expect needs a number, a colon, and a hash'],
  [['checkpoints', '--expect', 'x'], 'Unknown option --expect.'],
  [['verify', '--table='], '--table needs a value.'],
])('rejects the arguments %j', (args, sentence) => {
  expect(() => readAuditArguments(args)).toThrow(sentence)
})
