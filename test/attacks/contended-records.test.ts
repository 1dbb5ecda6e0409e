import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { TableCall } from '../infra/dynamodb-proxy.ts'
import type { StubAnswer } from '../infra/stub-server.ts'
import { cancellation, serviceError } from '../runner/strict-table/refusals.ts'
import type { Answer } from '../support/client.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startWatchedService, type WatchedService } from '../support/watched-table.ts'

/*
 * Other requests keep writing the records that a request writes, or the table has more requests than it serves. That is
 * no failure of the service: the request is refused, changes nothing, and succeeds later.
 */

let service: WatchedService
let admin: SignedInPerson
beforeAll(async () => {
  service = await startWatchedService()
  admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })
})
afterEach(() => service.restore())
afterAll(() => service.close())

const alwaysConflict = ({ action, input }: TableCall): StubAnswer | undefined => {
  if (action === 'TransactWriteItems')
    return cancellation(
      input.TransactItems.map((_: unknown, at: number) => (at === 0 ? 'TransactionConflict' : 'None')),
      { TransactionConflict: 'Transaction is ongoing for the item' },
    )
  return /^(Put|Update|Delete)/.test(action) ? serviceError('TransactionConflictException', 'x') : undefined
}

const call = (method: string, path: string, bearer: string | undefined, body?: object) =>
  service.client(method, `/api/2/${path}`, { ...(bearer ? { bearer } : {}), ...(body ? { body } : {}) })

const expectBusy = ({ status, text, body, headers }: Answer) => {
  expect(status, text).toBe(429)
  expect([body.code, headers.get('retry-after')]).toEqual(['too_many_requests', '1'])
}

it('a request whose records never become free is refused, and succeeds when it is repeated', async () => {
  const [user, other, changed] = await Promise.all([
    addSignedIn(service),
    addPerson(service),
    addPerson(service),
  ])
  const bundles = [{ id: 1, name: 'A', root: 1, path: '/' }]
  const requests: Readonly<Record<string, () => Promise<Answer>>> = {
    'create an API token': () => call('POST', 'api-tokens', admin.bearer, { name: 'script' }),
    'create a ticket': () => call('POST', 'auth/ticket', user.bearer, {}),
    'create a user': () =>
      call('POST', 'users', admin.bearer, { username: randomUUID(), groups: [], permissions: [] }),
    'change a user': () => call('PATCH', `users/${changed.user.id}`, admin.bearer, { is_enabled: false }),
    'create a group': () => call('POST', 'groups', admin.bearer, { name: randomUUID(), permissions: [] }),
    'create a link': () => call('POST', 'auth/access-tokens', admin.bearer, { bundles }),
    'sign in': () =>
      call('POST', 'auth/login', undefined, { username: other.user.username, password: other.password }),
  }
  const sendAll = () =>
    Promise.all(Object.entries(requests).map(async ([name, send]) => ({ name, answer: await send() })))
  service.watch(alwaysConflict)
  for (const { answer } of await sendAll()) expectBusy(answer)
  service.restore()
  for (const { name, answer } of await sendAll())
    expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(300)
  expect((await call('POST', 'auth/logout', user.bearer)).status).toBe(204)
})

it('a sign-out whose session never becomes free is refused, and the session ends later', async () => {
  const { bearer } = await addSignedIn(service)
  service.watch(alwaysConflict)
  expectBusy(await call('POST', 'auth/logout', bearer))
  service.restore()
  expect((await call('POST', 'auth/logout', bearer)).status).toBe(204)
  expect((await call('GET', 'users/me', bearer)).status).toBe(401)
})

it('a request is refused while the table throttles all reads', async () => {
  service.watch(() => serviceError('ThrottlingException', 'Throughput exceeds the current capacity.'))
  expectBusy(await call('GET', 'users/me', admin.bearer))
  expect(service.log.join('\n')).toContain('"event":"table.busy"')
  service.restore()
  expect((await call('GET', 'users/me', admin.bearer)).status).toBe(200)
})
