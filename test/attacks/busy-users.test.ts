import { beforeAll, describe, expect, it } from 'vitest'
import { findSessions } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import {
  addBusyPerson,
  type BusyPerson,
  measureBusyPerson,
  type RequestCost,
  signInAndOut,
} from '../support/busy-users.ts'
import { costsSince } from '../support/directory.ts'
import { addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A user who signs in very often must not make their own requests slow, or impossible. */

const service = await useService()

const me = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const list = (bearer: string) =>
  service.client('GET', '/api/2/auth/sessions?ordering=-created_at', { bearer })
const measureRecord = async (id: number) => JSON.stringify(await findUser(service.services.table, id)).length
const countSessions = async (id: number) => (await findSessions(service.services.table, id, 100_000)).length

describe('a user with 3,000 tickets, 3,000 sessions, and 3,000 that ended with an earlier epoch', () => {
  let busy: BusyPerson
  beforeAll(async () => {
    // Three times as many as a list shows. `npm run bench` measures more.
    busy = await addBusyPerson(service, 3000)
  })

  it('sees the newest sessions, the current one among them, at a bounded cost', async () => {
    const logStart = service.log.length
    const { status, body } = await list(busy.bearer)
    expect([status, body.length, body[0].is_current]).toEqual([200, 1_000, true])
    const [cost] = costsSince(service, logStart)
    expect(cost?.calls).toBeLessThan(12)
  })

  it('pays as much for a request as a user with none, and with 100', async () => {
    const costs: (readonly RequestCost[])[] = []
    const sizes: number[] = []
    for (const person of [await addBusyPerson(service, 0), await addBusyPerson(service, 100), busy]) {
      costs.push(await measureBusyPerson(service, person))
      sizes.push(await measureRecord(person.user.id))
    }
    const [none, some, many] = costs
    expect(none?.map(({ name, calls }) => [name, calls])).toEqual([
      ['authentication', 1],
      ['create ticket', 2],
      ['check ticket', 2],
      ['logout', 2],
      ['change password', expect.any(Number)],
    ])
    expect(none?.find(({ name }) => name === 'authentication')?.units).toBe(2)
    expect(some).toEqual(none)
    expect(many).toEqual(none)
    // User IDs differ in length.
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(10)
  })

  it('ended all other sessions with the new password, and sees only the current one', async () => {
    expect(await me(busy.bearer)).toBe(200)
    expect(await Promise.all(busy.others.map(me))).toEqual([401, 401, 401])
    const { status, body } = await list(busy.bearer)
    expect([status, body.length, body[0].is_current]).toEqual([200, 1, true])
  })
})

describe('the items of more than 2,000 sessions', () => {
  let busy: BusyPerson
  beforeAll(async () => {
    busy = await addBusyPerson(service, 1100)
  })

  it('are deleted in pieces by lists, and only those that ended', async () => {
    expect(await countSessions(busy.user.id)).toBe(2201)
    await list(busy.bearer)
    expect(await countSessions(busy.user.id)).toBe(2101)
    expect(await Promise.all(busy.others.map(me))).toEqual([200, 200, 200])
  })

  it('are deleted in pieces with their user, and no credential works from the first on', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const remove = async () =>
      (await service.client('DELETE', `/api/2/users/${busy.user.id}`, { bearer: admin.bearer })).status
    expect(await remove()).toBe(204)
    expect(await Promise.all([busy.bearer, ...busy.others].map(me))).toEqual([401, 401, 401, 401])
    expect(await countSessions(busy.user.id)).toBe(101)
    expect([await remove(), await remove()]).toEqual([204, 404])
    expect(await countSessions(busy.user.id)).toBe(0)
  })
})

it('a user signs out after a hundred sign-ins and sign-outs, and their record did not grow', async () => {
  const person = await addSignedIn(service)
  await me(person.bearer)
  const before = await measureRecord(person.user.id)
  const user = await findUser(service.services.table, person.user.id)
  if (!user) throw new Error('the user was not found')
  await signInAndOut(service, user, 100)
  expect(await measureRecord(person.user.id)).toBe(before)
  const bearer = await signIn(service, person)
  expect((await service.client('POST', '/api/2/auth/logout', { bearer })).status).toBe(204)
  expect(await me(bearer)).toBe(401)
  expect(await countSessions(person.user.id)).toBe(1)
})
