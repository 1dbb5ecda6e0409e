import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readAuditItems } from '../support/audit-items.ts'
import type { JsonValue } from '../support/client.ts'
import { addPasskey, type Deviation, SoftwarePasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, type SignedInPerson, signIn, trySignIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* A browser may add a passkey without a question after a sign-in with a password. Nobody else may, and nothing else counts less. */

vi.useFakeTimers({ toFake: ['Date'] })
const service = await useService({ RATE_LIMITS: 'passkeyChallenges=100000/60' })
afterAll(() => vi.useRealTimers())
const { client } = service
const path = '/api/2/users/me/passkeys'
const silent: Deviation = { isPresent: false, isVerified: false }
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
})
afterEach(() => storeSignInPolicy(service, {}))

const start = (bearer = person.bearer, body: object = { is_conditional: true }) =>
  client('POST', `${path}/options`, { bearer, body })
const create = (credential: JsonValue, bearer = person.bearer) =>
  client('POST', path, { bearer, body: { credential } })
const optionsOf = async (...given: Parameters<typeof start>): Promise<JsonValue> => {
  const { status, body } = await start(...given)
  expect(status).toBe(200)
  return body
}
const refused = { status: 403, body: { code: 'permission_denied' } }

describe('a passkey without a question', () => {
  it('needs neither presence nor verification, is recorded, reported by email, and signs in with verification', async () => {
    const options = await optionsOf()
    expect(options.authenticatorSelection.userVerification).toBe('preferred')
    const passkey = new SoftwarePasskey()
    const created = await create(passkey.create(options, silent))
    expect(created).toMatchObject({ status: 201, body: { is_user_verified: false } })
    const events = (await readAuditItems(service.services.table)).filter(
      ({ user }) => user === person.user.id,
    )
    expect(events.filter(({ event }) => event === 'passkey.added')).toHaveLength(1)
    await service.mailbox.mailTo(person.user.email, ({ text }) => /passkey/i.test(text))
    expect((await signInWithPasskey(service, passkey, { isVerified: false })).body.reason).toBe(
      'user_verification_required',
    )
    expect((await signInWithPasskey(service, passkey, { isPresent: false })).body.reason).toBe(
      'passkey_invalid',
    )
    expect((await signInWithPasskey(service, passkey)).status).toBe(200)
  })

  it('is for its kind of options alone: a passkey that a person asks for proves presence and verification', async () => {
    for (const body of [{}, { is_conditional: false }])
      for (const deviation of [silent, { isPresent: false }, { isVerified: false }])
        expect(
          (await create(new SoftwarePasskey().create(await optionsOf(person.bearer, body), deviation)))
            .status,
        ).toBe(400)
    const empty = await client('POST', `${path}/options`, { bearer: person.bearer })
    expect((await create(new SoftwarePasskey().create(empty.body, silent))).status).toBe(400)
    expect((await create(new SoftwarePasskey().create(empty.body))).status).toBe(201)
  })

  it('is added once for its options, and in the session that asked', async () => {
    const options = await optionsOf()
    const other = await signIn(service, person)
    const stranger = await addSignedIn(service)
    for (const bearer of [other, stranger.bearer])
      expect((await create(new SoftwarePasskey().create(options, silent), bearer)).status).toBe(400)
    const credentials = Array.from({ length: 20 }, () => new SoftwarePasskey().create(options, silent))
    const answers = await Promise.all(credentials.map((credential) => create(credential)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it.each<readonly [string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['a frame of another site', { crossOrigin: true }],
    ['another challenge', { challenge: 'AAAA' }],
    ['the answer to another question', { type: 'webauthn.get' }],
  ])('is refused with %s', async (_, deviation) => {
    const credential = new SoftwarePasskey().create(await optionsOf(), { ...silent, ...deviation })
    expect((await create(credential)).status).toBe(400)
  })
})

describe('a session gets no passkey without a question', () => {
  it('minutes after the sign-in, neither at the start nor at the end', async () => {
    const options = await optionsOf()
    vi.setSystemTime(Date.now() + 4.9 * 60_000)
    const later = await optionsOf()
    vi.setSystemTime(Date.now() + 0.2 * 60_000)
    expect(await start()).toMatchObject(refused)
    for (const one of [options, later])
      expect((await create(new SoftwarePasskey().create(one, silent))).status).toBe(400)
  })

  it('after its owner confirmed their identity', async () => {
    const { bearer, password } = person
    vi.setSystemTime(Date.now() + 6 * 60_000)
    expect((await client('POST', '/api/2/auth/reauthenticate', { bearer, body: { password } })).status).toBe(
      204,
    )
    expect(await start()).toMatchObject(refused)
  })

  it('that a passkey opened', async () => {
    const { passkey } = await addPasskey(service, person)
    const { body } = await signInWithPasskey(service, passkey)
    expect(await start(body.session_key)).toMatchObject(refused)
  })

  it('that is limited to something', async () => {
    const plain = await addPerson(service)
    for (const policy of [{ passkeys_only: true }, { second_factor_for_everybody: true }]) {
      await storeSignInPolicy(service, policy)
      const { body } = await trySignIn(service, plain, { second_factor_setup: true })
      expect(await start(body.session_key)).toMatchObject(refused)
    }
  })

  it('that impersonates somebody, and no API token gets one', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { body } = await client('POST', '/api/2/api-tokens', {
      bearer: admin.bearer,
      body: { name: 'token' },
    })
    expect((await start(body.token)).status).toBe(403)
    await client('POST', '/api/2/auth/impersonation', {
      bearer: admin.bearer,
      body: { user: person.user.id },
    })
    expect((await start(admin.bearer)).status).toBe(403)
  })

  it('where the policy says so', async () => {
    await storeSignInPolicy(service, { passkey_upgrades: false })
    expect(await start()).toMatchObject(refused)
    expect((await start(person.bearer, {})).status).toBe(200)
  })

  it('by other values of the field', async () => {
    for (const is_conditional of ['true', 1, null, {}])
      expect((await start(person.bearer, { is_conditional })).status).toBe(400)
  })
})
