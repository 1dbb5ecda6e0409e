import type * as z from 'zod/mini'

/*
 * The texts of the OpenAPI document. Each stands beside the field, model or operation that it describes, as `docs && text`.
 * Bundles of functions define `docs` as false, so that the bundler leaves the texts out, and all that only they use.
 */

declare global {
  /** Whether texts are there: everywhere but in the bundles of functions. Only an expression that no deployed function reads begins with it. */
  const docs: true
}

if (typeof docs === 'undefined') Object.assign(globalThis, { docs: true })

/** A text in CommonMark. With an example if the type and format do not already show what a value looks like. */
export type FieldText =
  | string
  | {
      readonly description: string
      readonly example?: unknown
      /** Whether only published clients know the field: see `published-clients/`. */
      readonly isForPublishedClients?: true
    }

/** The text of a field that only published clients know. */
export const describeForPublishedClients = (description: string) =>
  ({ description, isForPublishedClients: true }) as const

interface ModelText<Model extends z.ZodMiniType> {
  readonly description: string
  readonly fields: { readonly [Field in FieldName<Model>]: FieldText }
  readonly example: z.input<Model>
}

type FieldName<Model extends z.ZodMiniType> = keyof z.input<Model> & string

/** Texts of other fields. Spreading shared texts would otherwise hide them from the compiler. */
type NoOthers<Fields, Model extends z.ZodMiniType> = {
  readonly [Field in Exclude<keyof Fields, FieldName<Model>>]: never
}

/** The text of a model, whichever fields it has. */
export interface AnyModelText {
  readonly description: string
  readonly fields: Readonly<Record<string, FieldText>>
  readonly example: unknown
}

const modelTexts = new Map<z.ZodMiniType, () => AnyModelText>()

/**
 * Describes a model and each of its fields: what is not described does not compile. A test parses the example with the
 * model.
 */
export const describeModel = <Model extends z.ZodMiniType, Fields extends ModelText<Model>['fields']>(
  model: Model,
  text: () => Omit<ModelText<Model>, 'fields'> & { readonly fields: Fields & NoOthers<Fields, Model> },
): void => {
  if (modelTexts.has(model)) throw new Error('The model is described twice.')
  modelTexts.set(model, text)
}

/** Sets the text of a model from those of its fields: see `model.ts`. */
export const setModelText = (model: z.ZodMiniType, text: AnyModelText): void => {
  modelTexts.set(model, () => text)
}

/** Returns the text of a model that has a name. */
export const findModelText = (model: z.ZodMiniType): AnyModelText | undefined => modelTexts.get(model)?.()

/** Returns the example of a model with a text. A test checks that every model with a name has one. */
export const exampleOf = <Model extends z.ZodMiniType>(model: Model): z.input<Model> => {
  const text = findModelText(model)
  if (!text) throw new Error('The model has no text with an example.')
  return text.example as z.input<Model>
}

/** An example with a name for readers, such as `A user with a second factor`. */
export interface Example {
  readonly summary: string
  readonly value: unknown
}

/** Gives an operation its text, which the bundles of functions leave out. */
export const describe = <Text>(text: () => Text): (() => Text) => text
