import { buildDueSteps, type DueItem, readDueItems } from '../../kernel/table/due-items.ts'
import { organizationEndingKey, organizationEndingPrefix } from '../../kernel/table/keys/organization-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

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
