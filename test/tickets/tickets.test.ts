import { beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import { hashCredential, mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { ticketKey } from '../../lib/kernel/table/keys/keys.ts'
import { flipBit } from '../support/flip-bit.ts'
import { addSignedIn, type SignedInPerson, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
let person: SignedInPerson
beforeEach(async () => {
  vi.useRealTimers()
  person = await addSignedIn(service, { full_name: 'Grace Hopper' })
})

const create = async (bearer = person.bearer): Promise<string> => {
  const answer = await service.client('POST', '/api/2/auth/ticket', { bearer })
  expect(answer.status).toBe(200)
  return answer.body.ticket
}
const check = (ticket: string) => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
const storedUser = async () => {
  const user = await findUser(service.services.table, person.user.id)
  if (!user) throw new Error('the user was not found')
  return user
}

it('exchanges a ticket once for its user, for a caller without a credential', async () => {
  const ticket = await create()
  expect(ticket).toMatch(/^lkt_[0-9A-Za-z]{45}$/)
  const first = await check(ticket)
  expect(first.status).toBe(200)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.body).toMatchObject({ id: person.user.id, display_name: 'Grace Hopper' })
  expect((await check(ticket)).status).toBe(404)
})

it('accepts a ticket exactly once for 100 concurrent checks', async () => {
  const ticket = await create()
  const answers = await Promise.all(Array.from({ length: 100 }, () => check(ticket)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 404)).toHaveLength(99)
})

it('gives the same 404 for unknown, used, mistyped, and expired tickets, and for other credentials', async () => {
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
      flipBit(used),
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

it('expires a ticket after 60 seconds, to the millisecond', async () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
  const [first, second] = [await create(), await create()]
  vi.setSystemTime(now + 59_999)
  expect((await check(first)).status).toBe(200)
  vi.setSystemTime(now + 60_000)
  expect((await check(second)).status).toBe(404)
})

describe('a ticket is invalidated by', () => {
  it('the end of its session, but not of another session of the user', async () => {
    const ticket = await create()
    const other = await trySignIn(service, person)
    const otherTicket = await create(other.body.session_key)
    await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    expect((await check(ticket)).status).toBe(404)
    expect((await check(otherTicket)).status).toBe(200)
  })

  it('disabling, expiring, or signing out its user', async () => {
    const changes = [
      async () => editUser(service.services.table, await storedUser(), { is_enabled: false }),
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

it('invalidates a ticket whose session ended while it was created', async () => {
  for (let round = 0; round < 10; round++) {
    const { bearer } = await addSignedIn(service)
    const [created] = await Promise.all([
      service.client('POST', '/api/2/auth/ticket', { bearer }),
      service.client('POST', '/api/2/auth/logout', { bearer }),
    ])
    expect([200, 401]).toContain(created.status)
    if (created.status === 200) expect((await check(created.body.ticket)).status).toBe(404)
  }
})

it('returns the user as they are at the time of the check', async () => {
  const ticket = await create()
  await editUser(service.services.table, await storedUser(), { permissions: ['media:access'] })
  expect((await check(ticket)).body.effective_permissions).toEqual(['media:access'])
})

it('accepts neither a ticket as a bearer credential nor a session as a ticket', async () => {
  const ticket = await create()
  const answer = await service.client('GET', '/api/2/users/me', { bearer: ticket })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  expect((await check(person.bearer)).status).toBe(404)
})

it('requires a credential to create a ticket', async () => {
  expect((await service.client('POST', '/api/2/auth/ticket')).status).toBe(401)
})

it('creates more than a hundred unused tickets for a user', async () => {
  const created: string[] = []
  for (let batch = 0; batch < 7; batch++)
    created.push(...(await Promise.all(Array.from({ length: 15 }, () => create()))))
  expect(created).toHaveLength(105)
  expect((await check(created[0] ?? '')).status).toBe(200)
  expect((await check(created.at(-1) ?? '')).status).toBe(200)
})

it('stores a ticket only as a hash, with a time to live, and leaves the user as they were', async () => {
  await create()
  const before = await storedUser()
  const ticket = await create()
  const stored = await service.services.table.get(ticketKey(hashCredential(ticket)))
  expect(stored).toMatchObject({ userId: person.user.id, expires_at: expect.any(Number) })
  expect(Math.abs(Number(stored?.['expires_at']) - Date.now() / 1000 - 60)).toBeLessThan(10)
  await check(ticket)
  expect(await storedUser()).toEqual(before)
  expect(JSON.stringify(stored)).not.toContain(ticket)
  expect(service.log.join('')).not.toContain(ticket)
})
