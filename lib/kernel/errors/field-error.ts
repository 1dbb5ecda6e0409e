import type * as z from 'zod/mini'
import type { FieldError } from './errors.ts'

/** Errors beyond this number are only counted. The response must not be far larger than the request. */
const maxFieldErrors = 200
const maxPathLength = 120

/**
 * Converts the errors of a schema. Each message continues its field path (`name` "is required") and never quotes a
 * value. `part` names the whole input, such as `body`.
 */
export const toFieldErrors = (error: z.core.$ZodError, input: unknown, part: string): readonly FieldError[] =>
  withoutConsequences(error.issues.flatMap(chooseAlternative)).flatMap((issue): FieldError | FieldError[] => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        field: shorten([...path, key].join('.')),
        // Names in camel case come from other APIs, and from the typed client of an editor.
        message: /^[a-z]{1,40}[A-Z][A-Za-z]{0,40}$/.test(key)
          ? `is not recognized. Names of fields are written like ${key.replaceAll(/[A-Z]/g, '_$&').toLowerCase()}`
          : 'is not recognized',
      }))
    return {
      field: shorten(path.join('.')) || part,
      message: describeIssue(issue, getValue(input, issue.path)),
    }
  })

/** Zod also checks the length of a text where a list is expected. Once the type is wrong, nothing else about the value is said. */
const withoutConsequences = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const pathOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path.map(String))
  const wrongTypes = new Set(issues.filter(({ code }) => code === 'invalid_type').map(pathOf))
  return issues.filter((issue) => issue.code === 'invalid_type' || !wrongTypes.has(pathOf(issue)))
}

/**
 * A union reports the errors of all its alternatives. Those of the alternative that has the type of the input say what is
 * wrong. Without such an alternative, the message of the union itself is shown.
 */
const chooseAlternative = (issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] => {
  if (issue.code !== 'invalid_union') return [issue]
  const ofType = issue.errors.find(
    (errors) => !errors.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  return ofType?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue]
}

/** Shortens a list of errors. The last entry says how many were left out. */
export const limitFieldErrors = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.length <= maxFieldErrors
    ? errors
    : [
        ...errors.slice(0, maxFieldErrors),
        { field: '', message: `and ${errors.length - maxFieldErrors} more errors in this request` },
      ]

const describeIssue = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (value === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'never') return getOwnMessage(issue)
      return value === null
        ? 'must not be null'
        : `must be ${typeNames.get(issue.expected) ?? issue.expected}`
    case 'too_small':
      return describeBound(issue.origin, Number(issue.minimum), 'least')
    case 'too_big':
      return describeBound(issue.origin, Number(issue.maximum), 'most')
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    default:
      return getOwnMessage(issue)
  }
}

/** Returns the message of our own schema. Zod without a locale says `Invalid input` if the schema has none. */
const getOwnMessage = ({ message }: z.core.$ZodIssue): string =>
  message === 'Invalid input' ? 'is malformed' : message

const typeNames = new Map<string, string>(
  Object.entries({
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
    map: 'an object',
    tuple: 'a list',
    set: 'a list',
    bigint: 'a whole number',
    date: 'a time',
    null: 'null',
  }),
)

const describeBound = (origin: string, bound: number, side: 'least' | 'most'): string => {
  const unit = origin === 'string' ? ' characters long' : origin === 'array' ? ' entries long' : ''
  if (unit !== '' && side === 'least' && bound === 1) return 'must not be empty'
  return `must be at ${side} ${bound}${unit}`
}

const getValue = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      value !== null && typeof value === 'object' && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  )

const shorten = (path: string): string =>
  path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path
