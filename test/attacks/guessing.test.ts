import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getNetwork } from '../../lib/kernel/util/network.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { statusesOf } from '../support/links.ts'
import { addPerson, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const service = await useService()
let person: Person
let now = Date.now()
let nextAddress = 1
const freshAddress = () => loopback(nextAddress++)
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  person = await addPerson(service)
})
afterEach(() => {
  now = Date.now() + 2 * hour
  vi.useRealTimers()
})

const login = (address: string, password: string, username = person.user.username) =>
  postFrom(address, `${service.url}/api/2/auth/login`, { username, password })
const guess = async (address: string, username?: string) =>
  (await login(address, 'a wrong guess', username)).status
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms)

describe('password guessing from one address', () => {
  it.each(['a user', 'an unknown name'])(
    'at %s causes a wait that doubles after five failures, up to a quarter of an hour',
    async (who) => {
      const address = freshAddress()
      const username = who === 'an unknown name' ? `unknown-${randomUUID()}` : person.user.username
      for (let at = 0; at < 5; at++) expect(await guess(address, username)).toBe(401)
      const waits: number[] = []
      for (let at = 0; at < 13; at++) {
        const refused = await login(address, person.password, username)
        expect(refused.status).toBe(429)
        expect(refused.body.code).toBe('too_many_requests')
        const seconds = Number(refused.headers['retry-after'])
        waits.push(seconds)
        wait(seconds * second)
        expect(await guess(address, username)).toBe(401)
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    },
  )

  it('is checked again after the wait, and forgotten after a successful sign-in', async () => {
    const address = freshAddress()
    for (let at = 0; at < 5; at++) await guess(address)
    wait(second - 1)
    expect((await login(address, person.password)).status).toBe(429)
    wait(1)
    expect((await login(address, person.password)).status).toBe(200)
    for (let at = 0; at < 5; at++) expect(await guess(address)).toBe(401)
  })

  it('is counted together for all spellings of the name', async () => {
    const address = freshAddress()
    const { username } = person.user
    const spellings = [
      username,
      username.toUpperCase(),
      ` ${username}`,
      username.replace('user', 'ｕｓｅｒ'),
      `${username} `,
    ]
    for (const spelling of spellings) expect(await guess(address, spelling)).toBe(401)
    expect(await guess(address, username)).toBe(429)
  })

  it('at many accounts is blocked after a hundred failures in ten minutes', async () => {
    const address = freshAddress()
    const answers: number[] = []
    for (let at = 0; at < 103; at++) answers.push(await guess(address, `unknown-${at}-${randomUUID()}`))
    expect(answers.slice(0, 100).every((status) => status === 401)).toBe(true)
    expect(answers.slice(100)).toEqual([429, 429, 429])
    const blocked = await login(address, person.password)
    expect(blocked.status).toBe(429)
    wait(Number(blocked.headers['retry-after']) * second)
    expect((await login(address, person.password)).status).toBe(200)
  })

  it('gets no more guesses from a hundred concurrent requests than from sequential ones', async () => {
    const address = freshAddress()
    for (let at = 0; at < 5; at++) await guess(address)
    wait(second)
    const wrong = Array.from({ length: 99 }, (_, at) => `guess ${at}`)
    const tried = await Promise.all([...wrong, person.password].map((password) => login(address, password)))
    const counts = statusesOf(tried)
    // The right password may be checked first or be refused like the wrong ones. It must not work after one of them.
    const others = tried.filter(({ status }) => ![200, 401, 429].includes(status))
    expect(others.map(({ body }) => body)).toEqual([])
    const blocked = await login(address, person.password)
    if (!counts[200]) expect(blocked.status).toBe(429)
  })
})

it('costs no more with names and passwords that are slow to normalize', async () => {
  const accents = '\u0301\u0323'.repeat(14_000)
  const heavyMs = await cpuMsOf(async () => {
    expect((await login(freshAddress(), accents, 'somebody')).status).toBe(401)
    expect((await login(freshAddress(), 'x', `a${accents}`)).status).toBe(401)
  })
  const plainMs = await cpuMsOf(async () => {
    for (let at = 0; at < 2; at++) await login(freshAddress(), 'x'.repeat(28_000), 'somebody')
  })
  expect(heavyMs).toBeLessThan(20 * plainMs)
})

describe('password guessing at one account from many addresses', () => {
  /** Guesses `count` times, each from another address. */
  const guessFromEverywhere = async (count: number): Promise<number[]> => {
    const statuses: number[] = []
    while (statuses.length < count)
      statuses.push(...(await Promise.all(Array.from({ length: 25 }, () => guess(freshAddress())))))
    return statuses
  }

  it('is blocked after a hundred failures an hour, while the owner signs in from a known address', async () => {
    const home = freshAddress()
    expect((await login(home, person.password)).status).toBe(200)
    expect(new Set(await guessFromEverywhere(100))).toEqual(new Set([401]))
    const locked = await login(freshAddress(), person.password)
    const wrong = await login(freshAddress(), 'a wrong guess')
    expect({ ...locked.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' })
    expect(locked.status).toBe(401)
    expect((await login(home, person.password)).status).toBe(200)
    wait(hour + 10 * minute)
    expect((await login(freshAddress(), person.password)).status).toBe(200)
  })

  it('never has more than a hundred passwords checked in any hour, however they are spread', async () => {
    const home = freshAddress()
    await login(home, person.password)
    await guessFromEverywhere(50)
    wait(59 * minute)
    await guessFromEverywhere(50)
    expect((await login(freshAddress(), person.password)).status).toBe(401)
    // Ends the consecutive failures, but not those of the hour.
    expect((await login(home, person.password)).status).toBe(200)
    expect((await login(freshAddress(), person.password)).status).toBe(401)
    wait(12 * minute)
    expect((await login(freshAddress(), person.password)).status).toBe(200)
  })

  it('checks the right password of concurrent guesses only while the count is below the limit', async () => {
    await guessFromEverywhere(75)
    const passwords = [...Array.from({ length: 60 }, (_, at) => `guess ${at}`), person.password]
    const answers = await Promise.all(passwords.map((password) => login(freshAddress(), password)))
    for (const { status } of answers) expect([200, 401]).toContain(status)
    expect((await login(freshAddress(), person.password)).status).toBe(401)
  })
})

describe('the network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['not an address', 'not an address'],
  ])('of %s is %s', (address, network) => {
    expect(getNetwork(address)).toBe(network)
  })
})
