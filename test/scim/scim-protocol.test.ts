import { describe, expect, it } from 'vitest'
import { findPath } from '../../lib/features/scim/attribute-paths.ts'
import { resourceTypes, schemaUrns } from '../../lib/features/scim/attributes.models.ts'
import { buildSchemas } from '../../lib/features/scim/schema-resources.ts'
import { ScimError } from '../../lib/features/scim/scim-error.ts'
import { matches, parseFilter } from '../../lib/features/scim/scim-filter.ts'
import { applyPatch } from '../../lib/features/scim/scim-patch.ts'
import { readProjection, toResource } from '../../lib/features/scim/scim-resource.ts'
import { readResource, type ScimValue, type ScimValues } from '../../lib/features/scim/scim-values.ts'

/* What directories send, and what attackers send, before anything is stored. */

const { User, Group } = resourceTypes
const department = `${schemaUrns.enterpriseUser}:department`
const employeeNumber = `${schemaUrns.enterpriseUser}:employeeNumber`
const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const show = (value: ScimValue | undefined): unknown => {
  if (value instanceof Map) return Object.fromEntries(value)
  return Array.isArray(value) ? value.map((entry) => Object.fromEntries(entry)) : value
}
const showAll = (values: ScimValues): unknown =>
  Object.fromEntries([...values].map(([name, value]) => [name, show(value)]))
const readUser = (body: object) => readResource(User, { schemas: [schemaUrns.user], ...body })
const patchUser = (before: object, ...operations: readonly object[]) =>
  applyPatch(User, readUser({ userName: 'ada', ...before }), {
    schemas: [patchUrn],
    Operations: operations,
  }).values
const patchGroup = (...operations: readonly object[]) =>
  applyPatch(Group, new Map([['displayName', 'Editors']]), { schemas: [patchUrn], Operations: operations })

/** The error that a function throws, as its answer has it. */
const failureOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof ScimError)
      return { status: error.status, scimType: error.scimType, detail: error.message }
    throw error
  }
  throw new Error('nothing was refused')
}
const refuses = (work: () => unknown, scimType: string, detail: string | RegExp) => {
  const { status, ...failure } = failureOf(work)
  expect(status).toBe(400)
  expect(failure.scimType).toBe(scimType)
  expect(failure.detail).toMatch(detail)
}

describe('a whole user', () => {
  it('keeps what is stored, under its own names and types, and ignores the rest', () => {
    const values = readUser({
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', MIDDLENAME: 'Excited', familyName: 'User' },
      EMAILS: [{ primary: true, value: 'test.user@okta.local', type: 'work', display: 'x' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: 'True',
      roles: [],
      meta: { resourceType: 'User' },
      id: 'mine',
      nickName: null,
      title: null,
      [schemaUrns.enterpriseUser]: { department: 'Films', manager: '26118915' },
      'urn:example:other': { x: 1 },
    })
    expect(showAll(values)).toEqual({
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      externalId: '00ujl29u0le5T6Aj10h7',
      active: true,
      [department]: 'Films',
      [`${schemaUrns.enterpriseUser}:manager`]: { value: '26118915' },
    })
    expect(JSON.stringify(showAll(values))).not.toContain('1mz050nq')
  })

  it.each([
    ['"False"', 'False', false],
    ['"false"', 'false', false],
    ['false', false, false],
    ['[false]', [false], false],
    ['["False"]', ['False'], false],
    ['"TRUE"', 'TRUE', true],
  ])('with active %s is active or not', (_, active, expected) => {
    expect(readUser({ userName: 'ada', active }).get('active')).toBe(expected)
  })

  it.each([0, 1, 'no', 'yes', '', {}, [], [false, true], 'False '])(
    'with active %j is refused, and is never active by mistake',
    (active) =>
      refuses(() => readUser({ userName: 'ada', active }), 'invalidValue', '"active" must be true or false'),
  )

  it('does not say anything about active without it', () => {
    for (const body of [{}, { active: null }])
      expect(readUser({ userName: 'ada', ...body }).has('active')).toBe(false)
  })

  it.each([
    ['no user name', {}, 'invalidValue', '"userName" is required'],
    ['an empty user name', { userName: '' }, 'invalidValue', '"userName" is required'],
    ['a user name that is a number', { userName: 7 }, 'invalidValue', '"userName" must be a text'],
    ['a name as a text', { userName: 'a', name: 'Ada' }, 'invalidValue', '"name" must be an object'],
    [
      'a name in two cases',
      { userName: 'a', USERNAME: 'b' },
      'invalidSyntax',
      '"userName" is given more than once',
    ],
    [
      'a part in two cases',
      { userName: 'a', name: { givenName: 'A', GIVENNAME: 'B' } },
      'invalidSyntax',
      'givenName',
    ],
    [
      'two main addresses',
      {
        userName: 'a',
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: 'True' },
        ],
      },
      'invalidValue',
      'primary',
    ],
    ['a long text', { userName: 'a'.repeat(1025) }, 'invalidValue', 'longer than 1024'],
    [
      'many addresses',
      { userName: 'a', emails: Array.from({ length: 21 }, (_, at) => ({ value: `${at}` })) },
      'invalidValue',
      'more than 20',
    ],
  ])('with %s is refused in words', (_, body, scimType, detail) => {
    refuses(() => readUser(body), scimType, detail)
  })

  it.each([undefined, null, [], ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], 'x', {}, [7]])(
    'with the schemas %j is refused, and never becomes a user without a name',
    (schemas) =>
      refuses(() => readResource(User, { schemas, userName: 'ada' }), 'invalidSyntax', schemaUrns.user),
  )

  it('accepts a foreign schema beside its own', () => {
    const schemas = [schemaUrns.group.toUpperCase(), 'http://schemas.example/Group']
    expect(readResource(Group, { schemas, displayName: 'Editors' }).get('displayName')).toBe('Editors')
  })

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'prototype',
    '__proto__.x',
    'name.__proto__',
    'hasOwnProperty',
  ])('has no attribute %s', (name) => {
    const body: unknown = JSON.parse(
      `{"schemas":["${schemaUrns.user}"],"userName":"ada","${name}":{"polluted":true},"name":{"${name}":{"polluted":true},"givenName":"Ada"}}`,
    )
    expect(showAll(readResource(User, body))).toEqual({ userName: 'ada', name: { givenName: 'Ada' } })
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('a filter', () => {
  const ada = readUser({
    userName: 'Ada@Example.com',
    externalId: 'X1',
    active: true,
    displayName: 'Ada Lovelace',
    emails: [
      { value: 'ada@example.com', type: 'work' },
      { value: 'home@example.org', type: 'home' },
    ],
    [schemaUrns.enterpriseUser]: { department: 'Films' },
  })
  const finds = (filter: string): boolean => matches(parseFilter(User, filter), ada)

  it.each([
    'userName eq "ada@example.com"',
    'USERNAME Eq "ADA@EXAMPLE.COM"',
    `${schemaUrns.user}:userName eq "ada@example.com"`,
    `${schemaUrns.enterpriseUser}:department eq "films"`,
    'externalId eq "X1"',
    'emails[type eq "work"].value eq "ada@example.com"',
    'emails[value eq "home@example.org"]',
    'emails[type eq "work" and value co "@example.com"]',
    'emails.value sw "home"',
    'emails eq "home@example.org"',
    'active eq true',
    'active eq "True"',
    'not (active eq false)',
    'title pr or displayName co "love"',
    '(userName sw "ada" and (active eq true))',
    'externalId eq "\\u00581"',
  ])('%s finds the user', (filter) => {
    expect(finds(filter)).toBe(true)
  })

  it.each([
    'externalId eq "x1"',
    'emails[type eq "home"].value eq "ada@example.com"',
    'emails[type eq "work" and value co "@example.org"]',
    'active eq false',
    'title pr',
    'nothing eq "x"',
    'constructor eq "x"',
    'userName eq ""',
    'not (userName pr)',
  ])('%s does not', (filter) => {
    expect(finds(filter)).toBe(false)
  })

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq "a" and',
    'userName ne "a"',
    'userName gt "a"',
    'userName eq a',
    'userName eq "a" userName eq "b"',
    'userName eq "a',
    "userName eq 'a'",
    'emails[type eq "work"',
    'emails[type eq "work"].',
    'active eq 1',
    'active eq "no"',
    'not userName eq "a"',
    ')',
    '(((((((((((',
    '"a" eq userName',
    'userName eq "\\q"',
    '__proto__ pr',
  ])('%s is refused in words', (filter) => {
    refuses(() => finds(filter), 'invalidFilter', /^The filter has |brackets/)
  })

  it('ends with too many brackets or bytes, and not with the stack', () => {
    refuses(
      () => finds(`${'('.repeat(4)}userName pr${')'.repeat(4)}`),
      'invalidFilter',
      '3 levels of brackets',
    )
    expect(finds(`${'('.repeat(3)}userName pr${')'.repeat(3)}`)).toBe(true)
    refuses(() => finds('('.repeat(10_000)), 'invalidFilter', '1024 bytes')
    refuses(() => finds(`userName eq "${'é'.repeat(600)}"`), 'invalidFilter', '1024 bytes')
    expect(finds(Array.from({ length: 60 }, () => 'title pr').join(' or '))).toBe(false)
  })
})

describe('a PATCH of a user', () => {
  it.each([
    ['a leaver of a catalogue', { op: 'replace', value: { active: false } }],
    ['a leaver without the flag', { op: 'Replace', path: 'active', value: 'False' }],
    ['a leaver with the flag', { op: 'replace', path: 'active', value: false }],
    ['one value in a list', { op: 'replace', path: 'active', value: [false] }],
    ['an addition', { op: 'add', value: { active: false } }],
    ['other cases', { OP: 'REPLACE', PATH: 'ACTIVE', VALUE: 'FALSE' }],
    ['the full name', { op: 'replace', path: `${schemaUrns.user}:active`, value: false }],
  ])('lets %s leave', (_, operation) => {
    expect(patchUser({ active: true }, operation).get('active')).toBe(false)
  })

  it.each([null, undefined, 'no', 0, {}, []])('never answers %j for active without an effect', (value) => {
    expect(
      failureOf(() => patchUser({ active: true }, { op: 'replace', path: 'active', value })).status,
    ).toBe(400)
  })

  it('changes several attributes, also an address that the user does not have', () => {
    const values = patchUser(
      {},
      { op: 'Replace', path: 'displayName', value: 'Pvlo' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'TestBcwqnm@test.microsoft.com' },
      { op: 'Replace', path: 'name.givenName', value: 'Gtfd' },
      { op: 'Replace', path: 'externalId', value: 'Eqpj' },
      { op: 'Replace', path: employeeNumber, value: 'Eqpj' },
    )
    expect(showAll(values)).toEqual({
      userName: 'ada',
      displayName: 'Pvlo',
      emails: [{ type: 'work', value: 'TestBcwqnm@test.microsoft.com' }],
      name: { givenName: 'Gtfd' },
      externalId: 'Eqpj',
      [employeeNumber]: 'Eqpj',
    })
  })

  it('knows dotted and full names as keys', () => {
    const values = patchUser(
      { name: { formatted: 'A' } },
      {
        op: 'replace',
        value: {
          displayName: 'Bjfe',
          'name.givenName': 'Kkom',
          'name.familyName': 'Unua',
          [employeeNumber]: 'Aklq',
        },
      },
    )
    expect(show(values.get('name'))).toEqual({ formatted: 'A', givenName: 'Kkom', familyName: 'Unua' })
    expect(values.get(employeeNumber)).toBe('Aklq')
  })

  it('adds, changes and removes addresses, and keeps one main address', () => {
    const emails = [
      { value: 'a@example.com', type: 'work', primary: true },
      { value: 'b@example.com', type: 'home' },
    ]
    const emailsAfter = (...operations: readonly object[]) =>
      show(patchUser({ emails }, ...operations).get('emails'))
    expect(
      emailsAfter({ op: 'add', path: 'emails', value: [{ value: 'A@example.com', type: 'work' }] }),
    ).toEqual([
      { value: 'b@example.com', type: 'home' },
      { value: 'A@example.com', type: 'work' },
    ])
    expect(
      emailsAfter({ op: 'add', path: 'emails', value: { value: 'c@example.com', primary: true } }),
    ).toEqual([
      { value: 'a@example.com', type: 'work', primary: false },
      { value: 'b@example.com', type: 'home' },
      { value: 'c@example.com', primary: true },
    ])
    expect(emailsAfter({ op: 'replace', path: 'emails', value: [{ value: 'd@example.com' }] })).toEqual([
      { value: 'd@example.com' },
    ])
    expect(emailsAfter({ op: 'remove', path: 'emails[type eq "home"]' })).toEqual([emails[0]])
    expect(emailsAfter({ op: 'remove', path: 'emails', value: [{ value: 'b@example.com' }] })).toEqual([
      emails[0],
    ])
    expect(emailsAfter({ op: 'remove', path: 'emails' })).toBeUndefined()
    expect(
      emailsAfter({ op: 'replace', path: 'emails[primary eq true].value', value: 'e@example.com' }),
    ).toEqual([{ value: 'e@example.com', type: 'work', primary: true }, emails[1]])
  })

  it.each([
    ['remove', { op: 'remove' }, 'noTarget'],
    ['another operation', { op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    ['no operation', { path: 'active', value: true }, 'invalidSyntax'],
    ['a path that is none', { op: 'replace', path: 'emails[type eq "work"', value: 'x' }, 'invalidPath'],
    [
      'a filter that is none',
      { op: 'replace', path: 'emails[type is "work"].value', value: 'x' },
      'invalidFilter',
    ],
    ['a filter on one value', { op: 'replace', path: 'name[givenName eq "A"]', value: 'x' }, 'invalidPath'],
    ['an address without a filter', { op: 'replace', path: 'emails.value', value: 'x' }, 'invalidPath'],
    ['the ID', { op: 'replace', path: 'id', value: '7' }, 'mutability'],
    ['groups', { op: 'add', path: 'groups', value: [{ value: '7' }] }, 'mutability'],
    ['groups without a path', { op: 'add', value: { groups: [{ value: '7' }] } }, 'mutability'],
    ['no user name', { op: 'remove', path: 'userName' }, 'mutability'],
    ['an empty user name', { op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
    ['no value', { op: 'replace', path: 'displayName' }, 'invalidValue'],
    ['a text without a path', { op: 'replace', value: 'x' }, 'invalidValue'],
    ['a path that is a number', { op: 'replace', path: 7, value: 'x' }, 'invalidPath'],
    [
      'a search that matches none',
      { op: 'replace', path: 'emails[value co "x"].type', value: 'work' },
      'noTarget',
    ],
  ])('refuses %s in words', (_, operation, scimType) => {
    refuses(() => patchUser({ active: true }, operation), scimType, /["A-Z]/)
  })

  it('is applied as a whole or not at all', () => {
    const before = readUser({ userName: 'ada', active: true })
    const operations = [
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'userName', value: 7 },
    ]
    refuses(
      () => applyPatch(User, before, { schemas: [patchUrn], Operations: operations }),
      'invalidValue',
      'userName',
    )
    expect(before.get('active')).toBe(true)
  })

  it.each([
    '__proto__',
    '__proto__.x',
    'constructor.prototype.x',
    'toString',
    'name.__proto__',
    'emails[__proto__ eq "x"]',
  ])('changes nothing at %s', (path) => {
    const before = readUser({ userName: 'ada' })
    const body: unknown = JSON.parse(
      JSON.stringify({ schemas: [patchUrn], Operations: [{ op: 'add', path, value: 'polluted' }] }).replace(
        '"polluted"',
        '{"__proto__":{"polluted":true},"x":"polluted"}',
      ),
    )
    try {
      expect(applyPatch(User, before, body).values).toEqual(before)
    } catch (error) {
      expect(error).toBeInstanceOf(ScimError)
    }
    expect({}).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('x')
  })

  it('is limited to 100 operations', () => {
    const operations = Array.from({ length: 101 }, () => ({ op: 'replace', path: 'displayName', value: 'x' }))
    refuses(() => patchUser({}, ...operations), 'invalidValue', 'more than 100 operations')
    expect(patchUser({}, ...operations.slice(1)).get('displayName')).toBe('x')
    for (const wrong of [undefined, [], 'x', {}])
      refuses(
        () => applyPatch(User, readUser({ userName: 'a' }), { schemas: [patchUrn], Operations: wrong }),
        'invalidSyntax',
        'Operations',
      )
  })
})

describe('a PATCH of a group', () => {
  it('names members that are added, removed and replaced, in order and each once', () => {
    const { entryChanges } = patchGroup(
      { op: 'remove', path: 'members[value eq "89bb"]' },
      { op: 'add', path: 'members', value: [{ value: '23a3', display: 'x' }, { value: '23a3' }] },
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'f648' }] },
      { op: 'replace', path: 'members', value: [{ value: 'a' }] },
      { op: 'add', value: { members: [{ value: 'b' }] } },
      { op: 'remove', path: 'members' },
    )
    expect(entryChanges).toEqual([
      { kind: 'remove', values: ['89bb'] },
      { kind: 'add', values: ['23a3'] },
      { kind: 'remove', values: ['f648'] },
      { kind: 'replace', values: ['a'] },
      { kind: 'add', values: ['b'] },
      { kind: 'replace', values: [] },
    ])
  })

  it('renames with the ID beside the name', () => {
    const { values } = patchGroup({ op: 'replace', value: { id: '7', displayName: 'Test SCIMv2' } })
    expect(values.get('displayName')).toBe('Test SCIMv2')
  })

  it.each([
    { op: 'remove', path: 'members[display eq "x"]' },
    { op: 'remove', path: 'members[value co "x"]' },
    { op: 'replace', path: 'members[value eq "x"]', value: { value: 'y' } },
    { op: 'add', path: 'members', value: [{ display: 'x' }] },
  ])('refuses %j', (operation) => {
    expect(failureOf(() => patchGroup(operation)).status).toBe(400)
  })

  it('is limited to 1,000 members', () => {
    const add = (count: number) => ({
      op: 'add',
      path: 'members',
      value: Array.from({ length: count }, (_, at) => ({ value: String(at) })),
    })
    expect(patchGroup(add(1000)).entryChanges[0]?.values).toHaveLength(1000)
    refuses(() => patchGroup(add(501), add(500)), 'invalidValue', 'more than 1000 members')
  })
})

describe('an answer', () => {
  const facts = {
    id: '7',
    createdAt: 0,
    changedAt: 1000,
    version: 'W/"3"',
    location: 'https://auth.example.com/scim/v2/1/Users/7',
  }
  const values = readUser({
    userName: 'ada',
    externalId: 'X1',
    name: { givenName: 'Ada' },
    emails: [{ value: 'ada@example.com', type: 'work' }],
    [schemaUrns.enterpriseUser]: { department: 'Films' },
  })
  const answer = (attributes?: string, excluded?: string) =>
    toResource(
      User,
      values,
      { ...facts, apart: { groups: [{ value: '1' }] } },
      readProjection(User, attributes, excluded),
    )

  it('has what is stored, in its schemas, and no null', () => {
    expect(answer()).toEqual({
      schemas: [schemaUrns.user, schemaUrns.enterpriseUser],
      id: '7',
      externalId: 'X1',
      userName: 'ada',
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@example.com', type: 'work' }],
      groups: [{ value: '1' }],
      [schemaUrns.enterpriseUser]: { department: 'Films' },
      meta: {
        resourceType: 'User',
        created: '1970-01-01T00:00:00.000Z',
        lastModified: '1970-01-01T00:00:01.000Z',
        location: facts.location,
        version: 'W/"3"',
      },
    })
  })

  it('has the attributes that were asked for, and always the ID', () => {
    expect(Object.keys(answer('USERNAME, nothing'))).toEqual(['schemas', 'id', 'userName'])
    expect(Object.keys(answer('name.givenName'))).toEqual(['schemas', 'id', 'name'])
    expect(Object.keys(answer(schemaUrns.enterpriseUser))).toEqual([
      'schemas',
      'id',
      schemaUrns.enterpriseUser,
    ])
    expect(Object.keys(answer(''))).toEqual(['schemas', 'id'])
  })

  it('has all but what was excluded', () => {
    expect(answer(undefined, 'id,meta,groups,emails')).toEqual({
      schemas: [schemaUrns.user, schemaUrns.enterpriseUser],
      id: '7',
      externalId: 'X1',
      userName: 'ada',
      name: { givenName: 'Ada' },
      [schemaUrns.enterpriseUser]: { department: 'Films' },
    })
    refuses(() => answer('id', 'meta'), 'invalidValue', 'either')
  })
})

it('the schemas have each attribute that is stored, and no other', () => {
  const names = buildSchemas('https://auth.example.com/scim/v2/1', User).flatMap((schema) => {
    const { id, attributes } = schema as { id: string; attributes: { name: string }[] }
    return attributes.map(({ name }) => `${id}:${name}`)
  })
  expect(names).toContain(`${schemaUrns.user}:userName`)
  expect(names).not.toContain(`${schemaUrns.user}:password`)
  for (const name of names) {
    const type = name.startsWith(schemaUrns.group) ? Group : User
    expect(findPath(type, name), name).toHaveProperty('attribute')
  }
})
