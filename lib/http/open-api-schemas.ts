import * as z from 'zod/mini'
import { models } from '../contract/models.ts'
import type { Schema } from '../contract/operation.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const refTo = (name: string): string => `#/components/schemas/${name}`

/** Everything is shown as it goes over the wire: of a body what is sent, before defaults are filled in. */
const asSent = { io: 'input', unrepresentable: 'any' } as const

/**
 * Every model, by its name. Fields that a model doesn't have are only ruled out of those in `strict`: answers get new
 * ones as time goes by, and a body may hold what only its answer has.
 */
export const namedSchemas = (strict: ReadonlySet<string>): Readonly<Record<string, JsonSchema>> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, model] of models) registry.add(model, { id })
  const { schemas } = z.toJSONSchema(registry, { ...asSent, uri: refTo, override })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { additionalProperties, ...rest } = bare(schema)
      return [name, strict.has(name) ? { ...rest, additionalProperties } : rest]
    }),
  )
}

/** The model that a body is, where nothing else may stand in it. */
export const getStrictName = (schema: Schema): string | undefined => nameOf.get(schema)

/** The parameters of a query, by their names. */
export const buildParameters = (query: Schema): Readonly<Record<string, JsonSchema>> =>
  (z.toJSONSchema(query, { ...asSent, override }).properties ?? {}) as Record<string, JsonSchema>

/** A schema as an operation names it: a model by reference, a list by that of its rows. */
export const buildSchema = (schema: Schema): JsonSchema => {
  const sent = sentAs(schema)
  const name = nameOf.get(sent)
  if (name !== undefined) return { $ref: refTo(name) }
  if (sent instanceof z.ZodMiniArray) return { type: 'array', items: buildSchema(sent.def.element as Schema) }
  return bare(z.toJSONSchema(sent, { ...asSent, override }))
}

const nameOf = new Map([...models].map(([name, model]): [Schema, string] => [model, name]))

/** What stands behind a body that may be sent as it was read: see `contract/models/writable.ts`. */
const sentAs = (schema: Schema): Schema =>
  schema instanceof z.ZodMiniPipe && schema.def.in instanceof z.ZodMiniTransform
    ? (schema.def.out as Schema)
    : schema

interface Overridden {
  readonly zodSchema: unknown
  readonly jsonSchema: Record<string, unknown>
}

const override = ({ zodSchema, jsonSchema }: Overridden): void => {
  // Of a number that arrives as text, the library doesn't tell it.
  if (zodSchema instanceof z.ZodMiniDefault && jsonSchema['type'] === 'integer')
    jsonSchema['default'] = zodSchema.def.defaultValue
  if (jsonSchema['type'] === 'integer') {
    const isSmall = Number(jsonSchema['minimum']) >= -(2 ** 31) && Number(jsonSchema['maximum']) < 2 ** 31
    jsonSchema['format'] = isSmall ? 'int32' : 'int64'
  }
  // The format says the same as this pattern of 250 characters.
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern']
  const sent = sentAs(zodSchema as Schema)
  const name = nameOf.get(sent)
  if (sent !== zodSchema && name !== undefined) jsonSchema['$ref'] = refTo(name)
}

const bare = ({ $schema: _, $id: __, '~standard': ___, ...schema }: Record<string, unknown>): JsonSchema =>
  schema
