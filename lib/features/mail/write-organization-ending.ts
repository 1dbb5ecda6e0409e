import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildDoneStep, buildOutboxStep, type OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import { membersExamined, ownersInformed } from '../../kernel/limits/limits.ts'
import { getIds, readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Services } from '../../services.ts'
import {
  entryHasRole,
  findMembership,
  getMembersListing,
  ownerRole,
} from '../organizations/memberships.records.ts'
import { readOrganizations } from '../organizations/records.ts'
import { renderOrganizationEndingEmail } from './organization-ending-email.ts'
import { type PreparedEmail, prepareNotice, writeEmail } from './write-email.ts'

/**
 * Replaces the job with one for each owner, in one transaction. The one who asked comes first, because a thief may have their session.
 *
 * @throws EntryLost
 */
export const informOwners = async (
  { table, now }: Services,
  entry: OutboxEntry,
  { organizationId, endsAt }: Extract<MailJob, { kind: 'organization_ending' }>,
): Promise<undefined> => {
  const owners = await findOwnerIds(table, organizationId)
  const asked = entry.actor === null ? [] : [entry.actor]
  const informed = [...new Set([...asked, ...owners])].slice(0, ownersInformed)
  await table.transact([
    buildDoneStep(entry),
    ...informed.map((userId) => {
      const job = { kind: 'organization_ending_notice', organizationId, endsAt, userId } as const
      return buildOutboxStep(job, { ...entry, failures: 0 }, now())
    }),
  ])
}

const entriesPerPage = 1000

/** The owners among the first members of an organization. */
export const findOwnerIds = async (table: Table, organizationId: number): Promise<readonly number[]> => {
  const owners: number[] = []
  let examined = 0
  for await (const entries of readEntryPages(table, getMembersListing(organizationId), entriesPerPage)) {
    owners.push(...getIds(entries.filter((entry) => entryHasRole(entry, ownerRole))))
    examined += entries.length
    if (owners.length >= ownersInformed || examined >= membersExamined) break
  }
  return owners
}

/**
 * Prepares the email to one owner. Undefined if the organization was kept or deleted since, or they are no owner any more, cannot
 * receive it, or got too many of these.
 */
export const prepareOrganizationEndingEmail = async (
  services: Services,
  entry: OutboxEntry,
  { organizationId, endsAt, userId }: Extract<MailJob, { kind: 'organization_ending_notice' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, now } = services
  const [[organization], membership, user] = await Promise.all([
    readOrganizations(table, [organizationId]),
    findMembership(table, { userId, organizationId }),
    findUser(table, userId),
  ])
  if (organization?.endsAt !== endsAt || !membership?.roles.includes(ownerRole)) return undefined
  if (!user || !isActive(user, now()) || !hasVerifiedEmail(user)) return undefined
  const to = parseMailAddress(user.email)
  if (!to) return undefined
  const notice = { to, userId, kind: 'organization_ending_notice', subject: 'organization_ending' }
  return prepareNotice(services, entry, notice, async () => {
    const actor = entry.actor === null ? undefined : await findUser(table, entry.actor)
    const details = { organizationId, organization: organization.name, endsAt, by: actor?.username }
    return writeEmail(services, entry, { to: to.address, user }, (envelope) =>
      renderOrganizationEndingEmail(envelope, details),
    )
  })
}
