import * as z from 'zod/mini'
import type { FieldText } from '../contract/descriptions/describe.ts'
import { modelTexts } from '../contract/descriptions/model-texts.ts'
import { models } from '../contract/models.ts'
import type { Schema } from '../contract/operation.ts'

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
      const { additionalProperties, ...rest } = removeMetadata(schema)
      const described = describeFields(name, rest)
      return [name, strict.has(name) ? { ...described, additionalProperties } : described]
    }),
  )
}

const textsByModel: ReadonlyMap<
  Schema,
  (typeof modelTexts)[number] & { readonly fields: Readonly<Record<string, FieldText>> }
> = new Map(modelTexts.map((text) => [text.model, text]))

const describeFields = (name: string, schema: JsonSchema): JsonSchema => {
  const model = models.get(name)
  const text = model && textsByModel.get(model)
  if (!text) return schema
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  return {
    description: text.description,
    ...schema,
    properties: Object.fromEntries(
      properties.map(([field, property]) => {
        const { description, example } = readFieldText(text.fields[field])
        return [
          field,
          {
            ...(description && { description }),
            ...property,
            ...(example !== undefined && { examples: [example] }),
          },
        ]
      }),
    ),
    examples: [text.example],
  }
}

/** Returns the parts of the text of a field or parameter. */
export const readFieldText = (
  text: FieldText | undefined,
): { readonly description?: string; readonly example?: unknown } =>
  typeof text === 'string' ? { description: text } : (text ?? {})

/** Returns the name of the model that a body consists of, if the body accepts no other fields. */
export const getStrictName = (schema: Schema): string | undefined => modelNames.get(schema)

/** Returns the parameters of a query by their names. */
export const buildParameters = (query: Schema): Readonly<Record<string, JsonSchema>> =>
  (z.toJSONSchema(query, { ...asSent, override }).properties ?? {}) as Record<string, JsonSchema>

/** Builds the schema of a body or response. Models, and the rows of lists, become references. */
export const buildSchema = (schema: Schema): JsonSchema => {
  const sent = unwrapWritable(schema)
  const name = modelNames.get(sent)
  if (name !== undefined) return { $ref: toReference(name) }
  if (sent instanceof z.ZodMiniUnion)
    return { anyOf: sent.def.options.map((option) => buildSchema(option as Schema)) }
  if (sent instanceof z.ZodMiniArray) return { type: 'array', items: buildSchema(sent.def.element as Schema) }
  return removeMetadata(z.toJSONSchema(sent, { ...asSent, override }))
}

const modelNames = new Map([...models].map(([name, model]): [Schema, string] => [model, name]))

/** Returns the model behind a body that accepts read-only fields: see `lib/contract/models/writable.ts`. */
const unwrapWritable = (schema: Schema): Schema =>
  schema instanceof z.ZodMiniPipe && schema.def.in instanceof z.ZodMiniTransform
    ? (schema.def.out as Schema)
    : schema

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
  // The format already says what this pattern of 250 characters says.
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern']
  const sent = unwrapWritable(zodSchema as Schema)
  const name = modelNames.get(sent)
  if (sent !== zodSchema && name !== undefined) jsonSchema['$ref'] = toReference(name)
}

const removeMetadata = ({ $schema, $id, '~standard': _, ...schema }: Record<string, unknown>): JsonSchema =>
  schema
