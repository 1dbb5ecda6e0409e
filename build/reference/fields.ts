import { describeLimits, describeType } from './describe-type.ts'
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
