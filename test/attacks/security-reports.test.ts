import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findApiTokens } from '../../lib/features/api-tokens/records.ts'
import { findPasskeys } from '../../lib/features/passkeys/records.ts'
import { mintCredential, parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { securityReportKey, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { awaitMails } from '../support/await-mails.ts'
import { flipBit } from '../support/flip-bit.ts'
import { statusesOf } from '../support/links.ts'
import type { ReceivedMail } from '../support/mailbox.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { awaitReportToken, reportChange } from '../support/security-emails.ts'
import { useService } from '../support/use-service.ts'

/* A thief has the password and a session of the victim. The victim reads the email about what the thief did. */

const minute = 60_000
const day = 24 * 60 * minute
const tokenCreated = 'An API token was created'
const emailChanged = 'Your email address was changed'
const service = await useService({ RATE_LIMITS: 'lookUpFailures=100/60' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
let victim: SignedInPerson
beforeEach(async () => {
  victim = await addSignedIn(service, {
    email: `${randomUUID()}@example.com`,
    permissions: ['users:manage', 'users:view'],
  })
})
afterEach(() => vi.useRealTimers())

const moveClock = (ms: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}
const createToken = async (bearer = victim.bearer): Promise<string> =>
  (await service.client('POST', '/api/2/api-tokens', { bearer, body: { name: 'mine' } })).body.token
const changeEmail = (email: string | null, bearer = victim.bearer) =>
  service.client('PATCH', `/api/2/users/${victim.user.id}`, { bearer, body: { email } })
/** Changes the address to one that the thief can read and confirm. Returns the account as it is then. */
const moveToThief = async (email = `${randomUUID()}@example.com`) => {
  expect((await changeEmail(email)).status).toBe(200)
  await service.services.table.update(userKey(victim.user.id), (x) => ({ remove: [x.path('emailVerified')] }))
  return { user: await findStored() }
}
const statusOf = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const findStored = async () => {
  const user = await findUser(service.services.table, victim.user.id)
  if (!user) throw new Error('the user was not found')
  return user
}
const login = async (password = victim.password) => {
  const body = { username: victim.user.username, password }
  return (await service.client('POST', '/api/2/auth/login', { body })).status
}
const awaitToken = (subject: string, person: Pick<SignedInPerson, 'user'> = victim, known = '') =>
  awaitReportToken(service, person, subject, known)
/** Waits for the emailed reset link and returns its token. */
const awaitResetToken = (address = victim.user.email): Promise<string> =>
  readMailedToken(service, address, 'reset')
const nothing = { email_restored: false, password_invalidated: false, reset_email_sent: true }

describe('after the report of the victim', () => {
  it('the API token, the second factor, and all sessions and tickets of the thief are revoked', async () => {
    const thief = await createToken()
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: thief })).body
    await enableSecondFactor(service, victim)
    const answer = await reportChange(service, await awaitToken(tokenCreated))
    expect([answer.status, answer.body]).toEqual([200, nothing])
    expect([await statusOf(thief), await statusOf(victim.bearer)]).toEqual([401, 401])
    const check = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(check.status).toBeGreaterThanOrEqual(400)
    const { totp, revokedCredentials } = await findStored()
    expect([totp, revokedCredentials]).toEqual([null, undefined])
    expect(await findApiTokens(service.services.table, victim.user.id)).toEqual([])
    // The victim signs in without the second factor, and can create a token again.
    expect(await statusOf(await createToken(await signIn(service, victim)))).toBe(200)
  })

  it('recovery codes of the thief do not work', async () => {
    moveClock(-60 * minute)
    const bearer = await signIn(service, victim)
    const { authenticator } = await enableSecondFactor(service, { ...victim, bearer })
    vi.useRealTimers()
    const proofs = { password: victim.password, otp: authenticator.code() }
    const confirmed = await service.client('POST', '/api/2/auth/reauthenticate', { bearer, body: proofs })
    expect(confirmed.status).toBe(204)
    const path = `/api/2/users/${victim.user.id}/totp/recovery-codes`
    const [code] = (await service.client('POST', path, { bearer })).body.recovery_codes
    await reportChange(service, await awaitToken('Your recovery codes were replaced'))
    const body = { username: victim.user.username, password: victim.password, otp: code }
    expect((await service.client('POST', '/api/2/auth/login', { body })).body.reason).toBe('otp_invalid')
    moveClock(2 * minute)
    const own = { ...body, otp: authenticator.code() }
    expect((await service.client('POST', '/api/2/auth/login', { body: own })).status).toBe(200)
  })

  it('a passkey of the thief does not work, and the password is enough again', async () => {
    const { passkey } = await addPasskey(service, victim)
    await addPasskey(service, victim)
    const body = { required_with_password: true }
    const settings = await service.client('PUT', '/api/2/users/me/passkeys/settings', {
      bearer: victim.bearer,
      body,
    })
    expect(settings.status).toBe(200)
    await reportChange(service, await awaitToken('A passkey was added'))
    const answer = await signInWithPasskey(service, passkey)
    expect([answer.status, answer.body.reason]).toEqual([401, 'passkey_unknown'])
    expect(await findPasskeys(service.services.table, victim.user.id)).toEqual([])
    expect((await findStored()).passkeys).toMatchObject({ count: 0, isSecondFactor: false })
    expect(await login()).toBe(200)
  })

  it('older API tokens and an older second factor still work', async () => {
    moveClock(-60 * minute)
    victim = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
    const own = await createToken()
    const older = await awaitToken(tokenCreated)
    const { authenticator } = await enableSecondFactor(service, victim)
    vi.useRealTimers()
    const body = { username: victim.user.username, password: victim.password, otp: authenticator.code() }
    const fresh = (await service.client('POST', '/api/2/auth/login', { body })).body.session_key
    const stolen = await createToken(fresh)
    await reportChange(service, await awaitToken(tokenCreated, victim, older))
    expect([await statusOf(own), await statusOf(stolen)]).toEqual([200, 401])
    expect((await findStored()).totp).not.toBeNull()
  })

  it('a new password of the thief is invalid, and the victim gets a reset link', async () => {
    const password = 'the password of the thief'
    await service.client('POST', '/api/2/users/me/password', {
      bearer: victim.bearer,
      body: { current_password: victim.password, password },
    })
    const answer = await reportChange(service, await awaitToken('Your password was changed'))
    expect(answer.body).toMatchObject({ password_invalidated: true, reset_email_sent: true })
    expect([await login(password), await login()]).toEqual([401, 401])
    const body = { token: await awaitResetToken(), password: 'a password of the victim' }
    expect((await service.client('POST', '/api/2/auth/reset-password', { body })).status).toBe(204)
    expect(await login('a password of the victim')).toBe(200)
  })

  it('the account has its email address again, and the address of the thief gets no link', async () => {
    const thief = `${randomUUID()}@example.com`
    await moveToThief(thief)
    const answer = await reportChange(service, await awaitToken(emailChanged))
    expect(answer.body).toMatchObject({ email_restored: true })
    expect((await findStored()).email).toBe(victim.user.email)
    const isRemoval = ({ subject }: ReceivedMail) =>
      subject === 'Your email address was removed from an account – Latchkey'
    const { text } = await service.mailbox.mailTo(thief, isRemoval)
    expect(text).not.toMatch(/#token=|127\.0\.0\.1,/)
    await awaitResetToken()
  })

  it('an address that another account took in the meantime stays with that account', async () => {
    await changeEmail(null)
    const token = await awaitToken(emailChanged)
    const other = await addPerson(service, { email: victim.user.email })
    expect((await reportChange(service, token)).body).toMatchObject({ email_restored: false })
    expect((await findUser(service.services.table, other.user.id))?.email).toBe(victim.user.email)
    expect(await statusOf(victim.bearer)).toBe(401)
  })

  it('links about earlier changes still work, because the thief made those, too', async () => {
    const thief = await createToken()
    const older = await awaitToken(tokenCreated)
    moveClock(5 * minute)
    await changeEmail(`${randomUUID()}@example.com`)
    await reportChange(service, await awaitToken(emailChanged))
    expect(await statusOf(thief)).toBe(200)
    expect((await reportChange(service, older)).status).toBe(200)
    expect(await statusOf(thief)).toBe(401)
  })

  it('links about later changes do not work', async () => {
    await createToken()
    const first = await awaitToken(tokenCreated)
    moveClock(minute)
    await changeEmail(`${randomUUID()}@example.com`)
    const later = await awaitToken(emailChanged)
    expect((await reportChange(service, first)).body.email_restored).toBe(true)
    expect((await reportChange(service, later)).body.code).toBe('invalid_token')
  })

  it('a later change can be reported, too', async () => {
    await createToken()
    const first = await awaitToken(tokenCreated)
    await reportChange(service, first)
    moveClock(minute)
    const thief = await createToken(await signIn(service, victim))
    const second = await awaitToken(tokenCreated, victim, first)
    expect((await reportChange(service, second)).status).toBe(200)
    expect(await statusOf(thief)).toBe(401)
  })

  it('a thief cannot end the link of the victim by reports from another mailbox', async () => {
    const moved = await moveToThief()
    const link = await awaitToken(emailChanged)
    let known = ''
    for (const at of [1, 2]) {
      moveClock(at * minute)
      await createToken(await signIn(service, victim))
      known = await awaitToken(tokenCreated, moved, known)
      expect((await reportChange(service, known)).status).toBe(200)
    }
    expect((await reportChange(service, link)).body.email_restored).toBe(true)
    expect((await findStored()).email).toBe(victim.user.email)
  })
})

describe('the link of a security email', () => {
  it('changes nothing when mail scanners open it', async () => {
    const thief = await createToken()
    const token = await awaitToken(tokenCreated)
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await service.client(method, `/secure?token=${token}`)
    expect((await service.client('GET', `/api/2/auth/security-report?token=${token}`)).status).toBe(405)
    expect(await statusOf(thief)).toBe(200)
  })

  it('works once for 20 parallel uses, and a repeated use changes nothing more', async () => {
    await createToken()
    const token = await awaitToken(tokenCreated)
    const answers = await Promise.all(Array.from({ length: 20 }, () => reportChange(service, token)))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([JSON.stringify(nothing)]))
    const bearer = await signIn(service, victim)
    const own = await createToken(bearer)
    expect((await reportChange(service, token)).body).toEqual(nothing)
    expect([await statusOf(bearer), await statusOf(own)]).toEqual([200, 200])
    await awaitResetToken()
    await awaitMails(service)
    const resets = service.mailbox.mailsTo(victim.user.email).filter(({ text }) => text.includes('/reset#'))
    expect(resets).toHaveLength(1)
  })

  it('completes what an interrupted use started', async () => {
    const stolen = await createToken()
    const [record] = await findApiTokens(service.services.table, victim.user.id)
    const token = await awaitToken(tokenCreated)
    await reportChange(service, token)
    // As if the function had stopped before it deleted the token.
    const at = record?.createdAt ?? 0
    const item = { pk: `user#${victim.user.id}`, sk: `api-token#${record?.hash}` }
    await service.services.table.put({ ...item, ...record })
    await service.services.table.update(userKey(victim.user.id), (x) => ({
      set: [`${x.path('revokedCredentials')} = ${x.value({ from: at - 1, to: at + 1 })}`],
    }))
    expect(await statusOf(stolen)).toBe(401)
    expect((await reportChange(service, token)).status).toBe(200)
    expect(await service.services.table.get(item)).toBeUndefined()
    expect((await findStored()).revokedCredentials).toBeUndefined()
  })

  it('expires after seven days', async () => {
    await createToken()
    const token = await awaitToken(tokenCreated)
    moveClock(7 * day)
    expect((await reportChange(service, token)).body.code).toBe('invalid_token')
  })

  it('gets the same response if it is unknown, mistyped, foreign, or another credential', async () => {
    const own = await createToken()
    const token = await awaitToken(tokenCreated)
    await createToken(admin.bearer)
    for (const value of ['lkn_x', flipBit(token), own, victim.bearer, `${token} `]) {
      const answer = await reportChange(service, value)
      expect([value, answer.status, answer.body.code]).toEqual([value, 400, 'invalid_token'])
    }
    for (const body of [{}, { token: '' }, { token: null }, { token: [token] }, { token, extra: 1 }])
      expect((await service.client('POST', '/api/2/auth/security-report', { body })).status).toBe(400)
    expect(await statusOf(own)).toBe(200)
  })

  it('is no credential for anything else', async () => {
    await createToken()
    const token = await awaitToken(tokenCreated)
    expect(await statusOf(token)).toBe(401)
    expect(
      (await service.client('GET', '/api/2/users/me', { headers: { cookie: `latchkey=${token}` } })).status,
    ).toBe(401)
    const check = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: token } })
    expect(check.status).toBeGreaterThanOrEqual(400)
    const body = { token, password: 'the password of the thief' }
    expect((await service.client('POST', '/api/2/auth/reset-password', { body })).body.code).toBe(
      'invalid_token',
    )
  })

  it('is stored as a hash, and appears in no response and no log line', async () => {
    await createToken()
    const token = await awaitToken(tokenCreated)
    const { hash = '' } = parseCredential(token) ?? {}
    const item = await service.services.table.get(securityReportKey(victim.user.id, hash))
    expect(item).toBeDefined()
    expect(JSON.stringify(item)).not.toContain(token)
    expect(service.log.join('\n')).not.toContain(token)
  })

  it('does not work while the account is disabled', async () => {
    await createToken()
    const token = await awaitToken(tokenCreated)
    const patch = (body: object) =>
      service.client('PATCH', `/api/2/users/${victim.user.id}`, { bearer: admin.bearer, body })
    await patch({ is_enabled: false })
    expect((await reportChange(service, token)).status).toBe(400)
    await patch({ is_enabled: true })
    expect((await reportChange(service, token)).status).toBe(400)
  })

  it('does not return an account to a former owner whom an administrator locked out', async () => {
    await createToken()
    const token = await awaitToken(tokenCreated)
    await service.client('POST', `/api/2/users/${victim.user.id}/password`, {
      bearer: admin.bearer,
      body: { password: 'a password of the administrator' },
    })
    expect((await reportChange(service, token)).body.code).toBe('invalid_token')
    expect(await login('a password of the administrator')).toBe(200)
    await changeEmail(`${randomUUID()}@example.com`, admin.bearer)
    expect(await awaitToken(emailChanged)).toBe('')
  })

  it('is limited for guesses from one address', async () => {
    const guess = () => reportChange(service, mintCredential('security_report', victim.user.id).value)
    const guesses = Array.from({ length: 120 }, guess)
    expect(statusesOf(await Promise.all(guesses))).toHaveProperty('429')
  })
})
