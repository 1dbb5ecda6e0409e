import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { auditRefusal } from '../../lib/accounts/events/refusals.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { postFrom } from '../support/addressed-client.ts'
import type { Json } from '../support/client.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service)
afterEach(() => vi.useRealTimers())

const list = async (query: Record<string, string>): Promise<Json[]> => {
  const path = `/api/2/auth/audit-events?${new URLSearchParams(query)}`
  return (await service.client('GET', path, { bearer: admin.bearer })).body
}
const post = (
  path: string,
  body: object,
  options: { bearer?: string; headers?: Record<string, string> } = {},
) => service.client('POST', `/api/2/${path}`, { body, ...options })

describe('an event contains', () => {
  it('the credential kind and the beginning of the user agent, without control characters', async () => {
    const headers = { 'user-agent': `Browser/1\u0085${'x'.repeat(5000)}` }
    const { id } = (await post('api-tokens', { name: 'a' }, { bearer: person.bearer, headers })).body
    const [bySession] = await list({ event: 'api_token.created', user: String(person.user.id) })
    expect(bySession).toMatchObject({ target: String(id), credential: 'session' })
    expect(bySession?.['user_agent']).toMatch(/^Browser\/1 x+$/)
    expect(bySession?.['user_agent']).toHaveLength(160)
    const { token } = (await post('api-tokens', { name: 'b' }, { bearer: person.bearer })).body
    await service.client('DELETE', `/api/2/users/${admin.user.id}`, { bearer: token })
    const [denied] = await list({ event: 'access.denied', user: String(person.user.id) })
    expect(denied).toMatchObject({ target: 'delete_user', credential: 'api_token' })
  })

  it('the name of a failed sign-in only if it cannot be a password', async () => {
    const names = {
      'Jane.Doe7': 'jane.doe7',
      'jane@Example.com': 'jane@example.com',
      [`  ${person.user.username.toUpperCase()} `]: person.user.username,
      'Correct-Horse-9-Staple!': undefined,
      correcthorsebatterystaple: undefined,
      Summer2026: undefined,
      '<script>': undefined,
      'line\nbreak': 'linebreak',
    }
    for (const [username, stored] of Object.entries(names)) {
      await post(
        'auth/login',
        { username, password: 'wrong' },
        { headers: { 'user-agent': `${username.length}x` } },
      )
      const [failed] = await list({ event: 'login.failed', limit: '1' })
      expect([username, failed?.['user_agent'], failed?.['username_tried']]).toEqual([
        username,
        `${username.length}x`,
        stored,
      ])
    }
  })
})

describe('the audit log contains', () => {
  it('a wrong current password', async () => {
    const body = { password: 'A new and long password', current_password: 'wrong' }
    expect((await post('users/me/password', body, { bearer: person.bearer })).status).toBe(400)
    expect(await list({ event: 'password.refused' })).toMatchObject([
      { user: person.user.id, actor: person.user.id, outcome: 'invalid_credentials', ip: '127.0.0.1' },
    ])
  })

  it('a reset request for a name without an account', async () => {
    const email = `${randomUUID()}@example.com`
    await post('auth/reset-password/request', { email })
    await waitFor(async () =>
      expect(await list({ event: 'password.reset_not_possible' })).toMatchObject([
        { user: null, username_tried: email, ip: '127.0.0.1', outcome: 'no_recipient' },
      ]),
    )
  })

  it('a ticket that is used again, with its user, and one that was made up, without a user', async () => {
    const { ticket } = (await post('auth/ticket', {}, { bearer: person.bearer })).body
    await post('auth/ticket/check', { ticket })
    expect(await list({ event: 'ticket.exchanged' })).toMatchObject([
      { user: person.user.id, actor: null, ip: '127.0.0.1', user_agent: 'node', target: null },
    ])
    await post('auth/ticket/check', { ticket })
    await post('auth/ticket/check', { ticket: mintCredential('auth_ticket', person.user.id).value })
    const events = await list({ event: 'ticket.refused' })
    expect(events.map(({ user, outcome, count }) => [user, outcome, count])).toEqual([
      [null, 'not_found', 1],
      [person.user.id, 'already_used', 1],
    ])
  })

  it('unknown reset tokens and access links', async () => {
    const token = mintCredential('reset_token', person.user.id).value
    await post('auth/reset-password', { token, password: 'A new and long password' })
    const link = mintCredential('access_token', 1).value
    await service.client('GET', `/api/2/auth/access-tokens/get/${link}`)
    expect(await list({ event: 'password.reset_refused' })).toMatchObject([{ user: null, count: 1 }])
    expect(await list({ event: 'access_token.not_found' })).toMatchObject([{ user: null, count: 1 }])
  })
})

describe('a flood of refusals', () => {
  it('is one event for each minute and network, and the next one has the count', async () => {
    const now = Date.now() + 120_000
    vi.useFakeTimers({ toFake: ['Date'], now })
    const guess = () =>
      service.client('POST', '/api/2/auth/ticket/check', {
        body: { ticket: mintCredential('auth_ticket', 2_000_000_000).value },
      })
    const since = new Date(now).toISOString()
    for (let round = 0; round < 30; round++) await guess()
    vi.setSystemTime(now + 60_000)
    await guess()
    const events = await list({
      event: 'ticket.refused',
      since,
      until: new Date(now + 120_000).toISOString(),
    })
    expect(events.map(({ count }) => count)).toEqual([30, 1])
  })

  it('from very many networks at once is bounded as well', async () => {
    const now = Date.now() + 600_000
    vi.useFakeTimers({ toFake: ['Date'], now })
    const context = { address: '', userAgent: '', requestId: '', actor: null, at: now }
    for (let host = 0; host < 80; host++)
      await auditRefusal(
        service.services,
        { ...context, address: `198.51.100.${host}` },
        'ticket.refused',
        {},
      )
    const since = new Date(now).toISOString()
    expect(await list({ event: 'ticket.refused', since, limit: '100' })).toHaveLength(61)
  })

  it('of sign-ins is an event of its own when the network has to wait', async () => {
    const { user } = await addPerson(service)
    for (let round = 0; round < 12; round++)
      await postFrom('127.9.9.9', `${service.url}/api/2/auth/login`, {
        username: user.username,
        password: 'wrong',
      })
    const events = await list({ event: 'login.failed', since: new Date(Date.now() - 60_000).toISOString() })
    const limited = events.filter(({ outcome }) => outcome === 'too_many_requests')
    expect(limited).toMatchObject([{ ip: '127.9.9.9', count: 1 }])
  })
})
