import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildDoneStep, buildOutboxStep, type OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import { ownersInformed } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import { findMembership, ownerRole } from '../organizations/memberships.records.ts'
import { readOrganizations } from '../organizations/records.ts'
import { renderOwnerNoticeEmail } from './owner-notice-email.ts'
import { type PreparedEmail, prepareNotice, writeEmail } from './write-email.ts'
import { findOwnerIds } from './write-organization-ending.ts'

/**
 * Replaces the job with one for each owner, in one transaction. So none of them gets the email twice or not at all.
 *
 * @throws EntryLost
 */
export const informOwnersOfChange = async (
  { table, now }: Services,
  entry: OutboxEntry,
  job: Extract<MailJob, { kind: 'owners_notice' }>,
): Promise<undefined> => {
  const owners = (await findOwnerIds(table, job.organizationId)).filter((id) => !job.except.includes(id))
  await table.transact([
    buildDoneStep(entry),
    ...owners
      .slice(0, ownersInformed)
      .map((userId) =>
        buildOutboxStep({ ...job, kind: 'owner_notice', userId }, { ...entry, failures: 0 }, now()),
      ),
  ])
}

/** Prepares the email to one owner. Undefined if they are no owner any more, cannot receive it, or got too many of these. */
export const prepareOwnerNoticeEmail = async (
  services: Services,
  entry: OutboxEntry,
  { userId, change, organizationId, name, members, at }: Extract<MailJob, { kind: 'owner_notice' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, now } = services
  const [[organization], membership, user] = await Promise.all([
    readOrganizations(table, [organizationId]),
    findMembership(table, { userId, organizationId }),
    findUser(table, userId),
  ])
  if (!organization || !membership?.roles.includes(ownerRole)) return undefined
  if (!user || !isActive(user, now()) || !hasVerifiedEmail(user)) return undefined
  const to = parseMailAddress(user.email)
  if (!to) return undefined
  return prepareNotice(services, entry, { to, userId, kind: 'owner_notice', subject: change }, async () => {
    const actor = entry.actor === null ? undefined : await findUser(table, entry.actor)
    const details = {
      ...{ change, organizationId, organization: organization.name, name, members, at },
      by: actor?.username,
    }
    return writeEmail(services, entry, { to: to.address, user }, (envelope) =>
      renderOwnerNoticeEmail(envelope, details),
    )
  })
}
