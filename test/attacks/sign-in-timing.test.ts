import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../../lib/secrets/passwords.ts'
import type { NewUser } from '../../lib/store/directory/user-record.ts'
import { countEvent } from '../../lib/store/rates/rates.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { addPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

const tries = 20
let service: TestService
beforeAll(async () => {
  // At this cost hashing dominates the duration, as it does in production. The mailer is another process there.
  service = await startService({ PASSWORD_COST: '8' }, { sendsMail: false })
})
afterAll(() => service.close())

it('a refused sign-in takes the same time and looks the same for every user', async () => {
  const { config, table, now } = service.services
  const passwordHash = await hashPassword('the right password', config.passwordCost)
  const names = (fields: Partial<NewUser>): Promise<string[]> =>
    Promise.all(Array.from({ length: tries }, async () => (await addPerson(service, fields)).user.username))
  const locked = (await addPerson(service, { passwordHash })).user.username
  const { accountFailures } = config.rateLimits
  for (let at = 0; at < accountFailures.max; at++) await countEvent(table, accountFailures, locked, now())
  const kinds = {
    unknown: Array.from({ length: tries }, () => `user-${randomUUID()}`),
    'wrong password': await names({ passwordHash }),
    disabled: await names({ passwordHash, isEnabled: false }),
    'without password': await names({ passwordHash: null }),
    locked: Array<string>(tries).fill(locked),
  }

  /**
   * The shortest time of a kind divided by the longest. The time of a kind is that of its third fastest try, which other
   * work on the machine hardly changes. Measured in turns, so that load affects all kinds.
   */
  const evenness = async (attempt: number): Promise<number> => {
    const durations = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]))
    const shapes = new Set<string>()
    for (let at = 0; at < tries; at++)
      for (const [place, [kind, usernames]] of Object.entries(kinds).entries()) {
        // Each from its own address, to avoid the rate limit.
        const address = loopback(1 + (attempt * tries + at) * 5 + place)
        const answer = await postFrom(address, `${service.url}/api/2/auth/login`, {
          username: usernames[at],
          password: kind === 'locked' ? 'the right password' : 'a wrong password',
        })
        durations.get(kind)?.push(answer.durationMs)
        const { body, headers, status } = answer
        shapes.add(JSON.stringify([status, { ...body, request_id: '' }, Object.keys(headers)]))
      }
    expect([...shapes]).toEqual([expect.stringContaining('invalid_credentials')])
    const times = [...durations].map(
      ([kind, list]) => [kind, list.toSorted((a, b) => a - b)[tries / 10] ?? 0] as const,
    )
    process.stdout.write(`${times.map(([kind, ms]) => `${kind} ${ms.toFixed(1)} ms`).join(', ')}\n`)
    const all = times.map(([, ms]) => ms)
    return Math.min(...all) / Math.max(...all)
  }
  // Load can make equal work look unequal, but it rarely makes unequal work look equal.
  const measured: number[] = []
  while (measured.length < 25 && Math.max(0, ...measured) <= 0.9)
    measured.push(await evenness(measured.length))
  expect(Math.max(...measured)).toBeGreaterThan(0.9)
}, 240_000)
