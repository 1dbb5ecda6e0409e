import { idAtEnd } from '../../kernel/table/keys/keys.ts'
import { readListedName } from '../../kernel/table/keys/listing-keys.ts'
import {
  getIds,
  getListing,
  type ListEntry,
  type Page,
  type PageRequest,
  readPage,
} from '../../kernel/table/listing.ts'
import { type ListSearch, searchInOrder, searchSorted } from '../../kernel/table/search-listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import { type OrganizationRecord, readOrganizations } from './records.ts'

interface OrganizationSearch {
  /** Whether a slug or a name matches, in the form of `foldText`. */
  readonly matches: (names: readonly string[]) => boolean
  readonly keep: (organization: OrganizationRecord) => boolean
}

/** Reads one page of organizations, or of those that match. The entries in order of slug have the names. */
export const readOrganizationPage = async (
  table: Table,
  order: 'id' | 'slug',
  search: OrganizationSearch | undefined,
  page: PageRequest,
): Promise<Page<OrganizationRecord>> => {
  const bySlug = getListing('organization', 'name')
  if (!search)
    return readPage(table, order === 'slug' ? bySlug : getListing('organization', 'id'), page, (entries) =>
      readOrganizations(table, getIds(entries)),
    )
  const examined: ListSearch<OrganizationRecord> = {
    listing: bySlug,
    select: ({ indexKey, text }) =>
      text === undefined || search.matches([readListedName(indexKey) ?? '', text])
        ? { id: idAtEnd(indexKey), indexKey, isDecided: text !== undefined }
        : undefined,
    read: (ids) => readOrganizations(table, ids),
    keep: search.keep,
  }
  const byId = {
    ofEntry: ({ indexKey }: ListEntry) => sortableId(idAtEnd(indexKey)),
    ofRow: ({ id }: OrganizationRecord) => sortableId(id),
    idOf: ({ id }: OrganizationRecord) => id,
  }
  const sorted = order === 'id' ? await searchSorted(table, examined, byId, page) : undefined
  return sorted ?? searchInOrder(table, examined, page)
}
