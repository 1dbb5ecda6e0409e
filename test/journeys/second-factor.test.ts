import { afterAll, expect, it, vi } from 'vitest'
import { enableSecondFactor, newAuthenticator } from '../support/authenticator.ts'
import { SoftwarePasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { openRememberingBrowser } from '../support/remembered-devices.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
afterAll(() => vi.useRealTimers())

const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

it('a second factor works from setup to removal', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const person = await addPerson(service)
  const bearer = await signIn(service, person)
  const path = `/api/2/users/${person.user.id}/totp`
  const { key, code } = newAuthenticator()
  const login = async (otp?: string) => {
    const body = { username: person.user.username, password: person.password, otp }
    const answer = await service.client('POST', '/api/2/auth/login', { body })
    return answer.body.reason ?? answer.status
  }

  const enabled = await service.client('POST', path, { bearer, body: { key, otp: code() } })
  expect(enabled.status).toBe(200)
  const [recoveryCode, another, third] = enabled.body.recovery_codes

  wait(60)
  expect(await login()).toBe('otp_required')
  expect(await login('000 000')).toBe('otp_invalid')
  expect(await login(code())).toBe(200)
  expect(await login(code())).toBe('otp_invalid')

  expect(await login(recoveryCode)).toBe(200)
  expect(await login(recoveryCode)).toBe('otp_invalid')

  // The phone was not used for a while, and its clock is four minutes off.
  wait(3600)
  expect(await login(code(8))).toBe('otp_invalid')
  // Changes of the second factor require a recent proof of identity. A recovery code does not depend on the clock.
  const stale = await service.client('PUT', path, { bearer, body: { otp: code(8) } })
  expect(stale.body.reason).toBe('reauthentication_required')
  const proofs = { password: person.password, otp: third }
  const confirmed = await service.client('POST', '/api/2/auth/reauthenticate', { bearer, body: proofs })
  expect(confirmed.status).toBe(204)
  const synced = await service.client('PUT', path, { bearer, body: { otp: code(8) } })
  expect(synced.body).toEqual({ drift: 8 })
  expect(await login(code(8))).toBe('otp_invalid')
  wait(30)
  expect(await login(code(8))).toBe(200)

  expect((await service.client('DELETE', path, { bearer })).body.reason).toBe('otp_required')
  expect((await service.client('DELETE', `${path}?otp=${another}`, { bearer })).status).toBe(204)
  expect(await login()).toBe(200)
  expect((await service.client('GET', '/api/2/users/me', { bearer })).body.totp_enabled).toBe(false)
})

it('a browser is remembered after a second factor, until its user ends that', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await storeSignInPolicy(service, { remembered_device_days: 30 })
  const person = await addSignedIn(service)
  const { authenticator } = await enableSecondFactor(service, person)
  const browser = openRememberingBrowser(service)
  const asked = await browser.signIn(person)
  expect(asked.body).toMatchObject({ reason: 'otp_required', remember_device_days: 30 })
  wait(60)
  const proven = await browser.signIn(person, { otp: authenticator.code(), remember_device: true })
  expect(proven.status).toBe(200)
  expect((await browser.signIn(person)).status).toBe(200)
  expect((await openRememberingBrowser(service).signIn(person)).body.reason).toBe('otp_required')

  const { session_key: bearer } = proven.body
  const path = `/api/2/users/${person.user.id}/remembered-devices`
  const { body: devices } = await service.client('GET', path, { bearer })
  expect(devices).toHaveLength(1)
  expect((await service.client('DELETE', `${path}/${devices[0].id}`, { bearer })).status).toBe(204)
  expect((await browser.signIn(person)).body.reason).toBe('otp_required')
})

it('a password manager adds a passkey right after a password, and it signs in', async () => {
  await storeSignInPolicy(service, {})
  const { bearer } = await addSignedIn(service)
  const path = '/api/2/users/me/passkeys'
  const body = { is_conditional: true }
  const options = await service.client('POST', `${path}/options`, { bearer, body })
  const passkey = new SoftwarePasskey()
  const credential = passkey.create(options.body, { isPresent: false, isVerified: false })
  expect((await service.client('POST', path, { bearer, body: { credential } })).status).toBe(201)
  expect((await signInWithPasskey(service, passkey)).status).toBe(200)
})
