import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendOnce } from '../../functions/access-tokens/mail-once.ts'
import { proveSecondFactor } from '../../lib/accounts/sign-in/second-factor.ts'
import { editUser, editUserEndingSessions, findUser } from '../../lib/store/directory/users.ts'
import { auditPartition } from '../../lib/store/engine/keys.ts'
import { openTable, type Table } from '../../lib/store/engine/table.ts'
import type { TotpState, UserRecord } from '../../lib/store/records/user-record.ts'
import { endAllSessions } from '../../lib/store/sign-in/sessions.ts'
import { startProxy, type TableCall } from '../infra/dynamodb-proxy.ts'
import { enableSecondFactor, type SecondFactor } from '../support/authenticator.ts'
import { addSharer, mailLink, shareLink } from '../support/mailed-links.ts'
import { addPerson, addSignedIn, type Person, signIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/*
 * Between the service and the engine stands a proxy: a test has it refuse a transaction, or does something itself at
 * the very moment that one arrives. Whatever comes of it, a code or a new password is used up together with what it
 * was sent for, or not at all.
 */

const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
let service: TestService
let proxy: Awaited<ReturnType<typeof startProxy>>
/** A table that no proxy is in front of. */
let table: Table
let meddle: (text: string) => Promise<boolean | undefined> | boolean | undefined = () => undefined
let person: Person & { readonly bearer: string }
let authenticator: SecondFactor['authenticator']
let recoveryCodes: readonly string[]

beforeAll(async () => {
  const refuse = async ({ action, input }: TableCall) =>
    action === 'TransactWriteItems' && (await meddle(JSON.stringify(input))) ? 'cut off' : undefined
  proxy = await startProxy({ endpoint, refuse })
  service = await startService({ DYNAMODB_ENDPOINT: proxy.url })
  table = openTable({ tableName: service.tableName, endpoint })
})
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  person = await addSignedIn(service)
  ;({ authenticator, recoveryCodes } = await enableSecondFactor(service, person))
  vi.setSystemTime(Date.now() + 60_000)
})
afterEach(() => {
  meddle = () => undefined
  vi.useRealTimers()
})
afterAll(async () => {
  await service.close()
  await proxy.close()
  process.env['DYNAMODB_ENDPOINT'] = endpoint
})

/** Refuses the next so many transactions in which the text stands. */
const refuseNext = (text: string, count = 1): void => {
  let left = count
  meddle = (steps) => steps.includes(text) && left-- > 0
}
/** Does something when such a transaction arrives, the first one or each, and lets it pass then. */
const meanwhile = (text: string, act: () => Promise<unknown>, most = 1): (() => number) => {
  let times = 0
  meddle = async (steps) => {
    if (!steps.includes(text) || times >= most) return undefined
    times += 1
    await act()
    return false
  }
  return () => times
}
const stored = async (): Promise<UserRecord & { totp: TotpState }> =>
  (await findUser(table, person.user.id)) as UserRecord & { totp: TotpState }
const eventsOf = async () =>
  (await table.list(auditPartition(new Date().toISOString()), ''))
    .filter(({ user }) => user === person.user.id)
    .map(({ event, outcome }) => `${event} ${outcome}`)
const newPassword = 'a new and better one'
const login = (fields: object) =>
  service.client('POST', '/api/2/auth/login', {
    body: { username: person.user.username, password: person.password, ...fields },
  })
const change = (current_otp: string | undefined, password = newPassword) =>
  service.client('POST', '/api/2/users/me/password', {
    bearer: person.bearer,
    body: { password, current_password: person.password, current_otp },
  })
const turnOff = (otp: string) =>
  service.client('DELETE', `/api/2/users/${person.user.id}/totp?otp=${otp}`, { bearer: person.bearer })
const me = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const bothKinds = [
  ['a code of the authenticator', () => authenticator.code()],
  ['a recovery code', () => recoveryCodes[0] ?? ''],
] as const
const renamed = async () => editUser(table, await stored(), { fullName: 'Somebody Else' })
const passwordSetByAdmin = async () => {
  const { passwordHash } = (await addPerson(service, {}, 'set by an administrator')).user
  await editUserEndingSessions(table, await stored(), { passwordHash })
}
const isUntouched = async (before: UserRecord & { totp: TotpState }) => {
  const { totp, passwordHash, credentialEpoch } = await stored()
  expect({ totp, passwordHash, credentialEpoch }).toEqual({
    totp: before.totp,
    passwordHash: before.passwordHash,
    credentialEpoch: before.credentialEpoch,
  })
}

describe('a sign-in', () => {
  it.each(bothKinds)(
    'whose last transaction fails leaves %s and the password as they were',
    async (_, otp) => {
      const [before, code] = [await stored(), otp()]
      for (const fields of [{ otp: code }, { otp: code, new_password: newPassword }]) {
        refuseNext('login.succeeded')
        expect((await login(fields)).status).toBe(500)
        await isUntouched(before)
      }
      const again = await login({ otp: code, new_password: newPassword })
      expect(again.status).toBe(200)
      expect(await me(again.body.session_key)).toBe(200)
      expect((await login({ otp: code, password: newPassword })).body.reason).toBe('otp_invalid')
      const events = await eventsOf()
      expect(events.filter((event) => event === 'password.changed succeeded')).toHaveLength(1)
      expect(events.filter((event) => event.startsWith('totp.recovery_code_used')).length).toBeLessThan(2)
    },
  )

  it.each(bothKinds)(
    'with %s and a new password goes through while the profile is edited',
    async (_, otp) => {
      const code = otp()
      const times = meanwhile('password.changed', renamed, 20)
      const answer = await login({ otp: code, new_password: newPassword })
      expect(answer.status).toBe(200)
      expect(times()).toBeGreaterThan(0)
      meddle = () => undefined
      expect(await me(answer.body.session_key)).toBe(200)
      expect(await me(person.bearer)).toBe(401)
      expect((await stored()).fullName).toBe('Somebody Else')
      expect((await login({})).status).toBe(401)
      expect((await login({ password: newPassword, otp: code })).body.reason).toBe('otp_invalid')
    },
  )

  it('makes an edit lose that began before its new password, so that no session comes back to life', async () => {
    const old = await stored()
    expect((await login({ otp: authenticator.code(), new_password: newPassword })).status).toBe(200)
    await expect(editUser(table, old, { fullName: 'Late' })).rejects.toThrow('changed in between')
    expect(await me(person.bearer)).toBe(401)
  })

  it.each(bothKinds)('is one with a wrong password once that was set anew, and keeps %s', async (_, otp) => {
    const [code, { totp }] = [otp(), await stored()]
    meanwhile('login.succeeded', passwordSetByAdmin)
    const answer = await login({ otp: code, new_password: newPassword })
    expect(answer.body).toMatchObject({ status: 401, code: 'login_failed', reason: 'invalid_credentials' })
    expect(await eventsOf()).toContain('login.failed invalid_credentials')
    expect((await stored()).totp).toEqual(totp)
    expect((await login({ otp: code, password: 'set by an administrator' })).status).toBe(200)
  })

  it('at the moment when all sessions are ended opens one that works', async () => {
    meanwhile('login.succeeded', () => endAllSessions(table, person.user.id, []))
    const answer = await login({ otp: authenticator.code() })
    expect(answer.status).toBe(200)
    expect(await me(answer.body.session_key)).toBe(200)
  })

  it('is asked for the second factor that is turned on at this moment, and changes nothing', async () => {
    person = await addSignedIn(service)
    meanwhile('login.succeeded', () => enableSecondFactor(service, person))
    const answer = await login({ new_password: newPassword })
    expect(answer.body).toMatchObject({ status: 403, reason: 'otp_required' })
    expect((await stored()).passwordHash).toBe(person.user.passwordHash)
  })

  it('never passes by a code that was used at this moment', async () => {
    const code = authenticator.code()
    meanwhile('login.succeeded', async () => expect((await login({ otp: code })).status).toBe(200))
    const answer = await login({ otp: code, new_password: newPassword })
    expect(answer.body).toMatchObject({ status: 403, reason: 'otp_invalid' })
    expect((await stored()).passwordHash).toBe(person.user.passwordHash)
    expect(await eventsOf()).toContain('login.failed otp_invalid')
  })

  it('of fifty at a moment with one code and new passwords opens one session, and tells all others why not', async () => {
    const [otp] = recoveryCodes
    const words = Array.from({ length: 50 }, (_, at) => `a new and better one, ${at}`)
    const answers = await Promise.all(words.map((new_password) => login({ otp, new_password })))
    const winners = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []))
    expect(winners).toHaveLength(1)
    for (const { status } of answers) expect([200, 401, 403, 429]).toContain(status)
    expect(await me(answers[winners[0] ?? 0]?.body.session_key)).toBe(200)
  })
})

describe('a change of the own password', () => {
  it.each(bothKinds)('that fails leaves %s as it was', async (_, otp) => {
    const [before, code] = [await stored(), otp()]
    refuseNext('password.changed')
    expect((await change(code)).status).toBe(500)
    await isUntouched(before)
    expect((await change(code)).status).toBe(204)
    expect(await me(person.bearer)).toBe(200)
  })

  it.each(bothKinds)('with %s goes through while the profile is edited', async (_, otp) => {
    const other = (await login({ otp: authenticator.code(-1) })).body.session_key
    const times = meanwhile('password.changed', renamed, 20)
    expect((await change(otp())).status).toBe(204)
    expect(times()).toBeGreaterThan(0)
    expect((await stored()).fullName).toBe('Somebody Else')
    expect([await me(person.bearer), await me(other)]).toEqual([200, 401])
  })

  it('at the moment when an administrator sets one is a conflict that uses nothing up', async () => {
    const { totp } = await stored()
    meanwhile('password.changed', passwordSetByAdmin)
    expect((await change(recoveryCodes[0])).body.code).toBe('conflict')
    expect((await stored()).totp).toEqual(totp)
    expect(await me(person.bearer)).toBe(401)
  })

  it('after a sign-out at this moment changes nothing, and opens nothing again', async () => {
    const before = await stored()
    const signOut = () => service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    meanwhile('password.changed', signOut)
    expect((await change(recoveryCodes[0])).status).toBe(409)
    await isUntouched(before)
    expect(await me(person.bearer)).toBe(401)
  })

  it('never passes by a code that was used at this moment', async () => {
    const [code = ''] = recoveryCodes
    meanwhile('password.changed', async () => expect((await login({ otp: code })).status).toBe(200))
    expect((await change(code)).body.reason).toBe('otp_invalid')
    expect((await stored()).passwordHash).toBe(person.user.passwordHash)
  })
})

describe('turning the own second factor off', () => {
  it.each(bothKinds)('that fails leaves %s as it was', async (_, otp) => {
    const [before, code] = [await stored(), otp()]
    refuseNext('totp.disabled')
    expect((await turnOff(code)).status).toBe(500)
    await isUntouched(before)
    expect((await turnOff(code)).status).toBe(204)
    expect((await stored()).totp).toBe(null)
  })

  it.each(bothKinds)('never passes by %s that was used at this moment', async (_, otp) => {
    const code = otp()
    meanwhile('totp.disabled', async () => expect((await login({ otp: code })).status).toBe(200))
    expect((await turnOff(code)).body.reason).toBe('otp_invalid')
    expect((await stored()).totp).not.toBe(null)
  })
})

describe('while something else is out of order, no limit is used up:', () => {
  it('that of guesses at codes, when no key can be decrypted', async () => {
    const decrypt = () => Promise.reject(new Error('no answer'))
    const broken = { ...service.services, vault: { ...service.services.vault, decrypt } }
    const context = { address: '192.0.2.1', userAgent: '', requestId: 'r', actor: null, at: Date.now() }
    const user = await stored()
    for (let time = 0; time < 8; time++)
      await expect(proveSecondFactor(broken, user, authenticator.code(), context)).rejects.toThrow(
        'no answer',
      )
    expect((await login({ otp: authenticator.code() })).status).toBe(200)
    for (let time = 0; time < 5; time++) expect((await login({ otp: '000' })).status).toBe(403)
    expect((await login({ otp: '000' })).status).toBe(429)
  })

  it('those of mailed links, when the letter can’t be written', async () => {
    const sharer = await addSharer(service)
    const email = `${sharer.user.id}@example.org`
    const link = await shareLink(service, sharer, { email })
    const mail = {
      tokenId: link.id,
      senderId: sharer.user.id,
      normalizedEmail: email,
      subject: 's',
      text: 't',
    }
    const context = { address: '192.0.2.1', userAgent: '', requestId: 'r', actor: sharer.user.id, at: 0 }
    const limits = service.services.config.rateLimits
    const few = { ...limits.linkMailsPerUser, max: 4 }
    const services = {
      ...service.services,
      config: { ...service.services.config, rateLimits: { ...limits, linkMailsPerUser: few } },
    }
    const write = () => Promise.reject(new Error('no answer'))
    for (let time = 0; time < limits.linkMailsPerRecipient.max + 2; time++)
      await expect(sendOnce(services, { mail, context, recipient: link.user.id }, write)).rejects.toThrow(
        'no answer',
      )
    expect((await mailLink(service, sharer, link.id)).status).toBe(204)
  })

  it('that of reset mails, when their link can’t be stored', async () => {
    person = await addSignedIn(service, { email: `reset-${person.user.id}@example.com` })
    refuseNext('password.reset_link_made', 4)
    const body = { username: person.user.username }
    expect((await service.client('POST', '/api/2/auth/reset-password/request', { body })).status).toBe(204)
    const mail = await service.mailbox.mailTo(person.user.email ?? '')
    expect(mail.text).toContain('/reset#token=')
  })
})

it('an outdated hash is renewed in the transaction of a sign-in, of many at a moment without a failure', async () => {
  const { hashPassword } = await import('../../lib/secrets/passwords.ts')
  person = await addSignedIn(service)
  const passwordHash = await hashPassword(person.password, 5)
  await editUser(table, await stored(), { passwordHash })
  const answers = await Promise.all(Array.from({ length: 10 }, () => login({})))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers.length).toBe(10)
  expect((await stored()).passwordHash).not.toBe(passwordHash)
  expect(await me(await signIn(service, person))).toBe(200)
})
