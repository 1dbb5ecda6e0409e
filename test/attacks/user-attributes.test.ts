import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildHolderSteps } from '../../lib/accounts/users/attributes.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { userAttributesBytes } from '../../lib/kernel/limits/limits.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { addLink, redeem } from '../support/links.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

/* Attributes that a service defines for its users, and those who would read or set what is not theirs. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
let ada: SignedInPerson
beforeEach(async () => {
  ada = await addSignedIn(service)
  await define([department, staffNumber, nickname, languages, seniority])
})

const department = {
  ...{ name: 'department', type: 'text', values: ['Sales', 'Engineering'] },
  ...{ user_access: 'read', claim: 'department', labels: [{ language: 'de', label: 'Abteilung' }] },
}
const staffNumber = { name: 'staff_number', type: 'text', is_searchable: true }
const nickname = { name: 'nickname', type: 'text', user_access: 'write', claim: 'nick' }
const languages = { name: 'languages', type: 'texts', claim: 'languages' }
const seniority = { name: 'seniority', type: 'number' }

const definitionsPath = '/api/2/system/user-attributes'
const ownPath = '/api/2/users/me/attributes'
const put = (attributes: readonly object[]) =>
  service.client('PUT', definitionsPath, { bearer: admin.bearer, body: { attributes } })
const define = async (attributes: readonly object[]) => {
  const answer = await put(attributes)
  expect(answer.status, answer.text).toBe(200)
}
const set = (id: number, attributes: readonly object[], bearer = manager.bearer) =>
  service.client('PATCH', `/api/2/users/${id}`, { bearer, body: { attributes } })
const setOwn = (attributes: readonly object[], bearer = ada.bearer) =>
  service.client('PATCH', ownPath, { bearer, body: { attributes } })
const read = async (id: number) =>
  (await service.client('GET', `/api/2/users/${id}`, { bearer: manager.bearer })).body.attributes
const findBy = async (value: string, more = '') => {
  const query = `attribute=${encodeURIComponent(value)}${more}`
  const { body } = await service.client('GET', `/api/2/users?${query}`, { bearer: manager.bearer })
  return body.map(({ id }: { id: number }) => id)
}

describe('values', () => {
  it('are set, changed and removed by name, and all others stay', async () => {
    const values = [
      { name: 'department', value: 'Sales' },
      { name: 'staff_number', value: randomUUID() },
      { name: 'languages', value: ['de', 'en'] },
      { name: 'seniority', value: 3.5 },
    ]
    const body = { username: randomUUID(), permissions: [], groups: [], attributes: values }
    const made = await service.client('POST', '/api/2/users', { bearer: manager.bearer, body })
    expect(made.status, made.text).toBe(201)
    expect(made.body.attributes).toEqual(values)
    const { id } = made.body
    await set(id, [
      { name: 'department', value: 'Engineering' },
      { name: 'languages', value: null },
    ])
    const changed = [{ name: 'department', value: 'Engineering' }, values[1], values[3]]
    expect(await read(id)).toEqual(changed)
    // Published clients replace users without knowing attributes.
    const { attributes: _, ...rest } = body
    const replaced = await service.client('PUT', `/api/2/users/${id}`, {
      bearer: manager.bearer,
      body: { ...rest, fm_bookmarks: ['/a'], home: 7 },
    })
    expect(replaced.body).toMatchObject({ attributes: changed, fm_bookmarks: ['/a'], home: 7 })
    await service.client('PATCH', `/api/2/users/${id}`, { bearer: manager.bearer, body: { home: null } })
    expect(await read(id)).toEqual(changed)
    const [row] = (
      await service.client('GET', `/api/2/users?username=${body.username}`, { bearer: manager.bearer })
    ).body
    expect(row.attributes).toEqual(changed)
  })

  it('are refused with every reason, and then nothing changes', async () => {
    await set(ada.user.id, [{ name: 'department', value: 'Sales' }])
    const answer = await set(ada.user.id, [
      { name: 'department', value: 'Sails' },
      { name: 'seniority', value: '3' },
      { name: 'languages', value: 'de' },
      { name: 'nickname', value: '\u200b' },
      { name: 'unknown', value: 'x' },
      { name: '__proto__', value: 'x' },
      { name: 'department', value: 'Sales' },
      { name: 'nickname', value: 'x'.repeat(256) },
    ])
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      ...['attributes.0.value', 'attributes.1.value', 'attributes.2.value', 'attributes.3.value'],
      ...['attributes.4.name', 'attributes.5.name', 'attributes.6.name', 'attributes.7.name'],
    ])
    expect(await read(ada.user.id)).toEqual([{ name: 'department', value: 'Sales' }])
    for (const attributes of [{ department: 'Sales' }, 'x', [{ name: 'department' }], [{ value: 'Sales' }]])
      expect((await set(ada.user.id, attributes as never)).status).toBe(400)
    const many = Array.from({ length: 51 }, () => ({ name: 'nickname', value: 'x' }))
    expect((await set(ada.user.id, many)).status).toBe(400)
  })

  it('have a limit together', async () => {
    const full = Array.from({ length: 16 }, () => 'ü'.repeat(127))
    expect((await set(ada.user.id, [{ name: 'languages', value: full.slice(0, 15) }])).status).toBe(200)
    const answer = await set(ada.user.id, [{ name: 'languages', value: full }])
    expect(answer.body.errors).toEqual([
      {
        field: 'attributes',
        message: `is too long: the values of a user have at most ${userAttributesBytes} bytes together`,
      },
    ])
  })

  it('take one of two concurrent changes of the same user, or both', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        set(ada.user.id, [{ name: 'staff_number', value: `race ${at}` }]),
      ),
    )
    expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true)
    const [{ value }] = await read(ada.user.id)
    const holders = (await readItems(service.tableName)).filter(
      ({ pk, sk }) => pk.startsWith(partitions.userAttribute) && Number(sk.split('#').at(-1)) === ada.user.id,
    )
    expect(holders.map(({ pk }) => pk.split('#').at(-1))).toEqual([value])
  })
})

describe('a user', () => {
  it('sees and changes only what the definitions allow', async () => {
    await set(ada.user.id, [
      { name: 'department', value: 'Sales' },
      { name: 'staff_number', value: 'secret' },
    ])
    const changed = await setOwn([{ name: 'nickname', value: 'Ada' }])
    expect(changed.status, changed.text).toBe(200)
    const labels = [{ language: 'de', label: 'Abteilung' }]
    const rest = { type: 'text', values: [] }
    expect(changed.body.attributes).toEqual([
      {
        ...{ name: 'department', type: 'text', labels, values: ['Sales', 'Engineering'] },
        ...{ can_change: false, value: 'Sales' },
      },
      { name: 'nickname', ...rest, labels: [], can_change: true, value: 'Ada' },
    ])
    expect((await service.client('GET', ownPath, { bearer: ada.bearer })).body).toEqual(changed.body)
    const refused = await setOwn([
      { name: 'department', value: 'Engineering' },
      { name: 'staff_number', value: 'mine' },
      { name: 'never_defined', value: 'x' },
    ])
    expect(refused.status).toBe(400)
    const [first, hidden, unknown] = refused.body.errors
    expect(first.message).toContain('only those who manage users')
    // Hidden attributes look like attributes that do not exist.
    expect(hidden.message).toBe(unknown.message)
    expect((await service.client('GET', '/api/2/users/me', { bearer: ada.bearer })).text).not.toContain(
      'secret',
    )
    expect((await put([])).status).toBe(200)
    expect((await service.client('GET', ownPath, { bearer: ada.bearer })).body).toEqual({ attributes: [] })
  })

  it('cannot read or define attributes of the service, and a guest of a link cannot change any', async () => {
    expect((await service.client('GET', definitionsPath, { bearer: ada.bearer })).status).toBe(403)
    for (const { bearer } of [ada, manager])
      expect(
        (await service.client('PUT', definitionsPath, { bearer, body: { attributes: [] } })).status,
      ).toBe(403)
    const link = await addLink(service, admin.bearer, { user: ada.user.id })
    const opened = await redeem(service, link.token, { bearer: ada.bearer })
    const session: string = opened.body.session_key
    expect(session).toEqual(expect.any(String))
    expect((await setOwn([{ name: 'nickname', value: 'x' }], session)).status).toBe(403)
    expect(await read(ada.user.id)).toEqual([])
  })

  it('cannot be changed in attributes by a manager with fewer rights', async () => {
    const answer = await set(admin.user.id, [{ name: 'department', value: 'Sales' }])
    expect(answer.status).toBe(403)
  })
})

describe('definitions', () => {
  it('are refused with every reason', async () => {
    const answer = await put([
      { name: 'one', type: 'number', values: ['x'], is_searchable: true, claim: 'same' },
      { name: 'one', type: 'text', is_searchable: true, claim: 'same' },
      { name: 'department', type: 'number' },
      { name: 'staff_number', type: 'text' },
    ])
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      ...['attributes.0.is_searchable', 'attributes.0.values'],
      ...['attributes.1.name', 'attributes.1.claim', 'attributes.1.is_searchable'],
      ...['attributes.2.type', 'attributes.3.is_searchable'],
    ])
    for (const name of ['__proto__', 'constructor!', 'Ünique', '', 'x'.repeat(51)])
      expect((await put([{ name, type: 'text' }])).status, name).toBe(400)
    const many = Array.from({ length: 51 }, (_, at) => ({ name: `a${at}`, type: 'text' }))
    expect((await put(many)).status).toBe(400)
  })

  it('that take the name of a removed one begin without values, and no user finds them', async () => {
    const value = randomUUID()
    await set(ada.user.id, [{ name: 'staff_number', value }])
    expect(await findBy(value)).toEqual([ada.user.id])
    await define([department])
    expect(await read(ada.user.id)).toEqual([])
    const refused = await service.client('GET', `/api/2/users?attribute=${value}`, { bearer: manager.bearer })
    expect(refused.body.errors).toEqual([
      { field: 'attribute', message: 'needs an attribute that is searchable' },
    ])
    await define([department, staffNumber])
    expect(await read(ada.user.id)).toEqual([])
    expect(await findBy(value)).toEqual([])
    await set(ada.user.id, [{ name: 'staff_number', value: `${value}-new` }])
    expect(await findBy(`${value}-new`)).toEqual([ada.user.id])
    // The old value left the record with this change.
    const stored = await findUser(service.services.table, ada.user.id)
    expect(stored?.attributes).not.toContain(`"${value}"`)
  })

  it('are written down with the attributes that differ', async () => {
    await define([{ ...department, user_access: 'none' }, staffNumber, nickname, languages])
    const { body } = await service.client(
      'GET',
      '/api/2/auth/audit-events?event=user_attributes.changed&limit=1',
      {
        bearer: admin.bearer,
      },
    )
    expect(body[0].target).toBe('department seniority')
  })
})

describe('the searchable attribute', () => {
  it('finds users in pages, with other filters, and in no other case', async () => {
    const value = `Büro ${randomUUID()}`
    const people = await Promise.all(Array.from({ length: 5 }, () => addPerson(service)))
    for (const { user } of people)
      expect((await set(user.id, [{ name: 'staff_number', value }])).status).toBe(200)
    const ids = people.map(({ user }) => user.id).sort((a, b) => a - b)
    expect(await findBy(value)).toEqual(ids)
    expect(await findBy(value.toUpperCase(), '&ordering=-id')).toEqual(ids.toReversed())
    expect(await findBy(value, '&limit=2')).toEqual(ids.slice(0, 2))
    expect(await findBy(value, '&is_enabled=false')).toEqual([])
    const [first] = people
    expect(await findBy(value, `&username=${first?.user.username}`)).toEqual([first?.user.id])
    expect(await findBy(value, '&ordering=username')).toHaveLength(5)
    expect(await findBy(`${value}x`)).toEqual([])
    await service.client('DELETE', `/api/2/users/${first?.user.id}`, { bearer: admin.bearer })
    expect(await findBy(value)).not.toContain(first?.user.id)
    const items = await readItems(service.tableName)
    expect(items.filter(({ pk }) => pk.includes(value.toLowerCase()))).toHaveLength(4)
  })

  it('is not searchable for those who may not list users, and not with too long values', async () => {
    expect((await service.client('GET', '/api/2/users?attribute=x', { bearer: ada.bearer })).status).toBe(403)
    const long = await service.client('GET', `/api/2/users?attribute=${'x'.repeat(300)}`, {
      bearer: manager.bearer,
    })
    expect(long.status).toBe(400)
    // The longest values in their longest form are a key of the table.
    const stored = JSON.stringify({ s123456789: 'ﷺ'.repeat(14) + '漢'.repeat(241) })
    const [step] = buildHolderSteps(1, undefined, stored)
    expect(step && 'put' in step ? Buffer.byteLength(step.put['pk']) : Number.NaN).toBeLessThan(2048)
  })
})

describe('an app', () => {
  it('gets claims with the scope alone, and never those without a claim', async () => {
    await set(ada.user.id, [
      { name: 'department', value: 'Sales' },
      { name: 'staff_number', value: 'hidden' },
      { name: 'languages', value: ['de'] },
    ])
    const party = await addRelyingParty(service, { scopes: ['openid', 'attributes'] })
    const claimsOf = async (scope: string) => {
      const tokens = await getTokens(service, party, ada.bearer, { scope })
      const [, payload = ''] = String(tokens.id_token).split('.')
      const idToken = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const userinfo = await service.client('GET', '/oauth2/userinfo', { bearer: tokens.access_token })
      return [idToken.attributes, userinfo.body.attributes]
    }
    const claims = { department: 'Sales', languages: ['de'] }
    expect(await claimsOf('openid attributes')).toEqual([claims, claims])
    expect(await claimsOf('openid')).toEqual([undefined, undefined])
    const other = await addRelyingParty(service, { scopes: ['openid'] })
    const tokens = await getTokens(service, other, ada.bearer, { scope: 'openid attributes' }).catch(
      () => undefined,
    )
    if (tokens)
      expect(
        (await service.client('GET', '/oauth2/userinfo', { bearer: tokens.access_token })).body.attributes,
      ).toBeUndefined()
  })
})
