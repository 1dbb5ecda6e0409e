import { expect, it } from 'vitest'
import { createUser } from '../../lib/accounts/users/write-users.records.ts'
import { buildGuest } from '../../lib/features/access-links/guests.ts'
import { usernameKey } from '../../lib/kernel/table/keys/keys.ts'
import { newAddress } from '../support/mailed-links.ts'
import { addPerson, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

const signIn = (username: string | null, password: string) =>
  service.client('POST', '/api/2/auth/login', { body: { username: username ?? '', password } })
/** The table calls of the last request. */
const callsOfLast = (): number => {
  const requests = service.log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request')
  return requests.at(-1)?.table_calls
}
const addWithEmail = (fields: object = {}): Promise<Person> =>
  addPerson(service, { email: newAddress(), ...fields })

it('accepts the verified address of a user in any spelling', async () => {
  const { user, password } = await addWithEmail()
  for (const name of [user.email, user.email?.toUpperCase() ?? '', ` ${user.email}`])
    expect((await signIn(name, password)).body.user.id).toBe(user.id)
})

it('answers in the same way for addresses of no one, without verification, of disabled users and of guests', async () => {
  const email = newAddress()
  await createUser(service.services.table, buildGuest({ email }), service.services.now())
  const people = [
    await addWithEmail({ emailVerified: false }),
    await addWithEmail({ is_enabled: false }),
    await addWithEmail({ expiresAt: 1 }),
  ]
  // The first failure of a network takes a call more.
  await signIn(newAddress(), 'a wrong password')
  const names = [newAddress(), email, ...people.map(({ user }) => user.email)]
  const answers = []
  for (const [at, name] of names.entries()) {
    const { status, body } = await signIn(name, people[at - 2]?.password ?? 'a wrong password')
    answers.push({ status, code: body.code, reason: body.reason, detail: body.detail, calls: callsOfLast() })
  }
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(answers[0]).toMatchObject({ status: 401, reason: 'invalid_credentials' })
})

it('takes as many table calls for a wrong password of an address, and of a username with an @', async () => {
  const known = await addWithEmail()
  const { user } = await addPerson(service, { username: newAddress() })
  const calls = []
  for (const name of [newAddress(), known.user.email, user.username]) {
    expect((await signIn(name, 'a wrong password')).status).toBe(401)
    calls.push(callsOfLast())
  }
  expect(new Set(calls).size).toBe(1)
})

it('prefers the user whose username equals the address', async () => {
  const email = newAddress()
  const owner = await addPerson(service, { email })
  const other = await addPerson(service)
  // No user can get such a username, so it is stored directly.
  await service.services.table.put({ ...usernameKey(email), userId: other.user.id })
  expect((await signIn(email, other.password)).body.user.id).toBe(other.user.id)
  expect((await signIn(email, owner.password)).status).toBe(401)
})

it('counts failures for the account, so that an address gives no further guesses', async () => {
  const { user, password } = await addWithEmail()
  const names = [user.username, user.email]
  const statuses = []
  for (let at = 0; at < 6; at++) statuses.push((await signIn(names[at % 2] ?? '', 'a wrong password')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  for (const name of names) expect((await signIn(name, password)).status).toBe(429)
})

it('needs no more table calls with a username', async () => {
  const plain = await addWithEmail()
  const withAt = await addPerson(service, { username: newAddress() })
  const calls = []
  for (const { user, password } of [plain, withAt]) {
    expect((await signIn(user.username, password)).status).toBe(200)
    calls.push(callsOfLast())
  }
  expect(calls[1]).toBe(calls[0])
})
