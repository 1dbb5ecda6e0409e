import {
  scimGroupPrefix,
  scimMemberKey,
  scimPartition,
  scimUserPrefix,
} from '../../kernel/table/keys/scim-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'

const itemsAtOnce = 50

/**
 * Deletes all that the directory of a connection sent, and its tokens. Another call continues it if it stopped early. The rows of a group or
 * a person are deleted before their item, which leads to them.
 */
export const forgetDirectory = async (
  table: Table,
  connectionId: number,
  mayContinue: () => boolean,
): Promise<{ readonly hadItems: boolean; readonly isComplete: boolean }> => {
  const pk = scimPartition(connectionId)
  for (let hadItems = false; ; hadItems = true) {
    const items = await table.page({ pk, limit: itemsAtOnce })
    if (items.length === 0) return { hadItems, isComplete: true }
    if (!mayContinue()) return { hadItems: true, isComplete: false }
    for (const id of items.flatMap(readOwner)) await forgetRows(table, scimMemberKey(connectionId, id, '').pk)
    await deleteAll(table, items)
  }
}

/** The ID of the resource that an item is, whose rows have a partition. */
const readOwner = ({ sk }: Item): readonly string[] => {
  const prefix = [scimUserPrefix, scimGroupPrefix].find((one) => sk.startsWith(one))
  return prefix === undefined ? [] : [sk.slice(prefix.length)]
}

const forgetRows = async (table: Table, pk: string): Promise<void> => {
  for (;;) {
    const items = await table.page({ pk, limit: itemsAtOnce })
    if (items.length === 0) return
    await deleteAll(table, items)
  }
}

const deleteAll = (table: Table, items: readonly Item[]): Promise<void> =>
  table.transact(items.map(({ pk, sk }) => ({ delete: { pk, sk } })))
