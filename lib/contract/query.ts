import * as z from 'zod/mini'

// The parameters of a query. Each arrives as text and is read as strictly as a body is: one spelling a value.
// `z.toJSONSchema` with `io: 'input'` shows them as a caller writes them.

/** What a whole number can look like: no sign but a minus, no leading zero, no exponent, no white space. */
const wholeNumber = z
  .string()
  .check(z.refine((given) => /^(0|-?[1-9]\d*)$/.test(given), 'must be a whole number'))

const maxId = 2_147_483_647

/** A whole number within these bounds. */
export const queryInt = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z
    .codec(wholeNumber, z.int().check(z.minimum(min), z.maximum(max)), { decode: Number, encode: String })
    .register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max })

export const queryId = queryInt({ min: 1, max: maxId })

/** One id or several, with commas between them. */
export const queryIds = z.codec(
  z
    .string()
    .check(z.regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,99}$/, 'must be 1 to 100 ids with commas between them')),
  z.array(z.int().check(z.maximum(maxId))),
  { decode: (given) => given.split(',').map(Number), encode: (ids) => ids.join(',') },
)

export const queryText = z.string().check(z.minLength(1), z.maxLength(1023))

export const queryBoolean = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (given) => given === 'true',
  encode: (value) => (value ? 'true' : 'false'),
})

/** How a list is ordered. */
export interface Ordering<Field extends string> {
  readonly field: Field
  readonly descending: boolean
}

/** One of these fields to order a list by, `-` before it for descending; by `id` when left out. */
export const ordering = <const Field extends string>(fields: readonly Field[], byDefault = 'id') => {
  const spellings: string[] = fields.flatMap((field) => [field, `-${field}`])
  const read = (given: string): Ordering<Field> => {
    const descending = given.startsWith('-')
    return { field: (descending ? given.slice(1) : given) as Field, descending }
  }
  return z.prefault(z.pipe(z.enum(spellings), z.transform(read)), byDefault)
}

/** The parameters that every list has, to be spread into the shape of its query. */
export const paging = {
  limit: z
    ._default(queryInt({ min: 1, max: 1000 }), 100)
    .register(z.globalRegistry, { description: 'How many at most; 100 when left out.' }),
  offset: z
    ._default(queryInt({ min: 0, max: 10_000 }), 0)
    .register(z.globalRegistry, { description: 'How many to skip; 0 when left out.' }),
  cursor: z
    .optional(z.string().check(z.minLength(1), z.maxLength(2048)))
    .register(z.globalRegistry, { description: 'Where to go on, from the Link header of the page before.' }),
}
