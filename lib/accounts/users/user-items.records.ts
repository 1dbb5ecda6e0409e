import { userKey } from '../../kernel/table/keys/keys.ts'
import { type ListEntry, readEntries } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

interface UserItems {
  /** The first items, without the user itself. */
  readonly items: readonly ListEntry[]
  /** Whether the user is among the first items. */
  readonly hasUser: boolean
}

/** Reads up to `limit` items of the partition of a user, in order. */
export const readUserItems = async (table: Table, userId: number, limit: number): Promise<UserItems> => {
  const { pk, sk } = userKey(userId)
  const entries = await readEntries(table, { pk }, { limit, isDescending: false })
  const items = entries.filter(({ indexKey }) => indexKey !== sk)
  return { items, hasUser: items.length < entries.length }
}

/** Builds the step that copies an item to another user. */
export const buildCopyStep = ({ item }: ListEntry, userId: number): Step => ({
  put: { ...item, pk: userKey(userId).pk },
})
