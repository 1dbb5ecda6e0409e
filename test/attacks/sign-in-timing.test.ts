import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { NewUser } from '../../lib/accounts/users/stored-user.records.ts'
import { countEvent } from '../../lib/kernel/rates/rates.ts'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { costsSince } from '../support/directory.ts'
import { addPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const tries = 10

// At this cost hashing dominates the duration, as it does in production. The mailer is another process there.
const service = await useService({ PASSWORD_COST: '8' }, { sendsMail: false })

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
    disabled: await names({ passwordHash, is_enabled: false }),
    'without password': await names({ passwordHash: null }),
    locked: Array<string>(tries).fill(locked),
  }

  // Refused for one reason after the other, each time from another address, to avoid the rate limit.
  const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]))
  // The first refusal of an account or a network is noted once, which takes more calls.
  const calls = new Map<string, number>()
  const shapes = new Set<string>()
  const tryEach = async (round: number): Promise<void> => {
    for (const [place, [kind, usernames]] of Object.entries(kinds).entries()) {
      const logStart = service.log.length
      const ms = await cpuMsOf(async () => {
        const { body, headers, status } = await postFrom(
          loopback(1 + round * 5 + place),
          `${service.url}/api/2/auth/login`,
          {
            username: usernames[round % tries],
            password: kind === 'locked' ? 'the right password' : 'a wrong password',
          },
        )
        shapes.add(JSON.stringify([status, { ...body, request_id: '' }, Object.keys(headers)]))
      })
      times.get(kind)?.push(ms)
      const [cost] = costsSince(service, logStart)
      calls.set(kind, Math.min(calls.get(kind) ?? Number.POSITIVE_INFINITY, cost?.calls ?? Number.NaN))
    }
  }
  /** The time of a kind is that of its third fastest try, which chance and other processes hardly change. */
  const timeOf = (list: readonly number[]) => list.toSorted((left, right) => left - right)[2] ?? 0
  const evenness = (): number => {
    const all = [...times.values()].map(timeOf)
    return Math.min(...all) / Math.max(...all)
  }
  // The more tries, the closer the times of equal work are, while those of unequal work stay apart.
  for (let round = 0; round < 10 || (round < 100 && evenness() <= 0.9); round++) await tryEach(round)
  const shown = [...times].map(([kind, list]) => `${kind} ${timeOf(list).toFixed(1)} ms`).join(', ')
  expect(evenness(), shown).toBeGreaterThan(0.9)
  expect([...shapes]).toEqual([expect.stringContaining('invalid_credentials')])
  expect(new Set(calls.values()), JSON.stringify([...calls])).toHaveProperty('size', 1)
}, 240_000)
