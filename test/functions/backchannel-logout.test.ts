import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { logoutJobPartitions, sessionKey, userKey } from '../../lib/store/engine/keys.ts'
import { takeLogoutJob } from '../../lib/store/oidc/logout-jobs.ts'
import { formatSessionClient } from '../../lib/store/records/session-client.ts'
import { readAuditItems } from '../support/audit-items.ts'
import {
  type LogoutReceiver,
  type ReceivingClient,
  startLogoutReceiver,
  useClient,
  verifyLogoutToken,
} from '../support/logout-receiver.ts'
import { addPerson, addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let receiver: LogoutReceiver
let admin: SignedInPerson
let person: SignedInPerson
let product: ReceivingClient
const minute = 60_000
beforeAll(async () => {
  service = await startService({}, { sendsMail: false })
  receiver = await startLogoutReceiver(service)
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
})
beforeEach(async () => {
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
  product = await receiver.addClient()
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

const post = (path: string, options: Parameters<TestService['client']>[2]) =>
  service.client('POST', path, options)
const logOut = (bearer = person.bearer) => post('/api/2/auth/logout', { bearer })
const pathOf = ({ user }: { readonly user: { readonly id: number } }) => `/api/2/users/${user.id}`
const readJobs = async () => {
  const lists = await Promise.all(logoutJobPartitions.map((pk) => service.services.table.list(pk, '')))
  return lists.flat()
}
/** Moves the clock, as if the function had been started again later. */
const informLater = async (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  await service.informClients()
}

describe('a logout token', () => {
  it('names the session and the user, and is signed for this client alone', async () => {
    const other = await receiver.addClient()
    const sid = await useClient(service, person.bearer, product.client)
    await useClient(service, person.bearer, other.client)
    await logOut()
    await service.informClients()
    expect([product.tokens.length, other.tokens.length]).toEqual([1, 1])
    const [token = ''] = product.tokens
    const { payload } = await verifyLogoutToken(service, token, product.client)
    expect(payload).toMatchObject({
      sub: String(person.user.id),
      sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
    await expect(verifyLogoutToken(service, token, other.client)).rejects.toThrow()
    expect(await readJobs()).toEqual([])
    await informLater(minute)
    expect(product.tokens).toHaveLength(1)
  })

  it('is no credential of the service', async () => {
    await useClient(service, person.bearer, product.client)
    await logOut()
    await service.informClients()
    const [bearer = ''] = product.tokens
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
  })

  it('names the impersonated user, whom the client knows', async () => {
    const cookie = `latchkey=${admin.bearer}`
    const started = await post('/api/2/auth/impersonation', {
      headers: { cookie },
      body: { user: person.user.id },
    })
    const [, credential = ''] = /^latchkey=([^;]+)/.exec(started.cookies[0] ?? '') ?? []
    await useClient(service, credential, product.client, person.user.id)
    const stopped = await post('/api/2/auth/impersonation/stop', {
      headers: { cookie: `latchkey=${credential}` },
    })
    const [, next = ''] = /^latchkey=([^;]+)/.exec(stopped.cookies[0] ?? '') ?? []
    admin = { ...admin, bearer: next }
    await service.informClients()
    const { payload } = await verifyLogoutToken(service, product.tokens[0] ?? '', product.client)
    expect(payload.sub).toBe(String(person.user.id))
    expect(await readJobs()).toEqual([])
  })
})

describe('clients are informed', () => {
  const newPassword = 'Another password of theirs 42'
  const ends: Readonly<Record<string, () => Promise<{ readonly status: number }>>> = {
    'users sign out': () => logOut(),
    'users end one of their sessions': async () => {
      const bearer = await signIn(service, person)
      const list = await service.client('GET', '/api/2/auth/sessions', { bearer })
      const [{ id }] = list.body.filter(({ current }: { current: boolean }) => !current)
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
        set: [`${x.path('passwordChangeRequired')} = ${x.value(true)}`],
      }))
      const { username } = person.user
      const body = { username, password: person.password, new_password: newPassword }
      return post('/api/2/auth/login', { body })
    },
    'administrators end all sessions': () =>
      service.client('DELETE', `${pathOf(person)}/sessions`, { bearer: admin.bearer }),
    'administrators set a password': () =>
      post(`${pathOf(person)}/password`, { bearer: admin.bearer, body: { password: newPassword } }),
    'administrators disable the user': () =>
      service.client('PATCH', pathOf(person), { bearer: admin.bearer, body: { enabled: false } }),
    'administrators delete the user': () =>
      service.client('DELETE', pathOf(person), { bearer: admin.bearer }),
    'the credential is reported as leaked': () =>
      post('/api/2/auth/leaked', { body: { credentials: [person.bearer] } }),
  }
  it.each(Object.entries(ends))('when %s', async (_, end) => {
    await useClient(service, person.bearer, product.client)
    const answer = await end()
    expect(answer.status, JSON.stringify(answer)).toBeLessThan(300)
    await service.informClients()
    // A job for a user adds jobs for the sessions.
    await service.informClients()
    expect(product.tokens).toHaveLength(1)
    expect(await readJobs()).toEqual([])
  })
})
