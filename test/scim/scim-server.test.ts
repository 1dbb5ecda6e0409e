import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addSignedIn, callAs } from '../support/people.ts'
import { addDirectory, schemas, scimSettings, storeConnection, type TestDirectory } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'scimRequests=100000/10' }, { sendsMail: false })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const connectionId = await storeConnection(service)
const directory = await addDirectory(service, connectionId, {}, admin)
const { call, addUser, patch } = directory
const fresh = async (): Promise<TestDirectory> =>
  addDirectory(service, await storeConnection(service), {}, admin)
const newName = () => `${randomUUID()}@example.com`
const addOne = async (fields: object = {}): Promise<string> => {
  const { status, text, body } = await addUser({ userName: newName(), ...fields })
  expect(status, text).toBe(201)
  return body.id
}
const filterBy = (filter: string, kind = 'Users') =>
  call('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
const idsOf = async (filter: string, kind = 'Users'): Promise<readonly string[]> =>
  (await filterBy(filter, kind)).body.Resources.map(({ id }: { id: string }) => id)
const addGroup = async (members: readonly string[] = [], fields: object = {}): Promise<string> => {
  const { body, text, status } = await call('POST', '/Groups', {
    schemas: [schemas.group],
    displayName: randomUUID(),
    ...(members.length > 0 && { members: members.map((value) => ({ value })) }),
    ...fields,
  })
  expect(status, text).toBe(201)
  return body.id
}
const membersOf = async (id: string): Promise<readonly string[]> =>
  (await call('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value).sort()
const patchGroup = (id: string, ...Operations: readonly object[]) =>
  call('PATCH', `/Groups/${id}`, { schemas: [schemas.patch], Operations })

describe('people of a directory', () => {
  it('are created, read, replaced, changed and deleted', async () => {
    const userName = newName()
    const created = await addUser({
      userName,
      externalId: 'x-1',
      name: { givenName: 'Ada' },
      password: 'ignored',
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    const { id, meta } = created.body
    expect(created.body).toMatchObject({ schemas: [schemas.user], userName, externalId: 'x-1', active: true })
    expect(created.text).not.toContain('ignored')
    expect(created.headers.get('location')).toBe(meta.location)
    expect(created.headers.get('etag')).toBe(meta.version)
    expect((await call('GET', `/Users/${id}`)).body).toEqual({ ...created.body, groups: [] })
    const replaced = await call('PUT', `/Users/${id}`, { schemas: [schemas.user], userName, title: 'Editor' })
    expect(replaced.body).toMatchObject({ title: 'Editor', active: true })
    expect(replaced.body.name).toBeUndefined()
    expect((await patch(id, { displayName: 'Ada' })).body).toMatchObject({
      title: 'Editor',
      displayName: 'Ada',
    })
    const deleted = await call('DELETE', `/Users/${id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) expect((await call(method, `/Users/${id}`)).status).toBe(404)
    expect((await addUser({ userName })).status).toBe(201)
  })

  it('have a userName that is unique without case, and an externalId that is not', async () => {
    const userName = newName()
    await addOne({ userName, externalId: 'same' })
    const again = await addUser({ userName: userName.toUpperCase() })
    expect(again.status).toBe(409)
    expect(again.body).toEqual({
      schemas: [schemas.error],
      scimType: 'uniqueness',
      detail: 'Another person of this connection has this userName.',
      status: '409',
    })
    await addOne({ externalId: 'same' })
    expect((await idsOf('externalId eq "same"')).length).toBe(2)
    const other = await addOne()
    expect((await patch(other, { userName })).status).toBe(409)
  })

  it('are created once by 20 requests at the same time', async () => {
    const userName = newName()
    const answers = await Promise.all(Array.from({ length: 20 }, () => addUser({ userName })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  it('stay as active as they are after a PUT without active', async () => {
    const userName = newName()
    const id = await addOne({ userName })
    await patch(id, { active: 'False' })
    const put = await call('PUT', `/Users/${id}`, { schemas: [schemas.user], userName })
    expect(put.body.active).toBe(false)
    expect(
      (await call('PUT', `/Users/${id}`, { schemas: [schemas.user], userName, active: true })).body.active,
    ).toBe(true)
  })

  it.each(['False', 'false', [false], false])('end with active %j', async (active) => {
    const id = await addOne()
    expect((await patch(id, { active })).body.active).toBe(false)
    expect((await call('GET', `/Users/${id}`)).body.active).toBe(false)
  })

  it.each([0, null, 'no', {}, [], [true, false]])('are not changed by active %j', async (active) => {
    const id = await addOne()
    const answer = await call('PATCH', `/Users/${id}`, {
      schemas: [schemas.patch],
      Operations: [{ op: 'replace', path: 'active', value: active }],
    })
    expect([400, answer.body.scimType]).toEqual([
      answer.status,
      expect.stringMatching(/^(invalidValue|mutability)$/),
    ])
    expect((await call('GET', `/Users/${id}`)).body.active).toBe(true)
  })

  it('change only in the version that a request names', async () => {
    const id = await addOne()
    const etag = (await call('GET', `/Users/${id}`)).headers.get('etag') ?? ''
    const send = (title: string) =>
      call(
        'PATCH',
        `/Users/${id}`,
        { schemas: [schemas.patch], Operations: [{ op: 'replace', value: { title } }] },
        { 'if-match': etag },
      )
    expect((await send('first')).status).toBe(200)
    const replayed = await send('second')
    expect([replayed.status, replayed.body.schemas]).toEqual([412, [schemas.error]])
    const read = await call('GET', `/Users/${id}`)
    expect(read.body.title).toBe('first')
    const unchanged = await call('GET', `/Users/${id}`, undefined, {
      'if-none-match': read.headers.get('etag') ?? '',
    })
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
  })

  it('are found by filters, also by those of other spellings', async () => {
    const value = newName()
    const id = await addOne({ userName: value, externalId: `e-${value}`, emails: [{ value, type: 'work' }] })
    for (const filter of [
      `userName eq "${value.toUpperCase()}"`,
      `USERNAME Eq "${value}"`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${value}"`,
      `externalId eq "e-${value}"`,
      `emails[type eq "work"].value eq "${value}"`,
      `emails[value eq "${value}"]`,
      `emails.value eq "${value}"`,
      `id eq "${id}"`,
      `userName eq "${value}" and active eq true`,
      `userName eq "none" or (externalId eq "e-${value}" and not (active eq false))`,
      `userName sw "${value.slice(0, 20)}" and displayName co "x" or id eq "${id}"`,
    ])
      expect(await idsOf(filter), filter).toEqual([id])
    for (const filter of [`userName eq "${value}" and active eq false`, 'id eq "x"', 'userName eq "nobody"'])
      expect(await idsOf(filter), filter).toEqual([])
    const none = await filterBy('userName eq "nobody"')
    expect(none.body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] })
    for (const filter of ['userName', 'groups.value eq "x"', `${'('.repeat(9)}a`, 'userName gt "a"'])
      expect((await filterBy(filter)).body.scimType, filter).toBe('invalidFilter')
  })

  it('show the attributes that a request asks for', async () => {
    const id = await addOne({ title: 'Editor', name: { givenName: 'Ada', familyName: 'L' } })
    const only = await call('GET', `/Users/${id}?attributes=name.givenName,urn:unknown&unknown=1`)
    expect(Object.keys(only.body).sort()).toEqual(['id', 'name', 'schemas'])
    const without = await call('GET', `/Users/${id}?excludedAttributes=title,meta`)
    expect(without.body).not.toHaveProperty('title')
    expect(without.body).not.toHaveProperty('meta')
    expect((await call('GET', `/Users/${id}?attributes=id&excludedAttributes=title`)).status).toBe(400)
  })

  it('are listed once each, by number and by cursor', async () => {
    const { addUser: add, call: send } = await fresh()
    const names = Array.from({ length: 7 }, (_, at) => `person-${at}`)
    for (const userName of names) await add({ userName })
    const read = async (next: (last: { nextCursor?: string; startIndex: number }, at: number) => string) => {
      const found: string[] = []
      let last = { startIndex: 1 } as { nextCursor?: string; startIndex: number }
      for (let at = 0; at < 3; at++) {
        const { body } = await send('GET', `/Users?count=3&${next(last, at)}`)
        expect(body.totalResults).toBe(7)
        found.push(...body.Resources.map(({ userName }: { userName: string }) => userName))
        last = body
      }
      return { found, last }
    }
    const byNumber = await read((_, at) => `startIndex=${1 + at * 3}`)
    expect(byNumber.found).toEqual(names)
    const byCursor = await read(({ nextCursor = '' }) => `cursor=${nextCursor}`)
    expect(byCursor.found).toEqual(names)
    expect(byCursor.last).not.toHaveProperty('nextCursor')
    const jumped = await send('GET', '/Users?startIndex=6&count=10')
    expect(jumped.body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(
      names.slice(5),
    )
    expect((await send('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 7, Resources: [] })
    const far = await send('GET', '/Users?startIndex=10002')
    expect([far.status, far.body.scimType]).toEqual([400, 'tooMany'])
    expect((await send('GET', '/Users?cursor=x')).body.scimType).toBe('invalidCursor')
    expect((await send('GET', '/Users?count=many')).body.scimType).toBe('invalidCount')
  })
})

describe('groups of a directory', () => {
  it('have members, who show their groups', async () => {
    const [a, b] = [await addOne(), await addOne()]
    const id = await addGroup([a])
    expect(await membersOf(id)).toEqual([a])
    expect((await call('GET', `/Users/${a}`)).body.groups).toEqual([
      { value: id, $ref: expect.stringContaining(`/Groups/${id}`), display: expect.any(String) },
    ])
    expect((await patchGroup(id, { op: 'add', path: 'members', value: [{ value: b }] })).status).toBe(204)
    expect((await patchGroup(id, { op: 'add', path: 'members', value: [{ value: b }] })).status).toBe(204)
    expect(await membersOf(id)).toEqual([a, b].sort())
    await patchGroup(id, { op: 'remove', path: `members[value eq "${a}"]` })
    expect(await membersOf(id)).toEqual([b])
    await patchGroup(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: b }] })
    expect((await call('GET', `/Groups/${id}`)).body.members).toEqual([])
    await patchGroup(id, { op: 'replace', path: 'members', value: [{ value: a }] })
    expect(await idsOf(`members eq "${a}"`, 'Groups')).toEqual([id])
    expect(await idsOf(`id eq "${id}" and members[value eq "${b}"]`, 'Groups')).toEqual([])
    expect((await call('GET', `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members')
    await call('DELETE', `/Users/${a}`)
    expect((await call('GET', `/Groups/${id}`)).body.members).toEqual([])
    expect((await call('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await call('GET', `/Groups/${id}`)).status).toBe(404)
  })

  it('keep their members after a PUT without them, and lose all with an empty list', async () => {
    const a = await addOne()
    const id = await addGroup([a])
    const put = (fields: object) =>
      call('PUT', `/Groups/${id}`, { schemas: [schemas.group], displayName: `g-${id}`, ...fields })
    await put({})
    expect(await membersOf(id)).toEqual([a])
    await put({ members: [] })
    expect(await membersOf(id)).toEqual([])
  })

  it('take 100 members by one request, in transactions', async () => {
    const people = await Promise.all(Array.from({ length: 100 }, () => addOne()))
    const id = await addGroup()
    const value = people.map((one) => ({ value: one }))
    expect((await patchGroup(id, { op: 'add', path: 'members', value })).status).toBe(204)
    expect(await membersOf(id)).toEqual([...people].sort())
  })

  it('have a displayName that is unique, and no members of others', async () => {
    const other = await fresh()
    const { body: stranger } = await other.addUser({ userName: newName() })
    const id = await addGroup()
    const displayName = (await call('GET', `/Groups/${id}`)).body.displayName
    const twice = await call('POST', '/Groups', {
      schemas: [schemas.group],
      displayName: displayName.toUpperCase(),
    })
    expect([twice.status, twice.body.scimType]).toEqual([409, 'uniqueness'])
    expect(await idsOf(`displayName eq "${displayName}"`, 'Groups')).toEqual([id])
    const refused = []
    for (const value of [stranger.id, randomUUID(), '__proto__', '7'])
      refused.push((await patchGroup(id, { op: 'add', path: 'members', value: [{ value }] })).body)
    expect(refused).toEqual(Array(4).fill(refused[0]))
    expect(refused[0]).toMatchObject({ status: '400', scimType: 'invalidValue' })
    expect((await call('GET', `/Groups/${id}`)).body.members).toEqual([])
  })
})

describe('the service as a directory sees it', () => {
  it('describes itself, and refuses .search in words', async () => {
    const config = await call('GET', '/ServiceProviderConfig')
    expect(config.body).toMatchObject({ patch: { supported: true }, filter: { maxResults: 100 } })
    for (const path of ['/Schemas', '/ResourceTypes']) {
      const { body } = await call('GET', path)
      const [first] = body.Resources
      expect((await call('GET', `${path}/${first.id}`)).body).toEqual(first)
    }
    expect((await call('GET', '/Schemas/urn:none')).status).toBe(404)
    const search = await call('POST', '/.search', { schemas: [] })
    expect([search.status, search.body.detail]).toEqual([501, expect.stringContaining('.search')])
    const below = await call('POST', '/Users/.search', { schemas: [] })
    expect([below.status, below.body.detail]).toEqual([405, expect.stringContaining('.search')])
    for (const path of ['/Devices', '/__proto__', '/constructor'])
      expect((await call('GET', path)).body, path).toMatchObject({ schemas: [schemas.error], status: '404' })
  })

  it('answers errors of all checks in the form of the protocol', async () => {
    const broken = await service.client('POST', `/scim/v2/${connectionId}/Users`, {
      bearer: directory.token,
      raw: '{',
      headers: { 'content-type': 'application/scim+json' },
    })
    expect(broken.body).toMatchObject({ schemas: [schemas.error], status: '400', scimType: 'invalidSyntax' })
    const wrongType = await service.client('POST', `/scim/v2/${connectionId}/Users`, {
      bearer: directory.token,
      raw: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect(wrongType.body).toMatchObject({ schemas: [schemas.error], status: '415' })
    const large = await addUser({ userName: newName(), title: 'x'.repeat(1024 * 1024) })
    expect([large.status, large.body.schemas]).toEqual([413, [schemas.error]])
    expect((await call('POST', '/Users', { userName: newName() })).body.detail).toContain('"schemas"')
  })

  it('carries out several requests, which name what earlier ones created', async () => {
    const userName = newName()
    const displayName = randomUUID()
    const { status, body } = await call('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      failOnErrors: 1,
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'ada', data: { schemas: [schemas.user], userName } },
        {
          method: 'POST',
          path: '/Groups',
          bulkId: 'team',
          data: { schemas: [schemas.group], displayName, members: [{ value: 'bulkId:ada' }] },
        },
        { method: 'POST', path: '/Users', bulkId: 'again', data: { schemas: [schemas.user], userName } },
        { method: 'DELETE', path: '/Groups/bulkId:team' },
      ],
    })
    expect(status).toBe(200)
    expect(body.Operations.map((one: { status: string }) => one.status)).toEqual(['201', '201', '409'])
    const [group = ''] = await idsOf(`displayName eq "${displayName}"`, 'Groups')
    expect(await membersOf(group)).toEqual(await idsOf(`userName eq "${userName}"`))
    const tooMany = await call('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: Array.from({ length: 101 }, () => ({ method: 'DELETE', path: '/Users/x' })),
    })
    expect(tooMany.status).toBe(413)
  })

  it('is the same for each token that does not work', async () => {
    const send = (bearer: string | undefined, id = connectionId) =>
      service.client('GET', `/scim/v2/${id}/Users`, bearer === undefined ? {} : { bearer })
    const other = await fresh()
    const off = await fresh()
    await callAs(service, admin)('PUT', `auth/connections/${off.connectionId}/scim`, {
      ...scimSettings,
      enabled: false,
    })
    const answers = await Promise.all([
      send(undefined),
      send('lkm_x'),
      send(admin.bearer),
      send(other.token),
      send(directory.token, other.connectionId),
      send(directory.token, 2_147_483_000),
      send(off.token, off.connectionId),
    ])
    for (const { status, headers, body } of answers) {
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(body).toEqual(answers[0]?.body)
      expect(body.schemas).toEqual([schemas.error])
    }
  })
})

describe('the tokens of a directory', () => {
  const manage = callAs(service, admin)

  it('are two at a time, shown once, and stop working at once', async () => {
    const one = await fresh()
    const path = `auth/connections/${one.connectionId}/scim`
    const second = await manage('POST', `${path}/tokens`)
    expect([second.status, second.body.token]).toEqual([201, expect.stringMatching(/^lkm_/)])
    expect((await manage('POST', `${path}/tokens`)).status).toBe(409)
    await one.call('GET', '/Users')
    const { body } = await manage('GET', path)
    expect(JSON.stringify(body)).not.toContain('lkm_')
    expect(body.tokens).toMatchObject([
      { created_by: admin.user.id, last_used_at: expect.any(String) },
      { last_used_at: null },
    ])
    expect((await manage('DELETE', `${path}/tokens/${body.tokens[0].id}`)).status).toBe(204)
    expect((await one.call('GET', '/Users')).status).toBe(401)
    expect((await manage('DELETE', `${path}/tokens/${body.tokens[0].id}`)).status).toBe(404)
  })

  it('are for administrators of the service, or for managers of a connection that their organization brought', async () => {
    const plain = await addSignedIn(service)
    const path = `auth/connections/${connectionId}/scim`
    for (const [method, at] of [
      ['GET', path],
      ['PUT', path],
      ['POST', `${path}/tokens`],
      ['DELETE', `${path}/tokens/1`],
    ] as const)
      expect(
        (await callAs(service, plain)(method, at, method === 'PUT' ? scimSettings : undefined)).status,
      ).toBe(403)
  })
})
