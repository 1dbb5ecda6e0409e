import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import {
  addLink,
  bundle,
  deleteLink,
  directory,
  easySharing,
  getLink,
  linksPath,
  lookUp,
  objectId,
  redeem,
  statusesOf,
} from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Published clients look up and end the easy-sharing link of an object, and know only the object. */

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
const other = await addSignedIn(service, { permissions: ['media:access'] })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const pathOf = (kind: string, id: number | string) =>
  `/api/2/media/${kind === 'bundle' ? 'bundles' : 'files'}/${id}/easy-sharing-token`
const show = (kind: string, id: number | string, bearer = creator.bearer): Promise<Answer> =>
  service.client('GET', pathOf(kind, id), { bearer })
const end = (kind: string, id: number | string, bearer = creator.bearer): Promise<Answer> =>
  service.client('DELETE', pathOf(kind, id), { bearer })
const requestOf = (kind: string, id: number, given: object = {}) =>
  kind === 'bundle'
    ? easySharing(id, given)
    : { bundles: [], directories: [directory({ id })], is_easy_sharing: true, ...given }

describe.each(['bundle', 'directory'])('the easy-sharing link of a %s', (kind) => {
  it('is shown to its creator, and ends once', async () => {
    const id = objectId()
    const created = await addLink(service, creator.bearer, requestOf(kind, id))
    await redeem(service, created.token)
    const shown = await show(kind, id)
    expect(shown.status, shown.text).toBe(200)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(shown.body).toEqual((await getLink(service, creator.bearer, created.id)).body)
    expect(shown.body.activity).toHaveLength(1)
    expect((await end(kind, id)).status).toBe(204)
    expect((await lookUp(service, created.token)).status).toBe(404)
    for (const answer of [await show(kind, id), await end(kind, id)]) expect(answer.status).toBe(404)
  })

  it('is not that of the other kind, and no link without easy sharing', async () => {
    const id = objectId()
    const shared = { bundles: [id], directories: [id] }
    const plain = await addLink(service, creator.bearer, shared)
    const opposite = kind === 'bundle' ? 'directory' : 'bundle'
    const linked = await addLink(service, creator.bearer, requestOf(opposite, id))
    for (const answer of [await show(kind, id), await end(kind, id)]) expect(answer.status).toBe(404)
    for (const { token } of [plain, linked]) expect((await lookUp(service, token)).status).toBe(200)
  })

  it('is the newest that works, and all end together', async () => {
    const id = objectId()
    const links = [
      await addLink(service, creator.bearer, requestOf(kind, id)),
      await addLink(service, creator.bearer, requestOf(kind, id, { email: `guest-${id}@example.com` })),
      await addLink(service, creator.bearer, requestOf(kind, id, { password: 'open sesame' })),
      await addLink(service, creator.bearer, requestOf(kind, id, { view_limit: 1 })),
    ]
    const plain = await addLink(service, creator.bearer, { ...requestOf(kind, id), is_easy_sharing: false })
    expect((await show(kind, id)).body.id).toBe(links[3].id)
    await redeem(service, links[3].token)
    expect((await show(kind, id)).body.id).toBe(links[2].id)
    await deleteLink(service, creator.bearer, links[2].id)
    expect((await show(kind, id)).body.id).toBe(links[1].id)
    expect((await end(kind, id)).status).toBe(204)
    for (const { id: link } of links) expect((await getLink(service, creator.bearer, link)).status).toBe(404)
    expect((await lookUp(service, plain.token)).status).toBe(200)
  })

  it('is neither shown to other users and administrators, nor ended by them', async () => {
    const id = objectId()
    const { token, id: link } = await addLink(service, creator.bearer, requestOf(kind, id))
    const guest = (await redeem(service, token)).body.session_key
    for (const bearer of [other.bearer, admin.bearer, guest])
      for (const answer of [await show(kind, id, bearer), await end(kind, id, bearer)])
        expect(answer.status).toBe(404)
    for (const path of [pathOf(kind, id)])
      for (const method of ['GET', 'DELETE']) expect((await service.client(method, path)).status).toBe(401)
    expect((await show(kind, id)).body.id).toBe(link)
  })

  it('ends for 20 concurrent requests with one audit event', async () => {
    const id = objectId()
    const { id: link } = await addLink(service, creator.bearer, requestOf(kind, id))
    const answers = await Promise.all(Array.from({ length: 20 }, () => end(kind, id)))
    const counts = statusesOf(answers)
    expect((counts[204] ?? 0) + (counts[404] ?? 0)).toBe(20)
    expect(counts[204]).toBeGreaterThan(0)
    const events = await service.client('GET', '/api/2/auth/audit-events?event=access_token.deleted', {
      bearer: admin.bearer,
    })
    expect(events.body.filter(({ target }: { target: string }) => target === String(link))).toHaveLength(1)
  })

  it.each(['0', '-1', 'x', '1.5', '2147483648', '007', '1%2F2'])('is refused for the ID %s', async (id) => {
    for (const answer of [await show(kind, id), await end(kind, id)])
      expect([400, 404]).toContain(answer.status)
  })
})

describe('a session of the creator’s own link', () => {
  it('neither finds nor ends their other links', async () => {
    const id = objectId()
    const own = await addLink(service, creator.bearer, { bundles: [bundle()], user: creator.user.id })
    const { session_key } = (await redeem(service, own.token, { bearer: creator.bearer })).body
    const { id: link } = await addLink(service, creator.bearer, easySharing(id))
    expect((await show('bundle', id, session_key)).status).toBe(404)
    expect((await end('bundle', id, session_key)).status).toBe(404)
    expect((await getLink(service, creator.bearer, link)).status).toBe(200)
  })
})

describe('an API token', () => {
  it('needs the scopes of reading and deleting links', async () => {
    const id = objectId()
    await addLink(service, creator.bearer, easySharing(id))
    const tokenWith = async (scope: string) => {
      const body = { name: 'script', scopes: [scope] }
      return (await service.client('POST', '/api/2/api-tokens', { bearer: creator.bearer, body })).body.token
    }
    const [viewer, manager] = [await tokenWith('links:view'), await tokenWith('links:manage')]
    expect((await show('bundle', id, manager)).status).toBe(403)
    expect((await end('bundle', id, viewer)).status).toBe(403)
    expect((await show('bundle', id, viewer)).status).toBe(200)
    expect((await end('bundle', id, manager)).status).toBe(204)
  })
})

describe('many links of one object', () => {
  it('do not hide the easy-sharing link', async () => {
    const id = objectId()
    const { id: link } = await addLink(service, creator.bearer, easySharing(id))
    await Promise.all(Array.from({ length: 130 }, () => addLink(service, creator.bearer, { bundles: [id] })))
    expect((await show('bundle', id)).body.id).toBe(link)
    expect((await end('bundle', id)).status).toBe(204)
    const left = await service.client('GET', `${linksPath}?shared_bundles=${id}&limit=1000`, {
      bearer: creator.bearer,
    })
    expect(left.body).toHaveLength(130)
  })
})
