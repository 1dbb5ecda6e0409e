import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import { normalizeUsername, validateUsername } from '../common/names.ts'

type GroupRules = Pick<SamlProviderRecord, 'allowedGroups'>

/** Matches any characters at the end of an entry. */
const wildcard = '*'

/** Whether a provider may use this group name. Without a list, it may use none. */
export const isAllowedName = ({ allowedGroups }: GroupRules, name: string): boolean => {
  if (!allowedGroups) return false
  const normalized = normalizeUsername(name)
  return allowedGroups.some((entry) =>
    entry.endsWith(wildcard)
      ? normalized.startsWith(normalizeUsername(entry.slice(0, -1)))
      : normalized === normalizeUsername(entry),
  )
}

/**
 * Whether a provider may add users to a group with permissions. An administrator must have listed the group by its exact
 * name: a prefix also matches groups that get permissions later.
 */
export const mayJoinWithPermissions = ({ allowedGroups }: GroupRules, name: string): boolean =>
  Boolean(allowedGroups?.some((entry) => normalizeUsername(entry) === normalizeUsername(name)))

/** Returns what is wrong with a list of allowed groups, or undefined when it is valid. */
export const validateAllowedGroups = (entries: readonly string[]): string | undefined => {
  for (const entry of entries) {
    const stem = entry.endsWith(wildcard) ? entry.slice(0, -1) : entry
    if (stem.includes(wildcard)) return 'may contain * only at the end of an entry'
    const problem = stem === '' && entry === wildcard ? undefined : validateUsername(stem.trimEnd())
    if (problem !== undefined) return `contains an entry that ${problem}`
  }
  return undefined
}
