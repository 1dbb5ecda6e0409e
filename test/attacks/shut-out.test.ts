import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { countEvent, getEventCount, rateKey } from '../../lib/kernel/rates/rates.ts'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import { awaitMails } from '../support/await-mails.ts'
import type { Answer } from '../support/client.ts'
import { statusesOf } from '../support/links.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, type Person } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* Attackers who want to shut out an owner whose name they know, from as many networks as they like. */

const minute = 60_000
const hour = 60 * minute
const service = await useService()
let person: Person
let home: string
let nextAddress = 1
let now = Date.now()
const freshAddress = () => loopback(nextAddress++)
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms)
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  home = freshAddress()
  person = await addPerson(service, { email: `${randomUUID()}@example.com` })
  now += 24 * hour
})
afterAll(() => vi.useRealTimers())

/** Sends a request as a page of the service does in a browser. */
const browse = (address: string, path: string, body: object, cookie = ''): Promise<Answer> =>
  clientFrom(address, service.url)('POST', path, {
    body,
    headers: { 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) },
  })
const login = (address: string, password: string, cookie?: string, { user } = person) =>
  browse(address, '/api/2/auth/login', { username: user.username, password }, cookie)
const signIn = (address: string, cookie?: string) => login(address, person.password, cookie)
const guess = () => login(freshAddress(), 'a wrong guess')
const guessMany = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 25)
    await Promise.all(Array.from({ length: Math.min(25, count - done) }, guess))
}
/** Counts failed sign-ins of strangers, which saves the requests. */
const failBefore = async (count: number): Promise<void> => {
  const { table, config } = service.services
  const { normalizedUsername } = person.user
  for (let at = 0; at < count; at++)
    await countEvent(table, config.rateLimits.accountFailures, normalizedUsername, Date.now(), hour)
}
const readDeviceCookie = ({ cookies }: Answer): string =>
  cookies.find((cookie) => cookie.startsWith('latchkey-device='))?.replace(/;.*/, '') ?? ''
const sizeOf = ({ status, text, body }: Answer) => ({
  status,
  size: text.length,
  body: { ...body, request_id: '' },
})
const countChecked = async (): Promise<number> => {
  const { table, config } = service.services
  const { accountFailures } = config.rateLimits
  const item = await table.get(rateKey(accountFailures, person.user.normalizedUsername))
  return getEventCount(item, accountFailures, Date.now())
}
const subjectsTo = ({ user }: Person): string[] =>
  service.mailbox.mailsTo(user.email).map(({ subject }) => subject)

describe('attackers from many networks, over hours', () => {
  it('get a hundred guesses an hour, and never shut out the owner', async () => {
    expect((await signIn(home)).status).toBe(200)
    const device = readDeviceCookie(await signIn(home))
    for (let round = 0; round < 2; round++) {
      await guessMany(75)
      wait(30 * minute)
      await guessMany(75)
      expect(await countChecked()).toBeLessThanOrEqual(100)
      // On the known network, and on the known browser elsewhere.
      expect((await signIn(home)).status).toBe(200)
      expect((await signIn(freshAddress(), device)).status).toBe(200)
      wait(30 * minute)
    }
    await guessMany(110)
    const elsewhere = freshAddress()
    const [right, wrong] = [await signIn(elsewhere), await login(freshAddress(), 'a wrong guess')]
    const unknown = await browse(freshAddress(), '/api/2/auth/login', {
      username: `user-${randomUUID()}`,
      password: 'x',
    })
    expect(right.status).toBe(401)
    expect(sizeOf(right)).toEqual(sizeOf(wrong))
    expect(sizeOf(unknown)).toEqual(sizeOf(wrong))
    // The answer is in the mailbox, where only the owner sees it.
    const token = await readMailedToken(service, person.user.email, 'reset', ({ text }) =>
      text.includes('Someone entered the right password'),
    )
    const password = `New ${randomUUID()}`
    const reset = await browse(elsewhere, '/api/2/auth/reset-password', { token, password })
    expect(reset.status).toBe(204)
    await guessMany(110)
    expect((await login(elsewhere, password)).status).toBe(200)
    expect((await login(freshAddress(), password, readDeviceCookie(reset))).status).toBe(200)
  })

  it('cause no flood of emails with the way in, and none for a wrong password', async () => {
    await failBefore(95)
    await guessMany(10)
    for (let at = 0; at < 6; at++) expect((await signIn(freshAddress())).status).toBe(401)
    await awaitMails(service)
    expect(subjectsTo(person).filter((subject) => subject.includes('again'))).toHaveLength(3)
    const other = await addPerson(service, { email: `${randomUUID()}@example.com` })
    person = other
    await failBefore(95)
    await guessMany(10)
    await awaitMails(service)
    expect(subjectsTo(other).filter((subject) => subject.includes('again'))).toEqual([])
  })

  it('in the network of the owner do not reach their browser', async () => {
    const device = readDeviceCookie(await signIn(home))
    const answers = await Promise.all(Array.from({ length: 40 }, () => login(home, 'a wrong guess')))
    expect(statusesOf(answers)).toEqual({ 401: 5, 429: 35 })
    expect((await signIn(home)).status).toBe(429)
    expect((await signIn(home, device)).status).toBe(200)
  })
})

describe('the cookie of a known browser', () => {
  it('is one that only this host reads and sets, and outlives the session', async () => {
    const first = await signIn(home)
    const device = first.cookies.find((cookie) => cookie.startsWith('latchkey-device=')) ?? ''
    expect(device).toMatch(/^latchkey-device=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=34560000$/)
    const cookie = readDeviceCookie(first)
    const out = await browse(
      home,
      '/api/2/auth/logout',
      {},
      first.cookies.map((one) => one.replace(/;.*/, '')).join('; '),
    )
    expect(out.cookies.join()).not.toContain('latchkey-device')
    // The browser keeps its cookie, also for a second user.
    expect(readDeviceCookie(await signIn(home, cookie))).toBe(cookie)
  })

  it('opens nothing', async () => {
    const cookie = readDeviceCookie(await signIn(home))
    const me = await clientFrom(home, service.url)('GET', '/api/2/users/me', { headers: { cookie } })
    expect(me.status).toBe(401)
    expect((await login(home, 'a wrong guess', cookie)).status).toBe(401)
    const user = await findUser(service.services.table, person.user.id)
    expect(JSON.stringify(user)).not.toContain(cookie.replace('latchkey-device=', ''))
  })

  it('allows guesses as few as any other place', async () => {
    const cookie = readDeviceCookie(await signIn(home))
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => login(freshAddress(), 'a wrong guess', cookie)),
    )
    expect(statusesOf(answers)).toEqual({ 401: 5, 429: 25 })
    expect((await signIn(freshAddress(), cookie)).status).toBe(429)
  })

  it('helps at no other account, and not if it is made up, repeated, or from another site', async () => {
    const other = await addPerson(service)
    const foreign = readDeviceCookie(await login(home, other.password, '', other))
    const own = readDeviceCookie(await signIn(home))
    await failBefore(95)
    await guessMany(10)
    const madeUp = `latchkey-device=${'a'.repeat(43)}`
    for (const cookie of [foreign, madeUp, 'latchkey-device=__proto__', `${own}; ${own}`])
      expect((await signIn(freshAddress(), cookie)).status).toBe(401)
    const body = { username: person.user.username, password: person.password }
    const crossSite = await clientFrom(freshAddress(), service.url)('POST', '/api/2/auth/login', {
      body,
      headers: { 'sec-fetch-site': 'cross-site', cookie: own },
    })
    expect({ status: crossSite.status, cookies: crossSite.cookies }).toEqual({ status: 401, cookies: [] })
    expect((await signIn(freshAddress(), own)).status).toBe(200)
  })

  it('is not given to clients that are no browsers, and to ten browsers at most', async () => {
    const body = { username: person.user.username, password: person.password }
    const plain = await clientFrom(home, service.url)('POST', '/api/2/auth/login', { body })
    expect(plain.cookies.join()).not.toContain('latchkey-device')
    for (let at = 0; at < 12; at++) {
      expect((await signIn(home)).status).toBe(200)
      wait(1000)
    }
    const user = await findUser(service.services.table, person.user.id)
    expect(Object.keys(user?.deviceCookies ?? {})).toHaveLength(10)
  })
})

describe('emails that anyone can request for an owner', () => {
  const requestReset = (address: string, cookie?: string, username = person.user.username) =>
    browse(address, '/api/2/auth/reset-password/request', { username }, cookie)
  const requestCode = (address: string, cookie?: string, username = person.user.username) =>
    browse(address, '/api/2/auth/email-code', { username }, cookie)
  const countMails = async (wanted: string): Promise<number> => {
    await awaitMails(service)
    return subjectsTo(person).filter((subject) => subject.includes(wanted)).length
  }
  const kinds = [
    { kind: 'a reset link', send: requestReset, wanted: 'Choose a new password' },
    { kind: 'a code', send: requestCode, wanted: 'code' },
  ]
  beforeEach(() => storeSignInPolicy(service, { allow_email_codes: true }))

  it.each(kinds)(
    'reach the owner with $kind, although strangers used up their share',
    async ({ send, wanted }) => {
      const device = readDeviceCookie(await signIn(home))
      const stranger = freshAddress()
      for (let at = 0; at < 5; at++) await send(stranger)
      // One network has a share, so others get through.
      expect(await countMails(wanted)).toBe(3)
      await send(freshAddress())
      expect(await countMails(wanted)).toBe(4)
      for (let at = 0; at < 20; at++) await send(freshAddress())
      expect(await countMails(wanted)).toBe(9)
      await send(home)
      await send(freshAddress(), device)
      expect(await countMails(wanted)).toBe(11)
    },
  )

  it.each(kinds)('have the same answer with $kind for everyone', async ({ send }) => {
    const shapes = []
    for (const username of [person.user.username, `user-${randomUUID()}`]) {
      const { status, text, cookies } = await send(freshAddress(), '', username)
      shapes.push({ status, size: text.length, cookies })
    }
    expect(shapes[0]).toEqual(shapes[1])
  })
})
