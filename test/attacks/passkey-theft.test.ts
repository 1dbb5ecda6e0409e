import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findPasskeys } from '../../lib/features/passkeys/records.ts'
import { addPasskey, SoftwarePasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { awaitReportToken, reportChange } from '../support/security-emails.ts'
import { useService } from '../support/use-service.ts'

/* A thief has a fresh session of the victim, and adds passkeys. The victim reads the email about it. */

const service = await useService({ RATE_LIMITS: 'securityNotices=1000/60' })
let victim: SignedInPerson
let own: SoftwarePasskey
beforeEach(async () => {
  victim = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
  own = (await addPasskey(service, victim)).passkey
})
afterEach(() => vi.useRealTimers())

const passkeysOf = async () => {
  const { table } = service.services
  const stored = await findPasskeys(table, victim.user.id)
  return { stored: stored.length, state: (await findUser(table, victim.user.id))?.passkeys }
}

it('removes the passkeys that were added since the reported change, and keeps older ones', async () => {
  const known = await awaitReportToken(service, victim, 'A passkey was added')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  const { passkey: stolen } = await addPasskey(service, victim)
  const token = await awaitReportToken(service, victim, 'A passkey was added', known)
  const later = (await addPasskey(service, victim)).passkey
  expect((await signInWithPasskey(service, stolen)).status).toBe(200)
  expect((await reportChange(service, token)).status).toBe(200)
  for (const passkey of [stolen, later])
    expect((await signInWithPasskey(service, passkey)).body.reason).toBe('passkey_unknown')
  expect((await signInWithPasskey(service, own)).status).toBe(200)
  const { stored, state } = await passkeysOf()
  expect([stored, state?.count]).toEqual([1, 1])
})

it('lets the victim sign in again after a thief required passkeys with the password', async () => {
  await addPasskey(service, victim)
  const { bearer } = victim
  const body = { required_with_password: true }
  await service.client('PUT', '/api/2/users/me/passkeys/settings', { bearer, body })
  const token = await awaitReportToken(service, victim, 'Your password now requires a passkey')
  expect((await reportChange(service, token)).status).toBe(200)
  expect((await passkeysOf()).state?.isSecondFactor).toBe(false)
  const login = { username: victim.user.username, password: victim.password }
  const answer = await service.client('POST', '/api/2/auth/login', { body: login })
  expect(answer.body.reason).not.toBe('passkey_required')
})

it('ends the passkey of a thief with the account, for a user manager as well', async () => {
  const manager = await addSignedIn(service, { permissions: ['users:manage'] })
  const { passkey, id } = await addPasskey(service, victim, new SoftwarePasskey())
  const path = `/api/2/users/${victim.user.id}/passkeys/${id}`
  expect((await service.client('DELETE', path, { bearer: manager.bearer })).status).toBe(204)
  expect((await signInWithPasskey(service, passkey)).status).toBe(401)
  expect((await signInWithPasskey(service, own)).status).toBe(200)
})
