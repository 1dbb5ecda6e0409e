import { describe, expect, it } from 'vitest'
import type { Json } from '../support/client.ts'
import { allPages } from '../support/directory.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], username: 'the-admin' })
const plain = await addSignedIn(service, { username: 'plain' })

const people = [
  { username: 'ada', full_name: 'Ada  Lovelace', email: 'countess@example.com', home: 12, is_cloud: true },
  { username: 'erika', full_name: 'Erika Straße', email: 'e.str@example.org' },
  { username: 'ibrahim', full_name: 'İbrahim Işık', email: null, is_enabled: false },
  { username: 'odysseus', full_name: 'ΟΔΥΣΣΕΥΣ', email: 'no-one@example.com', is_cloud: true },
  { username: 'Ｗide', full_name: 'Zoe\u0308 O’Neill', email: null },
]

const send = callAs(service, admin)

const club: number = (await send('POST', '/api/2/groups', { name: 'Club' })).body.id
const create = async (body: object) => {
  const answer = await send('POST', '/api/2/users', { permissions: [], groups: [], ...body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}

for (const user of people) await create({ ...user, groups: user.username === 'erika' ? [club] : [] })
const list = (query: Record<string, string>, at = '/api/2/users', bearer = admin.bearer) =>
  send('GET', `${at}?${new URLSearchParams(query)}`, undefined, { bearer })
const names = async (query: Record<string, string>) => {
  const answer = await list(query)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.map((row: Json) => row['username'])
}

describe('filter', () => {
  it.each([
    ['ada', ['ada']],
    ['LOVE', ['ada']],
    ['lovelace ada', ['ada']],
    [' Ada\tLovelace ', ['ada']],
    ['ada straße', []],
    ['COUNTESS@', ['ada']],
    ['example.com', ['ada', 'odysseus']],
    ['strasse', ['erika']],
    ['STRAẞE', ['erika']],
    ['ibrahim isik', []],
    ['IBRAHIM IŞIK', ['ibrahim']],
    ['οδυσσευς', ['odysseus']],
    ['οδυσ', ['odysseus']],
    ['wide', ['Ｗide']],
    ['zoë', ['Ｗide']],
    ['no-such-name', []],
    ['*', []],
    ['%', []],
    ['.*', []],
    ['\u0000', ['the-admin', 'plain', 'ada', 'erika', 'ibrahim', 'odysseus', 'Ｗide']],
  ])('%j finds %j', async (filter, found) => {
    expect(await names({ filter })).toEqual(found)
  })

  it('matches everything if it is empty', async () => {
    const all = await names({})
    for (const filter of ['', ' ', '\n']) expect(await names({ filter })).toEqual(all)
  })

  it.each([
    ['startswith', 'ad', ['ada']],
    ['startswith', 'lovelace', []],
    ['startswith', 'E.STR', ['erika']],
    ['exact', 'ada lovelace', ['ada']],
    ['exact', 'ada', ['ada']],
    ['exact', 'ad', []],
    ['exact', 'NO-ONE@example.com', ['odysseus']],
    ['contains', 'straße erika', ['erika']],
    ['fuzzy', 'straße erika', ['erika']],
  ])('with %s %j finds %j', async (filtering_mode, filter, found) => {
    expect(await names({ filter, filtering_mode })).toEqual(found)
  })

  it('names the modes that exist', async () => {
    const answer = await list({ filter: 'a', filtering_mode: 'regex' })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([
      { field: 'filtering_mode', message: 'must be one of "contains", "startswith", "exact", "fuzzy"' },
    ])
  })

  it('works with every other filter, in every order, and page by page', async () => {
    expect(await names({ filter: 'a', is_cloud: 'True' })).toEqual(['ada', 'odysseus'])
    expect(await names({ filter: 'example', groups: String(club) })).toEqual(['erika'])
    expect(await names({ groups: String(club), is_cloud: '1' })).toEqual([])
    expect(await names({ username: 'ADA', filter: 'countess' })).toEqual(['ada'])
    expect(await names({ username: 'ada', filter: 'straße' })).toEqual([])
    expect(await names({ email: 'countess@example.com', is_cloud: '0' })).toEqual([])
    expect(await names({ filter: 'example', ordering: '-username' })).toEqual(['odysseus', 'erika', 'ada'])
    expect(await names({ filter: 'example', ordering: '-id' })).toEqual(['odysseus', 'erika', 'ada'])
    for (const ordering of ['id', '-id', 'username', '-username']) {
      const path = `/api/2/users?filter=example&limit=1&ordering=${ordering}`
      const pages = await allPages<Json>(service, path, admin.bearer)
      expect(pages.map((page) => page.map(({ username }) => username))).toEqual(
        (await names({ filter: 'example', ordering })).map((name: string) => [name]),
      )
      expect(await names({ filter: 'example', offset: '2', ordering })).toHaveLength(1)
    }
  })

  it('finds a user by the present names alone', async () => {
    const { id } = await create({ username: 'before', full_name: 'Old Name', email: 'first@example.net' })
    expect(await names({ filter: 'old name' })).toEqual(['before'])
    await send('PATCH', `/api/2/users/${id}`, { full_name: 'New Name', username: 'after' })
    expect(await names({ filter: 'old name' })).toEqual([])
    expect(await names({ filter: 'new name' })).toEqual(['after'])
    await send('PATCH', `/api/2/users/${id}`, { email: 'fresh@example.net', is_enabled: false })
    expect(await names({ filter: 'first@' })).toEqual([])
    expect(await names({ filter: 'fresh@', is_enabled: 'false' })).toEqual(['after'])
    await send('DELETE', `/api/2/users/${id}`)
    expect(await names({ filter: 'fresh@' })).toEqual([])
  })

  it('finds users whose names are as long as they can be', async () => {
    const full_name = `${'長'.repeat(250)} Z`
    const username = `長${'い'.repeat(253)}x`
    await create({ username, full_name })
    expect(await names({ filter: `${'い'.repeat(100)}x` })).toEqual([username])
    expect(await names({ filter: '長 z' })).toEqual([username])
    expect(await names({ full_name, is_enabled: '1' })).toEqual([username])
  })

  it('is rejected if it is longer than any name, or repeated', async () => {
    expect((await list({ filter: 'x'.repeat(255) })).status).toBe(200)
    expect((await list({ filter: 'x'.repeat(256) })).status).toBe(400)
    expect((await send('GET', '/api/2/users?filter=a&filter=b')).status).toBe(400)
  })

  it('requires users:view', async () => {
    for (const at of ['/api/2/users', '/api/2/groups'])
      expect((await list({ filter: 'a' }, at, plain.bearer)).status).toBe(403)
    const body = { name: 'script', scopes: ['profile:view'] }
    const { token } = (await send('POST', '/api/2/api-tokens', body)).body
    expect((await list({ filter: 'a' }, '/api/2/users', token)).status).toBe(403)
  })
})

describe('other filters of published clients', () => {
  it.each([
    [{ full_name: 'ada lovelace' }, ['ada']],
    [{ full_name: 'Ada' }, []],
    [{ home: '12' }, ['ada']],
    [{ home: '/home/ada' }, []],
    [{ home: 'null' }, []],
    [{ is_cloud: 'True' }, ['ada', 'odysseus']],
    [{ is_cloud: 'true', home: '12', is_enabled: 'True' }, ['ada']],
    [{ is_enabled: '0' }, ['ibrahim']],
  ])('%j finds %j', async (query, found) => {
    expect(await names(query as Record<string, string>)).toEqual(found)
  })

  it.each(['full_name=', 'home=', 'is_cloud=maybe', 'include_allowed_fs_paths=x', 'full_nam=x'])(
    'rejects %s',
    async (query) => {
      expect((await send('GET', `/api/2/users?${query}`)).status).toBe(400)
    },
  )
})

describe('extra fields', () => {
  it('are shown unless the caller leaves them out', async () => {
    const id = admin.user.id
    for (const include of ['', '?include_effective_permissions=true', '?include_allowed_fs_paths=True']) {
      const { body } = await send('GET', `/api/2/users/${id}${include}`)
      expect(body.effective_permissions).toEqual(['system:admin-access'])
      expect(body.allowed_fs_paths).toBeNull()
    }
    const query = 'include_effective_permissions=false&include_allowed_fs_paths=false'
    const without = await send('GET', `/api/2/users/${id}?${query}`)
    expect(without.body).toMatchObject({ effective_permissions: [], permissions: ['system:admin-access'] })
    const listed = await send('GET', `/api/2/users?${query}&include_client_sessions=1`)
    expect(listed.body[0]).toEqual(without.body)
  })
})

describe('the filters of groups', () => {
  const groupNames = async (query: Record<string, string>) =>
    (await list(query, '/api/2/groups')).body.map((row: Json) => row['name'])

  it('find groups by their exact name, or by a part of it', async () => {
    for (const name of ['Straße Süd', 'Crew', 'Film-Crew']) await send('POST', '/api/2/groups', { name })
    expect(await groupNames({ name: 'crew' })).toEqual(['Crew'])
    expect(await groupNames({ name: 'Ｃrew' })).toEqual(['Crew'])
    expect(await groupNames({ name: 'ew' })).toEqual([])
    expect(await groupNames({ name: 'x'.repeat(1023) })).toEqual([])
    expect(await groupNames({ name: 'crew', filter: 'film' })).toEqual([])
    expect(await groupNames({ filter: 'CREW' })).toEqual(['Crew', 'Film-Crew'])
    expect(await groupNames({ filter: 'crew', ordering: '-name' })).toEqual(['Film-Crew', 'Crew'])
    expect(await groupNames({ filter: 'crew', filtering_mode: 'startswith' })).toEqual(['Crew'])
    expect(await groupNames({ filter: 'SÜD strasse' })).toEqual(['Straße Süd'])
    expect(await groupNames({ filter: '' })).toHaveLength(4)
    const pages = await allPages<Json>(service, '/api/2/groups?filter=crew&limit=1', admin.bearer)
    expect(pages.map((page) => page.length)).toEqual([1, 1])
  })

  it.each([
    'name=',
    'name=a&name=b',
    'filtering_mode=icontains',
    'ordering=gid',
    `filter=${'x'.repeat(256)}`,
  ])('reject %s', async (query) => {
    expect((await send('GET', `/api/2/groups?${query}`)).status).toBe(400)
  })

  it('list the names that the order can have', async () => {
    const message = (await send('GET', '/api/2/groups?ordering=gid')).body.errors[0].message
    expect(message).toBe('must be one of "id", "-id", "name", "-name"')
  })
})
