import { afterEach, describe, expect, it, vi } from 'vitest'
import { deleteUser } from '../../lib/features/directory/deletion/delete-user.records.ts'
import { linkPermissions } from '../../lib/published-clients/link-fields.ts'
import { costsSince } from '../support/directory.ts'
import {
  addLink,
  bundle,
  deleteLink,
  directory,
  findEasySharingKey,
  getLink,
  linksPath,
  lookUp,
  postLink,
  redeem,
  seedLinks,
} from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOWED_ORIGINS: 'https://media.example.com' })
const creator = await addSignedIn(service, { permissions: ['media:access'], full_name: 'Ada Lovelace' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const stranger = await addSignedIn(service, { permissions: ['media:access'] })
afterEach(() => vi.useRealTimers())

const errorFieldsOf = async (given: object) => {
  const answer = await postLink(service, creator.bearer, given)
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'invalid_request' })
  return answer.body.errors.map(({ field }: { field: string }) => field)
}

describe('create_access_token', () => {
  it('returns the whole link and the address to read it from', async () => {
    const [clip, folder] = [bundle({ asset: 12 }), directory()]
    const answer = await postLink(service, creator.bearer, {
      bundles: [clip],
      directories: [folder],
      permissions: { allow_read: true },
      expires: '2031-05-06T09:08:09+02:00',
      view_limit: 3,
      password: 'for your eyes only',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`${linksPath}/${answer.body.id}`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toMatchObject({
      activity: [],
      user: { is_external: true, email: null },
      shared_bundles: [{ id: clip.id, name: clip.name }],
      shared_directories: [{ id: folder.id, name: folder.name }],
      url: `${service.url}/link`,
      full_url: `${service.url}/link#token=${answer.body.token}`,
      has_password: true,
      expires: '2031-05-06T07:08:09.000Z',
      view_limit_enabled: true,
      view_limit_left: 3,
      require_login: false,
      created_by: { id: creator.user.id, display_name: 'Ada Lovelace' },
      is_easy_sharing_for_bundle: null,
      is_easy_sharing_for_directory: null,
    })
    expect(answer.body.token).toMatch(/^lka_[0-9A-Za-z]{45}$/)
    expect((await getLink(service, creator.bearer, answer.body.id)).body).toEqual(answer.body)
  })

  it('reports that a link has no view limit and no expiry', async () => {
    for (const given of [{}, { view_limit: null, expires: null, password: null, user: null, email: null }])
      expect(await addLink(service, creator.bearer, given)).toMatchObject({
        view_limit_enabled: false,
        view_limit_left: 0,
        expires: null,
        has_password: false,
      })
  })

  it('assigns ascending ids and creation times, even to concurrent requests', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => addLink(service, creator.bearer)))
    const byId = created.toSorted((a, b) => a.id - b.id)
    expect(new Set(byId.map(({ id }) => id)).size).toBe(20)
    const times = byId.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted())
    expect((await addLink(service, creator.bearer)).id).toBeGreaterThan(byId.at(-1)?.id)
  })

  it('still assigns ascending ids after the clock was far ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    const ahead = await addLink(service, creator.bearer)
    vi.useRealTimers()
    const after = await addLink(service, creator.bearer)
    expect(after.id).toBeGreaterThan(ahead.id)
    expect(Date.parse(ahead.created_at) - Date.parse(after.created_at)).toBeGreaterThan(3_000_000)
  })

  it('accepts 1 to 25 different objects of each kind', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => bundle({ asset: at + 1, root: at + 1 }))
    const folders = (count: number) => Array.from({ length: count }, (_, at) => directory({ root: at + 101 }))
    const full = await addLink(service, creator.bearer, { bundles: many(25), directories: folders(25) })
    expect(full.shared_bundles).toHaveLength(25)
    expect(full.shared_directories).toHaveLength(25)
    expect(new Set(full.media_root_permissions).size).toBe(50)
    expect((await deleteLink(service, creator.bearer, full.id)).status).toBe(204)
    expect(await errorFieldsOf({ bundles: many(26) })).toEqual(['bundles'])
    expect(await errorFieldsOf({ directories: folders(26) })).toEqual(['directories'])
    expect(await errorFieldsOf({ bundles: [], directories: [] })).toEqual(['bundles'])
    expect(await errorFieldsOf({ bundles: [bundle({ id: 1 }), bundle({ id: 1 })] })).toEqual(['bundles'])
  })

  it.each([
    ['expires', { expires: new Date(Date.now() - 1000).toISOString() }],
    ['expires', { expires: 'tomorrow' }],
    ['view_limit', { view_limit: 0 }],
    ['view_limit', { view_limit: -1 }],
    ['view_limit', { view_limit: 2 ** 31 }],
    ['view_limit', { view_limit: 1.5 }],
    ['password', { password: '' }],
    ['password', { password: 'x' }],
    ['password', { password: '123' }],
    ['password', { password: '\u{1f511}\u{1f511}\u{1f511}' }],
    ['password', { password: 'e\u0301'.repeat(3) }],
    ['password', { password: 'x'.repeat(1025) }],
    ['user', { user: 2_147_483_647 }],
    ['email', { email: 'no address' }],
    ['email', { email: 'a@example.com,b@example.com' }],
    ['email', { email: 'a@example.com\r\nbcc: b@example.com' }],
    ['email', { email: 'a@example.com', user: 1 }],
    ['require_login', { require_login: true }],
    ['is_easy_sharing', { is_easy_sharing: true, bundles: [bundle(), bundle()] }],
    ['permissions.allow_everything', { permissions: { allow_everything: true } }],
    ['permissions.allow_read', { permissions: { allow_read: 'yes' } }],
    ['bundles.0.id', { bundles: [bundle({ id: 2 ** 31 })] }],
    ['bundles.0.root', { bundles: [bundle({ root: 0 })] }],
    ['bundles.0.name', { bundles: [bundle({ name: '' })] }],
    ['bundles.0.path', { bundles: [bundle({ path: '/projects/../secret' })] }],
    ['bundles.0.path', { bundles: [bundle({ path: '/projects/\u0000' })] }],
    ['directories.0.path', { directories: [directory({ path: '..' })] }],
    ['directories.0.path', { directories: [directory({ path: 'x'.repeat(1024) })] }],
    ['directories.0.asset', { directories: [directory({ asset: 1 })] }],
    ['created_by', { created_by: 1 }],
    ['token', { token: 'lka_chosen' }],
  ])('rejects an unusable %s', async (field, given) => {
    expect(await errorFieldsOf(given)).toEqual([field])
  })

  it('reports all invalid fields at once', async () => {
    const path = { bundles: [bundle({ path: '/..' })] }
    expect(
      await errorFieldsOf({ ...path, expires: '2001-01-01T00:00:00Z', url: '//evil', require_login: true }),
    ).toEqual(['expires', 'require_login', 'bundles.0.path', 'url'])
  })

  it('requires media:access, and names this permission', async () => {
    const { bearer } = await addSignedIn(service)
    const answer = await postLink(service, bearer)
    expect(answer.status).toBe(403)
    expect(answer.body.detail).toContain('media:access')
  })
})

describe('the page of a link', () => {
  it.each([
    ['/share', '/share'],
    ['/share/../open?lang=de', '/open?lang=de'],
    ['https://media.example.com/open', 'https://media.example.com/open'],
    ['HTTPS://MEDIA.EXAMPLE.COM', 'https://media.example.com/'],
    ['https:media.example.com/open', 'https://media.example.com/open'],
  ])('can be %s', async (url, page) => {
    const expected = page.startsWith('/') ? service.url + page : page
    const created = await addLink(service, creator.bearer, { url })
    expect(created.url).toBe(expected)
    expect(created.full_url).toBe(`${expected}#token=${created.token}`)
  })

  it.each([
    'https://evil.example/',
    'https://media.example.com.evil.example/',
    'https://media.example.com@evil.example/',
    'https://user:secret@media.example.com/',
    'http://media.example.com/',
    'https://media.example.com:8443/',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    ' https://media.example.com/',
    'https://media.example.com\n.evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://media.example.com/0',
    'share',
    '',
    '/share#there',
    'https://media.example.com/#',
    `/${'x'.repeat(1010)}`,
    `/${'é'.repeat(500)}`,
  ])('cannot be %j', async (url) => {
    expect(await errorFieldsOf({ url })).toEqual(['url'])
  })
})

describe('get_access_token', () => {
  it('shows a link to its creator, its recipient, and administrators, and responds 404 to all others', async () => {
    const recipient = await addSignedIn(service)
    const { id, token } = await addLink(service, creator.bearer, { user: recipient.user.id })
    for (const { bearer } of [creator, recipient, admin])
      for (const path of ['', '/permissions'])
        expect((await getLink(service, bearer, id, path)).status).toBe(200)
    expect((await getLink(service, recipient.bearer, id)).body.token).toBe(token)
    for (const path of ['', '/permissions']) {
      const [hidden, missing] = [
        await getLink(service, stranger.bearer, id, path),
        await getLink(service, stranger.bearer, 2_147_483_647, path),
      ]
      expect(hidden.status).toBe(404)
      expect({ ...hidden.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' })
    }
  })

  it('shows the newest 100 uses, newest first, with time and address', async () => {
    const { id, token } = await addLink(service, creator.bearer)
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    for (let at = 0; at < 105; at++) {
      vi.setSystemTime(start + at * 1000)
      expect((await redeem(service, token)).status).toBe(200)
    }
    const { activity } = (await getLink(service, creator.bearer, id)).body
    expect(activity).toHaveLength(100)
    expect(activity[0]).toEqual({
      id: expect.any(Number),
      date: new Date(start + 104_000).toISOString(),
      ip: '127.0.0.1',
      token: id,
    })
    expect(activity.at(-1).date).toBe(new Date(start + 5000).toISOString())
    expect(new Set(activity.map(({ id }: { id: number }) => id)).size).toBe(100)
  })

  it('shows a deleted recipient as such, and their link stops working', async () => {
    const { user } = await addSignedIn(service)
    const created = await addLink(service, creator.bearer, { user: user.id })
    // Deletes only the user record. The service removes their links later.
    await deleteUser(service.services.table, user, [])
    const shown = await getLink(service, creator.bearer, created.id)
    expect(shown.body.user).toMatchObject({ id: user.id, display_name: 'Deleted user', email: null })
    expect((await lookUp(service, created.token)).status).toBe(404)
    expect(shown.body.media_root_permissions).toEqual([])
    expect((await getLink(service, creator.bearer, created.id, '/permissions')).body).toEqual([])
    expect((await deleteLink(service, creator.bearer, created.id)).status).toBe(204)
  })

  it('omits a deleted creator, and their link stops working', async () => {
    const other = await addSignedIn(service, { permissions: ['media:access'] })
    const created = await addLink(service, other.bearer)
    await deleteUser(service.services.table, other.user, [])
    const shown = (await getLink(service, admin.bearer, created.id)).body
    expect(shown).not.toHaveProperty('created_by')
    expect(shown.media_root_permissions).toEqual([])
    expect((await getLink(service, admin.bearer, created.id, '/permissions')).body).toEqual([])
    expect((await lookUp(service, created.token)).status).toBe(404)
    expect((await deleteLink(service, admin.bearer, created.id)).status).toBe(204)
  })
})

describe('get_access_token_by_value', () => {
  it('shows anyone with the value only what the link page needs', async () => {
    const created = await addLink(service, creator.bearer, { password: 'secret', view_limit: 1 })
    const answer = await lookUp(service, created.token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      id: created.id,
      shared_by: 'Ada Lovelace',
      product: null,
      shared_items: [],
      has_password: true,
      user: created.user,
      url: created.url,
      full_url: created.full_url,
    })
  })

  it('applies filters that exclude the link, and rejects unknown filters', async () => {
    const [clip, folder] = [bundle({ asset: 77 }), directory()]
    const created = await addLink(service, creator.bearer, { bundles: [clip], directories: [folder] })
    const hits = [
      `?shared_bundles=${clip.id}`,
      `?shared_bundles=1,${clip.id}`,
      `?shared_directories=${folder.id}&shared_bundles=${clip.id}`,
      '?shared_bundles__asset=77',
      `?user=${created.user.id}&created_by=${creator.user.id}`,
      '?ordering=-expires&limit=1&offset=0',
    ]
    for (const query of hits) expect((await lookUp(service, created.token, query)).status, query).toBe(200)
    const misses = [
      '?shared_bundles=1',
      `?shared_bundles=${clip.id}&shared_directories=1`,
      `?shared_directories=${clip.id}`,
      '?shared_bundles__asset=78',
      `?user=${creator.user.id}`,
      `?created_by=${created.user.id}`,
    ]
    for (const query of misses) expect((await lookUp(service, created.token, query)).status, query).toBe(404)
    for (const query of [
      '?shared_bundles=',
      '?user=1&user=2',
      '?shared_bundles=1;2',
      '?hash=x',
      '?ordering=hash',
    ])
      expect((await lookUp(service, created.token, query)).status, query).toBe(400)
  })
})

describe('get_access_token_media_library_permissions', () => {
  it('has one entry for each media root, with exactly the permissions of the link', async () => {
    const created = await addLink(service, creator.bearer, {
      bundles: [bundle({ root: 9, path: '/a/b/one.mov' }), bundle({ root: 9, path: '/a/c/two.mov' })],
      directories: [directory({ root: 4, path: '/dailies' })],
      permissions: { allow_read: true, show_markers: true, allow_upload: false },
    })
    const { body } = await getLink(service, creator.bearer, created.id, '/permissions')
    const allowed = Object.fromEntries(
      Object.keys(linkPermissions(0)).map((name) => [name, ['allow_read', 'show_markers'].includes(name)]),
    )
    expect(Object.keys(allowed)).toHaveLength(20)
    const common = { ...allowed, user: created.user, group: null, is_temporary_for_token: created.id }
    expect(body).toEqual([
      { ...common, id: created.media_root_permissions[0], root: 4, path: '/dailies', full_path: '/dailies' },
      { ...common, id: created.media_root_permissions[1], root: 9, path: '/a', full_path: '/a' },
    ])
    expect((await getLink(service, creator.bearer, created.id, '/permissions')).body).toEqual(body)
  })

  it('assigns ids that no other link uses', async () => {
    const roots = Array.from({ length: 5 }, (_, at) => bundle({ root: at + 1 }))
    const created = await Promise.all(
      Array.from({ length: 10 }, () =>
        addLink(service, creator.bearer, { bundles: roots.map((one) => ({ ...one })) }),
      ),
    )
    const ids = created.flatMap(({ media_root_permissions }) => media_root_permissions)
    expect(new Set(ids).size).toBe(50)
    for (const id of ids) expect(id).toBeGreaterThan(0)
  })

  it('is empty from the moment of expiry', async () => {
    const expires = Date.now() + 60_000
    const created = await addLink(service, creator.bearer, { expires: new Date(expires).toISOString() })
    vi.useFakeTimers({ toFake: ['Date'], now: expires - 1 })
    expect((await getLink(service, creator.bearer, created.id, '/permissions')).body).toHaveLength(1)
    vi.setSystemTime(expires)
    expect((await getLink(service, creator.bearer, created.id, '/permissions')).body).toEqual([])
    expect((await getLink(service, creator.bearer, created.id)).body).toMatchObject({
      media_root_permissions: [],
      expires: new Date(expires).toISOString(),
    })
  })
})

describe('delete_access_token', () => {
  it('is allowed to the creator and to administrators', async () => {
    const recipient = await addSignedIn(service)
    for (const { bearer } of [creator, admin]) {
      const { id } = await addLink(service, creator.bearer, { user: recipient.user.id })
      expect((await deleteLink(service, stranger.bearer, id)).status).toBe(404)
      expect((await deleteLink(service, recipient.bearer, id)).status).toBe(403)
      expect((await deleteLink(service, bearer, id)).status).toBe(204)
      expect((await deleteLink(service, bearer, id)).status).toBe(404)
      expect((await getLink(service, creator.bearer, id)).status).toBe(404)
    }
  })

  it('deletes an anonymous guest, and keeps a guest with an address', async () => {
    const nameless = await addLink(service, creator.bearer)
    const named = await addLink(service, creator.bearer, { email: `guest-${bundle().id}@example.com` })
    for (const { id } of [nameless, named]) await deleteLink(service, creator.bearer, id)
    const userOf = (id: number) => service.client('GET', `/api/2/users/${id}`, { bearer: admin.bearer })
    expect((await userOf(nameless.user.id)).status).toBe(404)
    expect((await userOf(named.user.id)).status).toBe(200)
  })

  it('keeps a guest who has been granted a permission since', async () => {
    const created = await addLink(service, creator.bearer)
    const path = `/api/2/users/${created.user.id}`
    await service.client('PATCH', path, { bearer: admin.bearer, body: { permissions: ['media:access'] } })
    expect((await deleteLink(service, creator.bearer, created.id)).status).toBe(204)
    expect((await service.client('GET', path, { bearer: admin.bearer })).status).toBe(200)
  })

  it('succeeds exactly once for 20 concurrent requests', async () => {
    for (const given of [{}, { user: stranger.user.id }]) {
      const { id } = await addLink(service, creator.bearer, given)
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => deleteLink(service, creator.bearer, id)),
      )
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([204, ...Array<number>(19).fill(404)])
    }
  })

  it('leaves only its audit events in the table', async () => {
    const { table } = service.services
    const created = await addLink(service, creator.bearer, { is_easy_sharing: true })
    const marker = await findEasySharingKey(service, created.id)
    expect(await table.get(marker)).toBeDefined()
    for (let at = 0; at < 3; at++) await redeem(service, created.token)
    await deleteLink(service, creator.bearer, created.id)
    for (const pk of [`access-token#${created.id}`, `user#${created.user.id}`])
      expect(await table.list(pk, '')).toEqual([])
    expect(await table.get(marker)).toBeUndefined()
  })
})

it('counts links by their state, up to a hundred of each, for administrators alone and without reading a link', async () => {
  const path = `${linksPath}/totals`
  const read = async () => (await service.client('GET', path, { bearer: admin.bearer })).body
  const before = await read()
  const { id } = await addLink(service, creator.bearer, { expires: null })
  const { not_expired } = await read()
  expect(not_expired).toEqual({ count: before.not_expired.count + 1, has_more: false })
  await seedLinks(service, id, 100, 3_000_000, (at) => ({ expiresAt: Date.now() - 1000 - at }))
  expect(await read()).toEqual({ not_expired, expired: { count: 100, has_more: false } })
  await seedLinks(service, id, 1, 4_000_000, () => ({ expiresAt: Date.now() - 1 }))
  const logStart = service.log.length
  expect(await read()).toEqual({ not_expired, expired: { count: 100, has_more: true } })
  expect(costsSince(service, logStart).at(-1)?.units).toBeLessThan(10)
  for (const bearer of [creator.bearer, undefined])
    expect((await service.client('GET', path, bearer === undefined ? {} : { bearer })).status).toBe(
      bearer === undefined ? 401 : 403,
    )
})
