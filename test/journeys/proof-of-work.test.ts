import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { acceptInvitation } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { proveWork } from '../support/proof-of-work.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* People behind a network that sent half of the emails that it may, or is above another limit. */

const limits = [
  ...['signUpsPerAddress', 'resetRequestsPerAddress', 'emailCodeRequestsPerAddress'],
  ...['passkeyChallenges', 'signInRoutes'],
]
const service = await useService({ RATE_LIMITS: limits.map((name) => `${name}=6/3600`).join(', ') })
const password = 'violet tractor under nine moons'
const post = (path: string, body: object) => service.client('POST', `/api/2/auth/${path}`, { body })

/** Sends what needs no proof, for somebody else, and then this body with a proof. */
const sendUnderPressure = async (path: string, other: object, body: object): Promise<void> => {
  for (let at = 0; at < 3; at++) expect((await post(path, other)).status).toBeLessThan(300)
  const asked = await post(path, body)
  expect(asked).toMatchObject({ status: 429, body: { reason: 'proof_required' } })
  expect((await post(path, { ...body, proof: await proveWork(asked) })).status).toBeLessThan(300)
}

it('somebody signs up, and gets the account', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const policy = { bearer: admin.bearer, body: { mode: 'open' } }
  expect((await service.client('PUT', '/api/2/system/sign-up-policy', policy)).status).toBe(200)
  const email = `${randomUUID()}@example.com`
  await sendUnderPressure('sign-up', { email: `${randomUUID()}@example.com` }, { email })
  const token = await readMailedToken(service, email, 'sign-up')
  const { body } = await post('sign-up/complete', { token, full_name: 'Grace Hopper' })
  expect((await acceptInvitation(service, body.invitation_token, password)).status).toBe(200)
  expect((await post('login', { username: email, password })).status).toBe(200)
})

it('somebody resets their password', async () => {
  const email = `${randomUUID()}@example.com`
  const person = await addPerson(service, { email })
  await sendUnderPressure('reset-password/request', { username: randomUUID() }, { email })
  const token = await readMailedToken(service, email, 'reset')
  expect((await post('reset-password', { token, password })).status).toBe(204)
  await signIn(service, { ...person, password })
})

it('somebody signs in with a code', async () => {
  await storeSignInPolicy(service, { allow_email_codes: true })
  const email = `${randomUUID()}@example.com`
  await addPerson(service, { email })
  await sendUnderPressure('email-code', { username: randomUUID() }, { username: email })
  await service.mailbox.mailTo(email, ({ text }) => /^\d{4} \d{4}$/m.test(text))
})

it('somebody gets the options for a passkey', async () => {
  for (let at = 0; at < 6; at++) expect((await post('passkeys/options', {})).status).toBe(200)
  const asked = await post('passkeys/options', {})
  expect(asked).toMatchObject({ status: 429, body: { reason: 'proof_required' } })
  expect((await post('passkeys/options', { proof: await proveWork(asked) })).status).toBe(200)
  const known = await signInByPage()
  const headers = { origin: service.url, cookie: known }
  const answer = await service.client('POST', '/api/2/auth/passkeys/options', { body: {}, headers })
  expect(answer.status).toBe(200)
})

/** Signs somebody in on a page, and returns the cookie by which the browser is known. */
const signInByPage = async (): Promise<string> => {
  const { user, password: given } = await addPerson(service)
  const { cookies } = await service.client('POST', '/api/2/auth/login', {
    body: { username: user.username, password: given },
    headers: { origin: service.url },
  })
  return cookies.find((cookie) => cookie.includes('latchkey-device='))?.split(';')[0] ?? ''
}

it('somebody starts a sign-in at a provider with a proof, which is looked at before the provider', async () => {
  const path = '/api/2/auth/oidc-connections/987654/start?prove=true'
  const asked = await service.client('GET', path)
  expect(asked).toMatchObject({ status: 429, body: { reason: 'proof_required' } })
  const proof = encodeURIComponent(await proveWork(asked))
  expect((await service.client('GET', `${path}&proof=${proof}`)).status).toBe(404)
})
