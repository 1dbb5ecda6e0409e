import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { findConnection } from '../../lib/features/connections/records.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { adoptUser, schemas, scimSettings, storeConnection } from '../support/scim.ts'
import { addScimCompany } from '../support/scim-company.ts'
import { useService } from '../support/use-service.ts'

/* A directory gives attributes of people. The settings of the connection say which user attributes they become. */

const service = await useService(
  { ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'scimRequests=100000/10' },
  { sendsMail: false },
)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const definitions = [
  { name: 'department', type: 'text', user_access: 'write', is_searchable: true },
  { name: 'job', type: 'text', user_access: 'read', values: ['Editor', 'Director'] },
  { name: 'staff_number', type: 'number' },
  { name: 'is_contractor', type: 'boolean', user_access: 'read' },
  { name: 'born', type: 'date' },
  { name: 'phones', type: 'texts', user_access: 'read' },
  { name: 'notes', type: 'text' },
  { name: 'more', type: 'texts' },
]
const define = async (attributes: readonly object[] = definitions) => {
  const { status, text } = await call('PUT', 'system/user-attributes', { attributes })
  expect(status, text).toBe(200)
}
beforeAll(() => define())

const mapping = [
  { from: 'department', to: 'department' },
  { from: 'title', to: 'job' },
  { from: 'employee_number', to: 'staff_number' },
  { from: 'user_type', to: 'is_contractor' },
  { from: 'nick_name', to: 'born' },
  { from: 'work_phone', to: 'phones' },
]

type Company = Awaited<ReturnType<typeof addScimCompany>>

const addCompany = (fields: object = {}) =>
  addScimCompany(service, admin, { settings: { user_attributes: mapping }, ...fields })

const attributesOf = async (user: number): Promise<Readonly<Record<string, unknown>>> => {
  const { attributes } = (await call('GET', `users/${user}`)).body
  return Object.fromEntries(
    attributes.map(({ name, value }: { name: string; value: unknown }) => [name, value]),
  )
}

const replace = ({ directory }: Company, id: string, ...operations: readonly object[]) =>
  directory.call('PATCH', `/Users/${id}`, { schemas: [schemas.patch], Operations: operations })

const all = {
  title: 'Editor',
  userType: 'False',
  nickName: '1999-01-31',
  phoneNumbers: [
    { type: 'home', value: '+47 1' },
    { type: 'work', value: '+47 2' },
    { type: 'Work', value: '+47 3', primary: true },
  ],
  [enterprise]: { department: 'Sales', employeeNumber: '701984' },
}
const allGiven = {
  ...{ department: 'Sales', job: 'Editor', staff_number: 701_984, is_contractor: false },
  ...{ born: '1999-01-31', phones: ['+47 3', '+47 2'] },
}

describe('attributes of a directory', () => {
  it('reach the account at the first sign-in, in the types of the service', async () => {
    const company = await addCompany()
    const name = `${randomUUID()}@${company.domain}`
    expect((await company.directory.addUser({ userName: name, ...all })).status).toBe(201)
    const { me } = await company.signIn(name)
    expect(await attributesOf(me.id)).toEqual(allGiven)
    const found = await call('GET', 'users?attribute=Sales')
    expect(found.body.map(({ id }: { id: number }) => id)).toContain(me.id)
  })

  it('change by PATCH, PUT and Bulk, and leave with their value', async () => {
    const company = await addCompany()
    const { id, user, name } = await company.bring()
    const own = [{ name: 'notes', value: 'by staff' }]
    expect((await call('PATCH', `users/${user}`, { attributes: own })).status).toBe(200)
    const added = await replace(
      company,
      id,
      { op: 'Add', path: `${enterprise}:department`, value: 'Sales' },
      { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '+47 2' },
      { op: 'add', value: { title: 'Editor', [enterprise]: { employeeNumber: '7' } } },
    )
    expect(added.status, added.text).toBe(200)
    expect(added.body[enterprise]).toEqual({ department: 'Sales', employeeNumber: '7' })
    const given = {
      department: 'Sales',
      job: 'Editor',
      staff_number: 7,
      phones: ['+47 2'],
      notes: 'by staff',
    }
    expect(await attributesOf(user)).toEqual(given)
    await replace(
      company,
      id,
      { op: 'remove', path: `${enterprise}:employeeNumber` },
      { op: 'replace', path: 'title', value: 'Director' },
    )
    expect(await attributesOf(user)).toEqual({
      ...{ department: 'Sales', job: 'Director', phones: ['+47 2'], notes: 'by staff' },
    })
    const put = await company.directory.call('PUT', `/Users/${id}`, {
      schemas: [schemas.user],
      ...{ userName: name, title: 'Editor' },
    })
    expect(put.status, put.text).toBe(200)
    expect(await attributesOf(user)).toEqual({ job: 'Editor', notes: 'by staff' })
    const bulk = await company.directory.call('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        {
          ...{ method: 'PATCH', path: `/Users/${id}` },
          data: {
            schemas: [schemas.patch],
            Operations: [{ op: 'replace', path: 'userType', value: 'true' }],
          },
        },
      ],
    })
    expect(bulk.body.Operations).toMatchObject([{ status: '200' }])
    expect(await attributesOf(user)).toEqual({ job: 'Editor', is_contractor: true, notes: 'by staff' })
  })

  it('are stored, found and described only where the connection maps them', async () => {
    const [with_, without] = [await addCompany(), await addScimCompany(service, admin)]
    const names = async ({ directory }: Company) => {
      const { body } = await directory.call('GET', `/Schemas/${schemas.user}`)
      return body.attributes.map(({ name }: { name: string }) => name)
    }
    expect(await names(with_)).toEqual(expect.arrayContaining(['nickName', 'userType', 'phoneNumbers']))
    expect(await names(with_)).not.toContain('timezone')
    for (const name of ['nickName', 'userType', 'phoneNumbers', 'timezone'])
      expect(await names(without)).not.toContain(name)
    const send = async ({ directory }: Company) =>
      (await directory.addUser({ userName: randomUUID(), ...all, timezone: 'Europe/Oslo' })).body
    const stored = await send(with_)
    expect(stored).toMatchObject({ userType: 'False', nickName: '1999-01-31' })
    expect(stored).not.toHaveProperty('timezone')
    const ignored = await send(without)
    expect(ignored).toMatchObject({ title: 'Editor', [enterprise]: { department: 'Sales' } })
    expect(ignored).not.toHaveProperty('userType')
    const find = ({ directory }: Company) =>
      directory.call('GET', `/Users?filter=${encodeURIComponent('userType eq "false"')}`)
    expect((await find(with_)).body).toMatchObject({ totalResults: 1 })
    expect((await find(without)).body).toMatchObject({ totalResults: 0 })
  })

  it('are refused with their path if the account cannot have them, and change nothing', async () => {
    const company = await addCompany()
    const { id, user, name } = await company.bring()
    const phones = Array.from({ length: 20 }, (_, at) => ({ type: 'work', value: `${at}`.padEnd(250, 'x') }))
    const cases: readonly (readonly [object, string])[] = [
      [{ title: 'Astronaut' }, '"title" must be one of'],
      [{ userType: 'Employee' }, '"userType" must be true or false'],
      [{ nickName: '1999-02-31' }, '"nickName" must be a date'],
      [{ [enterprise]: { employeeNumber: '0x10' } }, `"${enterprise}:employeeNumber" must be a number`],
      [{ [enterprise]: { employeeNumber: 'NaN' } }, `"${enterprise}:employeeNumber" must be a number`],
      [{ [enterprise]: { department: 'x'.repeat(1024) } }, `"${enterprise}:department" must be text`],
      [{ [enterprise]: { department: 'a\u0000b' } }, `"${enterprise}:department" must be text`],
      [{ [enterprise]: { department: { value: 'Sales' } } }, 'must be a text'],
      [{ [enterprise]: { department: ['Sales', 'Other'] } }, 'must be a text'],
      [{ title: 7 }, '"title" must be a text'],
      [{ title: true }, '"title" must be a text'],
      [{ phoneNumbers: phones }, '"phoneNumbers[type eq "work"].value"'],
    ]
    for (const [fields, detail] of cases) {
      const patched = await company.directory.patch(id, fields)
      expect([patched.status, patched.body.scimType], patched.text).toEqual([400, 'invalidValue'])
      expect(patched.body.detail).toContain(detail)
      const body = { schemas: [schemas.user], userName: name, ...fields }
      expect((await company.directory.call('PUT', `/Users/${id}`, body)).status).toBe(400)
      expect((await company.directory.addUser({ userName: randomUUID(), ...fields })).status).toBe(400)
      const path = `auth/connections/${company.connectionId}/scim/preview`
      const preview = { method: 'POST', resource: 'Users', resource_id: null }
      const seen = await call('POST', path, {
        ...preview,
        body: JSON.stringify({ ...body, userName: randomUUID() }),
      })
      expect(seen.body, seen.text).toMatchObject({ status: 400 })
    }
    expect(await attributesOf(user)).toEqual({})
    // Nothing keeps somebody who leaves.
    const left = await company.directory.patch(id, { active: false, title: 'Astronaut' })
    expect(left.status, left.text).toBe(200)
  })

  it('are refused again after the mapping came later than the value', async () => {
    const company = await addScimCompany(service, admin)
    const { id, user } = await company.bring()
    expect((await company.directory.patch(id, { title: 'Astronaut' })).status).toBe(200)
    const path = `auth/connections/${company.connectionId}/scim`
    expect((await call('PUT', path, { ...scimSettings, user_attributes: mapping })).status).toBe(200)
    expect((await company.directory.patch(id, { title: 'Astronaut' })).status).toBe(400)
    expect((await company.directory.patch(id, { displayName: 'Ada' })).status).toBe(200)
    expect(await attributesOf(user)).toEqual({})
    expect((await company.directory.patch(id, { title: 'Editor' })).status).toBe(200)
    expect(await attributesOf(user)).toEqual({ job: 'Editor' })
  })

  it('never take names from a directory as those of members of an object', async () => {
    const company = await addCompany()
    const { id, user } = await company.bring()
    const sent = await service.client('PATCH', `/scim/v2/${company.connectionId}/Users/${id}`, {
      bearer: company.directory.token,
      body: JSON.parse(
        `{"schemas":["${schemas.patch}"],"Operations":[{"op":"add","value":{"__proto__":{"title":"Editor"},"constructor":"x","${enterprise}":{"__proto__":{"department":"Sales"}}}}]}`,
      ),
    })
    expect(sent.status, sent.text).toBe(200)
    expect(await attributesOf(user)).toEqual({})
    expect(Object.hasOwn(Object.prototype, 'title')).toBe(false)
  })
})

describe('what a directory gave', () => {
  it('is changed by the directory alone, unless the setting says so', async () => {
    const company = await addCompany()
    const { id, user, browser } = await company.bring()
    await replace(company, id, { op: 'add', path: `${enterprise}:department`, value: 'Sales' })
    const set = (name: string, value: unknown) =>
      call('PATCH', `users/${user}`, { attributes: [{ name, value }] })
    const kept = {
      status: 409,
      body: {
        reason: 'managed_by_directory',
        managed_by_directory: { connection: company.connectionId, fields: ['attributes.department'] },
      },
    }
    expect(await set('department', 'Mine')).toMatchObject(kept)
    expect(await set('department', null)).toMatchObject(kept)
    const own = await service.client('PATCH', '/api/2/users/me/attributes', {
      bearer: browser.cookie('latchkey') ?? '',
      body: { attributes: [{ name: 'department', value: 'Mine' }] },
    })
    expect(own, own.text).toMatchObject(kept)
    expect((await call('GET', `users/${user}`)).body.kept_by_directories).toMatchObject([
      { attributes: ['department'] },
    ])
    // It gave nothing else.
    expect((await set('job', 'Editor')).status).toBe(200)
    const path = `auth/connections/${company.connectionId}/scim`
    expect((await call('PUT', path, { ...scimSettings, allows_local_changes: true })).status).toBe(200)
    expect((await set('department', 'Mine')).status).toBe(200)
    await replace(company, id, { op: 'add', path: `${enterprise}:department`, value: 'Support' })
    expect(await attributesOf(user)).toMatchObject({ department: 'Support', job: 'Editor' })
    expect((await call('PUT', path, { ...scimSettings, allows_local_changes: false })).status).toBe(200)
    expect((await call('PUT', path, { ...scimSettings, user_attributes: [] })).status).toBe(200)
    expect((await set('department', 'Mine')).status).toBe(200)
  })

  it('changes an account that was there before once its user agreed, and only what they see', async () => {
    const company = await addCompany()
    const person = await addSignedIn(service)
    const { user } = person
    const id = await adoptUser(service, user, company.directory)
    const own = callAs(service, person)
    const give = (department: string) =>
      replace(company, id, { op: 'add', value: { [enterprise]: { department, employeeNumber: '7' } } })
    expect((await give('Sales')).status).toBe(200)
    expect(await attributesOf(user.id)).toEqual({})
    const ask = async () => (await own('GET', 'users/me/directories')).body[0]
    const asked = await ask()
    expect(asked).toMatchObject({ state: 'asked', attributes: [{ name: 'department', value: 'Sales' }] })
    await give('Support')
    const path = `users/me/directories/${company.connectionId}`
    const stale = await own('PUT', path, { agrees: true, shown: asked.shown })
    expect([stale.status, stale.body.reason]).toEqual([409, 'decision_changed'])
    const { shown } = await ask()
    expect((await own('PUT', path, { agrees: true, shown })).body).toMatchObject({ state: 'agreed' })
    expect(await attributesOf(user.id)).toEqual({ department: 'Support' })
    await give('Sales')
    expect(await attributesOf(user.id)).toEqual({ department: 'Sales' })
    // Of another attribute, they are asked anew.
    await replace(company, id, { op: 'add', path: 'title', value: 'Editor' })
    expect(await ask()).toMatchObject({ state: 'asked' })
    expect(await attributesOf(user.id)).toEqual({ department: 'Sales' })
    await own('PUT', path, { agrees: true, shown: (await ask()).shown })
    expect(await attributesOf(user.id)).toEqual({ department: 'Sales', job: 'Editor' })
    await own('PUT', path, { agrees: false })
    await give('Support')
    expect(await attributesOf(user.id)).toEqual({ department: 'Sales', job: 'Editor' })
    const mine = { attributes: [{ name: 'department', value: 'Mine' }] }
    expect((await own('PATCH', 'users/me/attributes', mine)).status).toBe(200)
  })

  it('does not change an account that somebody else gave something, or after the domain is lost', async () => {
    const company = await addCompany()
    const [shared, lost] = [await company.bring(), await company.bring()]
    const group = (await call('POST', 'groups', { name: randomUUID(), permissions: [] })).body.id
    expect((await call('PATCH', `users/${shared.user}`, { groups: [group] })).status).toBe(200)
    const give = (id: string) => replace(company, id, { op: 'add', path: 'title', value: 'Editor' })
    expect((await give(shared.id)).status).toBe(200)
    expect(await attributesOf(shared.user)).toEqual({})
    const domains = `auth/connections/${company.connectionId}/domains/${company.domain}`
    expect((await call('DELETE', domains)).status).toBeLessThan(300)
    expect((await give(lost.id)).status).toBe(200)
    expect(await attributesOf(lost.user)).toEqual({})
  })

  it('is the last of many changes at the same time', async () => {
    const company = await addCompany()
    const { id, user } = await company.bring()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        company.directory.patch(id, { [enterprise]: { department: `D${at}` } }),
      ),
    )
    for (const { status } of answers) expect([200, 409, 503]).toContain(status)
    const { body } = await company.directory.call('GET', `/Users/${id}`)
    expect(await attributesOf(user)).toEqual({ department: body[enterprise].department })
  })

  it('outlives the definition without an error', async () => {
    const company = await addCompany()
    const { id, user } = await company.bring()
    const give = (department: string) =>
      replace(company, id, { op: 'add', path: `${enterprise}:department`, value: department })
    await give('Sales')
    const path = `auth/connections/${company.connectionId}/scim`
    const { user_attributes: before } = (await call('GET', path)).body
    try {
      await define(definitions.slice(1))
      expect((await give('Support')).status).toBe(200)
      expect(await attributesOf(user)).toEqual({})
      const other = { attributes: [{ name: 'notes', value: 'x' }] }
      expect((await call('PATCH', `users/${user}`, other)).status).toBe(200)
      expect((await call('PUT', path, { ...scimSettings, user_attributes: before })).status).toBe(200)
      // Another attribute of the same name and another type gets nothing until an administrator maps it.
      await define([{ name: 'department', type: 'number' }, ...definitions.slice(1)])
      expect((await give('Sales')).status).toBe(200)
      expect(await attributesOf(user)).toEqual({ notes: 'x' })
      expect((await call('PUT', path, { ...scimSettings, user_attributes: before })).status).toBe(200)
      expect((await give('Many')).status).toBe(400)
      expect((await give('12')).status).toBe(200)
      expect(await attributesOf(user)).toEqual({ notes: 'x', department: 12 })
    } finally {
      await define(definitions.slice(1))
      await define()
    }
  })
})

describe('the mapping', () => {
  it('names attributes of the service, each once', async () => {
    const company = await addScimCompany(service, admin)
    const path = `auth/connections/${company.connectionId}/scim`
    const set = (user_attributes: unknown) => call('PUT', path, { ...scimSettings, user_attributes })
    for (const [wrong, field] of [
      [[{ from: 'title', to: 'nothing' }], 'user_attributes.0.to'],
      [[{ from: 'title', to: '__proto__' }], 'user_attributes.0.to'],
      [[{ from: 'title', to: 'email' }], 'user_attributes.0.to'],
      [
        [
          { from: 'title', to: 'job' },
          { from: 'division', to: 'job' },
        ],
        'user_attributes.1.to',
      ],
    ] as const) {
      const { status, body } = await set(wrong)
      expect([status, body.errors?.[0]?.field]).toEqual([400, field])
    }
    for (const from of ['password', '__proto__', 'userName', 'constructor', 7])
      expect((await set([{ from, to: 'job' }])).status).toBe(400)
    expect((await set([{ from: 'title', to: 'job' }])).body).toMatchObject({
      user_attributes: [{ from: 'title', to: 'job' }],
    })
    // A change without the setting leaves it.
    expect((await call('PUT', path, scimSettings)).body.user_attributes).toHaveLength(1)
  })

  it('is not changed by the managers of an organization', async () => {
    const brought = async () => {
      const { id: organization, owner } = await addOrganization(service, admin)
      const connection = await storeConnection(service, {
        organization_id: organization,
        isFromOrganization: true,
        default_organization_roles: ['member'],
      })
      const settings = { ...scimSettings, user_attributes: mapping }
      expect((await call('PUT', `auth/connections/${connection}/scim`, settings)).status).toBe(200)
      return { organization, connection, owner }
    }
    const { organization, connection, owner } = await brought()
    const asOwner = callAs(service, owner)
    const path = `organizations/${organization}/sign-in/${connection}/scim`
    const before = await asOwner('GET', path)
    expect(before.status, before.text).toBe(200)
    const set = (user_attributes: unknown) => asOwner('PUT', path, { ...scimSettings, user_attributes })
    const [first, ...rest] = mapping
    for (const wrong of [[], rest, [...rest, first], [{ from: 'title', to: 'notes' }]]) {
      const { status, body } = await set(wrong)
      expect([status, body.errors?.[0]?.field]).toEqual([400, 'user_attributes'])
    }
    expect((await set(before.body.user_attributes)).status).toBe(200)
    const other = await brought()
    const foreign = `organizations/${organization}/sign-in/${other.connection}/scim`
    expect((await asOwner('PUT', foreign, { ...scimSettings, user_attributes: [] })).status).toBe(404)
    const stored = await findConnection(service.services.table, other.connection)
    expect(stored?.scim?.userAttributes).toHaveLength(mapping.length)
    const stranger = callAs(service, await addSignedIn(service))
    expect((await stranger('PUT', path, { ...scimSettings, user_attributes: [] })).status).toBeGreaterThan(
      399,
    )
  })
})
