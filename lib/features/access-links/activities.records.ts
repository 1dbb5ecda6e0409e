import { randomInt } from 'node:crypto'
import { activitiesListed, activitiesShown, activityRetentionMs } from '../../kernel/limits/limits.ts'
import type { Changes, Expressions } from '../../kernel/table/expressions.ts'
import { accessLinkActivityKey } from '../../kernel/table/keys/keys.ts'
import { readEntries } from '../../kernel/table/listing.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { linkPartition } from './index.records.ts'
import type { AccessLinkRecord } from './link.records.ts'

/** Creates the record of a use of a link. */
export const createActivity = (linkId: number, at: number, address: string): ActivityRecord => ({
  id: randomInt(1, 2 ** 31),
  tokenId: linkId,
  at,
  address,
})

/** The order of the uses of a link, oldest first. */
export const getActivitySortKey = ({ id, at }: Pick<ActivityRecord, 'id' | 'at'>): string =>
  `${new Date(at).toISOString()}#${id}`

/** Builds the step that stores a use of a link, in the transaction of the use. */
export const buildActivityStep = (activity: ActivityRecord): Step => ({
  put: {
    ...accessLinkActivityKey(activity.tokenId, getActivitySortKey(activity)),
    ...activityCodec.encode(activity),
    expires_at: Math.ceil((activity.at + activityRetentionMs) / 1000),
  },
})

/** The latest uses of a link, newest first. */
export const findActivities = async (
  table: Table,
  linkId: number,
  nowMs: number,
  limit = activitiesShown,
): Promise<readonly ActivityRecord[]> => {
  const oldest = new Date(nowMs - activityRetentionMs).toISOString()
  const items = await table.page({
    pk: linkPartition(linkId),
    from: accessLinkActivityKey(linkId, oldest).sk,
    to: accessLinkActivityKey(linkId, '~').sk,
    isDescending: true,
    limit,
  })
  return decodeListed(table, activityCodec, items)
}

const batchSize = 100
const maxBatches = 20

/** Deletes the remaining items of a deleted link. If there are very many, the table deletes the rest when it expires. */
export const cleanUpDeletedLink = async (table: Table, linkId: number): Promise<void> => {
  const listing = { pk: linkPartition(linkId) }
  for (let batch = 0; batch < maxBatches; batch++) {
    const entries = await readEntries(table, listing, { limit: batchSize, isDescending: false })
    if (entries.length > 0) await table.transact(entries.map(({ key }) => ({ delete: key })))
    if (entries.length < batchSize) return
  }
}

/** One use of an access link. */
export interface ActivityRecord {
  /** Random within its link. Consecutive IDs would cost each use a write to a counter. */
  readonly id: number
  readonly tokenId: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly address: string
}

export const activityCodec = createCodec<ActivityRecord>('link activity', {
  id: 'number',
  tokenId: 'number',
  at: 'number',
  address: 'string',
})

/*
 * A link contains its newest uses, so that a page of links shows them without a query for each. Each use adds itself and
 * removes those that the newest ones have replaced. The uses have keys of their own in a map: so concurrent uses never
 * overwrite each other, and none removes a use that must be shown. The map holds a few more uses than are shown, at most
 * as many as there were concurrent ones.
 */

/** Removals in one use. The expression of an update has at most 4 KB. */
const maxRemovals = 100

/** The changes of a link that add a use. */
export const addRecentUse = (
  x: Expressions,
  link: AccessLinkRecord,
  { id, at, address }: ActivityRecord,
): Pick<Changes, 'set' | 'remove'> => {
  const pathTo = (useId: number) => x.path('recentUses', String(useId))
  const replaced = toActivities(link).slice(activitiesListed)
  return {
    set: [`${pathTo(id)} = ${x.value({ at, address })}`],
    remove: replaced.slice(-maxRemovals).map((use) => pathTo(use.id)),
  }
}

/** The newest uses of a link, newest first. */
export const getRecentUses = (link: AccessLinkRecord, nowMs: number): readonly ActivityRecord[] =>
  toActivities(link)
    .filter(({ at }) => at >= nowMs - activityRetentionMs)
    .slice(0, activitiesListed)

const toActivities = ({ id: linkId, recentUses }: AccessLinkRecord): readonly ActivityRecord[] =>
  Object.entries(recentUses)
    .map(([id, { at, address }]) => ({ id: Number(id), tokenId: linkId, at, address }))
    .sort((a, b) => (getActivitySortKey(a) < getActivitySortKey(b) ? 1 : -1))
