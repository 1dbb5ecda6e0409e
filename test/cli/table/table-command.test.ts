import { afterAll, describe, expect, it } from 'vitest'
import { readTableArguments } from '../../../cli/table/command.ts'
import { type Position, runPass } from '../../../cli/table/table-pass.ts'
import { changeItem } from '../../../lib/kernel/table/change-item.ts'
import { userKey } from '../../../lib/kernel/table/keys/keys.ts'
import { openTableScan } from '../../../lib/kernel/table/table-scan.ts'
import type { Item } from '../../../lib/kernel/table/transaction.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, makeFolder, runTable } from '../command.ts'

const service = await useService()
const folder = makeFolder()
afterAll(() => folder.remove())

const itemOf = async ({ user }: Person): Promise<Item> => {
  const item = await service.services.table.get(userKey(user.id))
  if (!item) throw new Error('the user does not exist')
  return item
}

describe('a change of an item', () => {
  it('lets a concurrent write of the service win', async () => {
    const before = await itemOf(await addPerson(service))
    const { table } = service.services
    await table.put({ ...before, full_name: 'Changed in the meantime' })
    expect(await changeItem(table, before, { ...before, full_name: 'Changed by the command' })).toBe(false)
    expect(await changeItem(table, before, { ...before, language: 'fr' })).toBe(true)
    expect(await table.get({ pk: before.pk, sk: before.sk })).toMatchObject({
      full_name: 'Changed in the meantime',
      language: 'fr',
    })
  })
})

it('stops at an item of a later version, and does not change it', async () => {
  const person = await addPerson(service)
  const item = await itemOf(person)
  const later = { ...item, schemaVersion: 9 }
  await service.services.table.put(later)
  const end = () => runTable(['end-credentials', '--table', service.tableName], environmentOf(), folder.path)
  expect(await end()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('schema version 9, but this version of Latchkey knows only 1.'),
  })
  expect(await itemOf(person)).toEqual(later)
  await service.services.table.put(item)
  expect((await end()).code).toBe(0)
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
  expect(stdout).toContain('end-credentials [options]')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it.each([
  [[], 'Use end-credentials, prepare, reencrypt, copy, export or import. See --help.'],
  [['end-credential'], 'Unknown command "end-credential". Did you mean end-credentials?'],
  [['reencrypt', '--dryrun'], 'Unknown option --dryrun. Did you mean --dry-run?'],
  [['reencrypt', 'x'], 'reencrypt takes no "x".'],
  [['reencrypt', '--force'], 'Unknown option --force. See --help.'],
  [['reencrypt', '--rate', '0'], '--rate must be a number of items from 1 to 999999.'],
  [['reencrypt', '--restored'], 'Unknown option --restored.'],
  [
    ['end-credentials', '--passwords', 'all'],
    "argument 'all' is invalid. Allowed choices are keep, change, remove.",
  ],
  [['prepare'], 'prepare needs --table NAME: the deployed table. See --help.'],
  [['copy', '--table', 'a'], 'copy needs --to NAME: the new table. See --help.'],
  [['end-credentials', '--replaced', 'Old'], '--replaced requires --restored.'],
])('rejects the arguments %j', (args, sentence) => {
  expect(() => readTableArguments(args)).toThrow(sentence)
})
