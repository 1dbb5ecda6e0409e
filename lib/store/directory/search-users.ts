import { getListing, type Page, type PageRequest } from '../engine/listing.ts'
import {
  type ListSearch,
  type SearchBounds,
  type SearchOrder,
  searchInOrder,
  searchSorted,
} from '../engine/search-listing.ts'
import type { Table } from '../engine/table.ts'
import { idAtEnd } from '../keys/keys.ts'
import { nameListing } from '../keys/listing-keys.ts'
import { readSummary, type UserSummary } from './user-listing.ts'
import type { UserRecord } from './user-record.ts'
import { findUsers, getUserIndexKey } from './users.ts'

export interface UserSearch {
  readonly matches: (user: UserSummary) => boolean
  /** Whether `matches` is sure about a user whom it accepts. */
  readonly isDecided: (user: UserSummary) => boolean
  /** The IDs of the users in question. Undefined if all users are. */
  readonly among?: ReadonlySet<number> | undefined
  /** Decides about a user by their record. */
  readonly keep: (user: UserRecord) => boolean
}

/** Reads one page of the users who match, in order of ID. */
export const searchUsers = (
  table: Table,
  search: UserSearch,
  request: PageRequest,
  bounds?: SearchBounds,
): Promise<Page<UserRecord>> => searchInOrder(table, buildListSearch(table, search), request, bounds)

/** Reads one page in order of username. Undefined if that takes too many reads. */
export const searchUsersByName = (
  table: Table,
  search: UserSearch,
  request: PageRequest,
  bounds?: SearchBounds,
): Promise<Page<UserRecord> | undefined> =>
  searchSorted(table, buildListSearch(table, search), byUsername, request, bounds)

const byUsername: SearchOrder<UserRecord> = {
  ofEntry: (entry) => {
    const summary = readSummary(entry)
    return summary && nameListing('user', summary.normalizedUsername, idAtEnd(entry.indexKey)).lsk
  },
  ofRow: (user) => getUserIndexKey(user, 'username'),
  idOf: ({ id }) => id,
}

const buildListSearch = (
  table: Table,
  { matches, isDecided, among, keep }: UserSearch,
): ListSearch<UserRecord> => ({
  listing: getListing('user', 'id'),
  select: (entry) => {
    const id = idAtEnd(entry.indexKey)
    if (among && !among.has(id)) return undefined
    const summary = readSummary(entry)
    if (summary && !matches(summary)) return undefined
    return { id, indexKey: entry.indexKey, isDecided: summary !== undefined && isDecided(summary) }
  },
  read: (ids) => findUsers(table, ids),
  keep,
})
