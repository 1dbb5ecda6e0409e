import { afterEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { deleteUser } from '../../lib/features/directory/deletion/delete-user.records.ts'
import type { JsonValue } from '../support/client.ts'
import {
  addLink,
  bundle,
  findEasySharingKey,
  getLink,
  linksPath,
  lookUp,
  objectId,
  postLink,
  redeem,
  seedLinks,
} from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

/* A link is deleted with its creator and with its recipient. */

const service = await useWatchedService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => {
  service.restore()
  vi.useRealTimers()
})

const addCreator = () => addSignedIn(service, { permissions: ['media:access'] })
const remove = async (id: number) =>
  (await service.client('DELETE', `/api/2/users/${id}`, { bearer: admin.bearer })).status
/** Deletes only the user record, as if every later step had failed. */
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
const listLinks = async (query: string) =>
  (await service.client('GET', `${linksPath}?${query}`, { bearer: admin.bearer })).body

describe.each([
  { name: 'user record was deleted', end: removeRecord },
  { name: 'account was deleted over HTTP', end: remove },
])('a link whose creator’s $name', ({ end }) => {
  it('stops working, as do the sessions it opened and their tickets', async () => {
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

  it('ends the session that a member opened with it, and keeps the member’s own session', async () => {
    const [creator, member] = [await addCreator(), await addSignedIn(service)]
    const link = await addLink(service, creator.bearer, { user: member.user.id })
    const redeemed = await redeem(service, link.token, { bearer: member.bearer })
    expect(redeemed.status).toBe(200)
    await end(creator.user.id)
    expect(await me(redeemed.body.session_key)).toBe(401)
    expect(await me(member.bearer)).toBe(200)
  })

  it('has no permissions and cannot be emailed, and others can share the object easily', async () => {
    const [creator, other] = [await addCreator(), await addCreator()]
    const easy = { bundles: [bundle({ id: objectId() })], is_easy_sharing: true }
    const link = await addLink(service, creator.bearer, { ...easy, email: `guest-${objectId()}@example.com` })
    await end(creator.user.id)
    const permissions = await getLink(service, admin.bearer, link.id, '/permissions')
    expect(permissions.status === 404 || permissions.body.length === 0).toBe(true)
    const emailResponse = await service.client('POST', `${linksPath}/${link.id}/email`, {
      bearer: admin.bearer,
      body: {},
    })
    expect([404, 409]).toContain(emailResponse.status)
    expect(service.mailbox.mails).toEqual([])
    const next = await postLink(service, other.bearer, easy)
    expect(next.status).toBe(201)
    expect((await lookUp(service, next.body.token)).status).toBe(200)
  })
})

describe('deleting a user', () => {
  it('removes the links they created and the guests of these links, and records this', async () => {
    const [creator, other] = [await addCreator(), await addCreator()]
    const [nameless, named, foreign] = [
      await addLink(service, creator.bearer, { is_easy_sharing: true }),
      await addLink(service, creator.bearer, { email: `guest-${objectId()}@example.com` }),
      await addLink(service, other.bearer),
    ]
    const marker = await findEasySharingKey(service, nameless.id)
    await redeem(service, nameless.token)
    expect(await remove(creator.user.id)).toBe(204)
    for (const link of [nameless, named]) expect(await rowsOf(link)).toEqual([])
    expect(await listLinks(`created_by=${creator.user.id}`)).toEqual([])
    const { table } = service.services
    expect(await table.list(`user#${nameless.user.id}`, '')).toEqual([])
    expect(await findUser(table, named.user.id)).toBeDefined()
    expect(await table.get(marker)).toBeUndefined()
    expect((await lookUp(service, foreign.token)).status).toBe(200)
    const records = await service.client('GET', `/api/2/auth/audit-events?user=${named.user.id}`, {
      bearer: admin.bearer,
    })
    expect(records.body).toContainEqual(
      expect.objectContaining({ event: 'access_token.deleted', target: String(named.id) }),
    )
    expect(await remove(creator.user.id)).toBe(404)
  })

  it('removes the links for them, and keeps unrelated links', async () => {
    const [creator, member] = [await addCreator(), await addSignedIn(service)]
    const [own, others] = [
      await addLink(service, creator.bearer, { user: member.user.id }),
      await addLink(service, creator.bearer),
    ]
    expect(await remove(member.user.id)).toBe(204)
    expect(await rowsOf(own)).toEqual([])
    expect(await listLinks(`user=${member.user.id}`)).toEqual([])
    expect((await lookUp(service, others.token)).status).toBe(200)
  })

  it('removes links that others created for the guest of a removed link', async () => {
    const [creator, other] = [await addCreator(), await addCreator()]
    const link = await addLink(service, creator.bearer)
    const second = await addLink(service, other.bearer, { user: link.user.id })
    expect(await remove(creator.user.id)).toBe(204)
    for (const removed of [link, second]) expect(await rowsOf(removed)).toEqual([])
  })

  it('removes more links than one page of the list shows', async () => {
    const creator = await addCreator()
    const first = await addLink(service, creator.bearer, { user: admin.user.id })
    const created = [first, ...(await seedLinks(service, first.id, 104, 1_000_000))]
    expect(await listLinks(`created_by=${creator.user.id}&limit=1000`)).toHaveLength(105)
    // Time stands still, so that a slow machine does not reach the time limit.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    expect(await remove(creator.user.id)).toBe(204)
    expect((await Promise.all(created.map(rowsOf))).flat()).toEqual([])
  })

  it('succeeds if links cannot be removed: the links stop working, and a second request removes them', async () => {
    const creator = await addCreator()
    const link = await addLink(service, creator.bearer)
    const session = (await redeem(service, link.token)).body.session_key
    service.failAfter(hasStep('Delete', `user#${creator.user.id}`, 'user'))
    expect(await remove(creator.user.id)).toBe(204)
    service.restore()
    expect(service.log.join('')).toContain('user.not_cleared')
    expect((await rowsOf(link)).length).toBeGreaterThan(0)
    expect((await lookUp(service, link.token)).status).toBe(404)
    expect(await me(session)).toBe(401)
    expect(await remove(creator.user.id)).toBe(204)
    expect(await rowsOf(link)).toEqual([])
    expect(await remove(creator.user.id)).toBe(404)
  })

  it('stops after the time limit, and a second request removes the rest', async () => {
    const creator = await addCreator()
    const created: JsonValue[] = []
    for (let at = 0; at < 25; at++) created.push(await addLink(service, creator.bearer))
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    service.justBefore(hasStep('Delete', /^access-token#/), async () => vi.setSystemTime(now + 10_000))
    expect(await remove(creator.user.id)).toBe(204)
    const left = (await Promise.all(created.map(rowsOf))).filter((rows) => rows.length > 0)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(25)
    for (const { token } of created) expect((await lookUp(service, token)).status).toBe(404)
    expect(await remove(creator.user.id)).toBe(204)
    expect((await Promise.all(created.map(rowsOf))).flat()).toEqual([])
  })
})
