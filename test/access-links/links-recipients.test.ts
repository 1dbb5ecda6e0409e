import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
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
import { newAddress } from '../support/mailed-links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
const viewer = await addSignedIn(service, { permissions: ['media:access', 'users:view'] })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const userOf = async (id: number) =>
  (await service.client('GET', `/api/2/users/${id}`, { bearer: admin.bearer })).body
const editById = async (id: number, changes: Parameters<typeof editUser>[2]) => {
  const user = await findUser(service.services.table, id)
  if (!user) throw new Error('the user was not found')
  return editUser(service.services.table, user, changes)
}

describe('a link without a recipient', () => {
  it('creates a new guest without address, name, password, groups, or permissions', async () => {
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

  it('creates a guest that expires with the link', async () => {
    const expires = '2031-01-02T03:04:05.678Z'
    const created = await addLink(service, creator.bearer, { expires })
    expect((await userOf(created.user.id)).expiry).toBe(expires)
  })
})

describe('a link for an email address', () => {
  it('creates a guest who is shown by their address, and reuses this guest for the next link', async () => {
    const email = newAddress()
    const first = await addLink(service, creator.bearer, { email })
    expect(first.user).toMatchObject({ email, display_name: email, is_external: true })
    expect(first.user.username).toMatch(/^guest-[0-9a-f]{18}$/)
    const second = await addLink(service, creator.bearer, { email: email.toUpperCase() })
    expect(second.user).toEqual(first.user)
    expect(second.require_login).toBe(false)
  })

  it('creates exactly one guest for 20 concurrent requests', async () => {
    const email = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postLink(service, creator.bearer, { email })),
    )
    expect(statusesOf(answers)).toEqual({ 201: 20 })
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  })

  it('creates a guest with another name if the address is the username of another user', async () => {
    const email = newAddress()
    const { user } = await addPerson(service, { username: email })
    const created = await addLink(service, creator.bearer, { email })
    expect(created.user.id).not.toBe(user.id)
    expect(created.user).toMatchObject({ email, is_external: true })
    expect(created.user.username).not.toBe(email)
  })

  it('is rejected for a disabled account, by address and by user id', async () => {
    const email = newAddress()
    const { user } = await addPerson(service, { email, is_enabled: false })
    for (const [field, given] of [
      ['email', { email }],
      ['user', { user: user.id }],
    ] as const) {
      const answer = await postLink(service, viewer.bearer, given)
      expect(answer.status).toBe(400)
      expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field])
    }
  })
})

describe('a link for a user with an account', () => {
  const accounts = {
    'an internal user': {},
    'an external user with a password': { is_external: true },
    'an external user without a password': { is_external: true, passwordHash: null },
    'a guest with a permission': {
      is_external: true,
      isGuest: true as const,
      passwordHash: null,
      permissions: ['media:access'],
    },
  }

  it.each(Object.entries(accounts))(
    'requires sign-in of %s, even if the creator does not ask for it',
    async (_, fields) => {
      const email = newAddress()
      const { user } = await addPerson(service, { ...fields, email })
      for (const given of [{ user: user.id }, { email }, { email, require_login: false }]) {
        const created = await addLink(service, viewer.bearer, given)
        expect(created).toMatchObject({ user: { id: user.id }, require_login: true })
        const answer = await redeem(service, created.token)
        expect(answer.status).toBe(401)
        expect(answer.body.code).toBe('not_authenticated')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
        expect(answer.cookies).toEqual([])
        expect((await getLink(service, viewer.bearer, created.id)).body.activity).toEqual([])
      }
    },
  )

  it('works only with a session of its recipient', async () => {
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

  it('does not work with an API token, through impersonation, or with a session from another link', async () => {
    const recipient = await addSignedIn(service)
    const links = await Promise.all(
      [1, 2].map(() => addLink(service, creator.bearer, { user: recipient.user.id })),
    )
    const [first, second] = links.map(({ token }) => token)
    const created = await service.client('POST', '/api/2/api-tokens', {
      bearer: recipient.bearer,
      body: { name: 'script' },
    })
    expect((await redeem(service, first, { bearer: created.body.token })).status).toBe(401)
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

  it('still requires sign-in after the account has become external', async () => {
    const { user } = await addLink(service, creator.bearer, { email: newAddress() })
    await editById(user.id, { is_external: false })
    const created = await addLink(service, creator.bearer, { user: user.id })
    await editById(user.id, { is_external: true })
    expect((await redeem(service, created.token)).status).toBe(401)
    const next = await addLink(service, creator.bearer, { user: user.id })
    expect((await redeem(service, next.token)).status).toBe(200)
  })

  it('can require sign-in of a guest, and is opened by the account that replaces the guest', async () => {
    const email = newAddress()
    const created = await addLink(service, creator.bearer, { email, require_login: true })
    expect(created.require_login).toBe(true)
    expect((await redeem(service, created.token)).status).toBe(401)
    const { bearer } = await addSignedIn(service, { email })
    expect((await redeem(service, created.token, { bearer })).status).toBe(200)
  })
})

describe('a guest account', () => {
  it.each([
    ['a permission', { permissions: ['media:access'] }],
    ['an internal user', { is_external: false }],
  ])(
    'cannot be used through a link after it gets %s, and its older sessions and tickets end',
    async (_, changes) => {
      const created = await addLink(service, creator.bearer, { email: newAddress() })
      const { session_key: bearer } = (await redeem(service, created.token)).body
      const ticket = (await service.client('POST', '/api/2/auth/ticket', { bearer })).body
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
      await editById(created.user.id, changes)
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
      expect((await service.client('POST', '/api/2/auth/ticket/check', { body: ticket })).status).toBe(404)
      expect((await redeem(service, created.token)).status).toBe(401)
      expect((await getLink(service, creator.bearer, created.id)).body.require_login).toBe(true)
    },
  )
})

describe('a session that an access link opened', () => {
  const guestOf = async (email: string) => {
    const created = await addLink(service, creator.bearer, { email })
    return { created, bearer: (await redeem(service, created.token)).body.session_key as string }
  }

  it('shows only that link, not other links of its recipient', async () => {
    const email = newAddress()
    const [one, other] = [await guestOf(email), await guestOf(email)]
    const list = async (query = '') =>
      (await service.client('GET', `${linksPath}${query}`, { bearer: one.bearer })).body.map(
        ({ id }: { id: number }) => id,
      )
    expect(await list()).toEqual([one.created.id])
    expect(await list(`?user=${one.created.user.id}&ordering=-expires`)).toEqual([one.created.id])
    expect(await list(`?shared_bundles=${other.created.shared_bundles[0].id}`)).toEqual([])
    expect((await getLink(service, one.bearer, one.created.id)).status).toBe(200)
    for (const path of ['', '/permissions'])
      expect((await getLink(service, one.bearer, other.created.id, path)).status).toBe(404)
  })

  it('has no administrator permissions, even if its recipient is an administrator', async () => {
    const administrator = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const [created, other] = [
      await addLink(service, creator.bearer, { user: administrator.user.id }),
      await addLink(service, creator.bearer),
    ]
    const bearer = (await redeem(service, created.token, { bearer: administrator.bearer })).body.session_key
    const listed = await service.client('GET', linksPath, { bearer })
    expect(listed.body.map(({ id }: { id: number }) => id)).toEqual([created.id])
    expect((await getLink(service, bearer, other.id)).status).toBe(404)
    expect((await deleteLink(service, bearer, created.id)).status).toBe(403)
    expect((await getLink(service, administrator.bearer, other.id)).status).toBe(200)
  })

  it('neither sees nor ends other sessions of the same link', async () => {
    const { created, bearer } = await guestOf(newAddress())
    const other = (await redeem(service, created.token)).body.session_key
    expect((await getLink(service, bearer, created.id)).body.activity).toEqual([])
    const sessionsOf = async (credential: string) =>
      (await service.client('GET', '/api/2/auth/sessions', { bearer: credential })).body
    const [own] = await sessionsOf(bearer)
    expect(await sessionsOf(bearer)).toHaveLength(1)
    expect(own).toMatchObject({ is_current: true, access_token: created.id, saml_provider: null })
    const [others] = await sessionsOf(other)
    const ended = await service.client('DELETE', `/api/2/auth/sessions/${others.id}`, { bearer })
    expect(ended.status).toBe(404)
    expect((await service.client('GET', '/api/2/users/me', { bearer: other })).status).toBe(200)
  })

  it('cannot change the account that everyone with the link uses', async () => {
    const { created, bearer } = await guestOf(newAddress())
    for (const method of ['PATCH', 'PUT']) {
      const body = { full_name: 'Somebody Else' }
      expect((await service.client(method, '/api/2/users/me', { bearer, body })).status).toBe(403)
    }
    expect((await getLink(service, creator.bearer, created.id)).body.user.full_name).not.toBe('Somebody Else')
  })

  it('has no permissions, and cannot create credentials that would outlive the link', async () => {
    const { created, bearer } = await guestOf(newAddress())
    const me = (await service.client('GET', '/api/2/users/me', { bearer })).body
    expect(me).toMatchObject({ id: created.user.id, effective_permissions: [] })
    for (const [method, path, body] of [
      ['POST', '/api/2/api-tokens', { name: 'for later' }],
      ['POST', '/api/2/users/me/password', { password: 'a new long password', current_password: 'none' }],
      ['POST', `/api/2/users/${created.user.id}/totp`, { key: 'GEZDGNBVGY3TQOJQ', otp: '123456' }],
      ['POST', linksPath, { bundles: [bundle()] }],
      ['DELETE', `${linksPath}/${created.id}`, undefined],
      ['GET', '/api/2/users', undefined],
    ] as const) {
      const answer = await service.client(method, path, { bearer, body })
      expect({ path, status: answer.status }).toEqual({ path, status: 403 })
    }
  })
})
