import { getModelName, type Schema } from './document.ts'
import { type Html, html, joinHtml } from './html.ts'

/** Describes the type of a value in words. Models are links. */
export const describeType = (schema: Schema): Html => {
  const model = getModelName(schema)
  if (model !== undefined) return html`<a href="#${model}">${model}</a>`
  const options = schema.anyOf ?? schema.oneOf
  if (options) return joinHtml(uniqueTypes(options), ' or ')
  if (schema.allOf) return joinHtml(schema.allOf.map(describeType), ' and ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  const names = [schema.type ?? 'any value'].flat()
  return joinHtml(
    names.map((name) => describeNamedType(name, schema)),
    ' or ',
  )
}

const describeNamedType = (name: string, schema: Schema): Html => {
  if (name === 'array') return html`array of ${schema.items ? describeType(schema.items) : 'any value'}`
  const values = schema.additionalProperties
  if (name === 'object' && typeof values === 'object' && !schema.properties)
    return html`object with values: ${describeType(values)}`
  return html`${name}${schema.format && name !== 'null' ? ` (${schema.format})` : ''}`
}

const uniqueTypes = (options: readonly Schema[]): readonly Html[] => [
  ...new Map(options.map(describeType).map((type) => [type.markup, type])).values(),
]

/** Lists the limits of a value, such as `at most 255 characters`. */
export const describeLimits = (schema: Schema): readonly Html[] => {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema
  return [
    ...describeRange(minimum, maximum),
    ...describeRange(minLength, maxLength, 'character'),
    ...describeRange(minItems, maxItems, 'entry'),
    ...(schema.enum ? [html`one of ${joinHtml(schema.enum.map(formatValue), ', ')}`] : []),
    ...(pattern === undefined ? [] : [html`pattern <code>${pattern}</code>`]),
    ...(schema.default === undefined ? [] : [html`default ${formatValue(schema.default)}`]),
    ...(schema.anyOf ?? schema.oneOf ?? []).flatMap(describeLimits),
    ...(schema.items && !schema.items.properties ? describeLimits(schema.items).map(forEach) : []),
  ]
}

const forEach = (limit: Html): Html => html`each ${limit}`

/** The limits of the number formats, which the type already names. */
const formatLimits: readonly (number | undefined)[] = [
  2 ** 31 - 1,
  -(2 ** 31),
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
]

type Unit = 'character' | 'entry'
const plurals = { character: 'characters', entry: 'entries' }

const describeRange = (low: number | undefined, high: number | undefined, unit?: Unit): readonly Html[] => {
  const count = (value: number): string =>
    unit === undefined ? String(value) : `${value} ${value === 1 ? unit : plurals[unit]}`
  const hasLow = low !== undefined && !formatLimits.includes(low)
  const hasHigh = high !== undefined && !formatLimits.includes(high)
  if (hasLow && hasHigh) return [html`${low === high ? 'exactly' : `${low} to`} ${count(high)}`]
  if (hasLow) return [html`at least ${count(low)}`]
  return hasHigh ? [html`at most ${count(high)}`] : []
}

const formatValue = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`
