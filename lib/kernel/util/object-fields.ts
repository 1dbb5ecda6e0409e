/** The type of a value of the interface as records hold it: nothing changes in place, and a field is present or absent. */
export type Stored<Value> = Value extends readonly (infer Item)[]
  ? readonly Stored<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Stored<Exclude<Value[Name], undefined>> }
    : Value

/** The same fields, where each has a value. */
export type Complete<Body> = { [Name in keyof Body]-?: Exclude<Body[Name], undefined> }

/** The same fields, where those that may be undefined are optional instead. */
type OmitUndefined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
} & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** The names and values of the fields that are not undefined. Without a callback, because each request needs it many times. */
export const listPresent = (fields: object): readonly (readonly [string, unknown])[] => {
  const present: [string, unknown][] = []
  for (const field of Object.entries(fields)) if (field[1] !== undefined) present.push(field)
  return present
}

/** Returns the fields without those that are undefined, for types where a field is present or absent. */
export const omitUndefined = <T extends object>(fields: T): OmitUndefined<T> =>
  Object.fromEntries(listPresent(fields)) as OmitUndefined<T>

/** Returns the value of a name. A name such as `__proto__` never leads to a built-in member. */
export const readOwn = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** The names of all fields of a constant that declares each of them. */
export const listNames = <Name extends string>(fields: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(fields) as Name[]

/** The names of fields that other fields have as well. */
export const listSharedNames = <Name extends string, Other extends string>(
  fields: Readonly<Record<Name, unknown>>,
  others: Readonly<Record<Other, unknown>>,
) => listNames(fields).filter((name): name is Name & Other => Object.hasOwn(others, name))

type Entries = Iterable<readonly [string, unknown]>

/**
 * Returns the names whose values differ, compared as JSON. A missing name is `undefined`.
 *
 * @example
 * listChangedNames(Object.entries({ a: 1, b: [2] }), Object.entries({ a: 1, b: [3] })) // ['b']
 */
export const listChangedNames = (before: Entries, after: Entries): readonly string[] => {
  const [old, fresh] = [new Map(before), new Map(after)]
  const names = new Set([...old.keys(), ...fresh.keys()])
  return [...names].filter((name) => toComparable(old.get(name)) !== toComparable(fresh.get(name)))
}

/** The table may return the fields of an object in another order than that in which they were stored. */
const toComparable = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** The same values under the names that they have as parts of another field: `branding.logo`. */
export const prefixNames = <Value>(
  field: string,
  values: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${field}.${name}`, value]))

/** Returns the parameters that have a value. One without a value counts as missing (RFC 6749 3.1). */
export const listParameters = (given: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
