import type * as z from 'zod/mini'
import type { FieldError } from './errors.ts'

/** Beyond so many, the count of the rest is told instead: an answer must not be far larger than its question. */
const faultLimit = 200

/** Every fault that a schema found, as a path and a sentence that goes on from it; no value is ever quoted. */
export const toFieldErrors = (
  error: z.core.$ZodError,
  input: unknown,
  place: string,
): readonly FieldError[] =>
  error.issues.flatMap((issue): FieldError | FieldError[] => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        field: shortened([...path, key].join('.')),
        message: 'is not known here',
      }))
    return { field: shortened(path.join('.')) || place, message: sentence(issue, at(input, issue.path)) }
  })

export const limitFieldErrors = (faults: readonly FieldError[]): readonly FieldError[] =>
  faults.length <= faultLimit
    ? faults
    : [
        ...faults.slice(0, faultLimit),
        { field: '', message: `and ${faults.length - faultLimit} more faults of this request` },
      ]

const sentence = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (value === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'never') return ownSentence(issue)
      return value === null ? 'must not be null' : `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'too_small':
      return boundSentence(issue.origin, Number(issue.minimum), 'least')
    case 'too_big':
      return boundSentence(issue.origin, Number(issue.maximum), 'most')
    case 'invalid_value':
      return `must be one of ${issue.values.map((known) => JSON.stringify(known)).join(', ')}`
    default:
      return ownSentence(issue)
  }
}

/** Our schemas say what they want, or why nothing may be there; the library without a locale says this. */
const ownSentence = ({ message }: z.core.$ZodIssue): string =>
  message === 'Invalid input' ? 'is malformed' : message

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const boundSentence = (origin: string, bound: number, side: 'least' | 'most'): string => {
  const unit = origin === 'string' ? ' characters long' : origin === 'array' ? ' entries long' : ''
  if (unit !== '' && side === 'least' && bound === 1) return 'must not be empty'
  return `must be at ${side} ${bound}${unit}`
}

const at = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      value !== null && typeof value === 'object' && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  )

const shortened = (field: string): string => (field.length > 120 ? `${field.slice(0, 120)}…` : field)
