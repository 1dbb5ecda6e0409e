import type { ClientOperation } from './client-operations.ts'
import { comment, type NameModel, type Schema, writeType } from './schema-types.ts'

/** Writes the types of all groups and queries. */
export const writeOperations = (operations: readonly ClientOperation[], nameModel: NameModel): string => {
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
