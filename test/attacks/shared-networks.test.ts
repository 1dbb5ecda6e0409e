import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { getEventCount, rateKey } from '../../lib/kernel/rates/rates.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { statusesOf } from '../support/links.ts'
import { addPerson, type Person } from '../support/people.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* All users of two products share one network. An attacker behind it uses up the failures of the network. */

const service = await useWatchedService({ RATE_LIMITS: 'addressFailures=10/600' })
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
const known = await addPerson(service)
const stranger = await addPerson(service)
let names = 0
afterEach(() => service.restore())
afterAll(() => vi.useRealTimers())

const login = (username: string, password: string) =>
  service.client('POST', '/api/2/auth/login', { body: { username, password } })
const signIn = ({ user, password }: Person) => login(user.username, password)
expect((await signIn(known)).status).toBe(200)
const guess = (username: string) => login(username, 'a wrong guess')
for (let at = 0; at < 10; at++) expect((await guess(`unknown-${names++}`)).status).toBe(401)
const addKnown = async (): Promise<Person> => {
  const person = await addPerson(service)
  const { table } = service.services
  const key = userKey(person.user.id)
  await table.update(key, (x) => ({
    set: [`${x.path('knownAddresses', '127.0.0.1')} = ${x.value(Date.now())}`],
  }))
  return person
}
const countActions = async (send: () => Promise<unknown>): Promise<readonly string[]> => {
  const actions: string[] = []
  service.watch(({ action }) => {
    actions.push(action)
    return undefined
  })
  await send()
  service.restore()
  return actions
}

describe('a network with too many failures', () => {
  it('lets users in who signed in from it before, also in parallel with guesses', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, addKnown))
    const answers = await Promise.all(
      people.flatMap((person) => [guess(`unknown-${names++}`), signIn(person), guess(`unknown-${names++}`)]),
    )
    expect(statusesOf(answers)).toEqual({ 200: 5, 429: 10 })
  })

  it('lets no one else in, even with the right password', async () => {
    expect((await signIn(stranger)).status).toBe(429)
  })

  it('does not reveal by response or table calls who signed in from it before', async () => {
    const person = await addKnown()
    const shapes = []
    for (const username of [person.user.username, stranger.user.username, `unknown-${names++}`]) {
      const { status, headers, body } = await guess(username)
      const retryAfter = headers.get('retry-after')
      shapes.push({ status, retryAfter, body: { ...body, request_id: '' } })
      shapes.push(await countActions(() => guess(username)))
    }
    expect(shapes[0]).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) })
    expect(shapes[2]).toEqual(shapes[0])
    expect(shapes[4]).toEqual(shapes[0])
    expect(shapes[3]).toEqual(shapes[1])
    expect(shapes[5]).toEqual(shapes[1])
  })

  it.each([
    ['that signed in from it', async () => addKnown()],
    ['that never did', async () => addPerson(service)],
    ['that does not exist', async () => ({ user: { username: `unknown-${names++}` }, password: 'x' })],
  ])('still limits guesses at an account %s, with the same calls', async (_, add) => {
    const { user, password } = await add()
    for (let at = 0; at < 5; at++) expect((await guess(user.username)).status).toBe(429)
    // The wait of the account starts, and is noted once. It makes no password check any more.
    const attempt = () => countActions(() => login(user.username, password))
    expect(await attempt()).toEqual(['BatchGetItem', 'UpdateItem', 'PutItem'])
    expect(await attempt()).toEqual(['BatchGetItem'])
  })

  it('does not lock an account for other networks', async () => {
    const before = await countFailures(stranger)
    for (let at = 0; at < 3; at++) await guess(stranger.user.username)
    expect(await countFailures(stranger)).toBe(before)
  })

  it('is open again after its time, although guesses continued', async () => {
    vi.setSystemTime(Date.now() + 6 * 60_000)
    expect((await guess(`unknown-${names++}`)).status).toBe(429)
    vi.setSystemTime(Date.now() + 6 * 60_000)
    expect((await signIn(stranger)).status).toBe(200)
  })
})

const countFailures = async ({ user }: Person): Promise<number> => {
  const { table, config } = service.services
  const { accountFailures } = config.rateLimits
  const [item] = await table.getMany([rateKey(accountFailures, user.normalizedUsername)])
  return getEventCount(item, accountFailures, Date.now())
}
