import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { getTotpKeyContext } from '../../lib/accounts/users/account-state.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { NewUser } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { countEvent } from '../../lib/kernel/rates/rates.ts'
import { type AddressedAnswer, loopback, postFrom } from '../support/addressed-client.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { askOldSystemAt, type OldSystem, startOldSystem } from '../support/old-system.ts'
import { addPerson, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const old = closeAfterTests(await startOldSystem())

/* Users whose passwords only an old system knows, and an old system that does not behave. */

const service = await useService({ ...askOldSystemAt(old.url), RATE_LIMITS: 'accountFailures=20/3600' })
let nextAddress = 1
const freshAddress = () => loopback(nextAddress++)
afterEach(() => {
  vi.useRealTimers()
  old.answerTruly()
})

const login = (username: string, password: string, fields: object = {}, address = freshAddress()) =>
  postFrom(address, `${service.url}/api/2/auth/login`, { username, password, ...fields })
const signIn = ({ user, password }: Person, fields: object = {}, address = freshAddress()) =>
  login(user.username, password, fields, address)
const stored = ({ user }: Person) => findUser(service.services.table, user.id)
const eventsOf = async ({ user }: Person) =>
  (await readAuditItems(service.services.table))
    .filter((item) => item['user'] === user.id)
    .map(({ event, outcome }) => `${event} ${outcome}`)
const takenOver = 'password.taken_over succeeded'
/** Sends a sign-in until it was checked: one that waited for others too long is not. */
const decide = async (send: () => Promise<AddressedAnswer>): Promise<AddressedAnswer> => {
  const answer = await send()
  return answer.status === 429 ? decide(send) : answer
}
const many = <Result>(count: number, send: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, () => send()))

describe('a right password', () => {
  it('is stored as a hash at the first sign-in, and the old system is never asked again', async () => {
    const email = `${randomUUID()}@example.com`
    const person = await old.addUser(service, { email, externalId: { source: 'cognito', id: randomUUID() } })
    const { username, externalId } = person.user
    expect((await signIn(person)).status).toBe(200)
    const question = { username, email, password: person.password, external_id: externalId?.id }
    expect(old.questionsAbout(person)).toEqual([question])
    const after = await stored(person)
    expect(after).not.toHaveProperty('legacySignIn')
    expect(after?.passwordHash).toMatch(/^bcrypt_sha384\$/)
    expect((await signIn(person)).status).toBe(200)
    expect((await login(username, 'another password')).status).toBe(401)
    expect(old.questionsAbout(person)).toHaveLength(1)
    expect((await eventsOf(person)).sort()).toEqual([
      'login.failed invalid_credentials',
      'login.succeeded succeeded',
      'login.succeeded succeeded',
      takenOver,
    ])
    expect(service.log.join()).not.toContain(person.password)
  })

  it('is taken over once by two and by 20 sign-ins at the same time', async () => {
    for (const count of [2, 20]) {
      const person = await old.addUser(service)
      const address = freshAddress()
      const answers = await many(count, () => decide(() => signIn(person, {}, address)))
      expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(200))
      expect((await eventsOf(person)).filter((event) => event === takenOver)).toHaveLength(1)
      expect((await stored(person))?.legacySignIn).toBeUndefined()
      expect((await signIn(person)).status).toBe(200)
    }
  })

  it('opens no session without the second factor of the user', async () => {
    const person = await old.addUser(service)
    const { table, vault } = service.services
    const authenticator = newAuthenticator()
    const encryptedKey = await vault.encrypt(authenticator.key, getTotpKeyContext(person.user.id))
    const totp = { encryptedKey, driftSteps: 0, lastStep: 0, recoveryCodes: {} }
    await editUser(table, person.user, { totp })
    const answer = await signIn(person)
    expect([answer.status, answer.body.reason]).toEqual([403, 'otp_required'])
    expect(old.questionsAbout(person)).toHaveLength(1)
    expect((await signIn(person, { otp: authenticator.code() })).status).toBe(200)
    expect(old.questionsAbout(person)).toHaveLength(1)
  })

  it('can be replaced in the same sign-in, and has to be if the user must change it', async () => {
    const person = await old.addUser(service, { password_change_required: true })
    expect((await signIn(person)).body.reason).toBe('password_change_required')
    const chosen = `Password of ${randomUUID()}`
    expect((await signIn(person, { new_password: chosen })).status).toBe(200)
    expect((await signIn(person)).status).toBe(401)
    expect((await login(person.user.username, chosen)).status).toBe(200)
  })

  it('counts to its last character, however long it is', async () => {
    for (const length of [72, 73, 1024, 1025, 20_000]) {
      const person = await old.addUser(service, {}, 'ä'.repeat(length))
      expect((await signIn(person)).status).toBe(200)
      expect((await login(person.user.username, `${'ä'.repeat(length - 1)}b`)).status).toBe(401)
      expect((await signIn(person)).status).toBe(200)
    }
  })

  it('belongs to the account that an address names', async () => {
    const email = `${randomUUID()}@example.com`
    const person = await old.addUser(service, { email })
    expect((await login(email, person.password)).status).toBe(200)
    expect(old.questionsAbout(person)).toHaveLength(1)
  })

  it('works for a user with the name of a built-in member', async () => {
    expect((await login('__proto__', 'a password')).status).toBe(401)
    const person = await old.addUser(service, { username: '__proto__' } as Partial<NewUser>)
    expect((await login('__proto__', 'a password')).status).toBe(401)
    expect((await signIn(person)).status).toBe(200)
  })
})

describe('a wrong password', () => {
  it('is a failure, and guesses are limited before the old system hears of them', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [person, address] = [await old.addUser(service), freshAddress()]
    const guess = () => login(person.user.username, 'a wrong password', {}, address)
    const statuses = (await many(30, guess)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25)
    expect(old.questionsAbout(person)).toHaveLength(5)
    expect(await stored(person)).toMatchObject({ legacySignIn: expect.anything(), passwordHash: null })
  })

  it('looks like one of any other user', async () => {
    const [marked, unmarked] = [await old.addUser(service), await addPerson(service)]
    const [first, second] = await Promise.all(
      [marked, unmarked].map(({ user }) => login(user.username, 'a wrong password')),
    )
    const shape = ({ status, headers, body }: AddressedAnswer) => [
      status,
      Object.keys(headers),
      { ...body, request_id: '' },
    ]
    expect(first && shape(first)).toEqual(second && shape(second))
  })
})

describe('an old system that does not answer', () => {
  const outage = { code: 'temporarily_unavailable', reason: 'password_check_failed' }
  const yes = '{"is_correct": true}'
  const say =
    (text: string | Uint8Array, status = 200, headers: Record<string, string> = {}) =>
    (_: unknown, response: ServerResponse) =>
      response.writeHead(status, headers).end(text)
  const kinds: readonly (readonly [
    name: string,
    outcome: string,
    behavior: Parameters<OldSystem['behave']>[0],
  ])[] = [
    ['breaks the connection', 'connect', (_, response) => response.destroy()],
    ['hangs', 'timeout', () => {}],
    ['never ends', 'timeout', (_, response) => response.write('{"is_')],
    [
      'breaks off',
      'connect',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write(yes, () => response.destroy())
      },
    ],
    ['fails', 'status', say(yes, 500)],
    ['has no content', 'status', say('', 204)],
    ['creates something', 'status', say(yes, 201)],
    ['redirects', 'status', say(yes, 307, { location: '/elsewhere' })],
    ['reports an error of the function', 'status', say(yes, 200, { 'x-amz-function-error': 'Unhandled' })],
    ['says too much', 'size', say(`${yes}${' '.repeat(10_000_000)}`)],
    [
      'says too much in few bytes',
      'size',
      say(gzipSync(' '.repeat(50_000_000)), 200, { 'content-encoding': 'gzip' }),
    ],
    ...[
      ...['', 'true', 'null', '[]', '{}', 'yes', '[true]', '"is_correct"', '{"is_correct": true'],
      ...['{"is_correct": "true"}', '{"is_correct": 1}', '{"is_correct": null}', '{"is_correct": [true]}'],
      ...['{"isCorrect": true}', '{"IS_CORRECT": true}', '{"is_correct": true, "error": "no such user"}'],
      ...['{"__proto__": {"is_correct": true}}', '{"statusCode": 200, "body": "{\\"is_correct\\": true}"}'],
    ].map((text) => [`says ${text}`, 'answer', say(text)] as const),
  ]

  it.each(kinds)('%s: the sign-in is refused, and nothing is lost', async (_, outcome, behavior) => {
    const [person, address] = [await old.addUser(service), freshAddress()]
    old.behave(behavior)
    const answer = await signIn(person, {}, address)
    expect(answer).toMatchObject({ status: 503, body: outage, headers: { 'retry-after': '5' } })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(old.questionsAbout(person)).toHaveLength(1)
    expect(await eventsOf(person)).toEqual([`password.check_failed ${outcome}`])
    expect(await stored(person)).toMatchObject({ legacySignIn: expect.anything(), passwordHash: null })
    old.answerTruly()
    expect((await signIn(person, {}, address)).status).toBe(200)
    expect(service.log.join()).not.toContain(person.password)
  })

  it('is no failure of the user, until their network asks too often', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [person, address] = [await old.addUser(service), freshAddress()]
    const { max } = service.services.config.rateLimits.legacyPasswordOutages
    old.behave(say('', 500))
    for (let at = 0; at < max; at++) expect((await signIn(person, {}, address)).status).toBe(503)
    expect((await signIn(person, {}, address)).status).toBe(429)
    expect(old.questionsAbout(person)).toHaveLength(max)
    old.answerTruly()
    expect((await signIn(person)).status).toBe(200)
    expect((await signIn(person, {}, address)).status).toBe(200)
  })

  it('is asked no more often by a hundred sign-ins at the same time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [person, address] = [await old.addUser(service), freshAddress()]
    old.behave(say('', 500))
    const answers = await many(100, () => signIn(person, {}, address))
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([429, 503])
    const { max } = service.services.config.rateLimits.legacyPasswordOutages
    expect(old.questionsAbout(person).length).toBeLessThanOrEqual(max)
    expect(await stored(person)).toMatchObject({ legacySignIn: expect.anything(), passwordHash: null })
  })

  it('is counted by the metric of an alarm', async () => {
    const before = service.log.length
    old.behave(say('', 500))
    await signIn(await old.addUser(service))
    const lines = service.log.slice(before).filter((line) => line.includes('legacy_password_check.failed'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"OldSystemUnanswered":1')
  })
})

describe('the old system is not asked', () => {
  const refuse = async (person: Person) => {
    const before = old.questions.length
    const answer = await signIn(person)
    expect([answer.status, answer.body.reason]).toEqual([401, 'invalid_credentials'])
    expect(old.questions).toHaveLength(before)
  }

  it('about unknown names', async () => {
    const before = old.questions.length
    for (const name of [randomUUID(), `${randomUUID()}@example.com`, 'constructor', '0', '*'])
      expect((await login(name, 'a password')).status).toBe(401)
    expect(old.questions).toHaveLength(before)
  })

  it.each<[string, Partial<NewUser>]>([
    ['without the mark', { legacySignIn: undefined }],
    ['who are disabled', { is_enabled: false }],
    ['who have expired', { expiresAt: 1 }],
  ])('about users %s', async (_, fields) => refuse(await old.addUser(service, fields)))

  it('about users with a password of this service', async () => {
    const person = await addPerson(service, { legacySignIn: { username: 'ada', email: null } })
    const before = old.questions.length
    expect((await login(person.user.username, 'a wrong password')).status).toBe(401)
    expect((await signIn(person)).status).toBe(200)
    expect(old.questions).toHaveLength(before)
  })

  it('about a locked account', async () => {
    const person = await old.addUser(service)
    const { config, table, now } = service.services
    const { accountFailures } = config.rateLimits
    for (let at = 0; at < accountFailures.max; at++)
      await countEvent(table, accountFailures, person.user.normalizedUsername, now())
    await refuse(person)
  })

  it('more often than the limit for all users together allows', async () => {
    const [person, address] = [await old.addUser(service), freshAddress()]
    const { config, table } = service.services
    const limit = { ...config.rateLimits.legacyPasswordChecks, max: 1 }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    for (let at = 0; at < config.rateLimits.legacyPasswordChecks.max; at++)
      await countEvent(table, limit, 'all', Date.now())
    for (let at = 0; at < 4; at++) expect((await signIn(person, {}, address)).status).toBe(429)
    expect(old.questionsAbout(person)).toEqual([])
    vi.setSystemTime(Date.now() + 3_600_000)
    expect((await signIn(person, {}, address)).status).toBe(200)
  })

  it('after the last day', async () => {
    const person = await old.addUser(service)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2100-01-01T00:00:00Z') })
    await refuse(person)
    vi.setSystemTime(Date.parse('2099-12-31T23:59:59Z'))
    expect((await signIn(person)).status).toBe(200)
  })
})
