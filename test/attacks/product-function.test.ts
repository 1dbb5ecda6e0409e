import { beforeEach, describe, expect, it } from 'vitest'
import { unique } from '../configuration/support.ts'
import type { JsonValue } from '../support/client.ts'
import { applyByFunction, sendConfig } from '../support/config-function.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Those who deploy one product attack the service and the other products through the function of products. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const texts = { en: 'Films' }

let own = ''
let other = ''
beforeEach(() => {
  own = unique('films')
  other = unique('books')
})
const audienceOf = (key: string) => `https://${key}.example.com/api`
const apiOf = (key: string, more: object = {}) => ({
  ...{ name: key, audience: audienceOf(key), permissions: [{ name: 'films:view', texts }] },
  scopes: [{ name: 'films.read', texts, permissions: ['films:view'] }],
  ...more,
})
const clientOf = (key: string, more: object = {}) => ({
  ...{ name: key, redirect_uris: [`https://${key}.example.com/callback`] },
  ...{ apis: [{ audience: audienceOf(key), scopes: ['films.read'] }], machine_permissions: ['films:view'] },
  ...more,
})
const productOf = (key: string, api: object = {}, client: object = {}) => ({
  ...{ schema_version: 1, owner: key },
  ...{ apis: { [key]: apiOf(key, api) }, clients: { [key]: clientOf(key, client) } },
})
interface ProductDocument {
  readonly owner: string
  readonly [field: string]: unknown
}

/** Applies a document as the product that it names as its owner. */
const apply = (document: ProductDocument, more: object = {}, product = document.owner) =>
  applyByFunction(service, document, more, { product })
const problemsOf = ({ body }: { readonly body: JsonValue }): readonly string[] =>
  (body.errors ?? []).map(({ field }: JsonValue) => field)
const read = async (key: string) => ({
  api: (await call('GET', `protected-apis?filter=${key}`)).body,
  client: (await call('GET', `oidc-clients?filter=${key}`)).body,
})

describe('a product', () => {
  it('changes nothing of another one: neither its client, nor its API, nor by their names and audiences', async () => {
    expect((await apply(productOf(other))).status).toBe(200)
    const before = await read(other)
    for (const document of [
      {
        schema_version: 1,
        owner: own,
        clients: { [other]: clientOf(own, { apis: [], machine_permissions: null }) },
      },
      { schema_version: 1, owner: own, apis: { [other]: apiOf(own) } },
      { schema_version: 1, owner: own, apis: { [own]: apiOf(own, { name: other }) } },
      { schema_version: 1, owner: own, apis: { [own]: apiOf(own, { audience: audienceOf(other) }) } },
      productOf(
        own,
        { audience: audienceOf(other) },
        { apis: [{ audience: audienceOf(other), scopes: ['films.read'] }] },
      ),
    ]) {
      expect((await apply(document)).status, JSON.stringify(document)).toBe(400)
      expect((await apply(document, { prune: true })).status).toBe(400)
    }
    expect(await read(other)).toEqual(before)
    expect(await read(own)).toEqual({ api: [], client: [] })
  })

  it('does not get the key or the tokens of what another one deleted', async () => {
    expect((await apply(productOf(other))).status).toBe(200)
    expect((await apply({ schema_version: 1, owner: other }, { prune: true })).status).toBe(200)
    expect(await read(other)).toEqual({ api: [], client: [] })
    for (const list of ['apis', 'clients']) {
      const entry = list === 'apis' ? apiOf(own) : clientOf(own, { apis: [], machine_permissions: null })
      const answer = await apply({ schema_version: 1, owner: own, [list]: { [other]: entry } })
      expect([answer.status, problemsOf(answer)]).toEqual([400, [`${list}.${other}`]])
    }
  })

  it('gets no client of another one by the audience that its API had', async () => {
    const apiFile = { schema_version: 1, owner: other, apis: { [other]: apiOf(other) } }
    const clients = { [`${other}-web`]: clientOf(other, { type: 'confidential' }) }
    const [clientFile] = [{ ...apiFile, clients }]
    expect((await apply(clientFile)).status).toBe(200)
    // Somebody deletes the API, and the client remains.
    expect((await apply({ schema_version: 1, owner: other, clients: {} }, { prune: false })).status).toBe(200)
    const { id } = (await read(other)).api[0]
    await call('POST', `system/managed/api/${other}/unlock`)
    expect((await call('DELETE', `protected-apis/${id}`)).status).toBe(204)
    const taken = await apply({
      schema_version: 1,
      owner: own,
      apis: { [own]: apiOf(own, { audience: audienceOf(other) }) },
    })
    const token = await askToken(`${other}-web`, await renew(`${other}-web`), audienceOf(other))
    expect([taken.status, token]).toEqual([expect.any(Number), 400])
  })

  it('gets no tokens for the API of another one, whose audience was its own', async () => {
    const { apis, ...clientsAlone } = productOf(own)
    expect((await apply({ ...clientsAlone, apis })).status).toBe(200)
    const { id } = (await read(own)).api[0]
    await call('POST', `system/managed/api/${own}/unlock`)
    expect((await call('DELETE', `protected-apis/${id}`)).status).toBe(204)
    // The audience goes to another product.
    expect(
      (
        await apply({
          schema_version: 1,
          owner: other,
          apis: { [other]: apiOf(other, { audience: audienceOf(own) }) },
        })
      ).status,
    ).toBe(200)
    const secret = await renew(own)
    expect(await askToken(own, secret, audienceOf(own))).toBe(400)
    const answer = await apply({
      ...clientsAlone,
      clients: { [own]: clientOf(own, { access_token_lifetime: 900 }) },
    })
    const both = await apply(productOf(own, {}, { access_token_lifetime: 900 }))
    expect([answer.status, both.status]).toEqual([400, 400])
    expect(await askToken(own, secret, audienceOf(own))).toBe(400)
  })

  const renew = async (clientId: string): Promise<string> => {
    const [{ id }] = (await call('GET', `oidc-clients?filter=${clientId.slice(0, 14)}`)).body.filter(
      ({ client_id }: JsonValue) => client_id === clientId,
    )
    return (await call('POST', `oidc-clients/${id}/secret`)).body.client_secret
  }
  const askToken = async (id: string, secret: string, resource: string): Promise<number> => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      resource,
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await service.client('POST', '/oauth2/token', { raw: String(form), headers })).status
  }

  it('has tokens of its own machines at all', async () => {
    expect((await apply(productOf(own))).status).toBe(200)
    expect(await askToken(own, await renew(own), audienceOf(own))).toBe(200)
  })

  it.each([
    ['the service', ''],
    ['the service with a slash', '/'],
    ['userinfo', '/oauth2/userinfo'],
  ])('has no API with the audience of %s', async (_, rest) => {
    const audience = `${service.services.config.publicUrl}${rest}`
    const answer = await apply(productOf(own, { audience }, { apis: [{ audience, scopes: ['films.read'] }] }))
    expect([answer.status, await read(own)]).toEqual([400, { api: [], client: [] }])
  })

  it.each([
    'users:view',
    'USERS:view',
    'Users:view',
    'uſers:view',
    'users :view',
    ' users:view',
    'users:view ',
    'users\u200b:view',
    'ｕsers:view',
    'users：view',
    'usеrs:view',
    'users:view\n',
    'users:manage:all',
    'system:admin-access',
    'SYSTEM:ADMIN-ACCESS',
    'system:admin-access:x',
    'syſtem:admin-access',
    'media:access',
    'client-address:set',
    'media:access\u0000',
  ])('has no permission %j, by no field', async (name) => {
    for (const document of [
      productOf(own, { permissions: [{ name, texts }], scopes: [] }, { apis: [], machine_permissions: null }),
      productOf(own, {
        permissions: [{ name: 'films:view', texts }],
        scopes: [{ name: 'films.read', texts, permissions: [name] }],
      }),
      productOf(own, {}, { permissions: [name] }),
      productOf(own, {}, { machine_permissions: [name] }),
    ]) {
      expect((await apply(document)).status, JSON.stringify(document)).toBe(400)
      expect(await read(own)).toEqual({ api: [], client: [] })
    }
  })

  it.each([
    'openid',
    'groups',
    'permissions',
    'offline_access',
    'profile:view',
    'profile:manage',
    'api-tokens:manage',
    'links:manage',
    'sessions:manage',
    'tickets:create',
    'users:view',
    'media:access',
  ])('has no scope of the service in its API: %s', async (name) => {
    const scopes = [{ name, texts, permissions: [] }]
    const answer = await apply(productOf(own, { scopes }, { apis: [], machine_permissions: null }))
    expect([answer.status, problemsOf(answer)]).toEqual([400, [`apis.${own}.scopes.0.name`]])
  })

  it('is refused by built-in names, seeds and repeated lists, without an error of the function', async () => {
    const raw = [
      `{"schema_version":1,"owner":"${own}","clients":{"__proto__":{"name":"a","redirect_uris":[]}}}`,
      `{"schema_version":1,"owner":"${own}","apis":{"constructor":{"name":"a","audience":"b","__proto__":{"permissions":["users:manage"]}}}}`,
      `{"schema_version":1,"owner":"${own}","__proto__":{"groups":{"a":{"name":"a","permissions":["system:admin-access"]}}}}`,
      `{"schema_version":1,"owner":"__proto__"}`,
      `{"schema_version":1,"owner":"product/${other}"}`,
      `{"schema_version":1,"owner":["${own}"]}`,
      `{"schema_version":1,"owner":"${own}","seed":{"users":{"eve":{"permissions":["system:admin-access"],"password":"violin harbor mustard"}}}}`,
      `{"schema_version":1,"owner":"${own}","seed":{}}`,
      `{"schema_version":1,"owner":"${own}","service_accounts":{}}`,
    ]
    for (const document of raw) {
      const answer = await sendConfig(service, '/plan', {}, { product: own, raw: `{"document":${document}}` })
      expect(answer.status, document).toBe(400)
    }
  })
})
