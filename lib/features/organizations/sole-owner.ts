import { AppError } from '../../kernel/errors/errors.ts'
import { readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { getMembershipsListing, ownerRole, readMembershipEntry } from './memberships.records.ts'
import { readCounts, readOrganizations } from './records.ts'

/**
 * Keeps users from deleting their own account while an organization would lose its only owner.
 *
 * @throws AppError `conflict` with the reason `last_owner`
 */
export const requireNoSoleOwner = async (table: Table, userId: number): Promise<void> => {
  for await (const entries of readEntryPages(table, getMembershipsListing(userId), 100)) {
    const ids = entries
      .map(readMembershipEntry)
      .filter(({ roles }) => roles.includes(ownerRole))
      .map(({ organizationId }) => organizationId)
    const counts = await readCounts(table, ids)
    const alone = ids.filter((_, at) => (counts[at]?.owners ?? 0) <= 1)
    // One that was deleted needs no owner.
    const [kept] = (await readOrganizations(table, alone)).filter((one) => one !== undefined)
    if (kept)
      throw new AppError('conflict', {
        reason: 'last_owner',
        detail: `You are the only owner of ${kept.name}. Make another member an owner first.`,
      })
  }
}
