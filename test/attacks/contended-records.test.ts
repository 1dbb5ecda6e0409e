import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { TableCall } from '../infra/dynamodb-proxy.ts'
import type { StubAnswer } from '../infra/stub-server.ts'
import { cancellation, serviceError } from '../runner/strict-table/refusals.ts'
import type { Answer } from '../support/client.ts'
import { goBackOneDay } from '../support/go-back-one-day.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useWatchedService } from '../support/watched-table.ts'

/*
 * Other requests keep writing the records that a request writes, or the table has more requests than it serves. The
 * request is refused, changes nothing, and succeeds later. Anyone can cause the former, so it must not count as an error of
 * the service, which rings an alarm.
 */

const service = await useWatchedService({ RATE_LIMITS: 'passwordToolUses=1/60' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })
afterEach(() => service.restore())

const alwaysConflict = ({ action, input }: TableCall): StubAnswer | undefined => {
  if (action === 'TransactWriteItems')
    return cancellation(
      input.TransactItems.map((_: unknown, at: number) => (at === 0 ? 'TransactionConflict' : 'None')),
      { TransactionConflict: 'Transaction is ongoing for the item' },
    )
  return /^(Put|Update|Delete)/.test(action) ? serviceError('TransactionConflictException', 'x') : undefined
}

const call = (method: string, path: string, bearer: string | undefined, body?: object) =>
  service.client(method, `/api/2/${path}`, { ...(bearer ? { bearer } : {}), body })

const expectRefused = ({ status, text, body, headers }: Answer, expected: readonly unknown[]) => {
  expect([status, body.code, body.reason], text).toEqual(expected)
  expect(headers.get('retry-after')).toBe('1')
  expect(headers.get('content-type')).toBe('application/problem+json')
}
const expectContention = (answer: Answer) => expectRefused(answer, [429, 'too_many_requests', 'record_busy'])
const expectThrottled = (answer: Answer) =>
  expectRefused(answer, [503, 'temporarily_unavailable', 'table_busy'])

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
  for (const { answer } of await sendAll()) expectContention(answer)
  expect(service.log.join('\n')).toContain('"event":"record.busy"')
  expect(service.log.join('\n')).not.toContain('"event":"table.busy"')
  service.restore()
  for (const { name, answer } of await sendAll())
    expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(300)
  expect((await call('POST', 'auth/logout', user.bearer)).status).toBe(204)
})

it.each(['TransactionConflict', 'ThrottlingError'])(
  'a group of which a part was changed before %s is not reported as unchanged, and can be completed',
  async (code) => {
    const [former, next] = [await addPerson(service), await addPerson(service)]
    const members = ({ body }: Answer): readonly number[] => body.members.map(({ id }: { id: number }) => id)
    const given = { name: randomUUID(), permissions: ['media:access'], members: [{ id: former.user.id }] }
    const { id } = (await call('POST', 'groups', admin.bearer, given)).body
    const change = () =>
      call('PATCH', `groups/${id}`, admin.bearer, {
        permissions: ['media:access', 'users:view'],
        members: [{ id: next.user.id }],
      })
    for (const refused of ['group.member_added', 'group.changed']) {
      let seen = 0
      service.watch(({ action, input }) => {
        if (action !== 'TransactWriteItems' || !JSON.stringify(input).includes(refused)) return undefined
        // The first event of a changed group belongs to the first transaction.
        if (refused === 'group.changed' && seen++ === 0) return undefined
        return cancellation(
          input.TransactItems.map((_: unknown, at: number) => (at === 0 ? code : 'None')),
          { [code]: 'busy' },
        )
      })
      expectPartlyChanged(await change())
      service.restore()
      expect(members(await call('GET', `groups/${id}`, admin.bearer))).toEqual(
        refused === 'group.changed' ? [next.user.id] : [],
      )
    }
    const completed = await change()
    expect([completed.status, members(completed)]).toEqual([200, [next.user.id]])
    expect(completed.body.permissions).toContain('users:view')
  },
)

/** Makes the table refuse each transaction that contains one of these texts. */
const refuse = (texts: readonly string[], code = 'TransactionConflict'): void =>
  service.watch(({ action, input }) => {
    const written = JSON.stringify(input)
    if (action !== 'TransactWriteItems' || !texts.some((text) => written.includes(text))) return undefined
    return cancellation(
      input.TransactItems.map((_: unknown, at: number) => (at === 0 ? code : 'None')),
      { [code]: 'busy' },
    )
  })

const expectPartlyChanged = (answer: Answer) => {
  expectRefused(answer, [503, 'temporarily_unavailable', 'partly_changed'])
  expect(answer.body.detail).toContain('The change was made, or a part of it')
}

const create = async (path: string, body: object, { bearer } = admin): Promise<number> => {
  const answer = await call('POST', path, bearer, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}
const createMany = (count: number, path: string, build: (name: string) => object) =>
  Promise.all(Array.from({ length: count }, () => create(path, build(randomUUID()))))

it('a change whose answer cannot be read is not reported as unchanged', async () => {
  const organization = await create('organizations', { name: randomUUID(), slug: `o-${randomUUID()}` })
  const { user } = await addPerson(service)
  const join = () =>
    call('POST', `organizations/${organization}/members`, admin.bearer, { user: user.id, roles: ['member'] })
  let isWritten = false
  service.watch(({ action, input }) => {
    isWritten ||= action === 'TransactWriteItems' && JSON.stringify(input).includes('member_added')
    return isWritten && action !== 'TransactWriteItems' ? serviceError('ThrottlingException', 'x') : undefined
  })
  expectPartlyChanged(await join())
  service.restore()
  const repeated = await join()
  expect([repeated.status, repeated.body.reason], repeated.text).toEqual([409, 'already_member'])
})

describe('a change of which a part was made is not reported as unchanged, and can be completed', () => {
  it('when what a merged user had cannot be moved', async () => {
    const [kept, other] = [
      await addPerson(service),
      await addSignedIn(service, { permissions: ['media:access'] }),
    ]
    await create('api-tokens', { name: 'first' }, other)
    const merge = () => call('POST', `users/${kept.user.id}/merge`, admin.bearer, { user: other.user.id })
    refuse(['api-token'])
    expectPartlyChanged(await merge())
    // This request changed nothing.
    expectContention(await merge())
    service.restore()
    const { status, body } = await merge()
    expect([status, body.is_complete, body.api_tokens]).toEqual([200, true, 1])
  })

  it('when some of the lines of an import cannot be written', async () => {
    const names = Array.from({ length: 40 }, () => randomUUID())
    const lines = names.map((username) => ({ username }))
    const send = () => call('POST', 'users/import', admin.bearer, { lines })
    refuse([names.at(-1) ?? ''])
    expectPartlyChanged(await send())
    service.restore()
    const { status, body, text } = await send()
    expect(status, text).toBe(200)
    const outcomes: readonly string[] = body.results.map(({ outcome }: { outcome: string }) => outcome)
    expect([...new Set(outcomes)].sort()).toEqual(['imported', 'known'])
  })

  it('when a user has left some of many groups before the deletion', async () => {
    const groups = await createMany(26, 'groups', (name) => ({ name, permissions: [] }))
    const { user, bearer } = await addSignedIn(service)
    const join = () => call('PATCH', `users/${user.id}`, admin.bearer, { groups })
    refuse([`"group#${groups.at(-1)}"`])
    expectPartlyChanged(await join())
    service.restore()
    expect((await join()).status).toBe(200)
    refuse(['user.deleted'])
    expectPartlyChanged(await call('DELETE', `users/${user.id}`, admin.bearer))
    service.restore()
    expect((await call('GET', 'users/me', bearer)).status).toBe(401)
    expect((await call('DELETE', `users/${user.id}`, admin.bearer)).status).toBe(204)
  })

  it('when the members of a deleted group cannot be removed, unless a repetition changed nothing', async () => {
    const users = await createMany(25, 'users', (username) => ({ username, groups: [], permissions: [] }))
    const name = randomUUID()
    const id = await create('groups', { name, permissions: [], members: users.map((user) => ({ id: user })) })
    const remove = () => call('DELETE', `groups/${id}`, admin.bearer)
    refuse(users.map((user) => `user#${user}"`))
    expectPartlyChanged(await remove())
    expectContention(await remove())
    service.restore()
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
  })
})

it('a request does not wait for the counter of active users, and is not repeated for it', async () => {
  const { bearer, user } = await addSignedIn(service)
  // The sign-in counted the user. A session from the day before counts them again.
  await goBackOneDay(service.services.table, user.id)
  const counting: TableCall[] = []
  service.watch((given) => {
    if (!JSON.stringify(given.input).includes('active-users#')) return undefined
    counting.push(given)
    return alwaysConflict(given) ?? serviceError('ThrottlingException', 'x')
  })
  expect((await call('GET', 'users/me', bearer)).status).toBe(200)
  expect(counting.map(({ action }) => action)).toEqual(['UpdateItem'])
  service.restore()
})

it('a sign-out whose session never becomes free is refused, and the session ends later', async () => {
  const { bearer } = await addSignedIn(service)
  service.watch(alwaysConflict)
  expectContention(await call('POST', 'auth/logout', bearer))
  service.restore()
  expect((await call('POST', 'auth/logout', bearer)).status).toBe(204)
  expect((await call('GET', 'users/me', bearer)).status).toBe(401)
})

it.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'])(
  'a request is refused while the table answers all reads with %s',
  async (name) => {
    service.watch(() => serviceError(name, 'Throughput exceeds the current capacity.'))
    expectThrottled(await call('GET', 'users/me', admin.bearer))
    expect(service.log.join('\n')).toContain('"event":"table.busy"')
    service.restore()
    expect((await call('GET', 'users/me', admin.bearer)).status).toBe(200)
  },
)

it.each(['ThrottlingError', 'ProvisionedThroughputExceeded', 'RequestLimitExceeded'])(
  'a change is refused while the table cancels transactions with %s',
  async (code) => {
    service.watch(({ action, input }) =>
      action === 'TransactWriteItems'
        ? cancellation(
            // A throttled table is reported even if other requests are in the way as well.
            input.TransactItems.map((_: unknown, at: number) => (at === 0 ? 'TransactionConflict' : code)),
            { [code]: 'Throughput exceeds the current capacity.' },
          )
        : undefined,
    )
    const body = { name: randomUUID(), permissions: [] }
    expectThrottled(await call('POST', 'groups', admin.bearer, body))
    service.restore()
    // Nothing was changed, so the name is free.
    expect((await call('POST', 'groups', admin.bearer, body)).status).toBe(201)
  },
)

it('a client of OAuth gets an error in its form, and a limit of the caller stays a 429', async () => {
  // The first request of the group creates signing keys in a test.
  expect((await fetch(`${service.url}/.well-known/jwks.json`)).status).toBe(200)
  service.watch(() => serviceError('ThrottlingException', 'Throughput exceeds the current capacity.'))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const token = {
    method: 'POST',
    headers: form,
    body: 'grant_type=refresh_token&refresh_token=x&client_id=x',
  }
  const refused = await fetch(`${service.url}/oauth2/token`, token)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' })
  service.restore()
  const generate = () => call('POST', 'auth/generate-password', admin.bearer)
  expect((await generate()).status).toBe(200)
  expect(await generate()).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
})
