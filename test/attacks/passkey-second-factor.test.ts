import { beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import {
  addPasskey,
  confirmWithPasskey,
  type SoftwarePasskey,
  startPasskeySignIn,
} from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const limits = ['passkeyChallenges', 'lookUpFailures', 'addressFailures'].map((name) => `${name}=10000/60`)
const service = await useService({ RATE_LIMITS: limits.join(','), PASSKEY_USER_VERIFICATION: 'preferred' })
const manager = await addSignedIn(service, { permissions: ['users:manage'] })
let person: SignedInPerson
let passkey: SoftwarePasskey
beforeEach(async () => {
  person = await addSignedIn(service)
  passkey = (await addPasskey(service, person)).passkey
})

const settingsPath = '/api/2/users/me/passkeys/settings'
const setRequired = (isRequired: boolean, { bearer } = person) =>
  service.client('PUT', settingsPath, { bearer, body: { required_with_password: isRequired } })
const requirePasskey = async () => {
  await addPasskey(service, person)
  expect((await setRequired(true)).status).toBe(200)
}
const login = (extra: object = {}, { user, password } = person) =>
  trySignIn(service, { user, password }, extra)
const tokenOf = async (extra: object = {}): Promise<string> => {
  const { body } = await login(extra)
  expect(body).toMatchObject({ status: 403, code: 'login_incomplete', reason: 'passkey_required' })
  return body.second_factor_token
}
const complete = (credential: unknown, token: string | undefined) =>
  service.client('POST', '/api/2/auth/passkeys/login', {
    body: { credential, ...(token === undefined ? {} : { second_factor_token: token }) },
  })
const answer = async (token: string, key = passkey, deviation = {}) =>
  complete(key.get(await startPasskeySignIn(service, token), deviation), token)
const refused = { status: 401, reason: 'passkey_invalid' }

describe('requiring a passkey with the password', () => {
  it('is the choice of the user, who needs a spare factor', async () => {
    expect((await login()).status).toBe(200)
    expect((await service.client('GET', settingsPath, { bearer: person.bearer })).body).toEqual({
      required_with_password: false,
      rp_id: '127.0.0.1',
      user_handle: passkey.userHandle,
      credential_ids: [passkey.id.toString('base64url')],
    })
    expect((await setRequired(true)).body).toMatchObject({ status: 409, code: 'conflict' })
    await requirePasskey()
    expect((await login()).status).toBe(403)
    expect((await setRequired(false)).body.reason).toBe('reauthentication_required')
    await confirmWithPasskey(service, person, passkey)
    expect((await setRequired(false)).status).toBe(200)
    expect((await login()).status).toBe(200)
  })

  it('ends sessions that started without a passkey, except the current one', async () => {
    const other = (await login()).body.session_key
    await requirePasskey()
    expect((await service.client('GET', '/api/2/users/me', { bearer: other })).status).toBe(401)
    expect((await service.client('GET', '/api/2/users/me', { bearer: person.bearer })).status).toBe(200)
  })

  it('stops when the last passkey is removed', async () => {
    await requirePasskey()
    await confirmWithPasskey(service, person, passkey)
    const list = await service.client('GET', '/api/2/users/me/passkeys', { bearer: person.bearer })
    for (const { id } of list.body)
      await service.client('DELETE', `/api/2/users/me/passkeys/${id}`, { bearer: person.bearer })
    expect((await login()).status).toBe(200)
  })
})

describe('a password and a passkey', () => {
  beforeEach(requirePasskey)

  it('sign in together', async () => {
    const token = await tokenOf()
    const options = await startPasskeySignIn(service, token)
    expect(options.allowCredentials).toHaveLength(2)
    expect(options.userVerification).toBe('preferred')
    const { status, body } = await answer(token)
    expect(status).toBe(200)
    expect(body.user.id).toBe(person.user.id)
    const { table } = service.services
    const sessions = await table.list(`user#${person.user.id}`, 'session#')
    expect(sessions.map(({ authentication }) => authentication)).toContainEqual(
      expect.objectContaining({ methods: ['pwd', 'passkey'] }),
    )
  })

  it('sign in with a passkey that does not verify its user, which alone does not', async () => {
    expect((await answer(await tokenOf(), passkey, { isVerified: false })).status).toBe(200)
    const alone = passkey.get(await startPasskeySignIn(service), { isVerified: false })
    expect((await complete(alone, undefined)).body.reason).toBe('user_verification_required')
  })

  it('open one session for one password, also in parallel', async () => {
    const token = await tokenOf()
    const options = await Promise.all(Array.from({ length: 6 }, () => startPasskeySignIn(service, token)))
    const credentials = options.map((one) => passkey.get(one))
    const answers = await Promise.all(credentials.map((credential) => complete(credential, token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await answer(await tokenOf())).status).toBe(200)
    const start = await service.client('POST', '/api/2/auth/passkeys/options', {
      body: { second_factor_token: token },
    })
    expect(start.body).toMatchObject(refused)
  })

  it('never replace each other: a wrong password gives no token', async () => {
    const { body } = await login({ password: 'a wrong password' })
    expect(body).toMatchObject({ status: 401, code: 'login_failed' })
    expect(body).not.toHaveProperty('second_factor_token')
    expect((await login({ otp: '123456' })).body.reason).toBe('passkey_required')
  })

  it('must belong to the same user', async () => {
    const thief = await addSignedIn(service)
    const { passkey: own } = await addPasskey(service, thief)
    const token = await tokenOf()
    expect((await answer(token, own)).body.reason).toBe('passkey_unknown')
    expect((await answer(token, passkey, { userHandle: own.userHandle })).body).toMatchObject(refused)
  })

  it('must belong to one attempt', async () => {
    const [first, second] = [await tokenOf(), await tokenOf()]
    const forFirst = passkey.get(await startPasskeySignIn(service, first))
    expect((await complete(forFirst, second)).body).toMatchObject(refused)
    expect((await complete(forFirst, undefined)).body).toMatchObject(refused)
    const forSignIn = passkey.get(await startPasskeySignIn(service))
    expect((await complete(forSignIn, first)).body).toMatchObject(refused)
    expect((await complete(forFirst, first)).status).toBe(200)
  })

  it.each([
    ['empty', ''],
    ['made up', `lkf_${'0'.repeat(45)}`],
    ['very long', 'x'.repeat(10_000)],
  ])('fail with a token that is %s', async (_, token) => {
    const { status } = await complete(passkey.get(await startPasskeySignIn(service)), token)
    expect(status).toBe(token === '' ? 400 : 401)
  })

  it('fail when the token is late, or the sessions of the user were ended since', async () => {
    const late = await tokenOf()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_001 })
    const options = await startPasskeySignIn(service)
    const answerToLate = await complete(passkey.get(options), late)
    vi.useRealTimers()
    expect(answerToLate.body).toMatchObject(refused)
    const outdated = await tokenOf()
    const credential = passkey.get(await startPasskeySignIn(service, outdated))
    await service.client('DELETE', `/api/2/users/${person.user.id}/sessions`, { bearer: manager.bearer })
    expect((await complete(credential, outdated)).body).toMatchObject(refused)
  })

  it('fail from another network than that of the password', async () => {
    const token = await tokenOf()
    const credential = passkey.get(await startPasskeySignIn(service, token))
    const url = `${service.url}/api/2/auth/passkeys/login`
    const body = { credential, second_factor_token: token }
    expect((await postFrom(loopback(7), url, body)).body).toMatchObject(refused)
    expect(
      (await postFrom(loopback(8), url.replace('login', 'options'), { second_factor_token: token })).status,
    ).toBe(401)
    expect((await complete(credential, token)).status).toBe(200)
  })

  it('give a token that signs in nowhere else', async () => {
    const bearer = await tokenOf()
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    const { table } = service.services
    expect(JSON.stringify(await table.list(`user#${person.user.id}`, ''))).not.toContain(bearer)
    const events = (await readAuditItems(table)).filter(({ user }) => user === person.user.id)
    expect(events.map(({ outcome }) => outcome)).toContain('passkey_required')
  })

  it('set a new password only when both were right', async () => {
    const newPassword = 'a new long password of theirs'
    const token = await tokenOf({ new_password: newPassword })
    expect((await answer(token, passkey, { origin: 'https://attacker.example.com' })).status).toBe(401)
    expect((await login({ password: newPassword })).status).toBe(401)
    expect((await answer(token)).status).toBe(200)
    expect((await login()).status).toBe(401)
    expect((await login({ password: newPassword })).body.reason).toBe('passkey_required')
  })

  it('ask for a new password first if it must change, and then for the passkey', async () => {
    const table = service.services.table
    await table.update({ pk: `user#${person.user.id}`, sk: 'user' }, (x) => ({
      set: [`${x.path('password_change_required')} = ${x.value(true)}`],
    }))
    expect((await login()).body.reason).toBe('password_change_required')
    const token = await tokenOf({ new_password: 'a new long password of theirs' })
    expect((await answer(token)).body.user.password_change_required).toBe(false)
    expect((await findUser(table, person.user.id))?.password_change_required).toBe(false)
  })
})

describe('a user with an authenticator app and a passkey', () => {
  it('may use either after the password, and published clients see what they know', async () => {
    const { recoveryCodes } = await enableSecondFactor(service, person)
    const { body } = await login()
    expect(body).toMatchObject({ status: 403, code: 'login_incomplete', reason: 'otp_required' })
    expect((await answer(body.second_factor_token)).status).toBe(200)
    expect((await login({ otp: recoveryCodes[0] })).status).toBe(200)
    expect((await login({ otp: '000000' })).body).not.toHaveProperty('second_factor_token')
  })

  it('may sign in with the passkey alone, which is two factors', async () => {
    await enableSecondFactor(service, person)
    const { status } = await complete(passkey.get(await startPasskeySignIn(service)), undefined)
    expect(status).toBe(200)
  })
})
