import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashCredential } from '../../lib/kernel/secrets/credentials.ts'
import { apiTokenKey } from '../../lib/kernel/table/keys/keys.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* How an API token with scopes could do more than its scopes allow, or more than its owner may. */

const path = '/api/2/api-tokens'
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const plain = await addSignedIn(service, { permissions: ['downloads:view', 'acme:reports:read'] })
afterEach(() => vi.useRealTimers())

const call = (method: string, at: string, bearer: string, body?: object) =>
  service.client(method, at, { bearer, body })
const create = async (owner: SignedInPerson, given: object = {}) => {
  const answer = await call('POST', path, owner.bearer, { name: 'script', ...given })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const checkTicket = async (ticket: string) =>
  service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })

describe('an API token with scopes', () => {
  it('is limited to the operations of its scopes, and the refusal names the missing scope', async () => {
    const { token } = await create(admin, { scopes: ['users:view'] })
    expect((await call('GET', '/api/2/users', token)).status).toBe(200)
    for (const [method, at, scope, body] of [
      ['GET', '/api/2/users/me', 'profile:view'],
      ['PATCH', '/api/2/users/me', 'profile:manage', { full_name: 'Mallory' }],
      ['PUT', '/api/2/users/me', 'profile:manage', { full_name: 'Mallory' }],
      ['POST', '/api/2/users', 'users:manage', { username: 'made', permissions: [], groups: [] }],
      ['POST', '/api/2/auth/ticket', 'tickets:create'],
      ['GET', '/api/2/auth/audit-events', 'audit-events:view'],
      ['GET', path, 'api-tokens:view'],
      ['DELETE', `${path}/1`, 'api-tokens:manage'],
    ] as const) {
      const answer = await call(method, at, token, body)
      expect([answer.status, answer.body.code, answer.body.reason], at).toEqual([
        403,
        'permission_denied',
        'insufficient_scope',
      ])
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="${scope}"`,
      )
    }
  })

  it('never allows what its owner may not do', async () => {
    const { token } = await create(plain, { scopes: ['users:manage', 'system:admin-access'] })
    for (const [method, at, body] of [
      ['GET', '/api/2/users'],
      ['GET', '/api/2/auth/audit-events'],
      ['POST', '/api/2/users', { username: 'made', permissions: [], groups: [] }],
    ] as const) {
      const answer = await call(method, at, token, body)
      expect([answer.status, answer.body.reason], at).toEqual([403, undefined])
    }
  })

  it('loses what its owner loses at once', async () => {
    const owner = await addSignedIn(service)
    const group = await call('POST', '/api/2/groups', admin.bearer, {
      name: `viewers-${owner.user.id}`,
      permissions: ['users:view'],
      members: [{ id: owner.user.id }],
    })
    const { token } = await create(owner, { scopes: ['users:view'] })
    expect((await call('GET', '/api/2/users', token)).status).toBe(200)
    expect((await call('DELETE', `/api/2/groups/${group.body.id}`, admin.bearer)).status).toBe(204)
    expect((await call('GET', '/api/2/users', token)).status).toBe(403)
  })

  it('is limited inside operations, too: an administrator with a narrow token sees only their own links', async () => {
    const target = await addPerson(service)
    const link = await call('POST', '/api/2/auth/access-tokens', admin.bearer, {
      bundles: [{ id: 1, name: 'A bundle', root: 1, path: '/a' }],
      user: target.user.id,
    })
    const other = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { token: narrow } = await create(other, { scopes: ['links:view', 'links:manage'] })
    const { token: wide } = await create(other)
    const at = `/api/2/auth/access-tokens/${link.body.id}`
    expect((await call('GET', at, wide)).status).toBe(200)
    expect((await call('GET', at, narrow)).status).toBe(404)
    expect((await call('DELETE', at, narrow)).status).toBe(404)
    expect((await call('GET', '/api/2/auth/access-tokens', narrow)).body).toEqual([])
  })

  it('shows limited permissions in the profile', async () => {
    const { token } = await create(admin, { scopes: ['profile:view', 'users:view'] })
    expect((await call('GET', '/api/2/users/me', token)).body.effective_permissions).toEqual(['users:view'])
    const { token: product } = await create(plain, {
      scopes: ['profile:view', 'downloads:view', 'users:view'],
    })
    expect((await call('GET', '/api/2/users/me', product)).body.effective_permissions).toEqual([
      'downloads:view',
    ])
    const { token: unlimited } = await create(plain)
    expect((await call('GET', '/api/2/users/me', unlimited)).body.effective_permissions).toEqual([
      'acme:reports:read',
      'downloads:view',
    ])
  })

  it('creates tickets that show no more than the token', async () => {
    const { token } = await create(admin, { scopes: ['tickets:create', 'downloads:view'] })
    const { ticket } = (await call('POST', '/api/2/auth/ticket', token)).body
    expect((await checkTicket(ticket)).body).toMatchObject({
      id: admin.user.id,
      permissions: ['downloads:view'],
      effective_permissions: ['downloads:view'],
      group_permissions: [],
      groups: [],
    })
  })

  it('takes its tickets with it', async () => {
    const { id, token } = await create(admin, { scopes: ['tickets:create'] })
    const { ticket } = (await call('POST', '/api/2/auth/ticket', token)).body
    expect((await call('DELETE', `${path}/${id}`, admin.bearer)).status).toBe(204)
    expect((await checkTicket(ticket)).status).toBe(404)
  })

  it('cannot widen its scopes or extend its life by any edit', async () => {
    const { id, token, ...rest } = await create(admin, {
      scopes: ['api-tokens:manage', 'api-tokens:view'],
      expires: '2099-01-01T00:00:00Z',
    })
    const at = `${path}/${id}`
    const wide = { scopes: null, expires: null, last_used_at: null, created_at: rest.created_at }
    for (const [method, body] of [
      ['PATCH', wide],
      ['PUT', { name: 'script', ...wide }],
      ['PUT', { id, name: 'script', ...wide, scopes: ['system:admin-access'] }],
    ] as const)
      for (const bearer of [token, admin.bearer]) {
        const answer = await call(method, at, bearer, body)
        expect([answer.status, answer.body.scopes, answer.body.expires]).toEqual([
          200,
          ['api-tokens:manage', 'api-tokens:view'],
          '2099-01-01T00:00:00.000Z',
        ])
      }
    expect((await call('GET', '/api/2/users', token)).status).toBe(403)
  })

  it('opens nothing if its record has lost its scopes', async () => {
    const { token } = await create(admin, { scopes: ['users:view'] })
    const { table } = service.services
    await table.update(apiTokenKey(admin.user.id, hashCredential(token)), (x) => ({
      remove: [x.path('scopes')],
    }))
    expect((await call('GET', '/api/2/users', token)).status).toBe(500)
  })

  it.each([
    ['no scopes at all', []],
    ['an unknown scope', ['users:view', 'user:manage']],
    ['a permission of a product that its owner lacks', ['acme:invoices:read']],
    ['the name of a property', ['constructor']],
    ['an empty scope', ['']],
    ['very many scopes', Array.from({ length: 101 }, () => 'users:view')],
    ['a very long scope', [`users:${'v'.repeat(1000)}`]],
    ['a header injection', ['users:view"\r\nSet-Cookie: a=b']],
    ['a text', 'users:view'],
  ])('is refused for %s', async (_, scopes) => {
    const answer = await call('POST', path, plain.bearer, { name: 'bad', scopes })
    expect([answer.status, answer.body.errors?.[0].field.split('.')[0]]).toEqual([400, 'scopes'])
  })

  it('lists the known scopes when one is unknown', async () => {
    const answer = await call('POST', path, plain.bearer, { name: 'bad', scopes: ['users:veiw'] })
    for (const known of ['users:view', 'profile:view', 'acme:reports:read', 'client-address:set'])
      expect(answer.body.errors[0].message).toContain(known)
  })

  it('counts repeated scopes once, and null as no scopes', async () => {
    const { scopes } = await create(plain, { scopes: ['users:view', 'profile:view', 'users:view'] })
    expect(scopes).toEqual(['profile:view', 'users:view'])
    const unlimited = await create(plain, { scopes: null, expires: null })
    expect(unlimited).toMatchObject({ scopes: null, expires: null, last_used_at: null })
    const listed = await call('GET', `${path}/${unlimited.id}`, plain.bearer)
    expect(listed.body).toEqual({ ...unlimited, token: undefined })
  })
})

describe('an API token with an expiry', () => {
  const in10Seconds = () => new Date(Date.now() + 10_000).toISOString()

  it('does not authenticate from then on, but is still listed', async () => {
    const owner = await addSignedIn(service)
    const custom = randomBytes(32).toString('base64url')
    const made = await create(owner, { expires: in10Seconds() })
    const chosen = await create(owner, { expires: in10Seconds(), token: custom })
    for (const { token } of [made, chosen])
      expect((await call('GET', '/api/2/users/me', token)).status).toBe(200)
    vi.setSystemTime(Date.now() + 10_000)
    const challengeOf = async (token: string) => {
      const { status, headers } = await call('GET', '/api/2/users/me', token)
      expect(status).toBe(401)
      return headers.get('www-authenticate')
    }
    // Only those who know the value learn that it expired.
    for (const token of [made.token, custom]) expect(await challengeOf(token)).toContain('has expired')
    expect(await challengeOf(`${custom}x`)).toBe('Bearer')
    const { body } = await call('GET', path, owner.bearer)
    expect(body.map(({ id }: { id: number }) => id)).toEqual([made.id, chosen.id])
  })

  it('creates no ticket that outlives it', async () => {
    const { token } = await create(plain, { expires: in10Seconds() })
    const { ticket } = (await call('POST', '/api/2/auth/ticket', token)).body
    vi.setSystemTime(Date.now() + 10_000)
    expect((await checkTicket(ticket)).status).toBe(404)
  })

  it.each([
    ['in the past', '2020-01-01T00:00:00Z'],
    ['not a time', 'tomorrow'],
    ['a number', 4_102_444_800],
  ])('is refused if it is %s', async (_, expires) => {
    const answer = await call('POST', path, plain.bearer, { name: 'bad', expires })
    expect([answer.status, answer.body.errors?.[0].field]).toEqual([400, 'expires'])
  })

  it('makes room for new tokens once expired', async () => {
    const owner = await addSignedIn(service)
    const lasting = await create(owner)
    // The clock stands still, so that no token expires while the others are created.
    vi.setSystemTime(Date.now())
    // On a busy machine, more at once can wait too long for each other.
    for (let count = 0; count < 99; count += 9)
      await Promise.all(Array.from({ length: 9 }, () => create(owner, { expires: in10Seconds() })))
    expect((await call('POST', path, owner.bearer, { name: 'more' })).status).toBe(409)
    vi.setSystemTime(Date.now() + 10_000)
    const made = await Promise.all([create(owner), create(owner)])
    const { body } = await call('GET', path, owner.bearer)
    expect(body.map(({ id }: { id: number }) => id)).toEqual(
      [lasting, ...made].map(({ id }) => id).sort((a, b) => a - b),
    )
  })
})
