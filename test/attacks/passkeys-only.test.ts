import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { type Authenticator, enableSecondFactor, newAuthenticator } from '../support/authenticator.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { deliverMail, readMailed } from '../support/deliver-mail.ts'
import { acceptInvitation, createInvited, findInvitation } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addRelyingParty, buildAuthorization, createPkce, getTokens, readRedirect } from '../support/oidc.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import {
  addPasskey,
  confirmWithPasskey,
  SoftwarePasskey,
  signInWithPasskey,
  startPasskeySignIn,
  startRegistration,
} from '../support/passkeys.ts'
import {
  addPerson,
  addSignedIn,
  callAs,
  type Person,
  type SignedInPerson,
  trySignIn,
} from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* A policy that accepts only passkeys. Each other way in is tried for an account that has one, and for one that has none. */

vi.useFakeTimers({ toFake: ['Date'] })
const limits = ['passkeyChallenges', 'lookUpFailures', 'addressFailures', 'otpGuesses', 'samlStarts']
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: limits.map((name) => `${name}=100000/60`).join(','),
})
afterAll(() => vi.useRealTimers())
const { client, services } = service
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const { passkey: adminPasskey } = await addPasskey(service, admin)
const app = await addRelyingParty(service, { type: 'public', scopes: ['openid'] })
const newEmail = () => `${randomUUID()}@example.com`

const requirePasskeys = (more: object = {}) =>
  storeSignInPolicy(service, { passkeys_only: true, allow_email_codes: true, ...more })
beforeEach(async () => {
  // Rate limits by address must not add up over this file.
  vi.setSystemTime(Date.now() + 2 * 60 * 60_000)
  await storeSignInPolicy(service, { allow_email_codes: true })
})
afterEach(() => storeSignInPolicy(service, {}))

interface Owner extends SignedInPerson {
  readonly passkey: SoftwarePasskey
  readonly email: string
}
/** A person with a password, a passkey, and a session from before the policy. */
const addOwner = async (): Promise<Owner> => {
  const email = newEmail()
  const person = await addSignedIn(service, { email })
  return { ...person, ...(await addPasskey(service, person)), email }
}
const login = (person: Person, more: object = {}) => trySignIn(service, person, more)
const me = (bearer: string) => client('GET', '/api/2/users/me', { bearer })
const passkeyRequired = { status: 403, body: { code: 'login_incomplete', reason: 'passkey_required' } }
const setupRequired = { status: 403, body: { reason: 'second_factor_setup_required' } }
const requestCode = async ({ user }: Person) => {
  const { body } = await client('POST', '/api/2/auth/email-code', { body: { username: user.username } })
  return String(body.request_id)
}
const loginWithCode = (request_id: string, code: string, more: object = {}) =>
  client('POST', '/api/2/auth/email-code/login', { body: { request_id, code, ...more } })
/** Each session of a user that can do everything. */
const listFullSessions = async (userId: number) =>
  (await services.table.list(`user#${userId}`, 'session#')).filter(({ limitedTo }) => limitedTo === undefined)
const limitedSession = async (person: Person): Promise<SignedInPerson> => {
  const { status, body } = await login(person, { second_factor_setup: true })
  expect(status).toBe(200)
  return { ...person, bearer: body.session_key }
}

describe('an account with a passkey', () => {
  let owner: Owner
  beforeEach(async () => {
    owner = await addOwner()
    await requirePasskeys()
  })

  it('signs in with it alone, or after its password', async () => {
    expect((await signInWithPasskey(service, owner.passkey)).status).toBe(200)
    const { body } = await login(owner)
    expect(body.second_factor_token).toMatch(/^lk/)
    const token = body.second_factor_token
    const credential = owner.passkey.get(await startPasskeySignIn(service, token))
    const answer = await client('POST', '/api/2/auth/passkeys/login', {
      body: { credential, second_factor_token: token },
    })
    expect(answer.status).toBe(200)
    expect((await me(answer.body.session_key)).body).not.toHaveProperty('second_factor_required_from')
  })

  it.each([
    ['a password', {}],
    ['a password and the wish to set up', { second_factor_setup: true }],
    ['a password and a made-up code', { otp: '123456' }],
    ['a made-up recovery code', { otp: 'abcd-efgh-jkmn-pqrs', second_factor_setup: true }],
    ['a new password', { new_password: `a new password ${randomUUID()}` }],
  ])('is not opened by %s', async (_, more) => {
    const before = await listFullSessions(owner.user.id)
    expect(await login(owner, more)).toMatchObject(passkeyRequired)
    expect(await listFullSessions(owner.user.id)).toHaveLength(before.length)
  })

  it('says nothing about it to someone without the password', async () => {
    const nobody = { user: { ...owner.user, username: `nobody-${randomUUID()}` }, password: 'wrong' }
    for (const more of [{}, { second_factor_setup: true }, { otp: '123456' }]) {
      const answers = await Promise.all([login({ ...owner, password: 'wrong' }, more), login(nobody, more)])
      const [known, unknown] = answers.map(({ status, body: { code, reason, detail } }) => [
        status,
        code,
        reason,
        detail,
      ])
      expect(known).toEqual(unknown)
      expect(known?.[2]).toBe('invalid_credentials')
    }
  })

  it('gets no code by email, and nobody learns that', async () => {
    const plain = await addPerson(service, { email: newEmail() })
    const [own, other] = await Promise.all(
      [owner, plain].map(({ user }) =>
        client('POST', '/api/2/auth/email-code', { body: { username: user.username } }),
      ),
    )
    expect(Object.keys(own?.body)).toEqual(Object.keys(other?.body))
    await deliverMail(service)
    const subjects = service.mailbox.mailsTo(owner.email).filter(({ text }) => /^\d{4} \d{4}$/m.test(text))
    expect(subjects).toEqual([])
  })

  it('is not opened by a code from before the policy', async () => {
    await storeSignInPolicy(service, { allow_email_codes: true })
    const requestId = await requestCode(owner)
    const code = await readMailed(service, owner.email, 'code')
    await requirePasskeys()
    expect(await loginWithCode(requestId, code)).toMatchObject(passkeyRequired)
    expect(await loginWithCode(requestId, code, { second_factor_setup: true })).toMatchObject(passkeyRequired)
  })

  it('is not opened by a password reset', async () => {
    await client('POST', '/api/2/auth/reset-password/request', { body: { username: owner.user.username } })
    const token = await readMailedToken(service, owner.email, 'reset')
    const password = `a new password ${randomUUID()}`
    expect((await client('POST', '/api/2/auth/reset-password', { body: { token, password } })).status).toBe(
      204,
    )
    expect(await login({ ...owner, password })).toMatchObject(passkeyRequired)
    expect(await login({ ...owner, password }, { second_factor_setup: true })).toMatchObject(passkeyRequired)
    expect((await signInWithPasskey(service, owner.passkey)).status).toBe(200)
  })

  it('is not opened by a code of an authenticator app', async () => {
    await storeSignInPolicy(service, {})
    const fresh = { ...owner, bearer: (await login(owner)).body.session_key }
    const { authenticator } = await enableSecondFactor(service, fresh)
    await requirePasskeys()
    expect(await login(owner, { otp: authenticator.code(1) })).toMatchObject(passkeyRequired)
    const setup = await login(owner, { otp: authenticator.code(1), second_factor_setup: true })
    expect(setup).toMatchObject(passkeyRequired)
  })

  it('keeps its sessions from before, which a password does not renew', async () => {
    expect((await me(owner.bearer)).status).toBe(200)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    const { bearer, password } = owner
    const stale = await client('POST', '/api/2/users/me/passkeys/options', { bearer })
    expect(stale.body.reason).toBe('reauthentication_required')
    const confirmed = await client('POST', '/api/2/auth/reauthenticate', { bearer, body: { password } })
    expect(confirmed).toMatchObject(passkeyRequired)
  })

  it('does not open by the passkey of somebody else after its password', async () => {
    await storeSignInPolicy(service, {})
    const thief = await addOwner()
    await requirePasskeys()
    const { second_factor_token: token } = (await login(owner)).body
    const credential = thief.passkey.get(await startPasskeySignIn(service, token))
    const body = { credential, second_factor_token: token }
    expect((await client('POST', '/api/2/auth/passkeys/login', { body })).status).toBe(401)
  })
})

describe('an administrator who impersonates a user', () => {
  it('adds no passkey for them', async () => {
    const person = await addPerson(service)
    await requirePasskeys()
    const bearer = (await signInWithPasskey(service, adminPasskey)).body.session_key
    const started = await client('POST', '/api/2/auth/impersonation', {
      bearer,
      body: { user: person.user.id },
    })
    expect(started.status).toBe(204)
    const options = await client('POST', '/api/2/users/me/passkeys/options', { bearer })
    expect(options.status).toBe(403)
  })
})

describe('the methods that a product sees', () => {
  it('are those of the passkey, with two factors', async () => {
    const owner = await addOwner()
    await requirePasskeys()
    const bearer = (await signInWithPasskey(service, owner.passkey)).body.session_key
    const { id_token: idToken } = await getTokens(service, app, bearer, { scope: 'openid' })
    const claims = JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString())
    expect(claims.amr).not.toContain('pwd')
    expect((await me(bearer)).body.acr).toBe(claims.acr)
  })
})

describe('recovery', () => {
  let owner: Owner
  let codes: readonly string[]
  let authenticator: Authenticator
  beforeEach(async () => {
    owner = await addOwner()
    const factor = await enableSecondFactor(service, owner)
    codes = factor.recoveryCodes
    authenticator = factor.authenticator
    await requirePasskeys()
  })
  const recover = (otp: string | undefined, person: Person = owner) =>
    login(person, { otp, second_factor_setup: true })

  it('takes the password and a recovery code, and leads to a new passkey alone', async () => {
    const { status, body } = await recover(codes[0])
    expect(status).toBe(200)
    const session = { ...owner, bearer: body.session_key }
    for (const [method, path] of [
      ['POST', '/api/2/api-tokens'],
      ['POST', `/api/2/users/${owner.user.id}/totp/recovery-codes`],
      ['DELETE', `/api/2/users/${owner.user.id}/totp`],
      ['PUT', '/api/2/users/me/passkeys/settings'],
      ['POST', '/api/2/auth/ticket'],
    ] as const)
      expect(await client(method, path, { bearer: session.bearer, body: {} }), path).toMatchObject({
        status: 403,
      })
    const { passkey } = await addPasskey(service, session)
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
    // The device that was lost may be signed in.
    expect((await me(owner.bearer)).status).toBe(401)
    await deliverMail(service)
    const subjects = service.mailbox
      .mailsTo(owner.email)
      .map(({ text }) => text)
      .join('\n')
    expect(subjects).toMatch(/recovery code/i)
    expect(subjects).toMatch(/passkey/i)
  })

  it('works once for a code, also a hundred times in parallel', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => recover(codes[0])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await recover(codes[0])).body.reason).toBe('otp_invalid')
    expect((await recover(codes[1])).status).toBe(200)
  })

  it('takes no code without the password, none of another user, and none of the app', async () => {
    expect((await recover(codes[0], { ...owner, password: 'wrong' })).status).toBe(401)
    await storeSignInPolicy(service, {})
    const stranger = await addSignedIn(service)
    const { recoveryCodes } = await enableSecondFactor(service, stranger)
    await requirePasskeys()
    expect((await recover(recoveryCodes[0])).body.reason).toBe('otp_invalid')
    expect(await recover(authenticator.code(1))).toMatchObject(passkeyRequired)
  })

  it('opens no session for everything', async () => {
    expect(await login(owner, { otp: codes[0] })).toMatchObject(passkeyRequired)
    expect((await recover(codes[0])).status).toBe(200)
  })

  it('by an administrator ends the passkey, the sessions, and leads to a new passkey', async () => {
    const bearer = (await signInWithPasskey(service, adminPasskey)).body.session_key
    const call = callAs(service, { bearer })
    const [passkey] = (await call('GET', `users/${owner.user.id}/passkeys`)).body
    await storeSignInPolicy(service, {})
    expect((await call('DELETE', `users/${owner.user.id}/totp`)).status).toBe(204)
    expect((await call('DELETE', `users/${owner.user.id}/passkeys/${passkey.id}`)).status).toBe(204)
    await requirePasskeys()
    expect((await me(owner.bearer)).status).toBe(401)
    expect((await signInWithPasskey(service, owner.passkey)).body.reason).toBe('passkey_unknown')
    expect(await login(owner)).toMatchObject(setupRequired)
    const { passkey: renewed } = await addPasskey(service, await limitedSession(owner))
    expect((await signInWithPasskey(service, renewed)).status).toBe(200)
    expect(await login(owner)).toMatchObject(passkeyRequired)
  })
})

describe('an account without a passkey', () => {
  let person: Person & { readonly email: string }
  beforeEach(async () => {
    const email = newEmail()
    person = { ...(await addPerson(service, { email })), email }
    await requirePasskeys()
  })

  it('signs in by its old way to add a passkey, and for nothing else', async () => {
    expect(await login(person)).toMatchObject(setupRequired)
    const limited = await limitedSession(person)
    const { bearer, user } = limited
    expect((await me(bearer)).body).toMatchObject({ effective_permissions: [] })
    const authenticator = newAuthenticator()
    const totp = { key: authenticator.key, otp: authenticator.code() }
    for (const [method, path, body] of [
      ['POST', `/api/2/users/${user.id}/totp`, totp],
      [
        'PUT',
        '/api/2/users/me/password',
        { current_password: person.password, password: `x ${randomUUID()}` },
      ],
      ['POST', '/api/2/auth/ticket', {}],
      ['POST', '/api/2/api-tokens', { name: 'token' }],
      ['POST', '/api/2/auth/jwt', {}],
      ['POST', '/api/2/auth/reauthenticate', { password: person.password }],
      ['PATCH', '/api/2/users/me', { full_name: 'Mallory' }],
      ['DELETE', '/api/2/users/me/sessions'],
    ] as const)
      expect((await client(method, path, { bearer, body })).status, path).not.toBeLessThan(400)
    const { passkey } = await addPasskey(service, limited)
    // The session stays limited: the passkey opens another one.
    expect((await client('GET', '/api/2/api-tokens', { bearer })).body.reason).toBe(
      'second_factor_setup_required',
    )
    const { status, body } = await signInWithPasskey(service, passkey)
    expect(status).toBe(200)
    expect((await client('GET', '/api/2/api-tokens', { bearer: body.session_key })).status).toBe(200)
  })

  it('signs in to no product: an authorization asks for another sign-in', async () => {
    const { bearer } = await limitedSession(person)
    const { challenge } = createPkce()
    const query = buildAuthorization(app, challenge, { prompt: 'none', scope: 'openid' })
    const answer = await client('GET', `/oauth2/authorize?${query}`, { bearer })
    expect(readRedirect(answer)).toMatchObject({ error: 'login_required' })
  })

  it('does not get another passkey from a limited session once it has one', async () => {
    const [thief, owner] = [await limitedSession(person), await limitedSession(person)]
    const options = await startRegistration(service, thief)
    await addPasskey(service, owner)
    const credential = new SoftwarePasskey().create(options)
    const late = await client('POST', '/api/2/users/me/passkeys', {
      bearer: thief.bearer,
      body: { credential },
    })
    expect(late.status).toBe(401)
    const again = await client('POST', '/api/2/users/me/passkeys/options', { bearer: owner.bearer })
    expect(again).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  })

  it('keeps a limited session limited when its owner adds the passkey elsewhere', async () => {
    await storeSignInPolicy(service, {})
    const bearer = (await login(person)).body.session_key
    await requirePasskeys()
    const thief = await limitedSession(person)
    await addPasskey(service, { bearer })
    const started = await client('POST', '/api/2/users/me/passkeys/options', { bearer: thief.bearer })
    expect(started.status).toBe(403)
  })

  it('registers one passkey from several limited sessions in parallel', async () => {
    const sessions = [
      await limitedSession(person),
      await limitedSession(person),
      await limitedSession(person),
    ]
    const answers = await Promise.all(
      sessions.map(async ({ bearer }) => {
        const options = (await client('POST', '/api/2/users/me/passkeys/options', { bearer })).body
        const credential = new SoftwarePasskey().create(options)
        return client('POST', '/api/2/users/me/passkeys', { bearer, body: { credential } })
      }),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await findUser(services.table, person.user.id))?.passkeys?.count).toBe(1)
  })

  it('gets a limited session by an emailed code, and by a reset password', async () => {
    const requestId = await requestCode(person)
    const code = await readMailed(service, person.email, 'code')
    expect(await loginWithCode(requestId, code)).toMatchObject(setupRequired)
    const { body } = await loginWithCode(requestId, code, { second_factor_setup: true })
    expect((await client('GET', '/api/2/api-tokens', { bearer: body.session_key })).status).toBe(403)
    await client('POST', '/api/2/auth/reset-password/request', { body: { username: person.user.username } })
    const token = await readMailedToken(service, person.email, 'reset')
    const password = `a new password ${randomUUID()}`
    await client('POST', '/api/2/auth/reset-password', { body: { token, password } })
    expect(await login({ ...person, password })).toMatchObject(setupRequired)
  })

  it('has the grace period, with sessions that end with it', async () => {
    await requirePasskeys({ second_factor_grace_days: 2 })
    const { status, body } = await login(person)
    expect(status).toBe(200)
    const from = (await me(body.session_key)).body.second_factor_required_from
    expect(Date.parse(from) - Date.now()).toBeLessThanOrEqual(2 * 86_400_000)
    vi.setSystemTime(Date.now() + 2 * 86_400_000 + 1000)
    expect((await me(body.session_key)).status).toBe(401)
    expect(await login(person)).toMatchObject(setupRequired)
  })

  it('needs the code of its authenticator app for the limited session', async () => {
    await storeSignInPolicy(service, {})
    const signedIn = { ...person, bearer: (await login(person)).body.session_key }
    const { authenticator } = await enableSecondFactor(service, signedIn)
    await requirePasskeys()
    expect((await login(person, { second_factor_setup: true })).body.reason).toBe('otp_required')
    const more = { otp: authenticator.code(1), second_factor_setup: true }
    const { body } = await login(person, more)
    // The app does not lift the limit.
    expect((await client('GET', '/api/2/api-tokens', { bearer: body.session_key })).status).toBe(403)
  })
})

describe('an invitation', () => {
  it('leads to a passkey, never to a password', async () => {
    await requirePasskeys()
    const fresh = (await signInWithPasskey(service, adminPasskey)).body.session_key
    const { token } = await createInvited(service, fresh)
    expect((await findInvitation(service, token)).body).toMatchObject({
      allows_password: false,
      allows_passkey: true,
      password_policy: null,
    })
    for (const more of [{}, { second_factor_setup: true }]) {
      const refused = await acceptInvitation(service, token, `a password ${randomUUID()}`, more)
      expect(refused).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    }
    const path = '/api/2/auth/invitation/passkey'
    const options = (await client('POST', `${path}/options`, { body: { token } })).body
    const passkey = new SoftwarePasskey()
    const accepted = await client('POST', path, { body: { token, credential: passkey.create(options) } })
    expect(accepted.status).toBe(200)
    expect((await me(accepted.body.session_key)).status).toBe(200)
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
  })
})

describe('a public provider', async () => {
  const upstream = closeAfterTests(await startUpstream())
  const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })

  it('is one factor: it opens a limited session, and none once the account has a passkey', async () => {
    const account = newGoogleAccount()
    const first = await google.signIn(account)
    const userId = first.user ?? 0
    expect(userId).toBeGreaterThan(0)
    await requirePasskeys()
    const limited = await google.signIn(account, new TestBrowser(service))
    const bearer = sessionOf(limited.answer) ?? ''
    expect((await client('GET', '/api/2/api-tokens', { bearer })).body.reason).toBe(
      'second_factor_setup_required',
    )
    await addPasskey(service, { bearer })
    const full = await listFullSessions(userId)
    const refused = await google.signIn(account, new TestBrowser(service))
    expect(sessionOf(refused.answer)).toBeUndefined()
    expect(await listFullSessions(userId)).toHaveLength(full.length)
  })
})

describe('turning the policy on', () => {
  const path = 'system/sign-in-policy'
  it('is refused for an administrator without a passkey', async () => {
    const other = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect(await callAs(service, other)('PUT', path, { passkeys_only: true })).toMatchObject({
      status: 409,
      body: { code: 'conflict', reason: 'own_passkey_required' },
    })
    const { passkey } = await addPasskey(service, other)
    expect((await callAs(service, other)('PUT', path, { passkeys_only: true })).status).toBe(200)
    // From now on the password of the session is too little.
    expect((await callAs(service, other)('PUT', path, {})).body.reason).toBe('reauthentication_required')
    await confirmWithPasskey(service, other, passkey)
    expect((await callAs(service, other)('PUT', path, {})).body.passkeys_only).toBe(false)
  })
})
