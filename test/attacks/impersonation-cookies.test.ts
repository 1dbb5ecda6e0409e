import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import type { Answer } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson } from '../support/people.ts'
import { addProvider, itemsIn, seedSamlSession, type TestProvider } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* A session cookie that leaked before, during or after an impersonation. */

const start = '/api/2/auth/impersonation'
const stop = `${start}/stop`
const service = await useService()
let admin: SignedInPerson
let other: Person
beforeEach(async () => {
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  other = await addPerson(service)
})

const send = (cookie: string, method: string, path: string, body?: object): Promise<Answer> =>
  service.client(method, path, {
    headers: { cookie: `latchkey=${cookie}`, 'sec-fetch-site': 'same-origin' },
    body,
  })
const begin = (cookie: string, user = other.user.id) => send(cookie, 'POST', start, { user })
const end = (cookie: string) => send(cookie, 'POST', stop)
const whoIs = async (cookie: string): Promise<number | undefined> =>
  (await send(cookie, 'GET', '/api/2/users/me')).body.id
const newCookie = ({ cookies }: Answer): string => {
  expect(cookies).toHaveLength(2)
  // The mark of the session is no credential.
  expect(cookies[1]).toMatch(/^latchkey-marked-session=\d+\.[\w-]{43}; Path=\/; HttpOnly; Max-Age=\d+$/)
  const [, value = ''] =
    /^latchkey=(lks_\w+); HttpOnly; SameSite=Lax; Path=\/; Max-Age=\d+$/.exec(cookies[0] ?? '') ?? []
  return value
}

describe('a session cookie', () => {
  it('gets a new value when impersonation starts and stops, and the old value ends at once', async () => {
    const before = admin.bearer
    const started = await begin(before)
    expect(started.status).toBe(204)
    const during = newCookie(started)
    expect(await whoIs(during)).toBe(other.user.id)
    expect(await whoIs(before)).toBeUndefined()
    const stopped = await end(during)
    expect(stopped.status).toBe(204)
    const after = newCookie(stopped)
    expect(await whoIs(after)).toBe(admin.user.id)
    for (const old of [before, during]) {
      expect(await whoIs(old)).toBeUndefined()
      expect((await begin(old)).status).toBe(401)
      expect((await end(old)).status).toBe(401)
    }
    expect(new Set([before, during, after]).size).toBe(3)
  })

  it('stays one session: same ID, age and end', async () => {
    const list = async (cookie: string) => (await send(cookie, 'GET', '/api/2/auth/sessions')).body
    const before = await list(admin.bearer)
    const after = await list(newCookie(await end(newCookie(await begin(admin.bearer)))))
    const facts = ({ last_seen, ...rest }: Record<string, unknown>) => rest
    expect(after.map(facts)).toEqual(before.map(facts))
  })

  it('has one winner among 20 parallel starts, and stops', async () => {
    const starts = await Promise.all(Array.from({ length: 20 }, () => begin(admin.bearer)))
    const [winner, ...others] = starts.filter(({ status }) => status === 204)
    expect(others).toEqual([])
    for (const { status } of starts) expect([204, 401, 409]).toContain(status)
    const during = newCookie(winner as Answer)
    const stops = await Promise.all(Array.from({ length: 20 }, () => end(during)))
    expect(stops.filter(({ status }) => status === 204)).toHaveLength(1)
    for (const { status } of stops) expect([204, 401, 409]).toContain(status)
  })

  it('is removed when impersonation stops for somebody who is no longer an administrator', async () => {
    const during = newCookie(await begin(admin.bearer))
    const stored = await findUser(service.services.table, admin.user.id)
    if (stored) await editUser(service.services.table, stored, { permissions: [] })
    const stopped = await end(during)
    expect(stopped.status).toBe(204)
    expect(stopped.cookies[0]).toMatch(/^latchkey=; .*Max-Age=0$/)
    expect(await whoIs(during)).toBeUndefined()
  })

  it('stays when a switch is refused', async () => {
    expect((await begin(admin.bearer, admin.user.id)).cookies).toEqual([])
    expect((await end(admin.bearer)).status).toBe(409)
    expect(await whoIs(admin.bearer)).toBe(admin.user.id)
  })
})

it('a bearer credential keeps its value, even if the cookie is sent along', async () => {
  const headers = { cookie: `latchkey=${admin.bearer}`, 'sec-fetch-site': 'same-origin' }
  const switchBy = (path: string, body?: object) =>
    service.client('POST', path, { bearer: admin.bearer, headers, body })
  const started = await switchBy(start, { user: other.user.id })
  expect([started.status, started.cookies]).toEqual([204, []])
  expect(await whoIs(admin.bearer)).toBe(other.user.id)
  const stopped = await switchBy(stop)
  expect([stopped.status, stopped.cookies]).toEqual([204, []])
  expect(await whoIs(admin.bearer)).toBe(admin.user.id)
})

describe('what depends on the old cookie value ends with it:', () => {
  const ticketOf = async (cookie: string): Promise<string> =>
    (await send(cookie, 'POST', '/api/2/auth/ticket')).body.ticket
  const check = (ticket: string) => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })

  it('tickets of the administrator and of the impersonated user', async () => {
    const own = await ticketOf(admin.bearer)
    const during = newCookie(await begin(admin.bearer))
    expect((await check(own)).status).toBe(404)
    const borrowed = await ticketOf(during)
    const after = newCookie(await end(during))
    expect((await check(borrowed)).status).toBe(404)
    expect((await check(await ticketOf(after))).body.id).toBe(admin.user.id)
  })

  it('a logout after it signs out of both accounts', async () => {
    const during = newCookie(await begin(admin.bearer))
    const ticket = await ticketOf(during)
    expect((await send(during, 'POST', '/api/2/auth/logout')).status).toBe(204)
    expect((await check(ticket)).status).toBe(404)
    for (const cookie of [admin.bearer, during]) expect(await whoIs(cookie)).toBeUndefined()
  })
})

describe('a session from an identity provider', () => {
  let provider: TestProvider
  beforeAll(async () => {
    provider = await addProvider(service, await makeIdp())
  })
  const markers = async () =>
    (await itemsIn(service, 'session#')).filter(({ pk }) => String(pk).startsWith('connection-sessions#'))

  it('is still found by the sign-out of the provider, under its new value alone', async () => {
    const { value } = await seedSamlSession(service, provider, admin.user)
    const during = newCookie(await begin(value))
    const after = newCookie(await end(during))
    expect(await markers()).toHaveLength(1)
    const deleted = await service.client('DELETE', `/api/2/auth/saml/${provider.id}`, {
      bearer: provider.admin,
    })
    expect(deleted.status).toBe(204)
    expect(await whoIs(after)).toBeUndefined()
    expect(await markers()).toEqual([])
  })
})
