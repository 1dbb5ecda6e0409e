import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TableCall } from '../infra/dynamodb-proxy.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

/* A ticket is checked at the same moment as its session, its user or its API token ends. */

const service = await useWatchedService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service)
})
afterEach(() => service.restore())

const send = async (method: string, path: string, bearer: string, body?: object) => {
  const answer = await service.client(method, `/api/2/${path}`, { bearer, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body
}
const create = async (bearer = person.bearer): Promise<string> =>
  (await send('POST', 'auth/ticket', bearer)).ticket
const check = async (ticket: string) =>
  (await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status
const listEvents = async (
  event: string,
): Promise<{ user: number; outcome: string; actor: number | null }[]> =>
  send('GET', `auth/audit-events?event=${event}&user=${person.user.id}`, admin.bearer)

const isUse = hasStep('Update', /^ticket#/)
const isRead = ({ action, input }: TableCall) =>
  action === 'BatchGetItem' && JSON.stringify(input).includes('"ticket#')

const changePassword = () =>
  send('POST', 'users/me/password', person.bearer, {
    current_password: person.password,
    password: 'Another good and long password',
  })
const endings: Readonly<Record<string, () => Promise<unknown>>> = {
  'a sign-out': () => send('POST', 'auth/logout', person.bearer),
  'the end of all sessions': () => send('DELETE', `users/${person.user.id}/sessions`, admin.bearer),
  'a new password': changePassword,
  'disabling the user': () => send('PATCH', `users/${person.user.id}`, admin.bearer, { is_enabled: false }),
  'deleting the user': () => send('DELETE', `users/${person.user.id}`, admin.bearer),
}

describe.each(Object.entries(endings))('a check during %s', (_, end) => {
  it('is refused if the ticket was read before and is used after it', async () => {
    const ticket = await create()
    service.justBefore(isUse, end)
    expect(await check(ticket)).toBe(404)
    expect(await check(ticket)).toBe(404)
    expect(await listEvents('ticket.exchanged')).toEqual([])
    expect(await listEvents('ticket.refused')).toMatchObject([{ user: person.user.id, outcome: 'revoked' }])
  })

  it('is refused if the ticket is read after it', async () => {
    const ticket = await create()
    service.justBefore(isRead, end)
    expect(await check(ticket)).toBe(404)
  })

  it('serves each of 4 tickets once at most, and none of them afterwards', async () => {
    const tickets = [await create(), await create(), await create(), await create()]
    const [, ...statuses] = await Promise.all([end(), ...tickets.map(check)])
    for (const status of statuses) expect([200, 404]).toContain(status)
    expect(await Promise.all(tickets.map(check))).toEqual([404, 404, 404, 404])
    const exchanged = await listEvents('ticket.exchanged')
    expect(exchanged).toHaveLength(statuses.filter((status) => status === 200).length)
  })
})

it('a check is refused if its API token is deleted before the ticket is used', async () => {
  const { id, token } = await send('POST', 'api-tokens', person.bearer, { name: 'x' })
  const ticket = await create(token)
  service.justBefore(isUse, () => send('DELETE', `api-tokens/${id}`, person.bearer))
  expect(await check(ticket)).toBe(404)
})

it('the ticket of an impersonation ends with it, and does not come back with the next one', async () => {
  // A session of its own, so that other tests do not depend on the end of the impersonation.
  const { user, bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const start = () => send('POST', 'auth/impersonation', bearer, { user: person.user.id })
  const stop = () => send('POST', 'auth/impersonation/stop', bearer)
  await start()
  const [used, stopped, earlier] = [await create(bearer), await create(bearer), await create(bearer)]
  expect(await check(used)).toBe(200)
  service.justBefore(isUse, stop)
  expect(await check(stopped)).toBe(404)
  await start()
  expect(await check(earlier)).toBe(404)
  await stop()
  expect(await listEvents('ticket.exchanged')).toMatchObject([{ user: person.user.id, actor: user.id }])
})

describe('the use of a ticket', () => {
  it('stores exactly one event for 20 concurrent checks', async () => {
    const ticket = await create()
    const statuses = await Promise.all(Array.from({ length: 20 }, () => check(ticket)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(await listEvents('ticket.exchanged')).toMatchObject([{ outcome: 'succeeded', actor: null }])
  })

  it('succeeds although the answer of the table is lost, and is stored once', async () => {
    const ticket = await create()
    let lost = 0
    service.loseAnswers((call) => isUse(call) && ++lost <= 2)
    expect(await check(ticket)).toBe(200)
    expect(lost).toBe(3)
    expect(await listEvents('ticket.exchanged')).toHaveLength(1)
    expect(await check(ticket)).toBe(404)
  })

  it('fails together with its event, and the ticket still works', async () => {
    const ticket = await create()
    service.watch((call) => (isUse(call) ? 'the table fails' : undefined))
    expect(await check(ticket)).toBe(500)
    service.restore()
    expect(await check(ticket)).toBe(200)
    expect(await listEvents('ticket.exchanged')).toHaveLength(1)
  })

  it('fails before it uses the ticket if the groups of the user cannot be read', async () => {
    const group = { name: `g-${person.user.id}`, permissions: [], members: [{ id: person.user.id }] }
    await send('POST', 'groups', admin.bearer, group)
    const ticket = await create()
    service.watch(({ input }) => (JSON.stringify(input).includes('"group#') ? 'the table fails' : undefined))
    expect(await check(ticket)).toBe(500)
    service.restore()
    expect(await check(ticket)).toBe(200)
  })
})

it('a ticket that is created while its session ends never works', async () => {
  service.justBefore(hasStep('Put', /^ticket#/), endings['a sign-out'] ?? (async () => {}))
  expect(await check(await create())).toBe(404)
})
