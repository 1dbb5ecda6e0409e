import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { editUser, findUser } from '../../lib/store/directory/users.ts'
import {
  addLink,
  bundle,
  deleteLink,
  getLink,
  linksPath,
  postLink,
  redeem,
  statusesOf,
} from '../support/links.ts'
import { addPerson, addSignedIn, type Person, signIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let creator: Person & { readonly bearer: string }
let admin: Person & { readonly bearer: string }
beforeAll(async () => {
  service = await startService()
  creator = await addSignedIn(service, { permissions: ['media:access'] })
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
})
afterAll(() => service.close())

const newAddress = () => `guest-${randomUUID()}@example.com`
const userOf = async (id: number) =>
  (await service.client('GET', `/api/2/users/${id}`, { bearer: admin.bearer })).body
const change = async (id: number, changes: Parameters<typeof editUser>[2]) => {
  const user = await findUser(service.services.table, id)
  if (!user) throw new Error('the user is gone')
  return editUser(service.services.table, user, changes)
}

describe('a link for nobody in particular', () => {
  it('gets a guest of its own, without address, name, password, groups or permissions', async () => {
    const [one, other] = [await addLink(service, creator.bearer), await addLink(service, creator.bearer)]
    expect(one.user.id).not.toBe(other.user.id)
    expect(await userOf(one.user.id)).toMatchObject({
      is_external: true,
      email: null,
      full_name: null,
      has_password: false,
      effective_permissions: [],
      groups: [],
      expiry: null,
    })
    expect(one.user.username).not.toContain(one.token.slice(4, 20))
  })

  it('gets a guest that expires with it', async () => {
    const expires = '2031-01-02T03:04:05.678Z'
    const made = await addLink(service, creator.bearer, { expires })
    expect((await userOf(made.user.id)).expiry).toBe(expires)
  })
})

describe('a link for an address', () => {
  it('that nobody has makes a guest of that name, who is the same one the next time', async () => {
    const email = newAddress()
    const first = await addLink(service, creator.bearer, { email })
    expect(first.user).toMatchObject({ email, username: email, is_external: true })
    const second = await addLink(service, creator.bearer, { email: email.toUpperCase() })
    expect(second.user).toEqual(first.user)
    expect(second.require_login).toBe(false)
  })

  it('asked for many times at once makes one guest', async () => {
    const email = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postLink(service, creator.bearer, { email })),
    )
    expect(statusesOf(answers)).toEqual({ 201: 20 })
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  })

  it('whose spelling is another user’s name makes a guest of another name', async () => {
    const email = newAddress()
    const { user } = await addPerson(service, { username: email })
    const made = await addLink(service, creator.bearer, { email })
    expect(made.user.id).not.toBe(user.id)
    expect(made.user).toMatchObject({ email, is_external: true })
    expect(made.user.username).not.toBe(email)
  })

  it('of a disabled account is refused, as is that account by its id', async () => {
    const email = newAddress()
    const { user } = await addPerson(service, { email, isEnabled: false })
    for (const [field, given] of [
      ['email', { email }],
      ['user', { user: user.id }],
    ] as const) {
      const answer = await postLink(service, creator.bearer, given)
      expect(answer.status).toBe(400)
      expect(answer.body.errors.map((fault: { field: string }) => fault.field)).toEqual([field])
    }
  })
})

describe('a link for somebody with an account', () => {
  const accounts = {
    'an internal user': {},
    'an external user with a password': { isExternal: true },
    'an external user without one, who may sign in elsewhere': { isExternal: true, passwordHash: null },
    'a guest who was given a permission': {
      isExternal: true,
      isGuest: true as const,
      passwordHash: null,
      permissions: ['media:access'],
    },
  }

  it.each(Object.entries(accounts))('asks %s to sign in, whatever the creator says', async (_, fields) => {
    const email = newAddress()
    const { user } = await addPerson(service, { ...fields, email })
    for (const given of [{ user: user.id }, { email }, { email, require_login: false }]) {
      const made = await addLink(service, creator.bearer, given)
      expect(made).toMatchObject({ user: { id: user.id }, require_login: true })
      const answer = await redeem(service, made.token)
      expect(answer.status).toBe(401)
      expect(answer.body.code).toBe('not_authenticated')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.cookies).toEqual([])
      expect((await getLink(service, creator.bearer, made.id)).body.activity).toEqual([])
    }
  })

  it('works with the recipient’s own session and nobody else’s', async () => {
    const recipient = await addSignedIn(service)
    const { token } = await addLink(service, creator.bearer, { user: recipient.user.id, view_limit: 1 })
    for (const { bearer } of [creator, admin]) {
      const refused = await redeem(service, token, { bearer })
      expect(refused.status).toBe(403)
      expect(refused.body.code).toBe('permission_denied')
    }
    const answer = await redeem(service, token, { bearer: recipient.bearer })
    expect(answer.status).toBe(200)
    expect(answer.body.user.id).toBe(recipient.user.id)
    expect(answer.body.session_key).not.toBe(recipient.bearer)
  })

  it('doesn’t work with an API token, by impersonation, or through another link', async () => {
    const recipient = await addSignedIn(service)
    const links = await Promise.all(
      [1, 2].map(() => addLink(service, creator.bearer, { user: recipient.user.id })),
    )
    const [first, second] = links.map(({ token }) => token)
    const made = await service.client('POST', '/api/2/api-tokens', {
      bearer: recipient.bearer,
      body: { name: 'script' },
    })
    expect((await redeem(service, first, { bearer: made.body.token })).status).toBe(401)
    const impersonator = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const started = await service.client('POST', '/api/2/auth/impersonation', {
      bearer: impersonator.bearer,
      body: { user: recipient.user.id },
    })
    expect(started.status).toBe(204)
    expect((await redeem(service, first, { bearer: impersonator.bearer })).status).toBe(403)
    const { body } = await redeem(service, first, { bearer: recipient.bearer })
    expect((await redeem(service, second, { bearer: body.session_key })).status).toBe(403)
    expect((await redeem(service, second, { bearer: recipient.bearer })).status).toBe(200)
  })

  it('still asks for the login when the account has lost it', async () => {
    const { user } = await addLink(service, creator.bearer, { email: newAddress() })
    await change(user.id, { passwordHash: 'bcrypt_sha384$$2b$04$' })
    const made = await addLink(service, creator.bearer, { user: user.id })
    await change(user.id, { passwordHash: null })
    expect((await redeem(service, made.token)).status).toBe(401)
    const next = await addLink(service, creator.bearer, { user: user.id })
    expect((await redeem(service, next.token)).status).toBe(200)
  })

  it('can be asked for where a guest would do without, and then waits for the guest to get a login', async () => {
    const email = newAddress()
    const made = await addLink(service, creator.bearer, { email, require_login: true })
    expect(made.require_login).toBe(true)
    expect((await redeem(service, made.token)).status).toBe(401)
    const password = 'a password of my own'
    await service.client('POST', `/api/2/users/${made.user.id}/password`, {
      bearer: admin.bearer,
      body: { password },
    })
    const user = await findUser(service.services.table, made.user.id)
    if (!user) throw new Error('the guest is gone')
    const bearer = await signIn(service, { user, password })
    expect((await redeem(service, made.token, { bearer })).status).toBe(200)
  })
})

describe('a guest that becomes somebody', () => {
  it.each([
    ['a permission', { permissions: ['media:access'] }],
    ['an internal user', { isExternal: false }],
    ['a password', { passwordHash: 'bcrypt_sha384$$2b$04$' }],
  ])('by getting %s isn’t stood for by a link any more, nor by sessions from before', async (_, changes) => {
    const made = await addLink(service, creator.bearer, { email: newAddress() })
    const { session_key: bearer } = (await redeem(service, made.token)).body
    const ticket = (await service.client('POST', '/api/2/auth/ticket', { bearer })).body
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
    await change(made.user.id, changes)
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body: ticket })).status).toBe(404)
    expect((await redeem(service, made.token)).status).toBe(401)
    expect((await getLink(service, creator.bearer, made.id)).body.require_login).toBe(true)
  })
})

describe('a session that a link has opened', () => {
  const guestOf = async (email: string) => {
    const made = await addLink(service, creator.bearer, { email })
    return { made, bearer: (await redeem(service, made.token)).body.session_key as string }
  }

  it('shows that link alone, though its recipient was sent others', async () => {
    const email = newAddress()
    const [one, other] = [await guestOf(email), await guestOf(email)]
    const list = async (query = '') =>
      (await service.client('GET', `${linksPath}${query}`, { bearer: one.bearer })).body.map(
        ({ id }: { id: number }) => id,
      )
    expect(await list()).toEqual([one.made.id])
    expect(await list(`?user=${one.made.user.id}&ordering=-expires`)).toEqual([one.made.id])
    expect(await list(`?shared_bundles=${other.made.shared_bundles[0].id}`)).toEqual([])
    expect((await getLink(service, one.bearer, one.made.id)).status).toBe(200)
    for (const path of ['', '/permissions'])
      expect((await getLink(service, one.bearer, other.made.id, path)).status).toBe(404)
  })

  it('makes an administrator no more than anybody else', async () => {
    const boss = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const [made, other] = [
      await addLink(service, creator.bearer, { user: boss.user.id }),
      await addLink(service, creator.bearer),
    ]
    const bearer = (await redeem(service, made.token, { bearer: boss.bearer })).body.session_key
    const listed = await service.client('GET', linksPath, { bearer })
    expect(listed.body.map(({ id }: { id: number }) => id)).toEqual([made.id])
    expect((await getLink(service, bearer, other.id)).status).toBe(404)
    expect((await deleteLink(service, bearer, made.id)).status).toBe(403)
    expect((await getLink(service, boss.bearer, other.id)).status).toBe(200)
  })

  it('doesn’t tell who else came by the link, and can’t send them away', async () => {
    const { made, bearer } = await guestOf(newAddress())
    const other = (await redeem(service, made.token)).body.session_key
    expect((await getLink(service, bearer, made.id)).body.activity).toEqual([])
    const sessions = async (of: string) =>
      (await service.client('GET', '/api/2/auth/sessions', { bearer: of })).body
    const [own] = await sessions(bearer)
    expect(await sessions(bearer)).toHaveLength(1)
    expect(own).toMatchObject({ is_current: true, access_token: made.id, saml_provider: null })
    const [others] = await sessions(other)
    const ended = await service.client('DELETE', `/api/2/auth/sessions/${others.id}`, { bearer })
    expect(ended.status).toBe(404)
    expect((await service.client('GET', '/api/2/users/me', { bearer: other })).status).toBe(200)
  })

  it('can’t change the account that all who have the link go by', async () => {
    const { made, bearer } = await guestOf(newAddress())
    const renamed = await service.client('PATCH', '/api/2/users/me', {
      bearer,
      body: { full_name: 'The boss' },
    })
    expect(renamed.status).toBe(403)
    expect((await getLink(service, creator.bearer, made.id)).body.user.full_name).not.toBe('The boss')
  })

  it('has no permissions, and can’t make credentials that would outlive the link', async () => {
    const { made, bearer } = await guestOf(newAddress())
    const me = (await service.client('GET', '/api/2/users/me', { bearer })).body
    expect(me).toMatchObject({ id: made.user.id, effective_permissions: [] })
    for (const [method, path, body] of [
      ['POST', '/api/2/api-tokens', { name: 'for later' }],
      ['POST', '/api/2/users/me/password', { password: 'mine from now on', current_password: 'none' }],
      ['POST', `/api/2/users/${made.user.id}/totp`, { key: 'GEZDGNBVGY3TQOJQ', otp: '123456' }],
      ['POST', linksPath, { bundles: [bundle()] }],
      ['DELETE', `${linksPath}/${made.id}`, undefined],
      ['GET', '/api/2/users', undefined],
    ] as const) {
      const answer = await service.client(method, path, { bearer, ...(body ? { body } : {}) })
      expect({ path, status: answer.status }).toEqual({ path, status: 403 })
    }
  })
})
