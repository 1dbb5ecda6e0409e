import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPass } from '../../../infra/maintenance/run-pass.ts'
import type { Position } from '../../../infra/maintenance/state-file.ts'
import { readTableArguments } from '../../../infra/maintenance/table-arguments.ts'
import type { Codec } from '../../../lib/store/engine/codec.ts'
import { userKey } from '../../../lib/store/engine/keys.ts'
import { openTableScan } from '../../../lib/store/engine/table-scan.ts'
import type { Item } from '../../../lib/store/engine/transaction.ts'
import { changeItem } from '../../../lib/store/maintenance/change-item.ts'
import { migrateItem, versionedKinds } from '../../../lib/store/maintenance/migrate-item.ts'
import { addPerson, type Person, signIn } from '../../support/people.ts'
import { startService, type TestService } from '../../support/service.ts'
import { readItems } from '../../support/table-copies.ts'
import { environmentOf, type Folder, makeFolder, runTable } from '../cli/command.ts'

let service: TestService
let folder: Folder
const people: Person[] = []
beforeAll(async () => {
  service = await startService()
  folder = makeFolder()
  for (let count = 0; count < 12; count++) people.push(await storeEarlierUser())
})
afterAll(async () => {
  folder.remove()
  await service.close()
})

/** Stores a user as version 0.1.0 did. */
const storeEarlierUser = async (): Promise<Person> => {
  const person = await addPerson(service, { email: `${randomUUID()}@example.com` })
  const key = userKey(person.user.id)
  const item: Item = { ...(await itemOf(person)), ...key }
  const { schemaVersion: _, normalizedUsername, normalizedEmail, ...rest } = item
  await service.services.table.put({
    ...rest,
    ...key,
    foldedUsername: normalizedUsername,
    foldedEmail: normalizedEmail,
  })
  return person
}
const itemOf = ({ user }: Person): Promise<Item | undefined> => service.services.table.get(userKey(user.id))
const migrate = (...args: readonly string[]) =>
  runTable(['migrate', '--table', service.tableName, ...args], environmentOf(), folder.path)

describe('the migration', () => {
  it('counts what it would do in a dry run, and writes nothing', async () => {
    const before = await readItems(service.tableName)
    const { code, stdout, stderr } = await migrate('--dry-run')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('user: 12 would be migrated\n')
    expect(await readItems(service.tableName)).toEqual(before)
  })

  it('gives every item its present form, resumes, and then finds nothing to do', async () => {
    // An interrupted run handled two of the segments.
    const file = join(folder.path, `.latchkey-migrate-${service.tableName}.json`)
    const positions = [{ isDone: true }, { isDone: true }, {}, {}]
    writeFileSync(file, JSON.stringify({ command: 'migrate', startedAt: 1, positions }))
    const resumed = await migrate()
    expect(resumed.stderr).toBe('Resuming an interrupted run.\n')
    expect(resumed.code).toBe(0)
    expect(existsSync(file)).toBe(false)
    expect((await migrate()).code).toBe(0)
    for (const person of people) {
      const item = await itemOf(person)
      expect(item).toMatchObject({ schemaVersion: 2, normalizedUsername: person.user.normalizedUsername })
      expect(item).not.toHaveProperty('foldedUsername')
      expect(item).not.toHaveProperty('foldedEmail')
    }
    expect((await migrate()).stdout).toMatch(/^\d+ items read, 0 migrated\.\n$/)
    const [first] = people
    if (first) expect(await signIn(service, first)).toMatch(/^lks_/)
  })

  it('removes tickets and ended sessions of earlier versions after their time, and no others', async () => {
    const [inactive, active] = [await addPerson(service), await addPerson(service)]
    const long = Date.now() - 86_400_000
    const soon = Date.now() + 60_000
    const store = async (person: Person, expiresAt: number): Promise<void> => {
      const maps = { tickets: { hash: { expiresAt, session: 'other' } }, endedSessions: { other: expiresAt } }
      await service.services.table.put({ ...(await itemOf(person)), ...userKey(person.user.id), ...maps })
    }
    await store(inactive, long)
    await store(active, soon)
    expect((await migrate()).code).toBe(0)
    expect(await itemOf(inactive)).toMatchObject({ tickets: {}, endedSessions: {} })
    expect(Object.keys(Object((await itemOf(active))?.['tickets']))).toEqual(['hash'])
    expect((await itemOf(active))?.['endedSessions']).toEqual({ other: soon })
    expect(await signIn(service, inactive)).toMatch(/^lks_/)
  })

  it('lets a concurrent write of the service win', async () => {
    const person = await storeEarlierUser()
    const before = await itemOf(person)
    if (!before) throw new Error('the user does not exist')
    const { table } = service.services
    await table.put({ ...before, foldedUsername: 'renamed-in-the-meantime' })
    expect(await changeItem(table, before, migrateItem(before, Date.now()))).toBe(false)
    expect(await itemOf(person)).toMatchObject({ foldedUsername: 'renamed-in-the-meantime' })
    await table.put({ ...before, fullName: 'Changed in the meantime' })
    expect(await changeItem(table, before, migrateItem(before, Date.now()))).toBe(true)
    const { normalizedUsername } = person.user
    expect(await itemOf(person)).toMatchObject({ normalizedUsername, fullName: 'Changed in the meantime' })
  })

  it('stops at an item of a later version, and does not change it', async () => {
    const person = await addPerson(service)
    const later = { ...(await itemOf(person)), ...userKey(person.user.id), schemaVersion: 9 }
    await service.services.table.put(later)
    expect(await migrate()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('schema version 9, but this version of Latchkey knows only 2.'),
    })
    expect(await itemOf(person)).toEqual(later)
    await service.services.table.put({ ...later, schemaVersion: 2 })
    expect((await migrate()).code).toBe(0)
  })

  it('covers every kind that has had several versions', async () => {
    const kinds: Pick<Codec<object>, 'stamp' | 'decode'>[] = []
    for (const file of readdirSync('lib/store/records').filter((name) => name.endsWith('-record.ts')))
      for (const value of Object.values<unknown>(
        await import(`../../../lib/store/records/${file.slice(0, -3)}.ts`),
      )) {
        const { codec = value } = value as { readonly codec?: unknown }
        if (typeof codec === 'object' && codec && 'stamp' in codec) kinds.push(codec as Codec<object>)
      }
    expect(kinds.length).toBeGreaterThan(10)
    const versioned = kinds.filter(({ stamp }) => 'schemaVersion' in stamp)
    expect(new Set(versioned)).toEqual(new Set(Object.values(versionedKinds)))
  })
})

describe('a pass over a table', () => {
  const pass = (positions: readonly Position[], handle: () => Promise<void>, signal: AbortSignal) =>
    runPass({
      scan: openTableScan({
        tableName: service.tableName,
        endpoint: process.env['DYNAMODB_ENDPOINT'],
      }),
      positions,
      itemsPerSecond: 4,
      signal,
      handle,
      onPage: (reached) => {
        latest = reached
      },
    })
  let latest: readonly Position[] = []

  it('stops at once when it is interrupted, and remembers where', async () => {
    const stop = new AbortController()
    let handled = 0
    const isFinished = await pass(
      [{}, {}],
      async () => {
        handled += 1
        stop.abort()
      },
      stop.signal,
    )
    expect(isFinished).toBe(false)
    expect(handled).toBeLessThan(8)
    expect(latest.some(({ next }) => next !== undefined)).toBe(true)
  })

  it('stops at the first error', async () => {
    const fail = () => Promise.reject(new Error('cannot be handled'))
    await expect(pass([{}, {}], fail, new AbortController().signal)).rejects.toThrow('cannot be handled')
  })
})

it('prints help that fits a terminal', async () => {
  const { code, stdout, stderr } = await runTable(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('npm run table -- migrate')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it.each([
  [[], 'Use migrate'],
  [['migrte'], 'Unknown command "migrte".'],
  [['migrate', 'x'], 'migrate takes no "x".'],
  [['migrate', '--force'], 'Unknown option --force. See --help.'],
  [['migrate', '--rate', '0'], '--rate must be a number of items from 1 to 999999.'],
  [['migrate', '--restored'], 'Unknown option --restored.'],
  [['end-credentials', '--passwords', 'all'], '--passwords must be keep or change or remove.'],
  [['end-credentials', '--replaced', 'Old'], '--replaced requires --restored.'],
])('rejects the arguments %j', (args, sentence) => {
  expect(() => readTableArguments(args, {})).toThrow(sentence)
})

it('does not take a dry run that npm took for itself as a real one', () => {
  expect(() => readTableArguments(['migrate'], { npm_config_dry_run: 'true' })).toThrow('npm took --dry-run')
})
