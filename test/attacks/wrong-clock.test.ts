import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import type { Key } from '../../lib/store/keys/keys.ts'
import { buildUserLogoutSteps, readDueLogoutJobs, takeLogoutJob } from '../../lib/store/oidc/logout-jobs.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { lookUp } from '../support/links.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/* The clock of the service ran years ahead, and is right again. No one waits until that time. */

const minute = 60_000
const years = 3 * 365 * 24 * 60 * minute

let service: TestService
let nextAddress = 1
const freshAddress = () => loopback(nextAddress++)
const start = Date.now()

beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'lookUpFailures=5/60' })
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
afterEach(() => vi.useRealTimers())
afterAll(() => service.close())

const login = (address: string, { user }: Person, password: string, fields: object = {}) =>
  postFrom(address, `${service.url}/api/2/auth/login`, { username: user.username, password, ...fields })

it('does not make wrong passwords of that time count', async () => {
  const [person, address] = [await addPerson(service), freshAddress()]
  vi.setSystemTime(start + years)
  for (let at = 0; at < 8; at++) await login(address, person, 'a wrong guess')
  expect((await login(address, person, person.password)).status).toBe(429)
  vi.setSystemTime(start)
  expect((await login(address, person, person.password)).status).toBe(200)
  // The limit holds again.
  for (let at = 0; at < 5; at++) expect((await login(address, person, 'a wrong guess')).status).toBe(401)
  expect((await login(address, person, person.password)).status).toBe(429)
})

it('does not make a wait longer than a quarter of an hour', async () => {
  const [person, address] = [await addPerson(service), freshAddress()]
  vi.setSystemTime(start + 10 * minute)
  for (let at = 0; at < 8; at++) await login(address, person, 'a wrong guess')
  vi.setSystemTime(start)
  const refused = await login(address, person, person.password)
  expect(Number(refused.headers['retry-after'] ?? 0)).toBeLessThanOrEqual(15 * 60)
})

it('accepts codes of an authenticator app whose codes were used at that time', async () => {
  const person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
  const { authenticator } = await enableSecondFactor(service, person)
  vi.setSystemTime(start + years)
  const otp = authenticator.code()
  expect((await login(freshAddress(), person, person.password, { otp })).status).toBe(200)
  vi.setSystemTime(start + 2 * minute)
  const later = authenticator.code()
  const send = () => login(freshAddress(), person, person.password, { otp: later })
  expect((await send()).status).toBe(200)
  expect((await send()).status).toBe(403)
})

it('serves a network that sent too many unknown values at that time', async () => {
  const { value } = mintCredential('access_token', 1)
  vi.setSystemTime(start + years)
  for (let at = 0; at < 7; at++) await lookUp(service, value)
  expect((await lookUp(service, value)).status).toBe(429)
  vi.setSystemTime(start)
  expect((await lookUp(service, value)).status).toBe(404)
})

it('informs the clients of ended sessions whose jobs were taken at that time', async () => {
  const { table } = service.services
  const person = await addSignedIn(service)
  const [step] = buildUserLogoutSteps({ id: person.user.id, hasOidcSessions: true })
  await table.transact(step ? [step] : [])
  const findDue = async () => {
    const due: Key[] = []
    for await (const keys of readDueLogoutJobs(table, Date.now())) due.push(...keys)
    return due
  }
  const [key] = await findDue()
  vi.setSystemTime(start + years)
  expect(await takeLogoutJob(table, key ?? { pk: '', sk: '' }, Date.now())).toBeDefined()
  vi.setSystemTime(start)
  expect(await findDue()).toEqual([key])
  expect(await takeLogoutJob(table, key ?? { pk: '', sk: '' }, Date.now())).toBeDefined()
  expect(await findDue()).toEqual([])
})

it('asks for a proof of identity after a sign-in of that time', async () => {
  const person = await addPerson(service)
  vi.setSystemTime(start + 24 * 60 * minute)
  const session = (await login(freshAddress(), person, person.password)).body.session_key
  const change = { body: { name: 'monitor' }, bearer: session }
  expect((await service.client('POST', '/api/2/api-tokens', change)).status).toBe(201)
  vi.setSystemTime(start)
  const refused = await service.client('POST', '/api/2/api-tokens', change)
  expect([refused.status, refused.body.reason]).toEqual([403, 'reauthentication_required'])
})
