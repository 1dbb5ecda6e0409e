import type { Operation, Responses } from '../contract/operation.ts'
import { clientAddressHeader, clientAddressPermission } from '../contract/product.ts'
import type { Config } from '../core/config.ts'
import {
  buildNamedSchemas,
  buildParameters,
  buildSchema,
  getStrictName,
  type JsonSchema,
} from './open-api-schemas.ts'
import { problemKinds } from './problem.ts'
import { getSessionCookieName } from './session-cookie.ts'

/** Answers of the gateway are not declared, because every operation can have them. */
const gatewayNote =
  'API Gateway answers some requests before a function runs, with the status 400, 413, 429, 431, 500 or 503. Such a ' +
  'body is `{"message": "…"}` of the type `application/json` instead of a problem, and has no `X-Request-Id`.'

/** Builds the OpenAPI 3.1 document of the HTTP interface from the declarations that the service itself uses. */
export const buildOpenApi = (operations: readonly Operation[], config: Config) => ({
  openapi: '3.1.0',
  info: {
    title: 'Latchkey',
    version: '2',
    summary: 'Authentication and access tokens',
    description: gatewayNote,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: config.publicUrl }],
  tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
  paths: Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((op) => [op.method.toLowerCase(), describeOperation(op)])),
    ]),
  ),
  components: {
    schemas: { ...buildNamedSchemas(getStrictNames(operations)), Problem: problem },
    responses: {
      Problem: {
        description: 'An error (RFC 9457). Its `code` says which.',
        headers: { 'X-Request-Id': { schema: { type: 'string' } } },
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'A session, an API token or a reset token.' },
      cookie: { type: 'apiKey', in: 'cookie', name: getSessionCookieName(config) },
    },
  },
})

const getStrictNames = (operations: readonly Operation[]): ReadonlySet<string> =>
  new Set(operations.flatMap(({ body, bodyType }) => (body && !bodyType ? (getStrictName(body) ?? []) : [])))

const describeOperation = (op: Operation) => {
  const rules = describeRules(op)
  return {
    operationId: op.id,
    tags: [op.group],
    summary: op.summary,
    ...(rules.length > 0 ? { description: rules.join(' ') } : {}),
    security: describeSecurity(op),
    parameters: [
      ...describePathParameters(op.path),
      ...describeQueryParameters(op),
      ...describeHeaderParameters(op),
    ],
    ...(op.body ? { requestBody: describeBody(op, buildSchema(op.body)) } : {}),
    responses: { ...describeResponses(op), default: { $ref: '#/components/responses/Problem' } },
  }
}

/** Describes the rules of access that OpenAPI has no fields for. */
const describeRules = ({
  access,
  notWhileImpersonating,
  recentAuthentication,
}: Operation): readonly string[] => [
  ...(access.allow === 'permission' ? [`Requires the permission ${access.permission}.`] : []),
  ...(access.allow !== 'anyone' && !access.by.includes('api_token') ? ['API tokens are not accepted.'] : []),
  ...(access.allow !== 'anyone' && access.scope ? [`API tokens with scopes need ${access.scope}.`] : []),
  ...(access.allow !== 'anyone' && access.by.includes('reset_token') ? ['Reset tokens are accepted.'] : []),
  ...(notWhileImpersonating
    ? ['Not allowed while impersonating another user or in a session that an access link opened.']
    : []),
  ...(recentAuthentication
    ? ['Requires a recent authentication: see the operation `confirm_identity`.']
    : []),
]

const credentials = [{ bearer: [] }, { cookie: [] }]
const describeSecurity = ({ access, acceptsProduct }: Operation) => {
  if (access.allow !== 'anyone') return credentials
  if (acceptsProduct && access.credential === 'ignored') return [{}, { bearer: [] }]
  return access.credential === 'ignored' ? [] : [{}, ...credentials]
}

const describePathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: /^(\w+_)?id$/.test(name)
      ? { type: 'integer', minimum: 1, maximum: 2_147_483_647 }
      : { type: 'string' },
  }))

/** No parameter is required, which a test checks. Parameters that are declared only to be rejected are left out. */
const describeQueryParameters = ({ query }: Operation) =>
  Object.entries(query ? buildParameters(query) : {})
    .filter(([, schema]) => !('not' in schema))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      schema,
    }))

const describeHeaderParameters = ({ acceptsProduct }: Operation) =>
  acceptsProduct
    ? [
        {
          name: clientAddressHeader,
          in: 'header',
          description: `The address of the end user, named by the server of a product. Requires an API token with the scope ${clientAddressPermission}.`,
          schema: { type: 'string' },
        },
      ]
    : []

const describeBody = ({ bodyType = 'json', isBodyOptional }: Operation, schema: JsonSchema) => {
  const type = bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return { required: isBodyOptional !== true, content: { [type]: { schema } } }
}

const describeResponses = (op: Operation) =>
  Object.fromEntries(
    Object.entries(op.responses).map(([status, response]) => [
      status,
      { ...describeResponse(response), ...describeHeaders(op, status) },
    ]),
  )

const describeResponse = (response: Responses[number] | undefined) => {
  if (response === null || response === undefined) return { description: 'Success, without a body.' }
  if (typeof response === 'string')
    return { description: 'Success.', content: { [response]: { schema: { type: 'string' } } } }
  return { description: 'Success.', content: { 'application/json': { schema: buildSchema(response) } } }
}

const describeHeaders = ({ query }: Operation, status: string) => {
  if (query && 'cursor' in buildParameters(query))
    return { headers: { Link: describeHeader('The URL of the next page, if there is one (RFC 8288).') } }
  if (status === '201') return { headers: { Location: describeHeader('The path of the new resource.') } }
  return status === '303' ? { headers: { Location: describeHeader('The URL to continue at.') } } : {}
}

const describeHeader = (description: string) => ({ description, schema: { type: 'string' } })

const text = { type: 'string' }
const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: { type: 'string', enum: Object.keys(problemKinds) },
    request_id: text,
    reason: text,
    errors: {
      type: 'array',
      items: { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } },
    },
    second_factor_token: text,
  },
}
