import { foldText } from '../../util/fold-text.ts'
import type { UserSummary } from './user-listing.ts'

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
  readonly email_state?: EmailState | undefined
  readonly invitation?: InvitationState | undefined
}

export type EmailState = 'verified' | 'unverified' | 'none'
export type InvitationState = 'pending' | 'expired' | 'accepted'

/** Whether a user can have a state, as far as their entry says it. The record decides. */
const canHaveStates = (
  { states }: UserSummary,
  { email_state, invitation }: Pick<UserFilters, 'email_state' | 'invitation'>,
): boolean => {
  if (!states) return true
  const hasEmail = email_state === undefined || states.email === 'guest' || states.email === email_state
  const listed = invitation === 'accepted' ? 'accepted' : 'open'
  return hasEmail && (invitation === undefined || states.invitation === listed)
}

/** Whether the entry of a user is enough for these filters. An invitation ends in ways that its entry does not say. */
export const isDecidedBy =
  ({ email_state, invitation }: UserFilters) =>
  ({ states }: UserSummary): boolean =>
    invitation === undefined &&
    (email_state === undefined || (states !== undefined && states.email !== 'guest'))

/**
 * Returns whether the filters can select a user: for filters of states, the record decides. Undefined if they select every
 * user.
 */
export const buildUserMatcher = (filters: UserFilters): ((user: UserSummary) => boolean) | undefined => {
  const { full_name, is_enabled, is_cloud, home, email_state, invitation } = filters
  const matchesNames = buildNameMatcher(filters)
  const isUnfiltered = [matchesNames, full_name, is_enabled, is_cloud, home, email_state, invitation].every(
    (filter) => filter === undefined,
  )
  if (isUnfiltered) return undefined
  const fullName = full_name === undefined ? undefined : foldText(full_name)
  return (user) =>
    (is_enabled === undefined || user.isEnabled === is_enabled) &&
    (is_cloud === undefined || user.isCloud === is_cloud) &&
    (home === undefined || (user.home !== null && String(user.home) === home)) &&
    (fullName === undefined || user.fullName === fullName) &&
    canHaveStates(user, filters) &&
    (matchesNames?.([foldText(user.normalizedUsername), user.email, user.fullName]) ?? true)
}
