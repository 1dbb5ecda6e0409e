import { type AttributePath, findPart, findPath, isWholeExtension } from './attribute-paths.ts'
import type { ScimAttribute, ScimResourceType } from './attributes.models.ts'
import { badRequest } from './scim-error.ts'
import { keyOf, type ScimComplex, type ScimScalar, type ScimValue, type ScimValues } from './scim-values.ts'

/** The operators of RFC 7644 3.4.2.2 that are understood. */
export type Comparison = 'eq' | 'co' | 'sw'

/** What is compared: a part of an attribute, or the attribute itself. Undefined for what is not stored: it has no value. */
export interface Operand {
  readonly path: AttributePath | undefined
  /** Only the entries that match, of an attribute with several: `emails[type eq "work"]`. */
  readonly entries?: ScimFilter | undefined
}

export type ScimFilter =
  | {
      readonly kind: 'compare'
      readonly operand: Operand
      readonly operator: Comparison
      readonly value: ScimScalar
    }
  | { readonly kind: 'present'; readonly operand: Operand }
  | { readonly kind: 'not'; readonly of: ScimFilter }
  | { readonly kind: 'and' | 'or'; readonly all: readonly ScimFilter[] }

/** The longest filter in bytes, and the deepest nesting of brackets. */
export const scimFilterBytes = 1024
const deepest = 3

/**
 * Parses a filter (RFC 7644 3.4.2.2) with `eq`, `co`, `sw`, `pr`, `and`, `or`, `not`, brackets and value paths.
 *
 * @throws ScimError `invalidFilter` for any other text, one longer than 1 KB, or one with more than three levels of brackets
 *
 * @example
 * ```ts
 * parseFilter(resourceTypes.User, 'emails[type eq "work"].value eq "ada@example.com"')
 * ```
 */
export const parseFilter = (type: ScimResourceType, text: string): ScimFilter => {
  if (Buffer.byteLength(text) > scimFilterBytes)
    throw invalid(`A filter must not be longer than ${scimFilterBytes} bytes.`)
  const parser = new Parser(text, (name) => findOperandPath(type, name))
  const filter = parser.parseOr(0)
  parser.expectEnd()
  return filter
}

/** Parses the filter inside a value path, whose names are parts of the attribute: `type eq "work"`. */
export const parseEntryFilter = (attribute: ScimAttribute, text: string): ScimFilter => {
  if (Buffer.byteLength(text) > scimFilterBytes)
    throw invalid(`A filter must not be longer than ${scimFilterBytes} bytes.`)
  const parser = new Parser(text, (name) => toPartPath(attribute, name))
  const filter = parser.parseOr(1)
  parser.expectEnd()
  return filter
}

const invalid = (detail: string) => badRequest('invalidFilter', detail)

type FindPath = (name: string) => AttributePath | undefined

const findOperandPath = (type: ScimResourceType, name: string): AttributePath | undefined => {
  const path = findPath(type, name)
  return path && !isWholeExtension(path) ? path : undefined
}

const toPartPath = (attribute: ScimAttribute, name: string): AttributePath | undefined => {
  const part = findPart(attribute, name)
  return part && { extension: undefined, attribute, part }
}

/** A name, also with the URN of its schema, a text of JSON, or a sign. */
const token = /\s*(?:([A-Za-z$][\w$:.-]*)|("(?:[^"\\]|\\.)*")|([()[\].]))/y

class Parser {
  readonly #text: string
  readonly #find: FindPath
  #at = 0

  constructor(text: string, find: FindPath) {
    this.#text = text
    this.#find = find
  }

  parseOr(depth: number): ScimFilter {
    return this.#parseAll('or', () => this.#parseAll('and', () => this.#parseOne(depth)))
  }

  expectEnd(): void {
    if (this.#text.slice(this.#at).trim() !== '')
      throw invalid(`The filter has an error at character ${this.#at + 1}.`)
  }

  #parseAll(kind: 'and' | 'or', parse: () => ScimFilter): ScimFilter {
    const all = [parse()]
    while (this.#takeWord(kind)) all.push(parse())
    const [only] = all
    return all.length === 1 && only ? only : { kind, all }
  }

  #parseOne(depth: number): ScimFilter {
    if (this.#takeWord('not')) {
      this.#expectSign('(')
      return { kind: 'not', of: this.#parseBrackets(depth) }
    }
    return this.#takeSign('(') ? this.#parseBrackets(depth) : this.#parseComparison(depth)
  }

  #parseBrackets(depth: number): ScimFilter {
    const filter = this.parseOr(this.#deeper(depth))
    this.#expectSign(')')
    return filter
  }

  #parseComparison(depth: number): ScimFilter {
    const { word } = this.#next()
    if (word === undefined) throw this.#problem()
    const path = this.#find(word)
    if (!this.#takeSign('[')) return this.#parseOperator({ path })
    const { attribute } = path ?? {}
    const inner = new Parser(this.#text, (name) => attribute && toPartPath(attribute, name))
    inner.#at = this.#at
    const entries = inner.parseOr(this.#deeper(depth))
    this.#at = inner.#at
    this.#expectSign(']')
    if (!this.#takeSign('.')) return this.#parseOperator({ path, entries }, { isOptional: true })
    const { word: name } = this.#next()
    if (name === undefined) throw this.#problem()
    return this.#parseOperator({
      path: attribute && path && withPart(path, toPartPath(attribute, name)),
      entries,
    })
  }

  #parseOperator(operand: Operand, { isOptional = false } = {}): ScimFilter {
    if (this.#takeWord('pr')) return { kind: 'present', operand }
    for (const operator of ['eq', 'co', 'sw'] as const)
      if (this.#takeWord(operator))
        return { kind: 'compare', operand, operator, value: this.#parseValue(operand) }
    // A value path alone is true if an entry matches.
    if (isOptional) return { kind: 'present', operand }
    throw this.#problem()
  }

  #parseValue({ path }: Operand): ScimScalar {
    const { word, text } = this.#next()
    const value = text === undefined ? word?.toLowerCase() : parseText(text)
    const isTruth = (path?.part ?? path?.attribute)?.type === 'boolean'
    if (value === undefined) throw this.#problem()
    if (text !== undefined && !isTruth) return value
    if (value.toLowerCase() === 'true') return true
    if (value.toLowerCase() === 'false') return false
    throw this.#problem()
  }

  #next(): {
    readonly word?: string | undefined
    readonly text?: string | undefined
    readonly sign?: string | undefined
  } {
    token.lastIndex = this.#at
    const found = token.exec(this.#text)
    if (!found) throw this.#problem()
    this.#at = token.lastIndex
    const [, word, text, sign] = found
    return { word, text, sign }
  }

  /** Takes a word in any case if it comes next. */
  #takeWord(wanted: string): boolean {
    return this.#take(({ word }) => word?.toLowerCase() === wanted)
  }

  #takeSign(wanted: string): boolean {
    return this.#take(({ sign }) => sign === wanted)
  }

  #take(
    isWanted: (next: { readonly word?: string | undefined; readonly sign?: string | undefined }) => boolean,
  ): boolean {
    const before = this.#at
    token.lastIndex = before
    if (!token.test(this.#text)) return false
    if (isWanted(this.#next())) return true
    this.#at = before
    return false
  }

  #expectSign(wanted: string): void {
    if (!this.#takeSign(wanted)) throw this.#problem()
  }

  #deeper(depth: number): number {
    if (depth >= deepest) throw invalid(`A filter must not have more than ${deepest} levels of brackets.`)
    return depth + 1
  }

  #problem() {
    return invalid(`The filter has an error at character ${this.#at + 1}.`)
  }
}

const withPart = (path: AttributePath, part: AttributePath | undefined): AttributePath | undefined =>
  part && { ...path, part: part.part }

const parseText = (json: string): string => {
  try {
    return String(JSON.parse(json))
  } catch {
    throw invalid('The filter has a text that is no JSON string.')
  }
}

/** Whether a resource matches a filter. */
export const matches = (filter: ScimFilter, values: ScimValues): boolean =>
  evaluate(filter, (operand) => readOperand(operand, values))

/** Whether an entry of an attribute matches the filter of a value path. */
export const matchesEntry = (filter: ScimFilter, entry: ScimComplex): boolean =>
  evaluate(filter, ({ path }) => {
    const value = path?.part && entry.get(path.part.name)
    return value === undefined ? [] : [value]
  })

type Read = (operand: Operand) => readonly ScimScalar[]

const evaluate = (filter: ScimFilter, read: Read): boolean => {
  switch (filter.kind) {
    case 'and':
      return filter.all.every((one) => evaluate(one, read))
    case 'or':
      return filter.all.some((one) => evaluate(one, read))
    case 'not':
      return !evaluate(filter.of, read)
    case 'present':
      return read(filter.operand).some((value) => value !== '')
    default: {
      const { operand, operator, value } = filter
      const attribute = operand.path?.part ?? operand.path?.attribute
      return read(operand).some((stored) => compare(operator, stored, value, attribute?.isCaseExact === true))
    }
  }
}

const compare = (
  operator: Comparison,
  stored: ScimScalar,
  wanted: ScimScalar,
  isCaseExact: boolean,
): boolean => {
  if (typeof stored === 'boolean' || typeof wanted === 'boolean')
    return operator === 'eq' && stored === wanted
  const [a, b] = isCaseExact ? [stored, wanted] : [stored.toLowerCase(), wanted.toLowerCase()]
  if (operator === 'eq') return a === b
  return operator === 'sw' ? a.startsWith(b) : a.includes(b)
}

/** The values that an operand has. A complex one without a part is compared by its part `value` (RFC 7644 3.4.2.2). */
const readOperand = ({ path, entries }: Operand, values: ScimValues): readonly ScimScalar[] => {
  if (!path) return []
  const stored = values.get(keyOf(path))
  if (stored === undefined) return []
  const found = listEntries(stored)
  if (!found) return [stored as ScimScalar]
  const kept = entries ? found.filter((entry) => matchesEntry(entries, entry)) : found
  const part = path.part?.name
  return kept.flatMap((entry) => (part === undefined ? firstValue(entry) : (entry.get(part) ?? [])))
}

const firstValue = (entry: ScimComplex): readonly ScimScalar[] => {
  const value = entry.get('value') ?? [...entry.values()][0]
  return value === undefined ? [] : [value]
}

/** The entries of a complex value. Undefined for a simple one. */
export const listEntries = (value: ScimValue): readonly ScimComplex[] | undefined => {
  if (value instanceof Map) return [value]
  return Array.isArray(value) ? (value as readonly ScimComplex[]) : undefined
}
