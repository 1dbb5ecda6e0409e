import { isDeepStrictEqual } from 'node:util'
import type {
  AuditedField,
  AuditedFields,
  ChangeValue,
  DescribedChanges,
  FieldChange,
} from '../../kernel/contract/field-changes.ts'
import type { FieldCallers } from '../../kernel/contract/field-rights.ts'
import { eventChangesMax, eventValueLength } from '../../kernel/limits/limits.ts'

/** A change of a thing: what it was, and what it becomes. */
export interface Change {
  /** The declarations of its fields, which say what events may have of them. */
  readonly fields: AuditedFields
  /** The record or body before the change. */
  readonly before: object
  /** What is stored from now on. Names that are missing here did not change, and what is here need not differ. */
  readonly after: object
}

/**
 * Describes what differs between two states of a record or body. Names and values are those of the wire: durations in seconds, times in
 * ISO 8601.
 *
 * @example
 * describeChanges({ fields: organizationFields, before: organization, after: { member_limit: 50 } }).changes
 * // [{ field: 'member_limit', from: 20, to: 50, isForMembers: true }]
 */
export const describeChanges = ({ fields, before, after }: Change): DescribedChanges => {
  const old = toWire(before)
  const differing = [...toWire(after)].filter(
    ([name, value]) => !isDeepStrictEqual(old.get(name) ?? null, value),
  )
  const found = differing.map(([name, value]) =>
    describeField({ name, of: fields[name], from: old.get(name), to: value }),
  )
  const changes = found.flatMap(({ changes }) => changes)
  return {
    names: differing.map(([name]) => name),
    changes: changes.slice(0, eventChangesMax),
    personal: Object.fromEntries(found.flatMap(({ personal }) => (personal ? [personal] : []))),
    ...(changes.length > eventChangesMax && { omitted: changes.length - eventChangesMax }),
  }
}

/** The fields of a state by their names on the wire. What is only stored for comparisons is not one of them. */
export const toWire = (state: object): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(state)
      .filter(([name]) => !name.startsWith('normalized'))
      .map(([name, value]) => [toWireName(name), toWireValue(name, value ?? null)]),
  )

/** The name of a stored field on the wire. */
const toWireName = (name: string): string =>
  name === 'expiresAt'
    ? 'expiry'
    : // On the wire, durations are in seconds.
      name.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const toWireValue = (name: string, value: unknown): unknown => {
  if (typeof value !== 'number') return value
  if (name.endsWith('Ms')) return value / 1000
  return name.endsWith('At') ? new Date(value).toISOString() : value
}

interface ChangedField {
  readonly name: string
  /** Its declaration. Undefined for a field that has none. */
  readonly of: AuditedField | undefined
  readonly from: unknown
  readonly to: unknown
}

const describeField = ({ name, of, from, to }: ChangedField) => {
  const isForMembers = of?.seenBy?.some((caller) => !callersOfService.includes(caller))
  const seen = isForMembers && ({ isForMembers: true } as const)
  if (of?.inEvents === 'value')
    return { changes: listParts(name, from, to).map((part) => ({ ...part, ...seen })) }
  if (of?.inEvents !== 'personal') return { changes: [{ field: name, ...seen }] }
  const values = listParts(name, from, to).flatMap((part) =>
    part.from === undefined || part.to === undefined
      ? []
      : [{ part: part.field, from: part.from, to: part.to }],
  )
  return {
    changes: [{ field: name, isPersonal: true as const, ...seen }],
    personal: [name, values.slice(0, eventChangesMax)] as const,
  }
}

/** Who acts for the service, or for a document or person that it serves. */
const callersOfService: FieldCallers = ['service', 'configuration', 'api_token', 'setup_link', 'person']

/** The changes of a field whose values may be shown: one for each entry of a list, and for each part of an object. */
const listParts = (field: string, from: unknown, to: unknown): readonly FieldChange[] => {
  if (Array.isArray(from) || Array.isArray(to)) return listEntries(field, toTexts(from), toTexts(to))
  if (isObject(from) || isObject(to)) {
    const [old, fresh] = [toParts(from), toParts(to)]
    return [...new Set([...old.keys(), ...fresh.keys()])]
      .filter((name) => !isDeepStrictEqual(old.get(name), fresh.get(name)))
      .flatMap((name) => listParts(`${field}.${name}`, old.get(name), fresh.get(name)))
  }
  return [{ field, from: toValue(from), to: toValue(to) }]
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toParts = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(isObject(value) ? Object.entries(value) : [])

const toTexts = (value: unknown): readonly ChangeValue[] => (Array.isArray(value) ? value.map(toValue) : [])

/** A list in another order has no entry that was added or taken: only that it changed. */
const listEntries = (
  field: string,
  from: readonly ChangeValue[],
  to: readonly ChangeValue[],
): readonly FieldChange[] => {
  const [old, fresh] = [new Set(from), new Set(to)]
  const parts = [
    ...[...old].filter((entry) => !fresh.has(entry)).map((entry) => ({ field, from: entry, to: null })),
    ...[...fresh].filter((entry) => !old.has(entry)).map((entry) => ({ field, from: null, to: entry })),
  ]
  return parts.length > 0 ? parts : [{ field }]
}

const toValue = (value: unknown): ChangeValue => {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean' || typeof value === 'number') return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > eventValueLength ? `${text.slice(0, eventValueLength)}…` : text
}
