import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findPasskeys } from '../../lib/features/passkeys/records.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { makeIdp } from '../support/idp.ts'
import { bundle, linksPath } from '../support/links.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { addProvider, patchProvider, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'
import { environmentOf, runUsers, signInAs } from './command.ts'

const service = await useService()

const url = 'https://auth.example.com'
const rescue = (account: string, ...args: readonly string[]) =>
  runUsers(['rescue', account, '--table', service.tableName, '--url', url, ...args], environmentOf())
const tokenIn = (stdout: string): string => {
  const [, token = ''] = /^ {2}https:\/\/auth\.example\.com\/reset#token=(\S+)$/m.exec(stdout) ?? []
  return token
}
const newPassword = () => `A new and long password ${randomUUID()}`
const reset = (token: string, password: string) =>
  service.client('POST', '/api/2/auth/reset-password', { body: { token, password } })
const auditOf = async (userId: number) =>
  (await readAuditItems(service.services.table))
    .filter(({ user }) => user === userId)
    .map(({ event }) => event)

describe('the rescue of an account', () => {
  it('also works if its company requires a provider that no longer works', async () => {
    const provider = await addProvider(service, await makeIdp())
    await vouchForDomains(service, provider, ['broken.example'])
    const { user } = await addPerson(service, { email: `${randomUUID()}@broken.example` })
    await patchProvider(service, provider, { required_for_domains: true })
    const { stdout } = await rescue(user.username)
    const chosen = newPassword()
    expect((await reset(tokenIn(stdout), chosen)).status).toBe(204)
    expect((await signInAs(service, user.username, chosen)).status).toBe(200)
    const path = `/api/2/auth/saml/${provider.id}`
    const { body } = await service.client('GET', path, { bearer: provider.admin })
    expect(body.exempt_users).toEqual([user.id])
    await rescue(user.username)
    expect((await service.client('GET', path, { bearer: provider.admin })).body.exempt_users).toEqual([
      user.id,
    ])
  })

  it('lets a disabled user sign in as an administrator with a new password', async () => {
    const { user, password } = await addPerson(service, {
      ...{ is_enabled: false, expiresAt: 1, permissions: ['users:view'] },
    })
    const { code, stdout, stderr } = await rescue(user.username)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`${user.username} (ID ${user.id}) is an administrator`)
    expect(stdout).toContain('The account has no email address. Add yours when the sign-in page asks')
    expect((await signInAs(service, user.username, password)).status).toBe(401)
    const chosen = newPassword()
    expect((await reset(tokenIn(stdout), chosen)).status).toBe(204)
    expect((await reset(tokenIn(stdout), newPassword())).status).toBe(400)
    const { status, body } = await signInAs(service, user.username, chosen)
    expect(status).toBe(200)
    const users = await service.client('GET', '/api/2/users', { bearer: body.session_key })
    expect(users.status).toBe(200)
    expect(await findUser(service.services.table, user.id)).toMatchObject({
      ...{ is_enabled: true, expiresAt: null, permissions: ['system:admin-access', 'users:view'] },
    })
    expect(await auditOf(user.id)).toEqual(
      expect.arrayContaining(['user.rescued', 'admin_access.given', 'password.reset_link_made']),
    )
    const record = (await readAuditItems(service.services.table)).find(
      ({ event, user: id }) => event === 'user.rescued' && id === user.id,
    )
    expect(record).toMatchObject({ address: 'command line', actor: null })
  })

  it('ends what others may know: sessions, the password, earlier links and API tokens', async () => {
    const email = `${randomUUID()}@example.com`
    const person = await addSignedIn(service, { email })
    const created = await service.client('POST', '/api/2/api-tokens', {
      ...{ bearer: person.bearer, body: { name: 'Sync' } },
    })
    const first = await rescue(email)
    const second = await rescue(email)
    expect(second.code).toBe(0)
    for (const bearer of [person.bearer, created.body.token])
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect((await reset(tokenIn(first.stdout), newPassword())).status).toBe(400)
    expect((await reset(tokenIn(second.stdout), newPassword())).status).toBe(204)
  })

  it('keeps the API tokens of an active administrator', async () => {
    const { user, bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const created = await service.client('POST', '/api/2/api-tokens', { bearer, body: { name: 'Sync' } })
    expect((await rescue(user.username)).code).toBe(0)
    const answer = await service.client('GET', '/api/2/users/me', { bearer: created.body.token })
    expect(answer.status).toBe(200)
  })

  it('removes second factors only with its option', async () => {
    const person = await addSignedIn(service)
    await enableSecondFactor(service, person)
    await addPasskey(service, person)
    const { id, username } = person.user
    const kept = await rescue(username)
    expect(kept.stdout).toContain('Still in use: the authenticator app and 1 passkey.')
    expect(await findUser(service.services.table, id)).toMatchObject({
      totp: { encryptedKey: expect.any(String) },
      passkeys: { count: 1 },
    })
    const removed = await rescue(username, '--reset-second-factor')
    expect(removed.stdout).toContain('The second factors were removed.')
    expect(await findUser(service.services.table, id)).toMatchObject({ totp: null, passkeys: { count: 0 } })
    expect(await findPasskeys(service.services.table, id)).toEqual([])
    expect(await auditOf(id)).toEqual(expect.arrayContaining(['totp.disabled', 'passkey.removed']))
    expect((await rescue(username, '--reset-second-factor')).code).toBe(0)
    const chosen = newPassword()
    const { stdout } = await rescue(username)
    await reset(tokenIn(stdout), chosen)
    expect((await signInAs(service, username, chosen)).status).toBe(200)
  })

  it('is refused for a guest, and for a name of no account', async () => {
    const sharer = await addSignedIn(service, { permissions: ['media:access'] })
    const email = `${randomUUID()}@example.com`
    const body = { bundles: [bundle()], email }
    const { bearer } = sharer
    const link = await service.client('POST', linksPath, { bearer, body })
    expect(link.status).toBe(201)
    const opened = await service.client('POST', `${linksPath}/redeem`, { body: { token: link.body.token } })
    const guest = await service.client('GET', '/api/2/users/me', { bearer: opened.body.session_key })
    expect(await rescue(guest.body.username)).toMatchObject({ code: 2, stdout: '' })
    expect(await findUser(service.services.table, guest.body.id)).toMatchObject({ permissions: [] })

    expect(await rescue('no-one')).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: 'No account has the username "no-one", or that email address in a confirmed form.\n',
    })
  })

  it('leaves one working link when it runs twice at once', async () => {
    const { user } = await addPerson(service)
    const results = await Promise.all([rescue(user.username), rescue(user.username)])
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    const statuses = []
    for (const { stdout } of results) statuses.push((await reset(tokenIn(stdout), newPassword())).status)
    expect(statuses.sort()).toEqual([204, 400])
  })
})
