import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeIdp } from '../support/idp.ts'
import {
  type ReceivingClient,
  startLogoutReceiver,
  useClient,
  verifyLogoutToken,
} from '../support/logout-receiver.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { addProvider } from '../support/saml.ts'
import { addSamlUser, sendLogoutRequest } from '../support/saml-sign-out.ts'
import type { TestService } from '../support/service.ts'
import { useService } from '../support/use-service.ts'

/* Sessions end in many ways. OpenID Connect clients with tokens of a session learn of each of them. */

const service = await useService({}, { sendsMail: false })
const receiver = closeAfterTests(await startLogoutReceiver(service))
let admin: SignedInPerson = await addSignedIn(service, { permissions: ['system:admin-access'] })
let person: SignedInPerson
let product: ReceivingClient
beforeEach(async () => {
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
  product = await receiver.addClient()
})

const post = (path: string, options: Parameters<TestService['client']>[2]) =>
  service.client('POST', path, options)
const logOut = (bearer = person.bearer) => post('/api/2/auth/logout', { bearer })
const pathOf = ({ user }: { readonly user: { readonly id: number } }) => `/api/2/users/${user.id}`

describe('an impersonation', () => {
  it('names the impersonated user, whom the client knows', async () => {
    const started = await post('/api/2/auth/impersonation', {
      headers: { cookie: `latchkey=${admin.bearer}`, origin: service.url },
      body: { user: person.user.id },
    })
    const [, credential = ''] = /^latchkey=([^;]+)/.exec(started.cookies[0] ?? '') ?? []
    await useClient(service, credential, product.client, person.user.id)
    const stopped = await post('/api/2/auth/impersonation/stop', {
      headers: { cookie: `latchkey=${credential}`, origin: service.url },
    })
    const [, next = ''] = /^latchkey=([^;]+)/.exec(stopped.cookies[0] ?? '') ?? []
    admin = { ...admin, bearer: next }
    await service.informClients()
    const { payload } = await verifyLogoutToken(service, product.tokens[0] ?? '', product.client)
    expect(payload.sub).toBe(String(person.user.id))
  })
})

describe('clients are informed', () => {
  const newPassword = 'Another password of theirs 42'
  const ends: Readonly<Record<string, () => Promise<{ readonly status: number }>>> = {
    'users sign out': () => logOut(),
    'users end one of their sessions': async () => {
      const bearer = await signIn(service, person)
      const list = await service.client('GET', '/api/2/auth/sessions', { bearer })
      const [{ id }] = list.body.filter((one: { readonly is_current: boolean }) => !one.is_current)
      return service.client('DELETE', `/api/2/auth/sessions/${id}`, { bearer })
    },
    'users change their password in another session': async () =>
      post('/api/2/users/me/password', {
        bearer: await signIn(service, person),
        body: { current_password: person.password, password: newPassword },
      }),
    'users choose a required new password as they sign in': async () => {
      const { id } = person.user
      await service.services.table.update(userKey(id), (x) => ({
        set: [`${x.path('password_change_required')} = ${x.value(true)}`],
      }))
      const { username } = person.user
      const body = { username, password: person.password, new_password: newPassword }
      return post('/api/2/auth/login', { body })
    },
    'administrators end one session': async () => {
      const path = `${pathOf(person)}/sessions`
      const [{ id }] = (await service.client('GET', path, { bearer: admin.bearer })).body
      return service.client('DELETE', `${path}/${id}`, { bearer: admin.bearer })
    },
    'administrators end all sessions': () =>
      service.client('DELETE', `${pathOf(person)}/sessions`, { bearer: admin.bearer }),
    'administrators set a password': () =>
      post(`${pathOf(person)}/password`, { bearer: admin.bearer, body: { password: newPassword } }),
    'administrators disable the user': () =>
      service.client('PATCH', pathOf(person), { bearer: admin.bearer, body: { is_enabled: false } }),
    'administrators delete the user': () =>
      service.client('DELETE', pathOf(person), { bearer: admin.bearer }),
    'users remove a passkey in another session': async () => {
      const bearer = await signIn(service, person)
      const { id } = await addPasskey(service, { bearer })
      return service.client('DELETE', `/api/2/users/me/passkeys/${id}`, { bearer })
    },
    'the credential is reported as leaked': () =>
      post('/api/2/auth/leaked', { body: { token: person.bearer } }),
  }
  it.each(Object.entries(ends))('when %s', async (_, end) => {
    await useClient(service, person.bearer, product.client)
    const answer = await end()
    expect(answer.status, JSON.stringify(answer)).toBeLessThan(300)
    await service.informClients()
    // A job for a user adds jobs for the sessions.
    await service.informClients()
    expect(product.tokens).toHaveLength(1)
  })
})

it('clients are informed when an identity provider signs the user out', async () => {
  const provider = await addProvider(service, await makeIdp())
  const nameId = `${randomUUID()}@example.com`
  const { user, value } = await addSamlUser(service, provider, { nameId })
  const sid = await useClient(service, value, product.client)
  expect((await sendLogoutRequest(service, provider, { nameId })).status).toBe(303)
  await service.informClients()
  const { payload } = await verifyLogoutToken(service, product.tokens[0] ?? '', product.client)
  expect(payload).toMatchObject({ sid, sub: String(user.id) })
})
