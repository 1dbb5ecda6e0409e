import { randomUUID } from 'node:crypto'
import { hash } from 'bcryptjs'
import { afterAll, describe, expect, it } from 'vitest'
import { addSignedIn } from '../../support/people.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, jsonLines, linesOf, makeFolder, refusalsOf, runUsers, signInAs } from '../command.ts'
import { createMigration, exportOf } from './run-migration.ts'

const service = await useService()
const folder = makeFolder()
const migration = createMigration(service, folder)
afterAll(() => folder.remove())

const expectSignIn = async (username: string, password: string) => {
  expect((await signInAs(service, username, `${password}.`)).status).toBe(401)
  expect((await signInAs(service, username, password)).status).toBe(200)
}

describe('an export of Auth0', () => {
  const id = '5dea9f9c82dd7c0e76e4ec93'
  const ada = {
    ...{ user_id: `auth0|${id}`, email: 'a0-ada@example.com', email_verified: true, nickname: 'a0-ada' },
    ...{ name: 'a0-ada@example.com', identities: [{ user_id: id, provider: 'auth0' }] },
    app_metadata: { roles: ['admin'] },
  }
  const bo = { user_id: 'google-oauth2|11', email: 'a0-bo@example.com', blocked: true, name: 'Bo Chen' }

  it('is joined with the password hashes', async () => {
    const hashes = folder.file(
      'hashes.json',
      jsonLines([
        {
          ...{ _id: { $oid: id }, email: 'a0-ada@example.com', tenant: 'shop', _tmp_is_unique: true },
          passwordHash: await hash('correct horse auth0', 10),
        },
        { _id: { $oid: 'unknown' }, passwordHash: 'x' },
      ]),
    )
    const { code, stdout } = await migration.runOn(
      'auth0',
      `${jsonLines([ada, bo])}{"user_id": \n`,
      ...['--hashes', hashes, '--yes'],
    )
    expect(code).toBe(1)
    expect(stdout).toContain('2 users imported')
    for (const line of [
      'line is not valid JSON: 1 line',
      'attribute roles: 1 user',
      'hashes of users who are not in the file: 1 record',
    ])
      expect(stdout).toContain(`  ${line}\n`)
    await expectSignIn('a0-ada@example.com', 'correct horse auth0')
    expect(await migration.findUser('a0-ada@example.com')).toMatchObject({ full_name: null, permissions: [] })
    expect(await migration.findUser('a0-bo@example.com')).toMatchObject({
      ...{ full_name: 'Bo Chen', is_enabled: false, emailVerified: false },
    })
  })

  it('can be the file of the hashes alone', async () => {
    const record = {
      _id: { $oid: 'x' },
      passwordHash: await hash('correct horse', 4),
      identifiers: [{ type: 'email', value: 'a0-cy@example.com', verified: true }],
    }
    expect((await migration.runOn('auth0', jsonLines([record]), '--yes')).code).toBe(0)
    await expectSignIn('a0-cy@example.com', 'correct horse')
  })

  it('is refused with hashes that are none', async () => {
    const hashes = folder.file('no-hashes.json', jsonLines([{ email: 'a@example.com' }]))
    const { code, stderr } = await migration.runOn('auth0', jsonLines([ada]), '--hashes', hashes)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'Line 1 of no-hashes.json is not a user with a passwordHash.\n',
    })
  })
})

it('takes addresses, names and states from Cognito, which exports no passwords', async () => {
  const attributes = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([Name, Value]) => ({ Name, Value }))
  const sub = '1f6a8c3e-90d1-7087-5f2c-6d1f1a0a2f6b'
  const Users = [
    {
      ...{
        Username: sub,
        Enabled: true,
        UserStatus: 'CONFIRMED',
        UserCreateDate: '2026-01-31T12:00:00+00:00',
      },
      Attributes: attributes({
        ...{ sub, email: 'cog-ada@example.com', email_verified: 'true', 'custom:plan': 'gold' },
        ...{ given_name: 'Ada', family_name: 'Lovelace' },
      }),
    },
    {
      ...{ Username: 'Google_1', Enabled: false, UserStatus: 'EXTERNAL_PROVIDER' },
      Attributes: attributes({ sub: 'x', email: 'cog-bo@example.com', email_verified: 'false' }),
    },
    { Username: 'cog-cy', Enabled: true, UserStatus: 'CONFIRMED', Attributes: attributes({ sub: 'y' }) },
  ]
  const { code, stdout } = await migration.runOn('cognito', { Users }, '--yes')
  expect(code).toBe(0)
  expect(stdout).toContain('3 users without a password.\n')
  for (const line of [
    'password: 2 users',
    'attribute custom:plan: 1 user',
    'sign-in with another provider (the export does not name it): 1 user',
  ])
    expect(stdout).toContain(`  ${line}\n`)
  expect(await migration.findUser('cog-ada@example.com')).toMatchObject({ full_name: 'Ada Lovelace' })
  expect(await migration.findUser('cog-bo@example.com')).toMatchObject({
    is_enabled: false,
    emailVerified: false,
  })
  expect(await migration.findUser('cog-cy')).toMatchObject({ email: null })
})

it('lets Cognito check the passwords of its own users, if that is wanted', async () => {
  const Users = [
    ...['legacy-ada', 'legacy-bo'].map((Username) => ({ Username, UserStatus: 'CONFIRMED' })),
    { Username: 'legacy-google', UserStatus: 'EXTERNAL_PROVIDER' },
  ]
  const { code, stdout } = await migration.runOn('cognito', { Users }, '--legacy-passwords', '--yes')
  expect(code).toBe(0)
  expect(stdout).toContain('legacy-ada: no email address; password at the old system')
  expect(stdout).toContain('1 user without a password.\n')
  expect(stdout).not.toContain('password: ')
  for (const name of ['legacy-ada', 'legacy-bo'])
    expect(await migration.findUser(name)).toMatchObject({
      legacySignIn: { username: name, email: null },
      passwordHash: null,
    })
  expect(await migration.findUser('legacy-google')).not.toHaveProperty('legacySignIn')
})

describe('an export of Firebase', () => {
  // The vector that Firebase publishes for its scrypt.
  const users = [
    {
      ...{ localId: 'fb-1', email: 'fb-ada@example.com', emailVerified: true, displayName: 'Ada' },
      passwordHash:
        'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
      ...{ salt: '42xEC+ixf3L2lw==', createdAt: '1700000000000', customAttributes: '{"admin":true}' },
      providerUserInfo: [{ providerId: 'password' }, { providerId: 'google.com', rawId: '12' }],
    },
    {
      localId: 'fb-2',
      phoneNumber: '+4917012345',
      disabled: true,
      providerUserInfo: [{ providerId: 'phone' }],
    },
    { localId: 'fb-3', providerUserInfo: [] },
  ]
  const config = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}
`

  it('keeps passwords with the parameters of the project', async () => {
    const file = folder.file('hash-config.txt', config)
    const { code, stdout } = await migration.runOn('firebase', { users }, '--hash-config', file, '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('2 users imported')
    for (const line of ['attribute admin: 1 user', 'anonymous users: 1 record'])
      expect(stdout).toContain(`  ${line}\n`)
    expect(stdout).not.toContain('jxspr8Ki')
    await expectSignIn('fb-ada@example.com', 'user1password')
    expect(await migration.findUser('+4917012345')).toMatchObject({ is_enabled: false, permissions: [] })
  })

  it.each([
    [[], 'Pass --hash-config FILE'],
    [['--hash-config', '/dev/null'], 'null must have base64_signer_key'],
  ])('is refused without these parameters: %j', async (options, sentence) => {
    const { code, stdout, stderr } = await migration.runOn('firebase', { users }, ...options)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })
})

it('keeps the passwords of Better Auth', async () => {
  // The rows that Better Auth 1.7 stored in memory, with its plugins for usernames, bans and second factors.
  const report = ['--report', `${folder.path}/better-auth`]
  const { code, stdout } = await migration.run(
    'from-better-auth',
    exportOf('better-auth.json'),
    '--yes',
    ...report,
  )
  expect(code).toBe(0)
  expect(stdout).toContain('5 users imported')
  for (const line of ['role: 5 users', 'banReason: 1 user', 'rows of twoFactor: 1 record'])
    expect(stdout).toContain(`  ${line}\n`)
  await expectSignIn('Better_Named', 'correct horse better auth')
  expect(await migration.findUser('better_named')).toMatchObject({ username: 'Better_Named' })
  expect(await migration.findUser('better-plain@example.com')).toMatchObject({ emailVerified: false })
  expect(await migration.findUser('better-admin@example.com')).toMatchObject({ permissions: [] })
  expect(await migration.findUser('better-banned@example.com')).toMatchObject({ is_enabled: false })
})

describe('an export that is not whole, or has another form', () => {
  const file = (name: string, content: string | Buffer) => folder.file(name, content)
  const Users = [{ Username: 'page-one', Attributes: [] }]

  it.each([
    ['cognito', { Users, PaginationToken: 'next' }],
    ['cognito', { Users, NextToken: 'next' }],
    ['firebase', { users: [], nextPageToken: 'next' }],
  ])('is refused as the first page of %s', async (source, document) => {
    const { code, stdout, stderr } = await migration.runOn(source, document, '--yes')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('This is the first page of the list, so users are missing.')
    expect(stderr).not.toContain('next')
    expect(await migration.findUser('page-one')).toBeUndefined()
  })

  it.each([
    [
      'an array',
      'users.json',
      ' \n[{"user_id":"a"}]',
      'is a JSON array, and must have one object on each line',
    ],
    ['a packed file', 'users.json.gz', 'x', 'is compressed. Unpack it'],
    [
      'a packed file without its name',
      'gz.json',
      Buffer.from([0x1f, 0x8b, 8, 0]),
      'is compressed. Unpack it',
    ],
    ['an archive', 'zip.json', 'PK\u0003\u0004', 'is compressed. Unpack it'],
  ])('is refused for Auth0 as %s, with what to do', async (_, name, content, sentence) => {
    const { code, stdout, stderr } = await migration.run('from-auth0', file(name, content), '--yes')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`${name} ${sentence}`)
  })

  it('is refused as CSV with semicolons, which are named', async () => {
    const { code, stderr } = await migration.runOn('csv', 'username;email\nada;a@b.c\n', '--yes')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('semicolons in place of') })
  })
})

describe('a CSV file', () => {
  const rows =
    'Login;no,Mail,permissions,plan\ncsv-ada,csv-ada@example.com,system:admin-access,gold\ncsv-bo,,,\n"x'

  it('is read with the fields of its columns, and gives permissions only if they are named', async () => {
    const map = ['--map', 'Login;no=username,Mail=email']
    const { code, stdout, stderr } = await migration.runOn('csv', rows, '--yes', ...map)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Line 4 opens a quote')
    const done = await migration.runOn('csv', rows.slice(0, -2), '--yes', ...map)
    expect(done.code).toBe(0)
    for (const line of ['permissions: 1 user', 'plan: 1 user']) expect(done.stdout).toContain(`  ${line}\n`)
    expect(await migration.findUser('csv-ada')).toMatchObject({ permissions: [], emailVerified: false })
    const named = rows.slice(0, -2).replaceAll('csv-', 'csv2-')
    await migration.runOn(
      'csv',
      named,
      '--yes',
      '--trust-emails',
      '--map',
      `${map[1]},permissions=permissions`,
    )
    expect(await migration.findUser('csv2-ada')).toMatchObject({ permissions: ['system:admin-access'] })
  })

  it.each([
    [[], 'No column has the username. Name it with --map COLUMN=username.'],
    [['--map', 'Name=username'], 'The first line has no column "Name". Correct --map.'],
    [['--map', 'Mail=mail'], '--map needs COLUMN=FIELD, and "mail" is no field.'],
    [['--map', 'Mail=username,plan=username'], 'The first line has duplicate columns: "username".'],
  ])('is refused with wrong columns: %j', async (options, sentence) => {
    const { code, stderr } = await migration.runOn('csv', rows, ...options)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) })
  })

  it('is reported with the lines that cannot be read', async () => {
    const { code, file } = await migration.runOn('csv', 'username\ncsv-cy,x\ncsv-dy\n')
    expect(code).toBe(1)
    expect((await refusalsOf(file)).map(({ line }) => line)).toEqual([2])
  })
})

describe('the time when people registered', () => {
  const cognito = (UserCreateDate: unknown) => ({ Users: [{ Username: 'since', UserCreateDate }] })
  const time = '2021-03-04T05:06:07.000Z'
  it.each([
    ['auth0', (at: unknown) => jsonLines([{ user_id: 'auth0|since', created_at: at }]), time],
    ['cognito', cognito, '2021-03-04T06:06:07.000000+01:00'],
    ['cognito', cognito, 1_614_834_367],
    [
      'firebase',
      (createdAt: unknown) => ({ users: [{ localId: 's', email: 's@example.com', createdAt }] }),
      '1614834367000',
    ],
    [
      'better-auth',
      (at: unknown) => ({ user: [{ id: 's', username: 'since', createdAt: at }], account: [] }),
      time,
    ],
    [
      'keycloak',
      (at: unknown) => ({ users: [{ id: 's', username: 'since', createdTimestamp: at }] }),
      1_614_834_367_000,
    ],
    [
      'django',
      (at: unknown) => [{ model: 'auth.user', pk: 1, fields: { username: 'since', date_joined: at } }],
      '2021-03-04T05:06:07Z',
    ],
    ['csv', (at: unknown) => `username,created_at\nsince,${at}\n`, time],
  ] as const)('is kept from %s', async (source, build, at) => {
    const own = `${source}-${randomUUID().slice(0, 8)}`
    const text = JSON.stringify(build(at))
    const content = JSON.parse(text.replaceAll('since', own).replaceAll('s@', `${own}@`))
    const { code, stdout } = await migration.runOn(source, content, '--yes', '--source', own)
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('1 user imported') })
    const name = source === 'auth0' ? `auth0|${own}` : source === 'firebase' ? `${own}@example.com` : own
    expect((await migration.findUser(name))?.registeredAt).toBe(Date.parse(time))
  })

  it('is shown to those who manage users and part of an export, and neither a wish nor a prophecy', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const show = async (username: string) =>
      (await service.client('GET', `/api/2/users?username=${username}`, { bearer: admin.bearer })).body[0]
    const file =
      'username,created_at\nlong-here,2019-01-02T03:04:05Z\nto-come,2999-01-01T00:00:00Z\nno-time,soon\n'
    const { code, file: path } = await migration.runOn('csv', file, '--yes', '--source', 'times')
    expect(code).toBe(1)
    expect(await refusalsOf(path)).toMatchObject([
      { line: 3, errors: [{ field: 'created_at', message: 'must not be in the future' }] },
      { line: 4, errors: [{ field: 'created_at' }] },
    ])
    const shown = await show('long-here')
    expect(shown.created_at).toBe('2019-01-02T03:04:05.000Z')
    const body = { created_at: '2001-01-01T00:00:00.000Z' }
    await service.client('PATCH', `/api/2/users/${shown.id}`, { bearer: admin.bearer, body })
    expect((await show('long-here')).created_at).toBe(shown.created_at)
    const { stdout } = await runUsers(['export', '--table', service.tableName], environmentOf())
    const lines = linesOf(stdout)
    expect(lines).toContainEqual(
      expect.objectContaining({ username: 'long-here', created_at: shown.created_at }),
    )
    const own = await show(admin.user.username)
    expect(Date.now() - Date.parse(own.created_at)).toBeLessThan(3_600_000)
    expect(
      (await service.client('GET', '/api/2/users/me', { bearer: admin.bearer })).body,
    ).not.toHaveProperty('created_at')
  })
})
