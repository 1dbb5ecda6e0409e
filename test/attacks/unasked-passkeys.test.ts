import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findPasskeys } from '../../lib/features/passkeys/records.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import {
  addPasskey,
  addUnaskedPasskey,
  type SoftwarePasskey,
  signInWithPasskey,
  startPasskeySignIn,
} from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson, signIn, trySignIn } from '../support/people.ts'
import { awaitReportToken, reportChange } from '../support/security-emails.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* A browser added a passkey without a question, after a password. Its owner may not know it, and a thief may have been the one. */

const service = await useService({ RATE_LIMITS: 'passkeyChallenges=100000/60' })
const { client } = service
const day = 86_400_000
const passkeyAdded = 'A passkey was added'
const newDevice = 'New sign-in to your account'
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
})
afterEach(async () => {
  vi.useRealTimers()
  await storeSignInPolicy(service, {})
})
const moveClock = (ms: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}
const stateOf = async () => (await findUser(service.services.table, person.user.id))?.passkeys
const login = (more: object = {}) => trySignIn(service, person, more)
const registerIn = async (bearer: string) =>
  (await client('POST', '/api/2/users/me/passkeys/options', { bearer })).status
const findIds = async () => (await findPasskeys(service.services.table, person.user.id)).map(({ id }) => id)

describe('a passkey that a browser added without a question and nobody has used', () => {
  it.each([
    ['second_factor_for_everybody', { second_factor_for_everybody: true }],
    ['passkeys_only', { passkeys_only: true }],
  ])(
    'is not the only door under %s: the password opens a session that sets up what is missing',
    async (_, policy) => {
      await addUnaskedPasskey(service, person)
      await storeSignInPolicy(service, policy)
      expect((await login()).body.reason).toBe('second_factor_setup_required')
      const { status, body } = await login({ second_factor_setup: true })
      expect(status).toBe(200)
      expect(await registerIn(body.session_key)).toBe(200)
      const added = await addPasskey(service, { bearer: body.session_key })
      // From now on, the passkey that the person asked for is required.
      expect((await login({ second_factor_setup: true })).body.reason).toBe('passkey_required')
      expect((await signInWithPasskey(service, added.passkey)).status).toBe(200)
    },
  )

  it('counts after its first use, once for any number of parallel ones', async () => {
    const { passkey } = await addUnaskedPasskey(service, person)
    expect(await stateOf()).toMatchObject({ count: 1, unprovenCount: 1 })
    const credentials = []
    for (let at = 0; at < 8; at++) credentials.push(passkey.get(await startPasskeySignIn(service)))
    const answers = await Promise.all(
      credentials.map((credential) => client('POST', '/api/2/auth/passkeys/login', { body: { credential } })),
    )
    expect(answers.map(({ status }) => status)).toContain(200)
    expect(await stateOf()).toEqual({
      userHandle: expect.any(String),
      count: 1,
      isSecondFactor: false,
    })
    await storeSignInPolicy(service, { second_factor_for_everybody: true })
    expect((await login()).body.reason).toBe('passkey_required')
  })

  it('counts after it confirmed an identity', async () => {
    const { passkey } = await addUnaskedPasskey(service, person)
    const path = '/api/2/auth/passkeys/reauthenticate'
    const options = await client('POST', `${path}/options`, { bearer: person.bearer })
    const credential = passkey.get(options.body)
    expect((await client('POST', path, { bearer: person.bearer, body: { credential } })).status).toBe(204)
    expect((await stateOf())?.unprovenCount).toBeUndefined()
  })

  it('is no second factor besides another passkey, and no spare factor', async () => {
    const { passkey } = await addPasskey(service, person)
    const unasked = await addUnaskedPasskey(service, { bearer: await signIn(service, person) })
    const settings = '/api/2/users/me/passkeys/settings'
    const require = (bearer: string) =>
      client('PUT', settings, { bearer, body: { required_with_password: true } })
    expect((await require(person.bearer)).body.reason).toBe('spare_factor_required')
    await enableSecondFactor(service, person)
    expect((await require(person.bearer)).status).toBe(200)
    const { body } = await login()
    const token = body.second_factor_token
    const options = await startPasskeySignIn(service, token)
    expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([
      passkey.id.toString('base64url'),
    ])
    const credential = unasked.passkey.get(options, { isVerified: true })
    const refused = await client('POST', '/api/2/auth/passkeys/login', {
      body: { credential, second_factor_token: token },
    })
    expect([refused.status, refused.body.reason]).toEqual([401, 'passkey_invalid'])
  })

  it('leaves the right number when it is removed, and the password alone when it is the last', async () => {
    const { id } = await addPasskey(service, person)
    const unasked = await addUnaskedPasskey(service, { bearer: await signIn(service, person) })
    const bearer = await signIn(service, person)
    const remove = async (one: number) =>
      (await client('DELETE', `/api/2/users/me/passkeys/${one}`, { bearer })).status
    expect(await remove(id)).toBe(204)
    expect(await stateOf()).toMatchObject({ count: 1, unprovenCount: 1, isSecondFactor: false })
    expect((await login()).status).toBe(200)
    expect(await remove(unasked.id)).toBe(204)
    expect(await stateOf()).toEqual({ userHandle: expect.any(String), count: 0, isSecondFactor: false })
  })
})

describe('"This wasn\'t me"', () => {
  /** A thief signs in with the password, and their browser adds a passkey. */
  const steal = async (): Promise<SoftwarePasskey> => {
    const bearer = await signIn(service, person)
    return (await addUnaskedPasskey(service, { bearer })).passkey
  }

  it('ends the passkey, its sessions and the known password long after the email about it', async () => {
    const passkey = await steal()
    const token = await awaitReportToken(service, person, passkeyAdded)
    const used = await signInWithPasskey(service, passkey)
    expect(used.status).toBe(200)
    moveClock(200 * day)
    const again = await signInWithPasskey(service, passkey)
    const answer = await reportChange(service, token)
    expect([answer.status, answer.body]).toEqual([
      200,
      { email_restored: false, password_invalidated: true, reset_email_sent: true },
    ])
    expect((await signInWithPasskey(service, passkey)).body.reason).toBe('passkey_unknown')
    const thief = again.body.session_key
    expect((await client('GET', '/api/2/users/me', { bearer: thief })).status).toBe(401)
    expect((await login()).status).toBe(401)
    expect(await stateOf()).toMatchObject({ count: 0 })
    await readMailedToken(service, person.user.email, 'reset')
    // A repetition changes nothing more, and ends no later session.
    expect((await reportChange(service, token)).body).toEqual(answer.body)
  })

  it('ends it at once with the known password', async () => {
    const passkey = await steal()
    const answer = await reportChange(service, await awaitReportToken(service, person, passkeyAdded))
    expect(answer.body).toMatchObject({ password_invalidated: true })
    expect((await signInWithPasskey(service, passkey)).body.reason).toBe('passkey_unknown')
  })

  it('ends it also from the email about a later use of the password', async () => {
    const passkey = await steal()
    await signInWithPasskey(service, passkey)
    moveClock(30 * day)
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    const body = { username: person.user.username, password: person.password }
    expect((await client('POST', '/api/2/auth/login', { body, headers })).status).toBe(200)
    const answer = await reportChange(service, await awaitReportToken(service, person, newDevice))
    expect(answer.body).toMatchObject({ password_invalidated: true })
    expect(await findIds()).toEqual([])
    expect(await stateOf()).toMatchObject({ count: 0 })
  })

  it('after its time, neither changes a newer password nor decides for a new mailbox, and ends nothing that was asked for', async () => {
    const asked = await addPasskey(service, person)
    const passkey = await steal()
    const token = await awaitReportToken(
      service,
      person,
      passkeyAdded,
      await awaitReportToken(service, person, passkeyAdded),
    )
    moveClock(8 * day)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const renamed = await client('PATCH', `/api/2/users/${person.user.id}`, {
      bearer: admin.bearer,
      body: { email: `${randomUUID()}@example.com` },
    })
    expect(renamed.status).toBe(200)
    // An administrator who changes the address ends all links in earlier emails.
    expect((await reportChange(service, token)).status).toBe(400)
    expect(await findIds()).toContain(asked.id)
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
  })

  it('does nothing after its time for a passkey that its owner asked for', async () => {
    const { passkey } = await addPasskey(service, person)
    const token = await awaitReportToken(service, person, passkeyAdded)
    moveClock(8 * day)
    expect((await reportChange(service, token)).status).toBe(400)
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
  })
})
