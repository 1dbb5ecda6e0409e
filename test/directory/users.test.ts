import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addPerson, addSignedIn, signIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

// Managers give only permissions that they have.
const given = ['media:access', 'own:product:thing']
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', ...given] })
const plain = await addSignedIn(service)

const uniqueName = () => `name-${randomUUID()}`
const create = (body: object, bearer = manager.bearer) =>
  service.client('POST', '/api/2/users', { bearer, body: { permissions: [], groups: [], ...body } })
const get = (id: number | string, bearer = manager.bearer) =>
  service.client('GET', `/api/2/users/${id}`, { bearer })

describe('create_user', () => {
  it('adds a user with defaults for omitted fields, and returns their location', async () => {
    const username = uniqueName()
    const created = await create({ username })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`/api/2/users/${created.body.id}`)
    expect(created.body).toMatchObject({
      username,
      display_name: username,
      email: null,
      is_enabled: true,
      has_password: false,
      allow_changing_password: true,
      default_page: '/',
      permissions: [],
      fm_bookmarks: [],
      gid: null,
      ldap: null,
      last_seen: null,
    })
    expect(created.body.sync_id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await get(created.body.id)).body).toEqual(created.body)
  })

  it('assigns ascending ids, and keeps every field', async () => {
    const given = {
      email: 'Margaret@Example.com',
      full_name: 'Margaret Hamilton',
      expiry: '2031-05-06T07:08:09.123Z',
      language: 'de',
      default_page: '/library',
      fm_bookmarks: ['/a', '/b'],
      gid: -5,
      uid: 12,
      home: 7,
      ldap: { server: 'x', nested: [1, { deep: null }] },
      ldap_dn: 'cn=m',
      shaper_ceiling: 9007199254740991,
      shaper_rate: 0,
      unix_username: 'margaret',
      is_cloud: true,
      is_external: true,
      is_enabled: false,
      allow_wan_login: true,
      allow_changing_password: false,
      password_change_required: true,
      permissions: ['users:view', 'media:access', 'own:product:thing'],
    }
    const first = await create({ username: uniqueName() })
    const created = await create({ username: uniqueName(), ...given })
    expect(created.body.id).toBeGreaterThan(first.body.id)
    expect(created.body).toMatchObject({ ...given, permissions: [...given.permissions].sort() })
    expect((await get(created.body.id)).body).toEqual(created.body)
  })

  it('shows the full name without the spaces around it', async () => {
    const { body } = await create({ username: uniqueName(), full_name: ' Ada  Lovelace ' })
    expect(body.display_name).toBe('Ada  Lovelace')
  })

  it('accepts empty strings where they are allowed, and shows them to the user', async () => {
    const empty = { email: '', full_name: '', ldap_dn: '', unix_username: '', language: '' }
    const created = await create({ username: uniqueName(), ...empty })
    expect(created.body).toMatchObject({ ...empty, email: null, display_name: created.body.username })
    const password = 'a password that is long enough'
    await service.client('POST', `/api/2/users/${created.body.id}/password`, {
      bearer: admin.bearer,
      body: { password },
    })
    const answer = await trySignIn(service, { user: created.body, password })
    const me = await service.client('GET', '/api/2/users/me', { bearer: answer.body.session_key })
    expect(me.body).toMatchObject({ email: null, full_name: '', unix_username: null, language: '' })
  })

  it('ignores read-only fields, so that a body as it was returned is accepted', async () => {
    const read = (await create({ username: uniqueName() })).body
    const username = uniqueName()
    const again = await create({ ...read, username, effective_permissions: ['system:admin-access'], id: 1 })
    expect(again.status).toBe(201)
    expect(again.body.id).toBeGreaterThan(read.id)
    expect(again.body.effective_permissions).toEqual([])
    expect(again.body.sync_id).not.toBe(read.sync_id)
  })

  it('accepts a username and an address only once, in any spelling', async () => {
    const username = uniqueName()
    const email = `${randomUUID()}@example.com`
    await create({ username, email })
    for (const body of [
      { username },
      { username: username.toUpperCase() },
      { username: username.replace('name', 'ｎａｍｅ') },
      { username: uniqueName(), email },
      { username: uniqueName(), email: email.toUpperCase() },
    ]) {
      const answer = await create(body)
      expect(answer.status).toBe(409)
      expect(answer.body.code).toBe('conflict')
    }
  })

  it('creates exactly one of 100 concurrent users with the same name', async () => {
    const username = uniqueName()
    const answers = await Promise.all(Array.from({ length: 100 }, () => create({ username })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(99)
    const winner = answers.find(({ status }) => status === 201)
    expect((await get(winner?.body.id)).body.username).toBe(username)
  })

  it('leaves the username free if the address is taken', async () => {
    const email = `${randomUUID()}@example.com`
    await create({ username: uniqueName(), email })
    const username = uniqueName()
    expect((await create({ username, email })).status).toBe(409)
    expect((await create({ username })).status).toBe(201)
  })

  it.each([
    ['username', { username: '' }],
    ['username', { username: ' padded' }],
    ['username', { username: 'line\nbreak' }],
    ['username', { username: 'zero\u200bwidth' }],
    ['username', { username: '\u{fdfa}'.repeat(255) }],
    ['username', { username: 'x'.repeat(256) }],
    ['username', { username: 'blank\u3164' }],
    ['username', { username: '\u2800' }],
    ['username', { username: 'va\ufe0friation' }],
    ['email', { email: 'no address' }],
    ['email', { email: `${'\u{fdfa}'.repeat(240)}@e.co` }],
    ['email', { email: `${'\u{1d160}'.repeat(120)}@a.b` }],
    ['email', { email: 'a@example.com, b@example.com' }],
    ['email', { email: 'A <a@example.com>' }],
    ['email', { email: 'a@example.com\r\nBcc: b@example.com' }],
    ['groups', { groups: [4711] }],
    ['permissions.0', { permissions: ['everything'] }],
    ['expiry', { expiry: 'tomorrow' }],
    ['language', { language: 'tlh' }],
    ['gid', { gid: 2147483648 }],
    ['shaper_rate', { shaper_rate: 1.5 }],
  ])('rejects an unusable %s', async (field, body) => {
    const answer = await create({ username: uniqueName(), ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_request')
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })

  it('allows only administrators to create administrators', async () => {
    const permissions = ['system:admin-access']
    const refused = await create({ username: uniqueName(), permissions })
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toContain('system:admin-access')
    expect((await create({ username: uniqueName(), permissions }, admin.bearer)).status).toBe(201)
  })

  it('requires users:manage, and names this permission', async () => {
    const refused = await create({ username: uniqueName() }, plain.bearer)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'permission_denied' })
    expect(refused.body.detail).toContain('users:manage')
  })
})

describe('a group', () => {
  it('grants its permissions to its members immediately', async () => {
    const group = { name: 'viewers', permissions: ['users:view'] }
    const { id } = (await service.client('POST', '/api/2/groups', { bearer: manager.bearer, body: group }))
      .body
    const created = await create({ username: uniqueName(), groups: [id, id] })
    expect(created.body).toMatchObject({
      groups: [id],
      permissions: [],
      group_permissions: ['users:view'],
      effective_permissions: ['users:view'],
    })
    const member = await addSignedIn(service, { groups: [id] })
    expect((await get(created.body.id, member.bearer)).status).toBe(200)
    const body = { permissions: [] }
    await service.client('PATCH', `/api/2/groups/${id}`, { bearer: manager.bearer, body })
    expect((await get(created.body.id, member.bearer)).status).toBe(403)
  })
})

describe('get_user', () => {
  it('responds 404 for an unknown user, 400 for an invalid id, and 403 without users:view', async () => {
    expect((await get(2147483647)).status).toBe(404)
    for (const id of ['0', '-1', '1.0', '1e3', '2147483648', '99999999999999999999', '%201', 'x', '１'])
      expect((await get(id)).body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'id' }] })
    expect((await get(plain.user.id, plain.bearer)).status).toBe(403)
  })

  it('never shows a hash or a ticket', async () => {
    await service.client('POST', '/api/2/auth/ticket', { bearer: plain.bearer })
    expect((await get(plain.user.id)).text).not.toMatch(/\$2b\$|bcrypt|ticket|hash|epoch/i)
  })
})

describe('one’s own profile', () => {
  const path = '/api/2/users/me'

  it('can be changed in its editable fields, and accepts a body as it was returned', async () => {
    const { bearer, user } = await addSignedIn(service, { full_name: 'Before' })
    const read = (await service.client('GET', path, { bearer })).body
    const body = { ...read, full_name: 'After', language: 'fr', default_page: '/start', fm_bookmarks: ['/x'] }
    const changed = await service.client('PATCH', path, { bearer, body })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...body, page_language: 'fr', display_name: 'After' })
    expect((await get(user.id)).body).toMatchObject({
      full_name: 'After',
      language: 'fr',
      default_page: '/start',
    })
  })

  it('can be left unchanged or cleared', async () => {
    const { bearer } = await addSignedIn(service, { full_name: 'Before', language: 'en' })
    expect((await service.client('PATCH', path, { bearer, body: {} })).body.full_name).toBe('Before')
    const cleared = await service.client('PATCH', path, { bearer, body: { full_name: null, language: null } })
    expect(cleared.body).toMatchObject({ full_name: null, language: null })
  })

  it('cannot be used to gain permissions', async () => {
    const { bearer, user } = await addSignedIn(service)
    const before = (await get(user.id)).body
    for (const body of [
      { permissions: ['system:admin-access'] },
      { is_enabled: false },
      { groups: [1] },
      { password: 'x' },
      { version: 7 },
      { credentialEpoch: 1 },
      { tickets: {} },
      { constructor: {} },
    ])
      expect((await service.client('PATCH', path, { bearer, body })).status).toBe(400)
    const polluting = await service.client('PATCH', path, {
      bearer,
      raw: '{"__proto__":{"permissions":["a:b"]}}',
    })
    expect(polluting.status).toBe(400)
    const ignored = {
      effective_permissions: ['system:admin-access'],
      username: 'admin',
      id: 1,
      email: 'a@b.c',
    }
    expect((await service.client('PATCH', path, { bearer, body: ignored })).status).toBe(200)
    expect((await get(user.id)).body).toEqual({ ...before, last_seen: expect.any(String) })
  })

  it('responds 200 or 409 to 10 concurrent changes', async () => {
    const { bearer } = await addSignedIn(service)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        service.client('PATCH', path, { bearer, body: { full_name: `name ${at}` } }),
      ),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const last = (await service.client('GET', path, { bearer })).body.full_name
    const written = answers.filter(({ status }) => status === 200).map(({ body }) => body.full_name)
    expect(written).toContain(last)
  })
})

describe('set_user_password', () => {
  it('rejects one’s own account, so that a stolen session cannot take it over', async () => {
    for (const self of [manager, admin]) {
      const answer = await service.client('POST', `/api/2/users/${self.user.id}/password`, {
        bearer: self.bearer,
        body: { password: 'a password of an attacker' },
      })
      expect(answer.status).toBe(403)
      expect(answer.body.detail).toContain('/api/2/users/me/password')
    }
  })

  const set = (id: number, password: string, bearer = manager.bearer) =>
    service.client('POST', `/api/2/users/${id}/password`, { bearer, body: { password } })

  it('signs in with the new password, and ends existing sessions', async () => {
    const { bearer, user } = await addSignedIn(service)
    const password = 'a password set by a manager'
    expect((await set(user.id, password)).status).toBe(204)
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect(await signIn(service, { user, password })).toMatch(/^lks_/)
  })

  it('makes the user replace the password that the caller knows, if the caller requires that', async () => {
    const { user } = await addPerson(service)
    const setWith = (body: object) =>
      service.client('POST', `/api/2/users/${user.id}/password`, { bearer: manager.bearer, body })
    const password = 'a password that a manager knows'
    const tryToSignIn = () => trySignIn(service, { user, password })
    expect((await setWith({ password, password_change_required: true })).status).toBe(204)
    expect((await tryToSignIn()).body).toMatchObject({ reason: 'password_change_required' })
    // Published clients send the password alone, which changes nothing else.
    expect((await setWith({ password })).status).toBe(204)
    expect((await tryToSignIn()).body).toMatchObject({ reason: 'password_change_required' })
    expect((await setWith({ password, password_change_required: false })).status).toBe(204)
    expect((await tryToSignIn()).status).toBe(200)
    for (const wrong of ['true', 1, null, [true]])
      expect((await setWith({ password, password_change_required: wrong })).status).toBe(400)
  })

  it('applies the password policy, and requires an existing user and users:manage', async () => {
    const { user } = await addPerson(service)
    expect((await set(user.id, 'short')).body.code).toBe('password_rejected')
    expect((await set(2147483647, 'a password that is long enough')).status).toBe(404)
    expect((await set(user.id, 'a password that is long enough', plain.bearer)).status).toBe(403)
  })

  it('requires an administrator for the account of an administrator', async () => {
    const password = 'a password that is long enough'
    expect((await set(admin.user.id, password)).status).toBe(403)
    const other = await addPerson(service, { permissions: ['system:admin-access'] })
    expect((await set(other.user.id, password, admin.bearer)).status).toBe(204)
  })
})
