import * as z from 'zod/mini'
import { ifUnchangedHeader } from '../client/if-unchanged-header.ts'
import { organizationHeader } from '../client/organization-header.ts'
import type { Tag } from '../kernel/contract/group.ts'
import type { Operation, OperationText } from '../kernel/contract/operation.ts'
import { clientAddressHeader, clientAddressPermission } from '../kernel/contract/permissions.ts'
import { paging } from '../kernel/contract/query.ts'
import { groupBy } from '../kernel/util/group-by.ts'
import { describeAccessRules, describeSecurity, securitySchemes } from './access.ts'
import { buildSharedResponses, describeErrors } from './error-responses.ts'
import { guide } from './guide.ts'
import { describeAuditEvents, describeLimits } from './limits-and-events.ts'
import { buildProblemSchemas } from './problem-schemas.ts'
import { buildExamples, describeSuccess, sharedHeaders } from './responses.ts'
import type { JsonSchema } from './schemas.ts'
import { buildNamedSchemas, buildParameters, buildSchema, getStrictName, readFieldText } from './schemas.ts'
import { tagTexts } from './tag-texts.ts'

const localUrl = 'http://localhost:3000'

/** Answers of the gateway are not declared, because every operation can have them. */
const gatewayNote =
  '### Answers of the gateway\n\nAPI Gateway answers some requests before a function runs, with the status 400, 413, 429, 431, 500 or 503. Such a ' +
  'body is `{"message": "…"}` of the type `application/json` instead of a problem, and has no `X-Request-Id`.'

/**
 * Builds the OpenAPI 3.1 document of the HTTP interface from the declarations that the service itself uses. Its server,
 * contact and cookie are those of local mode: see `lib/features/pages/reference.use-cases.ts`.
 */
export const buildOpenApi = (operations: readonly Operation[]) => {
  const paths = describePaths(operations)
  const shared = { parameters: buildSharedParameters(), responses: buildSharedResponses(operations) }
  const schemas = { ...buildNamedSchemas(getStrictNames(operations)), ...buildProblemSchemas(operations) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version: '2',
      summary: 'Authentication, access links and access tokens',
      description: `${guide}\n\n${gatewayNote}`,
      contact: { name: 'The operators of this service', url: localUrl, email: 'no-reply@latchkey.example' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: localUrl, description: 'This service.' }],
    tags: describeTags(operations),
    'x-tagGroups': tagGroups,
    paths,
    components: {
      schemas: pruneSchemas(schemas, { paths, shared }),
      ...shared,
      headers: sharedHeaders,
      securitySchemes,
    },
  }
}

const describePaths = (operations: readonly Operation[]) =>
  Object.fromEntries(
    [...groupBy(operations, ({ path }) => path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((op) => [op.method.toLowerCase(), describeOperation(op)])),
    ]),
  )

const getStrictNames = (operations: readonly Operation[]): ReadonlySet<string> =>
  new Set(operations.flatMap(({ body, bodyType }) => (body && !bodyType ? (getStrictName(body) ?? []) : [])))

const describeOperation = (op: Operation) => {
  const text = op.text?.()
  const parts = [text?.description, describeLimits(op), describeAuditEvents(op), describeAccessRules(op)]
  const description = parts.filter(Boolean).join('\n\n')
  return {
    operationId: op.id,
    tags: [getTag(op)],
    summary: op.summary,
    ...(description ? { description } : {}),
    security: describeSecurity(op),
    parameters: describeParameters(op, text?.parameters),
    ...(op.body ? { requestBody: describeBody(op, text) } : {}),
    responses: mergeResponses(describeSuccess(op, text), describeErrors(op)),
  }
}

interface DescribedResponse {
  readonly $ref?: string
  readonly headers?: object
  readonly content?: object
}

/** Merges responses by status. A failed health check has the status of a busy service, and a body of another type. */
const mergeResponses = (
  successes: Readonly<Record<string, DescribedResponse>>,
  errors: Readonly<Record<string, DescribedResponse>>,
) => ({
  ...successes,
  ...Object.fromEntries(
    Object.entries(errors).map(([status, error]) => {
      const success = Object.hasOwn(successes, status) ? successes[status] : undefined
      return [
        status,
        success
          ? {
              ...success,
              headers: { ...success.headers, ...error.headers },
              content: { ...success.content, ...error.content },
            }
          : error,
      ]
    }),
  ),
})

const describeBody = (
  { body, bodyType = 'json', isBodyOptional }: Operation,
  text: OperationText | undefined,
) => {
  const type = bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    required: isBodyOptional !== true,
    content: {
      [type]: { ...(body ? { schema: buildSchema(body) } : {}), ...buildExamples(text?.request) },
    },
  }
}

const prefix = '#/components/schemas/'

/** Returns the schemas that the rest of the document refers to, directly or through other schemas. */
const pruneSchemas = (
  schemas: Readonly<Record<string, JsonSchema>>,
  rest: unknown,
): Readonly<Record<string, JsonSchema>> => {
  const used = new Set(listReferences(rest))
  // Iterating over a set includes the elements added during the loop.
  for (const name of used) for (const inner of listReferences(schemas[name])) used.add(inner)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

const listReferences = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === '$ref' && typeof part === 'string' && part.startsWith(prefix)
      ? [part.slice(prefix.length)]
      : listReferences(part),
  )
}

export const getTag = ({ group, tag = group }: Operation): Tag => tag

/** Describes the tags of operations, in the order of their names. `tagGroups` has the order for readers. */
const describeTags = (operations: readonly Operation[]) =>
  [...new Set(operations.map(getTag))].sort().map((name) => {
    const { displayName, description } = tagTexts[name]
    return { name, description, 'x-displayName': displayName }
  })

interface TagGroup {
  readonly name: string
  readonly tags: readonly Tag[]
}

/** The groups of operations by topic, for tools that know `x-tagGroups`. */
const tagGroups: readonly TagGroup[] = [
  { name: 'Signing in', tags: ['sessions', 'tickets', 'oidc', 'oidc-clients', 'passkeys', 'passwords'] },
  {
    name: 'Accounts',
    tags: [
      'users',
      'organizations',
      'invitations',
      'groups',
      'user-templates',
      'user-files',
      'impersonation',
    ],
  },
  { name: 'Tokens and links', tags: ['access-links', 'api-tokens', 'leaks'] },
  { name: 'Identity providers', tags: ['connections', 'connection-flow', 'oidc-connections', 'scim'] },
  { name: 'The service', tags: ['branding', 'configuration', 'hooks', 'audit', 'health', 'pages'] },
  { name: 'Compatibility', tags: ['published-clients'] },
]

type Texts = OperationText['parameters']

/** Describes the parameters of the path, the query and the headers of an operation. */
const describeParameters = (op: Operation, texts: Texts = {}): readonly JsonSchema[] => [
  ...describePathParameters(op.path, texts),
  ...describeQueryParameters(op, texts),
  ...(op.acceptsProduct ? [{ $ref: '#/components/parameters/ClientAddress' }] : []),
  ...(op.acceptsOrganization ? [{ $ref: '#/components/parameters/Organization' }] : []),
  ...(op.acceptsIfUnchanged ? [{ $ref: '#/components/parameters/IfUnchanged' }] : []),
]

/** The parameters that several operations share, by the names that `describeParameters` refers to. */
const buildSharedParameters = (): Readonly<Record<string, JsonSchema>> => ({
  ...Object.fromEntries([...pagingNames].map(([name, shared]) => [shared, describePagingParameter(name)])),
  IfUnchanged: {
    name: ifUnchangedHeader,
    in: 'header',
    description:
      'Makes the change only if fields still have these values, as a JSON object of names and values in the form of the response and of audit events. Otherwise, the response is a 409 with the reason `changed_since`.',
    schema: { type: 'string' },
    example: '{"is_enabled":false}',
  },
  ClientAddress: {
    name: clientAddressHeader,
    in: 'header',
    description: `The address of the end user, named by the server of a product. Requires an API token with the scope \`${clientAddressPermission}\`.`,
    schema: { type: 'string' },
    example: '203.0.113.7',
  },
  Organization: {
    name: organizationHeader,
    in: 'header',
    description: 'The organization that the request is about: its ID or its slug.',
    schema: { type: 'string' },
    example: 'acme',
  },
})

const pagingNames = new Map<string, string>(
  Object.entries({ limit: 'Limit', offset: 'Offset', cursor: 'Cursor' }),
)
const pagingExamples = new Map<string, unknown>(Object.entries({ limit: 50, offset: 100 }))

const describePagingParameter = (name: string): JsonSchema => {
  const { description, ...schema } = buildParameters(z.object(paging))[name] ?? {}
  return {
    name,
    in: 'query',
    description,
    schema,
    ...(pagingExamples.has(name) ? { example: pagingExamples.get(name) } : {}),
  }
}

const describePathParameters = (path: string, texts: Texts): readonly JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...readFieldText(texts[name]),
    schema: /^(\w+_)?id$/.test(name)
      ? { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 }
      : { type: 'string' },
  }))

/** No parameter is required, which a test checks. Parameters that are declared only to be rejected are left out. */
const describeQueryParameters = ({ query }: Operation, texts: Texts): readonly JsonSchema[] => {
  const parameters = query ? buildParameters(query) : {}
  // The profile takes some of the parameters of a list, but is none.
  const isList = 'cursor' in parameters
  return Object.entries(parameters)
    .filter(([, schema]) => !('not' in schema))
    .map(
      ([name, schema]) =>
        (isList ? describeListParameter(name, schema) : undefined) ??
        describeQueryParameter(name, schema, texts),
    )
}

const describeListParameter = (
  name: string,
  { description: _, ...schema }: JsonSchema,
): JsonSchema | undefined => {
  const shared = pagingNames.get(name)
  if (shared !== undefined) return { $ref: `#/components/parameters/${shared}` }
  return name === 'ordering' ? { name, in: 'query', description: orderingText, schema } : undefined
}

const describeQueryParameter = (
  name: string,
  { description, ...schema }: JsonSchema,
  texts: Texts,
): JsonSchema => {
  const own = description === undefined ? {} : { description }
  const { example, ...text } = readFieldText(texts[name])
  const shown = example === undefined ? {} : { example: toExample(schema, example) }
  return { name, in: 'query', ...own, ...text, ...shown, schema }
}

/** Texts show values as they stand in a URL. An example has the type of its schema. */
const toExample = ({ type }: JsonSchema, example: unknown): unknown =>
  typeof example === 'string' && (type === 'boolean' || type === 'integer') ? JSON.parse(example) : example

const orderingText =
  'The field to order the list by. A `-` before the field reverses the order. Entries that are equal in this field are ordered by `id`.'
