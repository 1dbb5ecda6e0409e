import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { deriveEmailCodeRequest } from '../../lib/kernel/secrets/email-codes.ts'
import { emailCodeKey } from '../../lib/kernel/table/keys/keys.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { addPerson, addSignedIn, type Person, signIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

vi.useFakeTimers({ toFake: ['Date'] })
// Requests above half of a limit would need a proof of work: see `proof-of-work.test.ts`.
const service = await useService({ PROOF_OF_WORK: 'false' })
afterAll(() => vi.useRealTimers())
beforeEach(async () => {
  // Rate limits by address must not add up over this file.
  vi.setSystemTime(Date.now() + 2 * 60 * 60_000)
  await storeSignInPolicy(service, { allow_email_codes: true })
})

const newEmail = () => `${randomUUID()}@example.com`
const changeEmail = (user: UserRecord) => {
  const email = newEmail()
  return editUser(service.services.table, user, { email, normalizedEmail: email })
}
const addReader = (fields: Parameters<typeof addPerson>[1] = {}) =>
  addPerson(service, { email: newEmail(), ...fields })
const request = (username: string) => service.client('POST', '/api/2/auth/email-code', { body: { username } })
const login = (request_id: string, code: string, more: object = {}) =>
  service.client('POST', '/api/2/auth/email-code/login', { body: { request_id, code, ...more } })

const codesMailedTo = ({ user }: Person): string[] =>
  service.mailbox.mailsTo(user.email).flatMap(({ text }) => /^\d{4} \d{4}$/m.exec(text)?.[0] ?? [])
const requestCode = async (person: Person) => {
  const before = codesMailedTo(person).length
  const { status, body } = await request(person.user.username)
  expect(status).toBe(200)
  await waitFor(() => expect(codesMailedTo(person).length).toBeGreaterThan(before))
  return { id: String(body.request_id), code: codesMailedTo(person).at(-1) ?? '' }
}
const otherCode = (code: string) => `${(Number(code[0]) + 1) % 10}${code.slice(1)}`
const invalid = { status: 401, body: { code: 'login_failed', reason: 'email_code_invalid' } }

describe('an emailed code', () => {
  it('signs its user in once, with the method in the session', async () => {
    const person = await addReader()
    const { id, code } = await requestCode(person)
    const { status, body } = await login(id, code)
    expect({ status, name: body.user?.username }).toEqual({ status: 200, name: person.user.username })
    const { subject, hash } = parseCredential(body.session_key) ?? { subject: 0, hash: '' }
    const { session } = await findSessionAndUser(service.services.table, subject, hash)
    expect(session?.authentication?.methods).toEqual(['email_code'])
    expect(await login(id, code)).toMatchObject(invalid)
  })

  it('opens one session for 10 concurrent requests', async () => {
    const { id, code } = await requestCode(await addReader())
    const answers = await Promise.all(Array.from({ length: 10 }, () => login(id, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('cannot be guessed more than 5 times, also concurrently, not even by the right code afterwards', async () => {
    const { id, code } = await requestCode(await addReader())
    const guesses = await Promise.all(Array.from({ length: 12 }, () => login(id, otherCode(code))))
    for (const guess of guesses) expect(guess).toMatchObject(invalid)
    expect(await login(id, code)).toMatchObject(invalid)
  })

  it('of the owner is not used up by the guesses of others, who have requests of their own', async () => {
    const person = await addReader()
    const own = await requestCode(person)
    const thief = await requestCode(person)
    for (let at = 0; at < 5; at++) expect((await login(thief.id, otherCode(thief.code))).status).toBe(401)
    expect(await login(thief.id, own.code)).toMatchObject(invalid)
    expect((await login(own.id, own.code)).status).toBe(200)
  })

  it('works only for the request that it was created for', async () => {
    const [ann, bob] = [await requestCode(await addReader()), await requestCode(await addReader())]
    expect(await login(ann.id, bob.code)).toMatchObject(invalid)
    expect(await login(bob.id, ann.code)).toMatchObject(invalid)
    expect(await login('unknown', ann.code)).toMatchObject(invalid)
  })

  it('expires after 10 minutes', async () => {
    const { id, code } = await requestCode(await addReader())
    vi.setSystemTime(Date.now() + 10 * 60_000)
    expect(await login(id, code)).toMatchObject(invalid)
  })

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['the email address', ({ user }) => changeEmail(user)],
    ['the account', ({ user }) => editUser(service.services.table, user, { is_enabled: false })],
    [
      'the password',
      async (person) =>
        service.client('POST', '/api/2/users/me/password', {
          bearer: await signIn(service, person),
          body: { current_password: person.password, password: 'zebra-lamp-4q-mox' },
        }),
    ],
    ['the policy', () => storeSignInPolicy(service, {})],
  ])('does not work after a change of %s', async (_, change) => {
    const person = await addReader()
    const { id, code } = await requestCode(person)
    await change(person)
    expect(await login(id, code)).toMatchObject(invalid)
  })

  it('is not enough for a user with a second factor', async () => {
    const person = await addSignedIn(service, { email: newEmail() })
    const { authenticator } = await enableSecondFactor(service, person)
    const { id, code } = await requestCode(person)
    expect((await login(id, code)).body.reason).toBe('otp_required')
    expect((await login(id, code, { otp: '000000' })).body.reason).toBe('otp_invalid')
    const { status, body } = await login(id, code, { otp: authenticator.code(1) })
    expect(status).toBe(200)
    const { subject, hash } = parseCredential(body.session_key) ?? { subject: 0, hash: '' }
    const { session } = await findSessionAndUser(service.services.table, subject, hash)
    expect(session?.authentication?.methods).toEqual(['email_code', 'otp'])
  })

  it('is no second factor: a policy that requires one still does', async () => {
    await storeSignInPolicy(service, {
      allow_email_codes: true,
      second_factor_for_everybody: true,
    })
    const { id, code } = await requestCode(await addReader())
    expect((await login(id, code)).body.reason).toBe('second_factor_setup_required')
    const limited = await login(id, code, { second_factor_setup: true })
    expect(limited.status).toBe(200)
    const ticket = await service.client('POST', '/api/2/auth/ticket', { bearer: limited.body.session_key })
    expect(ticket.body.reason).toBe('second_factor_setup_required')
  })

  it('is in the table neither as text nor as a hash that can be searched without the request', async () => {
    const { id, code } = await requestCode(await addReader())
    const { hash, salt } = deriveEmailCodeRequest(id)
    const stored = JSON.stringify(await service.services.table.get(emailCodeKey(hash)))
    for (const secret of [id, salt, code, code.replace(' ', '')]) expect(stored).not.toContain(secret)
  })
})

describe('a request for a code', () => {
  it('is answered alike for every account, and emails only those that may use a code', async () => {
    const people = [
      await addReader({ emailVerified: false }),
      await addReader({ is_enabled: false }),
      await addReader({ passwordHash: null, allow_changing_password: false }),
      await addReader({ password_change_required: true }),
      await addReader({ passkeys: { userHandle: 'handle', count: 1, isSecondFactor: true } }),
    ]
    const last = await addReader()
    const shapes = new Set<string>()
    for (const name of [...people, last].map(({ user }) => user.username).concat(`unknown-${randomUUID()}`)) {
      const { status, body } = await request(name)
      shapes.add(`${status} ${Object.keys(body)} ${body.request_id.length}`)
      expect((await login(body.request_id, '12345678')).body.reason).toBe('email_code_invalid')
    }
    expect([...shapes]).toEqual(['200 request_id,expires 32'])
    await service.mailbox.mailTo(last.user.email)
    const recipients = service.mailbox.mails.flatMap(({ to }) => to)
    for (const { user } of people) expect(recipients).not.toContain(user.email)
  })

  it('takes the email address of an account in any case', async () => {
    const person = await addReader()
    expect((await request(person.user.email?.toUpperCase() ?? '')).status).toBe(200)
    expect((await service.mailbox.mailTo(person.user.email)).subject).toBe('Your sign-in code for Latchkey')
  })

  it('sends 3 emails an hour to an account, and accepts 20 requests an hour from an address', async () => {
    const person = await addReader()
    const other = await addReader()
    for (let at = 0; at < 19; at++) await request(person.user.username)
    await requestCode(other)
    const { status, headers } = await request(person.user.username)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const mails = service.mailbox.mailsTo(person.user.email)
    expect(mails).toHaveLength(3)
  })

  it('is refused while the policy does not allow codes', async () => {
    await storeSignInPolicy(service, {})
    expect((await request('somebody')).status).toBe(403)
  })

  it.each([{}, { username: '' }, { username: 'ann', code: '1' }, { username: ['ann'] }])(
    'rejects the body %o',
    async (body) => {
      expect((await service.client('POST', '/api/2/auth/email-code', { body })).status).toBe(400)
    },
  )

  it('leaves the account as it is', async () => {
    const person = await addReader()
    const before = await findUser(service.services.table, person.user.id)
    await requestCode(person)
    expect(await findUser(service.services.table, person.user.id)).toEqual(before)
  })
})
