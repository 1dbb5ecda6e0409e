import * as z from 'zod/mini'

// The building blocks of the models. A schema is made once here and used by many fields: it is never changed,
// and making one is what costs time at the start of a function.

/** An id of ours, and of the media library: a positive integer below 2^31. */
export const id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
export const ids = z.array(id)
export const int32 = z.int32()
/** Any whole number that a JSON parser reads without loss: up to 2^53 - 1. */
export const integer = z.int()
export const flag = z.boolean()

export const anyText = z.string()
export const nonEmptyText = z.string().check(z.minLength(1))
export const texts = z.array(z.string())
/** A text of 1 to `maximum` characters. */
export const text = (maximum: number) => z.string().check(z.minLength(1), z.maxLength(maximum))
/** A text of up to `maximum` characters, that may be empty. */
export const textUpTo = (maximum: number) => z.string().check(z.maxLength(maximum))
export const text255 = text(255)
export const nullableTextUpTo255 = z.nullable(textUpTo(255))

// What only the service sets: sent in answers, ignored in bodies (see `writable`).
export const readOnlyText = z.readonly(anyText)
export const readOnlyTexts = z.readonly(texts)
export const readOnlyFlag = z.readonly(flag)

/** A point in time as it leaves the service: ISO 8601, UTC, milliseconds. */
export const dateTime = z.iso.datetime({ precision: 3 })
export const nullableDateTime = z.nullable(dateTime)
export const readOnlyDateTime = z.readonly(dateTime)

const dateTimeFault = { error: 'must be a date and time such as 2026-01-31T12:00:00.000Z', abort: true }

/** A point in time as it is sent to the service: any RFC 3339 offset and precision, made into `dateTime`. */
export const givenDateTime = z.iso.datetime({ offset: true, ...dateTimeFault }).check(
  // An offset can carry the first and last hours of the calendar out of the four-digit years.
  z.refine((given) => /^\d/.test(toUtc(given)), dateTimeFault),
  z.overwrite(toUtc),
)

function toUtc(given: string): string {
  return new Date(given).toISOString()
}

/** How deep a JSON value may be nested. */
const maxDepth = 20

/** Whatever JSON can say, kept as it was given. */
export const jsonValue = z
  .unknown()
  .check(
    z.refine(
      (value) => isJson(value, maxDepth),
      `must be JSON nested at most ${maxDepth} deep, without __proto__ and whole numbers above 2^53`,
    ),
  )

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  // A whole number above 2^53 is not the one that was sent.
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  if (typeof value !== 'object' || depth === 0) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1))
  // A `__proto__` that JSON.parse made an own key would turn into a prototype in the next copy of the object.
  return Object.entries(value).every(([key, item]) => key !== '__proto__' && isJson(item, depth - 1))
}
