import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { findScimUser } from '../../lib/features/provisioning/users.records.ts'
import type { Answer } from '../support/client.ts'
import { requireSuccess } from '../support/holdings.ts'
import { addLink } from '../support/links.ts'
import { addRelyingParty, exchangeCode, getCode, refresh } from '../support/oidc.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { vouchForDomains } from '../support/saml.ts'
import { addDirectory, schemas, storeConnection, type TestDirectory } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* The directory of a customer attacks the people of others, the accounts of the service, and the service. */

const service = await useService(
  { RATE_LIMITS: 'scimRequests=100000/10,lookUpFailures=100000/60,linkGuesses=100000/60' },
  { sendsMail: false },
)
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manage = callAs(service, admin)
const open = async (fields: object = {}): Promise<TestDirectory> =>
  addDirectory(service, await storeConnection(service, fields), {}, admin)
const [attacker, victim] = [await open(), await open()]
const create = async (directory: TestDirectory, fields: object = {}): Promise<string> =>
  requireSuccess(await directory.addUser({ userName: randomUUID(), ...fields })).body.id
const addGroup = async (directory: TestDirectory, fields: object = {}): Promise<string> =>
  requireSuccess(
    await directory.call('POST', '/Groups', {
      ...{ schemas: [schemas.group], displayName: randomUUID() },
      ...fields,
    }),
  ).body.id
const patch = (directory: TestDirectory, path: string, ...Operations: readonly object[]) =>
  directory.call('PATCH', path, { schemas: [schemas.patch], Operations })
const read = async (directory: TestDirectory, path: string) =>
  requireSuccess(await directory.call('GET', path)).body
const find = async (directory: TestDirectory, kind: string, filter: string): Promise<Answer> =>
  directory.call('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
/** What an answer says without what is new in each. */
const shape = ({ status, body }: Answer) => ({
  status,
  body: JSON.parse(JSON.stringify(body ?? null, (key, value) => (isNew.has(key) ? null : value))),
})
const isNew = new Set(['id', 'userName', 'externalId', 'emails', 'meta'])
const ids = ({ body }: Answer) => body.Resources.map(({ id }: { id: string }) => id)

describe('IDs of another connection', () => {
  it('are nobody in paths, filters, members and Bulk, and as a manager', async () => {
    const [theirs, theirGroup] = [await create(victim), await addGroup(victim)]
    const [mine, myGroup] = [await create(attacker), await addGroup(attacker)]
    const before = [await read(victim, `/Users/${theirs}`), await read(victim, `/Groups/${theirGroup}`)]
    for (const [path, unknown] of [
      [`/Users/${theirs}`, `/Users/${randomUUID()}`],
      [`/Groups/${theirGroup}`, `/Groups/${randomUUID()}`],
      [`/Groups/${theirs}`, `/Groups/${randomUUID()}`],
    ] as const)
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', { schemas: [schemas.user, schemas.group], userName: 'x', displayName: 'x' }],
        ['PATCH', { schemas: [schemas.patch], Operations: [{ op: 'replace', value: { displayName: 'x' } }] }],
        ['DELETE', undefined],
      ] as const) {
        const answers = [await attacker.call(method, path, body), await attacker.call(method, unknown, body)]
        expect(answers[0]?.status, `${method} ${path}`).toBe(404)
        expect(answers[0]?.body).toEqual(answers[1]?.body)
      }
    for (const filter of [
      `id eq "${theirs}"`,
      `members.value eq "${theirs}"`,
      `members[value eq "${theirs}"]`,
      `id eq "${theirs}" or id eq "${theirGroup}"`,
    ])
      for (const kind of ['Users', 'Groups']) {
        const { status, body } = await find(attacker, kind, filter)
        expect(status === 400 || body.totalResults === 0, `${kind} ${filter}`).toBe(true)
      }
    for (const value of [theirs, theirGroup])
      expect(
        (await patch(attacker, `/Groups/${myGroup}`, { op: 'add', path: 'members', value: [{ value }] }))
          .status,
      ).toBe(400)
    // A manager is what the directory says: nothing follows from it, and no name is looked up.
    const path = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager'
    const managed = requireSuccess(
      await patch(attacker, `/Users/${mine}`, {
        op: 'add',
        path,
        value: { value: theirs, displayName: 'x' },
      }),
    )
    expect(JSON.stringify(managed.body)).not.toContain(before[0].userName)
    for (const path of [
      `/Users/${theirs}`,
      `/../${victim.connectionId}/Users/${theirs}`,
      `/scim/v2/${victim.connectionId}/Users/${theirs}`,
    ]) {
      const bulk = await attacker.call('POST', '/Bulk', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [{ method: 'DELETE', path }],
      })
      const status = bulk.status === 200 ? bulk.body.Operations[0].status : bulk.status
      expect(Number(status), path).toBeGreaterThanOrEqual(400)
    }
    expect([await read(victim, `/Users/${theirs}`), await read(victim, `/Groups/${theirGroup}`)]).toEqual(
      before,
    )
  })

  it('have an externalId, userName and displayName that others can have as well', async () => {
    const named = { externalId: randomUUID(), userName: randomUUID() }
    const theirs = await create(victim, named)
    expect(ids(await find(attacker, 'Users', `externalId eq "${named.externalId}"`))).toEqual([])
    const mine = await create(attacker, named)
    for (const filter of [`externalId eq "${named.externalId}"`, `userName eq "${named.userName}"`])
      expect(ids(await find(attacker, 'Users', filter))).toEqual([mine])
    requireSuccess(await attacker.call('DELETE', `/Users/${mine}`))
    expect((await read(victim, `/Users/${theirs}`)).active).toBe(true)
  })
})

describe('names that objects have', () => {
  const names = ['__proto__', 'constructor', 'toString']

  it.each(names)('%s is no attribute, path, filter or parameter', async (name) => {
    const [id, group] = [await create(attacker), await addGroup(attacker)]
    const before = [await read(attacker, `/Users/${id}`), await read(attacker, `/Groups/${group}`)]
    const raw = `{"${name}":{"polluted":true},"name":{"${name}":{"polluted":true}},"emails":[{"${name}":{"polluted":true},"value":"a@example.com"}]}`
    const send = (method: string, path: string, body: string) =>
      service.client(method, `/scim/v2/${attacker.connectionId}${path}`, {
        bearer: attacker.token,
        raw: body,
        headers: { 'content-type': 'application/scim+json' },
      })
    const user = `{"schemas":["${schemas.user}"],"userName":"${randomUUID()}",${raw.slice(1)}`
    const created = await send('POST', '/Users', user)
    expect(created.status, created.text).toBe(201)
    expect(created.text).not.toContain('polluted')
    for (const at of [`/Users/${id}`, `/Groups/${group}`])
      for (const path of [
        name,
        `${name}.polluted`,
        `name.${name}`,
        `emails[${name} eq "x"].value`,
        `${schemas.user}:${name}`,
      ])
        for (const op of ['add', 'replace', 'remove']) {
          const operation = JSON.stringify({ op, path, value: 'x' }).replace('"x"', raw)
          const { status } = await send(
            'PATCH',
            at,
            `{"schemas":["${schemas.patch}"],"Operations":[${operation}]}`,
          )
          expect(status, `${op} ${path}`).toBeLessThan(500)
        }
    await send(
      'PATCH',
      `/Users/${id}`,
      `{"schemas":["${schemas.patch}"],"Operations":[{"op":"add","value":${raw}}]}`,
    )
    for (const query of [
      `attributes=${name}`,
      `excludedAttributes=${name}`,
      `${name}=1`,
      `filter=${name}%20pr`,
    ])
      expect((await attacker.call('GET', `/Users?${query}`)).status).toBeLessThan(500)
    expect({}).not.toHaveProperty('polluted')
    expect(JSON.stringify(await read(attacker, `/Users/${id}`))).not.toContain('polluted')
    expect((await read(attacker, `/Groups/${group}`)).displayName).toBe(before[1].displayName)
  })

  it('are known in other cases, so that no leaver stays', async () => {
    for (const operation of [
      { OP: 'REPLACE', PATH: 'ACTIVE', VALUE: 'FALSE' },
      { op: 'Replace', path: `${schemas.user.toUpperCase()}:Active`, value: 'false' },
      { Op: 'aDD', Value: { ACTIVE: 'False' } },
    ]) {
      const id = await create(attacker)
      expect((await patch(attacker, `/Users/${id}`, operation)).body.active).toBe(false)
    }
    const id = await create(attacker)
    const put = await attacker.call('PUT', `/Users/${id}`, {
      ...{ SCHEMAS: [schemas.user], USERNAME: randomUUID(), ACTIVE: 'FALSE' },
    })
    expect([put.status, (await read(attacker, `/Users/${id}`)).active]).toEqual([200, false])
  })
})

describe('what is too large', () => {
  it('is refused before it is stored', async () => {
    const [id, group] = [await create(attacker), await addGroup(attacker)]
    const large = await attacker.addUser({ userName: randomUUID(), title: 'x'.repeat(10 * 1024 * 1024) })
    expect(large.status).toBe(413)
    const operations = Array.from({ length: 10_000 }, () => ({ op: 'replace', path: 'title', value: 'x' }))
    expect((await patch(attacker, `/Users/${id}`, ...operations)).status).toBe(400)
    const value = Array.from({ length: 10_000 }, (_, at) => ({ value: String(at) }))
    expect((await patch(attacker, `/Groups/${group}`, { op: 'add', path: 'members', value })).status).toBe(
      400,
    )
    for (const path of [`emails[${'('.repeat(10_000)}`, `emails[type eq "${'x'.repeat(10_000)}"].value`])
      expect((await patch(attacker, `/Users/${id}`, { op: 'add', path, value: 'x' })).status).toBe(400)
    expect(await read(attacker, `/Users/${id}`)).not.toHaveProperty('title')
    expect((await read(attacker, `/Groups/${group}`)).members).toEqual([])
    expect((await find(attacker, 'Users', '('.repeat(900))).status).toBe(400)
    const names = ['userName', 'displayName', 'title', 'emails.value', 'name.familyName', 'externalId']
    const all = names.map((name) => `${name} co "x"`).join(' or ')
    expect([200, 400]).toContain((await find(attacker, 'Users', all)).status)
  })
})

describe('accounts of others', () => {
  const domain = `${randomUUID()}.example`
  const addOwnDomain = async () => {
    const directory = await open()
    await vouchForDomains(service, { id: directory.connectionId, admin: admin.bearer }, [domain])
    return directory
  }

  it('cannot be told from nobody by an address outside the domains of the connection', async () => {
    const directory = await open()
    const known = await Promise.all(
      Array.from({ length: 4 }, () => addPerson(service, { email: `${randomUUID()}@people.example` })),
    )
    const outcomes = []
    for (let at = 0; at < 40; at++) {
      const email = known[at]?.user.email ?? `${randomUUID()}@people.example`
      const sent = { userName: email, emails: [{ value: email, type: 'work', primary: true }] }
      outcomes.push(shape(await directory.addUser(sent)))
      outcomes.push(shape(await find(directory, 'Users', `emails.value eq "${randomUUID()}"`)))
    }
    expect(new Set(outcomes.map((one) => JSON.stringify(one))).size).toBe(2)
    for (const { user } of known) expect(await findUser(table, user.id)).toMatchObject({ email: user.email })
  })

  it('keep address, name, password, rights and state, whatever a directory says of their address', async () => {
    const directory = await addOwnDomain()
    const person = await addSignedIn(service, {
      email: `${randomUUID()}@people.example`,
      permissions: ['films:view'],
    })
    const before = await findUser(table, person.user.id)
    const email = person.user.email ?? ''
    const [local = '', host = ''] = email.split('@')
    const lookAlikes = [
      email,
      email.toUpperCase(),
      `${local}@${host}.${domain}`,
      `${local}@xn--${domain}`,
      `${email}(comment)@${domain}`,
      `"${email}"@${domain}`,
      `${local}(x)@${host}`,
      `${email}\u0000@${domain}`,
      ` ${email} `,
      `${local}@${domain},${email}`,
      `${local}@${host.replace('e', '\u0435')}`,
    ]
    for (const address of lookAlikes) {
      const { status, body } = await directory.addUser({
        ...{ userName: address, externalId: String(person.user.id), id: String(person.user.id) },
        emails: [{ value: address, type: 'work', primary: true }],
        ...{
          password: 'violin harbor mustard tent',
          roles: [{ value: 'owner' }, { value: 'system:admin-access' }],
        },
        ...{
          entitlements: ['system:admin-access'],
          permissions: ['system:admin-access'],
          groups: [{ value: '1' }],
        },
      })
      if (status !== 201) continue
      await directory.patch(body.id, { displayName: 'taken', active: false })
      await directory.patch(body.id, { userName: person.user.username })
      expect((await findScimUser(table, directory.connectionId, body.id))?.userId).toBeUndefined()
      await directory.call('DELETE', `/Users/${body.id}`)
    }
    for (const displayName of ['owner', 'admin', 'system:admin-access', 'Administrators'])
      await directory.call('POST', '/Groups', { schemas: [schemas.group], displayName })
    expect(await findUser(table, person.user.id)).toEqual(before)
    expect((await service.client('GET', '/api/2/users/me', { bearer: person.bearer })).status).toBe(200)
  })

  it('are not those of a person who was deleted, for another with the same name or the same externalId', async () => {
    const directory = await open()
    const person = await addSignedIn(service)
    const userName = `${randomUUID()}@directory.example`
    await table.transact(
      buildCompanyAccountSteps(
        { providerId: directory.connectionId, nameId: userName, qualifiers: [] },
        {
          userId: person.user.id,
          groups: [],
          linkedAt: Date.now(),
          shownName: userName,
          deletedUserId: undefined,
        },
      ),
    )
    const id = await create(directory, { userName, externalId: 'first' })
    const owner = async (one: string) => (await findScimUser(table, directory.connectionId, one))?.userId
    expect(await owner(id)).toBe(person.user.id)
    requireSuccess(await directory.call('DELETE', `/Users/${id}`))
    for (const fields of [
      { userName, externalId: 'second' },
      { userName: randomUUID(), externalId: 'first' },
      { userName: randomUUID() },
    ]) {
      const other = await create(directory, fields)
      expect(await owner(other)).toBeUndefined()
      requireSuccess(await directory.call('DELETE', `/Users/${other}`))
    }
  })
})

describe('a directory whose right ends', () => {
  it.each<[string, (directory: TestDirectory) => Promise<Answer>]>([
    [
      'by its token',
      async ({ connectionId }) => {
        const path = `auth/connections/${connectionId}/scim`
        const { tokens } = (await manage('GET', path)).body
        return manage('DELETE', `${path}/tokens/${tokens[0].id}`)
      },
    ],
    ['by its connection', ({ connectionId }) => manage('DELETE', `auth/oidc-connections/${connectionId}`)],
  ])('%s changes nothing after that', async (_, end) => {
    const directory = await open()
    const people = await Promise.all(Array.from({ length: 8 }, () => create(directory)))
    const [ended] = await Promise.all([
      end(directory),
      ...people.map((id, at) => directory.patch(id, { title: `during ${at}` })),
    ])
    expect(ended.status).toBe(204)
    for (const id of people) expect((await directory.patch(id, { title: 'after' })).status).toBe(401)
    for (const id of people)
      expect((await findScimUser(table, directory.connectionId, id))?.isActive ?? true).toBe(true)
  })

  it('by the suspension of its organization, until that ends', async () => {
    const { id: organizationId } = await addOrganization(service, admin)
    const directory = await open({ organization_id: organizationId })
    const id = await create(directory)
    requireSuccess(await manage('PATCH', `organizations/${organizationId}`, { state: 'suspended' }))
    expect((await directory.patch(id, { active: false })).status).toBe(401)
    requireSuccess(await manage('PATCH', `organizations/${organizationId}`, { state: 'active' }))
    expect((await read(directory, `/Users/${id}`)).active).toBe(true)
  })

  it('by the version that it names, which works once', async () => {
    const id = await create(attacker)
    const { meta } = await read(attacker, `/Users/${id}`)
    const send = (title: string) =>
      attacker.call(
        'PUT',
        `/Users/${id}`,
        { schemas: [schemas.user], userName: randomUUID(), title },
        { 'if-match': meta.version },
      )
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => send(String(at))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
    for (const method of ['DELETE', 'PATCH'])
      expect(
        (
          await attacker.call(
            method,
            `/Users/${id}`,
            { schemas: [schemas.patch], Operations: [] },
            { 'if-match': meta.version },
          )
        ).status,
      ).toBeGreaterThanOrEqual(400)
  })
})

describe('who leaves', () => {
  it('has nothing of a code that is exchanged, or a link that is redeemed, at the same time', async () => {
    const directory = await open()
    const party = await addRelyingParty(service)
    for (let round = 0; round < 4; round++) {
      const person = await addSignedIn(service, { permissions: ['media:access'] })
      const userName = `${randomUUID()}@directory.example`
      await table.transact(
        buildCompanyAccountSteps(
          { providerId: directory.connectionId, nameId: userName, qualifiers: [] },
          {
            userId: person.user.id,
            groups: [],
            linkedAt: Date.now(),
            shownName: userName,
            deletedUserId: undefined,
          },
        ),
      )
      const id = await create(directory, { userName })
      const { token } = await addLink(service, person.bearer)
      const code = await getCode(service, party, person.bearer, { scope: 'openid offline_access' })
      const [left, tokens, redeemed] = await Promise.all([
        round % 2 ? directory.patch(id, { active: false }) : directory.call('DELETE', `/Users/${id}`),
        exchangeCode(service, party, code),
        service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token } }),
      ])
      expect(left.status).toBeLessThan(300)
      expect((await refresh(service, party, tokens.body.refresh_token ?? 'x')).status).not.toBe(200)
      const bearer = redeemed.body?.session_key ?? 'x'
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    }
  })
})
