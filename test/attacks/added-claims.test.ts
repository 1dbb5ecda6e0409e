import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { addedClaimsBytes } from '../../lib/kernel/limits/limits.ts'
import { costsSince } from '../support/directory.ts'
import { addRelyingParty, exchangeCode, getCode, getTokens, proveClient } from '../support/oidc.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Claims that a service adds, and those who would state what is not theirs, or read what was not meant for them. */

const service = await useService()
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const films = 'https://films.example.com/added'
await ensureApi(table, films)
const scopes = ['openid', 'profile', 'phone', 'address', 'attributes', 'organization'] as const
const app = await addRelyingParty(service, { scopes, audiences: [films], organizations: 'optional' })
const stranger = await addRelyingParty(service, { scopes, audiences: [films], organizations: 'optional' })
const path = 'system/user-attributes'

const department = { name: 'department', type: 'text' }
const nickname = { name: 'nickname', type: 'text', user_access: 'write' }
const topics = { name: 'topics', type: 'texts', user_access: 'write' }
const skills = { name: 'skills', type: 'texts' }
const level = { name: 'level', type: 'number' }
const born = { name: 'born', type: 'date' }
const attributes = [department, nickname, topics, skills, level, born]

const claim = (fields: object = {}) => ({
  ...{ name: 'department', place: 'top', source: 'attribute', value: 'department' },
  ...{ outputs: ['id_token'], clients: [app.client.clientId], apis: [] },
  ...fields,
})
const forApi = { outputs: ['access_token', 'introspection'], apis: [films] }
const put = (claims: readonly object[] | undefined, list: readonly object[] = attributes) =>
  call('PUT', path, { attributes: list, ...(claims && { claims }) })
const save = async (...claims: readonly object[]) => {
  const answer = await put(claims)
  expect(answer.status, answer.text).toBe(200)
}
const refuse = async (fields: object, ...before: readonly object[]) => {
  const answer = await put([...before, claim(fields)])
  expect(answer.status, answer.text).toBe(400)
  const at = `claims.${before.length}.`
  return answer.body.errors.map(({ field }: { field: string }) => field.replace(at, ''))
}

let ada: SignedInPerson
beforeEach(async () => {
  await save()
  ada = await addSignedIn(service)
})
const set = async (values: Readonly<Record<string, unknown>>) => {
  const changed = Object.entries(values).map(([name, value]) => ({ name, value }))
  const answer = await call('PATCH', `users/${ada.user.id}`, { attributes: changed })
  expect(answer.status, answer.text).toBe(200)
}
const scope = 'openid profile phone address attributes'
const readTokens = async (overrides: Readonly<Record<string, string>> = {}, party = app) => {
  const tokens = await getTokens(service, party, ada.bearer, { scope, ...overrides })
  return { id: decodeJwt(tokens.id_token), access: decodeJwt(tokens.access_token), ...tokens }
}
const introspect = async (token: string, party = app): Promise<Readonly<Record<string, unknown>>> => {
  const body = new URLSearchParams({ ...proveClient(party), token })
  return (await (await fetch(`${service.url}/oauth2/introspect`, { method: 'POST', body })).json()) as Record<
    string,
    unknown
  >
}

describe('a name', () => {
  it.each([
    ...[
      'sub',
      'email',
      'preferred_username',
      'name',
      'updated_at',
      'email_verified',
      'phone_number_verified',
    ],
    ...['iss', 'aud', 'exp', 'iat', 'jti', 'nonce', 'acr', 'amr', 'auth_time', 'sid', 'at_hash', 'azp'],
    ...['scope', 'act', 'cnf', 'client_id', 'permissions', 'groups', 'org_id', 'org_permissions', 'org_x'],
    ...['latchkey', 'latchkey_admin', 'active', 'username', 'user_id', 'attributes', 'access_link'],
    ...['Sub', 'AUD', 'Permissions', 'ORG_ID', 'Latchkey', 'x_VERIFIED'],
    ...['constructor', 'hasOwnProperty', 'toString', 'valueOf', '__proto__', '', 'a b', 'x'.repeat(101)],
  ])('that is not one of a product is refused: %j', async (name) => {
    for (const place of ['top', 'attributes']) expect(await refuse({ name, place })).toContain('name')
  })

  it('of OpenID Connect is written as there, and has its type', async () => {
    expect(await refuse({ name: 'Given_Name' })).toEqual(['name'])
    for (const name of ['given_name', 'phone_number', 'address', 'locale', 'website'])
      for (const value of ['level', 'skills', 'born'])
        expect(await refuse({ name, value })).toEqual(['value'])
    expect(await refuse({ name: 'birthdate' })).toEqual(['value'])
    expect(await refuse({ name: 'birthdate', source: 'text', value: 'today' })).toEqual(['value'])
    expect(await refuse({ name: 'zoneinfo', source: 'organization', value: 'member_limit' })).toEqual([
      'value',
    ])
    await save(claim({ name: 'birthdate', value: 'born' }), claim({ name: 'given_name', value: 'nickname' }))
  })

  it('is that of one claim for each client and place', async () => {
    await save(
      claim(),
      claim({ source: 'text', value: 'x', clients: [stranger.client.clientId] }),
      claim({ source: 'text', value: 'x', outputs: ['userinfo'] }),
      claim({ source: 'text', value: 'x', place: 'attributes' }),
    )
    expect(await refuse({ source: 'text', value: 'x' }, claim())).toEqual(['name'])
    expect(await refuse({ name: 'DEPARTMENT' }, claim())).toEqual(['name'])
  })

  it('is not that of an attribute that all clients with the scope get, from both sides', async () => {
    const shared = [{ ...department, claim: 'unit' }, nickname, topics, skills, level, born]
    const inside = claim({ name: 'Unit', place: 'attributes' })
    const made = await put([inside], shared)
    expect(made.body.errors).toMatchObject([{ field: 'claims.0.name' }])
    await save(inside)
    const later = await put(undefined, shared)
    expect(later.body.errors).toMatchObject([{ field: 'attributes.0.claim' }])
  })
})

describe('what a claim names', () => {
  it('exists, and is said once', async () => {
    expect(await refuse({ clients: ['2-000000000000000000000000'] })).toEqual(['clients.0'])
    expect(await refuse({ clients: [app.client.clientId, app.client.clientId] })).toEqual(['clients'])
    expect(await refuse({ clients: [] })).toEqual(['clients'])
    expect(await refuse({ clients: ['*'] })).toEqual(['clients.0'])
    expect(await refuse({ ...forApi, apis: ['https://unknown.example.com'] })).toEqual(['apis.0'])
    expect(await refuse({ ...forApi, apis: [] })).toEqual(['apis'])
    expect(await refuse({ apis: [films] })).toEqual(['apis'])
    expect(await refuse({ outputs: [] })).toEqual(['outputs'])
    expect(await refuse({ outputs: ['token'] })).toEqual(['outputs.0'])
    expect(await refuse({ value: 'constructor' })).toEqual(['value'])
    for (const value of ['note', 'state', 'createdBy', '__proto__', 'branding'])
      expect(await refuse({ source: 'organization', value })).toEqual(['value'])
  })

  it('is no client that describes itself', async () => {
    const clientId = `https://agent.example.com/${randomUUID()}`
    await addRelyingParty(service, { clientId, document: { readAt: Date.now(), policyVersion: 1 } })
    expect(await refuse({ clients: [clientId] })).toEqual(['clients.0'])
  })

  it('is at most 40 clients', async () => {
    const many = Array.from({ length: 41 }, (_, at) => `app-${at}`)
    const claims = many.map((one, at) => claim({ name: `c${at}`, clients: [one] }))
    expect((await put(claims)).status).toBe(400)
    const two = [many.slice(0, 21), many.slice(20)].map((clients, at) => claim({ name: `c${at}`, clients }))
    expect((await put(two)).body.errors).toContainEqual(expect.objectContaining({ field: 'claims' }))
  })

  it('gets nothing any more after it was deleted, also as another one with the same name', async () => {
    const audience = `https://gone.example.com/${randomUUID()}`
    const api = await ensureApi(table, audience)
    const party = await addRelyingParty(service, { scopes, audiences: [audience] })
    await set({ department: 'Sales' })
    const { clientId } = party.client
    await save(claim({ ...forApi, clients: [clientId], apis: [audience] }))
    expect((await readTokens({ resource: audience }, party)).access['department']).toBe('Sales')
    await call('DELETE', `protected-apis/${api.id}`)
    const again = await ensureApi(table, audience)
    const apis = [{ audience, scopes: [] }]
    await call('PATCH', `oidc-clients/${party.client.id}`, { apis })
    expect(again.id).not.toBe(api.id)
    expect((await readTokens({ resource: audience }, party)).access).not.toHaveProperty('department')
    expect((await put(undefined)).status).toBe(200)
  })
})

describe('an attribute that users write', () => {
  it.each(['access_token', 'introspection'])('never gets into %s, whichever comes first', async (output) => {
    const told = { outputs: ['id_token', output], apis: [films] }
    expect(await refuse({ ...told, value: 'nickname' })).toEqual(['outputs'])
    const answer = await put([claim({ ...told, value: 'nickname' })])
    expect(answer.body.errors[0].message).toContain('users can write nickname')
    await save(claim(told))
    const writable = [{ ...department, user_access: 'write' }, nickname, topics, skills, level, born]
    for (const claims of [undefined, [claim(told)]]) {
      const later = await put(claims, writable)
      expect(later.status).toBe(400)
      expect(later.body.errors[0].message).toContain('APIs would trust it')
    }
    expect((await put([], writable)).status).toBe(200)
    await save()
  })

  it('does not while both are decided at the same moment', async () => {
    const writable = [{ ...department, user_access: 'write' }, nickname, topics, skills, level, born]
    for (let round = 0; round < 8; round++) {
      await save()
      const answers = await Promise.all([put([claim(forApi)]), put(undefined, writable)])
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
      const { body } = await call('GET', path)
      const isWritable = body.attributes[0].user_access === 'write'
      expect([isWritable, body.claims.length]).not.toEqual([true, 1])
      expect((await put([])).status).toBe(200)
    }
  })

  it('cannot be removed while a claim states it, and no value outlives it', async () => {
    await set({ department: 'Sales' })
    await save(claim())
    const rest = [nickname, topics, skills, level, born]
    expect((await put(undefined, rest)).body.errors).toMatchObject([{ field: 'attributes' }])
    expect((await put([claim()], rest)).body.errors).toMatchObject([{ field: 'claims.0.value' }])
    expect((await readTokens()).id['department']).toBe('Sales')
    expect((await put([], rest)).status).toBe(200)
    await save(claim())
    expect((await readTokens()).id).not.toHaveProperty('department')
  })
})

describe('values', () => {
  it('have at most 2 KB together, and a user displaces none but their own', async () => {
    await set({ department: 'D'.repeat(255), skills: Array.from({ length: 5 }, () => 's'.repeat(255)) })
    await save(
      claim({ name: 'topics', value: 'topics' }),
      claim({ name: 'nick', value: 'nickname', place: 'attributes' }),
      claim({ name: 'skills', value: 'skills' }),
      claim(),
      claim({ name: 'fixed', source: 'text', value: 'é'.repeat(100) }),
    )
    const own = [
      { name: 'topics', value: Array.from({ length: 8 }, () => 't'.repeat(250)) },
      { name: 'nickname', value: 'n'.repeat(255) },
    ]
    const changed = await service.client('PATCH', '/api/2/users/me/attributes', {
      bearer: ada.bearer,
      body: { attributes: own },
    })
    expect(changed.status, changed.text).toBe(200)
    const { id } = await readTokens()
    expect(id['fixed']).toBe('é'.repeat(100))
    expect(id['department']).toBe('D'.repeat(255))
    expect(id['skills']).toHaveLength(5)
    expect(id).not.toHaveProperty('topics')
    const { fixed, department: unit, skills: known, attributes: nested } = id
    const added = JSON.stringify({ fixed, department: unit, skills: known, attributes: nested })
    expect(Buffer.byteLength(added)).toBeLessThanOrEqual(addedClaimsBytes)
    expect(service.log.join('')).toContain('oidc.claims_left_out')
    expect(service.log.join('')).not.toContain('t'.repeat(250))
  })

  it('of texts that never fit are refused', async () => {
    const texts = Array.from({ length: 9 }, (_, at) =>
      claim({ name: `text${at}`, source: 'text', value: 'x'.repeat(240) }),
    )
    expect((await put(texts)).body.errors).toMatchObject([{ field: 'claims' }])
    expect(await refuse({ source: 'text', value: 'x'.repeat(256) })).toEqual(['value'])
    expect(await refuse({ source: 'text', value: 'a\u202eb' })).toEqual(['value'])
  })

  it('of OpenID Connect have its types, or are missing', async () => {
    const of = (name: string, value = 'nickname') => claim({ name, value })
    await save(
      ...['given_name', 'picture', 'locale', 'phone_number', 'address'].map((name) => of(name)),
      of('birthdate', 'born'),
    )
    const read = async (value: string) => {
      await set({ nickname: value, born: '1815-12-10' })
      const { given_name, picture, locale, phone_number, address, birthdate } = (await readTokens()).id
      return { given_name, picture, locale, phone_number, address, birthdate }
    }
    const rest = { phone_number: expect.any(String), birthdate: '1815-12-10', locale: undefined }
    const text = 'javascript:alert(1)'
    const formatted = { address: { formatted: text } }
    expect(await read(text)).toEqual({ ...rest, ...formatted, given_name: text, picture: undefined })
    expect(await read('https://a.example/x.png')).toMatchObject({ picture: 'https://a.example/x.png' })
    expect(await read('nb-NO')).toMatchObject({ locale: 'nb-NO', picture: undefined })
    const { id } = await readTokens({ scope: 'openid profile attributes' })
    expect([id['phone_number'], id['address'], id['given_name']]).toEqual([undefined, undefined, 'nb-NO'])
  })

  it('of an organization are those of the token alone', async () => {
    const external = () => `crm-${randomUUID()}`
    const [one, two] = [
      await addOrganization(service, admin, { external_id: external(), member_limit: 7 }),
      await addOrganization(service, admin, { external_id: external() }),
    ]
    ada = await addMember(service, admin, one.id, ['member'])
    await save(
      claim({ name: 'crm', source: 'organization', value: 'external_id', ...forApi }),
      claim({ name: 'seats', source: 'organization', value: 'member_limit' }),
    )
    const { body } = await call('GET', `organizations/${one.id}`)
    const ask = { scope: `${scope} organization`, resource: films }
    const own = await readTokens({ ...ask, organization_id: String(one.id) })
    expect([own.access['crm'], own.id['seats'], (await introspect(own.access_token))['crm']]).toEqual([
      body.external_id,
      7,
      body.external_id,
    ])
    const none = await readTokens({ resource: films })
    expect([none.access['crm'], none.id['seats']]).toEqual([undefined, undefined])
    await expect(readTokens({ ...ask, organization_id: String(two.id) })).rejects.toThrow()
  })
})

it('a client that is not named reads nothing, in no place', async () => {
  await set({ department: 'Sales' })
  await save(claim({ outputs: ['id_token', 'userinfo', ...forApi.outputs], apis: [films] }))
  const own = await readTokens({ resource: films })
  expect([own.id['department'], own.access['department']]).toEqual(['Sales', 'Sales'])
  expect((await introspect(own.access_token))['department']).toBe('Sales')
  // It serves the same API, so it may ask about the token.
  expect(await introspect(own.access_token, stranger)).toMatchObject({ active: true })
  expect(await introspect(own.access_token, stranger)).not.toHaveProperty('department')
  const other = await readTokens({ resource: films }, stranger)
  expect(JSON.stringify([other.id, other.access])).not.toContain('Sales')
  const { access_token } = await readTokens({}, stranger)
  const userinfo = await service.client('GET', '/oauth2/userinfo', { bearer: access_token })
  expect(userinfo.text).not.toContain('Sales')
})

it('a token for no API states no added claim', async () => {
  await set({ department: 'Sales' })
  await save(claim(forApi))
  const { access, access_token } = await readTokens()
  expect(access).not.toHaveProperty('department')
  expect(await introspect(access_token)).not.toHaveProperty('department')
})

it('only administrators with a fresh proof change claims, and the event says what changed', async () => {
  const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
  const body = { attributes, claims: [claim()] }
  expect((await callAs(service, manager)('PUT', path, body)).status).toBe(403)
  await save(claim())
  const { body: events } = await call('GET', 'auth/audit-events?event=user_attributes.changed&limit=1')
  expect(events[0]).toMatchObject({ target: 'claims.department', changes: [expect.anything()] })
})

it('no request reads the table more often for claims', async () => {
  const count = async () => {
    const issued = await getCode(service, app, ada.bearer, { scope: 'openid profile', resource: films })
    const start = service.log.length
    const { body } = await exchangeCode(service, app, issued)
    await introspect(body.access_token)
    const { access_token } = await readTokens({ scope: 'openid profile' })
    await service.client('GET', '/oauth2/userinfo', { bearer: access_token })
    return costsSince(service, start)
  }
  await count()
  const before = await count()
  const outputs = ['id_token', 'userinfo', 'access_token', 'introspection']
  await save(
    claim({ name: 'given_name', outputs, apis: [films] }),
    claim({ name: 'x', outputs, apis: [films] }),
  )
  expect(await count()).toEqual(before)
})
