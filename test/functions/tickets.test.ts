import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import { editUser, editUserEndingSessions, findUser } from '../../lib/store/directory/users.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let person: SignedInPerson
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  vi.useRealTimers()
  person = await addSignedIn(service, { fullName: 'Grace Hopper' })
})
afterAll(() => service.close())

const create = async (bearer = person.bearer): Promise<string> => {
  const answer = await service.client('POST', '/api/2/auth/ticket', { bearer })
  expect(answer.status).toBe(200)
  return answer.body.ticket
}
const check = (ticket: string) => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
const storedUser = async () => {
  const user = await findUser(service.services.table, person.user.id)
  if (!user) throw new Error('the user is gone')
  return user
}

it('is exchanged for its user by somebody without a credential, once', async () => {
  const ticket = await create()
  expect(ticket).toMatch(/^lkt_[0-9A-Za-z]{45}$/)
  const first = await check(ticket)
  expect(first.status).toBe(200)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.body).toMatchObject({ id: person.user.id, display_name: 'Grace Hopper' })
  expect((await check(ticket)).status).toBe(404)
})

it('has one success under 100 parallel checks', async () => {
  const ticket = await create()
  const answers = await Promise.all(Array.from({ length: 100 }, () => check(ticket)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 404)).toHaveLength(99)
})

it('gives the same 404 for unknown, used, mistyped, foreign and expired ones', async () => {
  const [used, expired] = [await create(), await create()]
  await check(used)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  const answers = await Promise.all(
    [
      used,
      expired,
      mintCredential('auth_ticket', person.user.id).value,
      mintCredential('auth_ticket', 2 ** 31 - 1).value,
      mintCredential('auth_ticket', 0).value,
      `${used.slice(0, -1)}x`,
      person.bearer,
      'x',
      'tickets',
      '__proto__',
    ].map(check),
  )
  const shapes = answers.map(({ status, body }) => ({ status, ...body, request_id: undefined }))
  expect(shapes[0]).toMatchObject({ status: 404, code: 'not_found' })
  for (const shape of shapes) expect(shape).toEqual(shapes[0])
})

it('works until its last second and not after it', async () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
  const [first, second] = [await create(), await create()]
  vi.setSystemTime(now + 59_999)
  expect((await check(first)).status).toBe(200)
  vi.setSystemTime(now + 60_000)
  expect((await check(second)).status).toBe(404)
})

describe('dies with', () => {
  it('the session that made it, not with another of the user', async () => {
    const ticket = await create()
    const other = await service.client('POST', '/api/2/auth/login', {
      body: { username: person.user.username, password: person.password },
    })
    const otherTicket = await create(other.body.session_key)
    await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    expect((await check(ticket)).status).toBe(404)
    expect((await check(otherTicket)).status).toBe(200)
  })

  it('its user being disabled, expiring or being signed out everywhere', async () => {
    const changes = [
      async () => editUser(service.services.table, await storedUser(), { isEnabled: false }),
      async () => editUser(service.services.table, await storedUser(), { expiresAt: Date.now() - 1 }),
      async () => editUserEndingSessions(service.services.table, await storedUser(), {}),
    ]
    for (const change of changes) {
      person = await addSignedIn(service)
      const ticket = await create()
      await change()
      expect((await check(ticket)).status).toBe(404)
    }
  })
})

it('made while its session ends is never good afterwards', async () => {
  for (let round = 0; round < 10; round++) {
    const { bearer } = await addSignedIn(service)
    const [made] = await Promise.all([
      service.client('POST', '/api/2/auth/ticket', { bearer }),
      service.client('POST', '/api/2/auth/logout', { bearer }),
    ])
    expect([200, 401]).toContain(made.status)
    if (made.status === 200) expect((await check(made.body.ticket)).status).toBe(404)
  }
})

it('shows the user as it is at the requestState', async () => {
  const ticket = await create()
  await editUser(service.services.table, await storedUser(), { permissions: ['media:access'] })
  expect((await check(ticket)).body.effective_permissions).toEqual(['media:access'])
})

it('is no bearer credential, and a session is no ticket', async () => {
  const ticket = await create()
  const answer = await service.client('GET', '/api/2/users/me', { bearer: ticket })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  expect((await check(person.bearer)).status).toBe(404)
})

it('is refused to a caller without a credential', async () => {
  expect((await service.client('POST', '/api/2/auth/ticket')).status).toBe(401)
})

it('is bounded in number for one user, and expired ones make room', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 20 }, () => create()))
  const refused = await service.client('POST', '/api/2/auth/ticket', { bearer: person.bearer })
  expect(refused.status).toBe(429)
  expect(refused.body.code).toBe('too_many_requests')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  vi.setSystemTime(Date.now() + 61_000)
  expect((await check(await create())).status).toBe(200)
  expect(Object.keys((await storedUser()).tickets)).toHaveLength(1)
})

it('is bounded in number while unused alone: one product may requestState many', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  for (let batch = 0; batch < 12; batch++) {
    const made = await Promise.all(Array.from({ length: 20 }, () => create()))
    const answers = await Promise.all(made.map(check))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    vi.setSystemTime(Date.now() + 4000)
  }
  expect(Object.keys((await storedUser()).tickets).length).toBeLessThanOrEqual(120)
})

it('is stored as a hash alone', async () => {
  const ticket = await create()
  expect(JSON.stringify(await storedUser())).not.toContain(ticket)
  expect(service.log.join('')).not.toContain(ticket)
})
