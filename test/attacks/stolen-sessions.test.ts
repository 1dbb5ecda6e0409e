import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findApiTokens } from '../../lib/features/api-tokens/records.ts'
import { enableSecondFactor, newAuthenticator } from '../support/authenticator.ts'
import type { Answer } from '../support/client.ts'
import { addLink, redeem, statusesOf } from '../support/links.ts'
import { addSharer } from '../support/mailed-links.ts'
import { addPerson, addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A thief has the session of a signed-in user, but no password. The session must not give them anything that lasts. */

const minute = 60_000
const service = await useService({ RATE_LIMITS: 'passwordConfirmations=5/300' })
let victim: SignedInPerson
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  victim = await addSignedIn(service, {
    email: `${randomUUID()}@example.com`,
    permissions: ['users:manage', 'users:view'],
  })
})
afterEach(() => vi.useRealTimers())

const wait = (minutes: number): void => {
  vi.setSystemTime(Date.now() + minutes * minute)
}
const createToken = (bearer: string): Promise<Answer> =>
  service.client('POST', '/api/2/api-tokens', { bearer, body: { name: 'mine' } })
const reauthenticate = (bearer: string, body: object): Promise<Answer> =>
  service.client('POST', '/api/2/auth/reauthenticate', { bearer, body })
const findStored = async () => {
  const user = await findUser(service.services.table, victim.user.id)
  if (!user) throw new Error('the user was not found')
  return user
}

describe('with a session whose user proved their identity 15 minutes ago, a thief', () => {
  const attacks: Readonly<Record<string, (person: SignedInPerson) => Promise<Answer>>> = {
    'cannot create an API token': ({ bearer }) => createToken(bearer),
    'cannot turn on a second factor': ({ user, bearer }) => {
      const { key, code } = newAuthenticator()
      const body = { key, otp: code() }
      return service.client('POST', `/api/2/users/${user.id}/totp`, { bearer, body })
    },
    'cannot turn off a second factor': ({ user, bearer }) =>
      service.client('DELETE', `/api/2/users/${user.id}/totp`, { bearer }),
    'cannot renew recovery codes': ({ user, bearer }) =>
      service.client('POST', `/api/2/users/${user.id}/totp/recovery-codes`, { bearer }),
    'cannot synchronize a second factor': ({ user, bearer }) =>
      service.client('PUT', `/api/2/users/${user.id}/totp`, { bearer, body: { otp: '123456' } }),
    'cannot change the email address': ({ user, bearer }) =>
      service.client('PATCH', `/api/2/users/${user.id}`, { bearer, body: { email: 'thief@example.com' } }),
    'cannot remove the email address': ({ user, bearer }) =>
      service.client('PUT', `/api/2/users/${user.id}`, {
        bearer,
        body: { username: user.username, permissions: user.permissions, groups: [] },
      }),
  }

  it.each(Object.entries(attacks))('%s', async (_, attack) => {
    wait(15.01)
    const before = await findStored()
    const answer = await attack(victim)
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      'permission_denied',
      'reauthentication_required',
    ])
    const { version, email, totp } = before
    expect(await findStored()).toMatchObject({ version, email, totp })
    expect(await findApiTokens(service.services.table, victim.user.id)).toEqual([])
  })

  it('can do what does not change credentials', async () => {
    wait(15.01)
    const { user, bearer } = victim
    const patch = { full_name: 'Ann', email: user.email }
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
    expect((await service.client('PATCH', `/api/2/users/${user.id}`, { bearer, body: patch })).status).toBe(
      200,
    )
  })
})

describe('a recent authentication', () => {
  it('lasts exactly 15 minutes after the sign-in', async () => {
    const [inTime, late] = [victim, await addSignedIn(service)]
    wait(15)
    expect((await createToken(inTime.bearer)).status).toBe(201)
    vi.setSystemTime(Date.now() + 1)
    expect((await createToken(late.bearer)).status).toBe(403)
  })

  it('is renewed by the password, for this session only', async () => {
    const other = await signIn(service, victim)
    wait(60)
    expect((await reauthenticate(victim.bearer, { password: victim.password })).status).toBe(204)
    expect((await createToken(victim.bearer)).status).toBe(201)
    expect((await createToken(other)).status).toBe(403)
  })

  it('is not renewed by changes of the account or by use of the session', async () => {
    for (let at = 0; at < 4; at++) {
      wait(5)
      await service.client('GET', '/api/2/users/me', { bearer: victim.bearer })
    }
    expect((await createToken(victim.bearer)).status).toBe(403)
  })
})

describe('confirming an identity', () => {
  it('requires the password', async () => {
    wait(20)
    const { bearer, password } = victim
    for (const body of [
      {},
      { otp: '123456' },
      { password: '' },
      { password: `${password}x` },
      { password: null },
    ])
      expect((await reauthenticate(bearer, body)).status).toBe(400)
    expect((await createToken(bearer)).status).toBe(403)
  })

  it('requires the second factor of a user who has one, and uses its code once', async () => {
    const { authenticator, recoveryCodes } = await enableSecondFactor(service, victim)
    wait(20)
    const { bearer, password } = victim
    const confirm = async (otp?: string) => {
      const answer = await reauthenticate(bearer, { password, otp })
      return answer.body?.reason ?? answer.status
    }
    expect(await confirm()).toBe('otp_required')
    expect(await confirm('000000')).toBe('otp_invalid')
    expect((await createToken(bearer)).status).toBe(403)
    wait(6)
    const code = authenticator.code()
    const answers = await Promise.all([confirm(code), confirm(code)])
    expect(answers.map(String).sort()).toEqual(['204', 'otp_invalid'])
    expect((await createToken(bearer)).status).toBe(201)
    wait(20)
    expect(await confirm(recoveryCodes[0])).toBe(204)
    expect(await confirm(recoveryCodes[0])).toBe('otp_invalid')
  })

  it('is limited, so that a thief cannot guess the password, also in parallel', async () => {
    wait(20)
    const guesses = Array.from({ length: 20 }, (_, at) =>
      reauthenticate(victim.bearer, { password: `guess ${at}` }),
    )
    expect(statusesOf(await Promise.all(guesses))).toEqual({ 400: 5, 429: 15 })
    const { password } = victim
    expect((await reauthenticate(victim.bearer, { password })).status).toBe(429)
    // The victim is not locked out: a new sign-in is a recent authentication.
    expect((await createToken(await signIn(service, victim))).status).toBe(201)
  })

  it('writes refused and confirmed passwords to the audit log', async () => {
    await reauthenticate(victim.bearer, { password: 'wrong' })
    await reauthenticate(victim.bearer, { password: victim.password })
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { body } = await service.client('GET', `/api/2/auth/audit-events?user=${victim.user.id}`, {
      bearer,
    })
    const events = body.map(({ event, outcome }: { event: string; outcome: string }) => `${event} ${outcome}`)
    expect(events).toContain('password.refused invalid_credentials')
    expect(events).toContain('session.reauthenticated succeeded')
  })

  it('is refused to API tokens, in sessions of links, while impersonating, and after the session ended', async () => {
    const { bearer, password } = victim
    const { token } = (await createToken(bearer)).body
    expect((await reauthenticate(token, { password })).status).toBe(403)

    const sharer = await addSharer(service)
    const link = await addLink(service, sharer.bearer)
    const guest = (await redeem(service, link.token)).body.session_key
    expect((await reauthenticate(guest, { password })).status).toBe(403)

    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { user } = await addPerson(service)
    await service.client('POST', '/api/2/auth/impersonation', {
      bearer: admin.bearer,
      body: { user: user.id },
    })
    expect((await reauthenticate(admin.bearer, { password: admin.password })).status).toBe(403)

    await service.client('POST', '/api/2/auth/logout', { bearer })
    expect((await reauthenticate(bearer, { password })).status).toBe(401)
  })

  it('with a password that was changed in the meantime has no effect', async () => {
    const { bearer, password } = victim
    wait(20)
    const [confirmed] = await Promise.all([
      reauthenticate(bearer, { password }),
      service.client('POST', '/api/2/users/me/password', {
        bearer,
        body: { current_password: password, password: 'another good passphrase' },
      }),
    ])
    expect([204, 400, 409]).toContain(confirmed.status)
    expect((await reauthenticate(bearer, { password })).status).toBe(400)
  })

  it('is not possible without a password, and says what to do instead', async () => {
    const { bearer } = victim
    await service.services.table.update({ pk: `user#${victim.user.id}`, sk: 'user' }, (x) => ({
      set: [`${x.path('passwordHash')} = ${x.value(null)}`],
    }))
    const answer = await reauthenticate(bearer, { password: victim.password })
    expect(answer.status).toBe(403)
    expect(answer.body.detail).toContain('force_authn')
  })
})
