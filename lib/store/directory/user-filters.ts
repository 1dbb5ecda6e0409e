import { foldText } from '../../core/fold-text.ts'
import type { UserSummary } from '../records/user-summary.ts'

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

export interface UserFilters extends NameSearch {
  readonly full_name?: string | undefined
  readonly is_enabled?: boolean | undefined
  readonly is_cloud?: boolean | undefined
  readonly home?: string | undefined
}

/** Returns whether the filters select a user. Undefined if they select every user. */
export const buildUserMatcher = (filters: UserFilters): ((user: UserSummary) => boolean) | undefined => {
  const { full_name, is_enabled, is_cloud, home } = filters
  const matchesNames = buildNameMatcher(filters)
  const isUnfiltered = [matchesNames, full_name, is_enabled, is_cloud, home].every(
    (filter) => filter === undefined,
  )
  if (isUnfiltered) return undefined
  const fullName = full_name === undefined ? undefined : foldText(full_name)
  return (user) =>
    (is_enabled === undefined || user.isEnabled === is_enabled) &&
    (is_cloud === undefined || user.isCloud === is_cloud) &&
    (home === undefined || (user.home !== null && String(user.home) === home)) &&
    (fullName === undefined || user.fullName === fullName) &&
    (matchesNames?.([foldText(user.normalizedUsername), user.email, user.fullName]) ?? true)
}
