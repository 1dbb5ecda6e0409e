import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isExported } from '../../../cli/table/run-export.ts'
import { partitions } from '../../../lib/kernel/table/keys/partitions.ts'
import { createTable } from '../../../local/dynamodb.ts'
import { enableSecondFactor } from '../../support/authenticator.ts'
import { clientOf } from '../../support/client.ts'
import { createExampleWorld } from '../../support/example-world.ts'
import { endServices, startService as startLocal } from '../../support/local-service.ts'
import { addSignedIn } from '../../support/people.ts'
import { readItems } from '../../support/table-copies.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, makeFolder, runTable } from '../command.ts'

const settings = { ALLOW_PRIVATE_METADATA: 'true' }

/* All that a service is, in a file, and another service that becomes equal to it. */

const service = await useService(settings, { sendsMail: false, hostname: 'localhost' })
const world = await createExampleWorld(service)
const owner = await addSignedIn(service)
const factor = await enableSecondFactor(service, owner)
const folder = makeFolder()
afterAll(async () => {
  await endServices()
  folder.remove()
  await world.upstream.close()
  await world.metadata.close()
})

type Environment = ReturnType<typeof environmentOf>

const pathOf = (name: string) => join(folder.path, name)
const readLines = (name: string) => readFileSync(pathOf(name), 'utf8').trimEnd().split('\n')
const exportAll = (name: string, table: string, env: Environment = environmentOf()) =>
  runTable(['export', name, '--with-secrets', '--table', table], env, folder.path)

expect(await exportAll('all.jsonl', service.tableName)).toMatchObject({ code: 0, stderr: '' })
const lines: readonly string[] = readLines('all.jsonl')
const importAll = (name: string, table: string, env: Environment, ...options: readonly string[]) =>
  runTable(['import', name, '--table', table, ...options], env, folder.path)
const addTable = async () => {
  const table = `imported-${randomUUID()}`
  await createTable(process.env['DYNAMODB_ENDPOINT'] ?? '', table)
  return { table, env: { ...environmentOf(), LOCAL_KEY_FILE: pathOf(`${table}.key`) } }
}

describe('an export of everything', () => {
  it('makes an empty service equal: its own export has the same lines', async () => {
    const { table, env } = await addTable()
    const dryRun = await importAll('all.jsonl', table, env, '--dry-run')
    expect(dryRun).toMatchObject({
      code: 0,
      stdout: `${lines.length - 1} items would be imported, 0 found.\n`,
    })
    expect(await readItems(table)).toEqual([])
    const done = await importAll('all.jsonl', table, env)
    expect(done).toMatchObject({ code: 0, stdout: `${lines.length - 1} items imported, 0 found.\n` })
    const again = await importAll('all.jsonl', table, env)
    expect(again).toMatchObject({ code: 0, stdout: `0 items imported, ${lines.length - 1} found.\n` })
    expect((await exportAll('again.jsonl', table, env)).code).toBe(0)
    expect(readLines('again.jsonl').slice(1).sort()).toEqual(lines.slice(1).sort())
  })

  it('lets people, machines and links go on elsewhere', async () => {
    const DATA_DIR = pathOf('moved')
    const done = await runTable(['import', 'all.jsonl'], { DATA_DIR }, folder.path)
    const newService = expect.stringContaining(`A new service was made in ${DATA_DIR}.`)
    expect(done).toMatchObject({ code: 0, stderr: newService })
    const moved = await startLocal({ DATA_DIR, PASSWORD_COST: '4' })
    const client = clientOf(moved.url)
    const { username } = owner.user
    const first = await client('POST', '/api/2/auth/login', { body: { username, password: owner.password } })
    expect(first.body.reason).toBe('otp_required')
    const otp = factor.authenticator.code(1)
    const body = { username, password: owner.password, otp }
    expect((await client('POST', '/api/2/auth/login', { body })).status).toBe(200)
    expect((await client('GET', '/api/2/users/me', { bearer: world.apiToken })).body.username).toBe('ada')
    // Sessions end, and no one gets a number twice.
    expect((await client('GET', '/api/2/users/me', { bearer: owner.bearer })).status).toBe(401)
    const { user, password } = world.admin
    const signedIn = await client('POST', '/api/2/auth/login', {
      body: { username: user.username, password },
    })
    const bearer = signedIn.body.session_key
    const made = await client('POST', '/api/2/users', {
      bearer,
      body: { username: 'new', permissions: [], groups: [] },
    })
    expect(made.body.id).toBeGreaterThan(owner.user.id)
    const link = await client('GET', `/api/2/auth/access-tokens/${world.link.id}`, { bearer })
    expect(link.body.full_url).toContain(world.link.token)
  })

  it('has no sessions, no signing keys and no audit events, and only its owner can read it', async () => {
    const text = lines.join('\n')
    for (const absent of ['session#', 'private-signing-key', 'audit#', 'rate#', 'ticket#', 'vault-canary'])
      expect(text).not.toContain(`"S":"${absent}`)
    expect(statSync(pathOf('all.jsonl')).mode & 0o777).toBe(0o600)
    const { body } = await service.client('GET', '/api/2/auth/audit-events?event=users.exported', {
      bearer: world.admin.bearer,
    })
    expect(body.length).toBeGreaterThan(0)
  })

  it('decides about each kind of item', () => {
    // A new kind has to be added to one of the two, and to what `docs/import-export.md` says.
    const kept = Object.entries(partitions).flatMap(([name, begin]) =>
      isExported({ pk: begin.endsWith('#') ? `${begin}1` : begin, sk: 'x' }) ? [name] : [],
    )
    expect(kept.sort()).toEqual(exportedKinds)
  })

  it('is refused without --with-secrets, onto a file, and into a service with other data', async () => {
    const refused = await runTable(
      ['export', 'x.jsonl', '--table', service.tableName],
      environmentOf(),
      folder.path,
    )
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--with-secrets') })
    expect(existsSync(pathOf('x.jsonl'))).toBe(false)
    expect(await exportAll('all.jsonl', service.tableName)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists'),
    })
    const { table, env } = await addTable()
    const other = JSON.stringify({
      Item: { pk: { S: 'email#ada@example.com' }, sk: { S: 'email' }, userId: { N: '99' } },
    })
    folder.file('other.jsonl', `${lines[0]}\n${other}\n`)
    expect((await importAll('other.jsonl', table, env)).code).toBe(0)
    expect(await importAll('all.jsonl', table, env)).toMatchObject({
      code: 2,
      stderr: 'The service has other data already. Import into a new one, before its first start.\n',
    })
  })

  it.each([
    ['an empty file', () => '', 'This is not a file that table export wrote.'],
    ['another file', () => '{"username":"ada"}', 'This is not a file that table export wrote.'],
    ['a later format', () => '{"format":"latchkey-table","version":2}', 'A later release wrote this file.'],
    [
      'a line that was cut',
      () => `${lines[0]}\n${lines[1]?.slice(0, 40)}`,
      'Line 2 is no item of an export.',
    ],
    ['a session', () => `${lines[0]}\n${toLine('user#1', 'session#x')}`, 'Line 2 is no item of an export.'],
    ['an unknown kind', () => `${lines[0]}\n${toLine('__proto__', 'x')}`, 'Line 2 is no item of an export.'],
  ])('is not imported from %s', async (_, content, sentence) => {
    const { table, env } = await addTable()
    folder.file('wrong.jsonl', content())
    const { code, stderr } = await importAll('wrong.jsonl', table, env)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) })
    expect(await readItems(table)).toEqual([])
  })
})

const toLine = (pk: string, sk: string) => JSON.stringify({ Item: { pk: { S: pk }, sk: { S: sk } } })

const exportedKinds: readonly string[] = [
  'accessLink',
  'accountDeletions',
  'activeUsers',
  'activity',
  'apiToken',
  'client',
  'clientCount',
  'clientDocument',
  'clientName',
  'companyAccount',
  'configuration',
  'connection',
  'connectionDomain',
  'counter',
  'dataKey',
  'delayedInvitations',
  'easySharing',
  'email',
  'emailClaims',
  'emailText',
  'emailTextHistory',
  'group',
  'groupMemberList',
  'groupName',
  'guest',
  'guestEmail',
  'invitedAddress',
  'logo',
  'organization',
  'organizationConnections',
  'organizationEndings',
  'organizationExternalId',
  'organizationInvitation',
  'organizationRights',
  'organizationSlug',
  'passkey',
  'protectedApi',
  'protectedApiAudience',
  'protectedApiCount',
  'protectedApiName',
  'samlEntity',
  'scim',
  'settings',
  'setup',
  'signInPage',
  'signUpRequests',
  'suppressed',
  'totals',
  'user',
  'userAttribute',
  'userTemplate',
  'userTemplateName',
  'username',
]
