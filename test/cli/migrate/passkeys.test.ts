import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { hash } from 'bcryptjs'
import { Secret } from 'otpauth'
import { afterAll, describe, expect, it } from 'vitest'
import { newAuthenticator } from '../../support/authenticator.ts'
import { addPasskey, SoftwarePasskey, signInWithPasskey } from '../../support/passkeys.ts'
import { addSignedIn } from '../../support/people.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, jsonLines, makeFolder, refusalsOf, runUsers, signInAs } from '../command.ts'
import { createMigration } from './run-migration.ts'

/* Passkeys and recovery codes that another system gave to its users. */

const service = await useService()
const folder = makeFolder()
const migration = createMigration(service, folder)
afterAll(() => folder.remove())

const importLines = async (lines: readonly object[]) => {
  const file = folder.file(`${randomBytes(4).toString('hex')}.jsonl`, jsonLines(lines))
  return { ...(await runUsers(['import', file, '--table', service.tableName], environmentOf())), file }
}
const toLine = (passkey: SoftwarePasskey, more: object = {}) => ({
  credential_id: passkey.id.toString('base64url'),
  public_key: passkey.publicKey.toString('base64url'),
  ...more,
})
/** The user handle is the one that the other system gave to the authenticator. */
const signIn = (passkey: SoftwarePasskey, deviation = {}) => signInWithPasskey(service, passkey, deviation)

describe('a realm of Keycloak', () => {
  const [ada, key] = [
    new SoftwarePasskey({ isBackupEligible: true }),
    new SoftwarePasskey({ isBackupEligible: false, counter: 7 }),
  ]
  const credential = (passkey: SoftwarePasskey, type: string, counter: number) => ({
    ...{
      id: 'c1',
      type,
      userLabel: `Laptop ${'x'.repeat(300)}`,
      createdDate: 1_700_000_000_000,
      secretData: '{}',
    },
    credentialData: JSON.stringify({
      aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
      credentialId: passkey.id.toString('base64'),
      counter,
      credentialPublicKey: passkey.publicKey.toString('base64url'),
      attestationStatementFormat: 'none',
      transports: ['internal'],
    }),
  })
  const realm = (username: string, credentials: readonly object[]) => ({
    users: [{ id: username, username, enabled: true, credentials }],
  })

  it('keeps its passkeys with --passkeys, and they sign in as before', async () => {
    const credentials = [credential(ada, 'webauthn-passwordless', 0), credential(key, 'webauthn', 7)]
    const left = await migration.runOn('keycloak', realm('pk-ada', credentials))
    expect(left.stdout).toContain('credentials of type webauthn: 1 user')
    const done = await migration.runOn('keycloak', realm('pk-ada', credentials), '--yes', '--passkeys')
    expect(done.code, done.stderr).toBe(0)
    expect(done.stdout).not.toContain('credentials of type')
    const stored = await migration.findUser('pk-ada')
    expect(stored).toMatchObject({ passkeys: { count: 2 } })
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const shown = await service.client('GET', `/api/2/users/${stored?.id}/passkeys`, { bearer })
    expect(shown.body).toMatchObject([{ is_synced: false }, { is_synced: false }])
    for (const passkey of [ada, key, ada]) {
      const { status, body } = await signIn(passkey)
      expect([status, body?.user?.username ?? body?.username], JSON.stringify(body)).toEqual([200, 'pk-ada'])
    }
    const again = await migration.runOn('keycloak', realm('pk-ada', credentials), '--yes', '--passkeys')
    expect(again.stdout).toContain('imported before')
  })

  it('has passkeys that are held to what their first use said, and to their counter', async () => {
    expect((await signIn(ada, { isBackupEligible: false })).status).toBe(401)
    expect((await signIn(key, { counter: 3 })).status).toBe(401)
    const thief = new SoftwarePasskey({ credentialId: ada.id })
    expect((await signIn(ada, { key: thief.key })).status).toBe(401)
    expect((await signIn(ada, { rpId: 'other.example' })).status).toBe(401)
  })

  it('cannot take the passkey of a user of this service', async () => {
    const victim = await addSignedIn(service)
    const { passkey } = await addPasskey(service, victim)
    const thief = new SoftwarePasskey({ credentialId: passkey.id })
    const credentials = [credential(thief, 'webauthn-passwordless', 0)]
    const { code, file } = await migration.runOn(
      'keycloak',
      realm('pk-eve', credentials),
      '--yes',
      '--passkeys',
    )
    expect(code).toBe(1)
    expect(await refusalsOf(file)).toMatchObject([
      { errors: [{ field: 'passkeys', message: 'contains a passkey that another user has' }] },
    ])
    expect(await migration.findUser('pk-eve')).toBeUndefined()
    expect((await signIn(passkey)).status).toBe(200)
  })
})

it('keeps the passkeys of Better Auth', async () => {
  const passkey = new SoftwarePasskey()
  const content = {
    user: [{ id: 'u1', email: 'pk-better@example.com', emailVerified: true, name: 'Ada' }],
    account: [],
    passkey: [
      {
        ...{ id: 'p1', userId: 'u1', name: 'Phone', counter: 0, deviceType: 'multiDevice', backedUp: true },
        ...{ transports: 'internal,hybrid', aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' },
        publicKey: passkey.publicKey.toString('base64'),
        credentialID: passkey.id.toString('base64url'),
        createdAt: '2026-01-31T12:00:00.000Z',
      },
      { userId: 'unknown', publicKey: 'x', credentialID: 'x' },
    ],
  }
  const { code, stdout } = await migration.runOn('better-auth', content, '--yes', '--passkeys')
  expect(code).toBe(0)
  expect(stdout).toContain('rows of passkey: 1 record')
  expect((await signIn(passkey)).status).toBe(200)
})

describe('recovery codes', () => {
  const phrase = 'correct horse recovery'
  const withCode = async (username: string, code: string) =>
    (await signInAs(service, username, phrase, code)).status

  it('of django-otp replace a code of the authenticator app once, in any case and with spaces', async () => {
    const { key } = newAuthenticator()
    const record = (model: string, pk: number, fields: object) => ({ model, pk, fields })
    const derived = pbkdf2Sync(phrase, 'salt', 200_000, 32, 'sha256').toString('base64')
    const device = { key: Secret.fromBase32(key).hex, step: 30, t0: 0, digits: 6, confirmed: true }
    const { code, stdout } = await migration.runOn(
      'django',
      [
        record('auth.user', 1, { username: 'rc-ada', password: `pbkdf2_sha256$200000$salt$${derived}` }),
        record('auth.user', 2, { username: 'rc-bo' }),
        record('otp_static.statictoken', 1, { device: 5, token: 'abcdefg2' }),
        record('otp_static.statictoken', 2, { device: 5, token: 'qrstuvw4' }),
        record('otp_static.statictoken', 3, { device: 6, token: 'hijklmn3' }),
        record('otp_static.staticdevice', 5, { user: 1, name: 'backup', confirmed: true }),
        record('otp_static.staticdevice', 6, { user: 2, name: 'backup', confirmed: true }),
        record('otp_totp.totpdevice', 1, { user: 1, ...device }),
      ],
      '--yes',
    )
    expect(code).toBe(0)
    // Without an authenticator app, there is nothing to replace.
    expect(stdout).toContain('records of otp_static.statictoken: 1 record')
    const ada = await migration.findUser('rc-ada')
    expect(Object.keys(ada?.totp?.recoveryCodes ?? {})).toHaveLength(2)
    expect(JSON.stringify(ada)).not.toContain('abcdefg2')
    expect(await withCode('rc-ada', 'hijklmn3')).toBe(403)
    expect(await withCode('rc-ada', 'ABCD efg2')).toBe(200)
    expect(await withCode('rc-ada', 'abcdefg2')).toBe(403)
    const uses = await Promise.all(Array.from({ length: 5 }, () => withCode('rc-ada', 'qrstuvw4')))
    expect(uses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('of a line replace a code once, with hyphens or without', async () => {
    const line = {
      ...{ username: 'rc-cy', totp_seed: newAuthenticator().key, password_hash: await hash(phrase, 4) },
      recovery_codes: ['ABCD-efgh-2345', '99887766'],
    }
    expect((await importLines([line])).code).toBe(0)
    for (const wrong of ['abcdefgh2346', '9988776', 'x'.repeat(1000)])
      expect(await withCode('rc-cy', wrong)).toBe(403)
    expect(await withCode('rc-cy', 'abcdefgh2345')).toBe(200)
    expect(await withCode('rc-cy', ' 9988-7766 ')).toBe(200)
    expect((await migration.findUser('rc-cy'))?.totp?.recoveryCodes).toEqual({})
  })
})

it('refuses hostile credentials of a line, with every error', async () => {
  const passkey = new SoftwarePasskey()
  const other = new SoftwarePasskey({ algorithm: 'ES384' })
  const bad = [
    { username: 'bad-1', passkeys: [toLine(other), toLine(passkey), toLine(passkey)] },
    { username: 'bad-2', passkeys: [toLine(passkey, { public_key: 'AAAA', sign_count: -1 })] },
    { username: 'bad-3', passkeys: [{ ...toLine(passkey), user: 1 }] },
    { username: 'bad-4', passkeys: Array.from({ length: 21 }, () => toLine(new SoftwarePasskey())) },
    { username: 'bad-5', recovery_codes: ['123456'] },
    { username: 'bad-6', passkeys: 'x', recovery_codes: [7] },
    { username: 'bad-7', passkeys: [toLine(passkey, { credential_id: '!' })] },
    { username: 'bad-8', passkeys: [toLine(passkey, { public_key: 'x'.repeat(2049) })] },
  ]
  const { code, file } = await importLines(bad)
  expect(code).toBe(1)
  const fields = (await refusalsOf(file)).map(({ errors }) => errors.map(({ field }) => field))
  expect(fields).toEqual([
    ['passkeys.0.public_key', 'passkeys.2.credential_id'],
    ['passkeys.0.sign_count'],
    ['passkeys.0.user'],
    ['passkeys'],
    ['recovery_codes', 'recovery_codes.0'],
    ['recovery_codes.0', 'passkeys'],
    ['passkeys.0.credential_id'],
    ['passkeys.0.public_key'],
  ])
})
