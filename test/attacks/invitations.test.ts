import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { JsonValue } from '../support/client.ts'
import { flipBit } from '../support/flip-bit.ts'
import {
  acceptInvitation,
  createInvited,
  findInvitation,
  type Invited,
  invite,
  readInvitationToken,
  storeInvitation,
} from '../support/invitations.ts'
import { SoftwarePasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/* Attackers who have the link of another user, an old link, or only the rights of a user manager. */

const service = await useService({ RATE_LIMITS: 'invitationsPerInviter=25/86400' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })

const password = 'violet tractor under nine moons'
const send = (path: string, body: object, bearer?: string) =>
  service.client('POST', `/api/2${path}`, { body, ...(bearer === undefined ? {} : { bearer }) })
const addUninvited = async (fields: object = {}) =>
  (await addPerson(service, { email: `${randomUUID()}@example.com`, passwordHash: null, ...fields })).user
const startPasskey = (token: string) => send('/auth/invitation/passkey/options', { token })
const acceptWithPasskey = (token: string, credential: JsonValue) =>
  send('/auth/invitation/passkey', { token, credential })

/** Stores an invitation without an email. Tests of the limits would otherwise need more of them. */
const store = async (fields: object = {}): Promise<Invited> => {
  const user = await addUninvited(fields)
  return { user, token: await storeInvitation(service, user.id) }
}

describe('the link of an invitation', () => {
  it('opens one session for 50 concurrent requests', async () => {
    const { user, token } = await store()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => acceptInvitation(service, token, `${password} ${at}`)),
    )
    const winners = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []))
    expect(winners).toHaveLength(1)
    for (const { status } of answers) expect([200, 400, 409]).toContain(status)
    const login = { username: user.username, password: `${password} ${winners[0]}` }
    expect((await send('/auth/login', login)).status).toBe(200)
    const me = await service.client('GET', '/api/2/auth/sessions', {
      bearer: answers[winners[0] ?? 0]?.body.session_key,
    })
    expect(me.body).toHaveLength(2)
  })

  it('gives one of a password and a passkey, if both are sent at once', async () => {
    const { user, token } = await store()
    const { body: options } = await startPasskey(token)
    const credential = new SoftwarePasskey().create(options)
    const [byPassword, byPasskey] = await Promise.all([
      acceptInvitation(service, token, password),
      acceptWithPasskey(token, credential),
    ])
    expect([byPassword.status, byPasskey.status].filter((status) => status === 200)).toHaveLength(1)
    const stored = await findUser(service.services.table, user.id)
    expect([stored?.passwordHash !== null, (stored?.passkeys?.count ?? 0) === 1]).toEqual([
      byPassword.status === 200,
      byPasskey.status === 200,
    ])
  })

  it('gets the same response if it is unknown, mistyped, used, of another user or another kind', async () => {
    const { user, token } = await store()
    const { token: used } = await store()
    await acceptInvitation(service, used, password)
    const other = await addUninvited()
    const wrong = [
      used,
      mintCredential('invitation', user.id).value,
      mintCredential('invitation', other.id).value,
      mintCredential('invitation', 2 ** 31 - 1).value,
      mintCredential('reset_token', user.id).value,
      flipBit(token),
      'x',
    ]
    for (const value of wrong)
      for (const { status, body } of [
        await findInvitation(service, value),
        await acceptInvitation(service, value, password),
        await startPasskey(value),
      ])
        expect({ status, code: body.code, detail: body.detail }).toEqual({
          status: 400,
          code: 'invalid_token',
          detail: expect.any(String),
        })
    expect((await findInvitation(service, token)).status).toBe(200)
  })

  it('is no credential for any other operation', async () => {
    const { token } = await store()
    for (const [method, path] of [
      ['GET', '/api/2/users/me'],
      ['POST', '/api/2/auth/generate-password'],
    ] as const)
      expect((await service.client(method, path, { bearer: token })).status).toBe(401)
    expect((await send('/auth/reset-password', { token, password })).body.code).toBe('invalid_token')
    expect((await send('/auth/confirm-email', { token })).body.code).toBe('invalid_token')
  })

  it('is not used by requests of mail scanners', async () => {
    const { token } = await store()
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/invite', `/invite?token=${token}`, '/api/2/auth/invitation'])
        await service.client(method, path)
    expect((await findInvitation(service, token)).status).toBe(200)
  })

  it('does not work for a user who got another way to sign in', async () => {
    for (const changes of [
      { passwordHash: 'x' },
      { totp: { encryptedKey: 'x', driftSteps: 0, lastStep: 0, recoveryCodes: {} } },
      { passkeys: { userHandle: 'x', count: 1, isSecondFactor: false } },
    ]) {
      const { user, token } = await store()
      const stored = await findUser(service.services.table, user.id)
      if (!stored) throw new Error('the user was not found')
      await editUser(service.services.table, stored, changes)
      expect((await acceptInvitation(service, token, password)).body.code).toBe('invalid_token')
    }
  })

  it('ends when an administrator ends the sessions of the user', async () => {
    const { user, token } = await store()
    await service.client('DELETE', `/api/2/users/${user.id}/sessions`, { bearer: admin.bearer })
    expect((await findInvitation(service, token)).body.code).toBe('invalid_token')
  })

  it.each([
    [{}],
    [{ token: '' }],
    [{ token: 7 }],
    [{ token: ['x'] }],
    [{ token: 'x', password: 'y', user: 1 }],
  ])('is refused in the malformed body %j', async (body) => {
    const { status } = await send('/auth/invitation/accept', body)
    expect(status).toBe(400)
  })

  it('is refused in a huge body, and with a huge password', async () => {
    const { token } = await store()
    expect((await acceptInvitation(service, 'x'.repeat(70_000), password)).status).toBe(413)
    expect((await acceptInvitation(service, token, 'x'.repeat(20_000))).body.code).toBe('password_rejected')
    expect((await findInvitation(service, token)).status).toBe(200)
  })

  it('gives no cookie to a page of another site', async () => {
    const { token } = await store()
    const answer = await service.client('POST', '/api/2/auth/invitation/accept', {
      body: { token, password },
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
  })
})

describe('the first passkey', () => {
  it('signs in again without a password', async () => {
    const { user, token } = await store()
    const passkey = new SoftwarePasskey()
    const { body: options } = await startPasskey(token)
    expect(options).toMatchObject({ authenticatorSelection: { userVerification: 'required' } })
    const accepted = await acceptWithPasskey(token, passkey.create(options))
    expect(accepted).toMatchObject({ status: 200, body: { user: { id: user.id, email_verified: true } } })
    const challenge = (await send('/auth/passkeys/options', {})).body
    const login = await send('/auth/passkeys/login', { credential: passkey.get(challenge) })
    expect(login).toMatchObject({ status: 200, body: { user: { id: user.id } } })
  })

  it('must verify its user, and answer a challenge of the same invitation', async () => {
    const [mine, other] = [await store(), await store()]
    const { body: options } = await startPasskey(mine.token)
    const { body: foreign } = await startPasskey(other.token)
    const { body: signIn } = await send('/auth/passkeys/options', {})
    const attempts = [
      new SoftwarePasskey().create(options, { isVerified: false }),
      new SoftwarePasskey().create(foreign),
      new SoftwarePasskey().create(options, { origin: 'https://evil.example' }),
      new SoftwarePasskey().create({ ...options, challenge: signIn.challenge }),
    ]
    for (const credential of attempts)
      expect((await acceptWithPasskey(mine.token, credential)).body.code).toBe('invalid_request')
    expect((await acceptWithPasskey(mine.token, new SoftwarePasskey().create(options))).status).toBe(200)
  })

  it('of another user is refused, and leaves the invitation valid', async () => {
    const [first, second] = [await store(), await store()]
    const passkey = new SoftwarePasskey()
    await acceptWithPasskey(first.token, passkey.create((await startPasskey(first.token)).body))
    const again = passkey.create((await startPasskey(second.token)).body)
    expect((await acceptWithPasskey(second.token, again)).body).toMatchObject({ reason: 'passkey_taken' })
    expect((await findInvitation(service, second.token)).status).toBe(200)
  })
})

describe('an inviter', () => {
  it('without the rights of the user cannot invite them, nor revoke their invitation', async () => {
    const powerful = await addUninvited({ permissions: ['system:admin-access'] })
    expect((await invite(service, manager.bearer, powerful.id)).status).toBe(403)
    expect((await invite(service, admin.bearer, powerful.id)).status).toBe(200)
    const answer = await service.client('DELETE', `/api/2/users/${powerful.id}/invite`, {
      bearer: manager.bearer,
    })
    expect(answer.status).toBe(403)
  })

  it('who is no administrator cannot open an account that becomes one', async () => {
    const { user, token } = await createInvited(service, manager.bearer)
    await service.client('PATCH', `/api/2/users/${user.id}`, {
      bearer: admin.bearer,
      body: { permissions: ['system:admin-access'] },
    })
    expect((await acceptInvitation(service, token, password)).body.code).toBe('invalid_token')
    await invite(service, admin.bearer, user.id)
    const newer = await readInvitationToken(service, user.email, token)
    expect((await acceptInvitation(service, newer, password)).status).toBe(200)
  })

  it('cannot invite while impersonating another user, also not when creating one', async () => {
    const impersonator = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await send('/auth/impersonation', { user: manager.user.id }, impersonator.bearer)
    const user = await addUninvited()
    expect((await invite(service, impersonator.bearer, user.id)).status).toBe(403)
    const created = {
      username: randomUUID(),
      email: `${randomUUID()}@example.com`,
      permissions: [],
      groups: [],
    }
    expect((await send('/users', { ...created, invite: true }, impersonator.bearer)).status).toBe(403)
    expect((await send('/users', created, impersonator.bearer)).status).toBe(201)
  })

  it('never gets the token in a response', async () => {
    const { user, token } = await createInvited(service, manager.bearer)
    const again = await invite(service, manager.bearer, user.id)
    const shown = await service.client('GET', `/api/2/users/${user.id}`, { bearer: manager.bearer })
    for (const { text } of [again, shown]) expect(text).not.toMatch(/lki_/)
    expect(service.log.join('\n')).not.toContain(token)
  })

  it('is limited, per invited user and in total', async () => {
    const flooder = await addSignedIn(service, { permissions: ['users:manage'] })
    const user = await addUninvited()
    const statuses: number[] = []
    for (let count = 0; count < 6; count++)
      statuses.push((await invite(service, flooder.bearer, user.id)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    for (let count = 0; count < 20; count++) {
      const other = await addUninvited()
      expect((await invite(service, flooder.bearer, other.id)).status).toBe(200)
    }
    const created = {
      username: randomUUID(),
      email: `${randomUUID()}@example.com`,
      permissions: [],
      groups: [],
    }
    expect((await send('/users', { ...created, invite: true }, flooder.bearer)).status).toBe(429)
  })

  it('who sends 20 invitations at once leaves one link that works', async () => {
    const user = await addUninvited()
    const inviter = await addSignedIn(service, { permissions: ['users:manage'] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => invite(service, inviter.bearer, user.id)),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 409, 429]).toContain(status)
    await waitFor(async () => {
      const token = await readInvitationToken(service, user.email ?? '')
      expect((await findInvitation(service, token)).status).toBe(200)
    })
  })
})

describe('the sign-in policy', () => {
  it('holds for an accepted invitation: a required second factor is set up first', async () => {
    const { token } = await store()
    await storeSignInPolicy(service, { second_factor_for_everybody: true, second_factor_grace_days: 0 })
    const refused = await acceptInvitation(service, token, password)
    expect(refused).toMatchObject({ status: 403, body: { reason: 'second_factor_setup_required' } })
    const accepted = await acceptInvitation(service, token, password, { second_factor_setup: true })
    expect(accepted.status).toBe(200)
    const tokens = await service.client('GET', '/api/2/api-tokens', { bearer: accepted.body.session_key })
    expect(tokens.status).toBe(403)
  })
})
