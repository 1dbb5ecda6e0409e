import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeLogoutJob } from '../../lib/accounts/sessions/logout-jobs.records.ts'
import type { SessionRecord } from '../../lib/accounts/sessions/stored-session.records.ts'
import { buildSessionStep } from '../../lib/accounts/sessions/write-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { type ClientRecord, deleteClientRecord } from '../../lib/features/oauth/clients.records.ts'
import { formatSessionClient } from '../../lib/features/oauth/session-clients.records.ts'
import { logoutRetryMs } from '../../lib/kernel/limits/limits.ts'
import { logoutJobPartitions } from '../../lib/kernel/table/keys/job-keys.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import {
  type ReceivingClient,
  startLogoutReceiver,
  useClient,
  verifyLogoutToken,
} from '../support/logout-receiver.ts'
import { addStoredClient } from '../support/oidc-clients.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { sendsMail: false })
const receiver = closeAfterTests(await startLogoutReceiver(service))
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
let person: SignedInPerson
let product: ReceivingClient
const minute = 60_000
beforeEach(async () => {
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
  product = await receiver.addClient()
})
afterEach(() => vi.useRealTimers())

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
})

describe('no client is informed', () => {
  it('of sessions without clients, for which nothing is stored', async () => {
    await signIn(service, person)
    await logOut()
    await service.client('DELETE', `${pathOf(person)}/sessions`, { bearer: admin.bearer })
    expect(await readJobs()).toEqual([])
  })

  it('of a session that continues while the others of its user end', async () => {
    const other = await signIn(service, person)
    const ended = await receiver.addClient()
    await useClient(service, person.bearer, product.client)
    await useClient(service, other, ended.client)
    const body = { current_password: person.password, password: 'Another password of theirs 43' }
    await post('/api/2/users/me/password', { bearer: person.bearer, body })
    await service.informClients()
    await service.informClients()
    expect([product.tokens.length, ended.tokens.length]).toEqual([0, 1])
    await logOut()
    await service.informClients()
    expect(product.tokens).toHaveLength(1)
  })

  it('if the client was deleted or has no address', async () => {
    const { client } = await addStoredClient(service.services.table)
    await useClient(service, person.bearer, client)
    await useClient(service, person.bearer, product.client)
    await deleteClientRecord(service.services.table, product.client, [])
    await logOut()
    await service.informClients()
    expect(product.tokens).toEqual([])
    expect(await readJobs()).toEqual([])
  })
})

describe('a client that fails', () => {
  const endSession = async () => {
    const sid = await useClient(service, person.bearer, product.client)
    await logOut()
    return sid
  }

  it('is informed later by a new token, while others are informed once and at once', async () => {
    const other = await receiver.addClient()
    await useClient(service, person.bearer, other.client)
    const sid = await endSession()
    product.respond = (response) => response.writeHead(500).end()
    await service.informClients()
    await service.informClients()
    expect([product.tokens.length, other.tokens.length]).toEqual([1, 1])
    product.respond = (response) => response.writeHead(204).end()
    await informLater(minute)
    expect([product.tokens.length, other.tokens.length]).toEqual([2, 1])
    const [first, second] = await Promise.all(
      product.tokens.map((token) => verifyLogoutToken(service, token, product.client)),
    )
    expect(first?.payload['sid']).toBe(sid)
    expect(second?.payload['sid']).toBe(sid)
    expect(second?.payload.jti).not.toBe(first?.payload.jti)
    expect(await readJobs()).toEqual([])
  })

  const getFailures = async () => {
    const events = await readAuditItems(service.services.table)
    return events.filter(({ target }) => target === String(product.client.id))
  }
  const failure = { event: 'oidc_client.logout_failed' }

  it('is given up after hours, with an audit event', async () => {
    product.respond = (response) => response.writeHead(400).end('no')
    await endSession()
    await service.informClients()
    const waits = []
    for (let tries = 0; tries < 20; tries++) {
      const [job] = await readJobs()
      if (!job) break
      waits.push(Math.round((Number(job['nextTryAt']) - Date.now()) / minute))
      await informLater(Number(job['nextTryAt']) - Date.now())
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60])
    expect(product.tokens).toHaveLength(14)
    expect(await getFailures()).toMatchObject([{ ...failure, user: person.user.id, outcome: 'status' }])
  })

  it.each([
    ['resets the connection', (response: ServerResponse) => response.destroy(), 'answer'],
    [
      'redirects to a metadata service',
      (response: ServerResponse) =>
        response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
      'redirect',
    ],
  ])('is given up with the reason if it %s', async (_, respond, outcome) => {
    product.respond = respond
    await endSession()
    await service.informClients()
    expect(await getFailures()).toEqual([])
    await informLater(logoutRetryMs.total)
    expect(product.tokens).toHaveLength(2)
    expect(await getFailures()).toMatchObject([{ ...failure, user: person.user.id, outcome }])
    expect(await readJobs()).toEqual([])
  })

  it('is informed although the function that took the job stopped', async () => {
    await endSession()
    const [job] = await readJobs()
    if (!job) throw new Error('There is no job.')
    await takeLogoutJob(service.services.table, job, Date.now())
    await service.informClients()
    expect(product.tokens).toHaveLength(0)
    await informLater(2 * minute)
    expect(product.tokens).toHaveLength(1)
  })
})

describe('more sessions than a page that end at once', () => {
  const addSessions = async (count: number, { clientId }: ClientRecord): Promise<void> => {
    const { table } = service.services
    const user = await findUser(table, person.user.id)
    if (!user) throw new Error('The user is missing.')
    const clients = new Set([formatSessionClient({ clientId, subject: user.id })])
    const sessions = Array.from({ length: count }, (_, id): SessionRecord => {
      const at = Date.now()
      const times = { createdAt: at, lastSeenAt: at, expiresAt: at + minute }
      const authentication = { at, methods: ['pwd'] } as const
      const origin = { address: '192.0.2.1', userAgent: '', authentication }
      const { credentialEpoch } = user
      return {
        hash: randomUUID(),
        id: id + 1,
        userId: user.id,
        credentialEpoch,
        clients,
        ...times,
        ...origin,
      }
    })
    for (let at = 0; at < count; at += 100)
      await table.transact(sessions.slice(at, at + 100).map(buildSessionStep))
  }

  it('lead to one token each, and leave nothing', async () => {
    await useClient(service, person.bearer, product.client)
    // A page has 500 of them.
    await addSessions(519, product.client)
    await service.client('DELETE', `${pathOf(person)}/sessions`, { bearer: admin.bearer })
    await service.informClients()
    // Two functions at the same time share the jobs.
    await Promise.all([service.informClients(), service.informClients()])
    const sids = product.tokens.map((token) => decodeJwt(token)['sid'])
    expect(sids).toHaveLength(520)
    expect(new Set(sids).size).toBe(520)
    expect(await readJobs()).toEqual([])
  })

  it('try a client that fails only a few times, and the others for all of them', async () => {
    const other = await receiver.addClient()
    product.respond = (response) => response.writeHead(503).end()
    await useClient(service, person.bearer, product.client)
    await useClient(service, person.bearer, other.client)
    await addSessions(150, product.client)
    await service.client('DELETE', `${pathOf(person)}/sessions`, { bearer: admin.bearer })
    await service.informClients()
    await service.informClients()
    expect(product.tokens.length).toBeGreaterThan(0)
    expect(product.tokens.length).toBeLessThan(75)
    expect(other.tokens).toHaveLength(1)
    const left = await readJobs()
    expect(left.length).toBeGreaterThan(125)
    for (let at = 0; at < left.length; at += 100)
      await service.services.table.transact(
        left.slice(at, at + 100).map(({ pk, sk }) => ({ delete: { pk, sk } })),
      )
  })
})
