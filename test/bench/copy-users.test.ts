import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyUsers } from '../../bench/copy-users.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { getListing, readEntries } from '../../lib/kernel/table/listing.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { createTable, type RunningEngine, startEngine } from '../../local/dynamodb.ts'
import { tableName } from '../../local/settings.ts'
import { seedUsers } from '../support/directory.ts'
import type { TestService } from '../support/service.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-copies-'))
const firstId = 1_000_000
let engine: RunningEngine
let table: Table
beforeAll(async () => {
  engine = await startEngine({ dataDir, engine: 'dynoxide' })
  await createTable(engine.endpoint, tableName)
  table = openTable({ endpoint: engine.endpoint, tableName, isEmbeddedEngine: true })
  const services = { table } as TestService['services']
  await seedUsers({ services }, 12, firstId, (at) => ({
    full_name: `Person ${at} of the Directory`,
    email: `person.${at}@example.org`,
  }))
})
afterAll(async () => {
  await engine.close()
  rmSync(dataDir, { recursive: true })
})

it('a copied user is what the engine would have written, in both lists', async () => {
  const source = await findUser(table, firstId + 11)
  copyUsers(join(dataDir, 'latchkey.db'), tableName, { from: 12, to: 30, firstId })
  const toSource = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll('seeded-0000029', 'seeded-0000011')
        .replaceAll('1000029', '1000011')
        .replaceAll('erson.29@', 'erson.11@')
        .replaceAll('erson 29 of', 'erson 11 of'),
    )
  expect(toSource(await findUser(table, firstId + 29))).toEqual(source)
  for (const order of ['id', 'name'] as const) {
    const entries = await readEntries(table, getListing('user', order), { limit: 100, isDescending: false })
    expect(entries).toHaveLength(30)
    expect(toSource(entries.at(-1))).toEqual(JSON.parse(JSON.stringify(entries[11])))
  }
})
