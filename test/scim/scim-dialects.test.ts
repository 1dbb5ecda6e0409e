import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { addDirectory, schemas, storeConnection, type TestDirectory } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* Requests of directories, sent as they are. IDs in them are replaced by those of this service. */

interface Sent {
  readonly name: string
  readonly request?: string | readonly string[]
  readonly body?: object
}
const dialects: Readonly<Record<string, readonly Sent[]>> = JSON.parse(
  readFileSync(new URL('./dialect-bodies.json', import.meta.url), 'utf8'),
)
const service = await useService({}, { sendsMail: false })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const find = (dialect: string, name: string): Sent => {
  const found = dialects[dialect]?.find((one) => one.name === name)
  if (!found) throw new Error(`there is no ${dialect}: ${name}`)
  return found
}

let directory: TestDirectory
beforeEach(async () => {
  directory = await addDirectory(service, await storeConnection(service), {}, admin)
})

/** Sends a request with IDs of this service in the place of others. */
const send = (
  dialect: string,
  name: string,
  ids: Readonly<Record<string, string>> = {},
  request?: string,
) => {
  const sent = find(dialect, name)
  const [method = '', path = ''] = (request ?? String(sent.request)).split(/ (.*)/s)
  const fill = (text: string) =>
    Object.entries(ids).reduce((filled, [from, to]) => filled.replaceAll(from, to), text)
  const [target = '', query] = fill(path).split('?')
  const encoded = query?.includes('%')
    ? query
    : query
        ?.split('&')
        .map((part) => part.replace(/=(.*)/s, (_, value: string) => `=${encodeURIComponent(value)}`))
        .join('&')
  return directory.call(
    method,
    encoded === undefined ? target : `${target}?${encoded}`,
    sent.body && JSON.parse(fill(JSON.stringify(sent.body))),
    { 'content-type': 'application/scim+json' },
  )
}
const read = async (id: string) => (await directory.call('GET', `/Users/${id}`)).body
const addOne = async (fields: object = {}): Promise<string> =>
  (await directory.addUser({ userName: randomUUID(), ...fields })).body.id
const addGroup = async (members: readonly string[]): Promise<string> =>
  (
    await directory.call('POST', '/Groups', {
      schemas: [schemas.group],
      displayName: randomUUID(),
      members: members.map((value) => ({ value })),
    })
  ).body.id
const membersOf = async (id: string) =>
  (await directory.call('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value)

describe('Okta', () => {
  const okta = (name: string, ids?: Readonly<Record<string, string>>) => send('okta', name, ids)

  it('looks a person up, and creates them once', async () => {
    const none = await okta('look up')
    expect([none.status, none.body.totalResults, none.body.startIndex]).toEqual([200, 0, 1])
    const created = await okta('create, with a password that must be ignored')
    expect([created.status, created.body.active]).toEqual([201, true])
    expect(created.text).not.toContain('1mz050nq')
    const again = await okta('create, with a password that must be ignored')
    expect([again.status, again.body.schemas]).toEqual([409, [schemas.error]])
    expect((await okta('look up')).body.totalResults).toBe(1)
  })

  it.each([
    'leaver of a custom app: PUT, not PATCH',
    'leaver of an app in the catalogue',
    'one value in an array (seen by others)',
  ])('ends a person: %s', async (name) => {
    const { body } = await okta('create, with a password that must be ignored')
    const answer = await okta(name, { '{id}': body.id })
    expect([answer.status, answer.body.active]).toEqual([200, false])
    expect((await read(body.id)).active).toBe(false)
  })

  it('renames a group, and changes its members', async () => {
    const [old, fresh] = [await addOne(), await addOne()]
    const id = await addGroup([old])
    const ids = {
      '{id}': id,
      '89bb1940-b905-4575-9e7f-6f887cfb368e': old,
      '23a35c27-23d3-4c03-b4c5-6443c09e7173': fresh,
    }
    expect((await okta('rename of a group, with its id', ids)).status).toBe(204)
    expect((await directory.call('GET', `/Groups/${id}`)).body.displayName).toBe('Test SCIMv2')
    expect((await okta('members', ids)).status).toBe(204)
    expect(await membersOf(id)).toEqual([fresh])
    await directory.call('PATCH', `/Groups/${id}`, {
      schemas: [schemas.patch],
      Operations: [{ op: 'add', path: 'members', value: [{ value: old }] }],
    })
    expect((await okta('all members', ids)).status).toBe(204)
    expect(await membersOf(id)).toEqual([fresh])
  })
})

describe('Entra ID', () => {
  const entra = (name: string, ids?: Readonly<Record<string, string>>) => send('entra', name, ids)

  it.each(['leaver without the flag', 'leaver with aadOptscim062020'])('ends a person: %s', async (name) => {
    const { body, status } = await entra('create')
    expect(status).toBe(201)
    const answer = await entra(name, { '{id}': body.id })
    expect([answer.status, answer.body.active]).toEqual([200, false])
    const found = await directory.call(
      'GET',
      `/Users?filter=${encodeURIComponent(`userName eq "${body.userName}"`)}`,
    )
    expect(found.body.Resources[0]).toMatchObject({ id: body.id, active: false })
  })

  it.each([
    ['several attributes without the flag', {}],
    ['several attributes without the flag', { emails: [{ type: 'work', value: 'old@example.com' }] }],
    ['dotted and full names as keys, with the flag', {}],
  ])('changes attributes: %s', async (name, fields) => {
    const id = await addOne(fields)
    const { status, body } = await entra(name, { '{id}': id })
    expect(status).toBe(200)
    expect(body.name.givenName).toMatch(/^(Gtfd|Kkom)$/)
    expect(body.emails).toMatchObject([{ type: 'work', value: expect.stringMatching(/^Test/) }])
    expect(body['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'].employeeNumber).toMatch(
      /^(Eqpj|Aklq)$/,
    )
    expect(JSON.stringify(body)).not.toContain('null')
  })

  it('creates a group with a foreign schema, and removes one member of several', async () => {
    const created = await entra('group with a foreign schema')
    expect([created.status, created.body.members]).toEqual([201, []])
    const [one, other] = [await addOne(), await addOne()]
    const id = await addGroup([one, other])
    const answer = await entra('member removed by value', { '{id}': id, f648f8d5ea4e4cd38e9c: one })
    expect(answer.status).toBe(204)
    expect(await membersOf(id)).toEqual([other])
  })

  it('looks groups and people up', async () => {
    const { body } = await entra('group with a foreign schema')
    await addOne({ externalId: 'x', emails: [{ type: 'work', value: 'user@contoso.com' }] })
    const lookUps = find('entra', 'look-ups').request as readonly string[]
    for (const request of lookUps) {
      const answer = await send('entra', 'look-ups', { '{id}': body.id }, request)
      expect(answer.status, request).toBe(200)
      expect(answer.headers.get('content-type')).toContain('application/scim+json')
      expect(answer.body.totalResults ?? 1, request).toBe(1)
      expect(answer.text).not.toContain('null')
    }
  })
})

describe('other directories', () => {
  it('filter as the profile says', async () => {
    const id = await addOne({ userName: 'x', emails: [{ value: 'x' }] })
    for (const request of find('ipsie', 'filters').request as readonly string[]) {
      const { body } = await send('ipsie', 'filters', {}, request)
      expect(
        body.Resources.map((one: { id: string }) => one.id),
        request,
      ).toEqual([id])
    }
  })

  it('end a person with add, and send nulls', async () => {
    const id = await addOne()
    const ended = await send('others', 'SailPoint', {}, `PATCH /Users/${id}`)
    expect([ended.status, ended.body.active]).toEqual([200, false])
    const created = await send('others', 'OneLogin: nulls', {}, 'POST /Users')
    expect(created.status).toBe(201)
    expect(created.body).not.toHaveProperty('title')
    const answer = await send('others', 'Okta after a wrong GET', {}, `PUT /Users/${created.body.id}`)
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(schemas.user)])
    expect((await read(created.body.id)).userName).toBe('user@example.com')
  })
})

describe('a directory that attacks', () => {
  it.each([
    ['__proto__.x', 'y'],
    ['constructor.prototype.x', 'y'],
    ['toString', 'y'],
    ['__proto__', { x: 'y' }],
  ])('changes nothing by the path %s', async (path, value) => {
    const id = await addOne()
    const before = await read(id)
    for (const operation of [
      { op: 'add', path, value },
      { op: 'replace', value: { [path]: value } },
    ]) {
      const { status } = await directory.call('PATCH', `/Users/${id}`, {
        schemas: [schemas.patch],
        Operations: [operation],
      })
      expect([200, 400]).toContain(status)
    }
    expect(await read(id)).toEqual(before)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('is refused with too many operations, brackets and members, and nothing has changed', async () => {
    const id = await addOne()
    const before = await read(id)
    const operations = Array.from({ length: 101 }, () => ({ op: 'replace', path: 'title', value: 'x' }))
    const patch = (Operations: readonly object[]) =>
      directory.call('PATCH', `/Users/${id}`, { schemas: [schemas.patch], Operations })
    expect((await patch(operations)).status).toBe(400)
    // The first operation alone would have had an effect.
    expect(
      (
        await patch([
          { op: 'replace', path: 'title', value: 'x' },
          { op: 'replace', path: 'active', value: 7 },
        ])
      ).status,
    ).toBe(400)
    expect((await patch([{ op: 'replace', path: 'id', value: 'x' }])).body.scimType).toBe('mutability')
    expect(await read(id)).toEqual(before)
    const filter = encodeURIComponent(`${'('.repeat(200)}userName pr${')'.repeat(200)}`)
    expect((await directory.call('GET', `/Users?filter=${filter}`)).body.scimType).toBe('invalidFilter')
  })

  it('gets 25 requests a second, and learns when to go on beyond that', async () => {
    const limited = await addDirectory(service, await storeConnection(service), {}, admin)
    const answers = await Promise.all(
      Array.from({ length: 330 }, () => limited.call('GET', '/ServiceProviderConfig')),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(250)
    expect(refused[0]?.body).toMatchObject({ schemas: [schemas.error], status: '429' })
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await directory.call('GET', '/Users')).status).toBe(200)
  })
})
