import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { recountPauseMs } from '../../kernel/limits/limits.ts'
import { getIds, readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { getMembersListing, ownerRole, readMemberships } from './memberships.records.ts'
import { buildCountRepairStep, type OrganizationCounts, readCounts } from './records.ts'

/*
 * The counts of members and owners change in the same write as memberships. A restore of the table, or a mistake in the code, could still
 * make them differ, and would then shut an owner in or let the last one go. So they are compared with the members.
 */

const entriesPerPage = 500

const countMembers = async (
  table: Table,
  organizationId: number,
): Promise<Pick<OrganizationCounts, 'members' | 'owners'>> => {
  let [members, owners] = [0, 0]
  const listing = getMembersListing(organizationId)
  for await (const entries of readEntryPages(table, listing, entriesPerPage))
    for (const membership of await readMemberships(table, organizationId, getIds(entries))) {
      if (!membership) continue
      members++
      if (membership.roles.includes(ownerRole)) owners++
    }
  return { members, owners }
}

/** What is stored and what is true, if these differ. */
const findDifference = async (table: Table, organizationId: number) => {
  const [stored] = await readCounts(table, [organizationId])
  const counted = await countMembers(table, organizationId)
  const isRight = !stored || (stored.members === counted.members && stored.owners === counted.owners)
  return isRight ? undefined : { stored, counted }
}

/**
 * Counts the members and owners of an organization again, and repairs what is stored. The list of members lags behind their writes, so a
 * difference counts only if it is there twice, and nobody joined or left in between. Returns whether it repaired something.
 */
export const recountOrganization = async (
  { table }: Pick<Services, 'table'>,
  context: RequestContext,
  organizationId: number,
): Promise<boolean> => {
  const first = await findDifference(table, organizationId)
  if (!first) return false
  await sleep(recountPauseMs)
  const second = await findDifference(table, organizationId)
  if (!second || second.stored.changes !== first.stored.changes) return false
  const { stored, counted } = second
  if (counted.members !== first.counted.members || counted.owners !== first.counted.owners) return false
  const target = `${organizationId} ${stored.members} ${stored.owners} ${counted.members} ${counted.owners}`
  return wasCommitted(
    table.transact([
      buildCountRepairStep(organizationId, stored, counted),
      auditStep({ ...context, organization: organizationId }, 'organization.recounted', { target }),
    ]),
  )
}
