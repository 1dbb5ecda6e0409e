import { foldText } from '../../core/fold-text.ts'
import { idAtEnd, sortableId } from '../engine/keys.ts'
import { getListing, type Page, type PageRequest } from '../engine/listing.ts'
import { readListedName } from '../engine/listing-keys.ts'
import { type ListSearch, type SearchBounds, searchInOrder, searchSorted } from '../engine/search-listing.ts'
import type { Table } from '../engine/table.ts'
import type { GroupRecord } from '../records/group-record.ts'
import { readGroups } from './groups.ts'
import type { NameMatcher } from './user-filters.ts'

/**
 * Reads one page of the groups whose name matches. The entries in order of name contain the names. Undefined if another
 * order takes too many reads.
 */
export const searchGroups = async (
  table: Table,
  matches: NameMatcher,
  order: 'id' | 'name',
  request: PageRequest,
  bounds?: SearchBounds,
): Promise<Page<GroupRecord> | undefined> => {
  const search: ListSearch<GroupRecord> = {
    listing: getListing('group', 'name'),
    select: ({ indexKey }) => {
      const name = readListedName(indexKey)
      if (name !== undefined && !matches([foldText(name)])) return undefined
      return { id: idAtEnd(indexKey), indexKey, isDecided: name !== undefined }
    },
    read: (ids) => readGroups(table, ids),
    keep: ({ name }) => matches([foldText(name)]),
  }
  if (order === 'name') return searchInOrder(table, search, request, bounds)
  const byId = {
    ofEntry: ({ indexKey }: { readonly indexKey: string }) => sortableId(idAtEnd(indexKey)),
    ofRow: ({ id }: GroupRecord) => sortableId(id),
    idOf: ({ id }: GroupRecord) => id,
  }
  return searchSorted(table, search, byId, request, bounds)
}
