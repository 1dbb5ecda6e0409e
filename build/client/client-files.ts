import { buildConfigurationSchemas } from '../../lib/open-api/configuration-schema.ts'
import { type ClientOperation, listClientOperations, readDocument } from './client-operations.ts'
import {
  comment,
  type Direction,
  type NameModel,
  readReference,
  type Schema,
  writeFields,
  writeType,
} from './schema-types.ts'

const folder = 'lib/client/generated'
const notice = '// Generated from the declarations of the operations by build/client/write-client.ts.\n\n'

/** Returns the files of the client that depend on the operations, by their paths. */
export const buildClientFiles = (): ReadonlyMap<string, string> => {
  const document = readDocument()
  const operations = listClientOperations(document)
  const { text, nameModel } = writeModels(document.components.schemas, operations)
  return new Map([
    [`${folder}/models.ts`, notice + text],
    [`${folder}/operations.ts`, notice + writeOperations(operations, nameModel)],
    [`${folder}/errors.ts`, notice + writeErrors(operations)],
    [`${folder}/configuration.ts`, notice + writeConfiguration()],
    [`${folder}/routes.ts`, notice + writeRoutes(operations)],
  ])
}

/** Writes the table that the client reads at run time: see `lib/client/send.ts`. */
const writeRoutes = (operations: readonly ClientOperation[]): string => {
  const groups = [...Map.groupBy(operations, ({ group }) => group)].map(
    ([group, members]) => `  ${group}: {\n${members.map(writeRoute).join('')}  },\n`,
  )
  return `/** Every operation: its method, path, result, input and caller. */\nexport const routes = {\n${groups.join('')}}\n`
}

const writeRoute = ({ name, method, path, result, body, query, caller }: ClientOperation): string => {
  const input = body ? (body.isForm ? 'form' : 'body') : query.length > 0 ? 'query' : 'no_input'
  return `    ${name}: '${method} ${path} ${result} ${input} ${caller}',\n`
}

/** Writes the error codes with their reasons, for all operations together and for each one. */
const writeErrors = (operations: readonly ClientOperation[]): string => {
  const reasonsByCode = new Map<string, ReadonlySet<string>>()
  for (const { errors } of operations)
    for (const [code, reasons] of errors)
      reasonsByCode.set(code, new Set([...(reasonsByCode.get(code) ?? []), ...reasons]))
  const codes = [...reasonsByCode].map(
    ([code, reasons]) => `  readonly ${code}: ${writeUnion([...reasons])}\n`,
  )
  const each = operations.map(
    ({ id, errors }) =>
      `  readonly ${id}: { ${[...errors].map(([code, reasons]) => `readonly ${code}: ${writeUnion(reasons)}`).join('; ')} }\n`,
  )
  return [
    `/** Every error code with the reasons that refine it. */\nexport interface ReasonsByCode {\n${codes.join('')}}\n`,
    '/** A code of a problem body. */\nexport type ErrorCode = keyof ReasonsByCode\n',
    `/** The error codes of each operation, with the reasons that the operation can give. */\nexport interface OperationErrors {\n${each.join('')}}\n`,
  ].join('\n')
}

const writeUnion = (values: readonly string[]): string =>
  values.length === 0 ? 'never' : values.map((value) => `'${value}'`).join(' | ')

/** Writes the types of configuration files. The client has none, but the packages that read files do. */
const writeConfiguration = (): string =>
  [...(buildConfigurationSchemas() as ReadonlyMap<string, Schema>)]
    .map(
      ([name, schema]) =>
        `${comment(schema.description ?? '')}export interface ${name} {\n${writeFields(schema, 'request', (model) => model)}}\n`,
    )
    .join('\n')

type Schemas = Readonly<Record<string, Schema>>

/** Adds the models that a schema refers to, also through other models. */
const addModels = (found: Set<string>, value: unknown, schemas: Schemas): void => {
  if (typeof value !== 'object' || value === null) return
  const model = readReference(value as Schema)
  if (model !== undefined && !found.has(model)) {
    found.add(model)
    addModels(found, schemas[model], schemas)
  }
  const { $ref: _, examples: __, ...parts } = value as Readonly<Record<string, unknown>>
  for (const part of Object.values(parts)) addModels(found, part, schemas)
}

/**
 * Writes the types of all models. A model of bodies and responses gets two types if they differ: the one for bodies ends
 * with `Input`.
 */
const writeModels = (
  schemas: Schemas,
  operations: readonly ClientOperation[],
): { readonly text: string; readonly nameModel: NameModel } => {
  const used = { request: new Set<string>(), response: new Set<string>() }
  for (const { body, resultSchema } of operations) {
    addModels(used.request, body?.schema, schemas)
    addModels(used.response, resultSchema, schemas)
  }
  const nameModel: NameModel = (model, direction) =>
    direction === 'request' && used.response.has(model) && used.request.has(model) ? `${model}Input` : model
  const write = (model: string, direction: Direction): string => {
    const schema = schemas[model] ?? {}
    const name = nameModel(model, direction)
    const head = comment(schema.description ?? '')
    return schema.properties
      ? `${head}export interface ${name} {\n${writeFields(schema, direction, nameModel)}}\n`
      : `${head}export type ${name} = ${writeType(schema, direction, nameModel)}\n`
  }
  const models = Object.keys(schemas).flatMap((model) => [
    ...(used.response.has(model) ? [write(model, 'response')] : []),
    ...(used.request.has(model) ? [write(model, 'request')] : []),
  ])
  return { text: models.join('\n'), nameModel }
}

/** Writes the types of all groups and queries. */
const writeOperations = (operations: readonly ClientOperation[], nameModel: NameModel): string => {
  const groups = Map.groupBy(operations, ({ group }) => group)
  const texts = [...groups].map(
    ([group, members]) =>
      `/** ${members.length} operations of the group \`${group}\`. */\nexport type ${toTypeName(group)} = {\n` +
      `${members.map((operation) => writeMethods(operation, nameModel)).join('\n')}}\n`,
  )
  const queries = operations
    .filter(({ query }) => query.length > 0)
    .map((operation) => writeQuery(operation, nameModel))
  const all = [...groups.keys()].map((group) => `  readonly ${group}: ${toTypeName(group)}\n`)
  const body = [...queries, ...texts].join('\n')
  return `${writeImports(body)}${body}\n/** Every operation, by group. */\nexport type Operations = {\n${all.join('')}}\n`
}

/** `userTemplates` becomes `UserTemplateMethods`, which no model is named. */
const toTypeName = (group: string): string => `${group.charAt(0).toUpperCase()}${group.slice(1)}Methods`

const queryName = ({ name }: ClientOperation): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replace(/Url$/, '')}Query`

const writeImports = (body: string): string => {
  const options = ['CallOptions', 'Page', 'ProductCallOptions'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  )
  return `import type { ${options.join(', ')} } from '../options.ts'\nimport type * as models from './models.ts'\n\n`
}

const qualify =
  (nameModel: NameModel): NameModel =>
  (model, direction) =>
    `models.${nameModel(model, direction)}`

const writeQuery = (operation: ClientOperation, nameModel: NameModel): string => {
  const fields = operation.query.map(({ name, description, schema }) => {
    const type = writeType(schema, 'request', qualify(nameModel))
    return `${comment(description ?? schema.description ?? '', '  ')}  readonly ${JSON.stringify(name).replace(/^"(\w+)"$/, '$1')}?: ${type} | undefined\n`
  })
  return `/** The query of \`${operation.id}\`. */\nexport interface ${queryName(operation)} {\n${fields.join('')}}\n`
}

const writeMethods = (operation: ClientOperation, nameModel: NameModel): string => {
  const { name, result, resultSchema = {}, acceptsClientAddress, pathParameters, summary } = operation
  const path = pathParameters.map(
    (parameter) => `${parameter.name}: ${writeType(parameter.schema, 'request', nameModel)}`,
  )
  const input = writeInput(operation, nameModel)
  const options = `options?: ${acceptsClientAddress ? 'ProductCallOptions' : 'CallOptions'}`
  if (result === 'url')
    return `${comment(describe(operation), '  ')}  ${name}(${[...path, ...input].join(', ')}): string\n`
  const call = [...path, ...input, options].join(', ')
  const type = result === 'none' ? 'void' : writeType(resultSchema, 'response', qualify(nameModel))
  if (result !== 'list') return `${comment(describe(operation), '  ')}  ${name}(${call}): Promise<${type}>\n`
  const item = writeType(resultSchema.items ?? ({} as Schema), 'response', qualify(nameModel))
  const iterate = [...path, `query?: Omit<${queryName(operation)}, 'cursor' | 'offset'>`, options].join(', ')
  return (
    `${comment(describe(operation), '  ')}  ${name}(${call}): Promise<Page<${item}>>\n` +
    `${comment(`${summary}, with all pages. Here, \`limit\` is the size of each page.`, '  ')}` +
    `  ${name.replace(/^list/, 'iterate')}(${iterate}): AsyncGenerator<${item}, void, undefined>\n`
  )
}

const writeInput = (operation: ClientOperation, nameModel: NameModel): readonly string[] => {
  const { body, query } = operation
  if (body)
    return [
      `body${body.isRequired ? '' : '?'}: ${writeType(body.schema, 'request', qualify(nameModel))}${body.isRequired ? '' : ' | undefined'}`,
    ]
  return query.length > 0 ? [`query?: ${queryName(operation)} | undefined`] : []
}

const describe = ({ id, summary, description, result, errors }: ClientOperation): string =>
  [
    result === 'url' ? `${summary}. Returns the address, which a browser opens.` : `${summary}.`,
    ...(description ? ['', description] : []),
    '',
    `Operation: \`${id}\`.`,
    ...(result === 'url' ? [] : [`@throws LatchkeyError with ${[...errors].map(describeError).join(', ')}`]),
  ].join('\n')

const describeError = ([code, reasons]: readonly [code: string, reasons: readonly string[]]): string =>
  `\`${code}\`${reasons.length > 0 ? ` (${reasons.map((reason) => `\`${reason}\``).join(', ')})` : ''}`
