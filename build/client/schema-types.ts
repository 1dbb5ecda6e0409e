/** A schema of the OpenAPI document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly description?: string
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly format?: string
  readonly default?: unknown
}

/** Bodies may leave out more fields than responses: those that only the service sets, and those that are undefined. */
export type Direction = 'request' | 'response'

/** Returns the name of the type of a model. */
export type NameModel = (model: string, direction: Direction) => string

/** Returns the name of the model that a schema refers to. */
export const readReference = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

/** Writes a comment for a declaration. Empty for no text. */
export const comment = (text: string, indent = ''): string => {
  if (text === '') return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** Writes the type of a schema. */
export const writeType = (schema: Schema, direction: Direction, nameModel: NameModel): string => {
  const reference = readReference(schema)
  if (reference !== undefined) return nameModel(reference, direction)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.oneOf ?? schema.anyOf
  if (options) return options.map((option) => writeType(option, direction, nameModel)).join(' | ')
  if (schema.type === undefined) return 'unknown'
  return [schema.type]
    .flat()
    .map((type) => writeSimpleType(type, schema, direction, nameModel))
    .join(' | ')
}

const writeSimpleType = (
  type: string,
  schema: Schema,
  direction: Direction,
  nameModel: NameModel,
): string => {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return `ReadonlyArray<${writeType(schema.items ?? {}, direction, nameModel)}>`
  if (type !== 'object') return type
  const { properties = {}, additionalProperties } = schema
  if (Object.keys(properties).length > 0) return `{\n${writeFields(schema, direction, nameModel)}}`
  const isTyped = typeof additionalProperties === 'object' && additionalProperties !== null
  const values = isTyped ? writeType(additionalProperties, direction, nameModel) : 'unknown'
  return `Readonly<Record<string, ${values}>>`
}

/** Writes the fields of an object, each with its comment. */
export const writeFields = (
  { properties = {}, required = [] }: Schema,
  direction: Direction,
  nameModel: NameModel,
): string =>
  Object.entries(properties)
    .filter(([, { readOnly, writeOnly }]) => !(direction === 'response' && writeOnly && !readOnly))
    .map(([name, schema]) => {
      const isRequest = direction === 'request'
      const isRequired = required.includes(name) && !(isRequest && schema.readOnly)
      const type = writeType(schema, direction, nameModel)
      const optional = isRequest && type !== 'unknown' ? ' | undefined' : ''
      return `${comment(describeField(schema, isRequest), '  ')}  readonly ${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : optional}\n`
    })
    .join('')

const describeField = ({ description = '', readOnly, default: value }: Schema, isRequest: boolean): string =>
  [
    description,
    ...(isRequest && readOnly ? ['Ignored in requests.'] : []),
    ...(isRequest && value !== undefined ? [`The default is \`${JSON.stringify(value)}\`.`] : []),
  ]
    .filter(Boolean)
    .join(' ')
