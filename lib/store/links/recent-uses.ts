import { activitiesListed, activityRetentionMs } from '../../limits/limits.ts'
import type { Changes, Expressions } from '../engine/expressions.ts'
import type { AccessTokenRecord } from './access-token-record.ts'
import type { ActivityRecord } from './activity-record.ts'
import { getActivitySortKey } from './token-activities.ts'

/*
 * A token contains its newest uses, so that a page of tokens shows them without a query for each. Each use adds itself and
 * removes those that the newest ones have replaced. The uses have keys of their own in a map: so concurrent uses never
 * overwrite each other, and none removes a use that must be shown. The map holds a few more uses than are shown, at most
 * as many as there were concurrent ones.
 */

/** Removals in one use. The expression of an update has at most 4 KB. */
const maxRemovals = 100

/** The changes of a token that add a use. */
export const addRecentUse = (
  x: Expressions,
  token: AccessTokenRecord,
  { id, at, address }: ActivityRecord,
): Pick<Changes, 'set' | 'remove'> => {
  const pathTo = (useId: number) => x.path('recentUses', String(useId))
  const replaced = toActivities(token).slice(activitiesListed)
  return {
    set: [`${pathTo(id)} = ${x.value({ at, address })}`],
    remove: replaced.slice(-maxRemovals).map((use) => pathTo(use.id)),
  }
}

/** The newest uses of a token, newest first. */
export const getRecentUses = (token: AccessTokenRecord, nowMs: number): readonly ActivityRecord[] =>
  toActivities(token)
    .filter(({ at }) => at >= nowMs - activityRetentionMs)
    .slice(0, activitiesListed)

const toActivities = ({ id: tokenId, recentUses }: AccessTokenRecord): readonly ActivityRecord[] =>
  Object.entries(recentUses)
    .map(([id, { at, address }]) => ({ id: Number(id), tokenId, at, address }))
    .sort((a, b) => (getActivitySortKey(a) < getActivitySortKey(b) ? 1 : -1))
