import { bodyDepth } from '../limits/limits.ts'
import { type FieldError, invalidRequest } from './errors.ts'

/**
 * Parses JSON from outside. `part` is what field errors call the whole text, such as `body`.
 *
 * @throws AppError `invalid_request` if it is not JSON, or contains text or nesting that the table cannot store.
 */
export const parseJson = (text: string, part: string): unknown => {
  const value = parse(text, part)
  const errors = validateTexts(value, part)
  if (errors.length > 0) throw invalidRequest(errors)
  return value
}

const parse = (text: string, part: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The message of the parser quotes the text, which may contain a password. Only the position is safe to report.
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const where = position === undefined ? '' : ` (error at character ${Number(position) + 1})`
    throw invalidRequest([{ field: part, message: `is not valid JSON${where}` }])
  }
}

/** In this mode, a surrogate that belongs to a pair is no character of its own. */
const halfPair = /\p{Cs}/u

const validateTexts = (root: unknown, part: string): readonly FieldError[] => {
  const errors: FieldError[] = []
  const visit = (value: unknown, path: readonly string[]): void => {
    const field = path.join('.') || part
    if (path.length > bodyDepth) errors.push({ field, message: 'is nested too deeply' })
    else if (typeof value === 'string') {
      if (halfPair.test(value)) errors.push({ field, message: 'contains half of a surrogate pair' })
    } else if (value !== null && typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name])
  }
  visit(root, [])
  return errors
}
