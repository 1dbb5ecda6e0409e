import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor, newAuthenticator } from '../support/authenticator.ts'
import { addPerson, addSignedIn, type SignedInPerson, signIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
let person: SignedInPerson
beforeEach(async () => {
  // Time stands still unless a test moves it, so that no time step ends in the middle of a test.
  vi.useFakeTimers({ toFake: ['Date'] })
  person = await addSignedIn(service)
})
afterAll(() => vi.useRealTimers())

const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const pathOf = (id: number) => `/api/2/users/${id}/totp`
const enable = (body: unknown, { user, bearer } = person) =>
  service.client('POST', pathOf(user.id), { bearer, body })
const sync = (otp: unknown, { user, bearer } = person) =>
  service.client('PUT', pathOf(user.id), { bearer, body: { otp } })
const confirmIdentity = async (otp: string | undefined) => {
  const body = { password: person.password, otp }
  const answer = await service.client('POST', '/api/2/auth/reauthenticate', { bearer: person.bearer, body })
  expect(answer.status).toBe(204)
}
const disable = (otp: string | undefined, { user, bearer } = person, id = user.id) =>
  service.client('DELETE', pathOf(id) + (otp === undefined ? '' : `?otp=${encodeURIComponent(otp)}`), {
    bearer,
  })
const login = (otp?: string) => trySignIn(service, person, { otp })
const isOn = async (id = person.user.id) => {
  const user = await findUser(service.services.table, id)
  return Boolean(user?.totp)
}
const eventsOf = async (id = person.user.id) => {
  // A test that moves the clock may have started in another month.
  const times = [Date.now() - 2 * 3_600_000, Date.now()]
  return (await readAuditItems(service.services.table, times))
    .filter(({ user }) => user === id)
    .map(({ event, outcome }) => `${event} ${outcome}`)
}

describe('enable_totp', () => {
  it('enables the second factor and returns ten recovery codes once', async () => {
    const { key, code } = newAuthenticator()
    const answer = await enable({ key, otp: code() })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(answer.body)).toEqual(['recovery_codes'])
    expect(new Set(answer.body.recovery_codes).size).toBe(10)
    const { bearer } = person
    const me = await service.client('GET', '/api/2/users/me', { bearer })
    expect(me.body.totp_enabled).toBe(true)
    expect(me.text).not.toContain(key)
    wait(30)
    expect((await login(code())).body.user.totp_enabled).toBe(true)
    expect(await eventsOf()).toContain('totp.enabled succeeded')
  })

  it.each([
    ['in groups and lower case', (key: string) => (key.match(/.{4}/g) ?? []).join(' ').toLowerCase()],
    ['padded', (key: string) => `${key}======`],
  ])('accepts a key %s', async (_, respell) => {
    const { key, code } = newAuthenticator()
    const typed = code().replace(/^.../, '$& ')
    expect((await enable({ key: respell(key), otp: typed })).status).toBe(200)
    wait(30)
    expect((await login(code())).status).toBe(200)
  })

  it('requires a code of the same key, and enables nothing without it', async () => {
    const [mine, other] = [newAuthenticator(), newAuthenticator()]
    for (const otp of [other.code(), mine.code(11), mine.code(-11)]) {
      const answer = await enable({ key: mine.key, otp })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'otp' }] })
      expect(answer.text).not.toContain(mine.key)
    }
    expect(await isOn()).toBe(false)
    expect((await login()).status).toBe(200)
  })

  it.each([
    [['key', 'otp'], {}],
    [['key', 'otp'], { key: '', otp: '' }],
    [['key', 'otp'], { key: 'A'.repeat(15), otp: '１２３４５６' }],
    [['key'], { key: 'not base 32 at all!', otp: '123456' }],
    [['key'], { key: 'A'.repeat(60_000), otp: '123456' }],
    [['otp'], { key: 'A'.repeat(32), otp: 'x'.repeat(60_000) }],
    [['key', 'otp'], { key: ['A'.repeat(32)], otp: 123456 }],
    [['secret'], { key: 'A'.repeat(32), otp: '123456', secret: 1 }],
  ])('reports %j as invalid at once', async (fields, body) => {
    const answer = await enable(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })

  it('learns the drift of an authenticator from its first code', async () => {
    const { authenticator } = await enableSecondFactor(service, person, -8)
    wait(30)
    expect((await login(authenticator.code())).status).toBe(403)
    expect((await login(authenticator.code(-8))).status).toBe(200)
  })

  it('does not accept the first code again', async () => {
    const { authenticator } = await enableSecondFactor(service, person)
    expect((await login(authenticator.code())).body).toMatchObject({ status: 403, reason: 'otp_invalid' })
  })

  it('ends other sessions and all tickets, and keeps the current session', async () => {
    const other = await signIn(service, person)
    const { bearer } = person
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: other })).body
    await enableSecondFactor(service, person)
    const me = (session: string) => service.client('GET', '/api/2/users/me', { bearer: session })
    expect((await me(other)).status).toBe(401)
    expect((await me(bearer)).status).toBe(200)
    const check = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(check.status).toBe(404)
    const { body } = await service.client('POST', '/api/2/auth/ticket', { bearer })
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body })).status).toBe(200)
    expect((await service.client('POST', '/api/2/auth/logout', { bearer })).status).toBe(204)
    expect((await me(bearer)).status).toBe(401)
  })

  it('responds 409 if it is already enabled, and succeeds once for 10 concurrent requests', async () => {
    const authenticators = Array.from({ length: 10 }, newAuthenticator)
    const answers = await Promise.all(authenticators.map(({ key, code }) => enable({ key, otp: code() })))
    const winners = authenticators.filter((_, at) => answers[at]?.status === 200)
    expect(winners).toHaveLength(1)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const { key, code } = newAuthenticator()
    expect((await enable({ key, otp: code() })).body.code).toBe('conflict')
    wait(30)
    expect((await login(winners[0]?.code())).status).toBe(200)
  })

  it('works for a user record without the field', async () => {
    await service.services.table.update(userKey(person.user.id), (x) => ({ remove: [x.path('totp')] }))
    expect((await login()).status).toBe(200)
    await enableSecondFactor(service, person)
    expect((await login()).body.reason).toBe('otp_required')
  })
})

describe('the stored second factor', () => {
  it('is encrypted, and neither stored nor logged in clear', async () => {
    const { authenticator, recoveryCodes } = await enableSecondFactor(service, person)
    wait(60)
    const code = authenticator.code()
    const [first = '', second = ''] = recoveryCodes
    for (const otp of [code, first, code, 'wrong code']) await login(otp)
    await sync(authenticator.code(2))
    expect((await disable(second)).status).toBe(204)
    await enableSecondFactor(service, person)
    const client = new DynamoDBClient({ endpoint: process.env['DYNAMODB_ENDPOINT'] ?? '' })
    const { Items = [] } = await client.send(new ScanCommand({ TableName: service.tableName }))
    const table = JSON.stringify(Items)
    expect(table).toContain('encryptedKey')
    const log = service.log.join('\n')
    expect(log).toContain('"operation":"enable_totp"')
    const bare = recoveryCodes.map((recoveryCode) => recoveryCode.replaceAll('-', ''))
    const { key } = authenticator
    for (const secret of [key, key.toLowerCase(), ...recoveryCodes, ...bare]) {
      expect(table).not.toContain(secret)
      expect(log).not.toContain(secret)
    }
    for (const otp of [code, 'wrong code']) expect(log).not.toContain(otp)
  })

  it('cannot be used in the record of another user', async () => {
    const { authenticator } = await enableSecondFactor(service, person)
    const other = await addPerson(service)
    const stolen = await findUser(service.services.table, person.user.id)
    await service.services.table.update(userKey(other.user.id), (x) => ({
      set: [`${x.path('totp')} = ${x.value(stolen?.totp)}`],
    }))
    wait(30)
    const answer = await trySignIn(service, other, { otp: authenticator.code() })
    expect(answer.body).toMatchObject({ status: 500, code: 'internal_error' })
    expect(answer.cookies).toEqual([])
  })
})

describe('sync_totp', () => {
  it('learns the drift of a clock, so that its codes are accepted at sign-in', async () => {
    const { authenticator, recoveryCodes } = await enableSecondFactor(service, person)
    wait(600)
    for (const [at, drift] of [7, -3, 10, -10].entries()) {
      wait(900)
      await confirmIdentity(recoveryCodes[at])
      expect((await login(authenticator.code(drift))).body.reason).toBe('otp_invalid')
      const answer = await sync(authenticator.code(drift))
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ drift })
      wait(30)
      expect((await login(authenticator.code(drift))).status).toBe(200)
    }
    expect((await eventsOf()).filter((event) => event === 'totp.synced succeeded')).toHaveLength(4)
  })

  it('rejects used codes, codes outside the window, and recovery codes', async () => {
    const { authenticator, recoveryCodes } = await enableSecondFactor(service, person)
    wait(600)
    const code = authenticator.code(5)
    expect((await sync(code)).status).toBe(200)
    const [recoveryCode = ''] = recoveryCodes
    for (const otp of [code, authenticator.code(4), authenticator.code(11), recoveryCode])
      expect((await sync(otp)).body).toMatchObject({ status: 403, reason: 'otp_invalid' })
    expect((await login(code)).body.reason).toBe('otp_invalid')
    wait(600)
    await confirmIdentity(recoveryCodes[1])
    expect((await sync(authenticator.code(-11))).body.reason).toBe('otp_invalid')
    expect((await login(recoveryCode)).status).toBe(200)
  })

  it('shares the limit of guesses with disable_totp, apart from sign-ins', async () => {
    const { authenticator } = await enableSecondFactor(service, person)
    wait(600)
    for (let guess = 0; guess < 3; guess++) expect((await sync('wrong')).status).toBe(403)
    for (let guess = 0; guess < 2; guess++) expect((await disable('wrong')).status).toBe(403)
    const refused = await sync(authenticator.code())
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await disable(authenticator.code())).status).toBe(429)
    // A stolen session must not shut out its owner.
    expect((await login(authenticator.code())).status).toBe(200)
  })

  it('responds 404 if the second factor is off, and 400 if the code is not a string', async () => {
    expect((await sync('123456')).status).toBe(404)
    for (const otp of [undefined, null, '', 123456, ['123456']])
      expect((await sync(otp)).body.errors).toMatchObject([{ field: 'otp' }])
    expect((await sync('1'.repeat(60_000))).status).toBe(404)
  })
})

describe('disable_totp', () => {
  it('requires a code of the user, and ends no session', async () => {
    const { authenticator } = await enableSecondFactor(service, person)
    wait(60)
    const other = (await login(authenticator.code())).body.session_key
    wait(60)
    expect((await disable(undefined)).body).toMatchObject({ status: 403, reason: 'otp_required' })
    expect((await disable('123 45')).body).toMatchObject({ status: 403, reason: 'otp_invalid' })
    expect(await isOn()).toBe(true)
    expect((await disable(authenticator.code())).status).toBe(204)
    expect(await isOn()).toBe(false)
    expect((await login()).status).toBe(200)
    for (const bearer of [other, person.bearer])
      expect((await service.client('GET', '/api/2/users/me', { bearer })).body.totp_enabled).toBe(false)
    expect(await eventsOf()).toContain('totp.disabled succeeded')
  })

  it('accepts a recovery code, and succeeds if the second factor is off', async () => {
    const { recoveryCodes } = await enableSecondFactor(service, person)
    expect((await disable(recoveryCodes[3])).status).toBe(204)
    for (const otp of [undefined, recoveryCodes[3], '123456']) expect((await disable(otp)).status).toBe(204)
    const events = await eventsOf()
    expect(events.filter((event) => event.startsWith('totp.disabled'))).toHaveLength(1)
    expect(events).toContain('totp.recovery_code_used succeeded')
  })

  it('rejects a repeated, an empty, and a huge code', async () => {
    await enableSecondFactor(service, person)
    for (const query of ['?otp=1&otp=2', '?otp=', `?otp=${'1'.repeat(2000)}`, '?otp=1&x=1'])
      expect((await service.client('DELETE', pathOf(person.user.id) + query, person)).status).toBe(400)
    expect(await isOn()).toBe(true)
  })

  it('requires users:manage for other users, and an administrator for administrators', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const viewer = await addSignedIn(service, { permissions: ['users:view'] })
    for (const owner of [person, admin]) await enableSecondFactor(service, owner)

    expect((await disable(undefined, viewer, person.user.id)).status).toBe(403)
    expect((await disable(undefined, viewer, 2147483647)).status).toBe(403)
    expect((await disable(undefined, manager, admin.user.id)).status).toBe(403)
    expect(await isOn()).toBe(true)
    expect(await isOn(admin.user.id)).toBe(true)

    expect((await disable(undefined, manager, person.user.id)).status).toBe(204)
    expect(await isOn()).toBe(false)
    expect((await disable(undefined, manager, 2147483647)).status).toBe(404)
    const otherAdmin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect((await disable(undefined, otherAdmin, admin.user.id)).status).toBe(204)
  })

  it('requires a code for one’s own account, even from administrators', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await enableSecondFactor(service, admin)
    expect((await disable(undefined, admin)).body.reason).toBe('otp_required')
    expect(await isOn(admin.user.id)).toBe(true)
  })
})

describe('the second factor of another user', () => {
  it('cannot be enabled or synchronized by anyone', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { key, code } = newAuthenticator()
    const withOwn = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, withOwn)
    for (const { bearer } of [admin, withOwn])
      for (const id of [person.user.id, 2147483647]) {
        const setUp = { bearer, body: { key, otp: code() } }
        expect((await service.client('POST', pathOf(id), setUp)).status).toBe(404)
        const synchronization = { bearer, body: { otp: authenticator.code(1) } }
        expect((await service.client('PUT', pathOf(id), synchronization)).status).toBe(404)
      }
    expect(await isOn()).toBe(false)
    expect(await isOn(admin.user.id)).toBe(false)
    expect((await sync(authenticator.code(1), withOwn)).body).toEqual({ drift: 1 })
  })
})

it('rejects credentials of other kinds in all three operations', async () => {
  const { authenticator } = await enableSecondFactor(service, person)
  wait(30)
  const bearers = (['api_token', 'reset_token', 'auth_ticket', 'access_token'] as const).map(
    (kind) => mintCredential(kind, person.user.id).value,
  )
  for (const bearer of [...bearers, '']) {
    const caller = { ...person, bearer }
    expect((await enable({ key: authenticator.key, otp: authenticator.code() }, caller)).status).toBe(401)
    expect((await sync(authenticator.code(), caller)).status).toBe(401)
    expect((await disable(authenticator.code(), caller)).status).toBe(401)
  }
})
