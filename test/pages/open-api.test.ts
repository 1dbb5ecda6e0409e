import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { findOperationText, operations } from '../../lib/features/operations.ts'
import type { JsonValue } from '../support/client.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const { status, body } = await service.client('GET', '/api/2/openapi.json')
expect(status).toBe(200)
const document: JsonValue = body

/** Every object in the document with its path. */
function* objectsIn(value: JsonValue, path = ''): Generator<[string, Record<string, JsonValue>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value]
  for (const [name, part] of Object.entries(value)) yield* objectsIn(part as JsonValue, `${path}/${name}`)
}
const at = (pointer: string): JsonValue =>
  pointer
    .slice(2)
    .split('/')
    .reduce((value, name) => value?.[name], document)

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('is compressed, and is not sent again to a client that has it', async () => {
    const path = '/api/2/openapi.json'
    const compressed = await service.client('GET', path, { headers: { 'accept-encoding': 'gzip' } })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(compressed.headers.get('cache-control')).toBe('public, max-age=300')
    expect(compressed.body).toEqual(document)
    const plain = await service.client('GET', path, { headers: { 'accept-encoding': 'gzip;q=0, identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.body).toEqual(document)
    const etag = plain.headers.get('etag') ?? ''
    expect(compressed.headers.get('etag')).toBe(etag)
    for (const tags of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const answer = await service.client('GET', path, { headers: { 'if-none-match': tags } })
      expect(answer.status).toBe(304)
      expect(answer.text).toBe('')
      expect(answer.headers.get('etag')).toBe(etag)
    }
    const changed = await service.client('GET', path, { headers: { 'if-none-match': '"other"' } })
    expect(changed.status).toBe(200)
    const page = await service.client('GET', '/', { headers: { 'accept-encoding': 'gzip' } })
    expect(page.headers.get('content-encoding')).toBeNull()
  })

  it('leaves nothing without a description', () => {
    const undescribed = [...objectsIn(document.components.schemas)].flatMap(([path, { properties = {} }]) =>
      Object.entries(properties as Record<string, JsonValue>).flatMap(([name, schema]) =>
        schema.description === undefined ? [`${path}/${name}`] : [],
      ),
    )
    expect(undescribed).toEqual([])
    const schemas = Object.entries(document.components.schemas as Record<string, JsonValue>)
    expect(schemas.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([])
    for (const { id } of operations) expect(findOperationText(id), id).toBeDefined()
  })

  it('describes every operation and nothing else', () => {
    const shown = Object.entries(document.paths).flatMap(([path, here]) =>
      Object.entries(here as Record<string, JsonValue>).map(
        ([method, op]) => `${op.operationId} ${method.toUpperCase()} ${path}`,
      ),
    )
    expect(shown.sort()).toEqual(operations.map(({ id, method, path }) => `${id} ${method} ${path}`).sort())
  })

  it('has no dangling references', () => {
    const refs = [...objectsIn(document)].flatMap(([, { $ref }]) => ($ref === undefined ? [] : [$ref]))
    expect(refs.length).toBeGreaterThan(operations.length)
    for (const ref of new Set(refs)) expect(at(ref), ref).toBeTypeOf('object')
  })

  it('names every model, and the type of every field', () => {
    const bodies = [...objectsIn(document.paths)].filter(([path]) => path.endsWith('json/schema'))
    const isNamed = (schema: JsonValue): boolean =>
      (schema.anyOf ?? schema.oneOf)?.every(isNamed) ?? '$ref' in (schema.items ?? schema)
    // The documents of SCIM itself describe what directories send.
    const unnamed = bodies.filter(([path, schema]) => !path.startsWith('//scim/v2/') && !isNamed(schema))
    expect(unnamed.map(([path]) => path)).toEqual([
      '//api/2/openapi.json/get/responses/200/content/application/json/schema',
    ])
    const untyped = [...objectsIn(document.components.schemas)].flatMap(([path, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, schema]) =>
        ['type', '$ref', 'oneOf'].some((key) => key in (schema as object)) ? [] : [`${path}/${name}`],
      ),
    )
    // Any JSON value: these fields belong to the host product.
    expect([...new Set(untyped.map((path) => path.split('/').at(-1)))].sort()).toEqual([
      'group',
      'ldap',
      'user',
    ])
  })

  it('documents who may call each operation', () => {
    const { paths } = document
    expect(paths['/api/2/auth/reset-password/request'].post.security).toEqual([{}, { bearer: [] }])
    expect(paths['/api/2/auth/login'].post.security).toEqual([{}, { bearer: [] }])
    expect(paths['/api/2/auth/login'].post.parameters).toEqual([
      { $ref: '#/components/parameters/ClientAddress' },
    ])
    expect(document.components.parameters.ClientAddress).toMatchObject({
      name: 'Latchkey-Client-Address',
      in: 'header',
    })
    expect(paths['/api/2/system/password-policy'].get.security).toEqual([])
    expect(paths['/api/2/system/password-policy'].get.parameters).toEqual([])
    expect(paths['/api/2/auth/logout'].post.security).toEqual([{}, { bearer: [] }, { cookie: [] }])
    expect(paths['/api/2/users'].get.security).toEqual([{ bearer: [] }, { cookie: [] }])
    expect(paths['/api/2/users'].get.description).toContain(
      'Requires the permission `users:view`. API tokens with scopes need `users:view`.',
    )
    expect(paths['/api/2/api-tokens'].post.description).toContain('API tokens are not accepted.')
    expect(document.components.securitySchemes.cookie.name).toBe('latchkey')
  })

  it('describes a model with its fields, and shows one', () => {
    expect(document.components.schemas.Ticket).toMatchObject({
      description: expect.stringContaining('one-time ticket'),
      properties: { ticket: { description: expect.stringContaining('value of the ticket') } },
      examples: [{ ticket: expect.stringMatching(/^lkt_/) }],
    })
  })

  it('lists the codes and reasons of every status that an operation can answer with', () => {
    const { responses } = document.paths['/api/2/auth/login'].post
    expect(Object.keys(responses)).toEqual([
      ...['200', '400', '401', '403', '406', '409', '413', '415', '429', '500', '503'],
    ])
    const { schema, examples } = responses['403'].content['application/problem+json']
    expect(schema.discriminator.mapping).toEqual({
      permission_denied: '#/components/schemas/ScopePermissionDeniedProblem',
      login_incomplete: '#/components/schemas/LoginLoginIncompleteProblem',
    })
    const incomplete = document.components.schemas.LoginLoginIncompleteProblem
    expect(incomplete.properties).toMatchObject({
      status: { const: 403 },
      code: { enum: ['login_incomplete'] },
      reason: { enum: expect.arrayContaining(['otp_required', 'password_change_required']) },
    })
    expect(incomplete.required).toContain('reason')
    expect(examples['login_incomplete-otp_required'].value).toMatchObject({
      code: 'login_incomplete',
      reason: 'otp_required',
    })
    expect(responses['429']).toEqual({ $ref: '#/components/responses/TooManyRequests' })
    expect(document.components.responses.TooManyRequests.headers).toHaveProperty('Retry-After')
    // A sign-in has a reason of its own.
    expect(responses['503']).toEqual({ $ref: '#/components/responses/LoginTemporarilyUnavailable' })
    // Only a change can have an outcome that is unknown.
    const readUnavailable = (answered: Record<string, unknown>, name: string) => {
      expect(answered['503']).toEqual({ $ref: `#/components/responses/${name}` })
      const { headers, content } = document.components.responses[name]
      expect(headers).toHaveProperty('Retry-After')
      return Object.keys(content['application/problem+json'].examples)
    }
    const unknown = 'temporarily_unavailable-outcome_unknown'
    const { post: change } = document.paths['/api/2/auth/ticket']
    expect(readUnavailable(change.responses, 'ChangeTemporarilyUnavailable')).toContain(unknown)
    const { get: read } = document.paths['/api/2/users']
    expect(readUnavailable(read.responses, 'TemporarilyUnavailable')).not.toContain(unknown)
    expect(Object.keys(document.paths['/api/2/health'].get.responses['503'].content)).toEqual([
      'application/json',
      'application/problem+json',
    ])
    expect(document.components.responses.NotAuthenticated.headers).toHaveProperty('WWW-Authenticate')
    expect(document.paths['/api/2/users'].get.responses).not.toHaveProperty('default')
  })

  it('documents query parameters, and marks bodies that may be sent back as they are returned', () => {
    const { parameters } = document.paths['/api/2/auth/access-tokens'].get
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'shared_bundles__asset',
        in: 'query',
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
      }),
    )
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/Limit' })
    expect(document.components.parameters.Limit).toMatchObject({
      name: 'limit',
      in: 'query',
      description: expect.stringMatching(/\.$/),
      schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
    })
    const logout = document.paths['/api/2/auth/saml/{id}/sls/return'].get
    expect(logout.parameters.map(({ name }: JsonValue) => name)).toContain('SAMLRequest')
    expect(
      document.paths['/api/2/auth/saml/{id}'].put.requestBody.content['application/json'].schema,
    ).toEqual({
      $ref: '#/components/schemas/SAMLProviderUpdate',
    })
    expect(document.components.schemas.AccessTokenPermissions.required).toBeUndefined()
    // A strict response model would make generated clients reject responses with new fields.
    const strict = [...objectsIn(document.components.schemas)].filter(
      ([, schema]) => schema['additionalProperties'] === false,
    )
    const names = strict.map(([path]) => path.slice(1))
    expect(names).toContain('AuthLoginEndpointRequest')
    for (const name of ['ServiceUserDetail', 'SAMLProviderUpdate', 'Session'])
      expect(names).not.toContain(name)
  })
})
