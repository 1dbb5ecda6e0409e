import * as z from 'zod/mini'
import type { Stored } from '../util/object-fields.ts'

/*
 * A field that answers show as it is stored is declared once, in its model. The type of the record, the answers and the changes of
 * the record follow from this declaration, by the names in a file `*.models.prebuilt.ts` of their folder.
 */

/** What a record has of declared fields: their values under the same names. */
export type StoredFields<Declared extends Readonly<Record<string, z.ZodMiniType>>> = Stored<{
  [Name in keyof Declared]: z.output<Declared[Name]>
}>

/** Lists are copied. */
type Shown<Row, Name extends keyof Row> = {
  -readonly [Field in Name]: Row[Field] extends readonly (infer Part)[] ? Part[] : Row[Field]
}

/** Shows the declared fields of a record, and nothing else that it has. So what is only stored gets into no answer. */
export const project = <Name extends string, Row extends Readonly<Record<Name, unknown>>>(
  names: readonly Name[],
  record: Row,
): Shown<Row, Name> => {
  const shown: Partial<Record<Name, unknown>> = {}
  for (const name of names) {
    const value = record[name]
    shown[name] = Array.isArray(value) ? [...value] : value
  }
  return shown as Shown<Row, Name>
}

/** The declared fields that a body gives, for a change of a record. Nothing else of the body gets into the record. */
export const readGiven = <Name extends string, Body extends Readonly<Partial<Record<Name, unknown>>>>(
  names: readonly Name[],
  body: Body,
): { [Field in Name & keyof Body]?: Exclude<Body[Field], undefined> } =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))) as {
    [Field in Name & keyof Body]?: Exclude<Body[Field], undefined>
  }

type Shape = Readonly<Record<string, z.core.$ZodType>>

/**
 * Builds a body from the fields that its model declares, also from those of the objects in it. `values` can have more: what is
 * only stored gets into no answer. It needs schemas, and functions contain only those of requests.
 */
export const toBody = <Body extends object>(shape: Shape, values: Stored<Body> & object): Body =>
  showFields(shape, values) as Body

const showFields = (shape: Shape, values: object): object => {
  const given = new Map<string, unknown>(Object.entries(values))
  const names = Object.keys(shape).filter((name) => given.has(name))
  return Object.fromEntries(names.map((name) => [name, showValue(shape[name], given.get(name))]))
}

const showValue = (schema: unknown, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniReadonly
  )
    return showValue(schema.def.innerType, value)
  if (schema instanceof z.ZodMiniArray && Array.isArray(value))
    return value.map((item) => showValue(schema.def.element, item))
  return schema instanceof z.ZodMiniObject ? showFields(schema.def.shape, value) : value
}
