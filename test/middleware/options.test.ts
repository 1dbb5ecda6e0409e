import { describe, expect, it } from 'vitest'
import { createClient } from '../../lib/client/create-client.ts'
import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import { createMiddleware } from '../../lib/middleware/identify-user.ts'
import { createResourceMetadata } from '../../lib/middleware/resource-metadata.ts'
import { listNearMisses, listOptionNames, listOptionTypes, withField } from '../support/option-names.ts'

/* An option that is misspelt or undefined does not mean what its author wanted. A route without its requirement is open. */

const baseUrl = 'https://auth.example.com'
const audience = 'https://films.example.com'
const introspection = { clientId: 'films', clientSecret: 'a secret' }
const client = createClient({ baseUrl, fetch: async () => Response.json({}) })
const middlewares = {
  createMiddleware: createMiddleware({ baseUrl }),
  createJwtMiddleware: createJwtMiddleware({ baseUrl, audience }),
}
const request = { method: 'GET', getHeader: () => undefined }

interface Row {
  readonly type: string
  readonly valid: object
  /** The options that cannot be left out. */
  readonly required?: readonly string[]
  readonly use: (options: never) => unknown
}

const requirementRows: readonly Row[] = Object.values(middlewares).flatMap((latchkey) =>
  [
    latchkey.hono,
    latchkey.express,
    latchkey.middy,
    (requirement: never) => latchkey.lambda(async () => '', requirement),
    (requirement: never) => latchkey.web(() => new Response(), requirement),
  ].map((use) => ({ type: 'Requirement', valid: { permission: 'films:edit' }, use })),
)

const rows: readonly Row[] = [
  ...requirementRows,
  { type: 'MiddlewareOptions', valid: { baseUrl }, required: ['baseUrl'], use: createMiddleware },
  {
    type: 'JwtMiddlewareOptions',
    valid: { baseUrl, audience },
    required: ['baseUrl', 'audience'],
    use: createJwtMiddleware,
  },
  {
    type: 'IntrospectionClient',
    valid: introspection,
    required: ['clientId', 'clientSecret'],
    use: (given: typeof introspection) => createJwtMiddleware({ baseUrl, audience, introspection: given }),
  },
  {
    type: 'ResourceMetadataOptions',
    valid: { baseUrl, resource: audience },
    required: ['baseUrl', 'resource'],
    use: createResourceMetadata,
  },
  { type: 'ClientOptions', valid: { baseUrl }, required: ['baseUrl'], use: createClient },
  {
    type: 'CallOptions',
    valid: {},
    use: (options: object) => client.users.iterateUsers({}, options),
  },
  {
    type: 'ProductCallOptions',
    valid: {},
    use: (options: object) => client.users.iterateUsers({}, options),
  },
]

it('the rows are all options of both packages', () => {
  const types = ['lib/client/index.ts', 'lib/middleware/index.ts'].flatMap(listOptionTypes)
  expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual(types.sort())
})

describe.each(rows)('$type', ({ type, valid, required = [], use }) => {
  const names = listOptionNames(type)
  const given = (name: string, value: unknown) => () => use(withField(valid, name, value) as never)

  it('is accepted', () => {
    expect(names.length).toBeGreaterThan(1)
    expect(() => use(valid as never)).not.toThrow()
  })

  it('is refused with a name that is misspelt, and says which one is meant', () => {
    // Calls also accept what only the operations of products have.
    const known = type === 'CallOptions' ? listOptionNames('ProductCallOptions') : names
    for (const name of listNearMisses(known)) {
      expect(given(name, 'films:edit'), name).toThrow(TypeError)
      expect(given(name, undefined), name).toThrow(`"${name}" is not a`)
    }
    for (const name of names) expect(given(`${name}s`, '')).toThrow(/Did you mean \w+\?/)
  })

  it('is refused with a value that is undefined, and may be left out where that is possible', () => {
    for (const name of names) {
      const advice = required.includes(name) ? 'Set it.' : 'Set it, or leave it out.'
      expect(given(name, undefined), name).toThrow(`${name} is undefined. ${advice}`)
    }
  })

  it.each([null, 'films:edit', ['films:edit'], new Map([['permission', 'films:edit']]), () => ({}), 7])(
    'is refused as %o, which is no object of options',
    (options) => {
      // Arguments that are left out can be null.
      if (type.endsWith('CallOptions') && options === null) return
      expect(() => use(options as never)).toThrow(TypeError)
    },
  )

  it('is refused if the values are inherited', () => {
    expect(() => use(Object.create(valid) as never)).toThrow(TypeError)
  })
})

describe.each(Object.entries(middlewares))('a route of %s', (_, latchkey) => {
  const methods: readonly (readonly [string, (requirement: never) => unknown])[] = [
    ['hono', latchkey.hono],
    ['express', latchkey.express],
    ['middy', latchkey.middy],
    ['lambda', (requirement) => latchkey.lambda(async () => '', requirement)],
    ['web', (requirement) => latchkey.web(() => new Response(), requirement)],
  ]

  it.each(methods)('is refused with %s if its requirement is a missing constant', (_name, use) => {
    expect(() => use(undefined as never)).toThrow(TypeError)
  })

  it.each([
    { permission: null },
    { permission: ['films:edit'] },
    { scope: 7 },
    { acr: {} },
    { maxAgeSeconds: '300' },
    { asksService: 'true' },
    { permission: '' },
    { scope: '' },
    { acr: '' },
  ])('is refused with %j', (requirement) => {
    for (const [, use] of methods) expect(() => use(requirement as never)).toThrow(/must (not )?be /)
  })

  it('is refused at its first request where a framework passes the requirement with it', async () => {
    for (const requirement of [undefined, { permissions: 'films:edit' }, { permission: undefined }])
      await expect(latchkey.identifyUser(request, requirement as never)).rejects.toThrow(TypeError)
    await expect(latchkey.identifyUser(request, {})).rejects.toMatchObject({ status: 401 })
  })
})

describe('a call of the client', () => {
  it('is refused without a credential that was meant to be there, instead of using that of the client', async () => {
    let sent = 0
    const admin = createClient({
      baseUrl,
      credential: 'lkp_administrator',
      fetch: async () => {
        sent++
        return Response.json({})
      },
    })
    const options = { credential: undefined } as object
    await expect(admin.users.getCurrentUser(undefined, options)).rejects.toThrow(TypeError)
    expect(sent).toBe(0)
  })

  it('is refused with a misspelt option before anything is sent', async () => {
    const options = { clientAdress: '203.0.113.7' } as object
    const login = client.sessions.login({ username: 'ada', password: 'a password' }, options)
    await expect(login).rejects.toThrow('Did you mean clientAddress?')
  })
})
