import type { Item } from './transaction.ts'

/** Reads the records of one kind from items of the table. */
export interface Codec<Row> {
  /** Returns the item itself, without a copy, as a record. @throws MalformedItem */
  readonly decode: (item: Item) => Row
  /** The same for an item that may be missing. */
  readonly decodeOptional: (item: Item | undefined) => Row | undefined
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

/** Attributes under the names that earlier versions stored them by, with their present names. */
export type EarlierNames<Row> = Readonly<Record<string, keyof Row & string>>

/**
 * Creates the codec of a kind of records. It checks only the attributes in `shape`: they distinguish the kind from
 * others, or decide about access. To check every attribute of every item would cost more than it finds. An item of an
 * earlier version is read with the present names of its attributes, and only such an item is copied.
 */
export const createCodec = <Row extends object>(
  kind: string,
  shape: Shape<Row>,
  earlierNames: EarlierNames<Row> = {},
): Codec<Row> => {
  const attributes: readonly (readonly [string, AttributeType])[] = Object.entries(shape)
  const findInvalid = (item: Item) => attributes.find(([name, type]) => !hasType(item[name], type))
  const isValid = (item: Item): item is Item & Row => findInvalid(item) === undefined
  const decode = (item: Item): Row => {
    if (isValid(item)) return item
    const renamed = renameAttributes(item, earlierNames)
    if (isValid(renamed)) return renamed
    const [name, type] = findInvalid(renamed) ?? ['', 'map']
    throw new MalformedItem(kind, name, type)
  }
  return { decode, decodeOptional: (item) => item && decode(item) }
}

const renameAttributes = (item: Item, names: Readonly<Record<string, string>>): Item => ({
  ...item,
  ...Object.fromEntries(
    Object.entries(names).flatMap(([earlier, present]) =>
      earlier in item && !(present in item) ? [[present, item[earlier]]] : [],
    ),
  ),
})

const hasType = (value: unknown, type: AttributeType): boolean => {
  if (type === 'list') return Array.isArray(value)
  if (type === 'map') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
