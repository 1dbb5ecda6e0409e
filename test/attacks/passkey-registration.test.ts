import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { passkeyAttacks } from '../support/passkey-attacks.ts'
import {
  addPasskey,
  SoftwarePasskey,
  signInWithPasskey,
  startPasskeySignIn,
  startRegistration,
} from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'passkeyChallenges=10000/60,lookUpFailures=10000/60' })
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service)
})

const path = '/api/2/users/me/passkeys'
const register = (credential: JsonValue, { bearer } = person) =>
  service.client('POST', path, { bearer, body: { credential } })
describe('a registration', () => {
  it.each([
    ...passkeyAttacks,
    ['an unverified user', { isVerified: false }] as const,
    ['the data of a sign-in', { type: 'webauthn.get' }] as const,
    [
      'an attestation by a certificate',
      { format: 'packed', statement: new Map([['x5c', [Buffer.alloc(9)]]]) },
    ] as const,
    ['an unknown attestation', { format: 'tpm' }] as const,
    ['a none attestation with content', { statement: new Map([['alg', -7]]) }] as const,
  ])('is refused with %s', async (_, deviation) => {
    const credential = new SoftwarePasskey().create(await startRegistration(service, person), deviation)
    const answer = await register(credential)
    expect(answer.body).toMatchObject({ status: 400, errors: [{ field: 'credential' }] })
    expect((await service.client('GET', path, { bearer: person.bearer })).body).toEqual([])
  })

  it('is refused with a key of an algorithm that was not offered', async () => {
    const passkey = new SoftwarePasskey({ algorithm: 'ES384' })
    expect((await register(passkey.create(await startRegistration(service, person)))).status).toBe(400)
  })

  it('is refused twice, also in parallel', async () => {
    const options = await startRegistration(service, person)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => register(new SoftwarePasskey().create(options))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await register(new SoftwarePasskey().create(options))).status).toBe(400)
    expect((await service.client('GET', path, { bearer: person.bearer })).body).toHaveLength(1)
  })

  it('is refused for options of another session, another user or another purpose', async () => {
    const other = await addSignedIn(service)
    const again = await trySignIn(service, person)
    const secondSession = { ...person, bearer: again.body.session_key }
    for (const { bearer } of [other, secondSession]) {
      const options = await startRegistration(service, { bearer })
      expect((await register(new SoftwarePasskey().create(options))).status).toBe(400)
    }
    const { challenge } = await startPasskeySignIn(service)
    const options = { ...(await startRegistration(service, person)), challenge }
    expect((await register(new SoftwarePasskey().create(options))).status).toBe(400)
  })

  it('is refused when it is late', async () => {
    const options = await startRegistration(service, person)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_001 })
    const answer = await register(new SoftwarePasskey().create(options))
    vi.useRealTimers()
    expect(answer.status).toBe(400)
  })

  it('cannot take over the credential ID of a passkey, of the same or another user', async () => {
    const { passkey } = await addPasskey(service, person)
    const thief = await addSignedIn(service)
    for (const caller of [person, thief]) {
      const copy = new SoftwarePasskey({ credentialId: passkey.id })
      const answer = await register(copy.create(await startRegistration(service, caller)), caller)
      expect(answer.body).toMatchObject({ status: 409, detail: 'This passkey is already registered.' })
      expect((await signInWithPasskey(service, copy)).status).toBe(401)
    }
    expect((await signInWithPasskey(service, passkey)).body.user.id).toBe(person.user.id)
  })

  it.each([
    ['no credential', {}],
    ['null', { credential: null }],
    ['a list', { credential: [] }],
    ['text that is not base64url', { credential: { id: '!', rawId: '!', type: 'public-key', response: {} } }],
    ['an unknown field', { credential: {}, user_id: 1 }],
    ['a long name', { name: 'x'.repeat(101) }],
  ])('is refused with %s', async (_, body) => {
    const { bearer } = person
    expect((await service.client('POST', path, { bearer, body })).status).toBe(400)
  })

  it('never fails with an internal error, however it is broken', async () => {
    const credential = new SoftwarePasskey().create(await startRegistration(service, person))
    for (const name of ['clientDataJSON', 'attestationObject'])
      for (const broken of ['A', 'AAAA', '_'.repeat(8000), credential.response[name].slice(0, -40)]) {
        const response = { ...credential.response, [name]: broken }
        expect((await register({ ...credential, response })).status).toBe(400)
      }
    expect((await register({ ...credential, id: 'AAAA' })).status).toBe(400)
    expect((await register({ ...credential, id: 'AAAA', rawId: 'AAAA' })).status).toBe(400)
    expect((await register(credential)).status).toBe(201)
  })
})
