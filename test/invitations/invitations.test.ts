import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import {
  acceptInvitation,
  createInvited,
  findInvitation,
  invite,
  readInvitationToken,
} from '../support/invitations.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, {
  permissions: ['system:admin-access'],
  full_name: 'Grace Hopper',
  email: 'grace@example.com',
})
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
afterEach(() => vi.useRealTimers())

const password = 'violet tractor under nine moons'
const getUser = async (id: number) =>
  (await service.client('GET', `/api/2/users/${id}`, { bearer: admin.bearer })).body
const readEvents = async (userId: number): Promise<readonly string[]> =>
  (await service.client('GET', `/api/2/auth/audit-events?user=${userId}`, { bearer: admin.bearer })).body.map(
    ({ event }: { event: string }) => event,
  )
const revoke = (userId: number, bearer = admin.bearer) =>
  service.client('DELETE', `/api/2/users/${userId}/invite`, { bearer })
const newUser = () => ({
  username: `invited-${randomUUID()}`,
  email: `${randomUUID()}@example.com`,
  permissions: [],
  groups: [],
})
const create = (fields: object, bearer = admin.bearer) =>
  service.client('POST', '/api/2/users', { bearer, body: { ...newUser(), ...fields } })

describe('an invitation', () => {
  it('is sent when a user is created, and names the inviter but no secret', async () => {
    const { user, token } = await createInvited(service, admin.bearer)
    expect(user.invitation).toEqual({
      state: 'pending',
      sent_at: null,
      expires_at: expect.any(String),
      invited_by: admin.user.id,
    })
    await vi.waitFor(async () =>
      expect((await getUser(user.id)).invitation.sent_at).toEqual(expect.any(String)),
    )
    const mail = await service.mailbox.mailTo(user.email)
    expect(mail.text).toContain('“Grace Hopper” (“grace@example.com”) invited you')
    expect(mail.text).toContain(`${service.url}/invite#token=lki_`)
    expect(mail.text).toContain('7 days')
    const shown = await getUser(user.id)
    expect(shown.invitation.state).toBe('pending')
    expect(JSON.stringify(shown)).not.toContain(token)
    const stored = await findUser(service.services.table, user.id)
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  it('shows who is invited and how they can accept, and stays valid however often it is shown', async () => {
    const { user, token } = await createInvited(service, admin.bearer, { full_name: 'Katherine Johnson' })
    const answers = await Promise.all(Array.from({ length: 3 }, () => findInvitation(service, token)))
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          username: user.username,
          full_name: 'Katherine Johnson',
          email: user.email,
          is_sign_up: false,
          invited_by: 'Grace Hopper',
          expires_at: expect.any(String),
          allows_password: true,
          password_policy: {
            rules: [],
            min_length: 12,
            min_entropy_bits: null,
            regex: null,
            no_pwned: true,
          },
          allows_passkey: true,
          providers: [],
        },
      })
    expect((await acceptInvitation(service, token, password)).status).toBe(200)
  })

  it('sets the first password, confirms the address, and signs in, once', async () => {
    const { user, token } = await createInvited(service, manager.bearer)
    expect(user.email_verified).toBe(false)
    const accepted = await acceptInvitation(service, token, password)
    expect(accepted.status).toBe(200)
    expect(accepted.body.user).toMatchObject({ id: user.id, has_password: true, email_verified: true })
    expect(accepted.headers.get('set-cookie')).toContain(accepted.body.session_key)
    const me = await service.client('GET', '/api/2/users/me', { bearer: accepted.body.session_key })
    expect(me.body).toMatchObject({ id: user.id, email_verified: true, has_password: true })
    const login = { username: user.username, password }
    expect((await service.client('POST', '/api/2/auth/login', { body: login })).status).toBe(200)
    expect((await acceptInvitation(service, token, 'another password of mine')).body.code).toBe(
      'invalid_token',
    )
    expect((await findInvitation(service, token)).body.code).toBe('invalid_token')
    expect((await getUser(user.id)).invitation.state).toBe('accepted')
    expect(await readEvents(user.id)).toEqual(
      expect.arrayContaining([
        'user.invited',
        'invitation.link_made',
        'invitation.sent',
        'invitation.accepted',
      ]),
    )
  })

  it('sends no second email that only confirms the address', async () => {
    const { user } = await createInvited(service, manager.bearer)
    const { user: other } = await createInvited(service, manager.bearer)
    expect(service.mailbox.mailsTo(user.email)).toHaveLength(1)
    expect(other.id).not.toBe(user.id)
  })

  it('stays valid after a password is rejected, and says what the password lacks', async () => {
    const { token } = await createInvited(service, admin.bearer)
    const refused = await acceptInvitation(service, token, 'short')
    expect(refused.body).toMatchObject({ code: 'password_rejected', errors: [{ field: 'password' }] })
    expect((await acceptInvitation(service, token, password)).status).toBe(200)
  })

  it('is replaced by a newer one, whose link alone works', async () => {
    const { user, token } = await createInvited(service, admin.bearer)
    const again = await invite(service, admin.bearer, user.id)
    expect(again).toMatchObject({ status: 200, body: { state: 'pending', invited_by: admin.user.id } })
    const newer = await readInvitationToken(service, user.email, token)
    expect((await findInvitation(service, token)).status).toBe(400)
    expect((await findInvitation(service, newer)).status).toBe(200)
  })

  it('ends when it is revoked, and can be sent again', async () => {
    const { user, token } = await createInvited(service, admin.bearer)
    expect((await revoke(user.id)).status).toBe(204)
    expect((await revoke(user.id)).status).toBe(404)
    expect((await acceptInvitation(service, token, password)).body.code).toBe('invalid_token')
    expect((await getUser(user.id)).invitation).toBeNull()
    expect((await invite(service, admin.bearer, user.id)).status).toBe(200)
  })

  it('expires after seven days, which is shown', async () => {
    const { user, token } = await createInvited(service, admin.bearer)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 24 * 60 * 60_000 })
    const session = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect((await acceptInvitation(service, token, password)).body.code).toBe('invalid_token')
    const shown = await service.client('GET', `/api/2/users/${user.id}`, { bearer: session.bearer })
    expect(shown.body.invitation.state).toBe('expired')
  })

  it.each([
    ['a new address', { email: 'other-address@example.com' }],
    ['a disabled account', { is_enabled: false }],
    ['an account that expired', { expiry: '2020-01-01T00:00:00Z' }],
  ])('ends with %s, also after the change is undone', async (_, change) => {
    const { user, token } = await createInvited(service, admin.bearer)
    const patch = (body: object) =>
      service.client('PATCH', `/api/2/users/${user.id}`, { bearer: admin.bearer, body })
    expect((await patch(change)).body.invitation).toBeNull()
    await patch({ email: user.email, is_enabled: true, expiry: null })
    expect((await findInvitation(service, token)).body.code).toBe('invalid_token')
  })

  it('ends with a password that is set another way, and with a deleted account', async () => {
    const [first, second] = [
      await createInvited(service, admin.bearer),
      await createInvited(service, admin.bearer),
    ]
    await service.client('POST', `/api/2/users/${first.user.id}/password`, {
      bearer: admin.bearer,
      body: { password },
    })
    await service.client('DELETE', `/api/2/users/${second.user.id}`, { bearer: admin.bearer })
    for (const { token } of [first, second])
      expect((await findInvitation(service, token)).body.code).toBe('invalid_token')
  })

  it('is not for users who can sign in, cannot get mail, or are not active', async () => {
    const signedUp = await addPerson(service, { email: `${randomUUID()}@example.com` })
    expect((await invite(service, admin.bearer, signedUp.user.id)).body).toMatchObject({
      code: 'conflict',
      reason: 'already_set_up',
    })
    for (const fields of [{ email: null }, { is_enabled: false }]) {
      const { body } = await create(fields)
      expect((await invite(service, admin.bearer, body.id)).body).toMatchObject({
        code: 'conflict',
        reason: 'cannot_be_invited',
      })
      const answer = await create({ ...fields, invite: true })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    }
  })

  it('of an account whose password is forbidden cannot be accepted with one', async () => {
    const { token } = await createInvited(service, admin.bearer, { allow_changing_password: false })
    expect((await findInvitation(service, token)).body).toMatchObject({
      allows_password: false,
      allows_passkey: false,
    })
    expect((await acceptInvitation(service, token, password)).body.code).toBe('permission_denied')
  })

  it('is not sent when a user is created without asking for it', async () => {
    const { body } = await create({})
    expect(body.invitation).toBeNull()
    expect(await readEvents(body.id)).not.toContain('user.invited')
  })

  it('is listed with each user, and ignored in a body that is sent back', async () => {
    const { user } = await createInvited(service, admin.bearer)
    const { body } = await service.client('GET', `/api/2/users?username=${user.username}`, {
      bearer: admin.bearer,
    })
    expect(body[0].invitation.state).toBe('pending')
    const put = await service.client('PUT', `/api/2/users/${user.id}`, {
      bearer: admin.bearer,
      body: { ...body[0], full_name: 'Changed' },
    })
    expect(put).toMatchObject({
      status: 200,
      body: { full_name: 'Changed', invitation: { state: 'pending' } },
    })
  })
})
