import { type AttributePath, findPart, findPath, isWholeExtension, nameOfPath } from './attribute-paths.ts'
import type { ScimAttribute, ScimResourceType } from './attributes.models.ts'
import { badRequest } from './scim-error.ts'
import { matchesEntry, parseEntryFilter, type ScimFilter } from './scim-filter.ts'
import {
  convertComplex,
  convertScalar,
  convertValue,
  findOwn,
  isObject,
  keyOf,
  requireComplete,
  requireSchema,
  type ScimComplex,
  type ScimScalar,
  type ScimValue,
  type ScimValues,
} from './scim-values.ts'

/** A change of entries that are records of their own: the members of a group, in the order of the request. */
export type EntryChange =
  | { readonly kind: 'add' | 'remove'; readonly values: readonly string[] }
  /** All others are removed. */
  | { readonly kind: 'replace'; readonly values: readonly string[] }

export interface PatchResult {
  /** The values after all operations. */
  readonly values: ScimValues
  readonly entryChanges: readonly EntryChange[]
}

/** The most operations of a request, and the most members that it names. */
export const patchOperationsMax = 100
export const patchMembersMax = 1000

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/**
 * Applies a PATCH (RFC 7644 3.5.2) to the values of a resource, all of it or nothing. It changes neither the values nor the body. It also
 * understands what directories send instead: `"Replace"`, `"False"`, `[false]`, names with dots or the URN as keys, and `remove` with a value.
 *
 * @throws ScimError with status 400 that names the operation and the attribute
 *
 * @example
 * ```ts
 * const body = { schemas: ['urn:…:PatchOp'], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }
 * applyPatch(resourceTypes.User, new Map([['userName', 'ada'], ['active', true]]), body).values.get('active') // false
 * ```
 */
export const applyPatch = (type: ScimResourceType, before: ScimValues, body: unknown): PatchResult => {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(body, patchUrn)
  const operations = findOwn(body, 'Operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', '"Operations" must be a list with at least one operation.')
  if (operations.length > patchOperationsMax)
    throw badRequest('invalidValue', `A request must not have more than ${patchOperationsMax} operations.`)
  const patch: Patch = { type, values: new Map(before), entryChanges: [], members: 0 }
  for (const [at, operation] of operations.entries()) applyOperation(patch, readOperation(operation, at))
  requireComplete(type, patch.values)
  return { values: patch.values, entryChanges: patch.entryChanges }
}

/** What the operations have changed so far. */
interface Patch {
  readonly type: ScimResourceType
  readonly values: Map<string, ScimValue>
  readonly entryChanges: EntryChange[]
  members: number
}

interface Operation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string | undefined
  readonly value: unknown
}

const readOperation = (given: unknown, at: number): Operation => {
  const name = `Operations[${at}]`
  if (!isObject(given)) throw badRequest('invalidSyntax', `"${name}" must be an object.`)
  const op = String(findOwn(given, 'op')).toLowerCase()
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw badRequest('invalidSyntax', `"${name}.op" must be add, replace or remove.`)
  const path = findOwn(given, 'path')
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw badRequest('invalidPath', `"${name}.path" must be a text.`)
  return { op, path: path || undefined, value: findOwn(given, 'value') }
}

const applyOperation = (patch: Patch, { op, path, value }: Operation): void => {
  if (path !== undefined) {
    const target = parsePath(patch.type, path)
    if (target) applyTo(patch, op, target, value)
    return
  }
  if (op === 'remove') throw badRequest('noTarget', 'An operation that removes needs a path.')
  if (!isObject(value))
    throw badRequest('invalidValue', 'An operation without a path needs an object as its value.')
  for (const [name, given] of Object.entries(value)) applyNamed(patch, op, name, given)
}

/** What directories send along with what they change. */
const sentAlong = new Set(['id', 'schemas', 'meta'])

const applyNamed = (patch: Patch, op: 'add' | 'replace', name: string, value: unknown): void => {
  if (sentAlong.has(name.toLowerCase())) return
  const path = findPath(patch.type, name)
  if (!path) return
  if (!isWholeExtension(path)) {
    applyTo(patch, op, { path }, value)
    return
  }
  if (!isObject(value)) throw badRequest('invalidValue', `"${path.extension.urn}" must be an object.`)
  for (const [part, given] of Object.entries(value))
    applyNamed(patch, op, `${path.extension.urn}:${part}`, given)
}

interface Target {
  readonly path: AttributePath
  /** Only the entries that match. */
  readonly entries?: ScimFilter
  /** The part and the text of a filter such as `type eq "work"`, for an entry that does not exist yet. */
  readonly fresh?: ReadonlyMap<string, ScimScalar>
}

/** Parses a path (RFC 7644 3.5.2). Undefined for an attribute that is not stored. */
const parsePath = (type: ScimResourceType, text: string): Target | undefined => {
  const [, name = '', filter, part] = /^([\w$:.-]+)(?:\[(.*)\](?:\.([\w$-]+))?)?$/s.exec(text.trim()) ?? []
  if (name === '')
    throw badRequest(
      'invalidPath',
      'A path must be the name of an attribute, such as emails[type eq "work"].value.',
    )
  const path = findPath(type, name)
  if (!path) return undefined
  if (isWholeExtension(path))
    throw badRequest('invalidPath', 'A path must name an attribute of an extension.')
  if (filter === undefined) return { path }
  if (!path.attribute.isMultiValued || path.part)
    throw badRequest('invalidPath', `"${nameOfPath(path)}" has no entries to select.`)
  const entries = parseEntryFilter(path.attribute, filter)
  const found = part === undefined ? undefined : findPart(path.attribute, part)
  if (part !== undefined && !found) return undefined
  return { path: { ...path, part: found }, entries, fresh: readFresh(entries) }
}

/** The values that an entry must have to match, if the filter says all of them. */
const readFresh = (filter: ScimFilter): ReadonlyMap<string, ScimScalar> => {
  const all = filter.kind === 'and' ? filter.all : [filter]
  const pairs = all.flatMap((one) =>
    one.kind === 'compare' && one.operator === 'eq' && one.operand.path?.part
      ? [[one.operand.path.part.name, one.value] as const]
      : [],
  )
  return new Map(pairs.length === all.length ? pairs : [])
}

const applyTo = (patch: Patch, op: Operation['op'], target: Target, value: unknown): void => {
  const { attribute, part } = target.path
  if (attribute.isReadOnly || part?.isReadOnly)
    throw badRequest('mutability', `"${nameOfPath(target.path)}" cannot be changed.`)
  // A null takes the value away (RFC 7643 2.5).
  const kind = value === null && op !== 'add' ? 'remove' : op
  if (attribute.isStoredApart) applyToEntries(patch, kind, target, value)
  else if (target.entries) applyToMatching(patch, kind, { ...target, entries: target.entries }, value)
  else if (kind === 'remove') remove(patch, target.path, value)
  else set(patch, kind, target.path, value)
}

const remove = ({ values }: Patch, path: AttributePath, value: unknown): void => {
  const { attribute, part } = path
  const key = keyOf(path)
  if (attribute.isRequired || attribute.type === 'boolean')
    throw badRequest('mutability', `"${key}" cannot be removed.`)
  const stored = values.get(key)
  if (attribute.isMultiValued && value !== undefined && value !== null) {
    const given = toEntries(attribute, value, key)
    const left = asEntries(stored).filter((entry) => !given.some((one) => isSameEntry(one, entry)))
    store(values, key, left)
  } else if (part) {
    if (attribute.isMultiValued) throw badRequest('invalidPath', `"${nameOfPath(path)}" needs a filter.`)
    const left = new Map(asComplex(stored))
    left.delete(part.name)
    store(values, key, left)
  } else values.delete(key)
}

const set = ({ values }: Patch, op: 'add' | 'replace', path: AttributePath, value: unknown): void => {
  const { attribute, part } = path
  const key = keyOf(path)
  const name = nameOfPath(path)
  const stored = values.get(key)
  if (part) {
    if (attribute.isMultiValued) throw badRequest('invalidPath', `"${name}" needs a filter.`)
    store(values, key, new Map(asComplex(stored)).set(part.name, convertScalar(part, value, name)))
    return
  }
  const converted = convertValue(attribute, value, name)
  if (attribute.isMultiValued) {
    const given = asEntries(converted)
    const kept =
      op === 'replace'
        ? []
        : asEntries(stored).filter((entry) => !given.some((one) => isSameEntry(one, entry)))
    store(values, key, withOnePrimary([...kept, ...given], given))
  } else if (converted === undefined) {
    if (op === 'replace') throw badRequest('invalidValue', `"${name}" needs a value.`)
  } else if (converted instanceof Map) store(values, key, new Map([...asComplex(stored), ...converted]))
  else values.set(key, converted)
}

const applyToMatching = (
  { values }: Patch,
  op: Operation['op'],
  { path, entries, fresh }: Target & { readonly entries: ScimFilter },
  value: unknown,
): void => {
  const { attribute, part } = path
  const key = keyOf(path)
  const name = nameOfPath(path)
  const stored = asEntries(values.get(key))
  const isMatch = (entry: ScimComplex): boolean => matchesEntry(entries, entry)
  if (op === 'remove') {
    const left = stored.flatMap((entry) => {
      if (!isMatch(entry)) return [entry]
      if (!part) return []
      const rest = new Map(entry)
      rest.delete(part.name)
      return rest.size > 0 ? [rest] : []
    })
    store(values, key, left)
    return
  }
  const given: ScimComplex = part
    ? new Map([[part.name, convertScalar(part, value, name)]])
    : (convertComplex(attribute, value, name) ?? new Map())
  if (given.size === 0) throw badRequest('invalidValue', `"${name}" needs a value.`)
  if (stored.some(isMatch)) {
    const changed = stored.map((entry) => (isMatch(entry) ? new Map([...entry, ...given]) : entry))
    store(values, key, withOnePrimary(changed, changed.filter(isMatch)))
    return
  }
  // Directories set the work address of a person who has none.
  if (!fresh || fresh.size === 0) throw badRequest('noTarget', `No value of "${key}" matches the filter.`)
  const added = new Map([...fresh, ...given])
  store(values, key, withOnePrimary([...stored, added], [added]))
}

const applyToEntries = (
  patch: Patch,
  op: Operation['op'],
  { path, entries, fresh }: Target,
  value: unknown,
): void => {
  const { attribute } = path
  const key = keyOf(path)
  const isAll = op === 'remove' && !entries && (value === undefined || value === null)
  const given: readonly unknown[] = Array.isArray(value) ? value : isAll ? [] : [value]
  const wanted = entries
    ? [fresh?.get('value')]
    : given.map((one) => convertComplex(attribute, one, key)?.get('value'))
  const ids = wanted.flatMap((id) => (typeof id === 'string' ? [id] : []))
  if (ids.length !== wanted.length || (entries && op !== 'remove'))
    throw badRequest(
      'invalidPath',
      `Select values of "${key}" by ${key}[value eq "…"], and only to remove them.`,
    )
  patch.members += ids.length
  if (patch.members > patchMembersMax)
    throw badRequest('invalidValue', `A request must not name more than ${patchMembersMax} members.`)
  patch.entryChanges.push(isAll ? { kind: 'replace', values: [] } : { kind: op, values: [...new Set(ids)] })
}

const toEntries = (attribute: ScimAttribute, value: unknown, path: string): readonly ScimComplex[] =>
  asEntries(convertValue(attribute, value, path))

const asEntries = (value: ScimValue | undefined): readonly ScimComplex[] =>
  Array.isArray(value) ? (value as readonly ScimComplex[]) : []

const asComplex = (value: ScimValue | undefined): ScimComplex => (value instanceof Map ? value : new Map())

/** An attribute without a value is not stored. */
const store = (
  values: Map<string, ScimValue>,
  key: string,
  value: ScimComplex | readonly ScimComplex[],
): void => {
  const isEmpty = value instanceof Map ? value.size === 0 : (value as readonly ScimComplex[]).length === 0
  if (isEmpty) values.delete(key)
  else values.set(key, value)
}

/** Whether two entries have the same value, for the same purpose. */
const isSameEntry = (a: ScimComplex, b: ScimComplex): boolean =>
  isSameText(a.get('value'), b.get('value')) &&
  (a.get('type') === undefined || b.get('type') === undefined || isSameText(a.get('type'), b.get('type')))

const isSameText = (a: ScimScalar | undefined, b: ScimScalar | undefined): boolean =>
  String(a).toLowerCase() === String(b).toLowerCase()

/** If one of the new entries is the primary one, no other is any more (RFC 7644 3.5.2). */
const withOnePrimary = (
  all: readonly ScimComplex[],
  fresh: readonly ScimComplex[],
): readonly ScimComplex[] => {
  const primary = fresh.find((entry) => entry.get('primary') === true)
  if (!primary) return all
  return all.map((entry) =>
    entry !== primary && entry.get('primary') === true ? new Map(entry).set('primary', false) : entry,
  )
}
