import { hash } from 'bcryptjs'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endAllSessions } from '../../lib/accounts/sessions/end-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { TotpState, UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import { sendOnce } from '../../lib/features/access-links/send-email.use-cases.ts'
import { proveSecondFactor } from '../../lib/features/second-factor/rules.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import { EditConflict } from '../../lib/kernel/table/transaction.ts'
import { startProxy, type TableCall } from '../infra/dynamodb-proxy.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor, type SecondFactor } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addSharer, mailLink, shareLink } from '../support/mailed-links.ts'
import { addPerson, addSignedIn, type SignedInPerson, signIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * A proxy sits between the service and the engine. A test can make it reject a transaction, or act right before one is
 * forwarded. A code or a new password must be used up in the same transaction as the request it was sent for.
 */

const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
let intercept: (text: string) => Promise<boolean | undefined> | boolean | undefined = () => undefined
const refuse = async ({ action, input }: TableCall) =>
  action === 'TransactWriteItems' && (await intercept(JSON.stringify(input))) ? 'cut off' : undefined
const proxy = closeAfterTests(await startProxy({ endpoint, refuse }))
const service = await useService({ DYNAMODB_ENDPOINT: proxy.url })

/** The same table, without the proxy. */
const table = openTable({ tableName: service.tableName, endpoint })
let person: SignedInPerson
let authenticator: SecondFactor['authenticator']
let recoveryCodes: readonly string[]
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  person = await addSignedIn(service)
  ;({ authenticator, recoveryCodes } = await enableSecondFactor(service, person))
  vi.setSystemTime(Date.now() + 60_000)
})
afterEach(() => {
  intercept = () => undefined
  vi.useRealTimers()
})
afterAll(async () => {
  process.env['DYNAMODB_ENDPOINT'] = endpoint
})

/** Rejects the next `count` transactions that contain the text. */
const rejectNext = (text: string, count = 1): void => {
  let left = count
  intercept = (steps) => steps.includes(text) && left-- > 0
}
/** Acts before each of the first `most` transactions that contain the text, then forwards them. Returns a counter. */
const actBefore = (text: string, act: () => Promise<unknown>, most = 1): (() => number) => {
  let times = 0
  intercept = async (steps) => {
    if (!steps.includes(text) || times >= most) return undefined
    times += 1
    await act()
    return false
  }
  return () => times
}
const readUser = async (): Promise<UserRecord & { totp: TotpState }> =>
  (await findUser(table, person.user.id)) as UserRecord & { totp: TotpState }
const eventsOf = async () =>
  (await readAuditItems(table))
    .filter(({ user }) => user === person.user.id)
    .map(({ event, outcome }) => `${event} ${outcome}`)
const newPassword = 'a new and better one'
const login = (fields: object) => trySignIn(service, person, fields)
const changePassword = (current_otp: string | undefined, password = newPassword) =>
  service.client('POST', '/api/2/users/me/password', {
    bearer: person.bearer,
    body: { password, current_password: person.password, current_otp },
  })
const disableTotp = (otp: string) =>
  service.client('DELETE', `/api/2/users/${person.user.id}/totp?otp=${otp}`, { bearer: person.bearer })
const me = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const bothKinds = [
  ['a code of the authenticator', () => authenticator.code()],
  ['a recovery code', () => recoveryCodes[0] ?? ''],
] as const
const renameUser = async () => editUser(table, await readUser(), { full_name: 'Somebody Else' })
const setPasswordAsAdmin = async () => {
  const { passwordHash } = (await addPerson(service, {}, 'set by an administrator')).user
  await editUserEndingSessions(table, await readUser(), { passwordHash })
}
const expectUnchanged = async (before: UserRecord & { totp: TotpState }) => {
  const { totp, passwordHash, credentialEpoch } = await readUser()
  expect({ totp, passwordHash, credentialEpoch }).toEqual({
    totp: before.totp,
    passwordHash: before.passwordHash,
    credentialEpoch: before.credentialEpoch,
  })
}

describe('a sign-in', () => {
  it.each(bothKinds)(
    'whose last transaction fails uses up neither %s nor the new password',
    async (_, otp) => {
      const [before, code] = [await readUser(), otp()]
      for (const fields of [{ otp: code }, { otp: code, new_password: newPassword }]) {
        rejectNext('login.succeeded')
        expect((await login(fields)).status).toBe(500)
        await expectUnchanged(before)
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

  it.each(bothKinds)('with %s and a new password succeeds while the profile is edited', async (_, otp) => {
    const code = otp()
    const countCalls = actBefore('password.changed', renameUser, 20)
    const answer = await login({ otp: code, new_password: newPassword })
    expect(answer.status).toBe(200)
    expect(countCalls()).toBeGreaterThan(0)
    intercept = () => undefined
    expect(await me(answer.body.session_key)).toBe(200)
    expect(await me(person.bearer)).toBe(401)
    expect((await readUser()).full_name).toBe('Somebody Else')
    expect((await login({})).status).toBe(401)
    expect((await login({ password: newPassword, otp: code })).body.reason).toBe('otp_invalid')
  })

  it('with a new password makes an earlier edit fail, so that no session is restored', async () => {
    const old = await readUser()
    expect((await login({ otp: authenticator.code(), new_password: newPassword })).status).toBe(200)
    await expect(editUser(table, old, { full_name: 'Late' })).rejects.toBeInstanceOf(EditConflict)
    expect(await me(person.bearer)).toBe(401)
  })

  it.each(bothKinds)(
    'fails with a wrong password if the password is changed concurrently, and does not use up %s',
    async (_, otp) => {
      const [code, { totp }] = [otp(), await readUser()]
      actBefore('login.succeeded', setPasswordAsAdmin)
      const answer = await login({ otp: code, new_password: newPassword })
      expect(answer.body).toMatchObject({ status: 401, code: 'login_failed', reason: 'invalid_credentials' })
      expect(await eventsOf()).toContain('login.failed invalid_credentials')
      expect((await readUser()).totp).toEqual(totp)
      expect((await login({ otp: code, password: 'set by an administrator' })).status).toBe(200)
    },
  )

  it('opens a working session if all sessions are ended concurrently', async () => {
    actBefore('login.succeeded', () => endAllSessions(table, person.user, []))
    const answer = await login({ otp: authenticator.code() })
    expect(answer.status).toBe(200)
    expect(await me(answer.body.session_key)).toBe(200)
  })

  it('requires a second factor that is turned on concurrently, and changes nothing', async () => {
    person = await addSignedIn(service)
    actBefore('login.succeeded', () => enableSecondFactor(service, person))
    const answer = await login({ new_password: newPassword })
    expect(answer.body).toMatchObject({ status: 403, reason: 'otp_required' })
    expect((await readUser()).passwordHash).toBe(person.user.passwordHash)
  })

  it('fails with a code that is used concurrently', async () => {
    const code = authenticator.code()
    actBefore('login.succeeded', async () => expect((await login({ otp: code })).status).toBe(200))
    const answer = await login({ otp: code, new_password: newPassword })
    expect(answer.body).toMatchObject({ status: 403, reason: 'otp_invalid' })
    expect((await readUser()).passwordHash).toBe(person.user.passwordHash)
    expect(await eventsOf()).toContain('login.failed otp_invalid')
  })

  it('succeeds exactly once for 50 concurrent requests with one code and new passwords', async () => {
    const [otp] = recoveryCodes
    const passwords = Array.from({ length: 50 }, (_, at) => `a new and better one, ${at}`)
    const answers = await Promise.all(passwords.map((new_password) => login({ otp, new_password })))
    const winners = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []))
    expect(winners).toHaveLength(1)
    for (const { status } of answers) expect([200, 401, 403, 429]).toContain(status)
    expect(await me(answers[winners[0] ?? 0]?.body.session_key)).toBe(200)
  })
})

describe('a change of one’s own password', () => {
  it.each(bothKinds)('that fails does not use up %s', async (_, otp) => {
    const [before, code] = [await readUser(), otp()]
    rejectNext('password.changed')
    expect((await changePassword(code)).status).toBe(500)
    await expectUnchanged(before)
    expect((await changePassword(code)).status).toBe(204)
    expect(await me(person.bearer)).toBe(200)
  })

  it.each(bothKinds)('with %s succeeds while the profile is edited', async (_, otp) => {
    const other = (await login({ otp: authenticator.code(-1) })).body.session_key
    const countCalls = actBefore('password.changed', renameUser, 20)
    expect((await changePassword(otp())).status).toBe(204)
    expect(countCalls()).toBeGreaterThan(0)
    expect((await readUser()).full_name).toBe('Somebody Else')
    expect([await me(person.bearer), await me(other)]).toEqual([200, 401])
  })

  it('is a conflict that uses nothing up if an administrator sets a password concurrently', async () => {
    const { totp } = await readUser()
    actBefore('password.changed', setPasswordAsAdmin)
    expect((await changePassword(recoveryCodes[0])).body.code).toBe('conflict')
    expect((await readUser()).totp).toEqual(totp)
    expect(await me(person.bearer)).toBe(401)
  })

  it('changes nothing if the session is signed out concurrently', async () => {
    const before = await readUser()
    const signOut = () => service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    actBefore('password.changed', signOut)
    expect((await changePassword(recoveryCodes[0])).status).toBe(409)
    await expectUnchanged(before)
    expect(await me(person.bearer)).toBe(401)
  })

  it('fails with a code that is used concurrently', async () => {
    const [code = ''] = recoveryCodes
    actBefore('password.changed', async () => expect((await login({ otp: code })).status).toBe(200))
    expect((await changePassword(code)).body.reason).toBe('otp_invalid')
    expect((await readUser()).passwordHash).toBe(person.user.passwordHash)
  })
})

describe('turning off one’s own second factor', () => {
  it.each(bothKinds)('does not use up %s if it fails', async (_, otp) => {
    const [before, code] = [await readUser(), otp()]
    rejectNext('totp.disabled')
    expect((await disableTotp(code)).status).toBe(500)
    await expectUnchanged(before)
    expect((await disableTotp(code)).status).toBe(204)
    expect((await readUser()).totp).toBe(null)
  })

  it.each(bothKinds)('fails with %s that is used concurrently', async (_, otp) => {
    const code = otp()
    actBefore('totp.disabled', async () => expect((await login({ otp: code })).status).toBe(200))
    expect((await disableTotp(code)).body.reason).toBe('otp_invalid')
    expect((await readUser()).totp).not.toBe(null)
  })
})

describe('a failure elsewhere', () => {
  it('does not use up guesses at codes when the key cannot be decrypted', async () => {
    const decrypt = () => Promise.reject(new Error('no answer'))
    const broken = { ...service.services, vault: { ...service.services.vault, decrypt } }
    const context = { address: '192.0.2.1', userAgent: '', requestId: 'r', actor: null, at: Date.now() }
    const user = await readUser()
    for (let time = 0; time < 8; time++)
      await expect(proveSecondFactor(broken, user, authenticator.code(), context)).rejects.toThrow(
        'no answer',
      )
    expect((await login({ otp: authenticator.code() })).status).toBe(200)
    for (let time = 0; time < 5; time++) expect((await login({ otp: '000' })).status).toBe(403)
    expect((await login({ otp: '000' })).status).toBe(429)
  })

  it('does not use up the limit of link emails when the email cannot be written', async () => {
    const sharer = await addSharer(service)
    const email = `${sharer.user.id}@example.org`
    const link = await shareLink(service, sharer, { email })
    const mail = {
      linkId: link.id,
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

  it('does not use up the limit of reset emails when the reset link cannot be stored', async () => {
    person = await addSignedIn(service, { email: `reset-${person.user.id}@example.com` })
    rejectNext('password.reset_link_made', 4)
    const body = { username: person.user.username }
    expect((await service.client('POST', '/api/2/auth/reset-password/request', { body })).status).toBe(204)
    const mail = await service.mailbox.mailTo(person.user.email ?? '')
    expect(mail.text).toContain('/reset#token=')
  })
})

it('updates an outdated hash in the transaction of a sign-in, without failing any of 10 concurrent ones', async () => {
  person = await addSignedIn(service)
  // Outdated by its scheme: the hash of an imported user.
  const passwordHash = await hash(person.password, 4)
  await editUser(table, await readUser(), { passwordHash })
  const answers = await Promise.all(Array.from({ length: 10 }, () => login({})))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))

  expect((await readUser()).passwordHash).not.toBe(passwordHash)
  expect(await me(await signIn(service, person))).toBe(200)
})
