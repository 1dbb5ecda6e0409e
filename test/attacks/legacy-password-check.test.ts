import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/store/directory/users.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { askOldSystemAt, type OldSystem, startOldSystem } from '../support/old-system.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/* Users whose passwords only an old system knows, and an old system that does not behave. */

let service: TestService
let old: OldSystem
let nextAddress = 1
const freshAddress = () => loopback(nextAddress++)

beforeAll(async () => {
  old = await startOldSystem()
  service = await startService({
    ...askOldSystemAt(old.url),
    RATE_LIMITS: 'accountFailures=20/3600, legacyPasswordChecks=1000/60',
  })
})
afterEach(() => {
  vi.useRealTimers()
  old.answerTruly()
})
afterAll(async () => {
  await service.close()
  await old.close()
})

const login = (username: string, password: string, fields: object = {}, address = freshAddress()) =>
  postFrom(address, `${service.url}/api/2/auth/login`, { username, password, ...fields })
const signIn = ({ user, password }: Person, fields: object = {}, address = freshAddress()) =>
  login(user.username, password, fields, address)
const stored = async ({ user }: Person) => findUser(service.services.table, user.id)
const eventsOf = async ({ user }: Person) =>
  (await readAuditItems(service.services.table))
    .filter((item) => item['user'] === user.id)
    .map(({ event, outcome }) => `${event} ${outcome}`)
const takenOver = 'password.taken_over succeeded'

describe('a right password', () => {
  it('is stored as a hash at the first sign-in, and the old system is never asked again', async () => {
    const person = await old.addUser(service, { email: `${randomUUID()}@example.com` })
    expect((await signIn(person)).status).toBe(200)
    expect(old.questionsAbout(person)).toEqual([
      { username: person.user.username, email: person.user.email, password: person.password },
    ])
    const after = await stored(person)
    expect(after).not.toHaveProperty('hasLegacyPassword')
    expect(after?.passwordHash).toMatch(/^bcrypt_sha384\$/)
    expect((await signIn(person)).status).toBe(200)
    expect((await login(person.user.username, 'another password')).status).toBe(401)
    expect(old.questionsAbout(person)).toHaveLength(1)
    expect(await eventsOf(person)).toEqual([
      takenOver,
      ...['login.succeeded succeeded', 'login.succeeded succeeded', 'login.failed invalid_credentials'],
    ])
  })
})
