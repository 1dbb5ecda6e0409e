import { pbkdf2Sync } from 'node:crypto'
import { Secret } from 'otpauth'
import { afterAll, expect, it } from 'vitest'
import { findGroups } from '../../../lib/accounts/groups/groups.records.ts'
import { authenticatorOf } from '../../support/authenticator.ts'
import { addSignedIn } from '../../support/people.ts'
import { useService } from '../../support/use-service.ts'
import { makeFolder, refusalsOf, signInAs } from '../command.ts'
import { createMigration } from './run-migration.ts'

const service = await useService()
const folder = makeFolder()
const migration = createMigration(service, folder)
afterAll(() => folder.remove())

const phrase = 'correct horse keycloak'
const salt = Buffer.from('0123456789abcdef')
const password = {
  id: '3d6c2b43-5ad4-4ae4-a4d5-6a2a5b1f5a11',
  type: 'password',
  userLabel: 'My password',
  createdDate: 1_700_000_000_000,
  secretData: JSON.stringify({
    value: pbkdf2Sync(phrase, salt, 210_000, 64, 'sha512').toString('base64'),
    salt: salt.toString('base64'),
    additionalParameters: {},
  }),
  credentialData: JSON.stringify({
    hashIterations: 210_000,
    algorithm: 'pbkdf2-sha512',
    additionalParameters: {},
  }),
}
const otp = (value: string, more: object = {}) => ({
  type: 'otp',
  secretData: JSON.stringify({ value }),
  credentialData: JSON.stringify({
    ...{ subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' },
    ...more,
  }),
})
const user = (username: string, more: object = {}) => ({
  ...{ id: username, createdTimestamp: 1_700_000_000_000, username, enabled: true, totp: false },
  ...{ emailVerified: false, credentials: [], disableableCredentialTypes: [], requiredActions: [] },
  ...{ realmRoles: ['default-roles-shop'], notBefore: 0, groups: [], ...more },
})
const forum = { identityProvider: 'forum', userId: '1', userName: 'ada' }
const run = (users: readonly object[], ...options: readonly string[]) =>
  migration.runOn('keycloak', { realm: 'shop', enabled: true, users }, ...options)

it('keeps passwords, authenticator apps, groups and states of a realm', async () => {
  const { code, stdout } = await run(
    [
      user('kc-ada', {
        ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'kc-ada@example.com', emailVerified: true },
        ...{ totp: true, credentials: [password, otp('EK7nB0pPYH1Wiq9cA2ye')], groups: ['/kc/editors'] },
        ...{ attributes: { locale: ['de'], plan: ['gold'] }, federatedIdentities: [forum] },
      }),
      user('kc-bo', {
        ...{ enabled: false, requiredActions: ['UPDATE_PASSWORD', 'CONFIGURE_TOTP'] },
        credentials: [otp('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', { secretEncoding: 'BASE32' })],
      }),
      user('kc-cy', { credentials: [otp('x', { digits: 8 }), { type: 'webauthn' }] }),
      user('service-account-shop', { serviceAccountClientId: 'shop' }),
    ],
    '--yes',
  )
  expect(code).toBe(0)
  expect(stdout).toContain('3 users imported')
  for (const line of [
    'attribute plan: 1 user',
    'sign-in with forum (Latchkey has no preset for it): 1 user',
    'realmRoles: 3 users',
    'credentials of type otp: 1 user',
    'credentials of type webauthn: 1 user',
    'required action CONFIGURE_TOTP: 1 user',
    'service accounts: 1 record',
  ])
    expect(stdout).toContain(`  ${line}\n`)
  expect(stdout).not.toContain('attribute locale')

  // The app has the bytes of the stored text as its key.
  const authenticator = authenticatorOf(Secret.fromUTF8('EK7nB0pPYH1Wiq9cA2ye').base32)
  expect((await signInAs(service, 'kc-ada', phrase)).body.reason).toBe('otp_required')
  expect((await signInAs(service, 'kc-ada', phrase, authenticator.code())).status).toBe(200)
  const ada = await migration.findUser('kc-ada')
  expect(ada).toMatchObject({ full_name: 'Ada Lovelace', language: 'de' })
  expect((await findGroups(service.services.table, ada?.groups ?? [])).map(({ name }) => name)).toEqual([
    'kc/editors',
  ])
  expect(await migration.findUser('kc-bo')).toMatchObject({
    ...{ is_enabled: false, password_change_required: true, totp: { lastStep: 0 } },
  })
  expect(await migration.findUser('kc-cy')).toMatchObject({ totp: null, passwordHash: null })
})

it('gives no rights to roles and groups of administrators', async () => {
  const admin = user('kc-root', {
    realmRoles: ['admin', 'system:admin-access'],
    clientRoles: { 'realm-management': ['realm-admin'] },
    permissions: ['system:admin-access'],
    groups: ['/system:admin-access'],
  })
  expect((await run([admin], '--yes')).code).toBe(0)
  const root = await migration.findUser('kc-root')
  expect(root?.permissions).toEqual([])
  const [group] = await findGroups(service.services.table, root?.groups ?? [])
  expect(group).toMatchObject({ name: 'system:admin-access', permissions: [] })
})

it('joins existing groups with permissions only with --trust-groups', async () => {
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const body = { name: 'KC Admins', permissions: ['system:admin-access'] }
  expect((await service.client('POST', '/api/2/groups', { bearer, body })).status).toBe(201)
  const users = [user('kc-eve', { groups: ['/kc admins'] })]
  const refused = await run(users, '--yes')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Repeat with --trust-groups') })
  expect(refused.stdout).toContain('Existing groups with permissions: KC Admins\n')
  expect(await migration.findUser('kc-eve')).toBeUndefined()
  expect((await run(users, '--yes', '--trust-groups')).code).toBe(0)
  expect((await migration.findUser('kc-eve'))?.groups).toHaveLength(1)
})

it('refuses hostile records one by one', async () => {
  const hostile = [
    '{"__proto__": {"permissions": ["system:admin-access"]}, "username": "kc-proto"}',
    JSON.stringify(user('x'.repeat(1_000_000))),
    JSON.stringify(user('kc-good')),
    JSON.stringify(user('KC-Good')),
    JSON.stringify(user('kc-bad', { email: 'a@example.com, b@example.com' })),
    JSON.stringify(user('kc-types', { credentials: 'none', groups: [7] })),
    JSON.stringify(user('kc-hash', { credentials: [{ ...password, credentialData: '{}' }] })),
    JSON.stringify(user('kc-groups', { groups: Array.from({ length: 300 }, (_, at) => `/${at}`) })),
    JSON.stringify(user('kc-long-group', { groups: [`/${'g'.repeat(300)}`] })),
    '"kc-text"',
    '{"username": "kc-\\ud800"}',
    '{"username": "kc-\\u001b[2J"}',
  ]
  const content = `{"users": [${hostile.join()}]}`
  const { code, stdout, file } = await migration.runOn('keycloak', content, '--yes')
  expect(code).toBe(1)
  expect(stdout).toContain('1 user imported')
  expect(stdout).not.toContain('\u001b')
  const fields = (await refusalsOf(file)).map(({ line, errors }) => [line, errors.map(({ field }) => field)])
  expect(fields).toEqual([
    [1, ['__proto__']],
    [2, ['line']],
    [4, ['username']],
    [5, ['email']],
    [6, ['credentials', 'groups.0']],
    [7, ['password_hash']],
    [8, ['groups']],
    [9, ['groups.0']],
    [10, ['line']],
    [11, ['username']],
    [12, ['username']],
  ])
  expect(await migration.findUser('kc-good')).toMatchObject({ permissions: [] })
})

it.each([
  ['{"users": [', 'is not valid JSON'],
  ['{"realm": "shop"}', 'This is not a realm of Keycloak with users.'],
  ['[{"realm": "a"}, {"realm": "b"}]', 'The file has several realms.'],
])('refuses a file that is no realm: %s', async (content, sentence) => {
  const { code, stdout, stderr } = await migration.runOn('keycloak', content)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(sentence)
})
