import { guide } from '../contract/descriptions/guide.ts'
import type { Operation, OperationText } from '../contract/operation.ts'
import { describeAccessRules, describeSecurity, securitySchemes } from './access.ts'
import { buildSharedResponses, describeErrors } from './error-responses.ts'
import { buildExamples } from './examples.ts'
import { buildSharedParameters, describeParameters } from './parameters.ts'
import { buildProblemSchemas } from './problem-schemas.ts'
import { pruneSchemas } from './prune-schemas.ts'
import { describeSuccess, sharedHeaders } from './responses.ts'
import { buildNamedSchemas, buildSchema, getStrictName } from './schemas.ts'
import { describeTags, tagGroups } from './tags.ts'

const localUrl = 'http://127.0.0.1:3000'

/** Answers of the gateway are not declared, because every operation can have them. */
const gatewayNote =
  '### Answers of the gateway\n\nAPI Gateway answers some requests before a function runs, with the status 400, 413, 429, 431, 500 or 503. Such a ' +
  'body is `{"message": "…"}` of the type `application/json` instead of a problem, and has no `X-Request-Id`.'

/**
 * Builds the OpenAPI 3.1 document of the HTTP interface from the declarations that the service itself uses. Its server,
 * contact and cookie are those of local mode: see `functions/pages/open-api.ts`.
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
      summary: 'Authentication and access tokens',
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
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((op) => [op.method.toLowerCase(), describeOperation(op)])),
    ]),
  )

const getStrictNames = (operations: readonly Operation[]): ReadonlySet<string> =>
  new Set(operations.flatMap(({ body, bodyType }) => (body && !bodyType ? (getStrictName(body) ?? []) : [])))

const describeOperation = (op: Operation) => {
  const text = op.text?.()
  const description = [text?.description, describeAccessRules(op)].filter(Boolean).join('\n\n')
  return {
    operationId: op.id,
    tags: [op.group],
    summary: op.summary,
    ...(description ? { description } : {}),
    security: describeSecurity(op),
    parameters: describeParameters(op, text?.parameters),
    ...(op.body ? { requestBody: describeBody(op, text) } : {}),
    responses: { ...describeSuccess(op, text), ...describeErrors(op) },
  }
}

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
