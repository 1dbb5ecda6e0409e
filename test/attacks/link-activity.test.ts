import { afterEach, describe, expect, it, vi } from 'vitest'
import { activitiesListed } from '../../lib/kernel/limits/limits.ts'
import { accessLinkKey } from '../../lib/kernel/table/keys/keys.ts'
import type { JsonValue } from '../support/client.ts'
import { addLink, deleteLink, getLink, linksPath, redeem, statusesOf } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A list shows the newest uses of each link. They are stored in the link, which many people can use at the same time. */

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
afterEach(() => vi.useRealTimers())

const listedUses = async (id: number, bearer = creator.bearer): Promise<JsonValue[] | undefined> => {
  const { body } = await service.client('GET', `${linksPath}?limit=1000`, { bearer })
  return body.find((link: { id: number }) => link.id === id)?.activity
}
const allUses = async (id: number): Promise<JsonValue[]> =>
  (await getLink(service, creator.bearer, id)).body.activity
const storedUses = async (id: number): Promise<number> => {
  const item = await service.services.table.get(accessLinkKey(id))
  return Object.keys(Object(item?.['recentUses'])).length
}
const useInParallel = (token: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => redeem(service, token)))

describe('the uses of a link in a list', () => {
  it('are the newest of those that get_access_token shows', async () => {
    const { id, token } = await addLink(service, creator.bearer)
    expect(await listedUses(id)).toEqual([])
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    for (let at = 1; at <= activitiesListed + 3; at++) {
      vi.setSystemTime(start + at * 1000)
      expect((await redeem(service, token)).status).toBe(200)
      const all = await allUses(id)
      expect(all).toHaveLength(at)
      expect(await listedUses(id)).toEqual(all.slice(0, activitiesListed))
    }
    expect((await listedUses(id))?.[0]).toEqual({
      id: expect.any(Number),
      date: new Date(start + (activitiesListed + 3) * 1000).toISOString(),
      ip: '127.0.0.1',
      token: id,
    })
    expect(await storedUses(id)).toBeLessThanOrEqual(activitiesListed + 1)
  })

  it('stay right when a link with few views is used in parallel', async () => {
    const { id, token } = await addLink(service, creator.bearer, { view_limit: 15 })
    expect(statusesOf(await useInParallel(token, 40))).toEqual({ 200: 15, 404: 25 })
    const all = await allUses(id)
    expect(all).toHaveLength(15)
    expect(await listedUses(id)).toEqual(all.slice(0, activitiesListed))
  })

  it('stay right and few when a link without a view limit is used in parallel', async () => {
    const { id, token } = await addLink(service, creator.bearer)
    for (let round = 0; round < 3; round++) {
      expect(statusesOf(await useInParallel(token, 30))).toEqual({ 200: 30 })
      expect(await listedUses(id)).toEqual((await allUses(id)).slice(0, activitiesListed))
    }
    expect((await redeem(service, token)).status).toBe(200)
    expect(await listedUses(id)).toEqual((await allUses(id)).slice(0, activitiesListed))
    expect(await storedUses(id)).toBeLessThanOrEqual(activitiesListed + 1)
  })

  it('are not stored if a use is refused', async () => {
    const { id, token } = await addLink(service, creator.bearer, { view_limit: 1, password: 'open sesame' })
    expect((await redeem(service, token, { password: 'wrong' })).status).toBe(401)
    expect(await listedUses(id)).toEqual([])
    expect((await redeem(service, token, { password: 'open sesame' })).status).toBe(200)
    expect((await redeem(service, token, { password: 'open sesame' })).status).toBe(404)
    expect(await listedUses(id)).toHaveLength(1)
  })

  it('bring no link back that is deleted at the same time', async () => {
    const { id, token } = await addLink(service, creator.bearer)
    await Promise.all([useInParallel(token, 10), deleteLink(service, creator.bearer, id)])
    expect(await listedUses(id)).toBeUndefined()
    expect(await service.services.table.get(accessLinkKey(id))).toBeUndefined()
  })

  it('are shown for 400 days', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const { id, token } = await addLink(service, creator.bearer)
    await redeem(service, token)
    vi.setSystemTime(start + 401 * 24 * 3_600_000)
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect(await listedUses(id, bearer)).toEqual([])
  })
})

describe('the addresses of others', () => {
  it('are hidden from sessions of a link, and from users who do not see the link', async () => {
    const { id, token } = await addLink(service, creator.bearer)
    const guest = (await redeem(service, token)).body.session_key
    expect(await listedUses(id, guest)).toEqual([])
    expect((await getLink(service, guest, id)).body.activity).toEqual([])
    const stranger = await addSignedIn(service, { permissions: ['media:access'] })
    expect(await listedUses(id, stranger.bearer)).toBeUndefined()
  })

  it('are shown to the recipient with their own session, as in get_access_token', async () => {
    const recipient = await addSignedIn(service)
    const { id, token } = await addLink(service, creator.bearer, { user: recipient.user.id })
    expect((await redeem(service, token, { bearer: recipient.bearer })).status).toBe(200)
    const shown = (await getLink(service, recipient.bearer, id)).body.activity
    expect(shown).toHaveLength(1)
    expect(await listedUses(id, recipient.bearer)).toEqual(shown)
  })
})
