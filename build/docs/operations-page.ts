import type { Access } from '../../lib/contract/access.ts'
import { listErrors } from '../../lib/contract/errors.ts'
import type { Operation, Schema } from '../../lib/contract/operation.ts'
import { findOperationText, operations } from '../../lib/contract/operations.ts'
import { bodyLimitBytes } from '../../lib/limits/limits.ts'
import type { JsonSchema } from '../../lib/open-api/json-schema.ts'
import { buildParameters, buildSchema } from '../../lib/open-api/schemas.ts'
import { code, codeList, markdownTable, page } from './markdown.ts'

export const operationsPage = (): string =>
  page(
    'Operations',
    `All operations of the HTTP interface, by group. The OpenAPI document of a running service describes the same
operations with every field: \`GET /api/2/openapi.json\`. Its page for people is \`/docs\`. [Models](models.md) lists the fields of each model.

An error is a problem body. [Error codes](error-codes.md) explains the codes.`,
    ...[...Map.groupBy(operations, ({ group }) => group)].flatMap(([group, members]) => [
      `## ${group}`,
      ...members.map(describeOperation),
    ]),
  )

const describeOperation = (operation: Operation): string =>
  [
    `### ${operation.id}`,
    `${operation.summary}.`,
    code(`${operation.method} ${operation.path}`),
    ...describeText(operation),
    [
      `- **Access:** ${describeAccess(operation.access)}${restrictions(operation)}`,
      ...parameters(operation),
      ...requestBody(operation),
      ...Object.entries(operation.responses).map(
        ([status, answer]) => `- **Response ${status}:** ${describeResponse(answer)}`,
      ),
      `- **Errors:** ${codeList(listErrors(operation))}`,
    ].join('\n'),
  ].join('\n\n')

const describeText = ({ id }: Operation): readonly string[] => {
  const text = findOperationText(id)
  return text ? [text.description] : []
}

const credentialNames = { session: 'session', api_token: 'API token', reset_token: 'reset token' } as const

const describeAccess = (access: Access): string => {
  if (access.allow === 'anyone')
    return access.credential === 'optional' ? 'anyone; a session is used if sent' : 'anyone'
  const by = access.by.map((kind) => credentialNames[kind]).join(' or ')
  const permission = access.allow === 'permission' ? `, with the permission ${code(access.permission)}` : ''
  return `${by}${permission}${access.scope ? `; scope ${code(access.scope)}` : ''}`
}

const restrictions = ({ notWhileImpersonating, recentAuthentication, acceptsProduct }: Operation): string =>
  [
    notWhileImpersonating ? '; not while impersonating and not in a session of an access link' : '',
    recentAuthentication === true ? '; requires a recent authentication' : '',
    recentAuthentication === 'for_sign_in_and_rights'
      ? '; requires a recent authentication for addresses of existing users, and for `system:admin-access` and `users:manage`'
      : '',
    acceptsProduct ? '; a product can name the address of its user' : '',
  ].join('')

const parameters = ({ query }: Operation): readonly string[] => {
  const names = Object.entries(query ? buildParameters(query) : {})
    .filter(([, schema]) => !('not' in schema))
    .map(([name]) => name)
  return names.length > 0 ? [`- **Query:** ${codeList(names)}`] : []
}

const requestBody = ({ body, bodyType = 'json', bodyLimitBytes: limit = bodyLimitBytes }: Operation) =>
  body
    ? [
        `- **Request:** ${modelOf(body)}${bodyType === 'form' ? ' as a form' : ''}, at most ${limit / 1024} KiB`,
      ]
    : []

const describeResponse = (answer: Operation['responses'][number] | undefined): string => {
  if (answer === null || answer === undefined) return 'empty'
  return typeof answer === 'string' ? code(answer) : modelOf(answer)
}

const modelOf = (schema: Schema): string => nameModel(buildSchema(schema))

const nameModel = ({ $ref, type, items, anyOf }: JsonSchema): string => {
  if (Array.isArray(anyOf)) return anyOf.map(nameModel).join(' or ')
  if (typeof $ref === 'string') return linkTo($ref)
  const of = items as { readonly $ref?: unknown } | undefined
  return type === 'array' && typeof of?.$ref === 'string' ? `array of ${linkTo(of.$ref)}` : 'a JSON object'
}

const linkTo = (reference: string): string => {
  const name = reference.split('/').at(-1) ?? ''
  return `[${name}](models.md#${name.toLowerCase()})`
}

export const operationTable = (): string =>
  markdownTable(
    ['method', 'path', 'operation'],
    operations.map(({ id, method, path }) => [method, code(path), `[${id}](operations.md#${id})`]),
  )
