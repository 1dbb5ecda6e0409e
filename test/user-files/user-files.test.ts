import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import type { Json } from '../support/client.ts'
import { allPages, costsSince, seedGroups, seedUsers } from '../support/directory.ts'
import { SoftwarePasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { sendsMail: false })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const newName = () => `made-${randomUUID()}`
const send = (body: object, bearer = admin.bearer) =>
  service.client('POST', '/api/2/users/import', { bearer, body })
const importLines = async (lines: readonly unknown[], others: object = {}): Promise<Json[]> => {
  const answer = await send({ lines, ...others })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.results
}
const outcomes = (results: readonly Json[]) => results.map(({ outcome }) => outcome)
const exportAll = async (query = ''): Promise<Json[]> =>
  (await allPages<Json>(service, `/api/2/users/export${query}`, admin.bearer)).flat()
const find = async (username: string): Promise<Json | undefined> =>
  (await service.client('GET', `/api/2/users?username=${username}`, { bearer: admin.bearer })).body[0]
const listEvents = async (query: string): Promise<Json[]> =>
  (await service.client('GET', `/api/2/auth/audit-events?${query}`, { bearer: admin.bearer })).body

describe('an import', () => {
  it('names a passkey without a name, and limits its transports', async () => {
    const username = newName()
    const lineOf = (transport: string) => {
      const passkey = new SoftwarePasskey()
      const transports = [transport]
      return {
        credential_id: passkey.id.toString('base64url'),
        public_key: passkey.publicKey.toString('base64url'),
        ...{ transports, name: ' ' },
      }
    }
    const results = await importLines([
      { username, passkeys: [lineOf('x'.repeat(32))] },
      { username: newName(), passkeys: [lineOf('x'.repeat(33))] },
    ])
    expect(results).toMatchObject([
      { outcome: 'imported' },
      { outcome: 'refused', errors: [{ field: 'passkeys.0.transports.0' }] },
    ])
    const { id } = (await find(username)) ?? {}
    const { body } = await service.client('GET', `/api/2/users/${id}/passkeys`, { bearer: admin.bearer })
    expect(body).toMatchObject([{ name: 'Passkey' }])
  })

  it('creates the user of each line, who signs in with the password of the old system', async () => {
    const group = `group-${randomUUID()}`
    await service.client('POST', '/api/2/groups', {
      bearer: admin.bearer,
      body: { name: group, permissions: [] },
    })
    const username = newName()
    const line = {
      username,
      full_name: 'Ada Lovelace',
      email: `${username}@example.com`,
      groups: [group],
      permissions: ['projects:view'],
      password_hash: await hashPassword('the old password', 4),
    }
    expect(await importLines([line, { username: newName() }])).toEqual([
      { line: 1, outcome: 'imported', errors: [] },
      { line: 2, outcome: 'imported', errors: [] },
    ])
    const found = await find(username)
    expect(found).toMatchObject({
      full_name: 'Ada Lovelace',
      permissions: ['projects:view'],
      email_verified: true,
      groups: [expect.any(Number)],
    })
    expect(await signIn(service, { user: found as never, password: 'the old password' })).toBeTruthy()
    expect(await listEvents(`event=users.imported&user=${found?.['id']}`)).toMatchObject([
      { actor: admin.user.id, user: found?.['id'] },
    ])
  })

  it('refuses invalid lines with their numbers, and imports the others', async () => {
    const good = newName()
    const results = await importLines(
      [
        { username: good },
        { username: good },
        { username: '' },
        'text',
        null,
        [],
        { username: newName(), x: 1 },
      ],
      { line_numbers: [2, 3, 5, 6, 7, 8, 9] },
    )
    expect(results).toEqual([
      { line: 2, outcome: 'imported', errors: [] },
      {
        line: 3,
        outcome: 'refused',
        errors: [{ field: 'username', message: 'is the same as on line 2' }, ...[]],
      },
      { line: 5, outcome: 'refused', errors: [{ field: 'username', message: 'must not be empty' }] },
      ...[6, 7, 8].map((line) => ({
        line,
        outcome: 'refused',
        errors: [{ field: 'line', message: 'must be an object with the fields of a user' }],
      })),
      { line: 9, outcome: 'refused', errors: [{ field: 'x', message: 'is not recognized' }] },
    ])
  })

  it('writes nothing in a dry run, and returns what other lines must not have', async () => {
    const [username, taken] = [newName(), newName()]
    const { user } = await addPerson(service, { username: taken })
    const lines = [{ username: username.toUpperCase() }, { username: user.username }]
    const results = await importLines(lines, { dry_run: true })
    expect(outcomes(results)).toEqual(['imported', 'refused'])
    expect(results[0]?.['names']).toMatchObject({ username })
    expect(results[1]?.['errors']).toEqual([{ field: 'username', message: 'is the name of another user' }])
    expect(await find(username)).toBeUndefined()
  })

  it('knows the lines of an earlier import, also in another order of fields', async () => {
    const username = newName()
    expect(outcomes(await importLines([{ username, full_name: 'Ada' }]))).toEqual(['imported'])
    expect(outcomes(await importLines([{ full_name: 'Ada', username }]))).toEqual(['known'])
    const [changed] = await importLines([{ username, full_name: 'Eve' }])
    expect(changed).toMatchObject({
      outcome: 'refused',
      errors: [
        { field: 'username', message: 'is the name of a user who was imported from a different line' },
      ],
    })
    expect((await find(username))?.['full_name']).toBe('Ada')
  })

  it('joins more groups than one transaction has room for, by name and by ID', async () => {
    await seedGroups(service, 60, 7000)
    const groups = Array.from({ length: 60 }, (_, at) =>
      at % 2 === 0 ? 7000 + at : `seeded-${String(at).padStart(7, '0')}`,
    )
    const username = newName()
    expect(outcomes(await importLines([{ username, groups }]))).toEqual(['imported'])
    expect((await find(username))?.['groups']).toHaveLength(60)
  })

  it('takes the most lines that a request can have', async () => {
    const lines = Array.from({ length: 50 }, () => ({ username: newName() }))
    expect(outcomes(await importLines(lines))).toEqual(lines.map(() => 'imported'))
    expect((await send({ lines: [...lines, {}] })).status).toBe(400)
    expect((await send({ lines: [] })).status).toBe(400)
  })

  it('needs one number for each line', async () => {
    const answer = await send({ lines: [{ username: newName() }], line_numbers: [] })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([
      { field: 'line_numbers', message: 'must have one number for each line' },
    ])
  })
})

describe('an export', () => {
  it('has lines that an import knows or accepts, without secrets', async () => {
    const username = newName()
    const { user } = await addPerson(service, {
      username,
      email: `${username}@example.com`,
      language: 'it',
      full_name: 'Ada',
      permissions: ['projects:view'],
    })
    const lines = await exportAll('?limit=10')
    const line = lines.find((one) => one['username'] === username)
    expect(line).toMatchObject({ full_name: 'Ada', permissions: ['projects:view'], page_language: 'it' })
    expect(JSON.stringify(lines)).not.toMatch(/password_hash|totp|\$2b\$/)
    await service.client('DELETE', `/api/2/users/${user.id}`, { bearer: admin.bearer })
    expect(outcomes(await importLines([line]))).toEqual(['imported'])
    expect((await exportAll()).find((one) => one['username'] === username)).toEqual(line)
  })

  it('leaves one audit event for each request', async () => {
    const before = await listEvents('event=users.exported')
    const pages = await allPages<Json>(service, '/api/2/users/export?limit=20', admin.bearer)
    expect(pages.length).toBeGreaterThan(2)
    const events = await listEvents('event=users.exported')
    expect(events).toHaveLength(before.length + pages.length)
    expect(events[0]).toMatchObject({ actor: admin.user.id, target: 'without_secrets' })
  })

  it('needs as many table calls for a page of many users as for one of few', async () => {
    const measure = async () => {
      const path = '/api/2/users/export?limit=20'
      await service.client('GET', path, { bearer: admin.bearer })
      const logStart = service.log.length
      expect((await service.client('GET', path, { bearer: admin.bearer })).body).toHaveLength(20)
      return costsSince(service, logStart)[0]?.calls
    }
    const few = await measure()
    await seedUsers(service, 600, 100_000)
    expect(await measure()).toBe(few)
  })
})
