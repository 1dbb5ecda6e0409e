import type { Key } from './keys/keys.ts'
import { readAll } from './listing.ts'
import type { Table } from './table.ts'
import type { Item } from './transaction.ts'

/*
 * Each kind of items has its own version, which starts at 1. It increases when the stored form changes so that code for
 * a lower version would misread it. Attributes that are only added need no new version.
 */

/** The attribute with the version of an item. Items without it have version 1. */
const schemaVersionAttribute = 'schemaVersion'

/** How the stored form of a kind changes from one version to the next. Both ways get whole items or some attributes. */
interface SchemaChange {
  /** Converts attributes to the later version, or returns them. */
  readonly upgrade: (attributes: Attributes) => Attributes
  /** Converts attributes to the version before, or returns them. */
  readonly downgrade: (attributes: Attributes) => Attributes
}

/**
 * The changes of a kind since version 1, and the version of new items. A release that brings a change still writes the
 * version before, so that the release before it can read everything. The next release writes the new version.
 */
interface SchemaHistory {
  readonly changes: readonly SchemaChange[]
  /** From 1, at most one more than there are changes. */
  readonly writes: number
}

export type Attributes = Readonly<Record<string, unknown>>

/** A later version of Latchkey wrote the item. Reading it by guesses, or changing it, could destroy data. */
export class NewerItem extends Error {
  constructor(kind: string, version: number, known: number) {
    super(
      `A stored ${kind} has the schema version ${version}, but this version of Latchkey knows only ${known}. Deploy the later version of Latchkey again.`,
    )
    this.name = 'NewerItem'
  }
}

/** Reads the records of one kind from items of the table, and writes them. */
export interface Codec<Row> {
  /** Returns an item of the present version itself, without a copy, as a record. @throws MalformedItem or NewerItem */
  readonly decode: (item: Item) => Row
  /** The same for an item that may be missing. */
  readonly decodeOptional: (item: Item | undefined) => Row | undefined
  /** The attributes of a whole item, in the version that this release writes, and marked with it. */
  encode(record: Row): Attributes
  /** The attributes that an edit sets, in the version of the item as it was read. An edit never changes the version. */
  encodeChanges(record: Row, changes: object): Attributes
}

type ValueType = 'string' | 'number' | 'boolean' | 'list' | 'map'

/** An attribute that can be null must be there, too. */
type AttributeType = ValueType | `${ValueType} or null`

/** An item of the table lacks an attribute of its kind. The message contains no stored value. */
export class MalformedItem extends Error {
  constructor(kind: string, attribute: string, type: AttributeType) {
    super(`A stored item is not a valid ${kind}: its attribute "${attribute}" is not a ${type}.`)
    this.name = 'MalformedItem'
  }
}

type TypeOf<Value> = [Value] extends [string]
  ? 'string'
  : [Value] extends [number]
    ? 'number'
    : [Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [readonly unknown[]]
        ? 'list'
        : 'map'

/** Some of the attributes of a record that are not optional, with their types. */
type Shape<Row> = {
  readonly [Name in keyof Row as undefined extends Row[Name] ? never : Name]?: null extends Row[Name]
    ? `${TypeOf<NonNullable<Row[Name]>>} or null`
    : TypeOf<Row[Name]>
}

/**
 * Creates the codec of a kind of records. It checks only the attributes in `shape`: they distinguish the kind from
 * others, or decide about access. To check every attribute of every item would cost more than it finds.
 *
 * @throws RangeError if the history writes a version that it does not know
 */
export const createCodec = <Row extends object>(
  kind: string,
  shape: Shape<Row>,
  { changes: history, writes }: SchemaHistory = firstVersion,
): Codec<Row> => {
  const presentVersion = history.length + 1
  if (!Number.isInteger(writes) || writes < 1 || writes > presentVersion)
    throw new RangeError(`A ${kind} cannot be written in the schema version ${writes}.`)
  const checked: readonly (readonly [string, AttributeType])[] = Object.entries(shape)
  const findInvalid = (item: Item) => {
    for (const [name, type] of checked) if (!hasType(item[name], type)) return [name, type] as const
    return undefined
  }
  const isValid = (item: Item): item is Item & Row => findInvalid(item) === undefined
  const readVersion = ({ [schemaVersionAttribute]: version = 1 }: Attributes): number => {
    if (typeof version !== 'number') throw new MalformedItem(kind, schemaVersionAttribute, 'number')
    if (version > presentVersion) throw new NewerItem(kind, version, presentVersion)
    return version
  }
  const decode = (item: Item): Row => {
    const changes = history.slice(readVersion(item) - 1)
    const { pk, sk } = item
    const present =
      changes.length === 0
        ? item
        : { ...changes.reduce((last, change) => change.upgrade(last), item as Attributes), pk, sk }
    if (isValid(present)) return present
    const [name, type] = findInvalid(present) ?? ['', 'map']
    throw new MalformedItem(kind, name, type)
  }
  const downgrade = (attributes: Attributes, version: number): Attributes =>
    history.slice(version - 1).reduceRight((last, change) => change.downgrade(last), attributes)
  return {
    decode,
    decodeOptional: (item) => item && decode(item),
    encode: (record) => {
      const { [schemaVersionAttribute]: _, ...attributes } = downgrade(toAttributes(record), writes)
      return writes > 1 ? { ...attributes, [schemaVersionAttribute]: writes } : attributes
    },
    // A record is the item that was read, so it still has the attribute with the version of its item.
    encodeChanges: (record, changes) => downgrade(toAttributes(changes), readVersion(toAttributes(record))),
  }
}

// The copy makes a record of a known type one of any attributes.
const toAttributes = (record: object): Attributes => ({ ...record })

const firstVersion: SchemaHistory = { changes: [], writes: 1 }

const hasType = (value: unknown, type: AttributeType): boolean => {
  if (value === null) return type.endsWith(' or null')
  if (type.startsWith('list')) return Array.isArray(value)
  if (type.startsWith('map')) return typeof value === 'object' && !Array.isArray(value)
  return type.startsWith(typeof value)
}

/** The records of one kind, and where they are stored. */
interface RecordKind<Row> {
  readonly codec: Codec<Row>
  readonly keyOf: (id: number) => Key
}

/** Reads one record. @throws MalformedItem or NewerItem */
export const findRecord = async <Row>(table: Table, codec: Codec<Row>, key: Key): Promise<Row | undefined> =>
  codec.decodeOptional(await table.get(key))

/**
 * Reads the records with these IDs for a decision, in their order. Missing ones are undefined.
 *
 * @throws MalformedItem or NewerItem if one cannot be read, because a decision must not take it for missing
 */
export const readByIds = async <Row>(
  table: Table,
  { codec, keyOf }: RecordKind<Row>,
  ids: readonly number[],
): Promise<readonly (Row | undefined)[]> => (await readAll(table, ids.map(keyOf))).map(codec.decodeOptional)

/** The same to show them: one that cannot be read is undefined, too, and is reported. It must not break a list. */
export const readListedByIds = async <Row>(
  table: Table,
  { codec, keyOf }: RecordKind<Row>,
  ids: readonly number[],
): Promise<readonly (Row | undefined)[]> => readListed(table, codec, ids.map(keyOf))

/** Reads records to show them, in the order of their keys. Those that are missing or cannot be read are undefined. */
export const readListed = async <Row>(
  table: Table,
  codec: Codec<Row>,
  keys: readonly Key[],
): Promise<readonly (Row | undefined)[]> =>
  (await readAll(table, keys)).map((item) => decodeReported(table, codec, item))

/** The records of items to show them, without those that cannot be read. */
export const decodeListed = <Row>(table: Table, codec: Codec<Row>, items: readonly Item[]): readonly Row[] =>
  items.flatMap((item) => decodeReported(table, codec, item) ?? [])

const decodeReported = <Row>(table: Table, codec: Codec<Row>, item: Item | undefined): Row | undefined => {
  try {
    return codec.decodeOptional(item)
  } catch (error) {
    if (!(error instanceof MalformedItem || error instanceof NewerItem)) throw error
    table.reportUnreadable(error)
    return undefined
  }
}

interface UserMarker {
  readonly userId: number
  /** Hash of the line of the file that the user was imported from. */
  readonly origin?: string
}

/** An item that leads to a user: by username, email address, custom API token, passkey or the name at an identity provider. */
export const userMarkerCodec = createCodec<UserMarker>('user marker', { userId: 'number' })

/** An item that leads to another record by a unique name. */
export const idMarkerCodec = createCodec<{ readonly id: number }>('name marker', { id: 'number' })
