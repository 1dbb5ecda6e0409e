import { findUnknownNames, isPlainObject } from '../kernel/options/check-options.ts'

/** What the schemas of hooks use of JSON Schema. */
export interface HookSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly HookSchema[]
  readonly anyOf?: readonly HookSchema[]
  readonly properties?: Readonly<Record<string, HookSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | HookSchema
  readonly propertyNames?: HookSchema
  readonly items?: HookSchema
  readonly maxLength?: number
  readonly minLength?: number
  readonly maxItems?: number
  readonly pattern?: string
}

/** Lists what is wrong with a value of JSON, as a sentence each. `path` names the value, such as `answer.claims`. */
export const findProblems = (value: unknown, schema: HookSchema, path: string): readonly string[] => {
  const options = schema.oneOf ?? schema.anyOf
  if (options) return findUnionProblems(value, options, path)
  if (schema.const !== undefined || schema.enum) {
    const allowed = schema.enum ?? [schema.const]
    return allowed.includes(value) ? [] : [`${path} must be ${listOf(allowed.map(toText))}.`]
  }
  if (schema.type === undefined) return []
  const types = [schema.type].flat()
  const type = types.find((one) => isOfType(value, one))
  if (type === undefined)
    return [
      value === undefined ? `${path} is missing.` : `${path} must be ${listOf(types.map(describeType))}.`,
    ]
  if (typeof value === 'string') return findTextProblems(value, schema, path)
  if (Array.isArray(value)) return findListProblems(value, schema, path)
  return isPlainObject(value) ? findObjectProblems(value, schema, path) : []
}

const toText = (value: unknown): string => JSON.stringify(value)

/** `a, b or c`. */
const listOf = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`

const typeTexts: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a number'],
  ['boolean', 'a boolean'],
  ['null', 'null'],
  ['array', 'a list'],
  ['object', 'an object'],
])

const describeType = (type: string): string => typeTexts.get(type) ?? type

const isOfType = (value: unknown, type: string): boolean => {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isPlainObject(value)
  const expected = type === 'integer' ? 'number' : type
  return typeof value === expected
}

const findTextProblems = (text: string, schema: HookSchema, path: string): readonly string[] => {
  const { maxLength = Number.POSITIVE_INFINITY, minLength = 0, pattern } = schema
  if (text.length > maxLength) return [`${path} has more than ${maxLength} characters.`]
  if (text.length < minLength) return [`${path} has fewer than ${minLength} characters.`]
  return pattern === undefined || new RegExp(pattern, 'u').test(text)
    ? []
    : [`${path} must match ${pattern}.`]
}

const findListProblems = (
  list: readonly unknown[],
  { items, maxItems = Number.POSITIVE_INFINITY }: HookSchema,
  path: string,
): readonly string[] => [
  ...(list.length > maxItems ? [`${path} has more than ${maxItems} entries.`] : []),
  ...(items ? list.flatMap((one, at) => findProblems(one, items, `${path}[${at}]`)) : []),
]

const findObjectProblems = (
  given: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties, propertyNames }: HookSchema,
  path: string,
): readonly string[] => {
  const known = Object.keys(properties)
  const others = Object.keys(given).filter((name) => !known.includes(name))
  return [
    ...known.flatMap((name) => {
      if (Object.hasOwn(given, name))
        return findProblems(given[name], properties[name] ?? {}, `${path}.${name}`)
      return required.includes(name) ? [`${path}.${name} is missing.`] : []
    }),
    ...(additionalProperties === false ? findUnknownNames(others, known, `a field of ${path}`) : []),
    ...others.flatMap((name) => [
      ...(propertyNames ? findProblems(name, propertyNames, `The name ${toText(name)} in ${path}`) : []),
      ...(typeof additionalProperties === 'object'
        ? findProblems(given[name], additionalProperties, `${path}.${name}`)
        : []),
    ]),
  ]
}

/** The problems of the option that was meant: the one whose fixed fields the value has. Otherwise all options are named. */
const findUnionProblems = (
  value: unknown,
  options: readonly HookSchema[],
  path: string,
): readonly string[] => {
  const found = options.map((option) => ({ option, problems: findProblems(value, option, path) }))
  if (found.some(({ problems }) => problems.length === 0)) return []
  const constants = listConstants(options)
  if (isPlainObject(value) && constants.length > 0) {
    const meant = found.find(({ option }) => hasConstants(value, option))
    if (meant) return meant.problems
    const [name = ''] = constants
    const allowed = options.flatMap(({ properties }) => properties?.[name]?.const ?? [])
    return [`${path}.${name} must be ${listOf(allowed.map(toText))}.`]
  }
  // A value of the right type has better words than the names of all types.
  const inner = found.find(({ option }) => [option.type].flat().some((type) => type && isOfType(value, type)))
  const types = options.flatMap(({ type }) => type ?? [])
  return inner?.problems ?? [`${path} must be ${listOf([...new Set(types)].map(describeType))}.`]
}

const listConstants = (options: readonly HookSchema[]): readonly string[] =>
  options.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, schema]) => (schema.const === undefined ? [] : [name])),
  )

const hasConstants = (value: Readonly<Record<string, unknown>>, { properties = {} }: HookSchema): boolean =>
  Object.entries(properties).every(
    ([name, schema]) => schema.const === undefined || value[name] === schema.const,
  )
