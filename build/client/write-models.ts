import type { ClientOperation } from './client-operations.ts'
import {
  comment,
  type Direction,
  type NameModel,
  readReference,
  type Schema,
  writeFields,
  writeType,
} from './schema-types.ts'

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
export const writeModels = (
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
