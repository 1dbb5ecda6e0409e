import type { Item } from './transaction.ts'

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
