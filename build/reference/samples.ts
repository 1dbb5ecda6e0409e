import { type ApiDocument, type Content, resolve, type Schema } from './document.ts'

/** An example of a body, with a title if there are several. */
export interface Sample {
  readonly title: string
  readonly value: unknown
}

/** Lists the examples of a body. Without any, builds one from the schema. */
export const listSamples = (document: ApiDocument, content: Content): readonly Sample[] => {
  const given = Object.values(content.examples ?? {}).map((example) => {
    const { summary = '', value } = resolve(document, example)
    return { title: summary, value }
  })
  if (given.length > 0) return given
  if (content.example !== undefined) return [{ title: '', value: content.example }]
  return content.schema ? [{ title: '', value: buildSample(document, content.schema) }] : []
}

/** Builds a value that matches a schema. Optional fields of requests are left out if they have no example. */
export const buildSample = (document: ApiDocument, schema: Schema, depth = 0): unknown => {
  const target: Schema = schema.$ref === undefined ? schema : resolve<Schema>(document, { $ref: schema.$ref })
  const [example] = target.examples ?? []
  if (example !== undefined) return example
  if (target.example !== undefined) return target.example
  if (target.const !== undefined) return target.const
  if (target.default !== undefined) return target.default
  if (target.enum) return target.enum[0]
  const option = (target.anyOf ?? target.oneOf)?.[0]
  if (option) return buildSample(document, option, depth)
  return buildByType(document, target, depth)
}

const buildByType = (document: ApiDocument, schema: Schema, depth: number): unknown => {
  const [type] = [schema.type ?? 'object'].flat()
  if (type === 'array')
    return schema.items && depth < 4 ? [buildSample(document, schema.items, depth + 1)] : []
  if (type === 'object') return buildObject(document, schema, depth)
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'boolean') return true
  if (type === 'null') return null
  return schema.format === 'date-time' ? '2026-01-31T12:00:00.000Z' : 'text'
}

const buildObject = (document: ApiDocument, schema: Schema, depth: number): unknown => {
  const required = schema.required ?? []
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) => required.includes(name) || (field.examples ?? []).length > 0,
  )
  if (depth > 4) return {}
  return Object.fromEntries(fields.map(([name, field]) => [name, buildSample(document, field, depth + 1)]))
}
