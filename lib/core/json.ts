import { type FieldError, invalidRequest } from './errors.ts'
import { bodyDepth } from './limits.ts'

/**
 * Reads JSON that somebody sent; `place` is what the faults call it.
 *
 * @throws AppError `invalid_request` when it isn't JSON, or holds what neither the table nor any client could take.
 */
export const parseJson = (text: string, place: string): unknown => {
  const value = parse(text, place)
  const faults = textFaults(value, place)
  if (faults.length > 0) throw invalidRequest(faults)
  return value
}

const parse = (text: string, place: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own message quotes the text, which may hold a password; the position alone is safe to tell.
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const where = position === undefined ? '' : `: look at character ${Number(position) + 1}`
    throw invalidRequest([{ field: place, message: `is not valid JSON${where}` }])
  }
}

/** What no text or nesting may be, wherever it stands. */
const textFaults = (root: unknown, place: string): readonly FieldError[] => {
  const faults: FieldError[] = []
  const visit = (value: unknown, path: readonly string[]): void => {
    const field = path.join('.') || place
    if (path.length > bodyDepth) faults.push({ field, message: 'is nested too deeply' })
    else if (typeof value === 'string') {
      if (!value.isWellFormed()) faults.push({ field, message: 'holds half of a surrogate pair' })
    } else if (value !== null && typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name])
  }
  visit(root, [])
  return faults
}
