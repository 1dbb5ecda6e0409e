import { type AttributeMap, fromAttributeMap, toAttributeMap } from './attribute-values.ts'

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
  convertMembers(JSON.parse(text) as CallBody, (attributes) => fromAttributeMap(attributes as AttributeMap))
