import type { AttributeChange, AttributeOfUser } from '../../../accounts/users/attributes.models.ts'
import { findUserAttributes, type UserAttribute } from '../../../accounts/users/attributes.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { type AttributeValue, readDefined, writeDefined } from '../../../kernel/contract/stored-attributes.ts'
import { isBlank, isDisplayText } from '../../../kernel/contract/text-rules.ts'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import { attributeTextLength, attributeTextsMax, userAttributesBytes } from '../../../kernel/limits/limits.ts'
import type { Table } from '../../../kernel/table/table.ts'

/** Who reads or changes the attributes of a user: those who manage users, or the user. */
export type AttributeReader = 'manager' | 'user'

/** Whether the user may see their own value. */
export const isVisibleTo = ({ user_access }: UserAttribute, reader: AttributeReader): boolean =>
  reader === 'manager' || user_access !== 'none'

const isChangeableBy = ({ user_access }: UserAttribute, reader: AttributeReader): boolean =>
  reader === 'manager' || user_access === 'write'

/** The values of a user in the order of the definitions. */
export const listAttributes = (
  definitions: readonly UserAttribute[],
  { attributes }: Pick<UserRecord, 'attributes'>,
  reader: AttributeReader,
): readonly AttributeOfUser[] => {
  const values = readDefined(attributes)
  return definitions.flatMap((definition) => {
    const value = values.get(definition.key)
    return value === undefined || !isVisibleTo(definition, reader)
      ? []
      : [{ name: definition.name, value: toWire(value) }]
  })
}

export const toWire = (value: AttributeValue): AttributeOfUser['value'] =>
  typeof value === 'object' ? [...value] : value

/** The definitions, if one of these users has a value. That takes a table call only if one does. */
export const findDefinitionsFor = async (
  table: Table,
  users: readonly Pick<UserRecord, 'attributes'>[],
): Promise<readonly UserAttribute[]> =>
  users.some(({ attributes }) => readDefined(attributes).size > 0) ? findUserAttributes(table) : []

/** The values of a user for those who manage users. */
export const showAttributes = async (
  table: Table,
  user: Pick<UserRecord, 'attributes'>,
): Promise<readonly AttributeOfUser[]> =>
  listAttributes(await findDefinitionsFor(table, [user]), user, 'manager')

/** The claims of a user that apps with the scope `attributes` get. Undefined without any. */
export const readAttributeClaims = async (
  table: Table,
  user: Pick<UserRecord, 'attributes'>,
): Promise<Readonly<Record<string, AttributeValue>> | undefined> => {
  const values = readDefined(user.attributes)
  const claims = (await findDefinitionsFor(table, [user])).flatMap(({ key, claim }) => {
    const value = values.get(key)
    return claim === null || value === undefined ? [] : [[claim, value] as const]
  })
  return claims.length > 0 ? Object.fromEntries(claims) : undefined
}

export interface ChangedAttributes {
  /** The text to store. */
  readonly stored: string
  readonly errors: readonly FieldError[]
}

/** Applies the changes of a body to a stored text. Attributes that it does not name stay. */
export const changeAttributes = async (
  table: Table,
  stored: string,
  changes: readonly AttributeChange[] | undefined,
  reader: AttributeReader,
): Promise<ChangedAttributes> =>
  changes === undefined || changes.length === 0
    ? { stored, errors: [] }
    : applyChanges(await findUserAttributes(table), stored, changes, reader)

/** The same with definitions that were read before. */
export const applyChanges = (
  definitions: readonly UserAttribute[],
  stored: string,
  changes: readonly AttributeChange[],
  reader: AttributeReader,
): ChangedAttributes => {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  const keys = new Set(definitions.map(({ key }) => key))
  const values = new Map([...readDefined(stored)].filter(([key]) => keys.has(key)))
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const [at, { name, value }] of changes.entries()) {
    const definition = byName.get(name)
    const problem = findProblem(definition, { value, reader, isRepeated: seen.has(name) })
    seen.add(name)
    if (problem) errors.push({ field: `attributes.${at}.${problem.field}`, message: problem.message })
    else if (definition && value === null) values.delete(definition.key)
    else if (definition && value !== null) values.set(definition.key, value)
  }
  const bytes = Buffer.byteLength(JSON.stringify([...values.values()]))
  if (errors.length === 0 && bytes > userAttributesBytes)
    errors.push({
      field: 'attributes',
      message: `is too long: the values of a user have at most ${userAttributesBytes} bytes together`,
    })
  return { stored: errors.length > 0 ? stored : writeDefined(stored, values), errors }
}

interface Proposal {
  readonly value: AttributeChange['value']
  readonly reader: AttributeReader
  readonly isRepeated: boolean
}

const findProblem = (
  definition: UserAttribute | undefined,
  { value, reader, isRepeated }: Proposal,
): { readonly field: 'name' | 'value'; readonly message: string } | undefined => {
  if (!definition || !isVisibleTo(definition, reader))
    return { field: 'name', message: 'is not the name of an attribute' }
  if (!isChangeableBy(definition, reader))
    return { field: 'name', message: 'is an attribute that only those who manage users can change' }
  if (isRepeated) return { field: 'name', message: 'must not be repeated' }
  const message = value === null ? undefined : findRule(definition, value)
  return message === undefined ? undefined : { field: 'value', message }
}

/** The rule that a value breaks. */
const findRule = ({ type, values }: UserAttribute, value: AttributeValue): string | undefined => {
  if (type === 'number') return typeof value === 'number' ? undefined : 'must be a number'
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (type === 'date') return isDate(value) ? undefined : 'must be a date such as 2026-01-31'
  const texts = type === 'text' ? [value] : value
  if (typeof texts !== 'object') return 'must be a list of texts'
  if (texts.length > attributeTextsMax) return `must have at most ${attributeTextsMax} texts`
  if (!texts.every(isShownText)) return `must be text of 1 to ${attributeTextLength} visible characters`
  const isAllowed = values.length === 0 || texts.every((text) => values.includes(text))
  return isAllowed ? undefined : 'must be one of the values of the attribute'
}

const isDate = (value: AttributeValue): boolean => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

const isShownText = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= attributeTextLength && !isBlank(text) && isDisplayText(text)
