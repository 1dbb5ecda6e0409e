import { groupKey } from './keys.ts'
import type { Table } from './table.ts'

export interface GroupRecord {
  readonly id: number
  readonly name: string
  readonly permissions: readonly string[]
}

/** Those of the groups that exist, in no call at all when none is asked for. */
export const findGroups = async (table: Table, ids: readonly number[]): Promise<readonly GroupRecord[]> => {
  const pages = Array.from({ length: Math.ceil(ids.length / 100) }, (_, page) =>
    ids.slice(page * 100, page * 100 + 100),
  )
  const found = await Promise.all(pages.map((page) => table.getMany(page.map(groupKey))))
  return found.flat().filter((item) => item !== undefined) as unknown as GroupRecord[]
}
