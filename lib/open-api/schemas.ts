import * as z from 'zod/mini'
import { models } from '../features/models.ts'
import { type AnyModelText, type FieldText, findModelText } from '../kernel/contract/describe.ts'
import type { Schema } from '../kernel/contract/operation.ts'

/** A schema of JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

const toReference = (name: string): string => `#/components/schemas/${name}`

/** Schemas describe what is sent over HTTP. For bodies, that is the input before defaults are applied. */
const asSent = { io: 'input', unrepresentable: 'any' } as const

/**
 * Returns every model by its name. Only models in `strict` rule out additional fields: responses get new fields over
 * time, and a body may contain fields that only its response has.
 */
export const buildNamedSchemas = (strict: ReadonlySet<string>): Readonly<Record<string, JsonSchema>> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, model] of models) registry.add(model, { id })
  const { schemas } = z.toJSONSchema(registry, { ...asSent, uri: toReference, override })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { additionalProperties, ...rest } = finish(schema)
      const model = models.get(name)
      const described = describeFields(rest, model && findModelText(model))
      return [name, strict.has(name) ? { ...described, additionalProperties } : described]
    }),
  )
}

/** Adds texts and formats to the schema of a model. */
export const describeFields = (schema: JsonSchema, text: AnyModelText | undefined): JsonSchema => {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  const describeField = (field: string, property: JsonSchema): JsonSchema => {
    const { example, ...described } = readFieldText(text?.fields[field])
    return {
      ...described,
      ...addFormat(field, property),
      ...(example !== undefined && { examples: [example] }),
    }
  }
  return {
    ...(text ? { description: text.description } : {}),
    ...schema,
    properties: Object.fromEntries(
      properties.map(([field, property]) => [field, describeField(field, property)]),
    ),
    ...(text?.example === undefined ? {} : { examples: [text.example] }),
  }
}

/** Returns the parts of the text of a field or parameter. Those that only published clients know have a mark. */
export const readFieldText = (text: FieldText | undefined): DocumentedText => {
  if (text === undefined) return {}
  if (typeof text === 'string') return { description: text }
  const { isForPublishedClients, ...rest } = text
  return { ...rest, ...(isForPublishedClients ? { 'x-published-clients': true } : {}) }
}

interface DocumentedText {
  readonly description?: string
  readonly example?: unknown
  readonly 'x-published-clients'?: true
}

/** Returns the name of the model that a body consists of, if the body accepts no other fields. */
export const getStrictName = (schema: Schema): string | undefined => modelNames.get(schema)

/** Returns the parameters of a query by their names. */
export const buildParameters = (query: Schema): Readonly<Record<string, JsonSchema>> =>
  (toJsonSchema(query)['properties'] ?? {}) as Record<string, JsonSchema>

/** Builds the schema of a body or response. Models, and the rows of lists, become references. */
export const buildSchema = (schema: Schema): JsonSchema => {
  const sent = unwrapWritable(schema)
  const name = modelNames.get(sent)
  if (name !== undefined) return { $ref: toReference(name) }
  if (sent instanceof z.ZodMiniUnion)
    return simplifySchema({ anyOf: sent.def.options.map((option) => buildSchema(option as Schema)) })
  if (sent instanceof z.ZodMiniArray)
    return { ...toJsonSchema(sent), items: buildSchema(sent.def.element as Schema) }
  return toJsonSchema(sent)
}

const toJsonSchema = (schema: Schema): JsonSchema => finish(z.toJSONSchema(schema, { ...asSent, override }))

const modelNames = new Map([...models].map(([name, model]): [Schema, string] => [model, name]))

/** Returns the model behind a body that accepts read-only fields: see `writable`. */
const unwrapWritable = (schema: Schema): Schema =>
  schema instanceof z.ZodMiniPipe && schema.def.in instanceof z.ZodMiniTransform
    ? (schema.def.out as Schema)
    : schema

const idSchema = { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 }

interface OverrideContext {
  readonly zodSchema: unknown
  readonly jsonSchema: Record<string, unknown>
}

const override = ({ zodSchema, jsonSchema }: OverrideContext): void => {
  // Zod omits the default of a number that arrives as text.
  if (zodSchema instanceof z.ZodMiniDefault && jsonSchema['type'] === 'integer')
    jsonSchema['default'] = zodSchema.def.defaultValue
  if (jsonSchema['type'] === 'integer') {
    const isSmall = Number(jsonSchema['minimum']) >= -(2 ** 31) && Number(jsonSchema['maximum']) < 2 ** 31
    jsonSchema['format'] = isSmall ? 'int32' : 'int64'
  }
  // Callers see a boolean. A query has no other way to send one than as text.
  if (zodSchema instanceof z.ZodMiniCodec && zodSchema.def.out instanceof z.ZodMiniBoolean) {
    delete jsonSchema['enum']
    jsonSchema['type'] = 'boolean'
  }
  // The format already says what this pattern of 250 characters says.
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern']
  const sent = unwrapWritable(zodSchema as Schema)
  const name = modelNames.get(sent)
  if (sent === zodSchema || name === undefined) return
  jsonSchema['$ref'] = toReference(name)
  // Some bodies accept an ID in place of an object.
  if (!z.safeParse(zodSchema as Schema, 1).success) return
  delete jsonSchema['$ref']
  jsonSchema['anyOf'] = [idSchema, { $ref: toReference(name) }]
}

/** Removes the metadata of Zod, and simplifies the schema. */
export const finish = ({ $schema, $id, '~standard': _, ...schema }: Record<string, unknown>): JsonSchema =>
  simplifySchema(schema)

/** The formats of texts by the names of their fields. The models check them with rules of their own, or none. */
const formats = new Map<string, string>(
  Object.entries({
    aaguid: 'uuid',
    assertion_url: 'uri',
    current_password: 'password',
    email: 'email',
    full_url: 'uri',
    login_url: 'uri',
    metadata_url: 'uri',
    new_password: 'password',
    password: 'password',
    pending_email: 'email',
    slo_url: 'uri',
    sp_certificate_key: 'password',
    sso_url: 'uri',
    sync_id: 'uuid',
  }),
)

/** Adds the format of a field, which tools show and check. */
const addFormat = (field: string, schema: JsonSchema): JsonSchema => {
  const format = formats.get(field)
  const isText = [schema['type']].flat().includes('string')
  return isText && format !== undefined && schema['format'] === undefined ? { ...schema, format } : schema
}

/**
 * Rewrites what Zod generates into what client generators understand best.
 *
 * - What can be null has a list of types, as in OpenAPI 3.1: `{"type": ["string", "null"]}`. Generators give each
 *   `anyOf` a type of its own.
 * - Every option of a union has a name: that of its model, or a title.
 */
const simplifySchema = (schema: JsonSchema): JsonSchema => {
  const simplified = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, simplifyValue(value)]),
  )
  const { anyOf, ...rest } = simplified
  if (!Array.isArray(anyOf)) return simplified
  const options: readonly JsonSchema[] = anyOf
  const others = options.filter(({ type }) => type !== 'null')
  const [only] = others
  if (only && others.length === 1) return { ...rest, ...addNull(only) }
  return { ...rest, oneOf: options.map(addTitle) }
}

const simplifyValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(simplifyValue)
  return typeof value === 'object' && value !== null ? simplifySchema(value as JsonSchema) : value
}

const addNull = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values } = schema
  if (typeof type !== 'string') return { oneOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

const addTitle = (schema: JsonSchema): JsonSchema => {
  if (schema['$ref'] !== undefined) return schema
  const { $ref } = (schema['items'] ?? {}) as JsonSchema
  const title =
    typeof $ref === 'string' ? `${$ref.split('/').at(-1)}List` : titles.get(String(schema['type']))
  return title === undefined ? schema : { title, ...schema }
}

/** In unions, a number is always an ID. */
const titles = new Map<string, string>(Object.entries({ integer: 'ID', string: 'Text' }))
