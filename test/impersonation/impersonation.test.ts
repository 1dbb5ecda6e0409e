import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { UserChanges } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const start = '/api/2/auth/impersonation'
const stop = `${start}/stop`
const service = await useService()
let admin: SignedInPerson
let other: Person
beforeEach(async () => {
  admin = await addSignedIn(service, { permissions: ['system:admin-access'], full_name: 'The Admin' })
  other = await addPerson(service, { permissions: ['users:view'], full_name: 'The Other' })
})
afterEach(() => vi.useRealTimers())

const begin = (user = other.user.id, bearer = admin.bearer) =>
  service.client('POST', start, { bearer, body: { user } })
const end = (bearer = admin.bearer) => service.client('POST', stop, { bearer })
const me = () => service.client('GET', '/api/2/users/me', { bearer: admin.bearer })
const edit = async ({ user }: Person, changes: UserChanges) => {
  const stored = await findUser(service.services.table, user.id)
  if (!stored) throw new Error('the user was not found')
  await editUser(service.services.table, stored, changes)
}

describe('an administrator', () => {
  it('impersonates another user in the same session, and stops impersonating', async () => {
    expect((await begin()).status).toBe(204)
    const during = await me()
    expect(during.body).toMatchObject({
      id: other.user.id,
      effective_permissions: ['users:view'],
      impersonated_by: { id: admin.user.id, display_name: 'The Admin' },
    })
    expect((await end()).status).toBe(204)
    const after = await me()
    expect(after.body.id).toBe(admin.user.id)
    expect(after.body).not.toHaveProperty('impersonated_by')
  })

  it('sees the account page of a user with groups, in the language of the administrator', async () => {
    const group = { name: 'Editors', permissions: ['media:access'], members: [{ id: other.user.id }] }
    expect(
      (await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body: group })).status,
    ).toBe(201)
    const { user, password } = admin
    await edit(admin, { language: 'fr' })
    await edit(other, { language: 'ja' })
    const login = await trySignIn(service, { user, password })
    expect((await begin(other.user.id, login.body.session_key)).status).toBe(204)
    const cookie = login.cookies.map((text) => text.split(';')[0]).join('; ')
    const page = await service.client('GET', '/account', { headers: { accept: 'text/html', cookie } })
    expect(page.status).toBe(200)
    expect(page.text).toContain('&quot;impersonatedBy&quot;:&quot;The Admin&quot;')
    expect(page.text).toContain('<html lang="fr"')
  })

  it('has none of their own permissions while impersonating', async () => {
    await begin()
    const create = await service.client('POST', '/api/2/users', {
      bearer: admin.bearer,
      body: { username: 'new-user', permissions: [], groups: [] },
    })
    expect(create.status).toBe(403)
    expect(
      (await service.client('GET', `/api/2/users/${other.user.id}`, { bearer: admin.bearer })).status,
    ).toBe(200)
  })

  it('cannot change credentials of the impersonated user, or impersonate a third user', async () => {
    await begin()
    const third = await addPerson(service)
    for (const [method, path, body] of [
      [
        'POST',
        '/api/2/users/me/password',
        { password: 'a long new password', current_password: other.password },
      ],
      ['POST', `/api/2/users/${other.user.id}/password`, { password: 'a long new password' }],
      ['POST', `/api/2/users/${other.user.id}/totp`, { key: 'x', otp: '1' }],
      ['DELETE', `/api/2/users/${other.user.id}/totp`, undefined],
      ['POST', '/api/2/api-tokens', { name: 'script' }],
      ['POST', start, { user: third.user.id }],
    ] as const) {
      const answer = await service.client(method, path, { bearer: admin.bearer, body })
      expect({ path, status: answer.status }).toEqual({ path, status: 403 })
    }
  })

  it('stops impersonating automatically after one hour', async () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    await begin()
    vi.setSystemTime(now + 3_599_999)
    expect((await me()).body.id).toBe(other.user.id)
    vi.setSystemTime(now + 3_600_000)
    expect((await me()).body.id).toBe(admin.user.id)
    expect((await end()).status).toBe(409)
    // An hour later, the administrator has to confirm their identity to begin again.
    const late = await begin()
    expect([late.status, late.body.reason]).toEqual([403, 'reauthentication_required'])
    await service.client('POST', '/api/2/auth/reauthenticate', {
      ...{ bearer: admin.bearer, body: { password: admin.password } },
    })
    expect((await begin()).status).toBe(204)
  })

  it('signs out of both accounts with one logout, which also invalidates tickets', async () => {
    await begin()
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: admin.bearer })).body
    const { ticket: used } = (await service.client('POST', '/api/2/auth/ticket', { bearer: admin.bearer }))
      .body
    const check = (value: string) =>
      service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: value } })
    expect((await check(used)).body.id).toBe(other.user.id)
    expect((await service.client('POST', '/api/2/auth/logout', { bearer: admin.bearer })).status).toBe(204)
    expect((await me()).status).toBe(401)
    expect((await check(ticket)).status).toBe(404)
  })

  it.each([
    ['disabled', { is_enabled: false }, { is_enabled: true }],
    ['expired', { expiresAt: 1 }, { expiresAt: null }],
    ['an administrator', { permissions: ['system:admin-access'] }, { permissions: [] }],
  ])('can sign out for good while the impersonated user is %s', async (_, changes, back) => {
    await begin()
    await edit(other, changes)
    expect((await me()).status).toBe(401)
    expect((await service.client('POST', '/api/2/auth/logout', { bearer: admin.bearer })).status).toBe(204)
    await edit(other, back)
    expect((await me()).status).toBe(401)
    expect((await end()).status).toBe(401)
  })

  it.each([
    ['disabled', { is_enabled: false }],
    ['expired', { expiresAt: 1 }],
    ['an administrator', { permissions: ['system:admin-access'] }],
  ])('can stop impersonating when the impersonated user is %s', async (_, changes) => {
    await begin()
    await edit(other, changes)
    expect((await end()).status).toBe(204)
    expect((await me()).body.id).toBe(admin.user.id)
    expect((await end()).status).toBe(409)
  })

  it('can stop impersonating or sign out after the impersonated user was deleted', async () => {
    const deleteImpersonated = async () => {
      await begin()
      await service.services.table.transact([{ delete: { pk: `user#${other.user.id}`, sk: 'user' } }])
    }
    await deleteImpersonated()
    expect((await me()).status).toBe(401)
    expect((await end()).status).toBe(204)
    expect((await me()).body.id).toBe(admin.user.id)
    other = await addPerson(service)
    await deleteImpersonated()
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: admin.bearer })).body
    expect(ticket).toBeUndefined()
    expect((await service.client('POST', '/api/2/auth/logout', { bearer: admin.bearer })).status).toBe(204)
    expect((await end()).status).toBe(401)
  })

  it('loses the session on stopping if they are no longer an administrator', async () => {
    await begin()
    await edit(admin, { permissions: [] })
    expect((await end()).status).toBe(204)
    await edit(admin, { permissions: ['system:admin-access'] })
    expect((await me()).status).toBe(401)
  })
})

describe('a ticket created while impersonating', () => {
  let second: SignedInPerson
  let ticket: string
  beforeEach(async () => {
    second = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await begin()
    ticket = (await service.client('POST', '/api/2/auth/ticket', { bearer: admin.bearer })).body.ticket
  })
  const check = () => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
  const bySecond = (method: string, path: string, body?: object) =>
    service.client(method, path, { bearer: second.bearer, body })

  it('is valid for the impersonated user', async () => {
    expect((await check()).body.id).toBe(other.user.id)
  })

  it.each<[string, () => Promise<unknown>]>([
    [
      'ending all sessions of the administrator',
      () => bySecond('DELETE', `/api/2/users/${admin.user.id}/sessions`),
    ],
    [
      'a new password of the administrator',
      () => bySecond('POST', `/api/2/users/${admin.user.id}/password`, { password: 'another long password' }),
    ],
    ['removing permissions of the administrator', () => edit(admin, { permissions: [] })],
    [
      'disabling the administrator',
      () => bySecond('PATCH', `/api/2/users/${admin.user.id}`, { is_enabled: false }),
    ],
    ['deleting the administrator', () => bySecond('DELETE', `/api/2/users/${admin.user.id}`)],
    ['stopping the impersonation', () => end()],
    [
      'granting administrator access to the impersonated user',
      () => edit(other, { permissions: ['system:admin-access'] }),
    ],
    [
      'ending this session from another one',
      async () => {
        const { username } = admin.user
        const body = { username, password: admin.password }
        const bearer = (await service.client('POST', '/api/2/auth/login', { body })).body.session_key
        const { body: own } = await service.client('GET', '/api/2/auth/sessions', { bearer })
        const [{ id }] = own.filter(({ is_current }: { is_current: boolean }) => !is_current)
        return service.client('DELETE', `/api/2/auth/sessions/${id}`, { bearer })
      },
    ],
  ])('is invalidated by %s', async (_, invalidate) => {
    await invalidate()
    expect((await check()).status).toBe(404)
  })
})

describe('starting or stopping impersonation', () => {
  it('is rejected for one’s own account, and for unknown, disabled, expired, and administrator accounts', async () => {
    const second = await addPerson(service, { permissions: ['system:admin-access'] })
    const disabled = await addPerson(service, { is_enabled: false })
    const expired = await addPerson(service, { expiresAt: Date.now() - 1 })
    expect((await begin(admin.user.id)).status).toBe(400)
    expect((await begin(2147483647)).status).toBe(400)
    expect((await begin(disabled.user.id)).status).toBe(409)
    expect((await begin(expired.user.id)).status).toBe(409)
    expect((await begin(second.user.id)).status).toBe(403)
    for (const user of ['1', null, 1.5, -1, [1]]) {
      const answer = await service.client('POST', start, { bearer: admin.bearer, body: { user } })
      expect(answer.status).toBe(400)
    }
    expect((await me()).body.id).toBe(admin.user.id)
  })

  it('is rejected for callers who are not administrators', async () => {
    const plain = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    expect((await begin(other.user.id, plain.bearer)).status).toBe(403)
    expect((await service.client('POST', start, { body: { user: 1 } })).status).toBe(401)
  })

  it('succeeds exactly once for 20 concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin()))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    for (const status of statuses) expect([204, 403, 409]).toContain(status)
  })

  it('is rejected if no one is impersonated', async () => {
    expect((await end()).status).toBe(409)
  })
})

describe('impersonation ends', () => {
  it('when the administrator loses the permission or is disabled', async () => {
    await begin()
    await edit(admin, { permissions: [] })
    expect((await me()).status).toBe(401)
    await edit(admin, { permissions: ['system:admin-access'] })
    expect((await me()).status).toBe(200)
    await edit(admin, { is_enabled: false })
    expect((await me()).status).toBe(401)
    expect((await end()).status).toBe(401)
  })

  it('when the impersonated user is disabled or becomes an administrator', async () => {
    await begin()
    await edit(other, { permissions: ['system:admin-access'] })
    expect((await me()).status).toBe(401)
    await edit(other, { permissions: [], is_enabled: false })
    expect((await me()).status).toBe(401)
  })
})

it('records start, stop, and changes while impersonating with both users', async () => {
  await begin()
  await service.client('PATCH', '/api/2/users/me', { bearer: admin.bearer, body: { language: 'de' } })
  await end()
  const records = await readAuditItems(service.services.table)
  const own = records.filter(({ user }) => user === other.user.id)
  expect(own.map(({ event, actor }) => ({ event, actor }))).toEqual([
    { event: 'impersonation.started', actor: admin.user.id },
    { event: 'user.changed', actor: admin.user.id },
    { event: 'impersonation.stopped', actor: admin.user.id },
  ])
})

it('records the end of impersonation by a logout', async () => {
  await begin()
  await service.client('POST', '/api/2/auth/logout', { bearer: admin.bearer })
  const records = await readAuditItems(service.services.table)
  const own = records.filter(({ user }) => user === other.user.id)
  expect(own.map(({ event }) => event).sort()).toEqual([
    'impersonation.started',
    'impersonation.stopped',
    'logout.succeeded',
  ])
  for (const { actor } of own) expect(actor).toBe(admin.user.id)
})
