import { afterEach, describe, expect, it, vi } from 'vitest'
import { linkPermissions } from '../../lib/published-clients/link-fields.ts'
import {
  addLink,
  bundle,
  deleteLink,
  directory,
  getLink,
  linksPath,
  lookUp,
  objectId,
  postLink,
  redeem,
} from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Published clients share objects by their IDs. The product knows what the objects are, this service does not. */

const service = await useService()
const creator = await addSignedIn(service, {
  permissions: ['media:access', 'users:view'],
  email: 'ada@example.com',
})
afterEach(() => vi.useRealTimers())

const sharePath = '/api/2/media/share'
const share = (given: object, bearer = creator.bearer) =>
  service.client('POST', sharePath, { bearer, body: given })
const paths = [linksPath, sharePath]

describe('a link to IDs', () => {
  it('shows each object with a name that contains its ID', async () => {
    const [clip, folder] = [objectId(), objectId()]
    const created = await addLink(service, creator.bearer, { bundles: [clip], directories: [folder] })
    expect(created).toMatchObject({
      shared_bundles: [{ id: clip, name: `Bundle ${clip}` }],
      shared_directories: [{ id: folder, name: `Directory ${folder}` }],
      media_root_permissions: [expect.any(Number)],
    })
    expect((await getLink(service, creator.bearer, created.id)).body).toEqual(created)
    expect((await redeem(service, created.token)).status).toBe(200)
  })

  it('can contain whole objects as well', async () => {
    const [clip, whole, folder] = [objectId(), bundle({ root: 9, path: '/a', asset: 3 }), directory()]
    const created = await addLink(service, creator.bearer, {
      bundles: [clip, whole],
      directories: [folder],
      permissions: { allow_read: true },
    })
    expect(created.shared_bundles).toEqual([
      { id: clip, name: `Bundle ${clip}` },
      { id: whole.id, name: whole.name },
    ])
    const { body } = await getLink(service, creator.bearer, created.id, '/permissions')
    const flags = Object.fromEntries(
      Object.keys(linkPermissions(0)).map((name) => [name, name === 'allow_read']),
    )
    const shown = { ...flags, user: created.user, group: null, is_temporary_for_token: created.id }
    expect(body).toEqual([
      { ...shown, id: created.media_root_permissions[0], root: 0, path: '', full_path: '' },
      { ...shown, id: created.media_root_permissions[1], root: 7, path: folder.path, full_path: folder.path },
      { ...shown, id: created.media_root_permissions[2], root: 9, path: '/a', full_path: '/a' },
    ])
  })

  it('is found by its objects, and deleted from their lists', async () => {
    const [clip, folder] = [objectId(), objectId()]
    const { id, token } = await addLink(service, creator.bearer, { bundles: [clip], directories: [folder] })
    const list = async (query: string) =>
      (await service.client('GET', `${linksPath}?${query}`, { bearer: creator.bearer })).body.map(
        (link: { id: number }) => link.id,
      )
    const hits = [`shared_bundles=${clip}`, `shared_directories=${folder}&shared_bundles=1,${clip}`]
    for (const query of hits) {
      expect(await list(query)).toEqual([id])
      expect((await lookUp(service, token, `?${query}`)).status).toBe(200)
    }
    for (const query of [`shared_directories=${clip}`, `shared_bundles=${clip}&shared_bundles__asset=1`]) {
      expect(await list(query)).toEqual([])
      expect((await lookUp(service, token, `?${query}`)).status).toBe(404)
    }
    expect((await deleteLink(service, creator.bearer, id)).status).toBe(204)
    expect(await list(`shared_bundles=${clip}`)).toEqual([])
  })

  it('is named in its email', async () => {
    const clip = objectId()
    const { id } = await addLink(service, creator.bearer, { bundles: [clip] })
    const answer = await service.client('POST', `${linksPath}/${id}/email`, {
      bearer: creator.bearer,
      body: { email: `guest-${clip}@example.com` },
    })
    expect(answer.status, answer.text).toBe(204)
    const mail = await service.mailbox.mailTo(`guest-${clip}@example.com`)
    expect(mail.subject).toContain(`“Bundle ${clip}”`)
  })

  it('is reused by easy sharing for the same ID, and not for an object with a place', async () => {
    const id = objectId()
    const first = await postLink(service, creator.bearer, { bundles: [id], is_easy_sharing: true })
    expect(first.status).toBe(201)
    expect(first.body.is_easy_sharing_for_bundle).toBe(id)
    const again = await postLink(service, creator.bearer, { bundles: [id], is_easy_sharing: true })
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    const placed = await postLink(service, creator.bearer, {
      bundles: [bundle({ id })],
      is_easy_sharing: true,
    })
    expect(placed.status).toBe(201)
    const folder = await postLink(service, creator.bearer, {
      directories: [id],
      bundles: [],
      is_easy_sharing: true,
    })
    expect(folder.status).toBe(201)
  })

  it('can have a name without the place in a product', async () => {
    const id = objectId()
    const created = await addLink(service, creator.bearer, { bundles: [{ id, name: 'Trailer' }] })
    expect(created.shared_bundles).toEqual([{ id, name: 'Trailer' }])
    const list = await service.client('GET', `${linksPath}?shared_bundles=${id}`, { bearer: creator.bearer })
    expect(list.body).toMatchObject([{ id: created.id }])
    const directory = { id: objectId(), name: 'Films' }
    const shared = await addLink(service, creator.bearer, { bundles: [], directories: [directory] })
    expect(shared.shared_directories).toEqual([directory])
  })

  it('can have 25 objects of each kind', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
    const created = await addLink(service, creator.bearer, { bundles: many(25), directories: many(25) })
    expect(created.shared_bundles).toHaveLength(25)
    expect(created.media_root_permissions).toHaveLength(1)
  })

  it.each<[unknown[], string, string]>([
    [['7'], 'bundles.0', 'must be an ID, or an object with an ID'],
    [[null], 'bundles.0', 'must be an ID, or an object with an ID'],
    [[[7]], 'bundles.0', 'must be an ID, or an object with an ID'],
    [[1.5], 'bundles.0', 'must be an ID, or an object with an ID'],
    [[true], 'bundles.0', 'must be an ID, or an object with an ID'],
    [[0], 'bundles.0', 'must be at least 1'],
    [[-1], 'bundles.0', 'must be at least 1'],
    [[5, 2 ** 31], 'bundles.1', 'must be at most 2147483647'],
    [[2 ** 53 - 1], 'bundles.0', 'must be at most 2147483647'],
    [[7, 7], 'bundles', 'must not contain an ID twice'],
    [[7, bundle({ id: 7 })], 'bundles', 'must not contain an ID twice'],
    [Array.from({ length: 26 }, (_, at) => at + 1), 'bundles', 'must be at most 25 entries long'],
    [[{ id: 7, root: 1, path: '/' }], 'bundles.0.name', 'is required'],
    [[{ id: 7, name: 'x', root: 1, path: '/', size: 1 }], 'bundles.0.size', 'is not recognized'],
  ])('is rejected with %j', async (bundles, field, message) => {
    for (const path of paths) {
      const { status, body } = await service.client('POST', path, {
        bearer: creator.bearer,
        body: { bundles },
      })
      expect({ status, errors: body.errors }).toEqual({ status: 400, errors: [{ field, message }] })
    }
  })

  it('is rejected if one field names the bundles and another the ID', async () => {
    const { status, body } = await share({ bundles: [{ id: 7 }], directories: [8] })
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['bundles.0.name'])
  })
})

describe('share_media_library_objects', () => {
  it('creates the link that create_access_token creates', async () => {
    const [clip, folder] = [objectId(), objectId()]
    const request = {
      bundles: [clip],
      directories: [folder],
      expires: '2031-05-06T09:08:09',
      view_limit: 2,
      permissions: { show_tags: true, allow_proxy_download: true },
      email: `guest-${clip}@example.com`,
      password: 'for your eyes only',
    }
    const answer = await share({ ...request, link_type: 'external' })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.headers.get('location')).toBe(`${linksPath}/${answer.body.id}`)
    const other = await addLink(service, creator.bearer, request)
    const changing = { id: 0, token: '', full_url: '', created_at: '', media_root_permissions: [] }
    expect({ ...answer.body, ...changing }).toEqual({ ...other, ...changing })
    expect(answer.body).toMatchObject({
      expires: '2031-05-06T09:08:09.000Z',
      view_limit_left: 2,
      has_password: true,
      user: { email: request.email },
    })
    const { body } = await getLink(service, creator.bearer, answer.body.id, '/permissions')
    expect(body).toMatchObject([{ root: 0, show_tags: true, allow_proxy_download: true, allow_read: false }])
  })

  it('takes what clients send for fields without a value', async () => {
    const answer = await share({
      bundles: [7],
      directories: [],
      view_limit: null,
      password: null,
      permissions: {},
    })
    expect(answer.status, answer.text).toBe(201)
    expect((await share({ bundles: [7], link_type: null })).status).toBe(201)
  })

  it('returns an equal easy-sharing link of either path', async () => {
    const id = objectId()
    const first = await postLink(service, creator.bearer, { bundles: [id], is_easy_sharing: true })
    const again = await share({ bundles: [id], is_easy_sharing: true })
    expect([again.status, again.body.token]).toEqual([200, first.body.token])
  })

  it.each<[string, object]>([
    ['link_type', { link_type: '' }],
    ['link_type', { link_type: 7 }],
    ['link_type', { link_type: 'x'.repeat(256) }],
    ['permissions.allow_all', { permissions: { allow_all: true } }],
    ['created_by', { created_by: 1 }],
    ['expires', { expires: '2031-05-06' }],
    ['expires', { expires: '2001-05-06T09:08:09' }],
    ['email', { email: 'a@example.com', user: 1 }],
  ])('rejects an unusable %s', async (field, given) => {
    const { status, body } = await share({ bundles: [7], ...given })
    expect(status).toBe(400)
    expect(body.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })

  it('leaves the kind of a link to its own path', async () => {
    const answer = await postLink(service, creator.bearer, { link_type: 'external' })
    expect(answer.body.errors).toEqual([{ field: 'link_type', message: 'is not recognized' }])
  })

  it('requires the permission and the scope of create_access_token, and the own session', async () => {
    const { bearer } = await addSignedIn(service)
    const refused = await share({ bundles: [7] }, bearer)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('media:access')])

    const tokenWith = async (scopes: string[]) => {
      const body = { name: 'script', scopes }
      return (await service.client('POST', '/api/2/api-tokens', { bearer: creator.bearer, body })).body.token
    }
    expect((await share({ bundles: [7] }, await tokenWith(['links:manage', 'links:view']))).status).toBe(403)
    expect((await share({ bundles: [7] }, await tokenWith(['media:access']))).status).toBe(201)

    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const start = await service.client('POST', '/api/2/auth/impersonation', {
      bearer: admin.bearer,
      body: { user: creator.user.id },
    })
    expect(start.status, start.text).toBe(204)
    const answers = await Promise.all(Array.from({ length: 10 }, () => share({ bundles: [7] }, admin.bearer)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(403))
  })

  it('has the audit event of create_access_token', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { body } = await share({ bundles: [7] })
    const events = await service.client(
      'GET',
      `/api/2/auth/audit-events?event=access_token.created&since=${new Date(Date.now() - 60_000).toISOString().slice(0, 23)}&limit=1`,
      { bearer: admin.bearer },
    )
    expect(events.status, events.text).toBe(200)
    expect(events.body).toMatchObject([{ target: String(body.id), actor: creator.user.id }])
  })
})
