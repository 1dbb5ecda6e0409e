import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { addSignedIn } from '../../support/people.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, jsonLines, makeFolder, refusalsOf, runUsers } from '../command.ts'
import { createMigration } from './run-migration.ts'

/* Attributes that the service defines, on their way in and out. */

const service = await useService()
const folder = makeFolder()
const migration = createMigration(service, folder)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const attributes = [
  { name: 'plan', type: 'text', values: ['free', 'pro'] },
  { name: 'seats', type: 'number' },
  { name: 'is_partner', type: 'boolean' },
  { name: 'since', type: 'date' },
  { name: 'topics', type: 'texts' },
  { name: 'staff_number', type: 'text', is_searchable: true },
]
const body = { attributes }
const path = '/api/2/system/user-attributes'
expect((await service.client('PUT', path, { bearer: admin.bearer, body })).status).toBe(200)
afterAll(() => folder.remove())

const attributesOf = async (username: string) => {
  const path = `/api/2/users?username=${encodeURIComponent(username)}`
  const { body } = await service.client('GET', path, { bearer: admin.bearer })
  return Object.fromEntries(
    body[0].attributes.map(({ name, value }: { name: string; value: unknown }) => [name, value]),
  )
}
const run = (...args: readonly string[]) =>
  runUsers([...args, '--table', service.tableName], environmentOf(), folder.path)

describe('attributes of a migration', () => {
  it('come from the metadata of Auth0, in the types of the definitions', async () => {
    const email = `${randomUUID()}@example.com`
    const user = {
      ...{ user_id: `auth0|${randomUUID()}`, email },
      app_metadata: { plan: 'pro', seats: '12', roles: ['admin'] },
      user_metadata: { is_partner: 'true', topics: ['film', 'art'], nested: { a: 1 } },
    }
    const { code, stdout } = await migration.runOn('auth0', jsonLines([user]), '--yes')
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('  attribute roles: 1 user\n')
    expect(stdout).toContain('  attribute nested: 1 user\n')
    expect(stdout).not.toContain('attribute plan')
    expect(await attributesOf(email)).toEqual({
      ...{ plan: 'pro', seats: 12, is_partner: true },
      topics: ['film', 'art'],
    })
  })

  it('come from Cognito and Keycloak, and a wrong value refuses its line', async () => {
    const email = `${randomUUID()}@example.com`
    const Attributes = [
      { Name: 'sub', Value: randomUUID() },
      { Name: 'email', Value: email },
      { Name: 'custom:plan', Value: 'free' },
      { Name: 'custom:__proto__', Value: 'x' },
    ]
    await migration.runOn('cognito', { Users: [{ Username: email, Attributes, Enabled: true }] }, '--yes')
    expect(await attributesOf(email)).toEqual({ plan: 'free' })
    const [ada, bo] = [randomUUID(), randomUUID()]
    const users = [
      { id: randomUUID(), username: ada, attributes: { since: ['2024-02-29'], staff_number: ['E-7'] } },
      { id: randomUUID(), username: bo, attributes: { since: ['2023-02-29'] } },
    ]
    const { code, stdout } = await migration.runOn('keycloak', { realm: 'r', users }, '--yes')
    expect(code).toBe(1)
    expect(stdout).toContain('must be a date such as 2026-01-31')
    expect(await attributesOf(ada)).toEqual({ since: '2024-02-29', staff_number: 'E-7' })
    const found = await service.client('GET', '/api/2/users?attribute=e-7', { bearer: admin.bearer })
    expect(found.body).toMatchObject([{ username: ada }])
  })
})

describe('attributes of an import', () => {
  it('are columns of CSV, and come back in an export that imports them again', async () => {
    const [ada, bo] = [`ada-${randomUUID()}`, `bo-${randomUUID()}`]
    const csv = [
      'username,attributes.plan,attributes.seats,attributes.is_partner,attributes.topics',
      `${ada},pro,3,false,film; art`,
      `${bo},,,,`,
    ].join('\n')
    const imported = await run('import', folder.file('attributes.csv', csv))
    expect(imported.code, imported.stderr).toBe(0)
    const values = { plan: 'pro', seats: 3, is_partner: false, topics: ['film', 'art'] }
    expect(await attributesOf(ada)).toEqual(values)
    expect(await attributesOf(bo)).toEqual({})
    expect((await run('export', 'all.jsonl')).code).toBe(0)
    const lines = (await readFile(join(folder.path, 'all.jsonl'), 'utf8')).trim().split('\n')
    const line = lines.map((text) => JSON.parse(text)).find(({ username }) => username === ada)
    const again = { ...line, username: `again-${randomUUID()}` }
    expect((await run('import', folder.file('again.jsonl', jsonLines([again])))).code).toBe(0)
    expect(await attributesOf(again.username)).toEqual(values)
  })

  it('are refused with every reason', async () => {
    const line = {
      username: randomUUID(),
      attributes: [
        { name: 'plan', value: 'gold' },
        { name: 'unknown', value: 'x' },
        { name: 'seats', value: 'many' },
      ],
    }
    const file = folder.file('refused.jsonl', jsonLines([line]))
    expect((await run('import', file)).code).toBe(1)
    const [refusal] = await refusalsOf(file)
    expect(refusal?.errors.map(({ field }) => field)).toEqual([
      ...['attributes.0.value', 'attributes.1.name', 'attributes.2.value'],
    ])
  })
})
