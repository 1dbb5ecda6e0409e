import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { awaitMails } from '../support/await-mails.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { acceptInvitation, createInvited, findInvitation } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * A user manager, or a thief with their session, decides how someone signs in, and waits until the account gets rights
 * that the manager lacks.
 */

const service = await useService({
  RATE_LIMITS:
    'emailConfirmationsPerRecipient=50/3600,invitationsPerInviter=50/86400,accountFailures=50/600,addressFailures=500/600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })

const known = 'violet tractor under nine moons'
const fresh = 'orange kettle beside seven rivers'
const call = (bearer: string | undefined, method: string, path: string, body?: object): Promise<Answer> =>
  service.client(method, `/api/2/${path}`, { ...(bearer ? { bearer } : {}), body })
const expectDone = async (request: Promise<Answer>): Promise<JsonValue> => {
  const answer = await request
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const signIn = ({ username }: JsonValue, password = known) =>
  call(undefined, 'POST', 'auth/login', { username, password })
const newMailbox = () => `${randomUUID()}@example.com`
/** Creates a user as the manager. */
const create = (fields: object = {}, by = manager.bearer) =>
  expectDone(
    call(by, 'POST', 'users', { username: `made-${randomUUID()}`, permissions: [], groups: [], ...fields }),
  )
const setPassword = ({ id }: JsonValue, by = manager.bearer, password = known) =>
  expectDone(call(by, 'POST', `users/${id}/password`, { password }))
const createKnown = async (fields: object = {}) => {
  const user = await create(fields)
  await setPassword(user)
  return user
}
const give = ({ id }: JsonValue, permissions: readonly string[], by = admin.bearer) =>
  expectDone(call(by, 'PATCH', `users/${id}`, { permissions }))
const addGroup = (fields: object) =>
  expectDone(call(admin.bearer, 'POST', 'groups', { name: `group-${randomUUID()}`, ...fields }))
const confirm = async (email: string, bearer?: string) =>
  expectDone(
    call(bearer, 'POST', 'auth/confirm-email', {
      token: await readMailedToken(service, email, 'confirm'),
    }),
  )
const requestReset = async ({ username }: JsonValue) => {
  await expectDone(call(undefined, 'POST', 'auth/reset-password/request', { username }))
  await awaitMails(service)
}
const listResets = (email: string) =>
  service.mailbox.mailsTo(email).filter(({ text }) => text.includes('/reset#token='))
const readUser = ({ id }: JsonValue) => expectDone(call(admin.bearer, 'GET', `users/${id}`))

describe('a password that a user manager set', () => {
  it.each([
    [['system:admin-access']],
    [['billing:refund']],
    [['media:access', 'users:manage', 'users:view']],
  ])('does not open the account after it got %s', async (permissions) => {
    const user = await createKnown()
    expect((await signIn(user)).status).toBe(200)
    expect(await give(user, permissions)).toMatchObject({ permissions, has_password: false })
    const refused = await signIn(user)
    expect([refused.status, refused.body.reason]).toEqual([401, 'invalid_credentials'])
  })

  it('stays for rights that the manager holds', async () => {
    const user = await createKnown()
    const [session, held] = [(await signIn(user)).body.session_key, ['users:manage', 'users:view']]
    expect(await give(user, held)).toMatchObject({ permissions: held, has_password: true })
    expect((await call(session, 'GET', 'users/me')).status).toBe(200)
    expect((await signIn(user)).status).toBe(200)
  })

  it('ends with everything that was added with it', async () => {
    const user = await createKnown()
    const session = (await signIn(user)).body.session_key
    const { token } = await expectDone(call(session, 'POST', 'api-tokens', { name: 'kept' }))
    await give(user, ['billing:refund'])
    for (const bearer of [session, token]) expect((await call(bearer, 'GET', 'users/me')).status).toBe(401)
    expect(await expectDone(call(admin.bearer, 'GET', `api-tokens?user=${user.id}`))).toEqual([])
  })

  it('is not made the own one by changing it', async () => {
    const user = await createKnown()
    const session = (await signIn(user)).body.session_key
    const body = { password: fresh, current_password: known }
    await expectDone(call(session, 'POST', 'users/me/password', body))
    await give(user, ['system:admin-access'])
    expect((await signIn(user, fresh)).status).toBe(401)
  })

  it('never opens an account with more rights, also if it is set at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const user = await create()
      await Promise.all([
        call(manager.bearer, 'POST', `users/${user.id}/password`, { password: known }),
        call(admin.bearer, 'PATCH', `users/${user.id}`, { permissions: ['billing:refund'] }),
      ])
      const { status, body } = await signIn(user)
      if (status === 200) expect(body.user.effective_permissions).toEqual([])
    }
  })

  it('is replaced by a link to the address, if that was not set by the manager', async () => {
    const email = newMailbox()
    const user = await create({ email }, admin.bearer)
    await setPassword(user)
    expect(await give(user, ['billing:refund'])).toMatchObject({ email_verified: true, has_password: false })
    const token = await readMailedToken(service, email, 'reset')
    await expectDone(call(undefined, 'POST', 'auth/reset-password', { token, password: fresh }))
    expect((await signIn(user, fresh)).body.user.effective_permissions).toEqual(['billing:refund'])
  })

  it('gives way to one of the administrator, which is not limited', async () => {
    const user = await createKnown()
    await give(user, ['system:admin-access'])
    await setPassword(user, admin.bearer, fresh)
    const { body } = await signIn(user, fresh)
    expect(body.user.effective_permissions).toEqual(['system:admin-access'])
    expect((await call(body.session_key, 'GET', 'oidc-clients')).status).toBe(200)
  })
})

describe('an address that a user manager set', () => {
  it('gets no reset link after the account got more rights', async () => {
    const email = newMailbox()
    const user = await create({ email })
    await confirm(email)
    await requestReset(user)
    expect(listResets(email)).toHaveLength(1)
    expect(await give(user, ['system:admin-access'])).toMatchObject({ email, email_verified: false })
    await requestReset(user)
    expect(listResets(email)).toHaveLength(1)
  })

  it('ends a reset link that was sent before', async () => {
    const email = newMailbox()
    const user = await create({ email })
    await confirm(email)
    await requestReset(user)
    const token = await readMailedToken(service, email, 'reset')
    await give(user, ['billing:refund'])
    const { status, body } = await call(undefined, 'POST', 'auth/reset-password', { token, password: fresh })
    expect([status, body.code]).toEqual([400, 'invalid_token'])
  })

  it('is in question also if it was chosen with a password of the manager', async () => {
    const [own, thief] = [newMailbox(), newMailbox()]
    const user = await create({ email: own }, admin.bearer)
    await setPassword(user)
    const session = (await signIn(user)).body.session_key
    await expectDone(call(session, 'POST', 'users/me/email', { email: thief }))
    await confirm(thief, session)
    expect(await give(user, ['billing:refund'])).toMatchObject({ email: thief, email_verified: false })
    await requestReset(user)
    expect(listResets(thief)).toEqual([])
  })

  it('counts again after an administrator entered it', async () => {
    const [claimed, vouched] = [newMailbox(), newMailbox()]
    const user = await create({ email: claimed })
    await give(user, ['billing:refund'])
    await expectDone(call(admin.bearer, 'PATCH', `users/${user.id}`, { email: vouched }))
    await requestReset(user)
    const token = await readMailedToken(service, vouched, 'reset')
    await expectDone(call(undefined, 'POST', 'auth/reset-password', { token, password: fresh }))
    expect((await signIn(user, fresh)).body.user.effective_permissions).toEqual(['billing:refund'])
  })
})

describe('an open invitation of a user manager', () => {
  const ways: Readonly<Record<string, (user: JsonValue) => Promise<unknown>>> = {
    directly: (user) => give(user, ['billing:refund', 'media:access']),
    'by joining a group': async (user) => {
      const { id } = await addGroup({ permissions: ['billing:refund'] })
      await expectDone(call(admin.bearer, 'PATCH', `groups/${id}`, { members: [{ id: user.id }] }))
    },
    'by a group that is created with it': (user) =>
      addGroup({ permissions: ['system:admin-access'], members: [{ id: user.id }] }),
    'by its group, which got the right later': async (user) => {
      const { id } = await addGroup({ members: [{ id: user.id }] })
      await expectDone(call(admin.bearer, 'PATCH', `groups/${id}`, { permissions: ['billing:refund'] }))
    },
  }

  it.each(Object.entries(ways))('does not open an account that got more rights %s', async (_, promote) => {
    const { user, token } = await createInvited(service, manager.bearer)
    expect((await findInvitation(service, token)).status).toBe(200)
    await promote(user)
    const { status, body } = await acceptInvitation(service, token, known)
    expect([status, body.code]).toEqual([400, 'invalid_token'])
  })

  it('leads to an account that starts anew with more rights', async () => {
    const { user, token } = await createInvited(service, manager.bearer)
    const session = (await acceptInvitation(service, token, known)).body.session_key
    await give(user, ['billing:refund'])
    expect((await signIn(user)).status).toBe(401)
    expect((await call(session, 'GET', 'users/me')).status).toBe(401)
  })
})

describe('a right of a group that a user manager lacks', () => {
  const ways: Readonly<Record<string, (user: JsonValue) => Promise<unknown>>> = {
    'joins it': async (user) => {
      const { id } = await addGroup({ permissions: ['system:admin-access'] })
      await expectDone(call(admin.bearer, 'PATCH', `groups/${id}`, { members: [{ id: user.id }] }))
    },
    'is in it when it gets the right': async (user) => {
      const { id } = await addGroup({ members: [{ id: user.id }] })
      await expectDone(call(admin.bearer, 'PATCH', `groups/${id}`, { permissions: ['system:admin-access'] }))
    },
  }

  it.each(Object.entries(ways))(
    'has no effect for an account that they can open and that %s',
    async (_, join) => {
      const user = await createKnown()
      const before = (await signIn(user)).body.session_key
      const { token } = await expectDone(call(before, 'POST', 'api-tokens', { name: 'kept' }))
      await join(user)
      const after = (await signIn(user)).body
      expect(after.user.effective_permissions).toEqual([])
      for (const bearer of [before, token, after.session_key]) {
        expect((await call(bearer, 'GET', 'oidc-clients')).status).toBe(403)
        expect((await call(bearer, 'GET', 'users/me')).body.effective_permissions).toEqual([])
      }
      const { ticket } = await expectDone(call(after.session_key, 'POST', 'auth/ticket'))
      const checked = await expectDone(call(undefined, 'POST', 'auth/ticket/check', { ticket }))
      expect([checked.effective_permissions, checked.group_permissions]).toEqual([[], []])
      expect(await readUser(user)).toMatchObject({ withheld_permissions: ['system:admin-access'] })
      // The account is out of reach of the manager from then on.
      expect(
        (await call(manager.bearer, 'POST', `users/${user.id}/password`, { password: fresh })).status,
      ).toBe(403)

      await setPassword(user, admin.bearer, fresh)
      for (const bearer of [before, token, after.session_key])
        expect((await call(bearer, 'GET', 'users/me')).status).toBe(401)
      expect(await readUser(user)).not.toHaveProperty('withheld_permissions')
      const own = (await signIn(user, fresh)).body
      expect(own.user.effective_permissions).toEqual(['system:admin-access'])
      expect((await call(own.session_key, 'GET', 'oidc-clients')).status).toBe(200)
    },
  )

  it('starts the account anew if an administrator puts it into the group', async () => {
    const user = await createKnown()
    const { id } = await addGroup({ permissions: ['billing:refund'] })
    await expectDone(call(admin.bearer, 'PATCH', `users/${user.id}`, { groups: [id] }))
    expect((await signIn(user)).status).toBe(401)
    expect(await readUser(user)).toMatchObject({ effective_permissions: ['billing:refund'] })
  })

  it('shares no links', async () => {
    const user = await createKnown()
    await addGroup({ permissions: ['media:access'], members: [{ id: user.id }] })
    const { session_key: session } = (await signIn(user)).body
    const body = { bundles: [{ id: 1, name: 'Holiday', root: 1, path: '/holiday' }] }
    expect((await call(session, 'POST', 'auth/access-tokens', body)).status).toBe(403)
  })
})

describe('an API token of an administrator', () => {
  let token: string
  beforeAll(async () => {
    token = (await expectDone(call(admin.bearer, 'POST', 'api-tokens', { name: 'stolen' }))).token
  })

  it('leaves an address that it changes unverified, so that no reset link goes there', async () => {
    const [own, thief] = [newMailbox(), newMailbox()]
    const { user } = await addPerson(service, { email: own, permissions: ['billing:refund'] })
    const changed = await expectDone(call(token, 'PATCH', `users/${user.id}`, { email: thief }))
    expect(changed).toMatchObject({ email: thief, email_verified: false })
    await requestReset(user)
    expect(listResets(thief)).toEqual([])
    expect(service.mailbox.mailsTo(own).map(({ subject }) => subject)).toContain(
      'Your email address was changed – Latchkey',
    )
  })

  it('does not keep an account that becomes privileged later', async () => {
    const email = newMailbox()
    const user = await create({ email, permissions: ['billing:refund'] }, token)
    expect(user).toMatchObject({ email_verified: true })
    await requestReset(user)
    const reset = await readMailedToken(service, email, 'reset')
    await expectDone(call(undefined, 'POST', 'auth/reset-password', { token: reset, password: known }))
    expect(await give(user, ['users:manage'])).toMatchObject({ email_verified: false, has_password: false })
    expect((await signIn(user)).status).toBe(401)
  })
})

describe('somebody with a role in an organization', () => {
  /** Adds a member. Returns them with a change of the organization that only an owner may make. */
  const addMember = async (role: string) => {
    const person = await addSignedIn(service, { email: newMailbox() })
    const slug = `org-${randomUUID().replaceAll(/[01]/g, '2')}`
    const { id } = await expectDone(call(admin.bearer, 'POST', 'organizations', { name: 'Acme', slug }))
    const member = { user: person.user.id, roles: [role] }
    await expectDone(call(admin.bearer, 'POST', `organizations/${id}/members`, member))
    const change = async () =>
      (await call(person.bearer, 'PATCH', `organizations/${id}`, { name: 'Changed' })).status
    return { person, change }
  }

  it.each([
    ['POST', '/password', { password: known }],
    ['PATCH', '', { email: newMailbox() }],
    ['POST', '/password/reset', undefined],
    ['GET', '/sessions', undefined],
    ['DELETE', '/sessions', undefined],
    ['DELETE', '/passkeys/1', undefined],
    ['DELETE', '/totp', undefined],
    ['DELETE', '', undefined],
  ])('is out of reach of who manages users alone: %s users/{id}%s', async (method, path, body) => {
    const { person, change } = await addMember('owner')
    const refused = await call(manager.bearer, method, `users/${person.user.id}${path}`, body)
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      expect.stringContaining('Only a holder of `organizations:manage`'),
    ])
    expect(await change()).toBe(200)
  })

  it('keeps the limit that guesses of their password reached', async () => {
    const { person } = await addMember('owner')
    const readWaits = () => call(admin.bearer, 'GET', `rate-limited?user=${person.user.id}`)
    // On a slow machine, a wait of one second can end before it is read. The next guess makes a longer one.
    let wait: JsonValue
    while (!wait) {
      await signIn(person.user, fresh)
      wait = (await readWaits()).body[0]
    }
    expect((await call(manager.bearer, 'DELETE', `rate-limited/${wait.key}`)).status).toBe(403)
  })

  it('is refused for whom a manager chose a password before, until a holder chooses another one', async () => {
    const user = await createKnown()
    const slug = `org-${randomUUID().replaceAll(/[01]/g, '2')}`
    const { id } = await expectDone(call(admin.bearer, 'POST', 'organizations', { name: 'Acme', slug }))
    const owner = { user: user.id, roles: ['owner'] }
    const give = () => call(admin.bearer, 'POST', `organizations/${id}/members`, owner)
    const change = async (session: string) =>
      (await call(session, 'PATCH', `organizations/${id}`, { name: 'Changed' })).status
    const stolen = (await signIn(user)).body.session_key
    expect((await give()).body.reason).toBe('roles_limited')
    expect(await change(stolen)).toBe(404)
    await setPassword(user, admin.bearer, fresh)
    expect((await signIn(user)).status).toBe(401)
    await expectDone(give())
    expect(await change(stolen)).toBe(401)
    expect(await change((await signIn(user, fresh)).body.session_key)).toBe(200)
  })

  it('that allows nothing is in reach', async () => {
    const { person } = await addMember('member')
    await setPassword(person.user)
  })
})
