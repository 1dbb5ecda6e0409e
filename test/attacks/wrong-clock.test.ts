import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { auditRefusal } from '../../lib/accounts/events/refusals.ts'
import {
  buildUserLogoutSteps,
  readDueLogoutJobs,
  takeLogoutJob,
} from '../../lib/accounts/sessions/logout-jobs.records.ts'
import { encryptKey, generateKeyPair, loadSigningKey } from '../../lib/features/connections/saml/sp-keys.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { Key } from '../../lib/kernel/table/keys/keys.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { lookUp } from '../support/links.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* The clock of the service was wrong by a month or by years, and is right again. No one waits until that time. */

const minute = 60_000
const years = 3 * 365 * 24 * 60 * minute
const month = 30 * 24 * 60 * minute
const errors = [
  ['ahead', month],
  ['behind', -month],
] as const

const service = await useService({ RATE_LIMITS: 'lookUpFailures=5/60, authorizationStarts=5/600' })
let nextAddress = 1
const freshAddress = () => loopback(nextAddress++)
const start = Date.now()
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
afterEach(() => vi.useRealTimers())

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
  const [step] = buildUserLogoutSteps({ id: person.user.id, hasClientSessions: true })
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

it('ends a session that was made at that time', async () => {
  const person = await addPerson(service)
  vi.setSystemTime(start + 24 * 60 * minute)
  const session = (await login(freshAddress(), person, person.password)).body.session_key
  const change = { body: { name: 'monitor' }, bearer: session }
  expect((await service.client('POST', '/api/2/api-tokens', change)).status).toBe(201)
  vi.setSystemTime(start)
  const refused = await service.client('POST', '/api/2/api-tokens', change)
  expect([refused.status, refused.body.reason]).toEqual([401, 'credential_expired'])
})

describe.each(errors)('a clock that was 30 days %s', (_, error) => {
  it('does not block authorizations, and the limit holds again', async () => {
    const app = await addRelyingParty(service)
    const authorize = async (at: number) => {
      vi.setSystemTime(at)
      const path = `/oauth2/authorize?${buildAuthorization(app, createPkce().challenge)}`
      return (await service.client('GET', path, { headers: { accept: 'text/html' } })).status
    }
    const reachLimit = async (at: number) => {
      const statuses: number[] = []
      vi.setSystemTime(at)
      await (await import('../../functions/signing-keys/index.ts')).handler()
      for (let sent = 0; sent < 7; sent++) statuses.push(await authorize(at))
      return statuses
    }
    // Each error gets a window of its own.
    const now = start + (error > 0 ? 1 : 2) * 60 * minute
    expect((await reachLimit(now + error)).at(-1)).toBe(429)
    expect(await reachLimit(now)).toEqual([303, 303, 303, 303, 303, 429, 429])
  })

  it('does not keep refusals out of the audit log', async () => {
    const person = await addSignedIn(service)
    const refuse = async (at: number) => {
      vi.setSystemTime(at)
      const context = { address: '192.0.2.1', userAgent: '', requestId: randomUUID(), actor: null, at }
      const details = { user: person.user.id, outcome: 'invalid_token' }
      await auditRefusal(service.services, context, 'password.reset_refused', details)
    }
    await refuse(start + error)
    await refuse(start)
    await refuse(start + 1)
    await refuse(start + 2 * minute)
    const times = [start, start + error, start + 2 * minute]
    const events = (await readAuditItems(service.services.table, times)).filter(
      ({ event, user }) => event === 'password.reset_refused' && user === person.user.id,
    )
    expect(events.map(({ sk }) => sk)).toHaveLength(3)
    expect(events.map(({ count }) => count ?? 1).sort()).toEqual([1, 1, 2])
  })

  it('does not keep a key of a SAML provider in memory', async () => {
    let decryptions = 0
    const { vault } = service.services
    const counting = {
      ...service.services,
      vault: {
        ...vault,
        decrypt: (...args: Parameters<typeof vault.decrypt>) => {
          decryptions += 1
          return vault.decrypt(...args)
        },
      },
    }
    const id = error > 0 ? 1001 : 1002
    const { key } = await generateKeyPair(service.services)
    const spCertificateKey = await encryptKey(service.services, id, key)
    const provider = { id, spCertificateKey, nextSpPair: null, previousSpPair: null }
    const load = async (at: number) => {
      vi.setSystemTime(at)
      await loadSigningKey(counting, provider)
      return decryptions
    }
    expect([await load(start + error), await load(start + error + 1)]).toEqual([1, 1])
    expect([await load(start), await load(start + 1)]).toEqual([2, 2])
  })
})
