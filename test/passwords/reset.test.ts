import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { outboxPartitions } from '../../lib/kernel/table/keys/job-keys.ts'
import { usernameKey } from '../../lib/kernel/table/keys/keys.ts'
import { awaitMails } from '../support/await-mails.ts'
import { flipBit } from '../support/flip-bit.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn, type Person, signIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

// Requests above half of a limit would need a proof of work: see `proof-of-work.test.ts`.
const service = await useService({ PROOF_OF_WORK: 'false' })
let person: Person
beforeEach(async () => {
  // Each test starts two hours later, so that rate limits by address do not add up over this file.
  later += 2 * 60 * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
  person = await addPerson(service, {
    email: `${randomUUID()}@example.com`,
    username: `Ann <b>${randomUUID()}`,
  })
})
afterEach(() => vi.useRealTimers())
let later = 0

const request = (body: object) => service.client('POST', '/api/2/auth/reset-password/request', { body })
const reset = (token: string, password: string) =>
  service.client('POST', '/api/2/auth/reset-password', { body: { token, password } })
const readResetToken = (): Promise<string> => readMailedToken(service, person.user.email, 'reset')
const requestToken = async (): Promise<string> => {
  expect((await request({ username: person.user.username })).status).toBe(204)
  return readResetToken()
}
const loginStatus = async (password: string) => (await trySignIn(service, { ...person, password })).status

describe('a reset link', () => {
  it('arrives by email, leads to our own origin, and sets a new password once', async () => {
    const token = await requestToken()
    const mail = await service.mailbox.mailTo(person.user.email)
    expect(mail.to).toEqual([person.user.email])
    expect(mail.text).toContain(`${service.url}/reset#token=lkr_`)
    expect(mail.html).not.toContain('<b>')
    expect((await reset(token, 'the password after it')).status).toBe(204)
    expect(await loginStatus('the password after it')).toBe(200)
    expect(await loginStatus(person.password)).toBe(401)
    expect((await reset(token, 'yet another password')).body.code).toBe('invalid_token')
  })

  it('is sent for a username or an address in any spelling, and is not built from request headers', async () => {
    const answer = await service.client('POST', '/api/2/auth/reset-password/request', {
      body: { email: person.user.email?.toUpperCase() },
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    })
    expect(answer.status).toBe(204)
    const mail = await service.mailbox.mailTo(person.user.email)
    expect(mail.text + mail.html).not.toContain('evil.example')
  })

  it('is sent only to the user’s address, even if the username looks like an address', async () => {
    const [username, email] = [`${randomUUID()}@old.example.com`, `${randomUUID()}@new.example.com`]
    await addPerson(service, { username, email })
    expect((await request({ email: username })).status).toBe(204)
    await service.mailbox.mailTo(email)
    expect(service.mailbox.mailsTo(username)).toEqual([])
    // The owner of an address takes precedence over a user with this address as username. No user can get such a username, so it is stored directly.
    const owner = await addPerson(service, { email: `${randomUUID()}@example.com` })
    const namesake = await addPerson(service, { email: `${randomUUID()}@example.com` })
    const taken = usernameKey(owner.user.normalizedEmail ?? '')
    await service.services.table.put({ ...taken, userId: namesake.user.id })
    await request({ email: owner.user.email })
    await service.mailbox.mailTo(owner.user.email)
    expect(service.mailbox.mailsTo(namesake.user.email)).toEqual([])
  })

  it('ends all sessions and tickets, and revokes the user’s other reset links', async () => {
    const bearer = await signIn(service, person)
    const ticket = (await service.client('POST', '/api/2/auth/ticket', { bearer })).body.ticket
    const first = await requestToken()
    await request({ username: person.user.username })
    await waitFor(async () => expect(await readResetToken()).not.toBe(first))
    const second = await readResetToken()
    expect((await reset(second, 'the password after it')).status).toBe(204)
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status).toBe(404)
    expect((await reset(first, 'a password of the attacker')).status).toBe(400)
  })

  it('stays valid after a password is rejected', async () => {
    const token = await requestToken()
    const refused = await reset(token, 'short')
    expect(refused.body).toMatchObject({ code: 'password_rejected', errors: [{ field: 'password' }] })
    expect((await reset(token, 'a long enough password')).status).toBe(204)
  })

  it('sets exactly one password for 20 concurrent requests', async () => {
    const token = await requestToken()
    const passwords = Array.from({ length: 20 }, (_, at) => `the parallel password ${at}`)
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    const winners = passwords.filter((_, at) => answers[at]?.status === 204)
    expect(winners).toHaveLength(1)
    for (const { status } of answers) expect([204, 400]).toContain(status)
    expect(await loginStatus(winners[0] ?? '')).toBe(200)
  })

  it('works while the user’s profile is changed concurrently', async () => {
    const token = await requestToken()
    const stored = await findUser(service.services.table, person.user.id)
    if (!stored) throw new Error('the user was not found')
    const [answer] = await Promise.all([
      reset(token, 'the password after it'),
      editUser(service.services.table, stored, { full_name: 'Ann' }),
    ])
    expect(answer.status).toBe(204)
  })

  it('expires after 30 minutes, and when the account is disabled', async () => {
    const token = await requestToken()
    vi.setSystemTime(Date.now() + 30 * 60_000)
    expect((await reset(token, 'the password after it')).body.code).toBe('invalid_token')
    const next = await requestToken()
    await waitFor(async () => expect(await readResetToken()).not.toBe(token))
    const stored = await findUser(service.services.table, person.user.id)
    if (!stored) throw new Error('the user was not found')
    await editUser(service.services.table, stored, { is_enabled: false })
    expect((await reset(next, 'the password after it')).status).toBe(400)
  })

  it('gets the same response if it is unknown, mistyped, or of another kind', async () => {
    const token = await requestToken()
    const answers = await Promise.all(
      [
        mintCredential('reset_token', person.user.id).value,
        mintCredential('session', person.user.id).value,
        flipBit(token),
        'x',
      ].map((value) => reset(value, 'a fine password for it')),
    )
    for (const { status, body } of answers)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_token' })
  })

  it('is accepted as a bearer credential only by the password tools', async () => {
    const bearer = await requestToken()
    for (const [method, path] of [
      ['GET', '/api/2/users/me'],
      ['POST', '/api/2/auth/ticket'],
      ['POST', '/api/2/users/me/password'],
    ] as const)
      expect((await service.client(method, path, { bearer })).status).toBe(401)
    expect((await service.client('POST', '/api/2/auth/generate-password', { bearer })).status).not.toBe(401)
  })

  it('is neither stored nor logged in clear', async () => {
    const token = await requestToken()
    const items = await service.services.table.list(`user#${person.user.id}`, '')
    const outbox = await Promise.all(outboxPartitions.map((pk) => service.services.table.list(pk, '')))
    expect(JSON.stringify([items, outbox])).not.toContain(token)
    expect(service.log.join('')).not.toContain(token)
  })
})

describe('requesting a reset link', () => {
  const mailsTo = (address: string | null) => service.mailbox.mailsTo(address).length
  it('gets the same response for unknown users, ineligible users, and others', async () => {
    const others = [
      await addPerson(service, { email: `${randomUUID()}@example.com`, is_enabled: false }),
      await addPerson(service, { email: `${randomUUID()}@example.com`, allow_changing_password: false }),
      await addPerson(service, {}),
    ]
    const answers = [
      await request({ username: person.user.username }),
      await request({ username: 'unknown-user' }),
      await request({ email: 'unknown@example.com' }),
      await request({ email: '\u{fdfa}'.repeat(3000) }),
      ...(await Promise.all(others.map(({ user }) => request({ username: user.username })))),
    ]
    for (const { status, text } of answers) expect({ status, text }).toEqual({ status: 204, text: '' })
    const cost = service.log
      .map((line) => JSON.parse(line))
      .filter(({ operation }) => operation === 'request_password_reset')
      .slice(-answers.length)
    expect(new Set(cost.map(({ table_round_trips }) => table_round_trips)).size).toBeLessThanOrEqual(2)
    await awaitMails(service)
    for (const { user } of others) expect(mailsTo(user.email)).toBe(0)
  })

  it('sends at most three emails an hour to an account, without revealing this', async () => {
    const { username, email } = person.user
    for (const body of [{ username }, { email }, { username }, { email }, { username }])
      expect((await request(body)).status).toBe(204)
    await awaitMails(service)
    expect(mailsTo(email)).toBe(3)
  })

  it('is limited for each client address', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 21; at++) statuses.push((await request({ username: `unknown-${at}` })).status)
    expect(statuses.slice(0, 20).every((status) => status === 204)).toBe(true)
    expect(statuses[20]).toBe(429)
  })

  it('requires either a username or an email address', async () => {
    for (const body of [{}, { username: 'a', email: 'a@b.c' }, { username: '' }])
      expect((await request(body)).status).toBe(400)
  })

  it('sends one email despite failures of SES, and does not count failed attempts', async () => {
    service.mailbox.failNext(4, 503)
    await request({ username: person.user.username })
    await service.mailbox.mailTo(person.user.email)
    await awaitMails(service)
    expect(mailsTo(person.user.email)).toBe(1)
    for (let times = 0; times < 3; times++) await request({ username: person.user.username })
    await awaitMails(service)
    expect(mailsTo(person.user.email)).toBe(3)

    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const sent = await service.client(
      'GET',
      `/api/2/auth/audit-events?event=password.reset_sent&user=${person.user.id}`,
      { bearer: admin.bearer },
    )
    const outcomes = sent.body.map(({ outcome }: { outcome: string }) => outcome).sort()
    expect(outcomes).toEqual([...Array(4).fill('not_sent'), ...Array(3).fill('succeeded')])
  })
})

describe('a reset link sent by an administrator of users', () => {
  it('invites a user without a password', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    person = await addPerson(service, { email: `${randomUUID()}@example.com`, passwordHash: null })
    const path = `/api/2/users/${person.user.id}/password/reset`
    expect((await service.client('POST', path, { bearer: manager.bearer })).status).toBe(204)
    expect((await reset(await readResetToken(), 'my very first password')).status).toBe(204)
    expect(await loginStatus('my very first password')).toBe(200)
  })

  it('responds 409 if the user has no address, and 404 if there is no such user', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const { user } = await addPerson(service)
    const send = (id: number) =>
      service.client('POST', `/api/2/users/${id}/password/reset`, { bearer: manager.bearer })
    expect((await send(user.id)).status).toBe(409)
    expect((await send(2147483647)).status).toBe(404)
  })
})

describe('changing one’s own password', () => {
  const change = (bearer: string, body: object) =>
    service.client('POST', '/api/2/users/me/password', { bearer, body })

  it('keeps the current session, and ends all others and their tickets', async () => {
    const bearer = await signIn(service, person)
    const other = await signIn(service, person)
    const ticket = (await service.client('POST', '/api/2/auth/ticket', { bearer: other })).body.ticket
    const answer = await change(bearer, {
      current_password: person.password,
      password: 'a password of my choice',
    })
    expect(answer.status).toBe(204)
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
    expect((await service.client('GET', '/api/2/users/me', { bearer: other })).status).toBe(401)
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status).toBe(404)
    expect(await loginStatus('a password of my choice')).toBe(200)
  })

  it('requires the current password, and limits guesses at it', async () => {
    const bearer = await signIn(service, person)
    const body = { current_password: 'a guess', password: 'a password of my choice' }
    for (let at = 0; at < 5; at++) {
      const answer = await change(bearer, body)
      expect(answer.body.errors).toEqual([
        { field: 'current_password', message: 'is not the current password' },
      ])
    }
    expect((await change(bearer, { ...body, current_password: person.password })).status).toBe(429)
    expect(await loginStatus(person.password)).toBe(200)
  })

  it('is rejected if the account does not allow it', async () => {
    const restricted = await addSignedIn(service, { allow_changing_password: false })
    const answer = await change(restricted.bearer, {
      current_password: restricted.password,
      password: 'a password of my own',
    })
    expect(answer.status).toBe(403)
  })
})
