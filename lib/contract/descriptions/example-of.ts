import type * as z from 'zod/mini'
import type { Schema } from '../operation.ts'
import { modelTexts } from './model-texts.ts'

/** Returns the example of a model with a text. A test checks that every model with a name has one. */
export const exampleOf = <Model extends Schema>(model: Model): z.input<Model> => {
  const text = modelTexts.find((known) => known.model === model)
  if (!text) throw new Error('The model has no text with an example.')
  return text.example as z.input<Model>
}
