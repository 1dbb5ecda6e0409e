import { buildDueSteps, type DueItem, readDueItems } from '../../kernel/table/due-items.ts'
import {
  openInvitationsKey,
  organizationCleanUpKey,
  organizationCleanUpPrefix,
  organizationCountsKey,
  organizationEndingKey,
  organizationEndingPrefix,
  organizationTokenCountKey,
} from '../../kernel/table/keys/organization-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { minute } from '../../kernel/util/time.ts'

/*
 * Owners can have their organization deleted after a grace period. The time is part of its record. An item in the order of time
 * leads to it, and is there as long as the time is.
 */

interface Ending {
  readonly id: number
  readonly endsAt?: number | null
}

/** Builds the steps that keep the item in line with a record. `after` is undefined for a deleted organization. */
export const buildEndingSteps = (before: Ending, after: Ending | undefined): readonly Step[] =>
  buildDueSteps(organizationEndingKey, before.id, before.endsAt ?? null, after?.endsAt ?? null)

/** The organizations whose time has come, first those that wait longest. */
export const readDueEndings = (table: Table, nowMs: number): AsyncGenerator<DueItem> =>
  readDueItems(table, organizationEndingKey, organizationEndingPrefix, nowMs)

/** Builds the step by which a job learns that an organization was deleted. */
export const buildCleanUpStep = (id: number, deletedAt: number): Step => ({
  put: { ...organizationCleanUpKey(deletedAt, id) },
})

/** Lists of members and invitations are complete only some seconds after a write. */
const listsCompleteMs = minute

/** The deleted organizations of which something may be left, first those that wait longest. */
export const readDueCleanUps = (table: Table, nowMs: number): AsyncGenerator<DueItem> =>
  readDueItems(table, organizationCleanUpKey, organizationCleanUpPrefix, nowMs - listsCompleteMs)

/** Removes the last items of a deleted organization. */
export const forgetCleanUp = (table: Table, { key, id }: DueItem): Promise<void> =>
  table.transact([
    { delete: organizationCountsKey(id) },
    { delete: openInvitationsKey(id) },
    { delete: organizationTokenCountKey(id) },
    { delete: key },
  ])
