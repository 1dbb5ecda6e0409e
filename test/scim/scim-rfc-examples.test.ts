import { beforeEach, describe, expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { addDirectory, schemas, storeConnection, type TestDirectory } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/*
 * The examples of RFC 7643 8 and RFC 7644 3, with the IDs of this service in the place of theirs. What a service has to answer is asserted for
 * the attributes that this one stores. The others are ignored, as `/Schemas` says.
 */

const service = await useService({}, { sendsMail: false })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const bulkUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
let directory: TestDirectory
beforeEach(async () => {
  directory = await addDirectory(service, await storeConnection(service), {}, admin)
})

const work = { value: 'bjensen@example.com', type: 'work', primary: true }
const home = { value: 'babs@jensen.org', type: 'home' }
const name = { formatted: 'Ms. Barbara J Jensen, III', familyName: 'Jensen', givenName: 'Barbara' }
/** RFC 7643 8.2, without the IDs and dates that a service sets. */
const fullUser = {
  schemas: [schemas.user],
  externalId: '701984',
  userName: 'bjensen@example.com',
  name: { ...name, middleName: 'Jane', honorificPrefix: 'Ms.', honorificSuffix: 'III' },
  displayName: 'Babs Jensen',
  nickName: 'Babs',
  profileUrl: 'https://login.example.com/bjensen',
  emails: [work, home],
  addresses: [
    {
      streetAddress: '100 Universal City Plaza',
      locality: 'Hollywood',
      region: 'CA',
      postalCode: '91608',
      country: 'USA',
      type: 'work',
      primary: true,
    },
    { streetAddress: '456 Hollywood Blvd', locality: 'Hollywood', country: 'USA', type: 'home' },
  ],
  phoneNumbers: [
    { value: '555-555-5555', type: 'work' },
    { value: '555-555-4444', type: 'mobile' },
  ],
  ims: [{ value: 'someaimhandle', type: 'aim' }],
  photos: [{ value: 'https://photos.example.com/profilephoto/72930000000Ccne/F', type: 'photo' }],
  userType: 'Employee',
  title: 'Tour Guide',
  preferredLanguage: 'en-US',
  locale: 'en-US',
  timezone: 'America/Los_Angeles',
  active: true,
  password: 't1meMa$heen',
  x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAwTjELMAkGA1UEBhMC' }],
}
const storedUser = {
  externalId: '701984',
  userName: 'bjensen@example.com',
  name,
  displayName: 'Babs Jensen',
  emails: [work, home],
  title: 'Tour Guide',
  preferredLanguage: 'en-US',
  active: true,
}
const post = async (path: string, body: object): Promise<string> => {
  const created = await directory.call('POST', path, body)
  expect(created.status, created.text).toBe(201)
  return created.body.id
}
const addGroup = (displayName: string, members: readonly object[] = []) =>
  post('/Groups', { schemas: [schemas.group], displayName, members })
const read = async (path: string) => (await directory.call('GET', path)).body
const patch = (path: string, ...Operations: readonly object[]) =>
  directory.call('PATCH', path, { schemas: [schemas.patch], Operations })
const membersOf = async (id: string): Promise<readonly string[]> =>
  ((await read(`/Groups/${id}`)).members ?? []).map(({ value }: { value: string }) => value)

describe('RFC 7643', () => {
  it('8.1: a minimal user is created', async () => {
    const id = await post('/Users', { schemas: [schemas.user], userName: 'bjensen@example.com' })
    expect(await read(`/Users/${id}`)).toMatchObject({
      ...{ id, userName: 'bjensen@example.com' },
      meta: { resourceType: 'User', location: expect.stringContaining(`/Users/${id}`) },
    })
  })

  it('8.2: a full user keeps what is stored, and nothing else', async () => {
    const id = await post('/Users', fullUser)
    const user = await read(`/Users/${id}`)
    expect(user).toMatchObject(storedUser)
    const ignored = ['nickName', 'profileUrl', 'addresses', 'phoneNumbers', 'ims', 'photos', 'userType']
    for (const attribute of [...ignored, 'locale', 'timezone', 'password', 'x509Certificates'])
      expect(user).not.toHaveProperty(attribute)
  })

  it('8.3: an enterprise user has the extension, and a manager by ID', async () => {
    const manager = await post('/Users', { schemas: [schemas.user], userName: 'jsmith@example.com' })
    const extension = {
      employeeNumber: '701984',
      costCenter: '4130',
      organization: 'Universal Studios',
      division: 'Theme Park',
      department: 'Tour Operations',
      manager: { value: manager, $ref: `../Users/${manager}`, displayName: 'John Smith' },
    }
    const id = await post('/Users', {
      ...fullUser,
      schemas: [schemas.user, enterprise],
      [enterprise]: extension,
    })
    const user = await read(`/Users/${id}`)
    expect(user.schemas).toEqual([schemas.user, enterprise])
    const { manager: _, ...texts } = extension
    expect(user[enterprise]).toMatchObject({ ...texts, manager: { value: manager } })
  })

  it('8.4: a group has its members', async () => {
    const [babs, mandy] = [
      await post('/Users', { schemas: [schemas.user], userName: 'bjensen' }),
      await post('/Users', { schemas: [schemas.user], userName: 'mpepperidge' }),
    ]
    const group = await addGroup('Tour Guides', [
      { value: babs, $ref: `https://example.com/v2/Users/${babs}`, display: 'Babs Jensen' },
      { value: mandy, $ref: `https://example.com/v2/Users/${mandy}`, display: 'Mandy Pepperidge' },
    ])
    expect((await membersOf(group)).toSorted()).toEqual([babs, mandy].toSorted())
    expect((await read(`/Users/${babs}`)).groups).toMatchObject([{ value: group, display: 'Tour Guides' }])
  })

  it('8.5 to 8.7: the service describes its configuration, types and schemas', async () => {
    const config = await read('/ServiceProviderConfig')
    expect(config).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: true },
      filter: { supported: true },
      etag: { supported: true },
      sort: { supported: false },
      changePassword: { supported: false },
    })
    const types = await read('/ResourceTypes')
    expect(types.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group'])
    const { Resources } = await read('/Schemas')
    expect(Resources.map(({ id }: { id: string }) => id)).toEqual([schemas.user, enterprise, schemas.group])
  })
})

describe('RFC 7644', () => {
  const babs = {
    schemas: [schemas.user],
    userName: 'bjensen',
    externalId: 'bjensen',
    name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
  }

  it('3.3: a creation answers with the place and the version', async () => {
    const { status, headers, body } = await directory.call('POST', '/Users', babs)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(body.meta.location)
    expect(headers.get('etag')).toBe(body.meta.version)
    expect(body).toMatchObject(babs)
    const again = await directory.call('POST', '/Users', babs)
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness'])
  })

  it('3.4.1: a user is read with its version', async () => {
    const id = await post('/Users', { ...babs, phoneNumbers: [{ value: '555-555-8377', type: 'work' }] })
    const { status, headers, body } = await directory.call('GET', `/Users/${id}`)
    expect([status, headers.get('etag')]).toEqual([200, body.meta.version])
    expect(body).toMatchObject({ id, ...babs })
  })

  it('3.4.2: a list has the attributes that the request names', async () => {
    for (const userName of ['bjensen', 'jsmith']) await post('/Users', { ...babs, userName })
    const list = await read('/Users?attributes=userName')
    expect(list).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 2,
    })
    const names = list.Resources.map(({ userName }: { userName: string }) => userName)
    expect(names.toSorted()).toEqual(['bjensen', 'jsmith'])
    for (const resource of list.Resources) expect(resource).not.toHaveProperty('name')
  })

  it.each([
    ['userName Eq "bjensen"', 1],
    ['Username eq "bjensen"', 1],
    ['userName eq "bjensen"', 1],
    ['name.familyName co "Jens"', 1],
    ['userName sw "b"', 1],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "b"', 1],
    ['title pr', 1],
    ['title pr and userName eq "bjensen"', 1],
    ['title pr or userName eq "nobody"', 1],
    ['userName eq "bjensen" and (emails co "example.com" or emails.value co "example.org")', 1],
    ['userName eq "bjensen" and not (emails co "example.com" or emails.value co "example.org")', 0],
    ['userName eq "bjensen" and (emails.type eq "work")', 1],
    ['userName eq "bjensen" and emails[type eq "work" and value co "@example.com"]', 1],
    // What is not stored has no value.
    ['title pr and userType eq "Employee"', 0],
    ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', 1],
  ])('3.4.2.2: the filter %s finds %i', async (filter, count) => {
    await post('/Users', { ...babs, title: 'Tour Guide', emails: [work, home] })
    await post('/Users', { schemas: [schemas.user], userName: 'jsmith' })
    const list = await directory.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    expect([list.status, list.body.totalResults], list.text).toEqual([200, count])
  })

  it.each([
    'meta.lastModified gt "2011-05-13T04:42:34Z"',
    'meta.lastModified ge "2011-05-13T04:42:34Z"',
    'meta.lastModified lt "2011-05-13T04:42:34Z"',
    'meta.lastModified le "2011-05-13T04:42:34Z"',
    'userType ne "Employee"',
  ])('3.4.2.2: the filter %s is refused, and never answered with everybody', async (filter) => {
    await post('/Users', babs)
    const { status, body } = await directory.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    expect([status, body.scimType]).toEqual([400, 'invalidFilter'])
  })

  it('3.4.3: a search by POST is refused in words', async () => {
    const { status, body } = await directory.call('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      attributes: ['displayName', 'userName'],
      filter: 'displayName sw "smith"',
      startIndex: 1,
      count: 10,
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.detail).toContain('GET')
  })

  it('3.5.1: a replacement removes what it leaves out', async () => {
    const id = await post('/Users', { ...babs, title: 'Tour Guide' })
    const { status, body } = await directory.call('PUT', `/Users/${id}`, {
      ...babs,
      id,
      emails: [{ value: 'bjensen@example.com' }, { value: 'babs@jensen.org' }],
    })
    expect(status).toBe(200)
    expect(body.emails.map(({ value }: { value: string }) => value)).toEqual([
      'bjensen@example.com',
      'babs@jensen.org',
    ])
    expect(body).not.toHaveProperty('title')
  })

  it('3.5.2.1: members and addresses are added', async () => {
    const [group, user] = [await addGroup('Tour Guides'), await post('/Users', babs)]
    const member = { display: 'Babs Jensen', $ref: `https://example.com/v2/Users/${user}`, value: user }
    expect((await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [member] })).status).toBe(
      204,
    )
    expect(await membersOf(group)).toEqual([user])
    const added = await patch(`/Users/${user}`, { op: 'add', value: { emails: [home], nickname: 'Babs' } })
    expect(added.status).toBe(200)
    expect(added.body.emails).toMatchObject([home])
  })

  it('3.5.2.2: one member, all members, and addresses by a filter are removed', async () => {
    const users = []
    for (const userName of ['babs', 'james', 'jsmith'])
      users.push(await post('/Users', { ...babs, userName, emails: [work, home] }))
    const [first = '', second = '', third = ''] = users
    const group = await addGroup(
      'Tour Guides',
      users.map((value) => ({ value })),
    )
    await patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${first}"]` })
    expect((await membersOf(group)).toSorted()).toEqual([second, third].toSorted())
    await patch(
      `/Groups/${group}`,
      { op: 'remove', path: `members[value eq "${second}"]` },
      { op: 'add', path: 'members', value: [{ value: first }] },
    )
    expect((await membersOf(group)).toSorted()).toEqual([first, third].toSorted())
    await patch(`/Groups/${group}`, { op: 'remove', path: 'members' })
    expect(await membersOf(group)).toEqual([])
    const path = 'emails[type eq "work" and value co "example.com"]'
    expect((await patch(`/Users/${first}`, { op: 'remove', path })).status).toBe(200)
    expect((await read(`/Users/${first}`)).emails).toMatchObject([home])
  })

  it('3.5.2.3: all members are replaced, also in one request with a removal', async () => {
    const [one, two] = [await post('/Users', babs), await post('/Users', { ...babs, userName: 'james' })]
    const group = await addGroup('Tour Guides', [{ value: one }])
    await patch(`/Groups/${group}`, { op: 'replace', path: 'members', value: [{ value: two }] })
    expect(await membersOf(group)).toEqual([two])
    await patch(
      `/Groups/${group}`,
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: [{ value: one }, { value: two }] },
    )
    expect((await membersOf(group)).toSorted()).toEqual([one, two].toSorted())
    const replaced = await patch(`/Users/${one}`, {
      op: 'replace',
      value: { emails: [work, home], nickname: 'Babs' },
    })
    expect(replaced.body.emails).toMatchObject([work, home])
  })

  it('3.6: a deleted user is not found', async () => {
    const id = await post('/Users', babs)
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204)
    const { status, body } = await directory.call('GET', `/Users/${id}`)
    expect(status).toBe(404)
    expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' })
  })

  it('3.7.2: a group names a user of the same request', async () => {
    const { status, body } = await directory.call('POST', '/Bulk', {
      schemas: [bulkUrn],
      Operations: [
        {
          method: 'POST',
          path: '/Users',
          bulkId: 'qwerty',
          data: { schemas: [schemas.user], userName: 'Alice' },
        },
        {
          method: 'POST',
          path: '/Groups',
          bulkId: 'ytrewq',
          data: {
            schemas: [schemas.group],
            displayName: 'Tour Guides',
            members: [{ type: 'User', value: 'bulkId:qwerty' }],
          },
        },
      ],
    })
    expect([status, body.Operations.map((one: { status: string }) => one.status)]).toEqual([
      200,
      ['201', '201'],
    ])
    const [alice, group] = body.Operations.map(({ location }: { location: string }) =>
      location.split('/').at(-1),
    )
    expect(await membersOf(group)).toEqual([alice])
  })

  it('3.7.3: four kinds of operations, of which the failed ones say why', async () => {
    const ids = []
    for (const userName of ['Bob', 'Dave', 'Mike']) ids.push(await post('/Users', { ...babs, userName }))
    const [bob, dave, mike] = ids
    const { version } = (await read(`/Users/${bob}`)).meta
    const { status, body } = await directory.call('POST', '/Bulk', {
      schemas: [bulkUrn],
      failOnErrors: 10,
      Operations: [
        {
          method: 'POST',
          path: '/Users',
          bulkId: 'qwerty',
          data: { schemas: [schemas.user], userName: 'Alice' },
        },
        {
          method: 'PUT',
          path: `/Users/${bob}`,
          version,
          data: { schemas: [schemas.user], userName: 'Bob', title: 'Guide' },
        },
        {
          method: 'PATCH',
          path: `/Users/${dave}`,
          data: { schemas: [schemas.patch], Operations: [{ op: 'replace', path: 'title', value: 'Guide' }] },
        },
        { method: 'DELETE', path: `/Users/${mike}` },
        {
          method: 'POST',
          path: '/Users',
          bulkId: 'again',
          data: { schemas: [schemas.user], userName: 'Alice' },
        },
      ],
    })
    expect(status).toBe(200)
    expect(body.Operations.map((one: { status: string }) => one.status)).toEqual([
      ...['201', '200', '200', '204'],
      '409',
    ])
    expect(body.Operations[4].response).toMatchObject({ status: '409', scimType: 'uniqueness' })
    for (const id of [bob, dave]) expect((await read(`/Users/${id}`)).title).toBe('Guide')
  })

  it('3.14: a version that is known is not sent again, and one that is not is not changed', async () => {
    const id = await post('/Users', babs)
    const { version } = (await read(`/Users/${id}`)).meta
    const known = await directory.call('GET', `/Users/${id}`, undefined, { 'if-none-match': version })
    expect([known.status, known.text]).toEqual([304, ''])
    const stale = await directory.call('PUT', `/Users/${id}`, babs, { 'if-match': 'W/"another"' })
    expect(stale.status).toBe(412)
  })
})
