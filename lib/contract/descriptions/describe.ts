import type * as z from 'zod/mini'
import type { Operation, Schema } from '../operation.ts'

/*
 * The texts of the OpenAPI document. They stand apart from the declarations, so that the functions do not load them. The
 * types require a text for every field, operation and parameter: what is not described does not compile.
 */

/** A text in CommonMark. With an example if the type and format do not already show what a value looks like. */
export type FieldText = string | { readonly description: string; readonly example: unknown }

export interface ModelText<Model extends Schema = Schema> {
  readonly model: Model
  readonly description: string
  readonly fields: { readonly [Field in FieldName<Model>]: FieldText }
  readonly example: z.input<Model>
}

type FieldName<Model extends Schema> = keyof z.input<Model> & string

/** Texts of other fields. Spreading shared texts would otherwise hide them from the compiler. */
type NoOthers<Fields, Model extends Schema> = {
  readonly [Field in Exclude<keyof Fields, FieldName<Model>>]: never
}

/** Describes a model and each of its fields. The test of examples parses the example with the model. */
export const describeModel = <Model extends Schema, Fields extends ModelText<Model>['fields']>(
  model: Model,
  text: Omit<ModelText<Model>, 'model' | 'fields'> & { readonly fields: Fields & NoOthers<Fields, Model> },
): ModelText<Model> => ({ model, ...text })

/** An example with a name for readers, such as `A user with a second factor`. */
export interface Example {
  readonly summary: string
  readonly value: unknown
}

export interface OperationText<Op extends Operation = Operation> {
  /** What callers get and what changes, in CommonMark. The rules of access are added from the declaration. */
  readonly description: string
  /** The parameters of the path and the query, apart from those of every list: `limit`, `offset`, `cursor`, `ordering`. */
  readonly parameters: { readonly [Name in ParameterName<Op>]: FieldText }
  readonly request?: readonly Example[]
  /** The bodies of responses, by status. Errors have their own examples, built from codes and reasons. */
  readonly responses?: { readonly [Status in keyof Op['responses'] & number]?: readonly Example[] }
}

type PathName<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathName<Rest> : never
type QueryName<Op extends Operation> = Op['query'] extends Schema
  ? keyof z.input<Op['query']> & string
  : never
type ParameterName<Op extends Operation> = Exclude<
  PathName<Op['path']> | QueryName<Op>,
  'limit' | 'offset' | 'cursor' | 'ordering'
>

/** Describes every operation of a module of `lib/contract/operations`. */
export type OperationTexts<Operations extends Readonly<Record<string, Operation>>> = {
  readonly [Name in keyof Operations]: OperationText<Operations[Name]>
}
