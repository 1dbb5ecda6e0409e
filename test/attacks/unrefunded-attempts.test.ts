import { afterAll, describe, expect, it, vi } from 'vitest'
import { getEventCount, getStreak, rateKey } from '../../lib/kernel/rates/rates.ts'
import { clientFrom } from '../support/addressed-client.ts'
import { addPerson, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Few right passwords stay counted as failures, because a refund takes writes. That must neither lock a person out nor give an
 * attacker a guess more than the limits say.
 */

const service = await useService()
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
afterAll(() => vi.useRealTimers())

let networks = 0
const freshAddress = (): string => `127.3.${++networks}.1`
const login = async (address: string, { user, password }: Person, given = password): Promise<number> => {
  const body = { username: user.username, password: given }
  return (await clientFrom(address, service.url)('POST', '/api/2/auth/login', { body })).status
}
const { accountFailures, addressFailures } = service.services.config.rateLimits
const readCount = async (limit: typeof accountFailures, subject: string) => {
  const item = await service.services.table.get(rateKey(limit, subject))
  return { events: getEventCount(item, limit, Date.now()), streak: getStreak(item) }
}
const twentieth = 5
const wait = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms)
}

describe('a right password from a new network', () => {
  it('leaves all free attempts at the network', async () => {
    const person = await addPerson(service)
    const address = freshAddress()
    expect(await login(address, person)).toBe(200)
    wait(1000)
    for (let at = 0; at < 5; at++) expect(await login(address, person, 'a wrong guess')).toBe(401)
    expect(await login(address, person, 'a wrong guess')).toBe(429)
  })

  it('forgets no guess that comes after it, however often the person signed in', async () => {
    const person = await addPerson(service)
    const address = freshAddress()
    const statuses: number[] = []
    for (let day = 0; day < 3; day++) {
      expect(await login(address, person)).toBe(200)
      for (let at = 0; at < 6; at++) statuses.push(await login(address, person, 'a wrong guess'))
      wait(25 * 3_600_000)
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(15)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3)
  })

  it('stays counted at most a twentieth of the limit for a network, with sixty at once', async () => {
    const address = freshAddress()
    const people = await Promise.all(Array.from({ length: 60 }, () => addPerson(service)))
    const statuses = await Promise.all(people.map((person) => login(address, person)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const { events } = await readCount(addressFailures, address)
    expect(events).toBeGreaterThan(0)
    expect(events).toBeLessThanOrEqual(twentieth)
  })

  it('stays counted at most a twentieth of the limits for an account that signs in from everywhere', async () => {
    const person = await addPerson(service)
    for (let at = 0; at < 30; at++) expect(await login(freshAddress(), person)).toBe(200)
    const { events, streak } = await readCount(accountFailures, person.user.normalizedUsername)
    expect(events).toBeLessThanOrEqual(twentieth)
    expect(streak).toBeLessThanOrEqual(twentieth)
  })

  it('allows strangers no more guesses than the limit', async () => {
    const person = await addPerson(service)
    const home = freshAddress()
    expect(await login(home, person)).toBe(200)
    for (let at = 0; at < 100; at++) await login(freshAddress(), person, 'a wrong guess')
    expect(await login(freshAddress(), person)).toBe(401)
    expect(await login(home, person)).toBe(200)
  })
})
