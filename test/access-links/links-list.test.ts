import { randomInt } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AccessLinkRecord } from '../../lib/features/access-links/link.records.ts'
import { getLinkVault } from '../../lib/features/access-links/link-vault.ts'
import { getLinkValueContext } from '../../lib/features/access-links/rules.ts'
import { accessLinkKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import {
  addLink,
  bundle,
  deleteLink,
  directory,
  getLink,
  linksPath,
  objectId,
  redeem,
  seedLinks,
} from '../support/links.ts'
import { findNextPath, findNextUrl } from '../support/next-page.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOWED_ORIGINS: 'https://media.example.com' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const people: SignedInPerson[] = await Promise.all(
  [0, 1, 2].map(() => addSignedIn(service, { permissions: ['media:access'] })),
)

/** All links, as returned to their creators. */
const links: JsonValue[] = []
const [bundles, directories, assets] = [0, 1, 2].map(() => [objectId(), objectId(), objectId()]) as [
  number[],
  number[],
  number[],
]
const assetsOf = new Map<number, number[]>()

const oneOf = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T
const some = (ids: readonly number[]) => ids.filter(() => randomInt(2) === 0)
for (let at = 0; at < 60; at++) {
  const shared = some(bundles).map((id) => bundle({ id, asset: oneOf([null, ...assets]) }))
  const created = await addLink(service, oneOf(people).bearer, {
    bundles: shared,
    directories: [...some(directories), objectId()].map((id) => directory({ id })),
    user: oneOf(people).user.id,
    expires: oneOf([null, new Date(Date.UTC(2031, randomInt(12))).toISOString()]),
    view_limit: oneOf([null, 1, 2, 3]),
    url: oneOf(['/share', '/share!', '/share?a=1', '/open', 'https://media.example.com/a']),
    ...(at % 10 === 0 ? { password: 'open sesame' } : {}),
  })
  assetsOf.set(
    created.id,
    shared.flatMap(({ asset }) => asset ?? []),
  )
  links.push(created)
}

const list = (bearer: string, query: Record<string, string | number> = {}): Promise<Answer> =>
  service.client('GET', `${linksPath}?${new URLSearchParams(query as Record<string, string>)}`, { bearer })
const getIds = (answer: Answer): number[] => {
  expect(answer.status, answer.text).toBe(200)
  return answer.body.map(({ id }: { id: number }) => id)
}
/** Reads all pages by following the Link headers. */
const listAll = async (bearer: string, query: Record<string, string | number>): Promise<JsonValue[]> => {
  const found: JsonValue[] = []
  let answer = await list(bearer, query)
  for (let pages = 0; pages < 200; pages++) {
    getIds(answer)
    found.push(...answer.body)
    const next = findNextPath(answer.headers)
    if (!next) return found
    answer = await service.client('GET', next, { bearer })
  }
  throw new Error('the list does not end')
}

const visibleTo = (user: number) => (link: JsonValue) => link.created_by.id === user || link.user.id === user
const shares = (objects: { id: number }[], ids: readonly number[]) =>
  objects.some(({ id }) => ids.includes(id))
const parseIds = (value: unknown): number[] => String(value).split(',').map(Number)
const passes = (query: Record<string, string | number>) => (link: JsonValue) =>
  (query['shared_bundles'] === undefined || shares(link.shared_bundles, parseIds(query['shared_bundles']))) &&
  (query['shared_directories'] === undefined ||
    shares(link.shared_directories, parseIds(query['shared_directories']))) &&
  (query['shared_bundles__asset'] === undefined ||
    assetsOf.get(link.id)?.includes(Number(query['shared_bundles__asset']))) &&
  (query['user'] === undefined || link.user.id === query['user']) &&
  (query['created_by'] === undefined || link.created_by.id === query['created_by'])

const sortable = (number: number): string => String(number).padStart(10, '0')
const keyIn = (field: string, link: JsonValue): string => {
  if (field === 'url') return `${link.url}\t`
  if (field === 'user' || field === 'created_by') return sortable(link[field].id)
  if (field === 'has_password' || field === 'view_limit_enabled') return link[field] ? '1' : '0'
  if (field === 'expires') return link.expires ?? 'never'
  if (field === 'view_limit_left') return sortable(link.view_limit_left)
  return field === 'created_at' ? link.created_at : ''
}
const inOrder = (all: readonly JsonValue[], ordering: string): number[] => {
  const field = ordering.replace('-', '')
  const sortKey = (link: JsonValue) => `${keyIn(field, link)}#${sortable(link.id)}`
  const ids = all.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map(({ id }) => id)
  return ordering.startsWith('-') ? ids.reverse() : ids
}

describe('get_all_access_tokens', () => {
  it('shows administrators all links, and other users only links that they created or received', async () => {
    const all = links.map(({ id }) => id)
    expect(getIds(await list(admin.bearer, { limit: 1000 }))).toEqual(all)
    for (const { user, bearer } of people) {
      const own = links.filter(visibleTo(user.id)).map(({ id }) => id)
      expect(own.length).toBeGreaterThan(0)
      expect(own.length).toBeLessThan(all.length)
      expect(getIds(await list(bearer, { limit: 1000 }))).toEqual(own)
    }
    const stranger = await addSignedIn(service)
    expect(getIds(await list(stranger.bearer))).toEqual([])
  })

  it('shows each link as get_access_token does', async () => {
    const [first] = links
    const [shown] = (await list(admin.bearer, { limit: 1 })).body
    const { body } = await getLink(service, admin.bearer, first.id)
    expect(shown).toEqual(body)
  })

  const queries: (() => Record<string, string | number>)[] = [
    () => ({ shared_bundles: bundles[0] ?? 0 }),
    () => ({ shared_bundles: bundles.join(',') }),
    () => ({ shared_bundles: `${bundles[1]},${bundles[1]},2147483647` }),
    () => ({ shared_directories: directories[2] ?? 0 }),
    () => ({ shared_directories: directories.join(','), shared_bundles: bundles[0] ?? 0 }),
    () => ({ shared_bundles__asset: assets[0] ?? 0 }),
    () => ({ shared_bundles__asset: assets[1] ?? 0, shared_bundles: bundles[2] ?? 0 }),
    () => ({ user: people[0]?.user.id ?? 0 }),
    () => ({ created_by: people[1]?.user.id ?? 0 }),
    () => ({ user: people[0]?.user.id ?? 0, created_by: people[1]?.user.id ?? 0 }),
    () => ({ user: people[2]?.user.id ?? 0, created_by: people[2]?.user.id ?? 0 }),
    () => ({
      user: people[1]?.user.id ?? 0,
      shared_bundles: bundles.join(','),
      shared_directories: directories[1] ?? 0,
    }),
    () => ({ created_by: 2_147_483_647 }),
    () => ({ shared_bundles: 2_147_483_647, user: people[1]?.user.id ?? 0 }),
    () => ({}),
  ]
  const orderings = ['id', 'created_at', 'expires', 'view_limit_left'].flatMap((field) => [
    field,
    `-${field}`,
  ])

  it.each(orderings.map((ordering, at) => ({ ordering, at })))(
    'returns the links that pass every filter in order of $ordering, for administrators and other users',
    async ({ ordering, at }) => {
      for (const [number, query] of queries.map((make) => make()).entries()) {
        // Both of them send each query in four of the orders.
        const { user, bearer } = [admin, ...people][(number + at) % 2] as SignedInPerson
        const isVisible = user.id === admin.user.id ? () => true : visibleTo(user.id)
        const expected = inOrder(links.filter(isVisible).filter(passes(query)), ordering)
        const pages = await listAll(bearer, { ...query, ordering, limit: 13 })
        expect(
          pages.map(({ id }) => id),
          JSON.stringify(query),
        ).toEqual(expected)
        const middle = getIds(await list(bearer, { ...query, ordering, limit: 5, offset: 3 }))
        expect(middle).toEqual(expected.slice(3, 8))
      }
    },
  )

  it.each(
    ['user', 'created_by', 'url', 'has_password', 'view_limit_enabled'].flatMap((field) => [
      field,
      `-${field}`,
    ]),
  )('returns links in order of %s, page by page', async (ordering) => {
    for (const { user, bearer } of [admin, ...people.slice(0, 1)]) {
      const isVisible = user.id === admin.user.id ? () => true : visibleTo(user.id)
      const pages = await listAll(bearer, { ordering, limit: 13 })
      expect(pages.map(({ id }) => id)).toEqual(inOrder(links.filter(isVisible), ordering))
    }
  })

  it('returns links in order of the object that they share easily, and others last', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['media:access'] })
    const plain = await addLink(service, bearer, { bundles: [8] })
    const folder = await addLink(service, bearer, { bundles: [], directories: [9], is_easy_sharing: true })
    const second = await addLink(service, bearer, { bundles: [30], is_easy_sharing: true })
    const first = await addLink(service, bearer, { bundles: [4], is_easy_sharing: true })
    const byBundle = getIds(await list(bearer, { ordering: 'is_easy_sharing_for_bundle' }))
    expect(byBundle).toEqual([first, second, plain, folder].map(({ id }) => id))
    const byDirectory = getIds(await list(bearer, { ordering: '-is_easy_sharing_for_directory' }))
    expect(byDirectory).toEqual([first, second, plain, folder].map(({ id }) => id))
    // The links that other tests compare with are those of the three people.
    for (const { id } of [plain, folder, second, first]) await deleteLink(service, bearer, id)
  })

  it.each([
    'token',
    'full_url',
    'hash',
    'require_login',
    'shared_bundles',
    'activity',
    '--id',
    'USER',
    'id,user',
  ])('cannot be ordered by %s, and lists the allowed names', async (ordering) => {
    const answer = await list(admin.bearer, { ordering })
    expect(answer.status).toBe(400)
    const [error] = answer.body.errors
    expect(error.field).toBe('ordering')
    for (const name of ['"id"', '"-id"', '"created_by"', '"user"', '"url"', '"-view_limit_left"'])
      expect(error.message).toContain(name)
  })

  it('orders links by id by default, and omits the Link header on the last page', async () => {
    const whole = await list(admin.bearer, { limit: 60 })
    expect(getIds(whole)).toEqual(links.map(({ id }) => id))
    expect(whole.headers.get('link')).toBeNull()
    const part = await list(admin.bearer, { limit: 59 })
    expect(part.headers.get('link')).toMatch(/rel="next"$/)
  })

  it.each([
    'limit=0',
    'limit=1001',
    'limit=1e2',
    'offset=-1',
    'offset=10001',
    'ordering=hash',
    'ordering=encrypted_value',
    'ordering=--id',
    'user=0',
    'user=1,2',
    'user=1&user=2',
    'created_by=me',
    'shared_bundles=1,',
    'shared_bundles=1&shared_bundles=2',
    `shared_bundles=${Array(101).fill(1).join(',')}`,
    'shared_bundles__asset=1,2',
    'shared_bundles=2147483648',
    'party=1',
    'cursor=x',
  ])('rejects ?%s', async (query) => {
    const answer = await service.client('GET', `${linksPath}?${query}`, { bearer: admin.bearer })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_request')
  })

  it('accepts a cursor only from the user it was issued to, and only for the same query', async () => {
    const [one, other] = people as [SignedInPerson, SignedInPerson]
    const first = await list(one.bearer, { limit: 2 })
    const cursor = new URL(findNextUrl(first.headers) ?? '').searchParams.get('cursor') ?? ''
    expect((await list(one.bearer, { limit: 3, cursor })).status).toBe(200)
    expect((await list(other.bearer, { limit: 2, cursor })).status).toBe(400)
    expect((await list(one.bearer, { limit: 2, cursor, created_by: one.user.id })).status).toBe(400)
  })

  it('reflects uses and deletions immediately', async () => {
    const { user, bearer } = await addSignedIn(service, { permissions: ['media:access'] })
    const created = await Promise.all(
      [3, 2, 1].map((limit) => addLink(service, bearer, { view_limit: limit })),
    )
    const [three, two, one] = created
    const order = async () => getIds(await list(bearer, { ordering: 'view_limit_left' }))
    expect(await order()).toEqual([one, two, three].map(({ id }) => id))
    for (let at = 0; at < 3; at++) await redeem(service, three.token)
    expect(await order()).toEqual([three, one, two].map(({ id }) => id))
    await deleteLink(service, bearer, one.id)
    expect(await order()).toEqual([three, two].map(({ id }) => id))
    expect(getIds(await list(bearer, { shared_bundles: one.shared_bundles[0].id }))).toEqual([])
    expect(getIds(await list(bearer, { created_by: user.id, ordering: '-expires' }))).toHaveLength(2)
  })
})

describe('a list with more links than the service sorts in memory', () => {
  const [shared, count] = [objectId(), 1040]
  const expiry = (at: number) => (at % 4 === 0 ? null : Date.UTC(2040, 0, 1 + ((at * 37) % 300)))
  /** The ids in order of expiry. Links that never expire come last. */
  let byExpiry: number[]
  beforeAll(async () => {
    const [creator] = people as [SignedInPerson]
    const recipient = await addSignedIn(service, { permissions: ['media:access'] })
    await addLink(service, recipient.bearer, {})
    const created = await addLink(service, creator.bearer, { user: recipient.user.id })
    const records = await seedLinks(service, created.id, count, 1_000_000, (at) => ({
      expiresAt: expiry(at),
      bundles: [{ ...bundle({ id: shared }), asset: null }],
    }))
    const sortKey = ({ id, expiresAt }: AccessLinkRecord) => `${expiresAt ?? 'never'}#${id}`
    byExpiry = records.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map(({ id }) => id)
  })

  it('returns all links in order of expiry, page by page', async () => {
    for (const ordering of ['expires', '-expires']) {
      const query = { shared_bundles: shared, ordering, limit: 300 }
      for (const { bearer } of [admin, ...people.slice(0, 1)]) {
        const pages = await listAll(bearer, query)
        expect(pages.map(({ id }) => id)).toEqual(ordering === 'expires' ? byExpiry : byExpiry.toReversed())
      }
    }
  })

  it.each(['view_limit_left', '-url'])(
    'rejects ordering by %s unless another filter leaves few links',
    async (ordering) => {
      const refused = await list(admin.bearer, { ordering })
      expect(refused.status).toBe(400)
      expect(refused.body.errors).toMatchObject([{ field: 'ordering' }])
      const narrowed = { ordering, user: people[2]?.user.id ?? 0 }
      expect(getIds(await list(admin.bearer, narrowed)).length).toBeGreaterThan(0)
    },
  )
})

it('leaves out a link whose value cannot be decrypted, and reports it', async () => {
  const { services } = service
  const creator = await addSignedIn(service, { permissions: ['media:access'] })
  const [first, second] = [
    await addLink(service, creator.bearer, { bundles: [objectId()] }),
    await addLink(service, creator.bearer, { bundles: [objectId()] }),
  ]
  const other = await getLinkVault(services).encrypt('lka_value', getLinkValueContext(second.id))
  await services.table.update(accessLinkKey(first.id), (x) => ({
    set: [`${x.path('encryptedValue')} = ${x.value(other)}`],
  }))
  const { status, body } = await service.client('GET', linksPath, { bearer: creator.bearer })
  expect([status, body.map(({ id }: JsonValue) => id)]).toEqual([200, [second.id]])
  expect(service.log.join()).toContain('"ItemUnreadable":1')
  expect((await deleteLink(service, creator.bearer, first.id)).status).toBe(204)
})

describe('a search', () => {
  const title = `Trailer Über ${randomInt(1e9)}`
  /** Follows the pages, because a search can end a page without a result. */
  const search = async (query: Record<string, string | number>, { bearer } = admin) =>
    (await listAll(bearer, query)).map(({ id }) => id)

  it('finds links by what they open and whom they are for, whatever else there is', async () => {
    const [creator] = people as [SignedInPerson, SignedInPerson]
    const recipient = await addSignedIn(service, { permissions: ['media:access'] })
    const own = await addLink(service, recipient.bearer, {})
    const email = `guest-${randomInt(1e9)}@partner.example`
    const given = await addLink(service, creator.bearer, {
      bundles: [bundle({ id: objectId(), name: title })],
      email,
    })
    const named = await addLink(service, creator.bearer, {
      user: recipient.user.id,
      expires: '2031-05-01T00:00:00Z',
    })
    expect(await search({ filter: title.toUpperCase() })).toEqual([given.id])
    expect(await search({ filter: email.slice(0, 12), ordering: 'expires' })).toEqual([given.id])
    expect(await search({ filter: recipient.user.username, ordering: '-id' })).toEqual([named.id, own.id])
    const all = await search({ person: recipient.user.id, limit: 100, ordering: 'id' })
    const made = await search({ created_by: recipient.user.id, limit: 100 })
    const received = await search({ user: recipient.user.id, limit: 100 })
    expect(all).toContain(named.id)
    expect(new Set(all)).toEqual(new Set([...made, ...received]))
    expect(await search({ person: creator.user.id, filter: title })).toEqual([given.id])
    expect(await search({ filter: 'nothing of this name' })).toEqual([])
  })

  it('finds those that have expired, and the others', async () => {
    const { id } = await addLink(service, people[0]?.bearer ?? '', { expires: '2031-05-01T00:00:00Z' })
    await service.services.table.update(accessLinkKey(id), (x) => ({
      set: [`${x.path('expiresAt')} = ${x.value(Date.now() - 1000)}`],
    }))
    expect(await search({ expired: 'true', limit: 100 })).toEqual([id])
    expect(await search({ expired: 'false', limit: 100 })).not.toContain(id)
    expect((await list(admin.bearer, { expired: 'maybe' })).status).toBe(400)
  })

  it('reveals nothing of a recipient that the caller does not see', async () => {
    const [creator, , stranger] = people as [SignedInPerson, SignedInPerson, SignedInPerson]
    const hidden = await addSignedIn(service, {
      email: `hidden-${randomInt(1e9)}@example.com`,
      full_name: 'Hidden Name',
    })
    const link = await addLink(service, creator.bearer, { user: hidden.user.id })
    for (const filter of [hidden.user.email ?? '', 'Hidden Name', hidden.user.username]) {
      expect(await search({ filter }, creator)).toEqual([])
      expect(await search({ filter })).toEqual([link.id])
      expect(await search({ filter }, stranger)).toEqual([])
    }
    expect(await search({ person: creator.user.id, limit: 100 }, stranger)).not.toContain(link.id)
  })
})
