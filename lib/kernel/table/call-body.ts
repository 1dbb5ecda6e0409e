/** The input or output of a call, with records as the service uses them. Names are those of the DynamoDB API. */
export type CallBody = Readonly<Record<string, unknown>>

type Convert = (record: CallBody) => CallBody

/** The members of inputs and outputs that contain a record, or a list of records. */
const recordMembers: ReadonlySet<string> = new Set([
  'Key',
  'Keys',
  'Item',
  'Items',
  'Attributes',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
])

/** The members that contain records at a deeper level: keys or items by table. */
const byTable: ReadonlySet<string> = new Set(['RequestItems', 'UnprocessedKeys', 'Responses'])

/** Contains the steps of a transaction. */
const steps = 'TransactItems'

const convertRecords = (value: unknown, convert: Convert): unknown =>
  Array.isArray(value) ? value.map((record: CallBody) => convert(record)) : convert(value as CallBody)

const convertMembers = (body: CallBody, convert: Convert): CallBody => {
  const converted: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (recordMembers.has(name)) converted[name] = convertRecords(value, convert)
    else if (name === steps) converted[name] = convertSteps(value as readonly CallBody[], convert)
    else if (byTable.has(name)) converted[name] = convertTables(value as CallBody, convert)
    else converted[name] = value
  }
  return converted
}

/** A step is an object with one member: `{ Put: { TableName, Item } }`. */
const convertSteps = (list: readonly CallBody[], convert: Convert): readonly CallBody[] =>
  list.map((step) => {
    const [[name, fields] = ['', {}]] = Object.entries(step)
    return { [name]: convertMembers(fields as CallBody, convert) }
  })

/** Inputs name the keys of each table (`{ table: { Keys } }`), outputs its items (`{ table: items }`). */
const convertTables = (tables: CallBody, convert: Convert): CallBody =>
  Object.fromEntries(
    Object.entries(tables).map(([table, value]) => [
      table,
      Array.isArray(value) ? convertRecords(value, convert) : convertMembers(value as CallBody, convert),
    ]),
  )

/** Writes the body of a request (AWS JSON 1.0 protocol). @throws TypeError for values that DynamoDB cannot store */
export const writeCallBody = (input: CallBody): string =>
  JSON.stringify(convertMembers(input, toAttributeMap))

/** Reads the body of a response. @throws SyntaxError if it is not complete */
export const readCallBody = (text: string): CallBody =>
  convertMembers(JSON.parse(text) as CallBody, (attributes) => fromRecordMap(attributes as AttributeMap))

/**
 * Values of attributes as DynamoDB's JSON protocol writes them. The types are those of `AttributeValue` in the DynamoDB API
 * reference. Records have no binary values.
 */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: AttributeMap }

export type AttributeMap = { readonly [name: string]: AttributeValue }

/** Converts a value of a record. @throws TypeError for what no attribute can contain */
export const toAttributeValue = (value: unknown): AttributeValue => {
  switch (typeof value) {
    case 'string':
      return { S: value }
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('DynamoDB stores no infinite numbers and no NaN')
      return { N: String(value) }
    case 'boolean':
      return { BOOL: value }
    case 'object':
      if (value === null) return { NULL: true }
      if (Array.isArray(value)) return { L: value.map(toAttributeValue) }
      if (value instanceof Set) return toSetValue([...value])
      if (isPlain(value)) return { M: toAttributeMap(value) }
  }
  throw new TypeError(`DynamoDB stores no ${typeof value}`)
}

/** The members of a set have one type, and there is at least one. */
const toSetValue = (members: readonly unknown[]): AttributeValue => {
  if (members.length === 0) throw new TypeError('DynamoDB stores no empty sets')
  if (members.every((member) => typeof member === 'string')) return { SS: members }
  if (members.every((member) => Number.isFinite(member))) return { NS: members.map(String) }
  throw new TypeError('DynamoDB stores sets of strings or of numbers')
}

const isPlain = (value: object): value is Record<string, unknown> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Converts a record or a key. Properties that are undefined are left out. */
export const toAttributeMap = (record: Readonly<Record<string, unknown>>): AttributeMap => {
  const attributes: Record<string, AttributeValue> = {}
  for (const name of Object.keys(record)) {
    const value = record[name]
    if (value !== undefined) setOwn(attributes, name, toAttributeValue(value))
  }
  return attributes
}

/** Converts a value that DynamoDB returned. @throws TypeError for a type that no record contains */
export const fromAttributeValue = (attribute: AttributeValue): unknown => {
  if ('S' in attribute) return attribute.S
  if ('N' in attribute) return Number(attribute.N)
  if ('M' in attribute) return fromAttributeMap(attribute.M)
  if ('BOOL' in attribute) return attribute.BOOL
  if ('L' in attribute) return attribute.L.map(fromAttributeValue)
  if ('NULL' in attribute) return null
  if ('SS' in attribute) return new Set(attribute.SS)
  if ('NS' in attribute) return new Set(attribute.NS.map(Number))
  throw new TypeError(`no record contains an attribute of the type ${Object.keys(attribute).join()}`)
}

export const fromAttributeMap = (attributes: AttributeMap): Record<string, unknown> => fill({}, attributes)

/**
 * The same for a whole record, which gets no prototype: an engine may return its attributes in another order each time, and V8
 * sets those of such an object in half of the time.
 */
const fromRecordMap = (attributes: AttributeMap): Record<string, unknown> =>
  fill(Object.create(null), attributes)

const fill = (target: Record<string, unknown>, attributes: AttributeMap): Record<string, unknown> => {
  for (const name of Object.keys(attributes)) {
    const attribute = attributes[name]
    if (attribute) setOwn(target, name, fromAttributeValue(attribute))
  }
  return target
}

/** Sets a property. An assignment to `__proto__` would set the prototype, and names of maps may come from requests. */
const setOwn = <Value>(target: Record<string, Value>, name: string, value: Value): void => {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true })
  else target[name] = value
}
