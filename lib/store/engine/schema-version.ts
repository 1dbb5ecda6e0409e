import type { Item } from './transaction.ts'

/*
 * Each kind of items has its own version, which starts at 1. It increases when the stored form changes so that earlier
 * code would misread it. Attributes that are only added need no new version.
 */

/** The attribute with the version of an item. Items without it have version 1. */
export const schemaVersionAttribute = 'schemaVersion'

/**
 * Converts an item to the next version, or returns the item itself. An item of an earlier version can already have some
 * attributes of the next one, because edits write only what they change. These attributes take precedence.
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

/** The upgrade that gives attributes their present names. */
export const renameAttributes = (names: Readonly<Record<string, string>>): Upgrade => {
  const pairs = Object.entries(names)
  return (item) => {
    if (!pairs.some(([earlier]) => earlier in item)) return item
    const kept = Object.entries(item).filter(([name]) => !(name in names))
    const renamed = pairs.flatMap(([earlier, name]) => (earlier in item ? [[name, item[earlier]]] : []))
    const { pk, sk } = item
    // An attribute that has its present name already is newer.
    return { pk, sk, ...Object.fromEntries([...renamed, ...kept]) }
  }
}
