import type { Item } from './transaction.ts'

/** Reads the records of one kind from items of the table. */
export interface Codec<Row> {
  /** Returns an item of the present version itself, without a copy, as a record. @throws MalformedItem or NewerItem */
  readonly decode: (item: Item) => Row
  /** The same for an item that may be missing. */
  readonly decodeOptional: (item: Item | undefined) => Row | undefined
  /** Converts an item to the present version. Returns the item itself if nothing changes. @throws NewerItem */
  readonly upgrade: (item: Item) => Item
  /** Marks new items with the present version. Every write of a whole item includes it. */
  readonly stamp: { readonly [schemaVersionAttribute]?: number }
}

type AttributeType = 'string' | 'number' | 'boolean' | 'list' | 'map'

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

/** Some of the attributes of a record that are neither null nor optional, with their types. */
export type Shape<Row> = {
  readonly [Name in keyof Row as [Row[Name]] extends [NonNullable<Row[Name]>] ? Name : never]?: TypeOf<
    Row[Name]
  >
}

/**
 * Creates the codec of a kind of records. It checks only the attributes in `shape`: they distinguish the kind from
 * others, or decide about access. To check every attribute of every item would cost more than it finds. `upgrades` lead
 * from each version to the next, and only an item that one of them changes is copied.
 */
export const createCodec = <Row extends object>(
  kind: string,
  shape: Shape<Row>,
  upgrades: readonly Upgrade[] = [],
): Codec<Row> => {
  const presentVersion = upgrades.length + 1
  const attributes: readonly (readonly [string, AttributeType])[] = Object.entries(shape)
  const findInvalid = (item: Item) => attributes.find(([name, type]) => !hasType(item[name], type))
  const isValid = (item: Item): item is Item & Row => findInvalid(item) === undefined
  const upgrade = (item: Item): Item => {
    const version = item[schemaVersionAttribute] ?? 1
    if (typeof version !== 'number') throw new MalformedItem(kind, schemaVersionAttribute, 'number')
    if (version > presentVersion) throw new NewerItem(kind, version, presentVersion)
    let upgraded = item
    for (let from = version; from < presentVersion; from++)
      upgraded = upgrades[from - 1]?.(upgraded) ?? upgraded
    return upgraded
  }
  const decode = (item: Item): Row => {
    const present = upgrade(item)
    if (isValid(present)) return present
    const [name, type] = findInvalid(present) ?? ['', 'map']
    throw new MalformedItem(kind, name, type)
  }
  return {
    decode,
    decodeOptional: (item) => item && decode(item),
    upgrade,
    stamp: presentVersion > 1 ? { [schemaVersionAttribute]: presentVersion } : {},
  }
}

const hasType = (value: unknown, type: AttributeType): boolean => {
  if (type === 'list') return Array.isArray(value)
  if (type === 'map') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

/*
 * Each kind of items has its own version, which starts at 1. It increases when the stored form changes so that code for
 * a lower version would misread it. Attributes that are only added need no new version.
 */

/** The attribute with the version of an item. Items without it have version 1. */
export const schemaVersionAttribute = 'schemaVersion'

/**
 * Converts an item to the next version, or returns the item itself. The item can already have some attributes of the next
 * version, because edits write only what they change. These attributes take precedence.
 */
export type Upgrade = (item: Item) => Item

/** A later version of Latchkey wrote the item. Reading it by guesses, or changing it, could destroy data. */
export class NewerItem extends Error {
  constructor(kind: string, version: number, known: number) {
    super(
      `A stored ${kind} has the schema version ${version}, but this version of Latchkey knows only ${known}. Deploy the later version of Latchkey again.`,
    )
    this.name = 'NewerItem'
  }
}
