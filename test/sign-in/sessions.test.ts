import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import { mintCredential, parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { sessionKey } from '../../lib/kernel/table/keys/keys.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const minute = 60_000
const hour = 60 * minute
const service = await useService()
let person: SignedInPerson
let start: number
beforeEach(async () => {
  start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  person = await addSignedIn(service)
})
afterEach(() => vi.useRealTimers())

const me = (bearer = person.bearer) => service.client('GET', '/api/2/users/me', { bearer })
const storedUser = async () => {
  const user = await findUser(service.services.table, person.user.id)
  if (!user) throw new Error('the user was not found')
  return user
}
const storedSession = () => {
  const credential = parseCredential(person.bearer)
  return service.services.table.get(sessionKey(person.user.id, credential?.hash ?? ''))
}

describe('a session', () => {
  it('ends after 24 hours without use, to the millisecond', async () => {
    vi.setSystemTime(start + 24 * hour - 1)
    expect((await me()).status).toBe(200)
    vi.setSystemTime(start + 24 * hour - 1 + 24 * hour)
    expect((await me()).status).toBe(401)
  })

  it('ends 14 days after sign-in, even if it is used', async () => {
    for (let at = 12 * hour; at < 14 * 24 * hour; at += 12 * hour) {
      vi.setSystemTime(start + at)
      expect((await me()).status).toBe(200)
    }
    vi.setSystemTime(start + 14 * 24 * hour)
    expect((await me()).status).toBe(401)
  })

  it('ends when the clock is right again, if it was made while the clock was ahead', async () => {
    for (const ahead of [24 * hour, 400 * 24 * hour]) {
      vi.setSystemTime(start + ahead)
      person = await addSignedIn(service)
      expect((await me()).status).toBe(200)
      vi.setSystemTime(start)
      expect((await me()).status).toBe(401)
    }
    vi.setSystemTime(start + 30_000)
    person = await addSignedIn(service)
    vi.setSystemTime(start)
    // Clocks of two servers differ a little.
    expect((await me()).status).toBe(200)
  })

  it('updates its time of last use at most every five minutes', async () => {
    await me()
    vi.setSystemTime(start + 5 * minute - 1)
    await me()
    expect((await storedSession())?.['lastSeenAt']).toBe(start)
    expect((await storedUser()).lastSeenAt).toBe(start)
    vi.setSystemTime(start + 5 * minute)
    await me()
    expect((await storedSession())?.['lastSeenAt']).toBe(start + 5 * minute)
    expect((await storedUser()).lastSeenAt).toBe(start + 5 * minute)
  })

  it('ends immediately if its user is disabled, expires, is signed out everywhere, or is deleted', async () => {
    const { table } = service.services
    const changes = [
      async () => editUser(table, await storedUser(), { is_enabled: false }),
      async () => editUser(table, await storedUser(), { expiresAt: start }),
      async () => editUserEndingSessions(table, await storedUser(), {}),
      async () => table.transact([{ delete: { pk: `user#${person.user.id}`, sk: 'user' } }]),
    ]
    for (const change of changes) {
      person = await addSignedIn(service)
      expect((await me()).status).toBe(200)
      await change()
      expect((await me()).status).toBe(401)
    }
  })

  it('that was signed out while its user was disabled or expired stays ended', async () => {
    const { table } = service.services
    for (const [blocked, restored] of [
      [{ is_enabled: false }, { is_enabled: true }],
      [{ expiresAt: start }, { expiresAt: null }],
    ]) {
      person = await addSignedIn(service)
      await editUser(table, await storedUser(), blocked ?? {})
      const logout = await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
      expect(logout.status).toBe(204)
      await editUser(table, await storedUser(), restored ?? {})
      expect((await me()).status).toBe(401)
    }
  })

  it('that ended stays ended, even if its last use is recorded concurrently', async () => {
    for (let round = 1; round <= 10; round++) {
      person = await addSignedIn(service)
      vi.setSystemTime(Date.now() + 10 * minute)
      await Promise.all([me(), service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })])
      expect(await storedSession()).toBeUndefined()
      expect((await me()).status).toBe(401)
    }
  })

  it('is stored as a hash, with a time to live in seconds', async () => {
    const stored = await storedSession()
    expect(stored?.['expires_at']).toBe(Math.ceil((start + 14 * 24 * hour) / 1000))
    expect(JSON.stringify(stored)).not.toContain(person.bearer)
  })
})

describe('an invalid credential', () => {
  it('gets the same 401 in every case', async () => {
    const other = await addSignedIn(service)
    const swapped = mintCredential('session', other.user.id).value
    const answers = await Promise.all([
      service.client('GET', '/api/2/users/me'),
      me(swapped),
      me(mintCredential('session', 0).value),
      me(mintCredential('api_token', person.user.id).value),
      me(mintCredential('reset_token', person.user.id).value),
      me(mintCredential('access_token').value),
      me(person.bearer.replace('lks_', 'lkp_')),
      me(person.bearer.slice(0, -1)),
      me(`${person.bearer}0`),
      me(person.bearer.toUpperCase()),
      me('x'.repeat(8000)),
      ...[
        'Basic YTpi',
        'Bearer',
        'Bearer ',
        person.bearer,
        `Bearer ${person.bearer} x`,
        `Bearer a, Bearer b`,
      ].map((authorization) => service.client('GET', '/api/2/users/me', { headers: { authorization } })),
    ])
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toBe('Bearer')
      expect({ ...body, request_id: '' }).toEqual({
        type: 'urn:latchkey:problem:not_authenticated',
        title: 'Not authenticated',
        status: 401,
        detail: 'Sign in, and send a valid session key or API token in the header `Authorization: Bearer …`.',
        code: 'not_authenticated',
        request_id: '',
      })
    }
  })

  it('with a wrong checksum costs no table call', async () => {
    const before = service.log.length
    await me(`${person.bearer.slice(0, -1)}${person.bearer.endsWith('0') ? '1' : '0'}`)
    const line = JSON.parse(service.log.slice(before).join(''))
    expect(line).toMatchObject({ operation: 'get_current_user', status: 401, table_calls: 0 })
  })
})

it('accepts the bearer scheme in any case, as RFC 9110 requires', async () => {
  const headers = { authorization: `bEARER  ${person.bearer}` }
  expect((await service.client('GET', '/api/2/users/me', { headers })).status).toBe(200)
})
