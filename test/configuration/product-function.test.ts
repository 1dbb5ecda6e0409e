import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfigArguments } from '../../cli/config/command.ts'
import { entries, thingLists } from '../../lib/features/configuration/document.models.ts'
import { settingsKinds, thingKinds } from '../../lib/kernel/contract/managed-kinds.ts'
import { permissions as builtIn } from '../../lib/kernel/contract/permissions.ts'
import { blocksOf } from '../docs/markdown.ts'
import { applyByFunction } from '../support/config-function.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Those who deploy a product are no administrators: the function for products gives nobody a right in the service. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const texts = { en: 'Films' }
const rights = [...Object.keys(builtIn), 'system:restart', 'users:delete']

const createProduct = () => {
  const key = `films-${randomUUID().slice(0, 8)}`
  const audience = `https://${key}.example.com/api`
  return {
    key,
    audience,
    api: {
      ...{ name: key, audience, permissions: [{ name: 'films:view', texts }] },
      scopes: [{ name: 'films.read', texts, permissions: ['films:view'] }],
    },
    client: {
      ...{ name: key, redirect_uris: [`https://${key}.example.com/callback`] },
      apis: [{ audience, scopes: ['films.read'] }],
      machine_permissions: ['films:view'],
    },
  }
}
type Product = ReturnType<typeof createProduct>

const applyProduct = ({ key, api, client }: Product, more: object = {}) =>
  applyByFunction(
    service,
    { schema_version: 1, owner: key, apis: { [key]: api }, clients: { [key]: client }, ...more },
    {},
    { product: key },
  )

const problemsOf = async (answer: ReturnType<typeof applyProduct>): Promise<readonly string[]> =>
  ((await answer).body.errors ?? []).map(({ field }: { readonly field: string }) => field)

/** What the service has of a product, as an administrator sees it. */
const readProduct = async ({ key }: Product) => {
  const [api] = (await call('GET', `protected-apis?filter=${key}`)).body
  const [client] = (await call('GET', `oidc-clients?filter=${key}`)).body
  return { api, client }
}

describe('a product', () => {
  it('gets no right of the service by any field of an API or a client', async () => {
    const group = (await call('POST', 'groups', { name: 'staff', permissions: ['system:admin-access'] })).body
    const field = fc.oneof(
      ...(['api', 'client'] as const).map((kind) =>
        fc.tuple(fc.constant(kind), fc.constantFrom(...Object.keys(entries[kind].def.shape))),
      ),
    )
    const value = fc
      .constantFrom(...rights)
      .chain((right) =>
        fc.constantFrom<unknown>(
          ...[right, [right], ['films:view', right], [{ name: right, texts }], { [right]: true }],
          [{ name: 'films.read', texts, permissions: [right] }],
          [{ name: right, texts, permissions: [] }],
          ...[[{ audience: right, scopes: [right] }], group.id, [group.id], [group.name], 'admin', true],
        ),
      )
    const before = await readOthers()
    // What is read below are the rights that a product has.
    const plain = createProduct()
    expect((await applyProduct(plain)).body.errors).toEqual([])
    expect((await readProduct(plain)).client.machine_permissions).toEqual(['films:view'])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, value), { minLength: 1, maxLength: 2 }), async (changes) => {
        const product = createProduct()
        for (const [[kind, name], given] of changes) Object.assign(product[kind], { [name]: given })
        expect([200, 400]).toContain((await applyProduct(product)).status)
        const { api, client } = await readProduct(product)
        const given = [
          ...(api?.permissions ?? []).map(({ name }: { readonly name: string }) => name),
          ...(api?.scopes ?? []).flatMap(
            (scope: { readonly name: string; readonly permissions: string[] }) => [
              scope.name,
              ...scope.permissions,
            ],
          ),
          ...(client?.permissions ?? []),
          ...(client?.machine_permissions ?? []),
          ...(client?.machine_groups ?? []),
        ]
        expect(given.filter((one) => one !== 'films:view' && one !== 'films.read')).toEqual([])
      }),
      { numRuns: 150 },
    )
    expect(await readOthers()).toEqual(before)
  })

  /** Everything that makes people administrators. */
  const readOthers = () =>
    Promise.all(
      [
        'groups',
        'user-templates',
        'users',
        'auth/saml',
        'auth/oidc-connections',
        'system/sign-in-policy',
      ].map(async (path) => (await call('GET', path)).body),
    )

  it.each<readonly [field: string, change: (product: Product) => object]>([
    [
      'apis.*.permissions.0.name',
      ({ api }) => Object.assign(api, { permissions: [{ name: 'users:manage', texts }], scopes: [] }),
    ],
    [
      'apis.*.scopes.0.name',
      ({ api }) => Object.assign(api, { scopes: [{ name: 'system:admin-access', texts, permissions: [] }] }),
    ],
    ['clients.*.permissions.0', ({ client }) => Object.assign(client, { permissions: ['users:view'] })],
    [
      'clients.*.machine_permissions.1',
      ({ client }) => Object.assign(client, { machine_permissions: ['films:view', 'users:manage'] }),
    ],
    ['clients.*.machine_groups', ({ client }) => Object.assign(client, { machine_groups: ['staff'] })],
    ['clients.*.adopt', ({ client }) => Object.assign(client, { adopt: true })],
    ['apis.*.adopt', ({ api }) => Object.assign(api, { adopt: true })],
  ])('is refused with the path %s', async (field, change) => {
    const product = createProduct()
    change(product)
    expect(await problemsOf(applyProduct(product))).toContain(field.replace('*', product.key))
    expect(await readProduct(product)).toEqual({ api: undefined, client: undefined })
  })

  it('has no other kinds of things', async () => {
    const others = [
      ...thingKinds.filter((kind) => kind !== 'api' && kind !== 'client').map((kind) => thingLists[kind]),
      ...settingsKinds,
    ]
    for (const name of others) {
      const value =
        name === 'sign_up_policy' ? { mode: 'open' } : name === 'user_attributes' ? { attributes: [] } : {}
      expect(await problemsOf(applyProduct(createProduct(), { [name]: value })), name).toContain(name)
    }
  })

  it('gets no tokens for the API of another product, and none for itself with its permissions', async () => {
    const other = createProduct()
    expect((await applyProduct(other)).body.errors).toEqual([])
    const product = createProduct()
    product.client.apis.push({ audience: other.audience, scopes: ['films.read'] })
    expect(await problemsOf(applyProduct(product))).toContain(`clients.${product.key}.apis.1.audience`)
  })

  it('may name an API that it has already', async () => {
    const product = createProduct()
    expect((await applyProduct(product)).body.errors).toEqual([])
    const clients = { [product.key]: { ...product.client, access_token_lifetime: 900 } }
    const { body } = await applyByFunction(
      service,
      { schema_version: 1, owner: product.key, clients },
      {},
      { product: product.key },
    )
    expect([body.errors, body.applied.length]).toEqual([[], 1])
  })

  it('takes over nothing that a person made', async () => {
    const product = createProduct()
    await call('POST', 'oidc-clients', { name: product.key, redirect_uris: ['https://a.example.com/'] })
    expect(await problemsOf(applyProduct(product))).toEqual([`clients.${product.key}`])
  })
})

describe('the page about Terraform and Pulumi', () => {
  const blocks = blocksOf('docs/terraform-and-pulumi.md')
  const ofLanguage = (name: string) => blocks.find(({ language }) => language === name)

  it('has a file that the function of products takes', async () => {
    const document = parse(ofLanguage('yaml')?.text ?? '')
    const { body } = await applyByFunction(service, document, {}, { product: 'films' })
    expect([body.errors, body.outputs.clients]).toEqual([[], { 'films-web': { client_id: 'films-web' } }])
  })

  it.each(['hcl', 'js'])('applies this file with a command that exists, in %s', (language) => {
    const { text = '' } = ofLanguage(language) ?? {}
    const [, words = ''] = /npm exec --no -- latchkey config ([^"']*)["']/.exec(text) ?? []
    expect(words).toContain(ofLanguage('yaml')?.options.get('file'))
    expect(() =>
      readConfigArguments(words.replace('$URL', 'https://a.example.com/').split(' ')),
    ).not.toThrow()
  })
})
