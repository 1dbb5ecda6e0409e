import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hashCredential, mintCredential } from '../../lib/secrets/credentials.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { userKey } from '../../lib/store/engine/keys.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/* Earlier versions stored tickets and ended sessions in the record of their user. Such records must keep working. */

let service: TestService
let person: SignedInPerson
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  person = await addSignedIn(service)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.close())

const setFields = (id: number, fields: object) =>
  service.services.table.update(userKey(id), (x) => ({
    set: Object.entries(fields).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
  }))
/** Stores a ticket as earlier versions did, and returns its value. */
const createEarlier = async (fields: object = {}, creator = person.bearer): Promise<string> => {
  const { value, hash } = mintCredential('auth_ticket', person.user.id)
  const expiresAt = Date.now() + 60_000
  const entry = { expiresAt, session: hashCredential(creator), ...fields }
  await setFields(person.user.id, { tickets: { [hash]: entry } })
  return value
}
const check = (ticket: string, body: object = {}) =>
  service.client('POST', '/api/2/auth/ticket/check', { body: { ticket, ...body } })
const logout = (bearer: string) => service.client('POST', '/api/2/auth/logout', { bearer })
const me = (bearer = person.bearer) => service.client('GET', '/api/2/users/me', { bearer })

describe('a ticket in the record of its user', () => {
  it('is exchanged by exactly one of 20 concurrent checks', async () => {
    const ticket = await createEarlier({ authentication: { at: 1000, methods: ['pwd'] } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => check(ticket, { include: ['context'] })),
    )
    const [winner, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(winner?.body).toMatchObject({ id: person.user.id, context: { methods: ['pwd'] } })
    expect((await check(ticket)).status).toBe(404)
  })

  it('is refused to functions of the earlier version after its use', async () => {
    const ticket = await createEarlier()
    await check(ticket)
    const user = await findUser(service.services.table, person.user.id)
    expect(user?.tickets?.[hashCredential(ticket)]).toMatchObject({ takenBy: expect.anything() })
  })

  it('is refused after it expired, was used, or its session or all sessions ended', async () => {
    expect((await check(await createEarlier({ expiresAt: Date.now() }))).status).toBe(404)
    expect((await check(await createEarlier({ takenBy: 'x', takenAt: Date.now() }))).status).toBe(404)
    const ticket = await createEarlier()
    await logout(person.bearer)
    expect((await check(ticket)).status).toBe(404)
    person = await addSignedIn(service)
    const ofAll = await createEarlier()
    const body = { current_password: person.password, password: 'Another good and long password' }
    await service.client('POST', '/api/2/users/me/password', { bearer: person.bearer, body })
    expect((await check(ofAll)).status).toBe(404)
  })

  it('is refused for another audience, and then still works', async () => {
    const [audience, other] = ['https://shop.example.com', 'https://other.example.com']
    const created = await service.client('POST', '/api/2/auth/ticket', {
      bearer: person.bearer,
      body: { audience },
    })
    expect((await check(created.body.ticket, { audience: other })).status).toBe(404)
    const ticket = await createEarlier()
    expect((await check(ticket, { audience })).status).toBe(404)
    expect((await check(ticket)).status).toBe(200)
  })

  it('shows only the scopes of its API token, and ends with it', async () => {
    await setFields(person.user.id, { permissions: ['downloads:view', 'media:access'] })
    const { id, token } = (
      await service.client('POST', '/api/2/api-tokens', {
        bearer: person.bearer,
        body: { name: 'x', scopes: ['tickets:create', 'media:access'] },
      })
    ).body
    const fields = { isScoped: true, isFromApiToken: true }
    expect((await check(await createEarlier(fields, token))).body.effective_permissions).toEqual([
      'media:access',
    ])
    const ticket = await createEarlier(fields, token)
    await service.client('DELETE', `/api/2/api-tokens/${id}`, { bearer: person.bearer })
    expect((await check(ticket)).status).toBe(404)
  })

  it('of an impersonation ends with it', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const start = () =>
      service.client('POST', '/api/2/auth/impersonation', {
        bearer: admin.bearer,
        body: { user: person.user.id },
      })
    await start()
    const [used, ended] = [
      await createEarlier({ actor: admin.user.id }, admin.bearer),
      mintCredential('auth_ticket', person.user.id),
    ]
    expect((await check(used, { include: ['context'] })).body.context.impersonator.id).toBe(admin.user.id)
    const entry = { expiresAt: Date.now() + 60_000, session: hashCredential(admin.bearer) }
    await setFields(person.user.id, { tickets: { [ended.hash]: { ...entry, actor: admin.user.id } } })
    await service.client('POST', '/api/2/auth/impersonation/stop', { bearer: admin.bearer })
    expect((await check(ended.value)).status).toBe(404)
  })

  it('is ended by a report that it leaked', async () => {
    const ticket = await createEarlier()
    await service.client('POST', '/api/2/auth/leaked', { body: [{ token: ticket }] })
    expect((await check(ticket)).status).toBe(404)
  })
})

describe('a record full of tickets and ended sessions', () => {
  const fill = async (ticket: object) => {
    const randomHash = () => randomBytes(32).toString('base64url')
    const many = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, () => [randomHash(), value]))
    await setFields(person.user.id, {
      endedSessions: many(3000, Date.now() - 1000),
      tickets: many(1200, { session: randomHash(), ...ticket }),
    })
  }
  const stored = () => service.services.table.get(userKey(person.user.id))

  it('is emptied by the next request that updates the time of last use', async () => {
    await fill({ expiresAt: Date.now() })
    expect(JSON.stringify(await stored()).length).toBeGreaterThan(300_000)
    vi.setSystemTime(Date.now() + 300_000)
    expect((await me()).status).toBe(200)
    expect(await stored()).toMatchObject({ tickets: {}, endedSessions: {} })
    expect(JSON.stringify(await stored()).length).toBeLessThan(2000)
  })

  it('is not emptied while a ticket in it still works', async () => {
    await fill({ expiresAt: Date.now() + 400_000 })
    vi.setSystemTime(Date.now() + 300_000)
    expect((await me()).status).toBe(200)
    expect(Object.keys(Object((await stored())?.['tickets']))).toHaveLength(1200)
  })

  it('does not keep the user from signing out, changing the password, or using tickets', async () => {
    await fill({ expiresAt: Date.now() + 30_000 })
    const created = await service.client('POST', '/api/2/auth/ticket', { bearer: person.bearer })
    expect((await check(created.body.ticket)).status).toBe(200)
    const body = { current_password: person.password, password: 'Another good and long password' }
    const changed = await service.client('POST', '/api/2/users/me/password', { bearer: person.bearer, body })
    expect(changed.status).toBe(204)
    expect(await stored()).toMatchObject({ tickets: {}, endedSessions: {} })
    expect((await logout(person.bearer)).status).toBe(204)
    expect((await me()).status).toBe(401)
  })
})

it('users have empty maps, so that functions of an earlier version can read them', async () => {
  expect(await service.services.table.get(userKey(person.user.id))).toMatchObject({
    tickets: {},
    endedSessions: {},
  })
})

it('a user without the maps signs in, gets tickets, and changes their password', async () => {
  const { table } = service.services
  await table.update(userKey(person.user.id), (x) => ({
    remove: [x.path('tickets'), x.path('endedSessions')],
  }))
  const created = await service.client('POST', '/api/2/auth/ticket', { bearer: person.bearer })
  expect((await check(created.body.ticket)).status).toBe(200)
  const body = { current_password: person.password, password: 'Another good and long password' }
  const changed = await service.client('POST', '/api/2/users/me/password', { bearer: person.bearer, body })
  expect(changed.status).toBe(204)
})
