import * as z from 'zod/mini'
import {
  blankRule,
  emailAddressRule,
  invisibleRule,
  isBlank,
  isEmailAddress,
  parsePageAddress,
  unwanted,
} from './text-rules.ts'

// The building blocks of the models. Creating schemas takes time at the start of a function, so many fields share one.
// Schemas are never changed.

/** An ID of this service or of a product: a positive integer below 2^31. */
export const id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** The same, or 0 for an object of a product that this service does not know. */
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

/** The name of what a page showed to the person who answers it: a SHA-256 in base64url. */
export const decisionName = z.string().check(z.regex(/^[\w-]{43}$/, 'must be what the page sent'))

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

/** Products have their own permissions, so only the form can be validated. */
export const givenPermission = z
  .string()
  .check(
    z.regex(/^[a-z][a-z0-9_-]{0,63}(:[a-z0-9_-]{1,64}){1,2}$/, 'must be a permission such as users:view'),
  )

/** The permissions in a request. */
export const givenPermissions = z
  .array(givenPermission)
  // Every request of a user reads their permissions.
  .check(z.maxLength(500))

/** The permissions that a client may ask for. They have to fit into its tokens. */
export const clientPermissions = z.array(givenPermission).check(z.maxLength(100))

/** The start page of a user. Products lead there, so it is never a script. */
export const startPage = text255.check(
  z.refine(
    (text) => text === '' || parsePageAddress(text, 'http://localhost') !== undefined,
    'must be a path that starts with /, or a URL with https or http',
  ),
)

// Texts for email messages. A line break in a header would start another header. A mark that changes the writing
// direction would change how the surrounding words read.

const longestSubject = 200
const longestText = 10_000

export const emailAddress = nonEmptyText.check(z.refine(isEmailAddress, { error: emailAddressRule }))
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/
const lineSeparators = /[\p{Zl}\p{Zp}]/u

const isPlain = (text: string): boolean =>
  !/\p{Cc}/u.test(text) && !lineSeparators.test(text) && !directionMarks.test(text)

export const singleLine = nonEmptyText.check(
  z.refine(isPlain, 'must be one line without control characters'),
  z.refine((given) => given.trim() !== '', 'must contain more than whitespace'),
  z.refine((given) => given.length <= longestSubject, `must be at most ${longestSubject} characters long`),
)

export const multiLine = nonEmptyText.check(
  z.refine((given) => isPlain(given.replaceAll(/[\r\n\t]/g, '')), 'must be text without control characters'),
  z.refine((given) => given.length <= longestText, `must be at most ${longestText} characters long`),
)

/**
 * Builds the schema of a request body: `update`, but fields that only `read` has are ignored. Clients can therefore
 * change a body that they read and send it back. A field that neither schema has is still an error. `read` is a model, or the names of
 * its fields, so that a function contains no large model for them. `prepare` converts other accepted forms of the body.
 */
export const writable = <Update extends z.ZodMiniObject>(
  update: Update,
  read: z.ZodMiniObject | readonly string[],
  prepare: (given: unknown) => unknown = (given) => given,
) => {
  const names = read instanceof z.ZodMiniObject ? Object.keys(read.def.shape) : read
  const ignored = names.filter((field) => !Object.hasOwn(update.def.shape, field))
  // `z.pipe` would require a type for the input, which has not been checked yet.
  const pipe: unknown = new z.ZodMiniPipe({
    type: 'pipe',
    in: z.transform((given: unknown) => removeKeys(prepare(given), ignored)),
    out: update,
  })
  // The constructor does not infer the type of its parts.
  return pipe as z.ZodMiniPipe<z.ZodMiniTransform<unknown, unknown>, Update>
}

/** Returns a copy without the given own keys. Anything that is not an object is returned unchanged. */
function removeKeys(given: unknown, keys: readonly string[]): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  // Spread also copies an own `__proto__` key. An assignment would set the prototype and lose the key.
  const copy: Record<string, unknown> = { ...given }
  for (const key of keys) delete copy[key]
  return copy
}

// A blank text has one error, not two.
const visible = z.refine<string>((text) => isBlank(text) || text.search(unwanted) < 0, invisibleRule)
const notBlank = z.refine<string>((text) => text === '' || !isBlank(text), blankRule)

/** One line of 1 to `maximum` characters that a person chooses as a name. */
export const displayText = (maximum: number) =>
  z.string().check(z.minLength(1), z.maxLength(maximum), visible, notBlank)
/** The same, or an empty text for none. */
export const nullableDisplayText255 = z.nullable(z.string().check(z.maxLength(255), visible, notBlank))

/** The name of an object of a product. It may come from a file, so only what no line can contain is refused. */
export const objectName = (maximum: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(maximum),
    z.refine(
      (text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text),
      'must be one line without control characters',
    ),
    notBlank,
  )
