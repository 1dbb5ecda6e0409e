import { idAtEnd } from '../../kernel/table/keys/keys.ts'
import { nameListing } from '../../kernel/table/keys/listing-keys.ts'
import { getListing, type Page, type PageRequest } from '../../kernel/table/listing.ts'
import {
  type ListSearch,
  type SearchBounds,
  type SearchOrder,
  searchInOrder,
  searchSorted,
} from '../../kernel/table/search-listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { readTotals } from '../../kernel/table/totals.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import { buildClientFieldMatcher, type UserClientFilters } from '../../published-clients/stored-fields.ts'
import { getUserIndexKey } from './find-users.records.ts'
import type { UserRecord } from './stored-user.records.ts'
import { readSummary, type UserSummary } from './user-listing.records.ts'

export interface UserSearch {
  readonly matches: (user: UserSummary) => boolean
  /** Whether `matches` is sure about a user whom it accepts. */
  readonly isDecided: (user: UserSummary) => boolean
  /** The IDs of the users in question. Undefined if all users are. */
  readonly among?: ReadonlySet<number> | undefined
  /** Reads the records of users, with what `keep` needs to know about them. */
  readonly read: (ids: readonly number[]) => Promise<readonly (UserRecord | undefined)[]>
  /** Decides about a user by their record. */
  readonly keep: (user: UserRecord) => boolean
}

/** Reads one page of the users who match, in order of ID. */
export const searchUsers = (
  table: Table,
  search: UserSearch,
  request: PageRequest,
  bounds?: SearchBounds,
): Promise<Page<UserRecord>> => searchInOrder(table, buildListSearch(search), request, bounds)

/** Reads one page in order of username. Undefined if that takes too many reads. */
export const searchUsersByName = (
  table: Table,
  search: UserSearch,
  request: PageRequest,
  bounds?: SearchBounds,
): Promise<Page<UserRecord> | undefined> =>
  searchSorted(table, buildListSearch(search), byUsername, request, bounds)

const byUsername: SearchOrder<UserRecord> = {
  ofEntry: (entry) => {
    const summary = readSummary(entry)
    return summary && nameListing('user', summary.normalizedUsername, idAtEnd(entry.indexKey)).lsk
  },
  ofRow: (user) => getUserIndexKey(user, 'username'),
  idOf: ({ id }) => id,
}

const buildListSearch = ({ matches, isDecided, among, read, keep }: UserSearch): ListSearch<UserRecord> => ({
  listing: getListing('user', 'id'),
  select: (entry) => {
    const id = idAtEnd(entry.indexKey)
    if (among && !among.has(id)) return undefined
    const summary = readSummary(entry)
    if (summary && !matches(summary)) return undefined
    return { id, indexKey: entry.indexKey, isDecided: summary !== undefined && isDecided(summary) }
  },
  read,
  keep,
})

/** `fuzzy` is what published clients call `contains`. */
export type FilteringMode = 'contains' | 'startswith' | 'exact' | 'fuzzy'

/** A search for names. */
export interface NameSearch {
  readonly filter?: string | undefined
  readonly filtering_mode: FilteringMode
}

/** Returns whether one of the names of a record is what the caller searches for. */
export type NameMatcher = (names: readonly string[]) => boolean

/** Undefined for a search that matches everything. Names are in the form of `foldText`. */
export const buildNameMatcher = ({ filter = '', filtering_mode }: NameSearch): NameMatcher | undefined => {
  const text = foldText(filter)
  if (text === '') return undefined
  if (filtering_mode === 'exact') return (names) => names.includes(text)
  if (filtering_mode === 'startswith') return (names) => names.some((name) => name.startsWith(text))
  const words = [...new Set(text.split(' '))]
  return (names) => words.every((word) => names.some((name) => name.includes(word)))
}

export interface UserFilters extends NameSearch, UserClientFilters {
  readonly full_name?: string | undefined
  readonly is_enabled?: boolean | undefined
  readonly email_state?: EmailState | undefined
  readonly invitation?: InvitationState | undefined
  readonly has_second_factor?: boolean | undefined
  readonly is_guest?: boolean | undefined
  readonly not_seen_for_days?: number | undefined
  readonly permission?: string | undefined
  /** ISO 8601. */
  readonly created_since?: string | undefined
  readonly created_before?: string | undefined
}

/** The filters that only the record of a user answers. */
const ofRecord = ['has_second_factor', 'not_seen_for_days', 'permission'] as const
const asksRecord = (filters: UserFilters): boolean => ofRecord.some((name) => filters[name] !== undefined)

export type EmailState = 'verified' | 'unverified' | 'none'
export type InvitationState = 'pending' | 'expired' | 'accepted'

/** Whether a user can have a state, as far as their entry says it. The record decides. */
const canHaveStates = (
  { states }: UserSummary,
  { email_state, invitation, is_guest }: Pick<UserFilters, 'email_state' | 'invitation' | 'is_guest'>,
): boolean => {
  if (is_guest === true && states.origin === 'account') return false
  const hasEmail = email_state === undefined || states.email === 'guest' || states.email === email_state
  const listed = invitation === 'accepted' ? 'accepted' : 'open'
  return hasEmail && (invitation === undefined || states.invitation === listed)
}

/** Whether the entry of a user is enough for these filters. An invitation ends in ways that its entry does not say. */
export const isDecidedBy = (filters: UserFilters): ((user: UserSummary) => boolean) => {
  const { email_state, invitation, is_guest } = filters
  const isNever = invitation !== undefined || is_guest === true || asksRecord(filters)
  return ({ states }) =>
    !isNever &&
    (email_state === undefined || states.email !== 'guest') &&
    (is_guest === undefined || states.origin === 'account')
}

/**
 * Returns whether the filters can select a user: for filters of states, the record decides. Undefined if they select every
 * user.
 */
export const buildUserMatcher = (filters: UserFilters): ((user: UserSummary) => boolean) | undefined => {
  const { full_name, is_enabled, email_state, invitation, is_guest, created_since, created_before } = filters
  const matchesNames = buildNameMatcher(filters)
  const matchesClientFields = buildClientFieldMatcher(filters)
  const isUnfiltered = [
    ...[matchesNames, matchesClientFields],
    ...[full_name, is_enabled, email_state, invitation, is_guest, created_since, created_before],
  ].every((filter) => filter === undefined)
  if (isUnfiltered && !asksRecord(filters)) return undefined
  const fullName = full_name === undefined ? undefined : foldText(full_name)
  const since = created_since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(created_since)
  const before = created_before === undefined ? Number.POSITIVE_INFINITY : Date.parse(created_before)
  return (user) =>
    (is_enabled === undefined || user.isEnabled === is_enabled) &&
    (matchesClientFields?.(user.clientFields) ?? true) &&
    (fullName === undefined || user.fullName === fullName) &&
    canHaveStates(user, filters) &&
    user.createdAt >= since &&
    user.createdAt < before &&
    (matchesNames?.([foldText(user.normalizedUsername), user.email, user.fullName]) ?? true)
}

/**
 * Decides how to leave out guests, which the console does in its usual list. Without any, the filter is not needed. If they are
 * few, reading the records of a page costs less than a search.
 */
export const planGuestFilter = async <Filters extends UserFilters>(table: Table, query: Filters) => {
  if (query.is_guest !== false) return { query, areGuestsFew: false }
  const count = await readTotals(table)
  const others = { ...query, is_guest: undefined }
  const areGuestsFew = 10 * count('guest') < count('user') && !buildUserMatcher(others)
  return { query: count('guest') > 0 ? query : others, areGuestsFew }
}
