import { createHash, pbkdf2Sync, randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { afterAll, describe, expect, it } from 'vitest'
import { groupKind } from '../../lib/accounts/groups/groups.records.ts'
import { findUser, findUserIdByUsername } from '../../lib/accounts/users/find-users.records.ts'
import { newGroup } from '../../lib/features/directory/field-names.models.prebuilt.ts'
import { createUniqueNameRecord } from '../../lib/kernel/table/unique-name-records.ts'
import { noClientFields } from '../../lib/published-clients/stored-fields.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { addPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { environmentOf, jsonLines, makeFolder, refusalsOf, runUsers, signInAs } from './command.ts'

const service = await useService()
const folder = makeFolder()
afterAll(() => folder.remove())

const unique = (name: string): string => `${name}-${randomUUID()}`
const importFile = (file: string, ...options: readonly string[]) =>
  runUsers(['import', file, '--table', service.tableName, ...options], environmentOf())
const storedUser = async (username: string) => {
  const id = await findUserIdByUsername(service.services.table, username.toLowerCase())
  return id === undefined ? undefined : findUser(service.services.table, id)
}
const djangoHash = async (password: string): Promise<string> =>
  `bcrypt_sha256$${await hash(createHash('sha256').update(password).digest('hex'), 4)}`

describe('a line of an import', () => {
  it('is refused if its name looks like that of another line or another user', async () => {
    const tail = randomUUID().replaceAll(/[01]/g, '7')
    const first = folder.file(
      'first.jsonl',
      jsonLines([{ username: `maria${tail}` }, { username: `rnaria${tail}` }]),
    )
    expect((await importFile(first)).code).toBe(1)
    expect(await refusalsOf(first)).toMatchObject([
      { line: 2, errors: [{ field: 'username', message: 'looks like the name on line 1' }] },
    ])
    for (const options of [['--dry-run'], []]) {
      const second = folder.file('second.jsonl', jsonLines([{ username: `rnaria${tail}` }]))
      expect((await importFile(second, ...options)).code).toBe(1)
      expect(await refusalsOf(second)).toMatchObject([
        { line: 1, errors: [{ field: 'username', message: 'looks like the name of another user' }] },
      ])
    }
    // The names of an earlier run are known.
    expect((await importFile(first)).stdout).toContain('1 user had been imported before')
  })

  it('is refused if its start page is a script, its name is blank, or its hash takes seconds to check', async () => {
    const password_hash = `$2b$15$${'.'.repeat(53)}`
    const line = {
      username: unique('eve'),
      default_page: 'javascript:alert(1)',
      full_name: '\u3164',
      password_hash,
    }
    const file = folder.file('hostile.jsonl', jsonLines([line]))
    expect((await importFile(file)).code).toBe(1)
    expect((await refusalsOf(file))[0]?.errors.map(({ field }) => field).sort()).toEqual([
      'default_page',
      'full_name',
      'password_hash',
    ])
  })
})

describe('a password that the old system checks', () => {
  it('is a mark of users without a hash, also in CSV', async () => {
    const names = [unique('leo'), unique('lea'), unique('lou'), unique('lia')]
    const [leo, lea, lou, lia] = names
    const file = folder.file(
      'legacy.jsonl',
      jsonLines([
        { username: leo, password_check: 'legacy' },
        { username: lea, password_check: 'legacy', password_hash: await hash('a password', 4) },
        { username: lou, password_check: 'other' },
        { username: lia, password_check: null },
      ]),
    )
    expect((await importFile(file)).code).toBe(1)
    const refused = { field: 'password_check' }
    expect(await refusalsOf(file)).toMatchObject([
      { line: 2, errors: [{ ...refused, message: 'must be left out if there is a password_hash' }] },
      { line: 3, errors: [{ ...refused, message: 'must be one of "legacy"' }] },
    ])
    expect(await storedUser(leo ?? '')).toMatchObject({
      legacySignIn: { username: leo, email: null },
      passwordHash: null,
    })
    expect(await storedUser(lia ?? '')).not.toHaveProperty('legacySignIn')
    const [first, second] = [unique('lis'), unique('lin')]
    const csv = folder.file('legacy.csv', `username,password_check\n${first},legacy\n${second},\n`)
    expect((await importFile(csv)).code).toBe(0)
    expect(await storedUser(first)).toMatchObject({ legacySignIn: { username: first } })
    expect(await storedUser(second)).not.toHaveProperty('legacySignIn')
  })
})

describe('an imported user', () => {
  it('has all fields of the line and an audit event', async () => {
    const username = unique('Ada')
    const file = folder.file(
      'ada.jsonl',
      jsonLines([
        {
          username,
          email: `${username}@Example.com`,
          full_name: 'Ada Lovelace',
          permissions: ['users:view', 'media:access'],
          is_enabled: true,
          expiry: '2031-05-06T09:08:09+02:00',
          language: 'de',
          fm_bookmarks: ['/a'],
          gid: -5,
          ldap: { nested: [1] },
        },
      ]),
    )
    expect(await importFile(file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 user imported in [\d.]+ s \(/),
    })
    const user = await storedUser(username)
    expect(user).toMatchObject({
      username,
      email: `${username}@Example.com`,
      full_name: 'Ada Lovelace',
      permissions: ['media:access', 'users:view'],
      is_enabled: true,
      expiresAt: Date.parse('2031-05-06T07:08:09Z'),
      language: 'de',
      passwordHash: null,
      totp: null,
      attributes: JSON.stringify({ fm_bookmarks: ['/a'], gid: -5, ldap: { nested: [1] } }),
    })
    const records = await service.services.table.page({
      pk: `audit#${user?.id}`,
      index: 'listing',
      limit: 10,
    })
    const [record] = await service.services.table.getMany(records)
    expect(record).toMatchObject({
      event: 'users.imported',
      user: user?.id,
      actor: null,
      outcome: 'succeeded',
    })
    expect(existsSync(`${file}.refused.jsonl`)).toBe(false)
  })

  it.each([
    ['a bcrypt hash of Django', djangoHash],
    ['a bcrypt hash of PHP', async (password: string) => (await hash(password, 4)).replace('$2b$', '$2y$')],
    [
      'a hash of Django',
      async (password: string) =>
        `pbkdf2_sha256$100000$salt$${pbkdf2Sync(password, 'salt', 100_000, 32, 'sha256').toString('base64')}`,
      /^pbkdf2-sha256\$i=100000,l=32\$c2FsdA\$/,
    ],
    [
      'a salted digest of LDAP',
      async (password: string) =>
        `{SSHA}${Buffer.concat([createHash('sha1').update(`${password}salt`).digest(), Buffer.from('salt')]).toString('base64')}`,
      /^wrapped\$ssha\$l=20\$c2FsdA\$\$2b\$10\$/,
    ],
  ])('signs in with %s, which is then replaced', async (_, hashOf, stored = undefined) => {
    const [username, password] = [unique('eva'), `a password ${randomUUID()}`]
    const passwordHash = await hashOf(password)
    const file = folder.file('eva.jsonl', jsonLines([{ username, password_hash: passwordHash }]))
    expect((await importFile(file)).code).toBe(0)
    expect((await signInAs(service, username, `${password}.`)).status).toBe(401)
    const { passwordHash: kept } = (await storedUser(username)) ?? {}
    if (stored) expect(kept).toMatch(stored)
    else expect(kept).toBe(passwordHash)
    expect((await signInAs(service, username, password)).status).toBe(200)
    expect((await storedUser(username))?.passwordHash).toMatch(/^bcrypt_sha384\$\$2b\$04\$/)
    expect((await signInAs(service, username, password)).status).toBe(200)
  })

  it('signs in with the imported authenticator', async () => {
    const [username, password] = [unique('otto'), `a password ${randomUUID()}`]
    const authenticator = newAuthenticator()
    const seed = authenticator.key.toLowerCase().replaceAll(/(.{4})/g, '$1 ')
    const file = folder.file(
      'otto.jsonl',
      jsonLines([{ username, password_hash: await djangoHash(password), totp_seed: seed }]),
    )
    expect((await importFile(file)).code).toBe(0)
    expect((await signInAs(service, username, password)).body.reason).toBe('otp_required')
    expect((await signInAs(service, username, password, '000000')).status).toBe(403)
    const answer = await signInAs(service, username, password, authenticator.code())
    expect(answer.body.user).toMatchObject({ username, totp_enabled: true })
    expect(JSON.stringify(await storedUser(username))).not.toContain(authenticator.key)
  })

  it('is a member of the groups of the line, given by name or ID', async () => {
    const names = [unique('Editors'), unique('Viewers')]
    const groups = await Promise.all(
      names.map((name) =>
        createUniqueNameRecord(
          service.services.table,
          groupKind,
          {
            ...newGroup,
            name,
            normalizedName: name.toLowerCase(),
            permissions: ['media:access'],
            clientFields: noClientFields,
          },
          () => [],
        ),
      ),
    )
    const username = unique('gus')
    const file = folder.file(
      'gus.jsonl',
      jsonLines([{ username, groups: [names[0]?.toUpperCase(), groups[1]?.id] }]),
    )
    expect((await importFile(file)).code).toBe(0)
    expect((await storedUser(username))?.groups).toEqual(groups.map(({ id }) => id))
  })
})

describe('invalid lines', () => {
  it('are reported with all reasons, and valid lines are imported', async () => {
    const taken = await addPerson(service, { email: `${randomUUID()}@example.com` })
    const [good, last] = [unique('good'), unique('last')]
    const secrets = ['$2b$99$not-a-hash-but-someone-thought-so', 'not base32 at all']
    const file = folder.file(
      'mixed.jsonl',
      [
        JSON.stringify({ username: good, email: `${good}@example.com` }),
        JSON.stringify({
          username: taken.user.username.toUpperCase(),
          email: taken.user.email,
          permissions: ['Users'],
          groups: ['no such group', 77_000],
          is_enabled: 'yes',
          password_hash: secrets[0],
          totp_seed: secrets[1],
          pasword_hash: 'misspelt',
        }),
        '{"username": "cut off',
        '',
        '   ',
        '["a list"]',
        JSON.stringify({ username: ' ' }),
        JSON.stringify({ email: 'none@example.com' }),
        `{"username": "half of a \\ud800 pair"}`,
        '{"username": "proto", "__proto__": {"permissions": ["system:admin-access"]}}',
        JSON.stringify({ username: 'rejected\u0000', email: 'a@example.com, b@example.com' }),
        JSON.stringify({ username: 'x'.repeat(256), full_name: 'x'.repeat(256) }),
        JSON.stringify({ username: last }),
      ].join('\n'),
    )
    const ended = await importFile(file)
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.stdout).toMatch(/^2 users imported in .*\n9 lines refused. See the reasons in\n {2}\S+\n$/)
    const refusals = await refusalsOf(file)
    expect(refusals.map(({ line }) => line)).toEqual([2, 3, 6, 7, 8, 9, 10, 11, 12])
    const fields = refusals.map(({ errors }) => errors.map(({ field }) => field).sort())
    expect(fields).toEqual([
      [
        'email',
        'groups',
        'groups.0',
        'is_enabled',
        'password_hash',
        'pasword_hash',
        'permissions.0',
        'totp_seed',
        'username',
      ],
      ['line'],
      ['line'],
      ['username'],
      ['username'],
      ['username'],
      ['__proto__'],
      ['email', 'username'],
      ['full_name', 'username'],
    ])
    const report = await readFile(`${file}.refused.jsonl`, 'utf8')
    for (const secret of [...secrets, 'misspelt', 'cut off']) expect(report).not.toContain(secret)
    expect(statSync(`${file}.refused.jsonl`).mode & 0o777).toBe(0o600)
    for (const username of [good, last]) expect((await storedUser(username))?.username).toBe(username)
    for (const username of ['proto', 'rejected']) expect(await storedUser(username)).toBeUndefined()
  })

  it('include those that repeat a username or email address, in any case', async () => {
    const name = unique('same')
    const file = folder.file(
      'same.jsonl',
      jsonLines([
        { username: name, email: `${name}@example.com` },
        { username: name.toUpperCase() },
        { username: name.replace('same', 'ｓａｍｅ') },
        { username: `${name}-2`, email: `${name}@EXAMPLE.com` },
        { username: `${name}-3`, email: 'wrong' },
        { username: `${name}-3` },
        { username: name, email: `${name}@example.com` },
      ]),
    )
    const ended = await importFile(file)
    expect(ended.stdout).toMatch(/^2 users imported/)
    expect(await refusalsOf(file)).toEqual([
      { line: 2, errors: [{ field: 'username', message: 'is the same as on line 1' }] },
      { line: 3, errors: [{ field: 'username', message: 'is the same as on line 1' }] },
      { line: 4, errors: [{ field: 'email', message: 'is the same as on line 1' }] },
      { line: 5, errors: [{ field: 'email', message: expect.stringContaining('must be one email') }] },
      {
        line: 7,
        errors: [
          { field: 'username', message: 'is the same as on line 1' },
          { field: 'email', message: 'is the same as on line 1' },
        ],
      },
    ])
  })

  it('include very long lines and lines that are not UTF-8', async () => {
    const [first, last] = [unique('first'), unique('last')]
    const file = folder.file(
      'huge.ndjson',
      Buffer.concat([
        Buffer.from(`\u{feff}{"username":"${first}"}\r\n`),
        Buffer.from(`{"username":"${'x'.repeat(3_000_000)}"}\n`),
        Buffer.from('{"username":"caf\xe9"}\n', 'latin1'),
        Buffer.from(`{"username":"${last}","full_name":"${'x'.repeat(200)}"}`),
      ]),
    )
    const ended = await importFile(file)
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/^2 users imported/) })
    expect(await refusalsOf(file)).toEqual([
      { line: 2, errors: [{ field: 'line', message: 'is longer than 65536 bytes' }] },
      { line: 3, errors: [{ field: 'line', message: 'is not valid UTF-8' }] },
    ])
    expect(await storedUser(first)).toBeDefined()
    expect(await storedUser(last)).toBeDefined()
  })

  it('are listed in the file of --report, which replaces an earlier report', async () => {
    const report = folder.file('report.jsonl', 'from an earlier run\n'.repeat(100))
    const file = folder.file('bad.jsonl', jsonLines([{ username: '' }]))
    expect((await importFile(file, '--report', report)).code).toBe(1)
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ line: 1 })
    const good = folder.file('good.jsonl', jsonLines([{ username: unique('good') }]))
    expect((await importFile(good, '--report', report)).code).toBe(0)
    expect(existsSync(report)).toBe(false)
  })
})

describe('a dry run', () => {
  it('reports what an import would refuse and writes nothing', async () => {
    const taken = await addPerson(service)
    const name = unique('dry')
    const file = folder.file(
      'dry.jsonl',
      jsonLines([
        { username: name },
        { username: taken.user.username },
        { username: name.toUpperCase() },
        { username: `${name}-2` },
      ]),
    )
    const before = await service.services.table.get({ pk: 'counter#user', sk: 'counter' })
    const ended = await importFile(file, '--dry-run')
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.stdout).toMatch(/^2 users could be imported; nothing was written\.\n2 lines refused/)
    expect(await refusalsOf(file)).toEqual([
      { line: 2, errors: [{ field: 'username', message: 'is the name of another user' }] },
      { line: 3, errors: [{ field: 'username', message: 'is the same as on line 1' }] },
    ])
    expect(await storedUser(name)).toBeUndefined()
    expect(await service.services.table.get({ pk: 'counter#user', sk: 'counter' })).toEqual(before)
    expect((await importFile(file)).stdout).toMatch(/^2 users imported/)
  })
})

it('imports no users from an empty file', async () => {
  const file = folder.file('empty.jsonl', '')
  expect(await importFile(file)).toMatchObject({ code: 0, stdout: '0 users imported.\n' })
  expect(existsSync(join(folder.path, 'empty.jsonl.refused.jsonl'))).toBe(false)
})
