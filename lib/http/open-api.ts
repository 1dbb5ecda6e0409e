import type { Access } from '../contract/access.ts'
import type { Operation, Responses } from '../contract/operation.ts'
import type { Config } from '../core/config.ts'
import { sessionCookieName } from './cookies.ts'
import {
  buildParameters,
  buildSchema,
  getStrictName,
  type JsonSchema,
  namedSchemas,
} from './open-api-schemas.ts'
import { problemKinds } from './problem.ts'

/** The HTTP interface as an OpenAPI 3.1 document, made of the declarations that the service itself goes by. */
export const buildOpenApi = (operations: readonly Operation[], config: Config) => ({
  openapi: '3.1.0',
  info: {
    title: 'Latchkey',
    version: '2',
    summary: 'Authentication and access tokens',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: config.publicUrl }],
  tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
  paths: Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((op) => [op.method.toLowerCase(), shown(op)])),
    ]),
  ),
  components: {
    schemas: { ...namedSchemas(strictNames(operations)), Problem: problem },
    responses: {
      Problem: {
        description: 'A refusal (RFC 9457); its code says which.',
        headers: { 'X-Request-Id': { schema: { type: 'string' } } },
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'A session, an API token or a reset token.' },
      cookie: { type: 'apiKey', in: 'cookie', name: sessionCookieName(config) },
    },
  },
})

const strictNames = (operations: readonly Operation[]): ReadonlySet<string> =>
  new Set(operations.flatMap(({ body, bodyType }) => (body && !bodyType ? (getStrictName(body) ?? []) : [])))

const shown = (op: Operation) => ({
  operationId: op.id,
  tags: [op.group],
  summary: op.summary,
  ...described(rulesOf(op)),
  security: securityOf(op.access),
  parameters: [...pathParameters(op.path), ...queryParameters(op)],
  ...(op.body ? { requestBody: requestBody(op, buildSchema(op.body)) } : {}),
  responses: { ...answersOf(op), default: { $ref: '#/components/responses/Problem' } },
})

const described = (sentences: readonly string[]) =>
  sentences.length > 0 ? { description: sentences.join(' ') } : {}

/** What OpenAPI has no words of its own for. */
const rulesOf = ({ access, notWhileImpersonating }: Operation): readonly string[] => [
  ...(access.allow === 'permission' ? [`Needs the permission ${access.permission}.`] : []),
  ...(access.allow !== 'anyone' && !access.by.includes('api_token') ? ['Not by an API token.'] : []),
  ...(access.allow !== 'anyone' && access.by.includes('reset_token') ? ['Also by a reset token.'] : []),
  ...(notWhileImpersonating ? ['Not while impersonating, nor in a session that a link opened.'] : []),
]

const credentials = [{ bearer: [] }, { cookie: [] }]
const securityOf = (access: Access) => {
  if (access.allow !== 'anyone') return credentials
  return access.credential === 'ignored' ? [] : [{}, ...credentials]
}

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'integer', minimum: 1, maximum: 2_147_483_647 } : { type: 'string' },
  }))

/** None is required: a test holds every operation to that. What is only there to be refused is left out. */
const queryParameters = ({ query }: Operation) =>
  Object.entries(query ? buildParameters(query) : {})
    .filter(([, schema]) => !('not' in schema))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      schema,
    }))

const requestBody = ({ bodyType = 'json' }: Operation, schema: JsonSchema) => {
  const type = bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return { required: true, content: { [type]: { schema } } }
}

const answersOf = (op: Operation) =>
  Object.fromEntries(
    Object.entries(op.responses).map(([status, answer]) => [
      status,
      { ...answerOf(answer), ...headersOf(op, status) },
    ]),
  )

const answerOf = (answer: Responses[number]) => {
  if (answer === null || answer === undefined) return { description: 'Nothing but the status.' }
  if (typeof answer === 'string')
    return { description: 'A text.', content: { [answer]: { schema: { type: 'string' } } } }
  return {
    description: 'What was asked for.',
    content: { 'application/json': { schema: buildSchema(answer) } },
  }
}

const headersOf = ({ query }: Operation, status: string) => {
  if (query && 'cursor' in buildParameters(query))
    return { headers: { Link: header('Where the next page is, while there is one (RFC 8288).') } }
  if (status === '201') return { headers: { Location: header('Where it is now.') } }
  return status === '303' ? { headers: { Location: header('Where to go on.') } } : {}
}

const header = (description: string) => ({ description, schema: { type: 'string' } })

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
  },
}
