import * as z from 'zod/mini'

// The building blocks of the models. Creating schemas takes time at the start of a function, so many fields share one.
// Schemas are never changed.

/** An ID of this service or of the media library: a positive integer below 2^31. */
export const id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** The same, or 0 for an object of the media library that this service does not know. */
export const idOrNone = z.int().check(z.minimum(0), z.maximum(2_147_483_647))
export const ids = z.array(id)
export const int32 = z.int32()
/** Any whole number that JSON parsers read without loss: up to 2^53 - 1. */
export const integer = z.int()
export const flag = z.boolean()

export const anyText = z.string()
export const nonEmptyText = z.string().check(z.minLength(1))
export const texts = z.array(z.string())
/** A text of 1 to `maximum` characters. */
export const text = (maximum: number) => z.string().check(z.minLength(1), z.maxLength(maximum))
/** A text of up to `maximum` characters, possibly empty. */
export const textUpTo = (maximum: number) => z.string().check(z.maxLength(maximum))
export const text255 = text(255)
export const nullableTextUpTo255 = z.nullable(textUpTo(255))

// Read-only fields are part of responses. They are ignored in requests: see `writable`.
export const readOnlyText = z.readonly(anyText)
export const readOnlyTexts = z.readonly(texts)
export const readOnlyFlag = z.readonly(flag)

/** A time in responses: ISO 8601, UTC, milliseconds. */
export const dateTime = z.iso.datetime({ precision: 3 })
export const nullableDateTime = z.nullable(dateTime)
export const readOnlyDateTime = z.readonly(dateTime)

const dateTimeError = { error: 'must be a date and time such as 2026-01-31T12:00:00.000Z', abort: true }

/**
 * A time in requests: any RFC 3339 offset and precision, converted to `dateTime`. A time without an offset is UTC, because
 * published clients send the times of programs that know no time zone.
 */
export const givenDateTime = z.iso
  .datetime({ offset: true, local: true, ...dateTimeError })
  .check(
    // Zod accepts a time without seconds if it has no offset. With an offset, the first and last hours of the calendar can
    // fall outside of the four-digit years.
    z.refine((given) => /T\d{2}:\d{2}:/.test(given) && /^\d/.test(toUtc(given)), dateTimeError),
    z.overwrite(toUtc),
  )
  // Zod gives no format to times without an offset.
  .register(z.globalRegistry, {
    format: 'date-time',
    description: 'A time with an offset (RFC 3339). A time without an offset is UTC.',
  })

function toUtc(given: string): string {
  const hasOffset = /(Z|[+-]\d{2}:\d{2})$/.test(given)
  // Otherwise the time zone of the machine would count.
  return new Date(hasOffset ? given : `${given}Z`).toISOString()
}

/** Levels of nesting in a JSON value. */
const maxDepth = 20

/** Any JSON value, stored without changes. */
export const jsonValue = z
  .unknown()
  .check(
    z.refine(
      (value) => isJson(value, maxDepth),
      `must be JSON with at most ${maxDepth} levels, without __proto__ and whole numbers above 2^53`,
    ),
  )

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  // Parsers round whole numbers above 2^53, so the value is not the one that was sent.
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  if (typeof value !== 'object' || depth === 0) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1))
  // JSON.parse creates `__proto__` as an own key. Copying the object would turn it into a prototype.
  return Object.entries(value).every(([key, item]) => key !== '__proto__' && isJson(item, depth - 1))
}
