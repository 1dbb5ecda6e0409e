import { getModelName, type Schema } from './document.ts'
import { type Html, html, joinHtml } from './html.ts'
import type { Markdown } from './markdown.ts'

export interface Field {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description?: string | undefined
  readonly example?: unknown
  readonly isForPublishedClients?: boolean | undefined
  /** Where a parameter is sent, such as `query`. */
  readonly place?: string
}

export interface FieldListOptions {
  /** Gives each field an ID that starts with this text. */
  readonly idPrefix?: string
  /** Links each field to an ID that starts with this text. */
  readonly linkPrefix?: string
}

/** Lists the fields of an object. */
export const listFields = ({ properties = {}, required = [] }: Schema): readonly Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
    description: schema.description,
    example: schema.examples?.[0] ?? schema.example,
    isForPublishedClients: schema['x-published-clients'],
  }))

/** A field with the ID of its place. */
export interface PlacedField {
  readonly id: string
  readonly field: Field
}

/** Lists fields with those of objects that are shown in place, by the IDs that `renderFields` gives them. */
export const placeFields = (fields: readonly Field[], idPrefix: string): readonly PlacedField[] =>
  fields.flatMap((field) => {
    const id = idPrefix + field.name
    const nested = findInlineObject(field.schema)
    return [{ id, field }, ...(nested ? placeFields(listFields(nested), `${id}.`) : [])]
  })

/** Renders fields or parameters with their types, limits and texts. Objects without a name are shown in place. */
export const renderFields = (
  fields: readonly Field[],
  markdown: Markdown,
  options: FieldListOptions = {},
): Html => html`<dl class="fields">${fields.map((field) => renderField(field, markdown, options))}</dl>`

const renderField = (field: Field, markdown: Markdown, { idPrefix, linkPrefix }: FieldListOptions): Html => {
  const { name, schema, isRequired, description, example, isForPublishedClients, place } = field
  const own = idPrefix === undefined ? undefined : idPrefix + name
  const target = own ?? (linkPrefix === undefined ? undefined : linkPrefix + name)
  const code = html`<code>${name}</code>`
  const facts = [
    describeType(schema),
    ...(isRequired ? [html`<strong>required</strong>`] : []),
    ...(schema.readOnly ? ['read-only'] : []),
    ...(isForPublishedClients ? ['for published clients'] : []),
    ...describeLimits(schema),
  ]
  const nested = findInlineObject(schema)
  const parameter = place === undefined ? html`` : html` data-in="${place}" data-name="${name}"`
  const sample = example === undefined ? html`` : html` data-example="${formatExample(example)}"`
  return html`<div${own === undefined ? html`` : html` id="${own}"`}${parameter}${place === undefined ? html`` : sample}>
<dt>${target === undefined ? code : html`<a href="#${target}">${code}</a>`} <span class="facts">${joinHtml(facts, ', ')}</span></dt>
<dd>${markdown.render(description)}${
    example === undefined
      ? undefined
      : html`<p class="example">Example: <code>${formatExample(example)}</code></p>`
  }${nested ? renderFields(listFields(nested), markdown, own === undefined ? {} : { idPrefix: `${own}.` }) : undefined}</dd>
</div>`
}

/** Returns the object that a field consists of, if no model has its fields. */
const findInlineObject = (schema: Schema): Schema | undefined => {
  if (getModelName(schema) !== undefined) return undefined
  if (schema.properties) return schema
  if (schema.items) return findInlineObject(schema.items)
  return (schema.anyOf ?? schema.oneOf)?.map(findInlineObject).find((found) => found !== undefined)
}

const formatExample = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

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
const describeLimits = (schema: Schema): readonly Html[] => {
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
