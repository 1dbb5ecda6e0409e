import type { JsonSchema } from './json-schema.ts'

/**
 * Rewrites what Zod generates into what client generators understand best.
 *
 * - What can be null has a list of types, as in OpenAPI 3.1: `{"type": ["string", "null"]}`. Generators give each
 *   `anyOf` a type of its own.
 * - Every option of a union has a name: that of its model, or a title.
 */
export const simplifySchema = (schema: JsonSchema): JsonSchema => {
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
