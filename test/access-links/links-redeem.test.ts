import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import { accessLinkKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Answer } from '../support/client.ts'
import { addLink, deleteLink, getLink, linksPath, lookUp, redeem, statusesOf } from '../support/links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
afterEach(() => vi.useRealTimers())

const me = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
const shownTo = async (id: number) => (await getLink(service, creator.bearer, id)).body
const comparable = ({ status, body, headers }: Answer) => ({
  status,
  body: { ...body, request_id: '' },
  headers: [...headers].filter(([name]) => !/request-?id|date/.test(name)),
})

describe('redeem_access_token', () => {
  it('opens a session of the recipient, consumes one view, and records the use', async () => {
    const created = await addLink(service, creator.bearer, { view_limit: 2 })
    const answer = await redeem(service, created.token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body.user).toMatchObject({
      id: created.user.id,
      is_external: true,
      effective_permissions: [],
    })
    expect(answer.body.session_key).toMatch(/^lks_/)
    expect(answer.cookies).toEqual([
      `latchkey=${answer.body.session_key}; HttpOnly; SameSite=Lax; Path=/; Max-Age=1209600`,
      expect.stringMatching(/^latchkey-marked-session=/),
    ])
    expect((await me(answer.body.session_key)).body.id).toBe(created.user.id)
    const shown = await shownTo(created.id)
    expect(shown).toMatchObject({ view_limit_enabled: true, view_limit_left: 1 })
    expect(shown.activity).toMatchObject([{ ip: '127.0.0.1', token: created.id }])
  })

  it('sets a cookie that expires with the link', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const expires = new Date(Date.now() + 90_500).toISOString()
    const created = await addLink(service, creator.bearer, { expires })
    expect((await redeem(service, created.token)).cookies).toEqual([
      expect.stringMatching(/^latchkey=.*; Max-Age=91$/),
      expect.stringMatching(/^latchkey-marked-session=.*; Max-Age=91$/),
    ])
  })

  it('sets no cookie on a cross-site request', async () => {
    const { token } = await addLink(service, creator.bearer)
    const answer = await service.client('POST', `${linksPath}/redeem`, {
      body: { token },
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(200)
    expect(answer.cookies).toEqual([])
  })

  it('opens exactly 3 sessions for 100 concurrent requests with 3 views left', async () => {
    const created = await addLink(service, creator.bearer, { view_limit: 3 })
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeem(service, created.token)))
    expect(statusesOf(answers)).toEqual({ 200: 3, 404: 97 })
    const bearers = answers.filter(({ status }) => status === 200).map(({ body }) => body.session_key)
    expect(new Set(bearers).size).toBe(3)
    for (const bearer of bearers) expect((await me(bearer)).status).toBe(200)
    const shown = await shownTo(created.id)
    expect(shown.view_limit_left).toBe(0)
    expect(shown.activity).toHaveLength(3)
    expect((await redeem(service, created.token)).status).toBe(404)
    expect((await shownTo(created.id)).view_limit_left).toBe(0)
  })

  it('opens a session for each of 50 concurrent requests if there is no view limit', async () => {
    const created = await addLink(service, creator.bearer)
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(service, created.token)))
    expect(statusesOf(answers)).toEqual({ 200: 50 })
    expect((await shownTo(created.id)).activity).toHaveLength(50)
    expect((await shownTo(created.id)).view_limit_left).toBe(0)
  })

  it('gives the same response for unknown, mistyped, used, expired, and deleted links, and for disabled recipients', async () => {
    const expires = new Date(Date.now() + 60_000).toISOString()
    const disabled = await addPerson(service, { is_external: true, passwordHash: null })
    const working = await addLink(service, creator.bearer)
    const [used, expired, deleted, ofDisabledUser] = [
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
      // The id of an active link, with other random bits.
      mintCredential('access_token', working.id).value,
      mintCredential('auth_ticket', used.user.id).value,
      creator.bearer,
      'x',
      '__proto__',
      ...[used, expired, deleted, ofDisabledUser].map(({ token }) => token),
    ]
    const redeemed = await Promise.all(values.map((value) => redeem(service, value)))
    const lookedUp = await Promise.all(values.map((value) => lookUp(service, value)))
    expect(redeemed[0]).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await lookUp(service, working.token)).status).toBe(200)
    for (const answers of [redeemed, lookedUp])
      for (const answer of answers) expect(comparable(answer)).toEqual(comparable(answers[0] as Answer))
  })

  it('rejects an invalid request without consuming a view', async () => {
    const created = await addLink(service, creator.bearer, { view_limit: 1 })
    for (const [body, status] of [
      [{}, 400],
      [{ token: '' }, 400],
      [{ token: [created.token] }, 400],
      [{ token: created.token, password: '' }, 400],
      [{ token: created.token, views: 5 }, 400],
      [{ token: `${created.token} ` }, 404],
      [{ token: created.token.toLowerCase() }, 404],
      [{ token: 'x'.repeat(60_000) }, 404],
    ] as const)
      expect((await service.client('POST', `${linksPath}/redeem`, { body })).status).toBe(status)
    const form = await service.client('POST', `${linksPath}/redeem`, {
      raw: `token=${created.token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(415)
    expect((await shownTo(created.id)).view_limit_left).toBe(1)
  })

  it('does not accept a link value as a session or as a ticket', async () => {
    const { token } = await addLink(service, creator.bearer)
    expect((await me(token)).status).toBe(401)
    const ticket = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: token } })
    expect(ticket.status).toBe(404)
  })
})

describe('the expiry of a link', () => {
  it('applies to the millisecond: to the link, its sessions, and their tickets', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const expires = start + 30_000
    const created = await addLink(service, creator.bearer, { expires: new Date(expires).toISOString() })
    const { session_key: bearer } = (await redeem(service, created.token)).body
    const ticketOf = async () => (await service.client('POST', '/api/2/auth/ticket', { bearer })).body
    const [before, after] = [await ticketOf(), await ticketOf()]
    const check = (body: object) => service.client('POST', '/api/2/auth/ticket/check', { body })

    vi.setSystemTime(expires - 1)
    expect((await lookUp(service, created.token)).status).toBe(200)
    expect((await me(bearer)).status).toBe(200)
    expect((await check(before)).status).toBe(200)
    const last = (await redeem(service, created.token)).body.session_key

    vi.setSystemTime(expires)
    expect((await lookUp(service, created.token)).status).toBe(404)
    expect((await redeem(service, created.token)).status).toBe(404)
    expect((await check(after)).status).toBe(404)
    for (const session of [bearer, last]) expect((await me(session)).status).toBe(401)
  })

  it('ends sessions of the link, while the recipient’s other sessions continue', async () => {
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
  it('immediately ends its sessions and their tickets, for guests and for users with an account', async () => {
    const recipient = await addSignedIn(service)
    const named = { email: `guest-${randomUUID()}@example.com` }
    for (const [given, own] of [
      [{}, {}],
      [named, {}],
      [{ user: recipient.user.id }, { bearer: recipient.bearer }],
    ] as const) {
      const [created, other] = [
        await addLink(service, creator.bearer, given),
        await addLink(service, creator.bearer, given),
      ]
      const bearers = await Promise.all(
        [1, 2].map(async () => (await redeem(service, created.token, own)).body.session_key),
      )
      const spared = (await redeem(service, other.token, own)).body.session_key
      const ticketOf = async (bearer: string) =>
        (await service.client('POST', '/api/2/auth/ticket', { bearer })).body
      const [ended, active] = [await ticketOf(bearers[0]), await ticketOf(spared)]
      expect((await deleteLink(service, creator.bearer, created.id)).status).toBe(204)
      for (const bearer of bearers) expect((await me(bearer)).status).toBe(401)
      const check = (body: object) => service.client('POST', '/api/2/auth/ticket/check', { body })
      expect((await check(ended)).status).toBe(404)
      expect((await me(spared)).status).toBe(200)
      expect((await check(active)).status).toBe(200)
    }
    expect((await me(recipient.bearer)).status).toBe(200)
    const sessions = await service.client('GET', '/api/2/auth/sessions', { bearer: recipient.bearer })
    expect(sessions.body).toHaveLength(2)
  })

  it.each([{ view_limit: 50 }, { view_limit: null }])(
    'leaves no session and no view record when the link is in use: %j',
    async (given) => {
      for (let round = 0; round < 5; round++) {
        const email = `guest-${randomUUID()}@example.com`
        const created = await addLink(service, creator.bearer, { ...given, email })
        const uses = Array.from({ length: 10 }, () => redeem(service, created.token))
        const [deleted, ...answers] = await Promise.all([
          deleteLink(service, creator.bearer, created.id),
          ...uses,
        ])
        expect(deleted?.status).toBe(204)
        for (const { status, body } of answers) {
          expect([200, 404]).toContain(status)
          if (status === 200) expect((await me(body.session_key)).status).toBe(401)
        }
        expect(await service.services.table.list(`access-token#${created.id}`, '')).toEqual([])
      }
    },
  )
})

describe('a link with a password', () => {
  const password = 'der Schlüssel'

  it('requires its password in any Unicode form, and reports whether it is missing or wrong', async () => {
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

  it('opens with a password from before passwords had a least length', async () => {
    const { id, token } = await addLink(service, creator.bearer, { password })
    const passwordHash = await hashPassword('x', service.services.config.passwordCost)
    await service.services.table.update(accessLinkKey(id), (x) => ({
      set: [`${x.path('passwordHash')} = ${x.value(passwordHash)}`],
    }))
    expect((await redeem(service, token, { password: 'x' })).status).toBe(200)
  })

  it('allows five guesses in ten minutes, and reports when to try again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const [target, other] = [
      await addLink(service, creator.bearer, { password }),
      await addLink(service, creator.bearer, { password }),
    ]
    for (let at = 0; at < 5; at++)
      expect((await redeem(service, target.token, { password: `guess ${at}` })).status).toBe(401)
    const refused = await redeem(service, target.token, { password })
    expect(refused.status).toBe(429)
    expect(refused.body.code).toBe('too_many_requests')
    expect((await redeem(service, other.token, { password })).status).toBe(200)
    vi.setSystemTime(Date.now() + Number(refused.headers.get('retry-after')) * 1000)
    expect((await redeem(service, target.token, { password })).status).toBe(200)
  })

  it('checks at most 6 of 100 concurrent guesses, right or wrong', async () => {
    const { id, token } = await addLink(service, creator.bearer, { password })
    const guesses = [...Array.from({ length: 99 }, (_, at) => `guess ${at}`), password]
    const answers = await Promise.all(guesses.map((guess) => redeem(service, token, { password: guess })))
    const counts = statusesOf(answers)
    expect((counts[200] ?? 0) + (counts[401] ?? 0)).toBeLessThanOrEqual(6)
    expect(counts[429]).toBeGreaterThanOrEqual(94)
    expect((await shownTo(id)).activity).toHaveLength(counts[200] ?? 0)
  })

  it('does not lock out the many people who know the password', async () => {
    const { token } = await addLink(service, creator.bearer, { password })
    for (let at = 0; at < 12; at++) expect((await redeem(service, token, { password })).status).toBe(200)
  })

  it('has audit events for its creation, a wrong password, its use, and its deletion', async () => {
    const created = await addLink(service, creator.bearer, { password })
    await redeem(service, created.token, { password: 'wrong' })
    await redeem(service, created.token, { password })
    await deleteLink(service, creator.bearer, created.id)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const answer = await service.client(
      'GET',
      `/api/2/auth/audit-events?user=${created.user.id}&ordering=created_at`,
      {
        bearer: admin.bearer,
      },
    )
    const events = answer.body.filter(({ target }: { target: string }) => target === String(created.id))
    expect(events).toMatchObject([
      { event: 'access_token.created', outcome: 'succeeded' },
      { event: 'access_token.refused', outcome: 'invalid_credentials' },
      { event: 'access_token.redeemed', outcome: 'succeeded' },
      { event: 'access_token.deleted', outcome: 'succeeded' },
    ])
  })
})
