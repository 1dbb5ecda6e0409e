import { beforeEach, describe, expect, it, vi } from 'vitest'
import { addPasskey, type SoftwarePasskey, startPasskeySignIn } from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'passkeyChallenges=60/60,lookUpFailures=20/60' })
let person: SignedInPerson
let passkey: SoftwarePasskey
beforeEach(async () => {
  person = await addSignedIn(service)
  passkey = (await addPasskey(service, person)).passkey
})

const setRequired = (isRequired: boolean) =>
  service.client('PUT', '/api/2/users/me/passkeys/settings', {
    bearer: person.bearer,
    body: { required_with_password: isRequired },
  })
const refused = { status: 401, reason: 'passkey_invalid' }

describe('proving the identity again with a passkey', () => {
  const base = '/api/2/auth/passkeys/reauthenticate'
  const start = async ({ bearer } = person) =>
    (await service.client('POST', `${base}/options`, { bearer })).body
  const prove = (credential: unknown, { bearer } = person) =>
    service.client('POST', base, { bearer, body: { credential } })

  it('works once, in the session that asked, with verification of the user', async () => {
    const options = await start()
    expect(options).toMatchObject({
      userVerification: 'required',
      allowCredentials: [{ type: 'public-key' }],
    })
    const credential = passkey.get(options)
    const other = { ...person, bearer: await signIn(service, person) }
    expect((await prove(credential, other)).body).toMatchObject(refused)
    expect((await prove(credential)).status).toBe(204)
    expect((await prove(credential)).body).toMatchObject(refused)
    expect((await prove(passkey.get(await start(), { isVerified: false }))).body.reason).toBe(
      'user_verification_required',
    )
  })

  it('is the only way for a user whose password requires a passkey', async () => {
    await addPasskey(service, person)
    expect((await setRequired(true)).status).toBe(200)
    const body = { password: person.password }
    const byPassword = await service.client('POST', '/api/2/auth/reauthenticate', {
      bearer: person.bearer,
      body,
    })
    expect(byPassword.body).toMatchObject({ status: 403, reason: 'passkey_required' })
    const change = () =>
      service.client('POST', '/api/2/users/me/password', {
        bearer: person.bearer,
        body: { current_password: person.password, password: 'another long password of theirs' },
      })
    expect((await change()).body).toMatchObject({ status: 403, reason: 'reauthentication_required' })
    expect((await prove(passkey.get(await start()))).status).toBe(204)
    expect((await change()).status).toBe(204)
  })

  it('lets an old session change passkeys again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 })
    const { bearer } = person
    const register = () => service.client('POST', '/api/2/users/me/passkeys/options', { bearer })
    const refusals = [
      await register(),
      await service.client('POST', '/api/2/users/me/passkeys', { bearer, body: {} }),
      await service.client('DELETE', '/api/2/users/me/passkeys/1', { bearer }),
      await setRequired(true),
    ]
    for (const { body } of refusals)
      expect(body).toMatchObject({ status: 403, reason: 'reauthentication_required' })
    expect((await prove(passkey.get(await start()))).status).toBe(204)
    expect((await register()).status).toBe(200)
    vi.useRealTimers()
  })

  it('is refused with the passkey of another user, or with options of a sign-in', async () => {
    const thief = await addSignedIn(service)
    const { passkey: own } = await addPasskey(service, thief)
    expect((await prove(own.get(await start()))).body.reason).toBe('passkey_unknown')
    expect((await prove(passkey.get(await startPasskeySignIn(service)))).body).toMatchObject(refused)
    const credential = passkey.get(await start())
    const signInWith = await service.client('POST', '/api/2/auth/passkeys/login', { body: { credential } })
    expect(signInWith.body).toMatchObject(refused)
  })
})

describe('a network that sends too much', () => {
  it('is stopped from failing, but signs in with a right passkey at any time', async () => {
    const login = (credential: unknown) =>
      service.client('POST', '/api/2/auth/passkeys/login', { body: { credential } })
    const options = await startPasskeySignIn(service)
    const wrong = passkey.get(options, { origin: 'https://attacker.example.com' })
    const statuses = new Set<number>()
    for (let times = 0; times < 25; times++) statuses.add((await login(wrong)).status)
    expect([...statuses].sort()).toEqual([401, 429])
    expect((await login(passkey.get(options))).status).toBe(200)
  })

  it('gets a limited number of challenges', async () => {
    const start = () => service.client('POST', '/api/2/auth/passkeys/options', { body: {} })
    const answers = await Promise.all(Array.from({ length: 61 }, start))
    const refusals = answers.filter(({ status }) => status === 429)
    expect(refusals.length).toBeGreaterThan(0)
    expect(refusals[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
  })
})
