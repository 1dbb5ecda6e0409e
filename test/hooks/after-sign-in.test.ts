import { beforeEach, describe, expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { awaitMails } from '../support/await-mails.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { misbehaviors, startHookFunctions } from '../support/hook-functions.ts'
import { addPasskey, SoftwarePasskey, signInWithPasskey, startPasskeySignIn } from '../support/passkeys.ts'
import { addPerson, addSignedIn, type Person, trySignIn } from '../support/people.ts'
import { openRememberingBrowser } from '../support/remembered-devices.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* The function `afterSignIn` of a product: it can ask for more or refuse, and never for less. */

const functions = closeAfterTests(await startHookFunctions())
const service = await useService({
  ...functions.settingsFor({ afterSignIn: { timeoutMs: 1000 } }),
  RATE_LIMITS: 'accountFailures=20/3600,addressFailures=10000/600,otpGuesses=10000/300',
})
const { table } = service.services
const accept = { decision: 'continue' }
beforeEach(() => {
  closeCircuits()
  functions.answer(accept)
  functions.questions.length = 0
})

const signIn = (person: Person, fields: object = {}) => trySignIn(service, person, fields)
const stateOf = async (answer: ReturnType<typeof signIn>) => {
  const { status, body } = await answer
  return [status, body.reason]
}
const sessionsOf = async ({ user }: Person) => (await table.list(`user#${user.id}`, 'session')).length
const eventsOf = async ({ user }: Person) =>
  (await readAuditItems(table))
    .filter((item) => item['user'] === user.id)
    .map(({ event, outcome }) => `${event} ${outcome}`)

describe('a function that answers', () => {
  it('lets people in by one call, and learns nothing secret', async () => {
    const person = await addPerson(service)
    const { status, body } = await signIn(person)
    expect(status).toBe(200)
    expect(functions.questions).toEqual([
      {
        ...{ version: 1, hook: 'afterSignIn', invocation_id: expect.stringMatching(/^[\da-f-]{36}$/) },
        user: expect.objectContaining({ id: String(person.user.id), username: person.user.username }),
        sign_in: { way: 'password', methods: ['pwd'], is_factor_remembered: false },
        request: { address: expect.any(String), country: null, user_agent: expect.any(String) },
      },
    ])
    const text = JSON.stringify(functions.questions)
    for (const secret of [person.password, person.user.passwordHash, body.session_key])
      expect(text).not.toContain(secret)
  })

  it('refuses with words, which count as no guess and open no session', async () => {
    const person = await addPerson(service)
    functions.answer({ decision: 'refuse', message: 'Your contract has ended.' })
    for (let count = 0; count < 30; count++) {
      const { status, body } = await signIn(person)
      expect([status, body.reason, body.refusal]).toEqual([
        403,
        'sign_in_refused',
        'Your contract has ended.',
      ])
    }
    expect(await sessionsOf(person)).toBe(0)
    expect(await eventsOf(person)).toContain('login.failed sign_in_refused')
    functions.answer(accept)
    expect((await signIn(person)).status).toBe(200)
  })

  it('is not asked before the proof is complete', async () => {
    const person = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, person, -1)
    functions.questions.length = 0
    expect(await stateOf(trySignIn(service, { ...person, password: 'another password' }))).toEqual([
      401,
      'invalid_credentials',
    ])
    expect(await stateOf(signIn(person))).toEqual([403, 'otp_required'])
    expect(await stateOf(signIn(person, { otp: '000000' }))).toEqual([403, 'otp_invalid'])
    expect(functions.questions).toEqual([])
    expect((await signIn(person, { otp: authenticator.code() })).status).toBe(200)
    expect(functions.questions).toHaveLength(1)
  })

  it('uses up no code when it refuses', async () => {
    const person = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, person, -1)
    const otp = authenticator.code()
    functions.answer({ decision: 'refuse' })
    expect(await stateOf(signIn(person, { otp }))).toEqual([403, 'sign_in_refused'])
    functions.answer(accept)
    expect((await signIn(person, { otp })).status).toBe(200)
  })

  it('is asked about passkeys, too', async () => {
    const person = await addSignedIn(service)
    const { passkey } = await addPasskey(service, person)
    functions.answer({ decision: 'refuse', message: 'Not today.' })
    const refused = await signInWithPasskey(service, passkey)
    expect([refused.status, refused.body.refusal]).toEqual([403, 'Not today.'])
    functions.answer(accept)
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
  })

  it('asks a hundred people at once, each once', async () => {
    const person = await addPerson(service)
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(person)))
    const done = answers.filter(({ status }) => status === 200).length
    expect(done).toBeGreaterThan(0)
    // The machine may be too slow for some of them.
    const failed = answers.filter(({ status }) => status >= 500).map(({ body }) => body.reason)
    expect(failed.filter((reason) => reason !== 'hook_failed')).toEqual([])
    expect(functions.questions.length).toBeLessThanOrEqual(100)
    expect(await sessionsOf(person)).toBe(done)
  })
})

describe('a function that asks for a second factor', () => {
  const ask = () => functions.answer({ decision: 'require_second_factor' })

  it('gets a passkey after the password', async () => {
    const person = await addSignedIn(service)
    const { passkey } = await addPasskey(service, person)
    ask()
    const first = await signIn(person)
    expect([first.status, first.body.reason]).toEqual([403, 'passkey_required'])
    const token = first.body.second_factor_token
    const credential = passkey.get(await startPasskeySignIn(service, token))
    const body = { credential, second_factor_token: token }
    expect((await service.client('POST', '/api/2/auth/passkeys/login', { body })).status).toBe(200)
  })

  it('gets a code where the browser was remembered', async () => {
    await storeSignInPolicy(service, { remembered_device_days: 30 })
    const person = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, person, -1)
    const browser = openRememberingBrowser(service)
    expect((await browser.signIn(person, { otp: authenticator.code(), remember_device: true })).status).toBe(
      200,
    )
    expect((await browser.signIn(person)).status).toBe(200)
    ask()
    expect(await stateOf(browser.signIn(person))).toEqual([403, 'otp_required'])
    expect((await browser.signIn(person, { otp: authenticator.code(1) })).status).toBe(200)
  })

  it('lets nobody in who has none', async () => {
    ask()
    const person = await addPerson(service)
    expect(await stateOf(signIn(person))).toEqual([403, 'sign_in_refused'])
    expect(await sessionsOf(person)).toBe(0)
  })

  it('is content with a code', async () => {
    const person = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, person, -1)
    ask()
    expect((await signIn(person, { otp: authenticator.code() })).status).toBe(200)
  })
})

const garbage = {
  'gives rights': { decision: 'continue', permissions: ['system:admin-access'] },
  'names another user': { decision: 'continue', user: { id: '1' } },
  'has an unknown decision': { decision: 'accept' },
  'writes markup that hides': { decision: 'refuse', message: 'Hi\u202e\u0000' },
  'writes too much': { decision: 'refuse', message: 'x'.repeat(301) },
  'replaces the second factor': { decision: 'continue', methods: ['otp'] },
}

describe.each([
  ...Object.entries(misbehaviors),
  ...Object.entries(garbage).map(
    ([name, answer]) =>
      [
        name,
        (_: unknown, response: { end: (text: string) => unknown }) => response.end(JSON.stringify(answer)),
      ] as const,
  ),
])('a function that %s', (_, respond) => {
  it('lets nobody in, and the same sign-in works later', async () => {
    const person = await addPerson(service)
    functions.behave(respond)
    const answer = await signIn(person)
    expect([answer.status, answer.body.reason]).toEqual([503, 'hook_failed'])
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await sessionsOf(person)).toBe(0)
    functions.answer(accept)
    expect((await signIn(person)).status).toBe(200)
  })
})

describe('administrators, while the function fails', () => {
  const permissions = ['system:admin-access'] as const
  const broken = () => functions.answer('garbage')
  const email = 'root@example.com'

  it('sign in with a passkey or a code, and all administrators learn it once an hour', async () => {
    const admin = await addSignedIn(service, { permissions, email, emailVerified: undefined })
    const { passkey } = await addPasskey(service, admin)
    const { authenticator } = await enableSecondFactor(service, admin, -1)
    await awaitMails(service)
    broken()
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
    expect((await signIn(admin, { otp: authenticator.code() })).status).toBe(200)
    expect((await eventsOf(admin)).filter((event) => event === 'hook.bypassed succeeded')).toHaveLength(2)
    await awaitMails(service)
    const subjects = service.mailbox.mailsTo(email).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('a function of a product fails'))).toHaveLength(1)
  })

  it('do not sign in with a password alone', async () => {
    const admin = await addPerson(service, { permissions })
    broken()
    expect(await stateOf(signIn(admin))).toEqual([503, 'hook_failed'])
  })

  it('do not sign in with a remembered browser', async () => {
    await storeSignInPolicy(service, { remembered_device_days: 30 })
    const admin = await addSignedIn(service, { permissions })
    const { authenticator } = await enableSecondFactor(service, admin, -1)
    const browser = openRememberingBrowser(service)
    expect((await browser.signIn(admin, { otp: authenticator.code(), remember_device: true })).status).toBe(
      200,
    )
    broken()
    expect((await browser.signIn(admin)).status).toBeGreaterThanOrEqual(400)
  })

  it('do not get past a refusal', async () => {
    const admin = await addSignedIn(service, { permissions })
    const { passkey } = await addPasskey(service, admin, new SoftwarePasskey())
    functions.answer({ decision: 'refuse' })
    expect((await signInWithPasskey(service, passkey)).body.reason).toBe('sign_in_refused')
  })

  it('are the only ones: others do not sign in with a passkey', async () => {
    const person = await addSignedIn(service, { permissions: ['users:manage'] as never })
    const { passkey } = await addPasskey(service, person)
    broken()
    expect((await signInWithPasskey(service, passkey)).body.reason).toBe('hook_failed')
  })
})

const dayCount = Number(process.env['HOOK_SIGN_INS'] ?? 200)

it('the sign-ins of a normal day, while the function misbehaves in turn, end as promised', {
  timeout: 60_000 + dayCount * 200,
}, async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => addPerson(service)))
  const responders = Object.values(misbehaviors).filter((_, at) => at !== 0)
  functions.behave((question, response) => {
    const at = functions.questions.length % (responders.length + 1)
    return (responders[at] ?? (() => response.end(JSON.stringify(accept))))(question, response)
  })
  const seen = new Set<string>()
  for (let at = 0; at < dayCount; at += 10) {
    closeCircuits()
    const answers = await Promise.all(people.map((person) => signIn(person)))
    for (const { status, body } of answers) seen.add(`${status} ${body.reason}`)
  }
  expect([...seen].sort()).toEqual(['200 undefined', '503 hook_failed'])
})
