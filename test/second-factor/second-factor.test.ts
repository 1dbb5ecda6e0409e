import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildUserStep } from '../../lib/accounts/users/build-user-step.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { TotpState, UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { proveSecondFactor } from '../../lib/features/second-factor/rules.ts'
import {
  removeTotp,
  useCode,
  useRecoveryCode,
  useStep,
} from '../../lib/features/second-factor/totp.records.ts'
import { findRecoveryCode } from '../../lib/kernel/secrets/recovery-codes.ts'
import { ConditionFailed } from '../../lib/kernel/table/transaction.ts'
import { enableSecondFactor, type SecondFactor } from '../support/authenticator.ts'
import { addSignedIn, type SignedInPerson, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
let person: SignedInPerson
let authenticator: SecondFactor['authenticator']
let recoveryCodes: readonly string[]
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  person = await addSignedIn(service)
  ;({ authenticator, recoveryCodes } = await enableSecondFactor(service, person))
  wait(minute)
})
afterAll(() => vi.useRealTimers())

const minute = 60
const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const login = (otp?: unknown, password = person.password) =>
  trySignIn(service, { ...person, password }, { otp })
const statusOf = async (otp?: unknown) => (await login(otp)).status
const reasonOf = async (otp?: unknown) => (await login(otp)).body.reason
const readUser = async (): Promise<UserRecord & { totp: TotpState }> => {
  const user = await findUser(service.services.table, person.user.id)
  if (!user?.totp) throw new Error('the second factor is off')
  return { ...user, totp: user.totp }
}
const contextFrom = (address: string) => ({
  address,
  userAgent: '',
  requestId: 'request',
  actor: null,
  at: Date.now(),
})

describe('a sign-in with a second factor', () => {
  it('asks for a code if there is none, any number of times', async () => {
    for (const otp of [undefined, null, '', ' ', undefined, null, '', ' '])
      expect((await login(otp)).body).toMatchObject({
        status: 403,
        code: 'login_incomplete',
        reason: 'otp_required',
      })
    expect(await statusOf(authenticator.code())).toBe(200)
  })

  it('reveals nothing and uses up no code if the password is wrong', async () => {
    for (const otp of [undefined, '000000', authenticator.code(), recoveryCodes[0]]) {
      const { status, body } = await login(otp, 'wrong password')
      expect([status, body.code, body.reason]).toEqual([401, 'login_failed', 'invalid_credentials'])
    }
    expect(await statusOf(authenticator.code())).toBe(200)
    expect(await statusOf(recoveryCodes[0])).toBe(200)
  })

  it.each([
    '12345',
    '1234567',
    'abcdef',
    '１２３４５６',
    '٠٠٠٠٠٠',
    '000000\u0000',
    '0x0000',
    '-00001',
    '1e5',
    '[object Object]',
    '9'.repeat(60_000),
    '9'.repeat(16),
    'zzzz-zzzz-zzzz-zzzz',
  ])('rejects %j', async (otp) => {
    expect((await login(otp)).body).toMatchObject({ status: 403, reason: 'otp_invalid' })
  })

  it.each([[123456], [['123456']], [{ $gt: '' }], [true]])(
    'rejects %j, which is not a string',
    async (otp) => {
      expect((await login(otp)).body).toMatchObject({ status: 400, errors: [{ field: 'otp' }] })
    },
  )

  it('accepts a code in two groups of digits', async () => {
    expect(await statusOf(authenticator.code().replace(/^.../, '$& '))).toBe(200)
  })

  it('accepts the code of the step before and after, and no others', async () => {
    for (const ahead of [-2, 2]) expect(await reasonOf(authenticator.code(ahead))).toBe('otp_invalid')
    expect(await statusOf(authenticator.code(-1))).toBe(200)
    wait(15 * minute)
    expect(await statusOf(authenticator.code(0))).toBe(200)
    wait(15 * minute)
    expect(await statusOf(authenticator.code(1))).toBe(200)
  })

  it('accepts a code once, and no code of an earlier step after it', async () => {
    const [before, used, after] = [-1, 0, 1].map((ahead) => authenticator.code(ahead))
    expect(await statusOf(used)).toBe(200)
    for (const otp of [used, before]) expect(await reasonOf(otp)).toBe('otp_invalid')
    expect(await statusOf(after)).toBe(200)
    wait(30)
    expect(await reasonOf(after)).toBe('otp_invalid')
  })

  it('accepts the same code again after a required or rejected new password', async () => {
    const signIn = (otp: string, new_password?: string) => trySignIn(service, person, { otp, new_password })
    await editUser(service.services.table, await readUser(), { password_change_required: true })
    const code = authenticator.code()
    for (let times = 0; times < 3; times++)
      expect((await signIn(code)).body).toMatchObject({ status: 403, reason: 'password_change_required' })
    expect((await signIn(code, 'short')).body.code).toBe('password_rejected')
    expect((await signIn(code, 'a new and better one')).status).toBe(200)
    expect((await signIn(code, 'a third one, even better')).status).toBe(401)
    person = { ...person, password: 'a new and better one' }
    expect(await reasonOf(code)).toBe('otp_invalid')
  })

  it('uses up no recovery code if the new password is rejected', async () => {
    const [code = ''] = recoveryCodes
    const change = (password: string) =>
      service.client('POST', '/api/2/users/me/password', {
        bearer: person.bearer,
        body: { password, current_password: person.password, current_otp: code },
      })
    expect((await change('short')).body.code).toBe('password_rejected')
    expect((await change('a new and better one')).status).toBe(204)
    expect(Object.keys((await readUser()).totp.recoveryCodes)).toHaveLength(9)
  })

  it('names the field of a missing code in a password change', async () => {
    const { body } = await service.client('POST', '/api/2/users/me/password', {
      bearer: person.bearer,
      body: { password: 'a new and better one', current_password: person.password },
    })
    expect(body).toMatchObject({ reason: 'otp_required', detail: expect.stringContaining('current_otp') })
  })

  it('does not change the version of the user, so that profile edits do not conflict', async () => {
    const { version } = await readUser()
    await login(authenticator.code())
    await login(recoveryCodes[0])
    expect((await readUser()).version).toBe(version)
  })
})

describe('the clock drift', () => {
  it.each([1, -1])('is learned in steps of %i, up to ten', async (direction) => {
    for (let steps = 1; steps <= 10; steps++) {
      wait(10 * minute)
      expect(await statusOf(authenticator.code(direction * steps)), `${steps} steps`).toBe(200)
    }
    expect((await readUser()).totp.driftSteps).toBe(10 * direction)
    wait(10 * minute)
    expect(await reasonOf(authenticator.code(11 * direction))).toBe('otp_invalid')
    expect(await reasonOf(authenticator.code(0))).toBe('otp_invalid')
    expect(await statusOf(authenticator.code(9 * direction))).toBe(200)
  })

  it('is not learned from recovery codes or rejected codes', async () => {
    await login(authenticator.code(3))
    await login(recoveryCodes[0])
    expect((await readUser()).totp.driftSteps).toBe(0)
  })
})

describe('50 concurrent requests', () => {
  const repeat50 = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: 50 }, call))

  it('with one code open one session', async () => {
    const otp = authenticator.code()
    const answers = await repeat50(() => login(otp))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 403, 429]).toContain(status)
  })

  it('with one recovery code open one session', async () => {
    const answers = await repeat50(() => login(recoveryCodes[4]))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(Object.keys((await readUser()).totp.recoveryCodes)).toHaveLength(9)
  })

  it('use a time step once and a recovery code once, even without the rate limit', async () => {
    const { table } = service.services
    const user = await readUser()
    const step = user.totp.lastStep + 1
    const use = { step, driftSteps: 0, latestStep: step + 1 }
    const steps = await repeat50(() => useCode(table, user, useStep(user.totp, use)))
    expect(steps.filter(Boolean)).toHaveLength(1)
    const stored = Object.keys(user.totp.recoveryCodes)
    const hash = (await findRecoveryCode(stored, recoveryCodes[0] ?? '')) ?? ''
    const codes = await repeat50(() => useCode(table, user, useRecoveryCode(user.totp, hash)))
    expect(codes.filter(Boolean)).toHaveLength(1)
  })
})

describe('a recovery code', () => {
  it('replaces a code once, in any format', async () => {
    for (const [at, code] of recoveryCodes.entries()) {
      wait(5)
      expect(await statusOf(at % 2 ? code : ` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(200)
    }
    wait(10 * minute)
    for (const code of recoveryCodes.slice(0, 4)) expect(await reasonOf(code)).toBe('otp_invalid')
    expect((await readUser()).totp.recoveryCodes).toEqual({})
    expect(await statusOf(authenticator.code())).toBe(200)
  })

  it('is valid only for its user', async () => {
    const other = await addSignedIn(service)
    const theirs = await enableSecondFactor(service, other)
    expect(await reasonOf(theirs.recoveryCodes[0])).toBe('otp_invalid')
  })

  it('is invalidated when the second factor is set up again', async () => {
    const [code = ''] = recoveryCodes
    const { client } = service
    const path = `/api/2/users/${person.user.id}/totp`
    const disabled = await client('DELETE', `${path}?otp=${recoveryCodes[1]}`, { bearer: person.bearer })
    expect(disabled.status).toBe(204)
    const renewed = await enableSecondFactor(service, person)
    expect(await reasonOf(code)).toBe('otp_invalid')
    expect(await statusOf(renewed.recoveryCodes[0])).toBe(200)
  })
})

describe('guesses at codes', () => {
  it('are counted for the user, not the address, and then block even the right code on unknown networks', async () => {
    const user = await readUser()
    const guess = (otp: string, at: number) =>
      proveSecondFactor(service.services, user, otp, contextFrom(`192.0.2.${at}`)).then(
        () => 'passed',
        ({ code, details }) => details.reason ?? code,
      )
    const wrong = ['nonsense', '000000', 'zzzz-zzzz-zzzz-zzzz', '１', 'x'.repeat(10_000)]
    for (const [at, otp] of wrong.entries()) expect(await guess(otp, at)).toBe('otp_invalid')
    expect(await guess(authenticator.code(), 6)).toBe('too_many_requests')
    // A recovery code cannot be guessed, and others do not shut out the owner on a known network.
    expect(await guess(recoveryCodes[0] ?? '', 7)).toBe('passed')
    expect(await statusOf(authenticator.code())).toBe(200)

    const other = await addSignedIn(service)
    const { recoveryCodes: theirs } = await enableSecondFactor(service, other)
    const body = { username: other.user.username, password: other.password, otp: theirs[0] }
    expect((await service.client('POST', '/api/2/auth/login', { body })).status).toBe(200)
  })

  it('are reset after the time in Retry-After', async () => {
    for (let guess = 0; guess < 5; guess++) await login('000')
    const refused = await login(authenticator.code())
    expect(refused.status).toBe(429)
    wait(Number(refused.headers.get('retry-after')))
    expect(await statusOf(authenticator.code())).toBe(200)
  })

  it('do not include right codes, so that frequent sign-ins are not blocked', async () => {
    for (let time = 0; time < 12; time++) {
      expect(await statusOf(authenticator.code())).toBe(200)
      wait(30)
    }
  })

  it('are not reset by a right code', async () => {
    for (let guess = 0; guess < 4; guess++) expect(await reasonOf('000')).toBe('otp_invalid')
    expect(await statusOf(authenticator.code())).toBe(200)
    expect(await reasonOf('000')).toBe('otp_invalid')
    expect(await statusOf(authenticator.code(1))).toBe(429)
  })
})

describe('a second factor that changed after the user was read', () => {
  it('is not proven by codes of the old one', async () => {
    const old = await readUser()
    const { table } = service.services
    const passes = async (otp = '') => {
      const { use } = await proveSecondFactor(service.services, old, otp, contextFrom('192.0.2.1'))
      return !use || (await useCode(table, old, use))
    }
    await removeTotp(table, old, { totp: old.totp }, [])
    expect(await passes(authenticator.code())).toBe(false)
    expect(await passes(recoveryCodes[0])).toBe(false)
    expect((await findUser(service.services.table, person.user.id))?.totp).toBe(null)

    const renewed = await enableSecondFactor(service, person)
    wait(30)
    expect(await passes(authenticator.code())).toBe(false)
    expect(await passes(recoveryCodes[0])).toBe(false)
    expect(await removeTotp(table, old, { totp: old.totp }, [])).toBe(false)
    expect(Object.keys((await readUser()).totp.recoveryCodes)).toHaveLength(10)
    wait(10 * minute)
    expect(await statusOf(renewed.authenticator.code())).toBe(200)
  })

  it('is not used up for a session with an old password', async () => {
    const old = await readUser()
    const { client, services } = service
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const path = `/api/2/users/${person.user.id}/password`
    const body = { password: 'set by an administrator' }
    expect((await client('POST', path, { bearer: admin.bearer, body })).status).toBe(204)
    const code = authenticator.code()
    const { use } = await proveSecondFactor(services, old, code, contextFrom('192.0.2.1'))
    const step = buildUserStep(old, {}, use ? [use.change] : [])
    await expect(services.table.transact([step])).rejects.toThrow(ConditionFailed)
    expect((await readUser()).totp.lastStep).toBe(old.totp.lastStep)
    expect((await login(code, body.password)).status).toBe(200)
  })
})

it('asks a user without a second factor for nothing, at no cost', async () => {
  const plain = await addSignedIn(service)
  const user = plain.user
  const proof = await proveSecondFactor(service.services, user, 'any code', contextFrom('192.0.2.1'))
  expect(proof).toEqual({ methods: [], extraSteps: [] })
})
