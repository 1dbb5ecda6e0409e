import { afterEach, describe, expect, it, vi } from 'vitest'
import { addLink, bundle, getLink, linksPath, redeem } from '../support/links.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A member redeems a link with their own session. A thief of the new session gets the link, and only for as long. */

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
afterEach(() => vi.useRealTimers())

const call = (bearer: string, method: string, path: string, body?: object) =>
  service.client(method, `/api/2${path}`, { bearer, body })
const me = async (bearer: string) => (await call(bearer, 'GET', '/users/me')).status
const createTicket = async (bearer: string) => (await call(bearer, 'POST', '/auth/ticket', {})).body
const checkTicket = (body: object) => service.client('POST', '/api/2/auth/ticket/check', { body })
const addMember = (permissions: readonly string[] = []) => addSignedIn(service, { permissions })

/** Opens a link for a member and returns the session of the link. */
const openFor = async (member: SignedInPerson, given: object = {}) => {
  const link = await addLink(service, creator.bearer, { user: member.user.id, ...given })
  const answer = await redeem(service, link.token, { bearer: member.bearer })
  if (answer.status !== 200) throw new Error(answer.text)
  return { link, answer, bearer: answer.body.session_key as string }
}

describe('the session that a member opens with a link', () => {
  it('shows the link with none of the permissions of the member, in every response', async () => {
    const admin = await addMember(['system:admin-access', 'media:access'])
    const group = await call(admin.bearer, 'POST', '/groups', {
      name: `group-${Math.random()}`,
      permissions: ['users:manage'],
    })
    await call(admin.bearer, 'PATCH', `/users/${admin.user.id}`, { groups: [group.body.id] })
    const { link, answer, bearer } = await openFor(admin)
    const none = { permissions: [], group_permissions: [], effective_permissions: [], groups: [] }
    expect(answer.body.user).toMatchObject({ id: admin.user.id, ...none })
    expect((await call(bearer, 'GET', '/users/me')).body).toMatchObject({
      id: admin.user.id,
      effective_permissions: [],
    })
    const checked = await checkTicket(await createTicket(bearer))
    expect(checked.body).toMatchObject({ id: admin.user.id, ...none })
    expect((await getLink(service, bearer, link.id)).status).toBe(200)
    expect((await getLink(service, bearer, link.id, '/permissions')).body).toHaveLength(1)
    const own = await checkTicket(await createTicket(admin.bearer))
    expect(own.body.effective_permissions).toContain('system:admin-access')
  })

  it('cannot administer, read, or change anything else', async () => {
    const admin = await addMember(['system:admin-access', 'media:access'])
    const own = await call(admin.bearer, 'POST', '/api-tokens', { name: 'script' })
    const { link, bearer } = await openFor(admin)
    for (const [method, path, body] of [
      ['GET', '/users', undefined],
      ['GET', `/users/${creator.user.id}`, undefined],
      ['POST', '/users', { username: 'new-admin', permissions: ['system:admin-access'], groups: [] }],
      ['PATCH', '/users/me', { full_name: 'Somebody Else' }],
      ['DELETE', `/users/${creator.user.id}/sessions`, undefined],
      ['GET', '/groups', undefined],
      ['GET', '/auth/audit-events', undefined],
      ['POST', '/auth/impersonation', { user: creator.user.id }],
      ['POST', '/api-tokens', { name: 'for later' }],
      ['POST', '/auth/access-tokens', { bundles: [bundle()] }],
      ['DELETE', `/auth/access-tokens/${link.id}`, undefined],
      ['POST', `/auth/access-tokens/${link.id}/email`, {}],
    ] as const) {
      const { status, body: problem } = await call(bearer, method, path, body)
      expect([path, status, problem.code]).toEqual([path, 403, 'permission_denied'])
      expect(problem.detail.length).toBeGreaterThan(10)
    }
    expect((await call(bearer, 'GET', '/api-tokens')).body).toEqual([])
    expect((await call(bearer, 'GET', `/api-tokens/${own.body.id}`)).status).toBe(404)
    const sessions = (await call(bearer, 'GET', '/auth/sessions')).body
    expect(sessions).toMatchObject([{ is_current: true, access_token: link.id }])
    const [{ id }] = (await call(admin.bearer, 'GET', '/auth/sessions')).body.filter(
      (session: { is_current: boolean }) => session.is_current,
    )
    expect((await call(bearer, 'DELETE', `/auth/sessions/${id}`)).status).toBe(404)
    expect(await me(admin.bearer)).toBe(200)
  })

  it('opens no further link of the member', async () => {
    const member = await addMember()
    const { bearer } = await openFor(member)
    const second = await addLink(service, creator.bearer, { user: member.user.id })
    expect((await redeem(service, second.token, { bearer })).status).toBe(403)
  })

  it('does not replace the cookie of their own session', async () => {
    const { answer } = await openFor(await addMember())
    expect(answer.cookies).toEqual([])
  })
})

describe('the session of a link ends, with its tickets, when the member', () => {
  it.each([
    ['signs out', ({ bearer }: SignedInPerson) => call(bearer, 'POST', '/auth/logout')],
    [
      'ends their own session from another device',
      async (member: SignedInPerson) => {
        const other = await signIn(service, member)
        const sessions = (await call(member.bearer, 'GET', '/auth/sessions')).body
        const own = sessions.find((session: { is_current: boolean }) => session.is_current)
        return call(other, 'DELETE', `/auth/sessions/${own.id}`)
      },
    ],
    [
      'changes their password',
      ({ bearer, password }: SignedInPerson) =>
        call(bearer, 'POST', '/users/me/password', {
          current_password: password,
          password: 'quite another long password',
        }),
    ],
    [
      'has all sessions ended by a manager',
      async ({ user }: SignedInPerson) =>
        call((await addMember(['users:manage'])).bearer, 'DELETE', `/users/${user.id}/sessions`),
    ],
  ])('%s', async (_, end) => {
    const member = await addMember()
    const opened = [await openFor(member), await openFor(member)]
    const tickets = await Promise.all(opened.map(({ bearer }) => createTicket(bearer)))
    for (const { bearer } of opened) expect(await me(bearer)).toBe(200)
    expect((await end(member)).status).toBe(204)
    for (const { bearer, link } of opened) {
      expect(await me(bearer)).toBe(401)
      expect((await getLink(service, bearer, link.id)).status).toBe(401)
    }
    for (const ticket of tickets) expect((await checkTicket(ticket)).status).toBe(404)
  })

  it('does not use their own session for 24 hours, or when it expires', async () => {
    const member = await addMember()
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const { bearer } = await openFor(member)
    vi.setSystemTime(now + 23 * 3_600_000)
    expect(await me(bearer)).toBe(200)
    vi.setSystemTime(now + 25 * 3_600_000)
    expect(await me(bearer)).toBe(401)
  })

  it('signs out while 20 concurrent requests redeem the link', async () => {
    const member = await addMember()
    const { token } = await addLink(service, creator.bearer, { user: member.user.id })
    const [ended, ...answers] = await Promise.all([
      call(member.bearer, 'POST', '/auth/logout'),
      ...Array.from({ length: 20 }, () => redeem(service, token, { bearer: member.bearer })),
    ])
    expect(ended?.status).toBe(204)
    for (const { status, body } of answers) {
      expect([200, 401]).toContain(status)
      if (status === 200) expect(await me(body.session_key)).toBe(401)
    }
    expect((await redeem(service, token, { bearer: member.bearer })).status).toBe(401)
  })
})

it('leaves the member signed in when the session of the link signs out, and ends its tickets', async () => {
  const member = await addMember()
  const [closed, kept] = [await openFor(member), await openFor(member)]
  const ticket = await createTicket(closed.bearer)
  expect((await call(closed.bearer, 'POST', '/auth/logout')).status).toBe(204)
  expect(await me(closed.bearer)).toBe(401)
  expect((await checkTicket(ticket)).status).toBe(404)
  for (const bearer of [kept.bearer, member.bearer]) expect(await me(bearer)).toBe(200)
  expect((await call(member.bearer, 'GET', '/auth/sessions')).body).toHaveLength(2)
})

it('does not depend on a session of another user with the same link', async () => {
  const [member, other] = [await addMember(), await addMember()]
  const { bearer } = await openFor(member)
  expect((await call(other.bearer, 'POST', '/auth/logout')).status).toBe(204)
  expect(await me(bearer)).toBe(200)
})

it('does not grow the record of a guest with each sign-in and sign-out', async () => {
  const { token, user } = await addLink(service, creator.bearer)
  const recordOf = async () =>
    JSON.stringify(await service.services.table.get({ pk: `user#${user.id}`, sk: 'user' }))
  const use = async () => {
    const { session_key: bearer } = (await redeem(service, token)).body
    const ticket = await createTicket(bearer)
    expect((await call(bearer, 'POST', '/auth/logout')).status).toBe(204)
    expect((await checkTicket(ticket)).status).toBe(404)
    expect(await me(bearer)).toBe(401)
  }
  await use()
  const before = await recordOf()
  for (let at = 0; at < 15; at++) await use()
  expect((await recordOf()).length).toBe(before.length)
  expect((await service.client('GET', linksPath, { bearer: creator.bearer })).status).toBe(200)
})
