import { findNearestName } from './nearest-name.ts'

/** What `typeof` says about the values of an option. The values of `any` are checked where they are read. */
type OptionType = 'string' | 'number' | 'boolean' | 'function' | 'any'

/** In a tuple, a union is compared as a whole. */
type TypeOf<Value> = [Value] extends [string]
  ? 'string'
  : [Value] extends [number]
    ? 'number'
    : [Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [(...given: never[]) => unknown]
        ? 'function'
        : 'any'

/** An option that cannot be left out is marked, because messages about it must not advise that. */
type GivenType = OptionType | `required ${OptionType}`

/** The names of all options with their types. A new option that is left out here does not compile. */
export type OptionTypes<Options> = {
  readonly [Name in keyof Options]-?: object extends Pick<Options, Name>
    ? TypeOf<NonNullable<Options[Name]>>
    : `required ${TypeOf<NonNullable<Options[Name]>>}`
}

/**
 * Lists the names that are not known, as a sentence each, with the name that was probably meant. `kind` says what they should
 * be, such as `an option of createClient`.
 */
export const findUnknownNames = (
  names: readonly string[],
  known: readonly string[],
  kind: string,
): readonly string[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = findNearestName(name, known)
      return `"${name}" is not ${kind}. ${nearest ? `Did you mean ${nearest}?` : `Known are: ${known.join(', ')}.`}`
    })

/** Other objects, such as a `Map` or an instance of a class, can have their values where nothing reads them. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Lists what is wrong with options, as a sentence each: unknown names, values that are undefined or empty, and values of another
 * type. All of them would leave out what the caller wanted, such as the permission of a route.
 */
export const findOptionProblems = (
  options: unknown,
  types: Readonly<Record<string, GivenType>>,
  kind: string,
): readonly string[] => {
  if (!isPlainObject(options))
    return [`Expected an object with names such as ${Object.keys(types)[0]}, each of which is ${kind}.`]
  const known = Object.keys(types)
  const problems = known.map((name) => {
    const { [name]: value } = options
    const { [name]: given = 'any' } = types
    const type = given.replace('required ', '')
    if (!Object.hasOwn(options, name)) return ''
    if (value === undefined)
      return `${name} is undefined. ${type === given ? 'Set it, or leave it out.' : 'Set it.'}`
    if (value === '' && type === 'string') return `${name} must not be empty.`
    return type === 'any' || typeof value === type ? '' : `${name} must be a ${type}.`
  })
  return [...findUnknownNames(Object.keys(options), known, kind), ...problems.filter((text) => text !== '')]
}

/** Checks options before anything reads them. @throws TypeError that lists what is wrong */
export const checkOptions = (
  options: unknown,
  types: Readonly<Record<string, GivenType>>,
  kind: string,
): void => {
  const problems = findOptionProblems(options, types, kind)
  if (problems.length > 0) throw new TypeError(problems.join(' '))
}

/**
 * Returns the options that are the last argument of a method, or an empty object without them. An argument that is undefined
 * is no missing argument: it is a constant that does not exist.
 *
 * @throws TypeError as `checkOptions` does
 */
export const readLastArgument = <Options extends object>(
  given: readonly [options?: Options | undefined],
  types: OptionTypes<Options>,
  kind: string,
): Partial<Options> => {
  if (given.length === 0) return {}
  const [options] = given
  checkOptions(options, types, kind)
  return options ?? {}
}
