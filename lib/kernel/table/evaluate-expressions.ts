import { isDeepStrictEqual } from 'node:util'
import { readOwn } from '../util/object-fields.ts'
import { type Condition, type Expressions, expressions, type Update } from './expressions.ts'
import type { Key } from './keys/keys.ts'
import type { Item } from './transaction.ts'

/*
 * What DynamoDB makes of the conditions and updates of this service, so that changes can be tried out without writing them. It
 * knows the functions and operators that records use.
 */

type Attributes = Readonly<Record<string, unknown>>

/** Whether a condition holds for an item, which can be missing. */
export const holds = (condition: Condition, item: Item | undefined): boolean => {
  const x = expressions()
  const text = condition(x)
  return createEvaluator(x, item ?? {}).evaluate(text) === true
}

/** The item after an update. Undefined if the condition of the update does not hold. */
export const applyUpdate = (changes: Update, key: Key, item: Item | undefined): Item | undefined => {
  const x = expressions()
  const { set = [], remove = [], include, exclude, condition } = changes(x)
  const { evaluate, toNames } = createEvaluator(x, item ?? {})
  if (condition && evaluate(condition) !== true) return undefined
  let after: Attributes = item ?? { pk: key.pk, sk: key.sk }
  const store = (path: string, change: (before: unknown) => unknown) => {
    after = replaceAt(after, toNames(path), change)
  }
  for (const assignment of set) {
    const at = assignment.indexOf('=')
    const value = evaluate(assignment.slice(at + 1))
    store(assignment.slice(0, at).trim(), () => value)
  }
  for (const path of remove) store(path, () => undefined)
  for (const [path, value] of readPairs(include)) store(path, (before) => add(before, evaluate(value)))
  for (const [path, value] of readPairs(exclude)) store(path, (before) => subtract(before, evaluate(value)))
  return after as Item
}

const readPairs = (text = ''): readonly (readonly [path: string, value: string])[] =>
  text === ''
    ? []
    : text.split(',').map((pair) => {
        const [path = '', value = ''] = pair.trim().split(' ')
        return [path, value]
      })

const replaceAt = (
  value: Attributes,
  [name = '', ...rest]: readonly string[],
  change: (before: unknown) => unknown,
): Attributes => {
  const before = readOwn(value, name)
  const after = rest.length > 0 ? replaceAt(isMap(before) ? before : {}, rest, change) : change(before)
  const others = Object.entries(value).filter(([one]) => one !== name)
  return Object.fromEntries(after === undefined ? others : [...others, [name, after]])
}

const isMap = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set)

/** Adds to a number or to a set. */
const add = (before: unknown, amount: unknown): unknown =>
  amount instanceof Set
    ? new Set([...(before instanceof Set ? before : []), ...amount])
    : Number(before ?? 0) + Number(amount)

/** Removes members of a set. DynamoDB has no empty sets. */
const subtract = (before: unknown, members: unknown): unknown => {
  if (!(before instanceof Set) || !(members instanceof Set)) return before
  const rest = new Set([...before].filter((member) => !members.has(member)))
  return rest.size > 0 ? rest : undefined
}

const tokenForm = /\s*(<>|<=|>=|[=<>(),+-]|[#:\w]+(?:\.[#\w]+)*)/gy

const readTokens = (text: string): string[] => {
  const tokens = [...text.trimEnd().matchAll(tokenForm)]
  const end = tokens.reduce((sum, [part]) => sum + part.length, 0)
  if (end !== text.trimEnd().length) throw new Error(`cannot evaluate the expression ${text}`)
  return tokens.map(([, token = '']) => token)
}

/** The functions, by their names. They get values: an attribute that is missing is undefined. */
const functions = new Map<string, (value: unknown, other: unknown) => unknown>([
  ['attribute_exists', (value) => value !== undefined],
  ['attribute_not_exists', (value) => value === undefined],
  ['if_not_exists', (value, other) => (value === undefined ? other : value)],
  ['contains', contains],
  ['size', sizeOf],
])

function contains(value: unknown, part: unknown): boolean {
  if (value instanceof Set) return value.has(part)
  if (Array.isArray(value)) return value.some((one) => isSame(one, part))
  return typeof value === 'string' && typeof part === 'string' && value.includes(part)
}

function sizeOf(value: unknown): number | undefined {
  if (value instanceof Set) return value.size
  if (Array.isArray(value)) return value.length
  if (typeof value === 'string') return Buffer.byteLength(value)
  return isMap(value) ? Object.keys(value).length : undefined
}

const operators = new Map<string, (a: unknown, b: unknown) => boolean>([
  ['=', (a, b) => a !== undefined && isSame(a, b)],
  ['<>', (a, b) => !isSame(a, b)],
  ['<', (a, b) => compare(a, b) < 0],
  ['<=', (a, b) => compare(a, b) <= 0],
  ['>', (a, b) => compare(a, b) > 0],
  ['>=', (a, b) => compare(a, b) >= 0],
])

/** Whether values have the same content. Their prototypes, which the table does not keep, say nothing. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(structuredClone(a), structuredClone(b))
}

/** Not a number for values of two types, so that no comparison of them holds. */
const compare = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number.NaN
}

const createEvaluator = (x: Expressions, item: Attributes) => {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = x.attributes()
  const toNames = (path: string): readonly string[] =>
    path.split('.').map((part) => readOwn(names, part) ?? part)
  const readPath = (path: string): unknown =>
    toNames(path).reduce<unknown>((value, name) => (isMap(value) ? readOwn(value, name) : undefined), item)

  /** Evaluates an expression. Both sides of each operator are evaluated, because none has effects. */
  const evaluate = (text: string): unknown => {
    const tokens = readTokens(text)
    const take = (token: string): boolean => {
      if (tokens[0] !== token) return false
      tokens.shift()
      return true
    }
    const expectToken = (token: string) => {
      if (!take(token)) throw new Error(`cannot evaluate the expression ${text}`)
    }
    const readOr = (): unknown => {
      let value = readAnd()
      while (take('OR')) value = [value, readAnd()].includes(true)
      return value
    }
    const readAnd = (): unknown => {
      let value = readNot()
      while (take('AND')) value = [value, readNot()].every((one) => one === true)
      return value
    }
    const readNot = (): unknown => (take('NOT') ? readNot() !== true : readComparison())
    const readComparison = (): unknown => {
      const left = readSum()
      const compares = operators.get(tokens[0] ?? '')
      if (!compares) return left
      tokens.shift()
      return compares(left, readSum())
    }
    const readSum = (): unknown => {
      let value = readValue()
      for (;;) {
        if (take('+')) value = Number(value) + Number(readValue())
        else if (take('-')) value = Number(value) - Number(readValue())
        else return value
      }
    }
    const readValue = (): unknown => {
      if (take('(')) {
        const value = readOr()
        expectToken(')')
        return value
      }
      const token = tokens.shift() ?? ''
      const evaluateFunction = tokens[0] === '(' ? functions.get(token) : undefined
      if (!evaluateFunction) return token.startsWith(':') ? readOwn(values, token) : readPath(token)
      expectToken('(')
      const first = readOr()
      const second = take(',') ? readOr() : undefined
      expectToken(')')
      return evaluateFunction(first, second)
    }
    const value = readOr()
    if (tokens.length > 0) throw new Error(`cannot evaluate the expression ${text}`)
    return value
  }
  return { evaluate, toNames }
}
