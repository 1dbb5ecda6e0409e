import { afterAll, describe, expect, it } from 'vitest'
import { findGroups } from '../../../lib/accounts/groups/groups.records.ts'
import { useService } from '../../support/use-service.ts'
import { makeFolder, signInAs } from '../command.ts'
import { createMigration, exportOf } from './run-migration.ts'

const service = await useService()
const folder = makeFolder()
const migration = createMigration(service, folder)
afterAll(() => folder.remove())

const groupsOf = async (username: string): Promise<readonly string[]> => {
  const groups = await findGroups(service.services.table, (await migration.findUser(username))?.groups ?? [])
  return groups.map(({ name }) => name)
}
const expectSignIn = async (username: string, password: string) => {
  expect((await signInAs(service, username, `${password}.`)).status).toBe(401)
  expect((await signInAs(service, username, password)).status).toBe(200)
}

describe('an export of Django', () => {
  // Written by django-export.py.
  const run = (...options: readonly string[]) =>
    migration.run('from-django', exportOf('django.json'), '--report', `${folder.path}/django`, ...options)

  it('is shown first, and imported with --yes', async () => {
    const preview = await run()
    expect(preview).toMatchObject({ code: 0, stderr: '' })
    expect(preview.stdout).toContain(`7 users could be imported; nothing was written.
1 user without a password.
New groups, without permissions: django staff, django editors
Examples:
  django-pbkdf2-sha256: django-pbkdf2-sha256@example.com (not verified); Ada pbkdf2_sha256; password; groups django staff, django editors
`)
    expect(preview.stdout).toContain('  is_superuser: 1 user\n')
    expect(preview.stdout).toContain('  user_permissions: 1 user\n')
    expect(preview.stdout).toContain('  groups with permissions, which are moved without them: 1 record\n')
    expect(preview.stdout).toMatch(/Nothing was written\. Pass --yes to import\.\n$/)
    expect(await migration.findUser('django-root')).toBeUndefined()

    const done = await run('--yes')
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain('7 users imported')
    expect((await run('--yes')).stdout).toContain('0 users imported.\n7 users had been imported before.\n')
    expect(await groupsOf('django-argon2')).toEqual(['django staff', 'django editors'])
    expect(await migration.findUser('django-root')).toMatchObject({ permissions: [], groups: [] })
    const registeredAt = (await migration.findUser('django-argon2'))?.registeredAt
    expect(new Date(registeredAt ?? 0).toISOString()).toMatch(/^2026-11-23T10:41/)
    expect(await migration.findUser('django-disabled')).toMatchObject({
      is_enabled: false,
      passwordHash: null,
      email: null,
    })
  })

  it.each(['pbkdf2_sha256', 'argon2', 'bcrypt_sha256'])('keeps the passwords of %s', (algorithm) =>
    expectSignIn(`django-${algorithm.replace('_', '-')}`, `correct horse ${algorithm}`),
  )

  it('has the verified addresses of django-allauth and the keys of django-otp', async () => {
    const device = { step: 30, t0: 0, digits: 6, tolerance: 1, drift: 0, confirmed: true }
    const fields = { username: 'otp-ada', email: 'Otp-Ada@example.com' }
    const records = [
      { model: 'auth.user', pk: 17, fields },
      { model: 'auth.user', pk: 18, fields: { username: '17', email: 'seven@example.com', password: '' } },
      {
        model: 'account.emailaddress',
        pk: 1,
        fields: { user: 17, email: 'otp-ada@example.com', verified: true, primary: true },
      },
      {
        model: 'otp_totp.totpdevice',
        pk: 1,
        fields: { ...device, user: 17, key: '3132333435363738393031323334353637383930' },
      },
      { model: 'otp_totp.totpdevice', pk: 2, fields: { ...device, user: 17, digits: 8, key: '31' } },
      { model: 'otp_totp.totpdevice', pk: 3, fields: { ...device, user: 99, key: '31' } },
      { model: 'auth.user', pk: [17], fields: { username: 'list' } },
    ]
    const { code, stdout } = await migration.runOn('django', records, '--yes')
    expect(code).toBe(1)
    expect(stdout).toContain('  pk must be a number or a text: 1 line\n')
    expect(stdout).toContain('  records of otp_totp.totpdevice: 2 records\n')
    expect(await migration.findUser('otp-ada')).toMatchObject({ totp: { lastStep: 0 } })
    expect((await migration.findUser('otp-ada'))?.emailVerified).not.toBe(false)
    expect(await migration.findUser('17')).toMatchObject({ totp: null, emailVerified: false })
  })

  it('can have its own model, natural keys and trusted addresses', async () => {
    const user = { email: 'own@example.com', password: '', groups: [['own group']] }
    const { code } = await migration.runOn(
      'django',
      [{ model: 'shop.customer', fields: user }],
      ...['--yes', '--model', 'shop.Customer', '--trust-emails'],
    )
    expect(code).toBe(0)
    expect((await migration.findUser('own@example.com'))?.emailVerified).not.toBe(false)
    expect(await groupsOf('own@example.com')).toEqual(['own group'])
  })
})
