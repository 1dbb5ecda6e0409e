import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import type { Answer } from '../support/client.ts'
import { addLink, deleteLink, getLink, linksPath, lookUp, redeem, statusesOf } from '../support/links.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let creator: Person & { readonly bearer: string }
beforeAll(async () => {
  service = await startService()
  creator = await addSignedIn(service, { permissions: ['media:access'] })
})
afterEach(() => vi.useRealTimers())
afterAll(() => service.close())

const me = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
const shownTo = async (id: number) => (await getLink(service, creator.bearer, id)).body
const comparable = ({ status, body, headers }: Answer) => ({
  status,
  body: { ...body, request_id: '' },
  headers: [...headers].filter(([name]) => !/request-?id|date/.test(name)),
})

describe('redeem_access_token', () => {
  it('opens a session of the recipient, takes a view and notes it', async () => {
    const made = await addLink(service, creator.bearer, { view_limit: 2 })
    const answer = await redeem(service, made.token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body.user).toMatchObject({ id: made.user.id, is_external: true, effective_permissions: [] })
    expect(answer.body.session_key).toMatch(/^lks_/)
    expect(answer.cookies).toEqual([
      `latchkey=${answer.body.session_key}; HttpOnly; SameSite=Lax; Path=/; Max-Age=1209600`,
    ])
    expect((await me(answer.body.session_key)).body.id).toBe(made.user.id)
    const shown = await shownTo(made.id)
    expect(shown).toMatchObject({ view_limit_enabled: true, view_limit_left: 1 })
    expect(shown.activity).toMatchObject([{ ip: '127.0.0.1', token: made.id }])
  })

  it('gives a cookie that goes when the link ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const expires = new Date(Date.now() + 90_500).toISOString()
    const made = await addLink(service, creator.bearer, { expires })
    expect((await redeem(service, made.token)).cookies).toEqual([expect.stringMatching(/; Max-Age=91$/)])
  })

  it('doesn’t plant a cookie in the browser of another site’s context', async () => {
    const { token } = await addLink(service, creator.bearer)
    const answer = await service.client('POST', `${linksPath}/redeem`, {
      body: { token },
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(200)
    expect(answer.cookies).toEqual([])
  })

  it('a hundred times at once with three views left opens exactly three sessions', async () => {
    const made = await addLink(service, creator.bearer, { view_limit: 3 })
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeem(service, made.token)))
    expect(statusesOf(answers)).toEqual({ 200: 3, 404: 97 })
    const bearers = answers.filter(({ status }) => status === 200).map(({ body }) => body.session_key)
    expect(new Set(bearers).size).toBe(3)
    for (const bearer of bearers) expect((await me(bearer)).status).toBe(200)
    const shown = await shownTo(made.id)
    expect(shown.view_limit_left).toBe(0)
    expect(shown.activity).toHaveLength(3)
    expect((await redeem(service, made.token)).status).toBe(404)
    expect((await shownTo(made.id)).view_limit_left).toBe(0)
  })

  it('many times at once without a limit lets everybody in', async () => {
    const made = await addLink(service, creator.bearer)
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(service, made.token)))
    expect(statusesOf(answers)).toEqual({ 200: 50 })
    expect((await shownTo(made.id)).activity).toHaveLength(50)
    expect((await shownTo(made.id)).view_limit_left).toBe(0)
  })

  it('has one answer for all that isn’t there: unknown, mistyped, used up, expired, deleted, shut out', async () => {
    const expires = new Date(Date.now() + 60_000).toISOString()
    const disabled = await addPerson(service, { isExternal: true, passwordHash: null })
    const working = await addLink(service, creator.bearer)
    const [used, expired, deleted, shut] = [
      await addLink(service, creator.bearer, { view_limit: 1 }),
      await addLink(service, creator.bearer, { expires, password: 'secret' }),
      await addLink(service, creator.bearer),
      await addLink(service, creator.bearer, { user: disabled.user.id }),
    ]
    await redeem(service, used.token)
    await deleteLink(service, creator.bearer, deleted.id)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await service.client('PATCH', `/api/2/users/${disabled.user.id}`, {
      bearer: admin.bearer,
      body: { is_enabled: false },
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    const values = [
      mintCredential('access_token', 2_147_483_647).value,
      mintCredential('access_token', 0).value,
      // The id of one that works, with random bits of its own.
      mintCredential('access_token', working.id).value,
      mintCredential('auth_ticket', used.user.id).value,
      creator.bearer,
      'x',
      '__proto__',
      ...[used, expired, deleted, shut].map(({ token }) => token),
    ]
    const redeemed = await Promise.all(values.map((value) => redeem(service, value)))
    const lookedUp = await Promise.all(values.map((value) => lookUp(service, value)))
    expect(redeemed[0]).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await lookUp(service, working.token)).status).toBe(200)
    for (const answers of [redeemed, lookedUp])
      for (const answer of answers) expect(comparable(answer)).toEqual(comparable(answers[0] as Answer))
  })

  it('refuses what is no request for it, and takes no view for that', async () => {
    const made = await addLink(service, creator.bearer, { view_limit: 1 })
    for (const [body, status] of [
      [{}, 400],
      [{ token: '' }, 400],
      [{ token: [made.token] }, 400],
      [{ token: made.token, password: '' }, 400],
      [{ token: made.token, views: 5 }, 400],
      [{ token: `${made.token} ` }, 404],
      [{ token: made.token.toLowerCase() }, 404],
      [{ token: 'x'.repeat(60_000) }, 404],
    ] as const)
      expect((await service.client('POST', `${linksPath}/redeem`, { body })).status).toBe(status)
    const form = await service.client('POST', `${linksPath}/redeem`, {
      raw: `token=${made.token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(415)
    expect((await shownTo(made.id)).view_limit_left).toBe(1)
  })

  it('is no credential, whatever else it is', async () => {
    const { token } = await addLink(service, creator.bearer)
    expect((await me(token)).status).toBe(401)
    const ticket = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: token } })
    expect(ticket.status).toBe(404)
  })
})

describe('an expiry', () => {
  it('counts to the millisecond: for the link, for its sessions and for their tickets', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const expires = start + 30_000
    const made = await addLink(service, creator.bearer, { expires: new Date(expires).toISOString() })
    const { session_key: bearer } = (await redeem(service, made.token)).body
    const ticketOf = async () => (await service.client('POST', '/api/2/auth/ticket', { bearer })).body
    const [before, after] = [await ticketOf(), await ticketOf()]
    const check = (body: object) => service.client('POST', '/api/2/auth/ticket/check', { body })

    vi.setSystemTime(expires - 1)
    expect((await lookUp(service, made.token)).status).toBe(200)
    expect((await me(bearer)).status).toBe(200)
    expect((await check(before)).status).toBe(200)
    const last = (await redeem(service, made.token)).body.session_key

    vi.setSystemTime(expires)
    expect((await lookUp(service, made.token)).status).toBe(404)
    expect((await redeem(service, made.token)).status).toBe(404)
    expect((await check(after)).status).toBe(404)
    for (const session of [bearer, last]) expect((await me(session)).status).toBe(401)
  })

  it('isn’t outlived by the session of a recipient that lives on', async () => {
    const expires = Date.now() + 3_600_000
    const recipient = await addSignedIn(service)
    const { token } = await addLink(service, creator.bearer, {
      user: recipient.user.id,
      expires: new Date(expires).toISOString(),
    })
    const { session_key: bearer } = (await redeem(service, token, { bearer: recipient.bearer })).body
    const sessions = await service.client('GET', '/api/2/auth/sessions', { bearer })
    const own = sessions.body.find((session: { is_current: boolean }) => session.is_current)
    expect(own.expires).toBe(new Date(expires).toISOString())
    vi.useFakeTimers({ toFake: ['Date'], now: expires })
    expect((await me(bearer)).status).toBe(401)
    expect((await me(recipient.bearer)).status).toBe(200)
  })
})

describe('deleting a link', () => {
  it('ends what it opened at once, of a guest and of somebody with an account', async () => {
    const recipient = await addSignedIn(service)
    const named = { email: `guest-${randomUUID()}@example.com` }
    for (const [given, own] of [
      [{}, {}],
      [named, {}],
      [{ user: recipient.user.id }, { bearer: recipient.bearer }],
    ] as const) {
      const [made, other] = [
        await addLink(service, creator.bearer, given),
        await addLink(service, creator.bearer, given),
      ]
      const bearers = await Promise.all(
        [1, 2].map(async () => (await redeem(service, made.token, own)).body.session_key),
      )
      const spared = (await redeem(service, other.token, own)).body.session_key
      const ticketOf = async (bearer: string) =>
        (await service.client('POST', '/api/2/auth/ticket', { bearer })).body
      const [dead, alive] = [await ticketOf(bearers[0]), await ticketOf(spared)]
      expect((await deleteLink(service, creator.bearer, made.id)).status).toBe(204)
      for (const bearer of bearers) expect((await me(bearer)).status).toBe(401)
      const check = (body: object) => service.client('POST', '/api/2/auth/ticket/check', { body })
      expect((await check(dead)).status).toBe(404)
      expect((await me(spared)).status).toBe(200)
      expect((await check(alive)).status).toBe(200)
    }
    expect((await me(recipient.bearer)).status).toBe(200)
    const sessions = await service.client('GET', '/api/2/auth/sessions', { bearer: recipient.bearer })
    expect(sessions.body).toHaveLength(2)
  })

  it.each([{ view_limit: 50 }, { view_limit: null }])(
    'while it is being used leaves no session and no view behind: %j',
    async (given) => {
      for (let round = 0; round < 5; round++) {
        const email = `guest-${randomUUID()}@example.com`
        const made = await addLink(service, creator.bearer, { ...given, email })
        const uses = Array.from({ length: 10 }, () => redeem(service, made.token))
        const [deleted, ...answers] = await Promise.all([
          deleteLink(service, creator.bearer, made.id),
          ...uses,
        ])
        expect(deleted?.status).toBe(204)
        for (const { status, body } of answers) {
          expect([200, 404]).toContain(status)
          if (status === 200) expect((await me(body.session_key)).status).toBe(401)
        }
        expect(await service.services.table.list(`access-token#${made.id}`, '')).toEqual([])
      }
    },
  )
})

describe('a link with a password', () => {
  const password = 'der Schlüssel'

  it('asks for it, takes it in any form of its letters, and says which is wrong', async () => {
    const { id, token } = await addLink(service, creator.bearer, { password, view_limit: 2 })
    for (const given of [{}, { password: null }]) {
      const answer = await redeem(service, token, given)
      expect(answer.status).toBe(403)
      expect(answer.body).toMatchObject({ code: 'login_incomplete', reason: 'password_required' })
    }
    const wrong = await redeem(service, token, { password: 'der Schluessel' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ code: 'login_failed', reason: 'invalid_credentials' })
    expect((await shownTo(id)).view_limit_left).toBe(2)
    for (const form of ['NFC', 'NFD'] as const)
      expect((await redeem(service, token, { password: password.normalize(form) })).status).toBe(200)
    const stored = JSON.stringify(await service.services.table.list(`access-token#${id}`, ''))
    expect(stored).not.toContain(password)
  })

  it('lets five guesses in ten minutes through, and tells when to try again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const [guessed, other] = [
      await addLink(service, creator.bearer, { password }),
      await addLink(service, creator.bearer, { password }),
    ]
    for (let at = 0; at < 5; at++)
      expect((await redeem(service, guessed.token, { password: `guess ${at}` })).status).toBe(401)
    const refused = await redeem(service, guessed.token, { password })
    expect(refused.status).toBe(429)
    expect(refused.body.code).toBe('too_many_requests')
    expect((await redeem(service, other.token, { password })).status).toBe(200)
    vi.setSystemTime(Date.now() + Number(refused.headers.get('retry-after')) * 1000)
    expect((await redeem(service, guessed.token, { password })).status).toBe(200)
  })

  it('guessed at a hundred times at once lets five be looked at, the right one or not', async () => {
    const { id, token } = await addLink(service, creator.bearer, { password })
    const guesses = [...Array.from({ length: 99 }, (_, at) => `guess ${at}`), password]
    const answers = await Promise.all(guesses.map((guess) => redeem(service, token, { password: guess })))
    const counts = statusesOf(answers)
    expect((counts[200] ?? 0) + (counts[401] ?? 0)).toBeLessThanOrEqual(6)
    expect(counts[429]).toBeGreaterThanOrEqual(94)
    expect((await shownTo(id)).activity).toHaveLength(counts[200] ?? 0)
  })

  it('is opened by the many who know it without locking them out', async () => {
    const { token } = await addLink(service, creator.bearer, { password })
    for (let at = 0; at < 12; at++) expect((await redeem(service, token, { password })).status).toBe(200)
  })

  it('that isn’t right is recorded, as are making, using and deleting the link', async () => {
    const made = await addLink(service, creator.bearer, { password })
    await redeem(service, made.token, { password: 'wrong' })
    await redeem(service, made.token, { password })
    await deleteLink(service, creator.bearer, made.id)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const answer = await service.client(
      'GET',
      `/api/2/auth/audit-events?user=${made.user.id}&ordering=created_at`,
      {
        bearer: admin.bearer,
      },
    )
    const events = answer.body.filter(({ target }: { target: string }) => target === String(made.id))
    expect(events).toMatchObject([
      { event: 'access_token.created', outcome: 'succeeded' },
      { event: 'access_token.refused', outcome: 'invalid_credentials' },
      { event: 'access_token.redeemed', outcome: 'succeeded' },
      { event: 'access_token.deleted', outcome: 'succeeded' },
    ])
  })
})
