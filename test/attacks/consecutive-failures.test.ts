import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { normalizeUsername } from '../../lib/accounts/names/names.ts'
import { rateKey } from '../../lib/kernel/rates/rates.ts'
import { pairKey } from '../../lib/kernel/rates/sign-in-delays.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { enableSecondFactor, type SecondFactor } from '../support/authenticator.ts'
import { awaitMails } from '../support/await-mails.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/* Guessing that is patient enough for every limit per hour, and guessing that is meant to shut out the owner. */

const minute = 60_000
const hour = 60 * minute

// Only the failures in a row can stop these guesses.
const service = await useService({ RATE_LIMITS: 'accountFailures=100000/3600' })
let person: Person
let home: string
let now = Date.now()
let nextAddress = 1
const freshAddress = () => loopback(nextAddress++)
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms)
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  home = freshAddress()
  person = await addPerson(service, { email: `${randomUUID()}@example.com` })
  expect((await login(home)).status).toBe(200)
})
afterEach(() => {
  now = Date.now() + 2 * hour
  vi.useRealTimers()
})

const login = (address: string, fields: object = {}) =>
  postFrom(address, `${service.url}/api/2/auth/login`, {
    username: person.user.username,
    password: person.password,
    ...fields,
  })
const guess = (fields: object = {}) => login(freshAddress(), { password: 'a wrong guess', ...fields })
const guessMany = async (count: number, fields: object = {}): Promise<void> => {
  for (let done = 0; done < count; done += 25)
    await Promise.all(Array.from({ length: Math.min(25, count - done) }, () => guessUntilCounted(fields)))
}
/** A busy table refuses some of many requests at once, and those are no guesses. */
const guessUntilCounted = async (fields: object): Promise<void> => {
  while ((await guess(fields)).status === 503);
}
const bodyOf = ({ status, body }: { status: number; body: object }) => ({ status, ...body, request_id: '' })
const lockMails = () =>
  service.mailbox
    .mailsTo(person.user.email)
    .filter(({ subject }) => subject.startsWith('Too many failed attempts'))

/** Stores that sign-ins have failed before, which saves the requests. */
const failBefore = async (count: number, username = person.user.username): Promise<void> => {
  const { config, table } = service.services
  const key = rateKey(config.rateLimits.accountFailures, normalizeUsername(username))
  await table.update(key, (x) => ({ set: [`${x.path('streak')} = ${x.value(count)}`] }))
}

/** Stores that sign-ins from one network have failed before. */
const failFrom = async (address: string, failures: number): Promise<void> => {
  const record = { failures, lastAt: 0, expires_at: Math.ceil((Date.now() + hour) / 1000) }
  await service.services.table.put({ ...pairKey(person.user.normalizedUsername, address), ...record })
}

/** Resets the password by email. */
const resetPassword = async (password: string): Promise<void> => {
  const body = { username: person.user.username }
  await service.client('POST', '/api/2/auth/reset-password/request', { body })
  // A right password of a locked account is answered with a link as well. The newest one works.
  await awaitMails(service)
  const token = await readMailedToken(service, person.user.email, 'reset')
  const answer = await service.client('POST', '/api/2/auth/reset-password', { body: { token, password } })
  expect(answer.status).toBe(204)
}

describe('a hundred failures in a row', () => {
  it('lock an account for unknown networks, over any time, until its owner signs in or resets it', async () => {
    for (let round = 0; round < 4; round++) {
      wait(26 * hour)
      await guessMany(25)
    }
    // A right password is answered like a wrong one.
    expect(bodyOf(await login(freshAddress()))).toEqual(bodyOf(await guess()))
    await waitFor(() => expect(lockMails()).toHaveLength(1))
    wait(30 * 24 * hour)
    expect((await login(freshAddress())).status).toBe(401)
    expect((await login(home)).status).toBe(200)
    expect((await login(freshAddress())).status).toBe(200)
    await failBefore(95)
    await guessMany(5)
    expect((await login(freshAddress())).status).toBe(401)
    const password = `a new password ${randomUUID()}`
    await resetPassword(password)
    expect((await login(freshAddress(), { password })).status).toBe(200)
    expect(lockMails().length).toBeLessThanOrEqual(2)
  })

  it('are no failures in a row if a sign-in is between them', async () => {
    for (let round = 0; round < 2; round++) {
      await failBefore(95)
      await guessMany(4)
      expect((await login(freshAddress())).status).toBe(200)
    }
  })

  it('lock the account for concurrent guesses, too, and send one email', async () => {
    await failBefore(90)
    const passwords = [...Array.from({ length: 30 }, (_, at) => `guess ${at}`), person.password]
    const answers = await Promise.all(passwords.map((password) => login(freshAddress(), { password })))
    const isRightFirst = answers.some(({ status }) => status === 200)
    for (const { status } of answers) expect([200, 401]).toContain(status)
    if (isRightFirst) await failBefore(95)
    await guessMany(isRightFirst ? 10 : 0)
    expect((await login(freshAddress())).status).toBe(401)
    await waitFor(() => expect(lockMails().length).toBeGreaterThan(0))
    expect(lockMails().length).toBeLessThanOrEqual(isRightFirst ? 2 : 1)
  })

  it('are answered alike for a name that no user has, which occupies the table only for a while', async () => {
    const username = `unknown-${randomUUID()}`
    await failBefore(99, username)
    await guessMany(2, { username })
    await guessMany(1)
    expect(bodyOf(await guess({ username }))).toEqual(bodyOf(await guess()))
    const { accountFailures } = service.services.config.rateLimits
    const expiryOf = async (name: string) => {
      const item = await service.services.table.get(rateKey(accountFailures, normalizeUsername(name)))
      return Number(item?.['expires_at']) * 1000 - Date.now()
    }
    expect(await expiryOf(username)).toBeLessThan(3 * hour)
    expect(await expiryOf(person.user.username)).toBeGreaterThan(300 * 24 * hour)
  })

  it('from the owner’s own network lock that network, too', async () => {
    await failBefore(99)
    await failFrom(home, 99)
    await login(home, { password: 'a wrong guess' })
    wait(16 * minute)
    expect((await login(home)).status).toBe(401)
    const password = `a new password ${randomUUID()}`
    await resetPassword(password)
    expect((await login(freshAddress(), { password })).status).toBe(200)
  })
})

describe('wrong codes of somebody who knows the password', () => {
  let secondFactor: SecondFactor
  beforeEach(async () => {
    // Enabling it ends sessions, so the network is known from a new sign-in.
    const signedIn = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
    person = signedIn
    secondFactor = await enableSecondFactor(service, signedIn)
    wait(minute)
    expect((await login(home, { otp: code() })).status).toBe(200)
    wait(minute)
  })
  const code = () => secondFactor.authenticator.code()
  const guessCode = () => login(freshAddress(), { otp: '000000' })

  it('do not shut out the owner on a known network, or with a recovery code anywhere', async () => {
    for (let at = 0; at < 5; at++) expect((await guessCode()).status).toBe(403)
    expect((await guessCode()).status).toBe(429)
    expect((await login(freshAddress(), { otp: code() })).status).toBe(429)
    expect((await login(home, { otp: code() })).status).toBe(200)
    const [recoveryCode] = secondFactor.recoveryCodes
    expect((await login(freshAddress(), { otp: recoveryCode })).status).toBe(200)
    expect((await login(freshAddress(), { otp: recoveryCode })).status).toBe(429)
  })

  it('are limited to a hundred in a row, over any time, until the password is reset', async () => {
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 7 }, guessCode))
      wait(6 * minute)
    }
    expect(bodyOf(await login(freshAddress(), { otp: code() }))).toEqual(bodyOf(await guessCode()))
    await waitFor(() => expect(lockMails()).toHaveLength(1))
    expect((await login(home, { otp: code() })).status).toBe(200)
    wait(10 * minute)
    const [recoveryCode] = secondFactor.recoveryCodes
    expect((await login(freshAddress(), { otp: recoveryCode })).status).toBe(200)
    const password = `a new password ${randomUUID()}`
    await resetPassword(password)
    expect((await login(freshAddress(), { password, otp: code() })).status).toBe(200)
  })
})
