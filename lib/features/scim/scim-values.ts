import type { ScimComplex, ScimScalar, ScimValue, ScimValues } from '../provisioning/stored-values.ts'
import { type AttributePath, findPart, findPath, isWholeExtension, nameOfPath } from './attribute-paths.ts'
import type { ScimAttribute, ScimResourceType } from './attributes.models.ts'
import { badRequest } from './scim-error.ts'

export type { ScimComplex, ScimScalar, ScimValue, ScimValues }

/** The longest text of a value. */
const longestText = 1024
/** The most entries of an attribute, without members. */
const mostEntries = 20

/** The key under which an attribute is stored. */
export const keyOf = ({ extension, attribute }: AttributePath): string =>
  nameOfPath({ extension, attribute, part: undefined })

/**
 * Reads a resource that a directory sends as a whole. What is not stored, and what only the service sets, is ignored. A null counts as
 * left out (RFC 7643 2.5).
 *
 * @throws ScimError with status 400 for a wrong schema, a missing attribute, or a value that cannot be stored
 *
 * @example
 * ```ts
 * readResource(resourceTypes.User, { schemas: ['urn:…:User'], userName: 'ada', active: 'False' })
 * // Map { 'userName' => 'ada', 'active' => false }
 * ```
 */
export const readResource = (type: ScimResourceType, body: unknown): ScimValues => {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(body, type.schema.urn)
  const values = new Map<string, ScimValue>()
  setAll(values, type, Object.entries(body), '')
  requireComplete(type, values)
  return values
}

/** @throws ScimError if `schemas` does not have the URN. Further ones are ignored. */
export const requireSchema = (body: object, urn: string): void => {
  const given = findOwn(body, 'schemas')
  const isKnown =
    Array.isArray(given) &&
    given.some((one) => typeof one === 'string' && one.toLowerCase() === urn.toLowerCase())
  if (!isKnown) throw badRequest('invalidSyntax', `"schemas" must contain ${urn}.`)
}

/** @throws ScimError if an attribute that each resource has is missing. */
export const requireComplete = ({ schema }: ScimResourceType, values: ScimValues): void => {
  const missing = schema.attributes.find(({ name, isRequired }) => isRequired && !values.get(name))
  if (missing) throw badRequest('invalidValue', `"${missing.name}" is required.`)
}

type Entries = readonly (readonly [name: string, value: unknown])[]

const setAll = (
  values: Map<string, ScimValue>,
  type: ScimResourceType,
  entries: Entries,
  prefix: string,
): void => {
  const seen = new Set<string>()
  for (const [name, value] of entries) {
    const path = findPath(type, prefix + name)
    if (!path) continue
    if (isWholeExtension(path)) {
      if (!isObject(value)) continue
      setAll(values, type, Object.entries(value), `${path.extension.urn}:`)
      continue
    }
    const key = nameOfPath(path)
    // Otherwise the order of the keys would decide.
    if (seen.has(key)) throw badRequest('invalidSyntax', `"${key}" is given more than once.`)
    seen.add(key)
    if (path.attribute.isReadOnly || path.part) continue
    const converted = convertValue(path.attribute, value, key)
    if (converted !== undefined) values.set(key, converted)
  }
}

/**
 * Converts the value of an attribute to the form that is stored. Undefined for null, and for an empty list.
 *
 * @throws ScimError `invalidValue` with the path for a value of another type
 */
export const convertValue = (
  attribute: ScimAttribute,
  value: unknown,
  path: string,
): ScimValue | undefined => {
  if (value === null || value === undefined) return undefined
  if (attribute.isMultiValued) return convertEntries(attribute, value, path)
  // Some directories wrap a single value into a list.
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  return attribute.type === 'complex'
    ? convertComplex(attribute, single, path)
    : convertScalar(attribute, single, path)
}

const convertEntries = (
  attribute: ScimAttribute,
  value: unknown,
  path: string,
): readonly ScimComplex[] | undefined => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const entries = given.flatMap((one, at) => convertComplex(attribute, one, `${path}[${at}]`) ?? [])
  if (entries.length === 0) return undefined
  if (!attribute.isStoredApart && entries.length > mostEntries)
    throw badRequest('invalidValue', `"${path}" must not have more than ${mostEntries} values.`)
  if (entries.filter((entry) => entry.get('primary') === true).length > 1)
    throw badRequest('invalidValue', `Only one value of "${path}" can be primary.`)
  return entries
}

/** Converts a complex value. A text or a truth value stands for its part `value`. */
export const convertComplex = (
  attribute: ScimAttribute,
  value: unknown,
  path: string,
): ScimComplex | undefined => {
  if (value === null || value === undefined) return undefined
  if (!isObject(value) && !findPart(attribute, 'value'))
    throw badRequest('invalidValue', `"${path}" must be an object.`)
  const entries = isObject(value) ? Object.entries(value) : [['value', value] as const]
  const parts = new Map<string, ScimScalar>()
  const seen = new Set<string>()
  for (const [name, given] of entries) {
    const part = findPart(attribute, name)
    if (!part) continue
    if (seen.has(part.name))
      throw badRequest('invalidSyntax', `"${path}.${part.name}" is given more than once.`)
    seen.add(part.name)
    if (part.isReadOnly || given === null || given === undefined) continue
    parts.set(part.name, convertScalar(part, given, `${path}.${part.name}`))
  }
  return parts.size > 0 ? parts : undefined
}

/** @throws ScimError `invalidValue` for a value of another type */
export const convertScalar = ({ type }: ScimAttribute, value: unknown, path: string): ScimScalar => {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (type === 'boolean') return convertBoolean(single, path)
  if (typeof single !== 'string') throw badRequest('invalidValue', `"${path}" must be a text.`)
  if (single.length > longestText)
    throw badRequest('invalidValue', `"${path}" must not be longer than ${longestText} characters.`)
  return single
}

/** Directories send `"False"` as well, which must never count as true. */
const convertBoolean = (value: unknown, path: string): boolean => {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  throw badRequest('invalidValue', `"${path}" must be true or false.`)
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The own value of an object under a name in any case. */
export const findOwn = (body: object, name: string): unknown =>
  Object.entries(body).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
