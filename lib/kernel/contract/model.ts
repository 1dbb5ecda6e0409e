import * as z from 'zod/mini'
import { omitUndefined, type Stored } from '../util/object-fields.ts'
import { type FieldText, setModelText } from './describe.ts'
import type { AuditedFields, InEvents } from './field-changes.ts'
import {
  type FieldCaller,
  type FieldCallers,
  type FieldRights,
  listSettableBy,
  type ReadRights,
  type SeenBy,
  type SettableBy,
} from './field-rights.ts'
import { type StoredFields, toBody } from './projection.ts'

/** A field of a model: its schema in responses, its text, and if requests may set it, its schema there and its first value. */
export interface Field<
  Schema extends z.ZodMiniType = z.ZodMiniType,
  Given extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Initial = unknown,
  By extends FieldCallers | undefined = FieldCallers | undefined,
  SeenBy extends FieldCallers | undefined = FieldCallers | undefined,
> {
  readonly schema: Schema
  readonly text: FieldText
  readonly given: Given
  readonly initial: Initial
  /** Who sets it, and who sees it. Required where several kinds of callers share the model: see `sharedFields`. */
  readonly by: By
  readonly seenBy: SeenBy
  /** What audit events say about a change. Undefined: that it changed, without its values. */
  readonly inEvents?: InEvents | undefined
}

export type Fields = Readonly<Record<string, Field>>

/** A field that requests cannot set. */
export const field = <
  Schema extends z.ZodMiniType,
  const SeenBy extends FieldCallers | undefined = undefined,
>(
  schema: Schema,
  text: FieldText,
  { seenBy, inEvents }: { readonly seenBy?: SeenBy; readonly inEvents?: InEvents } = {},
): Field<Schema, undefined, undefined, undefined, SeenBy> => ({
  schema,
  text,
  given: undefined,
  initial: undefined,
  by: undefined,
  seenBy: seenBy as SeenBy,
  inEvents,
})

interface Setting<Given, Initial, By, SeenBy> {
  /** The schema in requests, if it differs. */
  readonly given?: Given
  /** The value of a new object, if the request has none. */
  readonly initial?: Initial
  /** Who sets it. */
  readonly by?: By
  /** Who sees it. */
  readonly seenBy?: SeenBy
  /** What audit events say about a change. Without it: that it changed, but not its values. */
  readonly inEvents?: InEvents | undefined
}

/** A field that requests can set. */
export const settable = <
  Schema extends z.ZodMiniType,
  Given extends z.ZodMiniType = Schema,
  const Initial extends Readonly<z.output<Given>> | undefined = undefined,
  const By extends FieldCallers | undefined = undefined,
  const SeenBy extends FieldCallers | undefined = undefined,
>(
  schema: Schema,
  text: FieldText,
  {
    given = schema as z.ZodMiniType as Given,
    initial,
    by,
    seenBy,
    inEvents,
  }: Setting<Given, Initial, By, SeenBy> = {},
): Field<Schema, Given, Initial, By, SeenBy> => ({
  schema,
  text,
  given,
  initial: initial as Initial,
  by: by as By,
  seenBy: seenBy as SeenBy,
  inEvents,
})

/** A field with its rights: who sees it and, if requests can set it, who does. */
export type SharedField = Field<z.ZodMiniType, z.ZodMiniType | undefined> &
  ReadRights &
  ({ readonly given: undefined } | FieldRights)

export type SharedFields = Readonly<Record<string, SharedField>>

/** Each field that lacks its rights has another type than it should have. */
type WithRights<All> = { readonly [Name in keyof All]: All[Name] extends SharedField ? unknown : SharedField }

/**
 * The fields of a model that several kinds of callers read or change. A field that does not say who sets and who sees it does not
 * compile.
 */
export const sharedFields = <const All extends Readonly<Record<string, unknown>>>(
  fields: All & WithRights<All>,
): All => fields

/**
 * Returns what a function puts together from other fields. A bundle leaves the call out if nothing reads its result, but it keeps an object
 * that spreads another one.
 */
export const compose = <const All>(build: () => All): All => build()

/** Fields of schemas and texts that are declared apart. */
export const toFields = <const Schemas extends Readonly<Record<string, z.ZodMiniType>>>(
  schemas: Schemas,
  texts: { readonly [Name in keyof Schemas]: FieldText },
): FieldsOf<Schemas> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, settable(schema, texts[name] ?? '')]),
  ) as FieldsOf<Schemas>

type FieldsOf<Schemas extends Readonly<Record<string, z.ZodMiniType>>> = {
  readonly [Name in keyof Schemas]: Field<Schemas[Name], Schemas[Name], undefined, undefined, undefined>
}

/** The fields that a kind of caller sets. */
export const selectSettableBy = <All extends SharedFields, Caller extends FieldCaller>(
  fields: All,
  caller: Caller,
): Pick<All, SettableBy<All, Caller>> =>
  Object.fromEntries(listSettableBy(fields, caller).map((name) => [name, fields[name]])) as Pick<
    All,
    SettableBy<All, Caller>
  >

/** The fields that a kind of caller sees, for a model that only they read. */
export const selectSeenBy = <All extends SharedFields, Caller extends FieldCaller>(
  fields: All,
  caller: Caller,
): FieldsSeenBy<All, Caller> => {
  const seen: Record<string, Field> = {}
  for (const [name, one] of Object.entries<SharedField>(fields))
    if (one.seenBy.includes(caller)) seen[name] = { ...one, seenBy: undefined }
  return seen as FieldsSeenBy<All, Caller>
}

type FieldsSeenBy<All extends SharedFields, Caller extends FieldCaller> = {
  readonly [Name in SeenBy<All, Caller>]: Field<
    All[Name]['schema'],
    All[Name]['given'],
    All[Name]['initial'],
    All[Name]['by'],
    undefined
  >
}

/** The values of a new object, by the fields that have one. */
type Initials<All extends Fields> = {
  readonly [Name in SettableName<All> as All[Name]['initial'] extends undefined ? never : Name]: Stored<
    z.output<NonNullable<All[Name]['given']>>
  >
}

/** Returns the values of a new object, for the fields that requests can omit. */
export const listInitials = <const All extends Fields>(fields: All): Initials<All> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { initial }]) => (initial === undefined ? [] : [[name, initial]])),
  ) as Initials<All>

/** Who sees any of the fields. */
type ReaderOf<All extends Fields> = NonNullable<All[keyof All]['seenBy']>[number]

/** What an answer has of a field. Who does not see it gets an answer without it. */
type ShownSchema<One extends Field, Reader> = One['seenBy'] extends FieldCallers
  ? [Reader] extends [One['seenBy'][number]]
    ? One['schema']
    : AsOptional<One['schema']>
  : One['schema']

type Shape<All extends Fields> = {
  readonly [Name in keyof All]: ShownSchema<All[Name], ReaderOf<All>>
}

type SettableName<All extends Fields> = {
  [Name in keyof All & string]: All[Name]['given'] extends z.ZodMiniType ? Name : never
}[keyof All & string]

/** What a record has of fields. They are stored as they are shown. */
export type StoredFieldsOf<All extends Fields> = StoredFields<{ [Name in keyof All]: All[Name]['schema'] }>

/** What a record has of the fields that requests set. They are stored as they are shown. */
export type StoredSettings<All extends Fields> = StoredFields<{
  [Name in SettableName<All>]: All[Name]['schema']
}>

type GivenShape<All extends Fields, Required extends string> = {
  readonly [Name in SettableName<All>]: Name extends Required
    ? NonNullable<All[Name]['given']>
    : AsOptional<NonNullable<All[Name]['given']>>
}

type AsOptional<Schema extends z.ZodMiniType> =
  Schema extends z.ZodMiniOptional<infer _> ? Schema : z.ZodMiniOptional<Schema>

type Model<ModelShape extends z.core.$ZodShape> = z.ZodMiniObject<ModelShape, z.core.$strict>

interface TextOfModel<ModelShape extends z.core.$ZodShape> {
  readonly description: string
  readonly example: z.input<Model<ModelShape>>
}

/**
 * Builds a model from its fields. A field that only some of the readers see is optional. A test parses the example with the model.
 *
 * @example
 * ```ts
 * const fields = { id: field(id, docs && 'The ID of the film.'), name: settable(text255, docs && 'The name of the film.') }
 * export const Film = model(fields, docs && { description: 'A film.', example: { id: 1, name: 'Metropolis' } })
 * export const FilmUpdate = changes(fields, docs && { description: 'A new film.', example: { name: 'M' } }, ['name'])
 * ```
 */
export const model = <const All extends Fields>(
  fields: All,
  text: TextOfModel<Shape<All>>,
): Model<Shape<All>> => withTexts(z.strictObject(shapeOf(fields)), fields, text)

const shapeOf = <const All extends Fields>(fields: All): Shape<All> => {
  const readers = new Set(Object.values(fields).flatMap(({ seenBy = [] }) => seenBy))
  const isForAll = ({ seenBy }: Field) => !seenBy || [...readers].every((reader) => seenBy.includes(reader))
  return mapFields(fields, (one) => (isForAll(one) ? one.schema : toOptional(one.schema))) as Shape<All>
}

const toOptional = (schema: z.ZodMiniType): z.ZodMiniType =>
  schema instanceof z.ZodMiniOptional ? schema : z.optional(schema)

/** What answers have of declared fields. */
export type BodyOf<All extends Fields> = z.output<Model<Shape<All>>>

/**
 * Builds the body of a model for some callers, with the fields that they see. `values` can have more: what is only stored, or what only
 * others see, gets into no answer.
 */
export const toBodyFor = <All extends SharedFields>(
  callers: FieldCallers,
  fields: All,
  values: StoredFieldsOf<All>,
): BodyOf<All> => {
  const seen = Object.entries<SharedField>(fields).filter(([, { seenBy }]) =>
    seenBy.some((caller) => callers.includes(caller)),
  )
  const shape = Object.fromEntries(seen.map(([name, { schema }]) => [name, schema]))
  return toBody<object>(shape, values as object) as BodyOf<All>
}

/** Builds a model that ignores other fields, as OAuth and browsers require. */
export const openModel = <const All extends Fields>(
  fields: All,
  text: TextOfModel<Shape<All>>,
): z.ZodMiniObject<Shape<All>, z.core.$strip> => withTexts(z.object(shapeOf(fields)), fields, text)

/** Builds the model of an answer that can have other fields, whose names the service decides. */
export const extensibleModel = <const All extends Fields>(
  fields: All,
  text: TextOfModel<Shape<All>>,
): z.ZodMiniObject<Shape<All>, z.core.$loose> => withTexts(z.looseObject(shapeOf(fields)), fields, text)

/** Builds the model of a request that sets fields: those in `required`, and any other that is settable. */
export const changes = <const All extends Fields, const Required extends SettableName<All> = never>(
  fields: All,
  text: TextOfModel<GivenShape<All, Required>>,
  required: readonly Required[] = [],
): Model<GivenShape<All, Required>> => {
  const isRequired = (name: string) => required.some((one) => one === name)
  const shape = mapFields(fields, ({ given }, name) =>
    given === undefined || isRequired(name) ? given : toOptional(given),
  )
  return withTexts(z.strictObject(shape as GivenShape<All, Required>), fields, text)
}

const mapFields = (
  fields: Fields,
  map: (field: Field, name: string) => z.ZodMiniType | undefined,
): Record<string, z.ZodMiniType> => {
  const shape: Record<string, z.ZodMiniType> = {}
  for (const [name, one] of Object.entries(fields)) {
    const schema = map(one, name)
    if (schema) shape[name] = schema
  }
  return shape
}

/** Gives a model the texts of its fields. */
const withTexts = <Schema extends z.ZodMiniObject>(
  schema: Schema,
  fields: Fields,
  text: { readonly description: string; readonly example: unknown },
): Schema => {
  if (docs) {
    const texts = Object.keys(schema.def.shape).map((name) => [name, fields[name]?.text ?? ''])
    setModelText(schema, { ...text, fields: Object.fromEntries(texts) })
  }
  return schema
}

/** What audit events have of declared fields, for functions that contain no schemas. */
export const listAudited = (fields: Fields): AuditedFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { inEvents, seenBy }]) => [name, omitUndefined({ inEvents, seenBy })]),
  )
