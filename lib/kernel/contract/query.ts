import * as z from 'zod/mini'

// Query parameters arrive as text and are parsed as strictly as bodies: each value has one notation.
// `z.toJSONSchema` with `io: 'input'` describes them in the form that callers send.

/** The notation of a whole number: no plus sign, leading zeros, exponent, or white space. */
const wholeNumber = z
  .string()
  .check(z.refine((given) => /^(0|-?[1-9]\d*)$/.test(given), 'must be a whole number'))

const maxId = 2_147_483_647

/** A whole number within inclusive bounds. */
export const queryInt = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z
    .codec(wholeNumber, z.int().check(z.minimum(min), z.maximum(max)), { decode: Number, encode: String })
    .register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max })

export const queryId = queryInt({ min: 1, max: maxId })

/** One or more IDs, separated by commas. */
export const queryIds = z.codec(
  z
    .string()
    .check(z.regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,99}$/, 'must be 1 to 100 IDs separated by commas')),
  z.array(z.int().check(z.maximum(maxId))),
  { decode: (given) => given.split(',').map(Number), encode: (ids) => ids.join(',') },
)

export const queryText = z.string().check(z.minLength(1), z.maxLength(1023))

/** One or more names, separated by commas. */
export const queryNames = z.codec(
  z
    .string()
    .check(
      z.maxLength(4095),
      z.regex(/^[^,]+(,[^,]+){0,199}$/, 'must be 1 to 200 names separated by commas'),
    ),
  z.array(z.string()),
  { decode: (given) => given.split(','), encode: (names) => names.join(',') },
)

/** Python writes `True`, and some clients write `1`. */
const notations = { true: ['true', 'True', '1'], false: ['false', 'False', '0'] }
const allNotations = [...notations.true, ...notations.false]

const booleanText = z
  .string()
  .check(z.refine((given) => allNotations.includes(given), `must be one of ${allNotations.join(', ')}`))

export const queryBoolean = z
  .codec(booleanText, z.boolean(), {
    decode: (given) => notations.true.includes(given),
    encode: String,
  })
  .register(z.globalRegistry, {
    type: 'boolean',
    description: `One of ${allNotations.map((name) => `\`${name}\``).join(', ')}.`,
  })

/** A text to search for. An empty one matches everything. No name or email address is longer. */
export const querySearch = z.string().check(z.maxLength(255))

/** How `filter` is compared: see `buildNameMatcher`. Published clients know `exact` and `fuzzy`. */
export const queryFilteringMode = z._default(z.enum(['contains', 'startswith', 'exact', 'fuzzy']), 'contains')

/** The order of a list. */
export interface Ordering<Field extends string> {
  readonly field: Field
  readonly descending: boolean
}

/** A field to order a list by, with a leading `-` for descending order. */
export const ordering = <const Field extends string>(fields: readonly Field[], byDefault = 'id') => {
  const values: string[] = fields.flatMap((field) => [field, `-${field}`])
  const read = (given: string): Ordering<Field> => {
    const descending = given.startsWith('-')
    return { field: (descending ? given.slice(1) : given) as Field, descending }
  }
  return z.prefault(z.pipe(z.enum(values), z.transform(read)), byDefault)
}

/** The largest page is also the default: a client that does not know of pages gets as much as one answer can hold. */
const maxLimit = 1000
const maxOffset = 10_000

/** Not a `queryInt`, because the error names the way beyond the bound. */
const offset = z
  .codec(
    wholeNumber,
    z.int().check(
      z.minimum(0),
      z.refine(
        (given) => given <= maxOffset,
        `must be at most ${maxOffset}. To go further, use the cursor in the Link header of the previous page`,
      ),
    ),
    { decode: Number, encode: String },
  )
  .register(z.globalRegistry, { type: 'integer', minimum: 0, maximum: maxOffset })

/** The parameters of every list, to spread into the shape of its query. */
export const paging = {
  limit: z._default(queryInt({ min: 1, max: maxLimit }), maxLimit).register(z.globalRegistry, {
    description: `The maximum number of entries. The default is ${maxLimit}. A page ends earlier at 5 MB.`,
  }),
  offset: z._default(offset, 0).register(z.globalRegistry, {
    description:
      'The number of entries to skip. The default is 0. Add the number of received entries for the next page.',
  }),
  cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(2048))).register(z.globalRegistry, {
    description: 'The position of the next page, from the Link header of the previous page.',
  }),
}

/** Clients can leave out parts that cost other services of this interface extra work. */
export const queryUserParts = {
  include_effective_permissions: z.optional(queryBoolean),
}
