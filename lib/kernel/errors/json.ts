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

/** An object or a list that the scan is inside of. */
interface Level {
  /** The keys so far. Undefined in a list. */
  readonly keys: Set<string> | undefined
  /** The current key or index. */
  name: string | number
  isKeyNext: boolean
}

/**
 * Lists the keys that are repeated within one object of a valid JSON text, as paths such as `groups.0.name`. JSON.parse
 * keeps only the last value of a repeated key, while a proxy in front of the service may read the first one (RFC 8259 4).
 * Takes time in proportion to the length.
 */
export const listRepeatedKeys = (text: string): readonly string[] => {
  const repeated = new Set<string>()
  const levels: Level[] = []
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1)
    const character = text[at]
    if (character === '{') levels.push({ keys: new Set(), name: '', isKeyNext: true })
    else if (character === '[') levels.push({ keys: undefined, name: 0, isKeyNext: false })
    else if (character === '}' || character === ']') levels.pop()
    else if (character === ',' && level) {
      level.isKeyNext = level.keys !== undefined
      if (typeof level.name === 'number') level.name += 1
    } else if (character === '"') {
      const end = findEndOfString(text, at)
      if (level?.keys && level.isKeyNext) {
        level.name = String(JSON.parse(text.slice(at, end + 1)))
        level.isKeyNext = false
        // Deeper values are rejected anyway, and their paths would take long to write.
        if (level.keys.has(level.name) && levels.length <= bodyDepth)
          repeated.add(levels.map(({ name }) => name).join('.'))
        level.keys.add(level.name)
      }
      at = end
    }
  }
  return [...repeated]
}

const findEndOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
