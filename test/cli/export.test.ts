import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { groupKind } from '../../lib/accounts/groups/groups.records.ts'
import { normalizeUsername } from '../../lib/accounts/names/names.ts'
import { newGroup } from '../../lib/features/directory/field-names.models.prebuilt.ts'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { createUniqueNameRecord } from '../../lib/kernel/table/unique-name-records.ts'
import { noClientFields } from '../../lib/published-clients/stored-fields.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { createTable } from '../../local/dynamodb.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor, newAuthenticator } from '../support/authenticator.ts'
import { startKms } from '../support/kms.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { environmentOf, jsonLines, linesOf, makeFolder, runUsers, signInAs, startUsers } from './command.ts'

const service = await useService()
const folder = makeFolder()
const plain = await addPerson(service, {
  email: `${randomUUID()}@example.com`,
  full_name: 'Grace Hopper',
  permissions: ['users:view'],
  is_enabled: false,
  expiresAt: Date.parse('2031-05-06T07:08:09.123Z'),
  attributes: JSON.stringify({ fm_bookmarks: ['/a', '/b'] }),
  language: 'nb',
})
const person = await addSignedIn(service)
const guarded: Person = person
const factor = await enableSecondFactor(service, person)
afterAll(() => folder.remove())

const exportUsers = (...args: readonly string[]) =>
  runUsers(['export', ...args, '--table', service.tableName], environmentOf(), folder.path)
const lineOf = (lines: readonly unknown[], { user }: Person) =>
  lines.find((line) => (line as { username: string }).username === user.username)

describe('an export', () => {
  it('writes every user, without secrets', async () => {
    const { code, stdout, stderr } = await exportUsers()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 users exported.\n' })
    expect(lineOf(linesOf(stdout), plain)).toMatchObject({
      username: plain.user.username,
      email: plain.user.email,
      full_name: 'Grace Hopper',
      groups: [],
      permissions: ['users:view'],
      is_enabled: false,
      expiry: '2031-05-06T07:08:09.123Z',
      fm_bookmarks: ['/a', '/b'],
      language: 'nb',
    })
    for (const secret of ['password_hash', 'totp', '$2b$', factor.authenticator.key])
      expect(stdout).not.toContain(secret)
  })

  it('has secrets on request, in a private file, with an audit event', async () => {
    const { code, stdout } = await exportUsers('secrets.jsonl', '--with-secrets')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    const file = join(folder.path, 'secrets.jsonl')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const lines = linesOf(await readFile(file, 'utf8'))
    expect(lineOf(lines, plain)).toMatchObject({ password_hash: plain.user.passwordHash, totp_seed: null })
    expect(lineOf(lines, guarded)).toMatchObject({ totp_seed: factor.authenticator.key })
    const records = await readAuditItems(service.services.table)
    expect(records.filter(({ event }) => event === 'users.exported')).toHaveLength(1)
  })

  it('never replaces a file and leaves no incomplete file', async () => {
    const there = folder.file('there.jsonl', 'kept')
    expect(await exportUsers(there)).toMatchObject({ code: 2, stdout: '' })
    expect(await readFile(there, 'utf8')).toBe('kept')
    const nowhere = await exportUsers('no/such/folder/users.jsonl')
    expect(nowhere).toMatchObject({ code: 2, stdout: '' })
    expect(nowhere.stderr).toMatch(/users\.jsonl cannot be written \(ENOENT\)\.\n$/)
    const keyless = await runUsers(
      ['export', 'keyless.jsonl', '--with-secrets', '--table', service.tableName],
      { ...environmentOf(), LOCAL_KEY_FILE: folder.file('other.key', `${'0'.repeat(64)}\n`) },
      folder.path,
    )
    expect(keyless.code).toBe(2)
    expect(existsSync(join(folder.path, 'keyless.jsonl'))).toBe(false)
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('fails silently when its output is closed', async () => {
    const run = startUsers(['export', '--table', service.tableName], environmentOf())
    const errors = text(run.process.stderr)
    const closed = once(run.process, 'close')
    run.process.stdout.destroy()
    run.ended.catch(() => {})
    expect((await closed)[0]).toBe(2)
    expect(await errors).toBe('')
  })
})

it('moves all users to another table, where they sign in as before', async () => {
  const group = `Group-${randomUUID()}`
  const source = await anotherTable()
  for (const { table } of [service.services, source]) await addGroup(table, group)
  const authenticator = newAuthenticator()
  const [name, password] = [`mover-${randomUUID()}`, 'a password that moves along']
  const passwordHash = await hashPassword(password, 4)
  const lines = [
    { username: `${name}-1`, email: `${name}@example.com`, groups: [group], password_hash: passwordHash },
    { username: `${name}-2`, password_hash: passwordHash, totp_seed: authenticator.key },
    { username: `${name}-3`, password_hash: passwordHash, is_enabled: false },
    { username: `${name}-4`, password_hash: passwordHash, expiry: '2020-01-01T00:00:00.000Z' },
    { username: `${name}-6`, password_check: 'legacy' },
    { username: `${name}-5`, full_name: 'Without a password', ldap: { a: [null] }, gid: 7 },
  ]
  const at = (table: string, ...args: readonly string[]) =>
    runUsers([...args, '--table', table], environmentOf(), folder.path)
  expect((await at(source.config.tableName, 'import', folder.file('in.jsonl', jsonLines(lines)))).code).toBe(
    0,
  )
  expect((await at(source.config.tableName, 'export', 'out.jsonl', '--with-secrets')).code).toBe(0)
  expect(await at(service.tableName, 'import', 'out.jsonl')).toMatchObject({ code: 0, stderr: '' })

  const answer = await signInAs(service, `${name}-1`, password)
  expect(answer.body.user).toMatchObject({ email: `${name}@example.com`, groups: [expect.any(Number)] })
  expect((await signInAs(service, `${name}-2`, password)).body.reason).toBe('otp_required')
  expect((await signInAs(service, `${name}-2`, password, authenticator.code())).status).toBe(200)
  for (const kept of ['3', '4'])
    expect((await signInAs(service, `${name}-${kept}`, password)).body.reason).toBe('account_disabled')
  const fromHere = linesOf((await exportUsers()).stdout)
  const fromThere = linesOf((await at(source.config.tableName, 'export')).stdout)
  expect(fromThere).toHaveLength(6)
  expect(fromThere).toContainEqual(
    expect.objectContaining({ username: `${name}-6`, password_check: 'legacy' }),
  )
  expect(fromHere).toEqual(expect.arrayContaining([...fromThere]))
})

it('encrypts authenticator keys with KMS for a deployed table', async () => {
  const kms = await startKms()
  const { config, table } = await anotherTable()
  const { LOCAL_KEY_FILE: _, ...env } = environmentOf()
  const at = (args: readonly string[], more: Readonly<Record<string, string>>) =>
    runUsers([...args, '--table', config.tableName], { ...env, ...more }, folder.path)
  const file = folder.file('kms.jsonl', jsonLines([{ username: 'kim', totp_seed: 'JBSWY3DPEHPK3PXP' }]))
  const without = await at(['import', file], {})
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('Set KMS_KEY_ID') })
  expect(without.stderr.trimEnd().split('\n')).toHaveLength(1)

  const withKms = { KMS_KEY_ID: 'a-key', AWS_ENDPOINT_URL_KMS: kms.url }
  expect((await at(['import', file], withKms)).code).toBe(0)
  const [user] = await table.getMany(await table.page({ pk: 'user', index: 'listing', limit: 1 }))
  expect(user?.['totp']).toMatchObject({ encryptedKey: expect.stringMatching(/^kms\./) })
  expect(linesOf((await at(['export', '--with-secrets'], withKms)).stdout)).toMatchObject([
    { username: 'kim', totp_seed: 'JBSWY3DPEHPK3PXP' },
  ])
  // The SDK repeats a call whose answer is late, as on a busy machine.
  expect([...new Set(kms.calls.map(([operation]) => operation))]).toEqual(['Encrypt', 'Decrypt'])
  await kms.close()
})

const anotherTable = async (): Promise<Services> => {
  const { DYNAMODB_ENDPOINT = '' } = process.env
  const tableName = `latchkey-${randomUUID()}`
  await createTable(DYNAMODB_ENDPOINT, tableName)
  return createServices({ ...process.env, TABLE_NAME: tableName })
}

const addGroup = (table: Table, name: string) =>
  createUniqueNameRecord(
    table,
    groupKind,
    {
      ...newGroup,
      name,
      normalizedName: normalizeUsername(name),
      permissions: ['media:access'],
      clientFields: noClientFields,
    },
    () => [],
  )
