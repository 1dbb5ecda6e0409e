import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { awaitMails } from '../support/await-mails.ts'
import { makeCertificate } from '../support/certificates.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/*
 * How a stolen API token of an administrator could become a session or a better account, in one step or in several. The
 * token has no scopes: it may administer ordinary users and groups.
 */

const service = await useService()
const owner = await addSignedIn(service, {
  permissions: ['system:admin-access'],
  email: `owner-${randomUUID()}@example.com`,
})

const callAs = (bearer: string, method: string, path: string, body?: object) =>
  service.client(method, `/api/2/${path}`, { bearer, body })
const bySession = (method: string, path: string, body?: object) => callAs(owner.bearer, method, path, body)
const token: string = (await bySession('POST', 'api-tokens', { name: 'stolen' })).body.token
const managers: number = (
  await bySession('POST', 'groups', { name: 'managers', permissions: ['users:manage'] })
).body.id
const certificate: string = (await makeCertificate()).pem
const byToken = (method: string, path: string, body?: object) => callAs(token, method, path, body)
const unique = (what: string) => `${what}-${randomUUID()}`
const newUser = (given: object = {}) => ({ username: unique('made'), permissions: [], groups: [], ...given })
const get = async (path: string) => (await bySession('GET', path)).body
const makeGroup = async (permissions: readonly string[], members: readonly Person[] = []) =>
  (
    await bySession('POST', 'groups', {
      name: unique('group'),
      permissions,
      members: members.map(({ user }) => ({ id: user.id })),
    })
  ).body
const expectRefused = async (attempts: readonly (readonly [string, string, object?])[]) => {
  for (const [method, path, body] of attempts) {
    const answer = await byToken(method, path, body)
    expect([answer.status, answer.body?.code], `${method} ${path} ${JSON.stringify(body)}`).toEqual([
      403,
      'permission_denied',
    ])
  }
}

describe('an API token of an administrator', () => {
  it('administers ordinary users, groups and templates', async () => {
    const group = (await byToken('POST', 'groups', { name: unique('g'), permissions: ['downloads:view'] }))
      .body
    const given = newUser({
      permissions: ['media:access'],
      groups: [group.id],
      email: `${randomUUID()}@example.com`,
    })
    const user = (await byToken('POST', 'users', given)).body
    const template = (await byToken('POST', 'user-templates', { name: unique('t'), groups: [group.id] })).body
    for (const [method, path, body, status] of [
      ['PATCH', `users/${user.id}`, { permissions: ['downloads:view'], groups: [] }, 200],
      ['PATCH', `groups/${group.id}`, { permissions: ['a:b'], members: [{ id: user.id }] }, 200],
      ['PATCH', `user-templates/${template.id}`, { permissions: ['a:b'] }, 200],
      ['POST', `users/${user.id}/password/reset`, undefined, 204],
      ['PUT', `users/${user.id}`, { ...user, full_name: 'Ann', email: `${randomUUID()}@example.com` }, 200],
      // No one confirmed the address that the token entered.
      ['POST', `users/${user.id}/password/reset`, undefined, 409],
      ['DELETE', `users/${user.id}/sessions`, undefined, 204],
      ['DELETE', `user-templates/${template.id}`, undefined, 204],
      ['DELETE', `groups/${group.id}`, undefined, 204],
      ['DELETE', `users/${user.id}`, undefined, 204],
      ['PATCH', 'users/me', { full_name: 'The owner' }, 200],
    ] as const) {
      expect((await byToken(method, path, body)).status, `${method} ${path}`).toBe(status)
      // The mailer changes the user when it makes the link.
      await awaitMails(service)
    }
  })

  it.each([
    ['an administrator', async () => addSignedIn(service, { permissions: ['system:admin-access'] })],
    [
      'an administrator by group',
      async () => {
        const person = await addSignedIn(service)
        await makeGroup(['system:admin-access'], [person])
        return person
      },
    ],
    ['a user manager', async () => addSignedIn(service, { permissions: ['users:manage'] })],
    [
      'a user manager by group',
      async () => {
        const person = await addSignedIn(service)
        await makeGroup(['users:manage', 'a:b'], [person])
        return person
      },
    ],
    ['its owner', async () => owner],
  ])('changes nothing about the account of %s', async (_, find) => {
    const { user, bearer } = await find()
    const path = `users/${user.id}`
    const plain = await makeGroup([])
    const before = await get(path)
    await expectRefused([
      ['PUT', path, { ...before, email: 'mallory@example.com' }],
      ['PUT', path, { ...before, permissions: [], groups: [] }],
      ['PATCH', path, { email: 'mallory@example.com' }],
      ['PATCH', path, { username: unique('renamed') }],
      ['PATCH', path, { is_enabled: false }],
      ['PATCH', path, { expiry: '2030-01-01T00:00:00Z' }],
      ['PATCH', path, { permissions: [] }],
      ['PATCH', path, { groups: [] }],
      ['PATCH', path, { groups: [...before.groups, plain.id] }],
      ['PATCH', path, { password_change_required: true }],
      ['PATCH', path, { allow_changing_password: false }],
      ['PATCH', `groups/${plain.id}`, { members: [{ id: user.id }] }],
      ['POST', 'groups', { name: unique('g'), members: [{ id: user.id }] }],
      ['POST', `${path}/password`, { password: 'a password of the attacker' }],
      ['POST', `${path}/password/reset`],
      ['DELETE', `${path}/totp`],
      ['DELETE', `${path}/sessions`],
      ['DELETE', path],
    ])
    expect({ ...(await get(path)), last_seen: null }).toEqual({ ...before, last_seen: null })
    expect((await callAs(bearer, 'GET', 'users/me')).status).toBe(200)
  })

  it('gives and takes no privileged permission', async () => {
    const { user } = await addPerson(service)
    const plain = await makeGroup([])
    const admins = await makeGroup(['system:admin-access'])
    const template = (await byToken('POST', 'user-templates', { name: unique('t') })).body
    for (const [permissions, group] of [
      [['system:admin-access'], admins.id],
      [['users:manage'], managers],
      [['a:b', 'users:manage', 'users:view'], managers],
    ] as const)
      await expectRefused([
        ['POST', 'users', newUser({ permissions })],
        ['POST', 'users', newUser({ groups: [group] })],
        ['POST', 'users', newUser({ groups: [plain.id, group] })],
        ['PUT', `users/${user.id}`, newUser({ permissions })],
        ['PATCH', `users/${user.id}`, { permissions }],
        ['PATCH', `users/${user.id}`, { groups: [group] }],
        ['POST', 'groups', { name: unique('g'), permissions }],
        ['POST', 'groups', { name: unique('g'), permissions, members: [{ id: user.id }] }],
        ['PATCH', `groups/${plain.id}`, { permissions }],
        ['PATCH', `groups/${group}`, { members: [{ id: user.id }] }],
        ['PUT', `groups/${group}`, { name: 'managers', members: [{ id: user.id }] }],
        ['PATCH', `groups/${group}`, { permissions: [] }],
        ['DELETE', `groups/${group}`],
        ['POST', 'user-templates', { name: unique('t'), permissions }],
        ['POST', 'user-templates', { name: unique('t'), groups: [group] }],
        ['PATCH', `user-templates/${template.id}`, { permissions }],
        ['PUT', `user-templates/${template.id}`, { name: unique('t'), groups: [group] }],
      ])
    expect((await get(`users/${user.id}`)).effective_permissions).toEqual([])
  })

  it('creates no other credential and no session', async () => {
    const { user } = await addPerson(service)
    await expectRefused([
      ['POST', 'api-tokens', { name: 'more' }],
      ['POST', 'auth/impersonation', { user: user.id }],
      ['POST', `users/${user.id}/password`, { password: 'a password of the attacker' }],
      ['POST', `users/${owner.user.id}/totp`, { key: 'GEZDGNBVGY3TQOJQ', otp: '123456' }],
      ['POST', 'users/me/password', { current_password: owner.password, password: 'of the attacker, long' }],
      ['PUT', 'system/password-policy', { min_length: 8, no_pwned: false }],
    ])
    const sessions = await get('auth/sessions')
    await expectRefused([['DELETE', `auth/sessions/${sessions[0].id}`]])
  })
})

describe('API tokens of other users', () => {
  const makeToken = async (permissions: readonly string[]) => {
    const person = await addSignedIn(service, { permissions })
    const made = (await callAs(person.bearer, 'POST', 'api-tokens', { name: 'other' })).body
    return { user: person.user.id, path: `api-tokens/${made.id}?user=${person.user.id}` }
  }

  it('are listed and deleted by the token of an administrator, except those of privileged users', async () => {
    const plain = await makeToken(['media:access'])
    expect((await byToken('GET', `api-tokens?user=${plain.user}`)).body).toHaveLength(1)
    expect((await byToken('DELETE', plain.path)).status).toBe(204)
    for (const permission of ['system:admin-access', 'users:manage'])
      await expectRefused([['DELETE', (await makeToken([permission])).path]])
  })

  it('are out of reach of a token with other scopes, and of an administrator who impersonates', async () => {
    const { user, path } = await makeToken([])
    const body = { name: 'narrow', scopes: ['api-tokens:view', 'api-tokens:manage'] }
    const narrow = (await bySession('POST', 'api-tokens', body)).body.token
    const other = await addPerson(service)
    const impersonating = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect(
      (await callAs(impersonating.bearer, 'POST', 'auth/impersonation', { user: other.user.id })).status,
    ).toBe(204)
    for (const bearer of [narrow, impersonating.bearer]) {
      expect((await callAs(bearer, 'GET', `api-tokens?user=${user}`)).status).toBe(403)
      expect((await callAs(bearer, 'DELETE', path)).status).toBe(403)
    }
  })
})

describe('a way in several steps', () => {
  it('does not lead from an ordinary user to a privileged one', async () => {
    const made = (await byToken('POST', 'users', newUser({ email: `mallory-${randomUUID()}@example.com` })))
      .body
    expect((await byToken('POST', `users/${made.id}/password/reset`)).status).toBe(204)
    const joined = (await byToken('POST', 'groups', { name: unique('g'), members: [{ id: made.id }] })).body
    await expectRefused([
      ['PATCH', `users/${made.id}`, { groups: [managers] }],
      ['PATCH', `groups/${managers}`, { members: [{ id: made.id }] }],
      ['PATCH', `groups/${joined.id}`, { permissions: ['users:manage'] }],
      ['PATCH', `groups/${joined.id}`, { permissions: ['a:b', 'system:admin-access'] }],
    ])
    expect((await get(`users/${made.id}`)).effective_permissions).toEqual([])
  })

  it('does not lead through an identity provider', async () => {
    const body = {
      entity_id: unique('urn:idp'),
      sso_url: 'https://idp.example.com/sso',
      certificate,
      auto_create_users: true,
    }
    const provider = (await bySession('POST', 'auth/saml', body)).body
    const path = `auth/saml/${provider.id}`
    const other = (await makeCertificate()).pem
    const template = (await bySession('POST', 'user-templates', { name: unique('t') })).body
    await expectRefused([
      ['POST', 'auth/saml', { ...body, entity_id: unique('urn:idp') }],
      ['PATCH', path, { certificate: other }],
      ['PUT', path, { ...provider, certificate: other }],
      ['PATCH', path, { sso_url: 'https://mallory.example.com/sso' }],
      ['PATCH', path, { entity_id: unique('urn:idp') }],
      ['PATCH', path, { user_template: template.id }],
      ['PATCH', path, { auto_create_groups: true }],
      ['PATCH', path, { auto_sync_groups: true }],
      ['PATCH', path, { metadata_url_source: 'https://mallory.example.com/metadata' }],
      ['PATCH', path, { nameid_attribute: 'mail' }],
      ['PATCH', path, { sp_certificate_key: null }],
      ['PATCH', path, { name: 'x', certificate: other }],
      ['POST', `${path}/refresh-idp-metadata`, { url: 'https://mallory.example.com/metadata' }],
      ['POST', `${path}/rotate-sp-key`, {}],
      ['DELETE', path],
    ])
    expect((await byToken('PUT', path, provider)).body).toEqual(provider)
    expect((await byToken('PATCH', path, { name: 'Renamed' })).status).toBe(200)
  })

  it('does not lead through the name of a privileged group, by which identity providers choose it', async () => {
    const before = await get(`groups/${managers}`)
    await expectRefused([
      ['PATCH', `groups/${managers}`, { name: 'everybody' }],
      ['PUT', `groups/${managers}`, { ...before, name: 'everybody' }],
      ['PATCH', `groups/${managers}`, { ldap_dn: 'cn=everybody' }],
    ])
    expect((await byToken('PUT', `groups/${managers}`, before)).status).toBe(200)
    expect(await get(`groups/${managers}`)).toEqual(before)
  })

  it('does not lead through a user of the same name as a deleted administrator', async () => {
    const { user } = await addPerson(service, { permissions: ['system:admin-access'] })
    await expectRefused([['DELETE', `users/${user.id}`]])
    expect((await byToken('POST', 'users', newUser({ username: user.username }))).status).toBe(409)
    expect((await bySession('DELETE', `users/${user.id}`)).status).toBe(204)
    const again = (await byToken('POST', 'users', newUser({ username: user.username }))).body
    expect(again).toMatchObject({ effective_permissions: [], groups: [] })
  })

  it('does not lead through the profile of the owner', async () => {
    const before = await get('users/me')
    const wanted = { ...before, email: 'mallory@example.com', effective_permissions: [], username: 'mallory' }
    expect((await byToken('PATCH', 'users/me', wanted)).status).toBeLessThan(404)
    expect((await byToken('PUT', 'users/me', wanted)).status).toBeLessThan(404)
    expect(await get('users/me')).toEqual(before)
  })

  it('does not lead through a link for the owner', async () => {
    const body = { bundles: [{ id: 1, name: 'A', root: 1, path: '/a' }], user: owner.user.id }
    const link = (await byToken('POST', 'auth/access-tokens', body)).body
    const redeem = (bearer?: string) =>
      service.client('POST', '/api/2/auth/access-tokens/redeem', {
        body: { token: link.token },
        ...(bearer === undefined ? {} : { bearer }),
      })
    for (const answer of [await redeem(), await redeem(token)]) expect(answer.status).toBeGreaterThan(400)
  })

  it('does not lead through a ticket, which no operation accepts as a credential', async () => {
    const { ticket } = (await byToken('POST', 'auth/ticket')).body
    for (const path of ['users/me', 'users', 'api-tokens'])
      expect((await callAs(ticket, 'GET', path)).status).toBe(401)
  })

  it('loses the race against an administrator who makes a group privileged', async () => {
    const { user } = await addPerson(service)
    const plain = await makeGroup([])
    const promote = () =>
      bySession('PATCH', `groups/${plain.id}`, { permissions: ['users:manage'], members: [] })
    const joining = Array.from({ length: 4 }, () =>
      byToken('PATCH', `users/${user.id}`, { groups: [plain.id] }),
    )
    const joined = byToken('PATCH', `groups/${plain.id}`, { members: [{ id: user.id }] })
    await waitFor(async () => expect((await promote()).status).toBe(200))
    for (const { status } of await Promise.all([...joining, joined]))
      expect([200, 403, 409]).toContain(status)
    expect((await get(`users/${user.id}`)).effective_permissions).not.toContain('users:manage')
  })
})

describe('an API token with the scope users:manage', () => {
  it('gives no permission beyond its scopes, and changes no account that has more', async () => {
    const body = { name: 'provisioning', scopes: ['users:manage', 'users:view', 'downloads:view'] }
    const narrow = (await bySession('POST', 'api-tokens', body)).body.token
    const sharer = await addPerson(service, { permissions: ['media:access'] })
    for (const [method, path, given, status] of [
      ['POST', 'users', newUser({ permissions: ['downloads:view'] }), 201],
      ['POST', 'users', newUser({ permissions: ['media:access'] }), 403],
      ['POST', 'users', newUser({ permissions: ['users:manage'] }), 403],
      ['PATCH', `users/${sharer.user.id}`, { full_name: 'x' }, 403],
      ['DELETE', `users/${sharer.user.id}`, undefined, 403],
      ['PATCH', `users/${owner.user.id}`, { full_name: 'x' }, 403],
    ] as const)
      expect((await callAs(narrow, method, path, given)).status, `${method} ${path}`).toBe(status)
  })
})
