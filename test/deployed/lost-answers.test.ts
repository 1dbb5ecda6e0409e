import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startDeployedService } from '../runner/deployed-service.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeIdp } from '../support/idp.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  proveClient,
  readRedirect,
} from '../support/oidc.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { addProvider, signInByConnection } from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'

/*
 * The answer to each write is lost once, after the table has carried it out. Functions repeat the call, and read what
 * is stored if they cannot know whether a condition failed because of their own first attempt. Roles must allow that.
 */

const service = closeAfterTests(await startDeployedService({ PUBLIC_URL: 'https://auth.example.com' }, {}))
const email = `admin-${randomUUID()}@example.com`
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], email })
beforeEach(() => {
  service.deployment.loseAnswers(
    ({ accessKeyId, action }) =>
      accessKeyId.startsWith('Auth') && /^(Put|Update|Delete|Transact)/.test(action),
  )
})
afterEach(() => service.deployment.loseAnswers(() => false))

const post = async (path: string, body: object, bearer = admin.bearer) => {
  const answer = await service.client('POST', `/api/2/${path}`, { bearer, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const get = async (path: string, bearer = admin.bearer) => {
  const answer = await service.client('GET', `/api/2/${path}`, { bearer })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const remove = async (path: string, bearer = admin.bearer) =>
  expect((await service.client('DELETE', `/api/2/${path}`, { bearer })).status).toBe(204)

it('signs in and out, also through a ticket', async () => {
  const person = await addPerson(service)
  const bearer = await signIn(service, person)
  const { ticket } = await post('auth/ticket', {}, bearer)
  expect((await post('auth/ticket/check', { ticket })).id).toBe(person.user.id)
  await post('auth/logout', {}, bearer)
})

it('asks for a code by email, and counts a wrong one', async () => {
  await storeSignInPolicy(service, { allow_email_codes: true })
  const { user } = await addPerson(service, { email: `${randomUUID()}@example.com` })
  const { request_id } = await post('auth/email-code', { username: user.username })
  const body = { request_id, code: '0000 0000' }
  const answer = await service.client('POST', '/api/2/auth/email-code/login', { body })
  expect(answer).toMatchObject({ status: 401, body: { reason: 'email_code_invalid' } })
})

it('impersonates a user', async () => {
  const { user } = await addPerson(service)
  const bearer = await signIn(service, admin)
  await post('auth/impersonation', { user: user.id }, bearer)
  expect((await get('users/me', bearer)).id).toBe(user.id)
  await post('auth/impersonation/stop', {}, bearer)
})

it('manages users, groups and templates', async () => {
  const template = await post('user-templates', { name: `template ${randomUUID()}` })
  const group = await post('groups', { name: `group ${randomUUID()}` })
  const user = await post('users', { username: randomUUID(), groups: [group.id], permissions: [] })
  expect((await get(`users/${user.id}`)).groups).toEqual([group.id])
  await remove(`users/${user.id}`)
  await remove(`groups/${group.id}`)
  await remove(`user-templates/${template.id}`)
})

it('registers OpenID Connect clients', async () => {
  const body = { name: `client ${randomUUID()}`, redirect_uris: ['https://shop.example/callback'] }
  const { id, client_secret } = await post('oidc-clients', body)
  const renewed = await post(`oidc-clients/${id}/secret`, { keep_previous_for: 3600 })
  expect(renewed.client_secret).not.toBe(client_secret)
  const [, previous] = (await get(`oidc-clients/${id}`)).client_secrets
  await remove(`oidc-clients/${id}/secrets/${previous.id}`)
  expect((await get('oidc-clients')).map((client: { id: number }) => client.id)).toContain(id)
  await remove(`oidc-clients/${id}`)
})

it('takes a pushed authorization request once', async () => {
  const party = await addRelyingParty(service)
  const pushed = await fetch(`${service.url}/oauth2/par`, {
    method: 'POST',
    body: buildAuthorization(party, createPkce().challenge, proveClient(party)),
  })
  const answer: Answer['body'] = await pushed.json()
  const query = new URLSearchParams({ client_id: party.client.clientId, request_uri: answer.request_uri })
  const start = () => service.client('GET', `/oauth2/authorize?${query}`, { bearer: admin.bearer })
  expect(readRedirect(await start())).toHaveProperty('code')
  expect((await start()).status).toBe(400)
})

it('manages API tokens and access links', async () => {
  const token = randomBytes(32).toString('base64url')
  const made = await post('api-tokens', { name: 'chosen', token })
  expect((await get('users/me', token)).id).toBe(admin.user.id)
  await remove(`api-tokens/${made.id}`)
  const link = await post('auth/access-tokens', { bundles: [{ id: 1, name: 'A', root: 1, path: '/' }] })
  await post('auth/access-tokens/redeem', { token: link.token })
  await remove(`auth/access-tokens/${link.id}`)
})

it('creates signing keys, and signs JWTs for API tokens and guests', async () => {
  const [signingKeys] = [...service.deployment.functions].filter(([id]) => id.startsWith('AuthSigningKeys'))
  await signingKeys?.[1].invoke({})
  expect((await service.client('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(2)
  const token = randomBytes(32).toString('base64url')
  await post('api-tokens', { name: 'chosen', token })
  expect((await post('auth/jwt', {}, token)).token).toMatch(/^eyJ/)
  const link = await post('auth/access-tokens', { bundles: [{ id: 1, name: 'A', root: 1, path: '/' }] })
  const { session_key } = await post('auth/access-tokens/redeem', { token: link.token })
  expect((await post('auth/jwt', {}, session_key)).token).toMatch(/^eyJ/)
})

it('registers passkeys and signs in through a provider', async () => {
  const person = await addSignedIn(service)
  const { id } = await addPasskey(service, person)
  await remove(`users/me/passkeys/${id}`, person.bearer)
  const provider = await addProvider(service, await makeIdp())
  const { session } = await signInByConnection(service, provider)
  await get('users/me', session)
  await remove(`auth/saml/${provider.id}`)
})

it('reports a leaked credential', async () => {
  const person = await addSignedIn(service)
  await post('auth/leaked', { token: person.bearer })
  expect((await service.client('GET', '/api/2/users/me', { bearer: person.bearer })).status).toBe(401)
})

it('sends an email once', async () => {
  // The SDK repeats a limited number of calls in a process, and notices of the other tests used the mailer's up.
  for (const [id, running] of service.deployment.functions)
    if (id.startsWith('AuthMailerFunction')) await running.stop()
  const email = `${randomUUID()}@example.com`
  await addPerson(service, { email })
  await post('auth/reset-password/request', { email })
  await service.mailbox.mailTo(email)
  await service.deployment.stream.whenIdle()
  expect(service.mailbox.mailsTo(email)).toHaveLength(1)
})
