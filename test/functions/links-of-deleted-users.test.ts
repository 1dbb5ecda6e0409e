import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { deleteUser } from '../../lib/store/directory/delete-user.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import type { JsonValue } from '../support/client.ts'
import { addLink, bundle, getLink, linksPath, lookUp, objectId, postLink, redeem } from '../support/links.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { does, startWatchedService, type WatchedService } from '../support/watched-table.ts'

/* A link goes with the user who made it, and with the user it is for. */

let service: WatchedService
let admin: SignedInPerson
beforeAll(async () => {
  service = await startWatchedService()
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
})
afterEach(() => {
  service.calm()
  vi.useRealTimers()
})
afterAll(() => service.close())

const addCreator = () => addSignedIn(service, { permissions: ['media:access'] })
const remove = async (id: number) =>
  (await service.client('DELETE', `/api/2/users/${id}`, { bearer: admin.bearer })).status
/** The user's record alone, as if everything after that had failed. */
const removeRecord = async (id: number) => {
  const user = await findUser(service.services.table, id)
  if (user) await deleteUser(service.services.table, user, [])
}
const me = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const ticketOf = async (bearer: string) =>
  (await service.client('POST', '/api/2/auth/ticket', { bearer, body: {} })).body
const check = async (ticket: object) =>
  (await service.client('POST', '/api/2/auth/ticket/check', { body: ticket })).status
const rowsOf = ({ id }: JsonValue) => service.services.table.list(`access-token#${id}`, '')
const listed = async (query: string) =>
  (await service.client('GET', `${linksPath}?${query}`, { bearer: admin.bearer })).body

describe.each([
  { name: 'its record gone', end: removeRecord },
  { name: 'deleted over the interface', end: remove },
])('with its creator, $name, a link', ({ end }) => {
  it('is dead, with the session that it opened and the tickets of that', async () => {
    const creator = await addCreator()
    const link = await addLink(service, creator.bearer)
    const session = (await redeem(service, link.token)).body.session_key
    const ticket = await ticketOf(session)
    expect([await me(session), (await lookUp(service, link.token)).status]).toEqual([200, 200])
    await end(creator.user.id)
    expect((await lookUp(service, link.token)).status).toBe(404)
    expect((await redeem(service, link.token)).status).toBe(404)
    expect(await me(session)).toBe(401)
    expect(await check(ticket)).toBe(404)
  })

  it('ends the session that a member has opened by it, and leaves the member’s own', async () => {
    const [creator, member] = [await addCreator(), await addSignedIn(service)]
    const link = await addLink(service, creator.bearer, { user: member.user.id })
    const opened = await redeem(service, link.token, { bearer: member.bearer })
    expect(opened.status).toBe(200)
    await end(creator.user.id)
    expect(await me(opened.body.session_key)).toBe(401)
    expect(await me(member.bearer)).toBe(200)
  })

  it('allows nothing and is mailed to nobody, and easy sharing makes another one', async () => {
    const [creator, other] = [await addCreator(), await addCreator()]
    const easy = { bundles: [bundle({ id: objectId() })], is_easy_sharing: true }
    const link = await addLink(service, creator.bearer, { ...easy, email: `guest-${objectId()}@example.com` })
    await end(creator.user.id)
    const permissions = await getLink(service, admin.bearer, link.id, '/permissions')
    expect(permissions.status === 404 || permissions.body.length === 0).toBe(true)
    const mailed = await service.client('POST', `${linksPath}/${link.id}/email`, {
      bearer: admin.bearer,
      body: {},
    })
    expect([404, 409]).toContain(mailed.status)
    expect(service.mailbox.mails).toEqual([])
    const next = await postLink(service, other.bearer, easy)
    expect(next.status).toBe(201)
    expect((await lookUp(service, next.body.token)).status).toBe(200)
  })
})

it('works on while its creator is disabled', async () => {
  const creator = await addCreator()
  const link = await addLink(service, creator.bearer)
  const session = (await redeem(service, link.token)).body.session_key
  const path = `/api/2/users/${creator.user.id}`
  await service.client('PATCH', path, { bearer: admin.bearer, body: { is_enabled: false } })
  expect((await lookUp(service, link.token)).status).toBe(200)
  expect(await me(session)).toBe(200)
})

describe('deleting a user', () => {
  it('clears away the links it made, with the guests made for them alone, and records that', async () => {
    const [creator, other] = [await addCreator(), await addCreator()]
    const [nameless, named, foreign] = [
      await addLink(service, creator.bearer, { is_easy_sharing: true }),
      await addLink(service, creator.bearer, { email: `guest-${objectId()}@example.com` }),
      await addLink(service, other.bearer),
    ]
    await redeem(service, nameless.token)
    expect(await remove(creator.user.id)).toBe(204)
    for (const link of [nameless, named]) expect(await rowsOf(link)).toEqual([])
    expect(await listed(`created_by=${creator.user.id}`)).toEqual([])
    const { table } = service.services
    expect(await table.list(`user#${nameless.user.id}`, '')).toEqual([])
    expect(await findUser(table, named.user.id)).toBeDefined()
    const mark = { pk: `easy-sharing#bundle#${nameless.shared_bundles[0].id}`, sk: 'easy-sharing' }
    expect(await table.get(mark)).toBeUndefined()
    expect((await lookUp(service, foreign.token)).status).toBe(200)
    const records = await service.client('GET', `/api/2/auth/audit-events?user=${named.user.id}`, {
      bearer: admin.bearer,
    })
    expect(records.body).toContainEqual(
      expect.objectContaining({ event: 'access_token.deleted', target: String(named.id) }),
    )
    expect(await remove(creator.user.id)).toBe(404)
  })

  it('clears away the links for it, and leaves those that it has nothing to do with', async () => {
    const [creator, member] = [await addCreator(), await addSignedIn(service)]
    const [own, others] = [
      await addLink(service, creator.bearer, { user: member.user.id }),
      await addLink(service, creator.bearer),
    ]
    expect(await remove(member.user.id)).toBe(204)
    expect(await rowsOf(own)).toEqual([])
    expect(await listed(`user=${member.user.id}`)).toEqual([])
    expect((await lookUp(service, others.token)).status).toBe(200)
  })

  it('that is a guest takes along what somebody else has made for that guest', async () => {
    const [creator, other] = [await addCreator(), await addCreator()]
    const link = await addLink(service, creator.bearer)
    const second = await addLink(service, other.bearer, { user: link.user.id })
    expect(await remove(creator.user.id)).toBe(204)
    for (const gone of [link, second]) expect(await rowsOf(gone)).toEqual([])
  })

  it('goes through more links than one look at the list shows', async () => {
    const creator = await addCreator()
    const made: JsonValue[] = []
    for (let at = 0; at < 105; at++)
      made.push(await addLink(service, creator.bearer, { user: admin.user.id }))
    expect(await remove(creator.user.id)).toBe(204)
    expect((await Promise.all(made.map(rowsOf))).flat()).toEqual([])
  })

  it('is answered as done when the links can’t be cleared away; they are dead, and go when it is sent again', async () => {
    const creator = await addCreator()
    const link = await addLink(service, creator.bearer)
    const session = (await redeem(service, link.token)).body.session_key
    service.failAfter(does('Delete', `user#${creator.user.id}`, 'user'))
    expect(await remove(creator.user.id)).toBe(204)
    service.calm()
    expect(service.log.join('')).toContain('user.not_cleared')
    expect((await rowsOf(link)).length).toBeGreaterThan(0)
    expect((await lookUp(service, link.token)).status).toBe(404)
    expect(await me(session)).toBe(401)
    expect(await remove(creator.user.id)).toBe(204)
    expect(await rowsOf(link)).toEqual([])
    expect(await remove(creator.user.id)).toBe(404)
  })

  it('takes no longer than a request may: what is left goes when it is sent again', async () => {
    const creator = await addCreator()
    const made: JsonValue[] = []
    for (let at = 0; at < 25; at++) made.push(await addLink(service, creator.bearer))
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    service.justBefore(does('Delete', /^access-token#/), async () => vi.setSystemTime(now + 10_000))
    expect(await remove(creator.user.id)).toBe(204)
    const left = (await Promise.all(made.map(rowsOf))).filter((rows) => rows.length > 0)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(25)
    for (const { token } of made) expect((await lookUp(service, token)).status).toBe(404)
    expect(await remove(creator.user.id)).toBe(204)
    expect((await Promise.all(made.map(rowsOf))).flat()).toEqual([])
  })
})
