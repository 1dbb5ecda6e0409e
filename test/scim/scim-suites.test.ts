import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  commonAttributes,
  resourceTypes,
  type ScimAttribute,
} from '../../lib/features/scim/attributes.models.ts'
import type { Answer } from '../support/client.ts'
import { addSignedIn } from '../support/people.ts'
import { addDirectory, schemas, storeConnection, type TestDirectory } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/*
 * The published test suites for SCIM servers: each check by its name, with the request that it sends and the fields that it asserts.
 * `docs/security/scim-profiles.md` has the results. Suites that cannot run here are written anew from what their files say.
 */

const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const service = await useService({ RATE_LIMITS: 'scimRequests=100000/10' }, { sendsMail: false })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
let directory: TestDirectory
beforeAll(async () => {
  directory = await addDirectory(service, await storeConnection(service), {}, admin)
})
const call: TestDirectory['call'] = (...request) => directory.call(...request)
const newName = () => `${randomUUID()}@example.com`
const filter = (kind: string, text: string, rest = '') =>
  call('GET', `/${kind}?filter=${encodeURIComponent(text)}${rest}`)
const patch = (path: string, ...Operations: readonly object[]) =>
  call('PATCH', path, { schemas: [schemas.patch], Operations })
const requireStatus = ({ status, text, body }: Answer, expected: number): Answer['body'] => {
  expect(status, text).toBe(expected)
  return body
}
const expectError = (answer: Answer, status: number): void => {
  expect(requireStatus(answer, status)).toMatchObject({
    ...{ schemas: [schemas.error], status: String(status), detail: expect.stringMatching(/\w/) },
  })
  expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/)
}

/** https://github.com/python-scim/scim2-tester: `scim2_tester/checkers`, which its `__init__.py` lists. */
describe('scim2-tester', () => {
  const kinds = [
    {
      kind: 'Users',
      type: resourceTypes.User,
      fields: () => ({ schemas: [schemas.user], userName: newName() }),
    },
    {
      kind: 'Groups',
      type: resourceTypes.Group,
      fields: () => ({ schemas: [schemas.group], displayName: randomUUID() }),
    },
  ] as const
  const create = async (kind: string, fields: object): Promise<Answer['body']> =>
    requireStatus(await call('POST', `/${kind}`, fields), 201)

  const refusesOtherMethods = async (path: string) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expectError(
        await service.client(method, `/scim/v2/${directory.connectionId}${path}`, {
          bearer: directory.token,
        }),
        405,
      )
  }

  it('service_provider_config_endpoint', async () => {
    const body = requireStatus(await call('GET', '/ServiceProviderConfig'), 200)
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 100, maxPayloadSize: 1_048_576 },
      filter: { supported: true, maxResults: 100 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken', name: expect.any(String) }],
    })
  })
  it('service_provider_config_endpoint_methods', () => refusesOtherMethods('/ServiceProviderConfig'))
  it('resource_types_endpoint_methods', () => refusesOtherMethods('/ResourceTypes'))
  it('schemas_endpoint_methods', () => refusesOtherMethods('/Schemas'))

  it('query_all_resource_types, query_resource_type_by_id, resource_types_schema_validation', async () => {
    const { Resources } = requireStatus(await call('GET', '/ResourceTypes'), 200)
    expect(Resources.map(({ name }: { name: string }) => name)).toEqual(['User', 'Group'])
    for (const type of Resources) {
      expect(requireStatus(await call('GET', `/ResourceTypes/${type.id}`), 200)).toEqual(type)
      expect(requireStatus(await call('GET', `/Schemas/${type.schema}`), 200).id).toBe(type.schema)
    }
  })
  it('access_invalid_resource_type', async () =>
    expectError(await call('GET', `/ResourceTypes/${randomUUID()}`), 404))

  it('query_all_schemas, access_schema_by_id', async () => {
    const { Resources } = requireStatus(await call('GET', '/Schemas'), 200)
    expect(Resources.length).toBeGreaterThan(0)
    for (const schema of Resources)
      expect(requireStatus(await call('GET', `/Schemas/${schema.id}`), 200)).toEqual(schema)
  })
  it('access_invalid_schema', async () => expectError(await call('GET', `/Schemas/${randomUUID()}`), 404))

  it('core_schemas_validation is not met: /Schemas has what is stored, and nothing else', async () => {
    const { Resources } = requireStatus(await call('GET', '/Schemas'), 200)
    expect(Resources.map(({ name }: { name: string }) => name)).toEqual(['User', 'EnterpriseUser', 'Group'])
  })
  it('search_with_attributes is not met: .search is refused in words', async () =>
    expectError(await call('POST', '/.search', { attributes: ['userName'] }), 501))
  it('random_url', async () => expectError(await call('GET', `/${randomUUID()}`), 404))

  it.each(kinds)(
    'object_creation, object_query, object_query_without_id, object_deletion: $kind',
    async ({ kind, fields }) => {
      const created = await create(kind, fields())
      expect(requireStatus(await call('GET', `/${kind}/${created.id}`), 200).id).toBe(created.id)
      const { Resources, schemas: urns } = requireStatus(await call('GET', `/${kind}`), 200)
      expect(urns).toEqual([listUrn])
      expect(Resources.map(({ id }: { id: string }) => id)).toContain(created.id)
      requireStatus(await call('DELETE', `/${kind}/${created.id}`), 204)
      expectError(await call('GET', `/${kind}/${created.id}`), 404)
    },
  )

  it.each(kinds)('object_replacement: $kind', async ({ kind, fields }) => {
    const { id } = await create(kind, fields())
    const put = { ...fields(), id, externalId: randomUUID() }
    expect(requireStatus(await call('PUT', `/${kind}/${id}`, put), 200)).toMatchObject(put)
  })

  it.each(kinds)(
    'object_query_with_attributes, object_list_with_attributes: $kind',
    async ({ kind, fields }) => {
      const [included, excluded] = ['externalId', 'displayName']
      const { id } = await create(kind, { displayName: randomUUID(), ...fields(), externalId: randomUUID() })
      const listed = async (query: string): Promise<object> =>
        requireStatus(await call('GET', `/${kind}?${query}`), 200).Resources.find(
          (one: { id: string }) => one.id === id,
        )
      for (const read of [
        async (query: string): Promise<object> =>
          requireStatus(await call('GET', `/${kind}/${id}?${query}`), 200),
        listed,
      ]) {
        expect(await read(`attributes=${included}`)).toHaveProperty(included)
        expect(await read(`excludedAttributes=${excluded}`)).not.toHaveProperty(excluded)
      }
    },
  )

  /** The attributes that the checks of PATCH walk over, with a path and a value for each. */
  const listPaths = (
    { schema, extensions }: (typeof kinds)[number]['type'],
    member: string,
  ): readonly { readonly path: string; readonly value: unknown; readonly isRequired: boolean }[] => {
    const makeValue = (attribute: ScimAttribute): unknown => {
      if (attribute.name === 'members') return [{ value: member }]
      if (attribute.type === 'boolean') return true
      if (attribute.type !== 'complex') return randomUUID()
      const parts = (attribute.parts ?? []).filter((part) => !part.isReadOnly)
      const value = Object.fromEntries(parts.map((part) => [part.name, makeValue(part)]))
      return attribute.isMultiValued ? [value] : value
    }
    const of = (urn: string, attributes: readonly ScimAttribute[]) =>
      attributes
        .filter(({ isReadOnly }) => !isReadOnly)
        .map((attribute) => ({
          path: `${urn}${attribute.name}`,
          value: makeValue(attribute),
          isRequired: attribute.isRequired === true,
        }))
    return [
      ...of('', commonAttributes),
      ...of('', schema.attributes),
      ...extensions.flatMap(({ urn, attributes }) => of(`${urn}:`, attributes)),
    ]
  }
  const readAt = (body: Answer['body'], path: string): unknown => {
    const colon = path.lastIndexOf(':')
    return colon < 0 ? body[path] : body[path.slice(0, colon)]?.[path.slice(colon + 1)]
  }
  const addPaths = async ({ kind, type, fields }: (typeof kinds)[number]) => {
    const { id: member } = await create('Users', kinds[0].fields())
    const { id } = await create(kind, fields())
    return { at: `/${kind}/${id}`, paths: listPaths(type, member) }
  }
  const show = async (at: string, path: string) => readAt(requireStatus(await call('GET', at), 200), path)
  const expectSame = (actual: unknown, value: unknown) =>
    Array.isArray(value) ? expect(actual).toMatchObject(value) : expect(actual).toEqual(value)

  it.each(kinds)(
    'check_add_attribute, check_replace_attribute, check_remove_attribute: $kind',
    async (one) => {
      for (const op of ['add', 'replace']) {
        const { at, paths } = await addPaths(one)
        for (const { path, value, isRequired } of paths) {
          if (op === 'add' && isRequired) continue
          const { status, text } = await patch(at, { op, path, value })
          expect(status, `${op} ${path} ${text}`).toBe(one.kind === 'Users' ? 200 : 204)
          expectSame(await show(at, path), value)
        }
        // Nobody is without a state, so that a leaver is never a missing value.
        for (const { path, isRequired } of paths.filter((p) => p.path !== 'active')) {
          const { status, text } = await patch(at, { op: 'remove', path })
          if (isRequired) expect(status, path).toBe(400)
          else {
            expect(status, `remove ${path} ${text}`).toBe(one.kind === 'Users' ? 200 : 204)
            expect((await show(at, path)) ?? []).toEqual([])
          }
        }
      }
    },
  )
})

/**
 * The validator of Microsoft (https://scimvalidator.microsoft.com). It publishes no list. The names and the requests are those of a record of
 * its results: https://github.com/pranems/SCIMServer, `docs/` (February 2026: 24 tests and 7 previews; 21 tests in 2025).
 */
describe('the validator of Microsoft', () => {
  const user = () => ({
    schemas: [schemas.user, enterprise],
    userName: newName(),
    externalId: randomUUID(),
    active: true,
    displayName: 'NDSQQTECVAAC',
    title: 'CJSGUNOAAMMQ',
    emails: [{ type: 'work', value: newName(), primary: true }],
    preferredLanguage: 'hi',
    name: { givenName: 'Elfrieda', familyName: 'Urban', formatted: 'Myah' },
    addresses: [{ type: 'work', locality: 'YRAKBQCGOHZF', primary: true }],
    phoneNumbers: [{ type: 'work', value: '10-040-1308', primary: true }],
    [enterprise]: {
      employeeNumber: 'OXYYEGWVLTGW',
      department: 'ZYWTBPDFHIIP',
      manager: { value: 'XYMKVVRYDIOO' },
    },
    roles: [{ primary: 'True', display: 'MRONYWGFFHXQ', value: 'WDEIISGWWQBE', type: 'XVTUOHMYUFRL' }],
    locale: 'RJWNTUNNOHNZ',
  })
  const group = () => ({ schemas: [schemas.group], displayName: randomUUID(), externalId: randomUUID() })
  const add = async (kind: 'Users' | 'Groups', body: object): Promise<string> =>
    requireStatus(await call('POST', `/${kind}`, body), 201).id
  const readUser = async (id: string) => requireStatus(await call('GET', `/Users/${id}`), 200)
  const readGroup = async (id: string) => requireStatus(await call('GET', `/Groups/${id}`), 200)

  it('Create a new User', async () => {
    const body = user()
    await add('Users', body)
    const found = requireStatus(await filter('Users', `userName eq "${body.userName}"`), 200)
    expect(found).toMatchObject({ schemas: [listUrn], totalResults: 1, itemsPerPage: 1, startIndex: 1 })
    const { addresses: _, phoneNumbers: __, roles: ___, locale: ____, ...stored } = body
    expect(found.Resources[0]).toMatchObject(stored)
  })
  it('Create a duplicate User', async () => {
    const body = user()
    await add('Users', body)
    expectError(await call('POST', '/Users', body), 409)
  })
  it('Filter for an existing user, and with a different case', async () => {
    const body = user()
    const id = await add('Users', body)
    for (const name of [body.userName, body.userName.toUpperCase()])
      expect((await filter('Users', `userName eq "${name}"`)).body).toMatchObject({
        ...{ totalResults: 1, Resources: [{ id, active: true }] },
      })
  })
  it('Filter for a non-existing user', async () =>
    expect(requireStatus(await filter('Users', `userName eq "${newName()}"`), 200)).toMatchObject({
      ...{ schemas: [listUrn], totalResults: 0, Resources: [] },
    }))
  it('Patch User - Replace Attributes Verbose', async () => {
    const id = await add('Users', user())
    const email = newName()
    const body = requireStatus(
      await patch(
        `/Users/${id}`,
        { op: 'replace', path: 'emails[type eq "work"].value', value: email },
        { op: 'replace', path: 'displayName', value: 'KMYVNUJVVZWC' },
        { op: 'replace', path: 'name.givenName', value: 'Lilian' },
        { op: 'replace', path: `${enterprise}:department`, value: 'Films' },
      ),
      200,
    )
    expect(body).toMatchObject({
      emails: [{ type: 'work', value: email, primary: true }],
      displayName: 'KMYVNUJVVZWC',
      name: { givenName: 'Lilian', familyName: 'Urban' },
      [enterprise]: { department: 'Films', employeeNumber: 'OXYYEGWVLTGW' },
    })
  })
  it('Update User userName', async () => {
    const id = await add('Users', user())
    const userName = newName()
    requireStatus(await patch(`/Users/${id}`, { op: 'replace', value: { userName } }), 200)
    expect((await readUser(id)).userName).toBe(userName)
  })
  it('Patch User - Disable User', async () => {
    const body = user()
    const id = await add('Users', body)
    requireStatus(await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }), 200)
    expect((await filter('Users', `userName eq "${body.userName}"`)).body.Resources[0].active).toBe(false)
    expect((await readUser(id)).active).toBe(false)
  })
  it('Patch User - Add Manager, Replace Manager, Remove Manager', async () => {
    const id = await add('Users', user())
    const path = `${enterprise}:manager`
    for (const [op, value] of [
      ['add', 'AXTKDLNRKMKT'],
      ['replace', 'CBEQXYNPNAZS'],
    ]) {
      requireStatus(await patch(`/Users/${id}`, { op, path, value: { value } }), 200)
      expect((await readUser(id))[enterprise].manager).toEqual({ value })
    }
    // The validator of 2026 sends an empty value, and that before removed the attribute.
    for (const operation of [
      { op: 'replace', path, value: { value: '' } },
      { op: 'remove', path },
    ]) {
      requireStatus(await patch(`/Users/${id}`, { op: 'add', path, value: { value: 'AXTKDLNRKMKT' } }), 200)
      requireStatus(await patch(`/Users/${id}`, operation), 200)
      expect((await readUser(id))[enterprise].manager?.value ?? '').toBe('')
    }
  })
  it('Delete a User, and the same twice, and one that does not exist', async () => {
    const id = await add('Users', user())
    requireStatus(await call('DELETE', `/Users/${id}`), 204)
    expectError(await call('GET', `/Users/${id}`), 404)
    for (const one of [id, randomUUID()]) expectError(await call('DELETE', `/Users/${one}`), 404)
  })
  it('Patch User - Multiple Ops on different attributes, and on the same', async () => {
    const id = await add('Users', user())
    const body = requireStatus(
      await patch(
        `/Users/${id}`,
        { op: 'remove', path: 'title' },
        { op: 'add', path: 'displayName', value: 'first' },
        { op: 'replace', path: 'displayName', value: 'second' },
      ),
      200,
    )
    expect(body.displayName).toBe('second')
    expect(body).not.toHaveProperty('title')
  })
  it('Create a new Group, and a duplicate Group', async () => {
    const body = group()
    const created = await call('POST', '/Groups', body)
    expect(requireStatus(created, 201)).toMatchObject(body)
    expect(created.headers.get('location')).toBe(created.body.meta.location)
    expectError(await call('POST', '/Groups', body), 409)
  })
  it('Get group by id excluding members, Filter for existing group excluding members', async () => {
    const body = group()
    const id = await add('Groups', { ...body, members: [{ value: await add('Users', user()) }] })
    const without = '&excludedAttributes=members'
    const read = requireStatus(await call('GET', `/Groups/${id}?${without.slice(1)}`), 200)
    const found = requireStatus(await filter('Groups', `displayName eq "${body.displayName}"`, without), 200)
    expect(found.totalResults).toBe(1)
    for (const one of [read, found.Resources[0]]) {
      expect(one.id).toBe(id)
      expect(one).not.toHaveProperty('members')
    }
  })
  it('Filter for an existing group, a different case, and a non-existing group', async () => {
    const body = group()
    const id = await add('Groups', body)
    for (const name of [body.displayName, body.displayName.toUpperCase()])
      expect((await filter('Groups', `displayName eq "${name}"`)).body.Resources[0].id).toBe(id)
    expect((await filter('Groups', `displayName eq "${randomUUID()}"`)).body.totalResults).toBe(0)
  })
  it('Patch Group - Replace Attributes, Update Group displayName', async () => {
    const id = await add('Groups', group())
    const value = { externalId: randomUUID() }
    requireStatus(await patch(`/Groups/${id}`, { op: 'replace', value }), 204)
    const named = { displayName: randomUUID() }
    requireStatus(await patch(`/Groups/${id}`, { op: 'replace', value: named }), 204)
    expect(await readGroup(id)).toMatchObject({ ...value, ...named })
  })
  it('Patch Group - Add Member, Remove Member, Multiple Ops on same attribute', async () => {
    const id = await add('Groups', group())
    const [a, b] = [await add('Users', user()), await add('Users', user())]
    const membersOf = async () =>
      (await readGroup(id)).members.map(({ value }: { value: string }) => value).sort()
    const both = [{ value: a }, { value: b }]
    requireStatus(await patch(`/Groups/${id}`, { op: 'replace', path: 'members', value: both }), 204)
    expect(await membersOf()).toEqual([a, b].sort())
    requireStatus(await patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${a}"]` }), 204)
    expect(await membersOf()).toEqual([b])
    const again = { op: 'add', path: 'members', value: [{ value: a }] }
    requireStatus(
      await patch(`/Groups/${id}`, again, { op: 'remove', path: `members[value eq "${a}"]` }),
      204,
    )
    expect(await membersOf()).toEqual([b])
  })
  it('Delete a Group, and the same twice, and one that does not exist', async () => {
    const id = await add('Groups', group())
    requireStatus(await call('DELETE', `/Groups/${id}`), 204)
    for (const one of [id, randomUUID()]) expectError(await call('DELETE', `/Groups/${one}`), 404)
    expectError(await call('GET', `/Groups/${id}`), 404)
  })
})

/** https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-SPEC-Test.json: its steps in order, with its headers. */
describe('the specification tests of Okta', () => {
  const headers = {
    'accept-charset': 'utf-8',
    'content-type': 'application/scim+json; charset=utf-8',
    accept: 'application/scim+json',
    'user-agent': 'OKTA SCIM Integration',
  }
  const [randomUsername, randomEmail] = [newName(), newName()]
  const body = (email: string) => ({
    schemas: [schemas.user],
    userName: randomUsername,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: 'Ada Lovelace',
    active: true,
  })
  const get = (path: string) => call('GET', path, undefined, headers)
  const byName = (name: string) => get(`/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`)
  const post = (email: string) =>
    call('POST', '/Users', body(email), {
      'content-type': 'application/json',
      accept: 'application/scim+json; charset=utf-8',
    })
  const hasFields = (user: Answer['body']) =>
    expect(user).toMatchObject({
      id: expect.stringMatching(/./),
      name: { familyName: expect.stringMatching(/./), givenName: expect.stringMatching(/./) },
      userName: expect.stringMatching(/./),
      active: true,
      emails: [{ value: expect.stringMatching(/./) }],
    })
  let known = ''
  let idUserOne = ''

  it('Required Test: Test Users endpoint', async () => {
    const fresh = await addDirectory(service, await storeConnection(service), {}, admin)
    directory = fresh
    // The suite asks for somebody who is known before.
    await fresh.addUser({ ...body(newName()), userName: newName() })
    const page = requireStatus(await get('/Users?count=1&startIndex=1'), 200)
    expect(page).toMatchObject({
      ...{ schemas: [listUrn], itemsPerPage: expect.any(Number), startIndex: expect.any(Number) },
      totalResults: expect.any(Number),
    })
    hasFields(page.Resources[0])
    known = page.Resources[0].id
  })
  it('Required Test: Get Users/{{id}}', async () => {
    const user = requireStatus(await get(`/Users/${known}`), 200)
    hasFields(user)
    expect(user.id).toBe(known)
  })
  it("Required Test: Test invalid User by username, Make sure random user doesn't exist", async () => {
    for (const name of [newName(), randomEmail])
      expect(requireStatus(await byName(name), 200)).toMatchObject({ schemas: [listUrn], totalResults: 0 })
  })
  it('Required Test: Test invalid User by ID, Check status 404', async () => {
    for (const id of ['010101001010101011001010101011', '00919288221112222'])
      expectError(await get(`/Users/${id}`), 404)
  })
  it('Required Test: Create Okta user with realistic values', async () => {
    const created = requireStatus(await post(randomEmail), 201)
    expect(created).toMatchObject({ ...body(randomEmail), id: expect.any(String) })
    idUserOne = created.id
  })
  it('Required Test: Verify that user was created', async () =>
    expect(requireStatus(await get(`/Users/${idUserOne}`), 200)).toMatchObject({
      ...{ userName: randomUsername, name: { familyName: 'Lovelace', givenName: 'Ada' } },
    }))
  it('Required Test: Expect failure when recreating user with same values', async () => {
    requireStatus(await post(randomUsername), 409)
  })
  it('Required Test: Username Case Sensitivity Check', async () => {
    expect(requireStatus(await byName(randomUsername.toUpperCase()), 200).totalResults).toBe(1)
  })
  it('Optional Test: Verify Groups endpoint', async () => {
    expect(requireStatus(await get('/Groups'), 200).Resources).toEqual([])
  })
  it('Required Test: Check status 401', async () => {
    for (const authorization of ['non-token', 'Basic b2t0YTpva3Rh'])
      expectError(await call('GET', '/Users', undefined, { ...headers, authorization }), 401)
  })
})

/**
 * https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-CRUD-Test.json: what it reads of the server after Okta has changed it. The
 * file has no requests of Okta to the server. Those are the ones that its reference shows, for apps of the catalogue and of the wizard.
 */
describe.each(['an app of the catalogue', 'an app of the wizard'])('the CRUD tests of Okta: %s', (app) => {
  it('Verify if user is created, updated, deactivated, reactivated and deactivated in SCIM App', async () => {
    const userName = newName()
    const person = {
      schemas: [schemas.user],
      userName,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      groups: [],
      active: true,
    }
    requireStatus(await call('POST', '/Users', { ...person, password: '1mz050nq' }), 201)
    const { Resources } = requireStatus(await filter('Users', `userName eq "${userName}"`), 200)
    const { groups: _, ...shown } = person
    expect(Resources[0]).toMatchObject(shown)
    const at = `/Users/${Resources[0].id}`
    const renamed = { ...person, name: { ...person.name, givenName: 'Augusta' } }
    requireStatus(await call('PUT', at, renamed), 200)
    expect(requireStatus(await call('GET', at), 200).name.givenName).toBe('Augusta')
    for (const active of [false, true, false]) {
      requireStatus(
        app === 'an app of the wizard'
          ? await call('PUT', at, { ...renamed, active })
          : await patch(at, { op: 'replace', value: { active } }),
        200,
      )
      expect(requireStatus(await call('GET', at), 200).active).toBe(active)
    }
  })
})
