import { foldText } from '../util/fold-text.ts'
import { sortableId } from '../util/sortable-id.ts'
import { idAtEnd } from './keys/keys.ts'
import { readListedName } from './keys/listing-keys.ts'
import {
  createSource,
  getIds,
  getListing,
  type ListEntry,
  type Page,
  type PageRequest,
  readFilteredPage,
  readPage,
} from './listing.ts'
import { readListedByIds } from './records.ts'
import { type ListSearch, type SearchBounds, searchInOrder, searchSorted } from './search-listing.ts'
import type { Table } from './table.ts'
import type { UniqueNameKind, UniqueNameRecord } from './unique-name-records.ts'

interface NamePageRequest {
  readonly order: 'id' | 'name'
  readonly page: PageRequest
}

/** Whether a search selects one of these names, which are in the form of `foldText`. */
type Matches = (names: readonly string[]) => boolean

/** Reads one page of the records of a kind, or of those whose name matches. */
export const readNamePage = async <Named extends UniqueNameRecord>(
  table: Table,
  kind: UniqueNameKind<Named>,
  matches: Matches | undefined,
  request: NamePageRequest,
): Promise<Page<Named>> => {
  const { order, page } = request
  const listing = getListing(kind.name, order)
  const read = (entries: readonly ListEntry[]) => readListedByIds(table, kind, getIds(entries))
  if (!matches) return readPage(table, listing, page, read)
  const keep = ({ name }: Named) => matches([foldText(name)])
  return (
    (await searchNames(table, kind, { ...request, matches })) ??
    readFilteredPage(createSource(table, listing, page), page, read, keep)
  )
}

interface NameSearch extends NamePageRequest {
  readonly matches: Matches
  readonly bounds?: SearchBounds | undefined
}

/**
 * Reads one page of the records of a kind whose name matches. The entries in order of name contain the names. Undefined if
 * another order takes too many reads.
 */
export const searchNames = async <Named extends UniqueNameRecord>(
  table: Table,
  kind: UniqueNameKind<Named>,
  { matches, order, page, bounds }: NameSearch,
): Promise<Page<Named> | undefined> => {
  const search: ListSearch<Named> = {
    listing: getListing(kind.name, 'name'),
    select: ({ indexKey }) => {
      const name = readListedName(indexKey)
      if (name !== undefined && !matches([foldText(name)])) return undefined
      return { id: idAtEnd(indexKey), indexKey, isDecided: name !== undefined }
    },
    read: (ids) => readListedByIds(table, kind, ids),
    keep: ({ name }) => matches([foldText(name)]),
  }
  if (order === 'name') return searchInOrder(table, search, page, bounds)
  const byId = {
    ofEntry: ({ indexKey }: { readonly indexKey: string }) => sortableId(idAtEnd(indexKey)),
    ofRow: ({ id }: Named) => sortableId(id),
    idOf: ({ id }: Named) => id,
  }
  return searchSorted(table, search, byId, page, bounds)
}
