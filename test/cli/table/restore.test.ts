import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { findUser } from '../../../lib/accounts/users/find-users.records.ts'
import { userKey } from '../../../lib/kernel/table/keys/keys.ts'
import { openTable } from '../../../lib/kernel/table/open-table.ts'
import type { Item } from '../../../lib/kernel/table/transaction.ts'
import { createTable } from '../../../local/dynamodb.ts'
import { enableSecondFactor } from '../../support/authenticator.ts'
import { makeIdp } from '../../support/idp.ts'
import { shareLink } from '../../support/mailed-links.ts'
import { addPasskey, signInWithPasskey } from '../../support/passkeys.ts'
import { addPerson, addSignedIn, signIn } from '../../support/people.ts'
import { addProvider, signInByConnection } from '../../support/saml.ts'
import { readItems, restoreItems } from '../../support/table-copies.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, makeFolder, runTable } from '../command.ts'

/*
 * A restore to a point in time, drilled: the table gets back what it contained, and the command ends what was used or ended
 * since. Each check is one that an attacker makes who kept a credential.
 */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const folder = makeFolder()
const owner = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })
const disabled = await addPerson(service)
const resetting = await addPerson(service, { email: `${randomUUID()}@example.com` })
const factor = await enableSecondFactor(service, owner)
const { bearer } = owner
const credentials = {
  ticket: '',
  resetToken: '',
  deletedToken: '',
  keptToken: '',
  deletedLink: '',
  usedLink: '',
  keptLink: '',
  sessionOfBackup: '',
}

credentials.sessionOfBackup = bearer

const post = (path: string, body: object, bearer?: string) =>
  service.client('POST', `/api/2/${path}`, { body, ...(bearer ? { bearer } : {}) })

const deleted = (await post('api-tokens', { name: 'deleted' }, bearer)).body
credentials.deletedToken = deleted.token
credentials.keptToken = (await post('api-tokens', { name: 'kept' }, bearer)).body.token
const deletedLink = await shareLink(service, owner)
credentials.deletedLink = deletedLink.token
credentials.usedLink = (await shareLink(service, owner, { view_limit: 2 })).token
credentials.keptLink = (await shareLink(service, owner, {})).token
const lost = await addPasskey(service, owner)
const kept = await addPasskey(service, owner)
await post('auth/reset-password/request', { username: resetting.user.username })
const { text } = await service.mailbox.mailTo(resetting.user.email ?? '')
credentials.resetToken = /#token=(\S+)/.exec(text)?.[1] ?? ''
credentials.ticket = (await post('auth/ticket', {}, bearer)).body.ticket

// A sign-in through a company connection whose browser has not returned yet.
await signInByConnection(service, await addProvider(service, await makeIdp(), { auto_create_users: true }))

/** The content at the point in time. */
const backup: readonly Item[] = await readItems(service.tableName)
const endCredentials = (...args: readonly string[]) =>
  runTable(['end-credentials', '--table', service.tableName, ...args], environmentOf(), folder.path)

const createUser = async (bearer: string): Promise<number> => {
  const body = { username: `user-${randomUUID()}`, groups: [], permissions: [] }
  return (await post('users', body, bearer)).body.id
}
/** The result of a sign-in of the owner with their password and a code. */
const otpOutcome = async (otp: string | undefined): Promise<string> => {
  const { status, body } = await post('auth/login', {
    username: owner.user.username,
    password: owner.password,
    otp,
  })
  return status === 200 ? 'signed in' : body.reason
}
const linkStatus = async (value: string) =>
  (await service.client('GET', `/api/2/auth/access-tokens/get/${value}`)).status
const tokenStatus = async (bearer: string) =>
  (await service.client('GET', '/api/2/groups', { bearer })).status

/** Items from which browsers get the session of a sign-in through a company connection. */
const listReturns = (items: readonly Item[]) =>
  items.filter(({ sk, session }) => String(sk).startsWith('flow#') && session !== undefined)

expect(listReturns(backup)).toHaveLength(1)

// What happens after the point in time, and would be undone by the restore alone.
expect((await post('auth/ticket/check', { ticket: credentials.ticket })).status).toBe(200)
const reset = { token: credentials.resetToken, password: 'the password after the backup' }
expect((await post('auth/reset-password', reset)).status).toBe(204)
const login = { username: owner.user.username, password: owner.password, otp: factor.recoveryCodes[0] }
expect((await post('auth/login', login)).status).toBe(200)
const remove = (path: string) => service.client('DELETE', `/api/2/${path}`, { bearer })
expect((await remove(`api-tokens/${deleted.id}`)).status).toBe(204)
expect((await remove(`auth/access-tokens/${deletedLink.id}`)).status).toBe(204)
expect((await remove(`users/me/passkeys/${lost.id}`)).status).toBe(204)
expect((await post('auth/access-tokens/redeem', { token: credentials.usedLink })).status).toBe(200)
const disable = { bearer, body: { is_enabled: false } }
const path = `/api/2/users/${disabled.user.id}`
expect((await service.client('PATCH', path, disable)).status).toBe(200)
const idsBefore = await createUser(bearer)

/** The content at the moment of the restore. */
const latest: readonly Item[] = await readItems(service.tableName)
const replaced: string = `latchkey-${randomUUID()}`
const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
await createTable(endpoint, replaced)
const table = openTable({ tableName: replaced, endpoint })
for (const item of latest) await table.put(item)
afterAll(() => folder.remove())

/** What everyone must rely on after each kind of restore. */
const expectNothingToLiveAgain = async (): Promise<void> => {
  expect(await tokenStatus(credentials.sessionOfBackup)).toBe(401)
  expect((await post('auth/ticket/check', { ticket: credentials.ticket })).status).toBe(404)
  const reset = { token: credentials.resetToken, password: 'a password of an attacker' }
  expect((await post('auth/reset-password', reset)).body.code).toBe('invalid_token')
  expect(await tokenStatus(credentials.deletedToken)).toBe(401)
  expect(await otpOutcome(factor.recoveryCodes[0])).toBe('otp_invalid')
  // Someone may have used this code in the last seconds before the restore.
  expect(await otpOutcome(factor.authenticator.code())).toBe('otp_invalid')
}

describe('a restored table', () => {
  it('lets used and ended credentials live again without the command', async () => {
    await restoreItems(service, backup)
    expect(await tokenStatus(credentials.sessionOfBackup)).toBe(200)
    expect(await tokenStatus(credentials.deletedToken)).toBe(200)
    expect(await linkStatus(credentials.deletedLink)).toBe(200)
  })

  it('is not changed by a dry run', async () => {
    await restoreItems(service, backup)
    const before = await readItems(service.tableName)
    const { code, stdout, stderr } = await endCredentials('--restored', '--dry-run')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/users: \d+ would be changed\n/)
    expect(stdout).toMatch(/one-time items: \d+ would be ended\n/)
    expect(await readItems(service.tableName)).toEqual(before)
  })

  it('ends what was used since, and everything that could have been', async () => {
    await restoreItems(service, backup)
    expect((await endCredentials('--restored')).code).toBe(0)
    await expectNothingToLiveAgain()
    // Without the replaced table, no one knows which of them were used or deleted.
    expect(await tokenStatus(credentials.keptToken)).toBe(401)
    expect(await otpOutcome(factor.recoveryCodes[1])).toBe('otp_invalid')
    expect(await linkStatus(credentials.keptLink)).toBe(200)
    expect((await endCredentials('--restored', '--access-links', 'end')).code).toBe(0)
    expect(await linkStatus(credentials.keptLink)).toBe(404)
    const entries = (await readItems(service.tableName)).filter(({ lpk }) =>
      String(lpk).endsWith('#by-expires'),
    )
    expect(entries.length).toBeGreaterThan(3)
    expect(entries.filter(({ lsk }) => String(lsk).startsWith('never'))).toEqual([])
    expect(await signInWithPasskey(service, kept.passkey)).toMatchObject({ status: 200 })
    expect(listReturns(await readItems(service.tableName))).toEqual([])
  })

  it('ends exactly what was used, ended or disabled since if the replaced table still exists', async () => {
    await restoreItems(service, backup)
    const { code, stdout } = await endCredentials('--restored', '--replaced', replaced)
    expect(code).toBe(0)
    expect(stdout).toContain('passkeys: 1 ended\n')
    expect(stdout).toContain('API tokens: 1 ended\n')
    await expectNothingToLiveAgain()
    expect(await tokenStatus(credentials.keptToken)).toBe(200)
    expect(await linkStatus(credentials.keptLink)).toBe(200)
    expect(await linkStatus(credentials.deletedLink)).toBe(404)
    expect((await post('auth/access-tokens/redeem', { token: credentials.usedLink })).status).toBe(200)
    expect((await post('auth/access-tokens/redeem', { token: credentials.usedLink })).status).toBe(404)
    expect((await signInWithPasskey(service, lost.passkey)).status).toBe(401)
    const session = await signInWithPasskey(service, kept.passkey)
    expect(session.status).toBe(200)
    const { username } = disabled.user
    expect((await post('auth/login', { username, password: disabled.password })).status).not.toBe(200)
    // Their earlier password works again, so they have to replace it.
    const login = await post('auth/login', {
      username: resetting.user.username,
      password: resetting.password,
    })
    expect(login.body.reason).toMatch(/password/)
    expect(await otpOutcome(factor.recoveryCodes[1])).toBe('signed in')
    const path = `/api/2/auth/audit-events?user=${disabled.user.id}`
    const { body: events } = await service.client('GET', path, { bearer: credentials.keptToken })
    expect(JSON.stringify(events)).toContain('session.ended')
    // A product knows the lost user by this ID. No one else may get it.
    expect(await createUser(credentials.keptToken)).toBeGreaterThan(idsBefore)
  })

  it('is handled once, also when the command runs again', async () => {
    await restoreItems(service, backup)
    expect((await endCredentials('--restored', '--replaced', replaced)).code).toBe(0)
    const again = await endCredentials('--restored', '--replaced', replaced, '--dry-run')
    expect(again.stdout).not.toMatch(/API tokens|passkeys|one-time items|access links|counters/)
  })
})

describe('a password that is still at an old system', () => {
  const legacy = { username: 'ada', email: null }
  const addMarked = async (fields: object = {}) =>
    (await addPerson(service, { passwordHash: null, legacySignIn: legacy, ...fields })).user
  const stored = ({ id }: { readonly id: number }) => findUser(service.services.table, id)

  it('has to be changed or is not asked for any more, as the operator chooses', async () => {
    const user = await addMarked()
    expect((await endCredentials('--passwords', 'change')).code).toBe(0)
    expect(await stored(user)).toMatchObject({ legacySignIn: legacy, password_change_required: true })
    expect((await endCredentials('--passwords', 'remove')).code).toBe(0)
    expect(await stored(user)).not.toHaveProperty('legacySignIn')
  })

  it('does not work again after it was replaced in the table that a restored one replaces', async () => {
    const [ended, marked] = [await addMarked(), await addMarked()]
    const there = openTable({ tableName: replaced, endpoint: process.env['DYNAMODB_ENDPOINT'] ?? '' })
    for (const { id } of [ended, marked]) {
      const { legacySignIn, ...item } = (await service.services.table.get(userKey(id))) ?? {
        pk: '',
        sk: '',
      }
      await there.put(id === ended.id ? item : { ...item, legacySignIn })
    }
    expect((await endCredentials('--restored', '--replaced', replaced)).code).toBe(0)
    expect(await stored(ended)).not.toHaveProperty('legacySignIn')
    expect(await stored(marked)).toMatchObject({ legacySignIn: legacy })
  })
})

describe('a leaked table', () => {
  it('requires new passwords of everyone, and keeps API tokens if you choose so', async () => {
    await restoreItems(service, latest)
    const person = await addPerson(service)
    const bearer = await signIn(service, person)
    expect((await endCredentials('--passwords', 'change')).code).toBe(0)
    expect(await tokenStatus(bearer)).toBe(401)
    expect(await tokenStatus(credentials.keptToken)).toBe(200)
    const credentialsOf = { username: person.user.username, password: person.password }
    const refused = await post('auth/login', credentialsOf)
    expect(refused.status).not.toBe(200)
    expect((await endCredentials('--passwords', 'remove', '--api-tokens', 'end')).code).toBe(0)
    expect((await post('auth/login', credentialsOf)).status).toBe(401)
    expect(await tokenStatus(credentials.keptToken)).toBe(401)
  })
})
