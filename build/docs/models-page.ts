import type { JsonSchema } from '../../lib/open-api/json-schema.ts'
import { buildNamedSchemas } from '../../lib/open-api/schemas.ts'
import { code, markdownTable, page } from './markdown.ts'

/** The models of request and response bodies, field by field. */
export const modelsPage = (): string =>
  page(
    'Models',
    `The bodies of requests and responses. Unknown fields in a request are an error. Read-only fields in a request are
ignored, so a body that was read can be sent back.`,
    ...Object.entries(buildNamedSchemas(new Set())).flatMap(([name, schema]) => [
      `## ${name}`,
      describeModel(schema),
    ]),
  )

const describeModel = (schema: JsonSchema): string =>
  [...(typeof schema['description'] === 'string' ? [schema['description']] : []), listFields(schema)].join(
    '\n\n',
  )

const listFields = (schema: JsonSchema): string => {
  const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  if (fields.length === 0) return `Type: ${typeOf(schema)}.`
  const required = (schema['required'] ?? []) as readonly string[]
  return markdownTable(
    ['field', 'type', 'description', 'notes'],
    fields.map(([name, field]) => [
      code(name),
      typeOf(field),
      String(field['description'] ?? ''),
      [...(required.includes(name) ? ['required'] : []), ...notesOf(field)].join(', '),
    ]),
  )
}

const typeOf = (schema: JsonSchema): string => {
  const { $ref, anyOf, type, items, format } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? ''
    return `[${name}](#${name.toLowerCase()})`
  }
  if (Array.isArray(anyOf)) return anyOf.map((one) => typeOf(one as JsonSchema)).join(' or ')
  if (schema['enum']) return 'string'
  if (Array.isArray(type)) return type.join(' or ')
  if (type === 'array') return `array of ${typeOf((items ?? {}) as JsonSchema)}`
  return typeof type === 'string'
    ? `${type}${format === 'date-time' ? ' (date-time)' : ''}`
    : 'any JSON value'
}

const notesOf = (schema: JsonSchema): readonly string[] => {
  const inner = [schema, ...((schema['anyOf'] ?? []) as readonly JsonSchema[])]
  const values = inner.flatMap((one) => (one['enum'] ?? []) as readonly unknown[])
  return [
    ...(schema['readOnly'] === true ? ['read-only'] : []),
    ...(values.length > 0 ? [`one of ${values.map((value) => code(JSON.stringify(value))).join(', ')}`] : []),
    ...boundsOf(inner),
    ...(schema['default'] === undefined ? [] : [`default ${code(JSON.stringify(schema['default']))}`]),
  ]
}

const boundsOf = (schemas: readonly JsonSchema[]): readonly string[] => {
  const bound = (name: string) => schemas.map((one) => one[name]).find((value) => typeof value === 'number')
  const between = (low: string, high: string, unit: string): readonly string[] => {
    const [from, to] = [bound(low), bound(high)]
    if (from === undefined && to === undefined) return []
    if (from === undefined) return [`at most ${to}${unit}`]
    if (to === undefined && from === 1 && unit !== '') return ['not empty']
    return [to === undefined ? `at least ${from}${unit}` : `${from} to ${to}${unit}`]
  }
  return [
    ...between('minLength', 'maxLength', ' characters'),
    ...between('minItems', 'maxItems', ' items'),
    ...between('minimum', 'maximum', ''),
  ]
}
