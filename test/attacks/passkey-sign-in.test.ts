import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readAuditItems } from '../support/audit-items.ts'
import type { JsonValue } from '../support/client.ts'
import { passkeyAttacks } from '../support/passkey-attacks.ts'
import {
  addPasskey,
  SoftwarePasskey,
  signInWithPasskey,
  startPasskeySignIn,
  startRegistration,
} from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'passkeyChallenges=10000/60,lookUpFailures=10000/60' })
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service)
})

const login = (credential: JsonValue) =>
  service.client('POST', '/api/2/auth/passkeys/login', { body: { credential } })
const eventsOf = async (id: number | null) =>
  (await readAuditItems(service.services.table))
    .filter(({ user }) => user === id)
    .map(({ event, outcome }) => `${event} ${outcome}`)
const changeUser = (fields: object, { user } = person) =>
  service.services.table.update({ pk: `user#${user.id}`, sk: 'user' }, (x) => ({
    set: Object.entries(fields).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
  }))

describe('a sign-in', () => {
  let passkey: SoftwarePasskey
  beforeEach(async () => {
    passkey = (await addPasskey(service, person)).passkey
  })

  it.each([
    ...passkeyAttacks,
    ['the data of a registration', { type: 'webauthn.create' }] as const,
    ['the key of another passkey', { key: new SoftwarePasskey().key }] as const,
    ['another user handle', { userHandle: randomBytes(32).toString('base64url') }] as const,
    ['no user handle', { userHandle: null }] as const,
    ['a key that can no longer be backed up', { isBackupEligible: false }] as const,
  ])('is refused with %s', async (_, deviation) => {
    expect((await signInWithPasskey(service, passkey, deviation)).body).toMatchObject({
      status: 401,
      reason: 'passkey_invalid',
    })
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
  })

  it('is refused without verification of the user', async () => {
    const answer = await signInWithPasskey(service, passkey, { isVerified: false })
    expect(answer.body).toMatchObject({ status: 401, reason: 'user_verification_required' })
    expect(await eventsOf(person.user.id)).toContain('login.failed user_verification_required')
  })

  it('opens one session for one answer, also in parallel', async () => {
    const credential = passkey.get(await startPasskeySignIn(service))
    const answers = await Promise.all(Array.from({ length: 10 }, () => login(credential)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.reason))).toEqual(new Set([undefined, 'passkey_invalid']))
    expect((await login(credential)).status).toBe(401)
  })

  it('takes no answer for options of a registration', async () => {
    const { challenge } = await startRegistration(service, person)
    expect((await login(passkey.get({ challenge, rpId: '127.0.0.1' }))).status).toBe(401)
  })

  it('is refused when it is late', async () => {
    const options = await startPasskeySignIn(service)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_001 })
    const answer = await login(passkey.get(options))
    vi.useRealTimers()
    expect(answer.body.reason).toBe('passkey_invalid')
  })

  it('does not say whose passkeys exist', async () => {
    const options = await startPasskeySignIn(service)
    expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required' })
    const unknown = await signInWithPasskey(service, new SoftwarePasskey())
    expect(unknown.body).toMatchObject({ status: 401, reason: 'passkey_unknown' })
    expect(await eventsOf(null)).toContain('login.failed passkey_unknown')
  })

  it.each([
    ['disabled', { is_enabled: false }, 'account_disabled'],
    ['expired', { expiresAt: 1 }, 'account_disabled'],
    ['a guest', { isGuest: true, is_external: true }, 'passkey_invalid'],
    [
      'left to an identity provider',
      { passwordHash: null, allow_changing_password: false },
      'passkey_invalid',
    ],
  ])('is refused for an account that is %s', async (_, fields, reason) => {
    await changeUser(fields)
    const answer = await signInWithPasskey(service, passkey)
    expect(answer.body.reason).toBe(reason)
    expect(answer.cookies).toEqual([])
    expect(await eventsOf(person.user.id)).toContain(`login.failed ${reason}`)
  })

  it('gets a cookie only on a page of the service', async () => {
    const send = async (site: string) =>
      service.client('POST', '/api/2/auth/passkeys/login', {
        body: { credential: passkey.get(await startPasskeySignIn(service)) },
        headers: { 'sec-fetch-site': site },
      })
    expect((await send('same-origin')).cookies.join()).toContain('latchkey=lks_')
    expect((await send('cross-site')).cookies).toEqual([])
    expect((await send('same-site')).cookies).toEqual([])
  })

  it('ends with the other sessions when the password changes', async () => {
    const { session_key: bearer } = (await signInWithPasskey(service, passkey)).body
    const body = { current_password: person.password, password: 'another long password of theirs' }
    await service.client('POST', '/api/2/users/me/password', { bearer: person.bearer, body })
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
  })

  it('never fails with an internal error, however it is broken', async () => {
    const credential = passkey.get(await startPasskeySignIn(service))
    for (const name of ['clientDataJSON', 'authenticatorData', 'signature'])
      for (const broken of ['A', 'AAAA', '_'.repeat(8000), credential.response[name].slice(0, -8)]) {
        const answer = await login({ ...credential, response: { ...credential.response, [name]: broken } })
        expect(answer.status).toBe(401)
      }
    for (const rawId of ['AAAA', `${credential.rawId}AA`])
      expect((await login({ ...credential, rawId })).status).toBe(401)
    expect((await login(credential)).status).toBe(200)
  })
})

describe('a copied passkey', () => {
  it('is refused when its counter goes back, and its owner learns about it once a day', async () => {
    const owner = await addSignedIn(service, { email: `owner-${person.user.id}@example.com` })
    const { passkey } = await addPasskey(service, owner, new SoftwarePasskey({ counter: 5 }))
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
    for (const counter of [0, 5, 6, 6])
      expect((await signInWithPasskey(service, passkey, { counter })).body.reason).toBe('passkey_invalid')
    expect((await signInWithPasskey(service, passkey, { counter: 100 })).status).toBe(200)
    expect((await signInWithPasskey(service, passkey, { counter: 100 })).status).toBe(401)
    const events = await eventsOf(owner.user.id)
    expect(events.filter((event) => event === 'passkey.cloned refused')).toHaveLength(5)
    const mails = () =>
      service.mailbox
        .mailsTo(owner.user.email)
        .filter(({ subject }) => subject === 'A passkey was refused – Latchkey')
    await expect.poll(() => mails().length).toBe(1)
  })

  it('raises no alarm for passkeys that never count, nor for a repeated answer', async () => {
    const { passkey } = await addPasskey(service, person)
    const credential = passkey.get(await startPasskeySignIn(service))
    for (let times = 0; times < 3; times++) await login(credential)
    await signInWithPasskey(service, passkey)
    expect(await eventsOf(person.user.id)).not.toContain('passkey.cloned refused')
  })
})
